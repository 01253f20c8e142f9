/* Threads: every item once, successive jobs, pools that come and go, errors from many threads,
 * numbers of workers. */
#include <stdlib.h>
#include <time.h>

#include "grid_program.h"
#include "swarm_program.h"
#include "tests/unit/test.h"

/* --- the scheduler ---------------------------------------------------------------------------- */

typedef struct {
  int64_t visits[3000];
  int64_t last[9]; /* of each worker; items must ascend */
  _Atomic int64_t n_visits, n_disordered;
} Visits;

static void visit(ddr_worker *worker, void *data, int64_t item) {
  Visits *visits = data;
  int64_t *last = &visits->last[ddr_worker_number(worker)];
  if (item <= *last) atomic_fetch_add(&visits->n_disordered, 1);
  *last = item;
  visits->visits[item]++;
  atomic_fetch_add(&visits->n_visits, 1);
}

static void check_items(ddr_thread_pool *threads, int64_t n, bool is_at_home) {
  static Visits visits;
  memset(&visits, 0, sizeof visits);
  for (int k = 0; k < 9; k++) visits.last[k] = -1;
  const ddr_job job = {visit, &visits, n, is_at_home};
  ddr_sched_run(threads, &job);
  CHECK_EQ(atomic_load(&visits.n_visits), n);
  for (int64_t k = 0; k < n; k++) CHECK_EQ(visits.visits[k], 1);
  CHECK(is_at_home || atomic_load(&visits.n_disordered) == 0);
}

static void every_item_is_done_once(void) {
  ddr_world *world = ddr_world_new(&swarm_program);
  for (uint32_t n_workers = 1; n_workers <= 9; n_workers += 2) {
    ddr_thread_pool *threads = ddr_thread_pool_new(world, n_workers);
    for (int64_t n = 0; n <= 3000; n = n < 3 ? n + 1 : n * 10) {
      check_items(threads, n, false);
      check_items(threads, n, true);
    }
    ddr_thread_pool_free(threads);
  }
  ddr_world_free(world);
}

/* The first worker stays in its first item until another one has done all the rest. */
enum { N_ORDERED = 40 };
typedef struct {
  int64_t order[N_ORDERED];
  _Atomic int64_t n_done;
} Order;

static void note_order(ddr_worker *worker, void *data, int64_t item) {
  Order *order = data;
  (void)worker;
  while (item == 0 && atomic_load(&order->n_done) < N_ORDERED - 1)
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  const int64_t n_done = atomic_load(&order->n_done);
  order->order[n_done] = item;
  atomic_store(&order->n_done, n_done + 1);
}

static void what_others_have_left_is_taken_from_the_end(void) {
  static Order order;
  ddr_world *world = ddr_world_new(&swarm_program);
  ddr_thread_pool *threads = ddr_thread_pool_new(world, 2);
  const ddr_job job = {note_order, &order, N_ORDERED, true};
  ddr_sched_run(threads, &job);
  for (int64_t k = 0; k < N_ORDERED; k++)
    CHECK_EQ(order.order[k], k < N_ORDERED / 2 ? N_ORDERED / 2 + k : N_ORDERED - 1 - k);
  ddr_thread_pool_free(threads);
  ddr_world_free(world);
}

/* Each item adds to the result of the previous job: lost, repeated or invisible items change the
 * sums. */
static void add_neighbours(ddr_worker *worker, void *data, int64_t item) {
  int64_t(*sums)[16] = data;
  (void)worker;
  sums[1][item] = sums[0][item] + sums[0][(item + 1) % 16] + 1;
}

static void check_jobs_in_a_row(ddr_thread_pool *threads, int n_jobs, int64_t n_items, bool rests) {
  int64_t sums[2][16] = {{0}}, want[2][16] = {{0}};
  const ddr_job job = {add_neighbours, sums, n_items, n_items > 2};
  for (int k = 0; k < n_jobs; k++) {
    if (rests && k % 50 == 0) nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
    ddr_sched_run(threads, &job);
    for (int64_t item = 0; item < n_items; item++) add_neighbours(NULL, want, item);
    memcpy(sums[0], sums[1], sizeof sums[0]);
    memcpy(want[0], want[1], sizeof want[0]);
    for (int64_t item = 0; item < 16; item++) {
      sums[0][item] %= 1000003;
      want[0][item] %= 1000003;
      CHECK_EQ(sums[0][item], want[0][item]);
    }
  }
}

