/* Worlds are independent of each other, prints go to the client, and a world that is shut down
 * frees all that it had: memory (the sanitizer checks), threads, open files.
 */
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "swarm_lib.h"
#include "tests/library/field.h"
#include "tests/library/where.h"

static void two_worlds_take_turns(void) {
  field_world_t *one = field_world(), *two = field_world();
  CHECK(!field_input_set_word(one, "1:") && !field_input_set_word(two, "2:"));
  CHECK(!field_input_set_scale(two, 4));
  CHECK(!field_input_set_shift(two, (float[2]){0.5f, 0.25f}));
  CHECK(!field_create_strands(one));
  CHECK(!field_input_set_count(two, 2));
  CHECK_EQ(field_run(one, 1), 1);
  CHECK(field_input_set_count(one, 2));
  CHECK(!field_create_strands(two));
  CHECK_EQ(field_run(two, 1), 1);
  CHECK_EQ(field_run(one, 1), 1);
  CHECK_EQ(field_run(two, 0), 1);
  CHECK_EQ(field_num_active_strands(one), 2);
  CHECK_EQ(field_num_active_strands(two), 0);
  CHECK(field_any_errors(one) && !field_any_errors(two));
  check_field_values(two, 4, 0.5, 0.25);
  field_shutdown(two);
  CHECK_EQ(field_run(one, 0), 1);
  check_field_values(one, 1.5, 0, 0);
  field_shutdown(one);
}

/* --- threads ---------------------------------------------------------------------------------- */

typedef struct {
  int number;
  bool is_right;
} Runner;

/* No CHECK here: the harness counts without a lock. */
static bool run_alone(int number) {
  field_world_t *world = field_new_world();
  float *samples = field_samples(0);
  const diderot_view_t view = field_view(samples);
  bool is_bad = field_init_world(world) || field_input_set_view_img(world, &view, NULL, NULL) ||
                field_input_set_scale(world, (float)number) ||
                !field_input_set_by_name_flow(world, "no-such-file") || /* each says why not */
                !field_input_set_by_name_flow(world, "broken.nrrd") ||
                field_input_set_by_name_flow(world, "flow.nrrd") ||
                field_set_printer_cb(world, NULL, NULL) || field_input_set_word(world, ".") ||
                field_create_strands(world) || field_run(world, 0) != 3;
  diderot_view_t values;
  is_bad = is_bad || field_output_view_value(world, &values);
  float value = 0;
  if (!is_bad) memcpy(&value, values.data, sizeof value);
  char *errors = field_get_errors(world);
  const char *want = "[DIDEROT] flow: cannot load image \"broken.nrrd\": couldn't parse type "
                     "\"nonsense\"\n"
                     "[DIDEROT] flow: cannot load image \"no-such-file\": No such file or "
                     "directory\n";
  is_bad = is_bad || strcmp(errors, want) != 0;
  free(errors);
  free(samples);
  field_shutdown(world);
  return !is_bad && fabs((double)value - number * 22.0) < 1e-3;
}

static void *run_worlds(void *data) {
  Runner *runner = data;
  runner->is_right = true;
  for (int k = 0; k < 20; k++) runner->is_right = run_alone(runner->number) && runner->is_right;
  return NULL;
}

static void threads_have_worlds_of_their_own(void) {
  enum { N = 4 };
  pthread_t threads[N];
  Runner runners[N];
  for (int k = 0; k < N; k++) {
    runners[k] = (Runner){.number = k + 1};
    CHECK_EQ(pthread_create(&threads[k], NULL, run_worlds, &runners[k]), 0);
  }
  for (int k = 0; k < N; k++) {
    CHECK_EQ(pthread_join(threads[k], NULL), 0);
    CHECK(runners[k].is_right);
  }
}

/* --- prints ----------------------------------------------------------------------------------- */

typedef struct {
  char text[400];
  int n_statements, last_good;
  swarm_world_t *world;
} Log;

static bool collect(void *data, char *text) {
  Log *log = data;
  strncat(log->text, text, sizeof log->text - strlen(log->text) - 1);
  return ++log->n_statements > log->last_good;
}

