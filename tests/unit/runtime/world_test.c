/* The life of a world: stages, inputs, budgets, counts, prints, several worlds at once. */
#include <pthread.h>

#include "ddr/ddr.h"
#include "files.h"
#include "grid_program.h"
#include "runtime/src/run/run.h"
#include "runtime/src/strands/store.h"

typedef struct {
  char text[512];
  bool fails;
} Printed;

static bool keep_print(void *data, const char *text) {
  Printed *printed = data;
  strncat(printed->text, text, sizeof printed->text - strlen(printed->text) - 1);
  return printed->fails;
}

static GridState *state_of(ddr_world *world, int64_t slot) {
  return (GridState *)world->store->strands.state + slot;
}

static void set_rows(ddr_world *world, int32_t ny) { ddr_input_set(world, "ny", &ny); }

static void check_message(ddr_world *world, const char *want) {
  char *errors = ddr_take_errors(world);
  CHECK_STR(errors, want);
  free(errors);
}

static void runs_every_strand_to_its_end(void) {
  ddr_world *world = ddr_world_new(&grid_program);
  set_rows(world, 700); /* more than one block */
  CHECK(ddr_world_load_inputs(world) == DDR_OK && ddr_world_create(world) == DDR_OK);
  CHECK_EQ(ddr_num_active(world), 2100);
  CHECK_EQ(ddr_world_run(world, 0), 700);
  CHECK_EQ(ddr_num_stable(world), 2100);
  for (int64_t slot = 0; slot < 2100; slot++) {
    const int64_t y = slot / 3, x = slot % 3 - 1;
    CHECK_EQ(state_of(world, slot)->sum, 10 * y + x);
    CHECK_EQ(state_of(world, slot)->n_updates, y + 1);
  }
  CHECK_EQ(ddr_world_run(world, 0), 0);
  CHECK(ddr_run_seconds(world) > 0 && !ddr_any_errors(world));
  ddr_world_free(world);
}

static void continues_after_a_budget(void) {
  ddr_world *world = ddr_world_new(&grid_program);
  set_rows(world, 4);
  CHECK(ddr_world_create(world) == DDR_OK);
  CHECK_EQ(ddr_world_run(world, 3), 3);
  CHECK_EQ(ddr_num_active(world), 3);
  CHECK_EQ(ddr_world_run(world, 3), 1);
  CHECK_EQ(ddr_num_active(world), 0);
  CHECK_EQ(ddr_num_strands(world), 12);
  ddr_world_free(world);
}

/* Strands 0, 3, 6 of 8 rows and -1 of three columns; each computes what it would in the full
 * grid. */
static void a_thinned_grid(void) {
  ddr_world *world = ddr_world_new(&grid_program);
  set_rows(world, 8);
  CHECK(ddr_set_thinning(world, 3) == DDR_OK && ddr_world_create(world) == DDR_OK);
  CHECK_EQ(ddr_num_strands(world), 3);
  CHECK_EQ(ddr_world_run(world, 0), 7);
  for (int64_t slot = 0; slot < 3; slot++) {
    CHECK_EQ(state_of(world, slot)->y, 3 * slot);
    CHECK_EQ(state_of(world, slot)->x, -1);
    CHECK_EQ(state_of(world, slot)->n_updates, 3 * slot + 1);
  }
  CHECK(ddr_set_thinning(world, 2) == DDR_ERROR);
  check_message(world, "[DIDEROT] strands cannot be thinned before they are created\n");
  ddr_world_free(world);
  ddr_program program = grid_program;
  program.is_lockstep = true;
  world = ddr_world_new(&program);
  CHECK(!ddr_can_thin(world) && ddr_set_thinning(world, 2) == DDR_ERROR);
  check_message(world, "[DIDEROT] strands that can observe each other cannot be thinned\n");
  ddr_world_free(world);
}

static int n_global_updates, n_global_starts;

static void global_start(ddr_world *world, void *globals, ddr_strands *strands) {
  (void)world;
  (void)globals;
  (void)strands;
  n_global_starts++;
}

/* After superstep 2 all strands become stable. */
static void global_update(ddr_world *world, void *globals, ddr_strands *strands) {
  (void)globals;
  (void)strands;
  if (++n_global_updates == 2) ddr_stabilize_all(world);
}

static void calls_global_blocks_in_lockstep(void) {
  ddr_program program = grid_program;
  program.is_lockstep = true;
  program.global_start = global_start;
  program.global_update = global_update;
  ddr_world *world = ddr_world_new(&program);
  set_rows(world, 5);
  CHECK(ddr_world_create(world) == DDR_OK);
  CHECK_EQ(ddr_world_run(world, 1), 1);
  CHECK_EQ(n_global_updates, 1);
  CHECK_EQ(ddr_world_run(world, 0), 1);
  CHECK_EQ(n_global_updates, 2);
  CHECK_EQ(n_global_starts, 1);
  CHECK_EQ(ddr_num_active(world), 0);
  ddr_world_free(world);
}

