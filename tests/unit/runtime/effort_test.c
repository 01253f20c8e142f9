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

/* ---- stragglers ------------------------------------------------------------------------------ */

static void few_get_no_lanes(void) {
  const ddr_block small = {.begin = 5, .end = 7, .n_active = 100},
                  ended = {.begin = 0, .end = 100, .n_active = 2},
                  large = {.begin = 0, .end = 3, .n_active = 3};
  CHECK(ddr_are_few(&small, 2) && !ddr_are_few(&small, 1));
  CHECK(ddr_are_few(&ended, 2) && !ddr_are_few(&ended, 1));
  CHECK(!ddr_are_few(&large, 2));
}

/* Half of what the loops of a step cost, and more than a little, and of 15 rounds. */
static void lags_behind_half_of_the_step(void) {
  for (int n_before = 0; n_before < 3000; n_before += 1000) {
    ddr_lag lag = ddr_lag_of(0);
    int n = 0;
    for (int i = 0; i < n_before; i++) CHECK(!ddr_lags(&lag, first_lanes(3), 100, 2));
    while (!ddr_lags(&lag, first_lanes(2), 100, 2)) n++;
    /* cppcheck-suppress knownConditionTrueFalse; it depends on the build */
    const int little = DDR_LAG_LEAST / 100 > 15 ? DDR_LAG_LEAST / 100 : 15;
    CHECK_EQ(n, n_before > little ? n_before : little);
  }
}

/* Steps of which a loop takes so many operations in one lane, unless that leaves it. Returns how
 * many do. */
static int n_left(ddr_effort *effort, int n_steps, uint32_t ops) {
  int n = 0;
  for (int i = 0; i < n_steps; i++) {
    ddr_lag lag = ddr_lag_learned(effort, 0);
    bool leaves = false;
    for (uint32_t k = 0; k < ops && !leaves; k++) leaves = ddr_lags(&lag, first_lanes(1), 1, 1);
    n += leaves;
    ddr_lag_learn(effort, &lag);
  }
  return n;
}

/* Loops that are long, but too short to be left, are left once two have been seen, but for one of
 * 16: the first of them that is short makes gangs wait again. */
static void long_loops_are_left_sooner(void) {
  ddr_effort effort = {0};
  CHECK_EQ(n_left(&effort, 2, DDR_LAG_LONG), 0);
  CHECK_EQ(n_left(&effort, 2 * DDR_LAG_AGAIN, DDR_LAG_LONG), 2 * (DDR_LAG_AGAIN - 1));
  CHECK_EQ(n_left(&effort, 100, DDR_LAG_HASTY), 0);
  const int n = n_left(&effort, 2 * DDR_LAG_AGAIN, DDR_LAG_LONG - 1);
  CHECK(n < DDR_LAG_AGAIN);
  CHECK_EQ(n_left(&effort, 100, DDR_LAG_LONG - 1), 0);
}

static uint8_t statuses[DDR_LANES];
static ddr_strands strands = {.status = statuses};
static int64_t last_alone;
static uint32_t last_limit;

/* A gang that has taken all strands of a block, after three steps. */
static void open_gang(ddr_gang *gang, ddr_queue *queue, uint32_t max_steps) {
  const ddr_block block = {.strands = &strands, .begin = 0, .end = DDR_LANES};
  memset(statuses, DDR_NEW, sizeof statuses);
  ddr_queue_open(queue, &block, max_steps, DDR_LANES / 2);
  queue->few = 2;
  ddr_gang_open(gang);
  CHECK(ddr_gang_take_all(gang, queue));
  for (int i = 0; i < 3; i++) ddr_gang_step(gang);
}

static uint32_t update_one(const void *globals, ddr_block *block, uint32_t max_steps) {
  (void)globals;
  CHECK_EQ(block->end - block->begin, 1);
  CHECK(!block->slots);
  last_alone = block->begin;
  last_limit = max_steps;
  return 40;
}

/* The strand in lane 1 is the only one that runs: it leaves some steps later, and has made 43 in
 * the end. */