/* Threads that spin, that sleep, and that went to sleep in the meantime. */
static void jobs_follow_each_other(void) {
  static const uint32_t counts[] = {1, 2, 3, 8};
  ddr_world *world = ddr_world_new(&swarm_program);
  for (int k = 0; k < 8; k++) {
    ddr_thread_pool *threads = ddr_thread_pool_new(world, counts[k / 2]);
    threads->has_cores = k % 2 == 0;
    check_jobs_in_a_row(threads, 400, 16, false);
    check_jobs_in_a_row(threads, 400, 2, true);
    ddr_thread_pool_free(threads);
  }
  ddr_world_free(world);
}

static void pools_come_and_go(void) {
  ddr_world *world = ddr_world_new(&swarm_program);
  for (int k = 0; k < 200; k++) {
    ddr_thread_pool *threads = ddr_thread_pool_new(world, 4);
    CHECK(threads != NULL);
    ddr_thread_pool_free(threads);
  }
  CHECK(!ddr_any_errors(world));
  ddr_world_free(world);
}

typedef struct {
  pthread_t first; /* worker 0 */
  int64_t n_granted, n_elsewhere;
} Wishes;

static void grant(void *data) {
  Wishes *wishes = data;
  wishes->n_granted++; /* only one thread does this */
  wishes->n_elsewhere += !pthread_equal(pthread_self(), wishes->first);
}

static void wish_twice(ddr_worker *worker, void *data, int64_t item) {
  (void)item;
  ddr_ask_first(worker, grant, data);
  ddr_ask_first(worker, grant, data);
}

static void worker_0_does_what_others_ask_for(void) {
  ddr_world *world = ddr_world_new(&swarm_program);
  for (uint32_t n_workers = 1; n_workers <= 9; n_workers += 4) {
    ddr_thread_pool *threads = ddr_thread_pool_new(world, n_workers);
    for (int64_t n = 1; n <= 1000; n *= 10) {
      Wishes wishes = {.first = pthread_self()};
      const ddr_job job = {.task = wish_twice, .data = &wishes, .n_items = n, .is_at_home = n > 10};
      ddr_sched_run(threads, &job);
      CHECK_EQ(wishes.n_granted, 2 * n);
      CHECK_EQ(wishes.n_elsewhere, 0);
    }
    ddr_thread_pool_free(threads);
  }
  ddr_world_free(world);
}

/* --- worlds ----------------------------------------------------------------------------------- */

static void a_grid_is_the_same_on_any_number_of_threads(void) {
  static GridState want[2100]; /* computed by one thread */
  ddr_program program = grid_program;
  program.is_parallel = true;
  for (uint32_t n_workers = 1; n_workers <= 8; n_workers++) {
    ddr_world *world = ddr_world_new(&program);
    const int32_t ny = 700;
    ddr_input_set(world, "ny", &ny);
    world->workers->n = n_workers;
    CHECK(ddr_world_create(world) == DDR_OK && ddr_world_run(world, 0) == 700);
    const GridState *states = world->store->strands.state;
    if (n_workers == 1) memcpy(want, states, sizeof want);
    for (int k = 0; k < 2100; k++) {
      CHECK(states[k].sum == want[k].sum && states[k].n_updates == want[k].n_updates);
    }
    CHECK(ddr_num_stable(world) == 2100 && ddr_num_workers(world) == n_workers);
    ddr_world_free(world);
  }
}