static void empty_and_huge_grids(void) {
  static const struct {
    int32_t ny;
    const char *message;
  } cases[] = {{0, ""},
               {-2000000000, ""},
               {2000000000, "[DIDEROT] cannot allocate memory for 6000000000 strands: the memory "
                            "limit is 64.0 MiB\n"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    ddr_world *world = ddr_world_new(&grid_program);
    set_rows(world, cases[k].ny);
    world->memory.most = 64 << 20;
    CHECK_EQ(ddr_world_create(world), cases[k].message[0] ? DDR_ERROR : DDR_OK);
    CHECK_EQ(ddr_world_run(world, 0), 0);
    CHECK_EQ(ddr_num_strands(world), 0);
    check_message(world, cases[k].message);
    ddr_world_free(world);
  }
}

static void prints_whole_statements(void) {
  Printed printed = {0};
  ddr_world *world = ddr_world_new(&grid_program);
  ddr_set_printer(world, keep_print, &printed);
  ddr_text *text = ddr_world_text(world);
  static const double doubles[] = {1, 0.1, 1e-6, INFINITY, -INFINITY, -(double)NAN};
  for (int k = 0; k < 6; k++) {
    ddr_put_double(text, doubles[k]);
    ddr_put_string(text, " ");
    ddr_put_float(text, (float)doubles[k]);
    ddr_put_string(text, "|");
  }
  ddr_put_int(text, INT64_MIN);
  ddr_put_bool(text, false);
  CHECK_STR(printed.text, "");
  ddr_print_end(text);
  ddr_print_end(text); /* an empty statement */
  CHECK_STR(printed.text, "1 1|0.10000000000000001 0.100000001|9.9999999999999995e-07 "
                          "9.99999997e-07|inf inf|-inf -inf|nan nan|-9223372036854775808false");
  printed.fails = true;
  ddr_print_end(text);
  check_message(world, "[DIDEROT] cannot write printed text\n");
  ddr_world_free(world);
}

static void misuse_is_reported(void) {
  ddr_world *world = ddr_world_new(&grid_program);
  CHECK_EQ(ddr_world_run(world, 0), 0);
  check_message(world, "[DIDEROT] attempt to run uninitialized program\n");
  const int32_t value = 1;
  CHECK(ddr_input_set(world, "nothing", &value) == DDR_ERROR);
  check_message(world, "[DIDEROT] the program has no input \"nothing\"\n");
  CHECK(ddr_world_create(world) == DDR_OK);
  CHECK(ddr_world_create(world) == DDR_ERROR && ddr_input_set(world, "ny", &value) == DDR_ERROR);
  check_message(world, "[DIDEROT] ny: inputs must be set before creating strands\n"
                       "[DIDEROT] multiple calls to create strands\n"); /* newest first */
  CHECK(!ddr_any_errors(world));
  ddr_world_free(world);
  ddr_world_free(NULL);
  ddr_program other = grid_program;
  other.abi++;
  CHECK(ddr_world_new(&other) == NULL);
}

static void strings_are_copied(void) {
  ddr_world *first = ddr_world_new(&grid_program), *second = ddr_world_new(&grid_program);
  char word[] = "mine";
  ddr_input_set(first, "word", word);
  ddr_input_set(first, "word", word);
  word[0] = 'X';
  CHECK_STR(((GridGlobals *)first->globals)->word, "mine");
  CHECK_STR(((GridGlobals *)second->globals)->word, "one");
  ddr_world_free(first);
  ddr_world_free(second);
}

static void a_program_of_another_runtime_is_refused(void) {
  ddr_program other = grid_program;
  CHECK(other.abi == DDR_PROGRAM_ABI);
  other.abi++;
  CHECK(ddr_world_new(&other) == NULL);
}

static void check_settled(ddr_world *world, const char *want) {
  CHECK_EQ(ddr_any_settled(world), want[0] != '\0');
  char *errors = ddr_take_settled(world);
  CHECK_STR(errors, want);
  free(errors);
}

static void *be_turned_away(void *world) {
  for (int k = 0; k < 2; k++) ddr_turn_away(world, "no\n%d", k);
  return NULL;
}

/* As between two calls of a library, and during one. */
static void new_errors_stay_with_their_call(void) {
  ddr_world *world = ddr_world_new(&grid_program);
  pthread_t other;
  ddr_error(world, "first");
  check_settled(world, "");
  ddr_settle_errors(world);
  CHECK(!ddr_any_errors(world));
  ddr_error(world, "second");
  CHECK_EQ(pthread_create(&other, NULL, be_turned_away, world), 0);
  CHECK_EQ(pthread_join(other, NULL), 0);
  check_settled(world, "[DIDEROT] first\n");
  check_settled(world, "");
  be_turned_away(world);
  ddr_settle_errors(world);
  check_settled(world, "[DIDEROT] no 0\n"); /* once, and first */
  check_settled(world, "[DIDEROT] second\n");
  be_turned_away(world);
  CHECK(!ddr_any_errors(world));
  /* Including the one of the other thread. */
  check_message(world, "[DIDEROT] no 0\n[DIDEROT] no 0\n");
  ddr_world_free(world);
}

int main(void) {
  RUN(runs_every_strand_to_its_end);
  RUN(continues_after_a_budget);
  RUN(a_thinned_grid);
  RUN(calls_global_blocks_in_lockstep);
  RUN(empty_and_huge_grids);
  RUN(prints_whole_statements);
  RUN(misuse_is_reported);
  RUN(strings_are_copied);
  RUN(new_errors_stay_with_their_call);
  RUN(a_program_of_another_runtime_is_refused);
  return test_result();
}