static void stragglers_leave_their_lanes(void) {
  const ddr_block block = {.strands = &strands, .begin = 0, .end = DDR_LANES};
  ddr_gang gang;
  ddr_queue queue;
  open_gang(&gang, &queue, 0);
  ddr_gang_end(&gang, ~ddr_vmask_of(2), DDR_STABLE);
  ddr_pace pace = ddr_queue_pace(&queue);
  CHECK(ddr_pace_goes_on(&pace, 3));
  for (int i = 0; i < DDR_STEPS_OF_FEW; i++) CHECK(ddr_pace_goes_on(&pace, 1));
  CHECK(!ddr_pace_goes_on(&pace, 1));
  ddr_queue_part(&queue, 1);
  CHECK(!ddr_gang_release_all(&gang, &queue));
  CHECK_EQ(ddr_gang_release(&gang, &queue), DDR_ALL_LANES);
  for (int lane = 0; lane < DDR_LANES; lane++)
    CHECK_EQ(statuses[lane], lane == 1 ? DDR_ACTIVE : DDR_STABLE);
  CHECK_EQ(gang.busy, 0);
  if (!CHECK_EQ(queue.n_apart, 1)) return;
  ddr_update_stragglers(&queue, &block, NULL, 0, update_one);
  CHECK_EQ(last_alone, 1);
  CHECK_EQ(queue.most, 43);
  CHECK(queue.n_apart == 0 && !queue.is_parting);
}

static void stay_with_others_or_a_limit(void) {
  ddr_gang gang;
  ddr_queue queue;
  open_gang(&gang, &queue, 0);
  ddr_queue_part(&queue, 3); /* not few */
  CHECK(!queue.is_parting);
  queue.end++; /* another strand waits for a lane */
  ddr_queue_part(&queue, 1);
  CHECK(!queue.is_parting);
  open_gang(&gang, &queue, 8);
  ddr_queue_part(&queue, 1);
  CHECK(!queue.is_parting);
}

/* The strand in lane 1 leaves a loop, and takes its third step again, alone: of a limit of eight
 * steps, six are left. */
static void loops_are_left(void) {
  const ddr_block block = {.strands = &strands, .begin = 0, .end = DDR_LANES};
  const ddr_lane_set one = 2, others = DDR_ALL_LANES & ~one;
  ddr_gang gang;
  ddr_queue queue;
  open_gang(&gang, &queue, 8);
  ddr_gang_give_back(&gang, ddr_vmask_of(one));
  CHECK_EQ(ddr_vlanes(gang.mask), others);
  ddr_gang_end(&gang, ddr_vmask_of(others), DDR_STABLE);
  CHECK(!ddr_gang_release_all(&gang, &queue));
  CHECK_EQ(ddr_gang_release(&gang, &queue), others);
  CHECK_EQ(statuses[1], DDR_NEW);
  CHECK(gang.busy == 0 && gang.apart == 0);
  if (!CHECK_EQ(queue.n_apart, 1)) return;
  CHECK_EQ(queue.apart[0].slot, 1);
  CHECK_EQ(queue.apart[0].n_steps, 2);
  ddr_update_stragglers(&queue, &block, NULL, 8, update_one);
  CHECK_EQ(last_alone, 1);
  CHECK_EQ(last_limit, 6);
}

/* ---- steps aside ----------------------------------------------------------------------------- */

/* Steps of a gang, each of `rounds` rounds in one lane, and as much in all lanes: whether that lane
 * is to step aside after the last one. */
static bool is_due_after(ddr_watch *watch, const ddr_gang *gang, int n, int rounds,
                         uint32_t in_all) {
  for (int i = 0; i < n; i++) {
    ddr_lag lag = ddr_lag_of(in_all);
    for (int k = 0; k < rounds; k++) ddr_lags(&lag, ddr_vmask_of(4), 2, 2);
    ddr_watch_step(watch, &lag, gang);
    if (watch->is_due && i < n - 1) return false; /* too soon */
  }
  return watch->is_due;
}

/* Steps whose loops are too short to be left add up. */
static void steps_add_up(void) {
  enum { ROUNDS = DDR_LAG_LEAST / 16, STEPS = DDR_LAG_LEAST / (2 * ROUNDS + 4) + 1 };
  ddr_gang gang = {.mask = ddr_vmask_of(DDR_ALL_LANES)};
  ddr_watch watch = {0};
  CHECK(is_due_after(&watch, &gang, STEPS, ROUNDS, 4));
  CHECK_EQ(ddr_watch_few(&watch, &gang), 4);
  gang.mask = ddr_vmask_of(3);
  CHECK_EQ(ddr_watch_few(&watch, &gang), 0); /* it has ended in that step */
  ddr_watch all = {0};
  CHECK(!is_due_after(&all, &gang, 1000, ROUNDS, 2 * ROUNDS + 4)); /* half of the time is useful */
}

/* A strand in lane 2 steps aside again and again, for more steps each time, if what it does in
 * between is not worth a lane. */
