/* When a program that can run strands in lanes runs them one at a time. */
#include "ddr/lanes/effort.h"
#include "lanes_here.h"
#include "tests/unit/test.h"

/* A branch costs 400 in lanes and 100 alone: lanes pay if it is taken by more than three of four
 * strands. */
enum { IN_LANES = 400, ALONE = 100, BRANCHES = DDR_EFFORT_LEAST / IN_LANES + 1 };

static ddr_vmask first_lanes(int n) {
  ddr_vmask mask = {0};
  for (int lane = 0; lane < n; lane++) mask[lane] = -1;
  return mask;
}

/* A visit in lanes: n_branches branches, each taken by n_lanes lanes. */
static void visit(ddr_block *block, int n_branches, int n_lanes) {
  ddr_effort effort = {0};
  for (int i = 0; i < n_branches; i++)
    ddr_effort_add(&effort, first_lanes(n_lanes), IN_LANES, ALONE);
  ddr_effort_keep(block, &effort);
}

static int n_alone_of(ddr_block *block, int n_visits, uint32_t max_steps) {
  int n = 0;
  for (int i = 0; i < n_visits; i++) n += ddr_runs_alone(block, max_steps);
  return n;
}

static int n_alone(ddr_block *block, int n_visits) { return n_alone_of(block, n_visits, 0); }

static void adds_what_each_lane_would_cost(void) {
  for (int n = 0; n <= DDR_LANES; n++) {
    ddr_effort effort = {0};
    ddr_effort_add(&effort, first_lanes(n), 7, 3);
    CHECK_EQ(effort.in_lanes, 7);
    CHECK_EQ(effort.alone, (uint64_t)n * 3);
  }
}

static void judges_nothing_too_soon(void) {
  ddr_effort all = {0};
  ddr_block block = {.effort = &all};
  CHECK(!ddr_runs_alone(&block, 0));
  visit(&block, DDR_EFFORT_LEAST / IN_LANES - 1, 1);
  CHECK_EQ(n_alone(&block, 10), 0);
  visit(&block, 2, 1);
  CHECK_EQ(n_alone(&block, 4), 4);
}

static void asks_again_now_and_then(void) {
  ddr_effort all = {0};
  ddr_block block = {.effort = &all};
  visit(&block, BRANCHES, 1);
  CHECK_EQ(n_alone(&block, 4 * DDR_EFFORT_AGAIN), 4 * (DDR_EFFORT_AGAIN - 1));
}

/* A visit with a limit of steps cannot leave the lanes halfway, so it decides less often. */
static void asks_seldom_in_lockstep(void) {
  ddr_effort all = {0};
  ddr_block block = {.effort = &all};
  visit(&block, BRANCHES, 1);
  CHECK_EQ(n_alone_of(&block, 4 * DDR_EFFORT_AGAIN_WHOLE, 1), 4 * (DDR_EFFORT_AGAIN_WHOLE - 1));
}

/* The queue of a visit to 1600 strands, n_taken of which have been taken. */
static ddr_queue queue_after(int64_t n_taken, uint32_t max_steps) {
  return (ddr_queue){.next = n_taken, .end = 1600, .max_steps = max_steps};
}

static bool leaves(ddr_effort *all, ddr_queue queue, int n_branches, int n_lanes) {
  const ddr_block block = {.effort = all};
  ddr_effort effort = {0};
  for (int i = 0; i < n_branches; i++)
    ddr_effort_add(&effort, first_lanes(n_lanes), IN_LANES, ALONE);
  ddr_effort_judge(&effort, &block, &queue);
  CHECK_EQ(queue.next == queue.end, queue.is_left || queue.next == 1600);
  return queue.is_left;
}

static void leaves_lanes_half_way(void) {
  ddr_effort all = {0};
  CHECK(leaves(&all, queue_after(100, 0), BRANCHES, 1));
  CHECK_EQ(all.n_left, 1);
  CHECK(!leaves(&all, queue_after(100, 0), BRANCHES - 1, 1)); /* not enough branches */
  CHECK(!leaves(&all, queue_after(99, 0), BRANCHES, 1));      /* too few strands taken */
  CHECK(!leaves(&all, queue_after(1600, 0), BRANCHES, 1));    /* no strand is left */
  CHECK(!leaves(&all, queue_after(100, 1), BRANCHES, 1));     /* with a limit of steps */
  CHECK_EQ(all.n_left, 1);
}

/* A ratio of 4/3 is accepted only after whole visits that agree. */
static void believes_whole_visits(void) {
  ddr_effort all = {0};
  ddr_block block = {.effort = &all};
  CHECK(!leaves(&all, queue_after(100, 0), BRANCHES, 3));
  CHECK(leaves(&all, queue_after(100, 0), BRANCHES, 2));
  visit(&block, BRANCHES, 3);
  CHECK(leaves(&all, queue_after(100, 0), BRANCHES, 3));
  CHECK(!leaves(&all, queue_after(100, 0), BRANCHES, 4));
}

static void stays_in_lanes_that_are_used(void) {
  for (int n = 4; n <= DDR_LANES; n++) { /* in a draw, lanes win */
    ddr_effort all = {0};
    ddr_block block = {.effort = &all};
    visit(&block, 10 * BRANCHES, n);
    CHECK_EQ(n_alone(&block, 2 * DDR_EFFORT_AGAIN), 0);
  }
}

/* However long strands diverged, or did not. */
static void forgets(void) {
  ddr_effort all = {0};
  ddr_block block = {.effort = &all};
  visit(&block, 1000 * BRANCHES, 1);
  for (int i = 0; i < 12; i++) visit(&block, 10 * BRANCHES, DDR_LANES);
  CHECK(n_alone(&block, 2) == 0);
  for (int i = 0; i < 12; i++) visit(&block, 10 * BRANCHES, 1);
  CHECK(n_alone(&block, 2) > 0);
}

int main(void) {
  if (!lanes_are_here()) return 77;
  RUN(adds_what_each_lane_would_cost);
  RUN(judges_nothing_too_soon);
  RUN(asks_again_now_and_then);
  RUN(asks_seldom_in_lockstep);
  RUN(leaves_lanes_half_way);
  RUN(believes_whole_visits);
  RUN(stays_in_lanes_that_are_used);
  RUN(forgets);
  return test_result();
}