static swarm_world_t *printing_swarm(bool (*printer)(void *, char *), Log *log) {
  swarm_world_t *world = swarm_new_world();
  CHECK(world && !swarm_init_world(world));
  CHECK(!swarm_input_set_first_count(world, 6));
  CHECK(!swarm_set_printer_cb(world, printer, log));
  CHECK(!swarm_create_strands(world));
  log->world = world;
  return world;
}

static void statements_come_whole_and_in_order(void) {
  Log log = {.last_good = 100};
  swarm_world_t *world = printing_swarm(collect, &log);
  CHECK_EQ(swarm_run(world, 0), 2);
  CHECK_EQ(log.n_statements, 6);
  CHECK_STR(log.text, "end of 0\nend of 2\nend of 4\nend of 100\nend of 102\nend of 104\n");
  swarm_shutdown(world);
}

static void a_failing_callback_ends_the_run(void) {
  Log log = {.last_good = 1};
  swarm_world_t *world = printing_swarm(collect, &log);
  CHECK_EQ(swarm_run(world, 0), 1);
  CHECK(swarm_any_errors(world));
  CHECK_EQ(swarm_run(world, 0), 0);
  free(swarm_get_errors(world));
  swarm_shutdown(world);
}

/* During a run only functions that change nothing may be called. */
static bool meddle(void *data, char *text) {
  Log *log = data;
  (void)text;
  log->n_statements++;
  CHECK(swarm_num_strands(log->world) > 0);
  CHECK_EQ(swarm_run(log->world, 0), 0);
  CHECK(swarm_create_strands(log->world));
  swarm_shutdown(log->world);
  return false;
}

static void callbacks_may_not_meddle(void) {
  Log log = {.last_good = 100};
  swarm_world_t *world = printing_swarm(meddle, &log);
  CHECK(swarm_run(world, 0) >= 1);
  CHECK(log.n_statements >= 1);
  char *errors = swarm_get_errors(world);
  CHECK(strstr(errors, "the world runs, and cannot be changed by a print callback") != NULL);
  free(errors);
  swarm_shutdown(world);
}

/* --- checkpoints ------------------------------------------------------------------------------ */

/* Names in the order of strands, and the error that ends otherwise. */
static void check_names(swarm_world_t *world) {
  static const int names[] = {0, 2, 4, 100, 102, 104};
  Nrrd *found = nrrdNew();
  CHECK(!swarm_output_get_name(world, found));
  if (CHECK_EQ(found->axis[0].size, 6)) {
    for (int k = 0; k < 6; k++) CHECK_EQ(((const int64_t *)found->data)[k], names[k]);
  }
  nrrdNuke(found);
}

static void check_refusal(swarm_world_t *world, const char *reason) {
  CHECK(swarm_resume(world, "swarm.checkpoint"));
  char *errors = swarm_get_errors(world);
  CHECK_STR(errors, reason);
  free(errors);
}

static void another_world_goes_on(void) {
  Log log = {.last_good = 100}, rest = {.last_good = 100};
  swarm_world_t *world = printing_swarm(collect, &log), *other = swarm_new_world();
  CHECK_EQ(swarm_run(world, 1), 1);
  CHECK(!swarm_checkpoint(world, "swarm.checkpoint"));
  CHECK_EQ(swarm_run(world, 0), 1);
  check_names(world);
  check_refusal(other, "[DIDEROT] must call swarm_init_world before swarm_resume\n");
  CHECK(other && !swarm_init_world(other) && !swarm_input_set_first_count(other, 6));
  CHECK(!swarm_set_printer_cb(other, collect, &rest));
  CHECK(!swarm_resume(other, "swarm.checkpoint"));
  CHECK_EQ(swarm_num_strands(other), 6);
  CHECK_EQ(swarm_run(other, 0), 1);
  check_names(other);
  CHECK_STR(rest.text, "end of 100\nend of 102\nend of 104\n");
  check_refusal(other, "[DIDEROT] multiple calls to swarm_resume\n");
  swarm_shutdown(world);
  swarm_shutdown(other);
}

static void one_of_other_inputs_does_not(void) {
  swarm_world_t *world = swarm_new_world();
  CHECK(world && !swarm_init_world(world) && !swarm_input_set_first_count(world, 7));
  check_refusal(world, "[DIDEROT] first_count: \"swarm.checkpoint\" was written with 6, not 7\n");
  CHECK_EQ(swarm_run(world, 0), 0);
  swarm_shutdown(world);
  remove("swarm.checkpoint");
}