/* Blocks of 40 rows of 3 strands would have fewer rows than a tile. */
static void tiles_keep_their_height_on_two_threads(void) {
  ddr_program program = grid_program;
  program.is_parallel = program.is_tiled = true;
  ddr_world *world = ddr_world_new(&program);
  const int32_t ny = 40;
  ddr_input_set(world, "ny", &ny);
  world->workers->n = 2;
  CHECK_EQ(ddr_world_create(world), DDR_OK);
  CHECK_EQ(world->store->tiles.height, 4);
  CHECK_EQ(world->store->block_len % 12, 0);
  CHECK(world->store->n_blocks > 2);
  ddr_world_free(world);
}

static ddr_strand_status complain(const Swarm *swarm, ddr_block *block, int64_t slot,
                                  SwarmState *self) {
  (void)swarm;
  (void)self;
  if (slot % 16 == 0) ddr_error(block->world, "strand %lld complains", (long long)slot);
  return DDR_ACTIVE;
}

static void errors_of_many_threads_are_all_recorded(void) {
  const Swarm script = {.n = 4096, .update = complain};
  ddr_world *world = swarm_start(&swarm_program, &script, 8);
  CHECK_EQ(ddr_world_run(world, 0), 1);
  CHECK(ddr_any_errors(world) && ddr_world_run(world, 0) == 0);
  char *errors = ddr_take_errors(world);
  int n_lines = 0;
  for (const char *line = errors; *line; line = strchr(line, '\n') + 1) {
    CHECK(strncmp(line, "[DIDEROT] strand ", 17) == 0);
    n_lines++;
  }
  CHECK(n_lines >= 1 && n_lines <= 256);
  free(errors);
  ddr_world_free(world);
}

static bool refuse(void *data, const char *text) {
  (void)data;
  (void)text;
  return true;
}

static ddr_strand_status talk(const Swarm *swarm, ddr_block *block, int64_t slot,
                              SwarmState *self) {
  (void)swarm;
  (void)slot;
  (void)self;
  ddr_put_string(block->text, "word");
  ddr_print_end(block->text);
  return DDR_ACTIVE;
}

static void a_failing_printer_ends_the_run(void) {
  const Swarm script = {.n = 500, .update = talk};
  ddr_world *world = swarm_start(&swarm_program, &script, 4);
  ddr_set_printer(world, refuse, NULL);
  CHECK_EQ(ddr_world_run(world, 0), 1);
  CHECK(ddr_any_errors(world));
  ddr_world_free(world);
}

static void numbers_of_workers_are_checked(void) {
  const uint32_t n_cores = ddr_num_cores();
  CHECK(n_cores >= 1);
  ddr_world *world = ddr_world_new(&swarm_program);
  CHECK_EQ(ddr_num_workers(world), n_cores);
  CHECK(ddr_set_num_workers(world, 1) == DDR_OK && ddr_num_workers(world) == 1);
  CHECK(ddr_set_num_workers(world, 0) == DDR_OK && ddr_num_workers(world) == n_cores);
  CHECK(ddr_set_num_workers(world, n_cores + 1) == DDR_ERROR && ddr_num_workers(world) == n_cores);
  free(ddr_take_errors(world));
  CHECK(ddr_world_create(world) == DDR_OK && ddr_world_start_workers(world) == DDR_OK);
  CHECK(ddr_set_num_workers(world, 1) == DDR_ERROR);
  ddr_world_free(world);
  world = ddr_world_new(&grid_program); /* a sequential program, whatever is requested */
  CHECK(ddr_set_num_workers(world, n_cores) == DDR_OK && ddr_num_workers(world) == 1);
  ddr_world_free(world);
}

int main(void) {
  RUN(every_item_is_done_once);
  RUN(what_others_have_left_is_taken_from_the_end);
  RUN(jobs_follow_each_other);
  RUN(pools_come_and_go);
  RUN(worker_0_does_what_others_ask_for);
  RUN(a_grid_is_the_same_on_any_number_of_threads);
  RUN(tiles_keep_their_height_on_two_threads);
  RUN(errors_of_many_threads_are_all_recorded);
  RUN(a_failing_printer_ends_the_run);
  RUN(numbers_of_workers_are_checked);
  return test_result();
}