static void more_steps_each_time(void) {
  static const uint32_t n_aside[] = {1, 10, 40, 160, 640, 640, 640};
  ddr_watch watch = {0};
  ddr_queue queue = {0};
  for (size_t i = 0; i < sizeof n_aside / sizeof *n_aside; i++) {
    ddr_gang gang = {0};
    watch.n_steps = 10;
    watch.of_few = 1000;
    watch.useful += 1999;
    CHECK_EQ(ddr_watch_n_aside(&watch, 2, 7), n_aside[i]);
    ddr_watch_again(&watch, &gang, &queue);
  }
  watch.of_few = 1000;
  CHECK_EQ(ddr_watch_n_aside(&watch, 2, 8), 1); /* another strand */
  watch.useful += 2000;
  CHECK_EQ(ddr_watch_n_aside(&watch, 2, 8), 1); /* others have used the lanes meanwhile */
}

/* Lane 1 leaves a loop, takes that step alone, and returns; it ends aside. */
static uint8_t status_then;
static uint32_t n_then;

static uint32_t update_then(const void *globals, ddr_block *block, uint32_t max_steps) {
  (void)globals;
  last_alone = block->begin;
  last_limit = max_steps;
  statuses[block->begin] = status_then;
  return n_then;
}

static bool steps_aside(ddr_gang *gang, ddr_queue *queue) {
  const ddr_block block = {.strands = &strands, .begin = 0, .end = DDR_LANES};
  ddr_watch watch = {0};
  return ddr_step_aside(&watch, gang, queue, 1, &block, NULL, update_then);
}

static void strands_return(void) {
  ddr_gang gang;
  ddr_queue queue;
  open_gang(&gang, &queue, 0);
  ddr_gang_set_aside(&gang, ddr_vmask_of(2));
  status_then = DDR_ACTIVE, n_then = 1;
  CHECK(steps_aside(&gang, &queue));
  CHECK_EQ(last_alone, 1);
  CHECK_EQ(last_limit, 1);
  CHECK_EQ(gang.n_steps[1], 3);
  CHECK(gang.mask[1] && gang.busy == DDR_ALL_LANES && gang.stride != 0);
  gang.apart = 0;
  status_then = DDR_STABLE, n_then = 5;
  CHECK(!steps_aside(&gang, &queue));
  CHECK(!gang.mask[1] && gang.busy == (DDR_ALL_LANES & ~2u) && gang.stride == 0);
  CHECK_EQ(queue.most, 8);
}

/* Of a limit of five steps, those aside count: when lane 1 has made them, it alone is released. */
static void limits_count_steps_aside(void) {
  ddr_gang gang;
  ddr_queue queue;
  open_gang(&gang, &queue, 5);
  gang.n_steps[1] = 4;
  status_then = DDR_ACTIVE, n_then = 1;
  CHECK(steps_aside(&gang, &queue));
  CHECK_EQ(last_limit, 1);
  ddr_watch_again(&(ddr_watch){0}, &gang, &queue);
  CHECK_EQ(ddr_gang_release(&gang, &queue), 2);
  ddr_gang_approach(&gang, &queue);
  CHECK_EQ(queue.n_made, 3);
  CHECK_EQ(ddr_queue_pace(&queue).n_left, 2);
}

/* Who stops a run while lane 1 leaves a loop in its first step: all leave their lanes, and none has
 * made that step. */
static void stopped_lanes_are_released(void) {
  static const bool is_stopped = true;
  ddr_gang gang;
  ddr_queue queue;
  open_gang(&gang, &queue, 1);
  queue.is_stopped = &is_stopped;
  gang.n_steps = (ddr_vmask){0};
  gang.n_steps[1] = 1;
  ddr_gang_set_aside(&gang, ddr_vmask_of(2));
  status_then = DDR_ACTIVE, n_then = 0;
  CHECK(steps_aside(&gang, &queue));
  ddr_watch_again(&(ddr_watch){0}, &gang, &queue);
  CHECK_EQ(ddr_gang_release(&gang, &queue), DDR_ALL_LANES);
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
  RUN(few_get_no_lanes);
  RUN(lags_behind_half_of_the_step);
  RUN(long_loops_are_left_sooner);
  RUN(stragglers_leave_their_lanes);
  RUN(stay_with_others_or_a_limit);
  RUN(loops_are_left);
  RUN(steps_add_up);
  RUN(more_steps_each_time);
  RUN(strands_return);
  RUN(limits_count_steps_aside);
  RUN(stopped_lanes_are_released);
  return test_result();
}