/* --- another thread --------------------------------------------------------------------------- */

static const char turned_away[] =
    "[DIDEROT] the world runs, and cannot be changed by a print callback or another thread\n";

/* A user of a world that runs in another thread. It uses no CHECK: the harness counts without a
 * lock. */
typedef struct {
  swarm_world_t *world;
  bool is_lasting; /* tries again until the run is over */
  bool must_fail;  /* what the printer returns in the end */
  sem_t begin, is_refused;
  _Atomic bool is_over;
  int n_statements;
  bool was_refused, has_more;
  char *told;
} Visitor;

/* The other thread gets the errors of its own refused calls, and none of the run's. */
static void *visit(void *data) {
  Visitor *visitor = data;
  swarm_world_t *world = visitor->world;
  sem_wait(&visitor->begin);
  visitor->was_refused = swarm_input_set_first_count(world, 3) && swarm_any_errors(world);
  visitor->was_refused = visitor->was_refused && swarm_run(world, 0) == 0;
  sem_post(&visitor->is_refused);
  while (visitor->is_lasting && !visitor->is_over) {
    swarm_input_set_first_count(world, 3);
    char *errors = swarm_get_errors(world);
    visitor->has_more = visitor->has_more || (strcmp(errors, turned_away) != 0 &&
                                              !strstr(errors, "must be set before creating"));
    free(errors);
    visitor->has_more = visitor->has_more || swarm_num_active_strands(world) > 100 ||
                        swarm_num_stable_strands(world) > 100;
  }
  while (!visitor->is_over) sched_yield();
  if (!visitor->is_lasting) visitor->told = swarm_get_errors(world);
  return NULL;
}

/* The first statement waits for the other thread, so its calls are within the run. */
static bool meet(void *data, char *text) {
  Visitor *visitor = data;
  if (visitor->n_statements++ == 0) {
    sem_post(&visitor->begin);
    sem_wait(&visitor->is_refused);
    return visitor->must_fail;
  }
  return text == NULL;
}

/* A run of n strands while another thread visits; the number of its supersteps. */
static uint32_t run_with(Visitor *visitor, int n) {
  pthread_t thread;
  visitor->world = swarm_new_world();
  CHECK(visitor->world && !swarm_init_world(visitor->world));
  CHECK(!swarm_input_set_first_count(visitor->world, n));
  CHECK(!swarm_set_printer_cb(visitor->world, meet, visitor));
  CHECK(!swarm_create_strands(visitor->world));
  CHECK(sem_init(&visitor->begin, 0, 0) == 0 && sem_init(&visitor->is_refused, 0, 0) == 0);
  CHECK_EQ(pthread_create(&thread, NULL, visit, visitor), 0);
  const uint32_t n_steps = swarm_run(visitor->world, 0);
  const bool has_failed = swarm_any_errors(visitor->world);
  visitor->is_over = true;
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK(visitor->was_refused);
  if (!visitor->is_lasting) CHECK_EQ(has_failed, visitor->must_fail);
  sem_destroy(&visitor->begin);
  sem_destroy(&visitor->is_refused);
  return n_steps;
}

static void another_thread_does_not_end_the_run(void) {
  Visitor visitor = {.world = NULL};
  CHECK_EQ(run_with(&visitor, 6), 2);
  CHECK_EQ(visitor.n_statements, 6);
  CHECK_STR(visitor.told, turned_away);
  CHECK(!swarm_any_errors(visitor.world));
  check_names(visitor.world);
  free(visitor.told);
  swarm_shutdown(visitor.world);
}

static void errors_of_the_run_are_not_for_others(void) {
  Visitor visitor = {.must_fail = true};
  CHECK_EQ(run_with(&visitor, 6), 1);
  CHECK_STR(visitor.told, turned_away);
  char *errors = swarm_get_errors(visitor.world);
  CHECK_STR(errors, "[DIDEROT] cannot write printed text\n");
  CHECK(!swarm_any_errors(visitor.world));
  free(errors);
  free(visitor.told);
  swarm_shutdown(visitor.world);
}

/* The other thread sees no other errors than its own. */
static void runs_go_on_while_others_try(void) {
  for (int round = 0; round < 20; round++) {
    Visitor visitor = {.is_lasting = true};
    CHECK_EQ(run_with(&visitor, 100), 2);
    CHECK_EQ(visitor.n_statements, 100);
    CHECK_EQ(swarm_num_stable_strands(visitor.world), 100);
    CHECK(!visitor.has_more);
    swarm_shutdown(visitor.world);
  }
}

/* --- workers ---------------------------------------------------------------------------------- */

static bool ignore(void *data, char *text) {
  (void)data;
  return text == NULL;
}

static void workers_are_counted(void) {
  swarm_world_t *world = swarm_new_world();
  CHECK(swarm_set_num_workers(world, 1));
  CHECK(!swarm_init_world(world) && !swarm_set_printer_cb(world, ignore, NULL));
  free(swarm_get_errors(world));
  const uint32_t n_cores = swarm_get_num_cores(world);
  CHECK(n_cores >= 1);
  CHECK(!swarm_set_num_workers(world, 1));
  CHECK_EQ(swarm_get_num_workers(world), 1);
  CHECK(!swarm_set_num_workers(world, 0));
  CHECK_EQ(swarm_get_num_workers(world), n_cores);
  CHECK(swarm_set_num_workers(world, n_cores + 1)); /* cut down, and said so */
  CHECK_EQ(swarm_get_num_workers(world), n_cores);
  CHECK(!swarm_create_strands(world));
  free(swarm_get_errors(world));
  CHECK(swarm_set_num_workers(world, 1));
  free(swarm_get_errors(world));
  CHECK_EQ(swarm_run(world, 0), 2);
  swarm_shutdown(world);
}

/* --- a thousand lives ------------------------------------------------------------------------- */

static int count_entries(const char *folder) {
  DIR *entries = opendir(folder);
  int n = 0;
  while (entries && readdir(entries)) n++;
  if (entries) closedir(entries);
  return n;
}

static void live_once(void) {
  field_world_t *world = field_world();
  Nrrd *lengths = nrrdNew(), *data = nrrdNew();
  diderot_view_t pairs, elements;
  CHECK(!field_input_set_word(world, "."));
  CHECK(!field_set_printer_cb(world, ignore, NULL));
  CHECK(field_input_set_by_name_flow(world, "no-such-file"));
  CHECK(!field_create_strands(world));
  CHECK_EQ(field_run(world, 2), 2);
  CHECK(!field_output_get_trail(world, lengths, data));
  CHECK(!field_snapshot_view_trail(world, &pairs, &elements));
  field_shutdown(world);
  nrrdNuke(lengths);
  nrrdNuke(data);
}

static void live_in_parallel(void) {
  swarm_world_t *world = swarm_new_world();
  CHECK(world && !swarm_init_world(world) && !swarm_set_printer_cb(world, ignore, NULL));
  CHECK(!swarm_create_strands(world));
  CHECK_EQ(swarm_run(world, 0), 2);
  swarm_shutdown(world);
}

static void a_thousand_lives_leave_nothing(void) {
  live_once();
  live_in_parallel();
  const int n_threads = count_entries("/proc/self/task"), n_files = count_entries("/proc/self/fd");
  for (int k = 0; k < 500; k++) {
    live_once();
    live_in_parallel();
  }
  CHECK_EQ(count_entries("/proc/self/task"), n_threads);
  CHECK_EQ(count_entries("/proc/self/fd"), n_files);
}

int main(void) {
  RUN(two_worlds_take_turns);
  RUN(statements_come_whole_and_in_order);
  RUN(a_failing_callback_ends_the_run);
  RUN(callbacks_may_not_meddle);
  if (is_interpreted) return test_result(); /* checkpoints are of the host */
  RUN(another_world_goes_on);
  RUN(one_of_other_inputs_does_not);
  RUN(threads_have_worlds_of_their_own);
  RUN(another_thread_does_not_end_the_run);
  RUN(errors_of_the_run_are_not_for_others);
  RUN(runs_go_on_while_others_try);
  RUN(workers_are_counted);
  RUN(a_thousand_lives_leave_nothing);
  return test_result();
}
