/* Which strands of a block gangs take: each running strand once, in tiles of a grid or in order. */
#include "ddr/lanes/gang.h"
#include "lanes_here.h"
#include "tests/unit/test.h"

enum { MOST = 64 * 16 };

static uint8_t statuses[MOST];
static ddr_strands strands = {.status = statuses};

/* A queue for a block of rows after the first two, of which nothing has been taken. */
static void open_queue(ddr_queue *queue, int64_t row, int64_t n_rows, int64_t height) {
  const ddr_block block = {.strands = &strands,
                           .begin = 2 * row,
                           .end = (2 + n_rows) * row,
                           .tiles = {.row = row, .height = height}};
  ddr_queue_open(queue, &block, 0, DDR_LANES / 2);
}

/* The slot of the next strand, taken alone. */
static int64_t next_of(ddr_queue *queue) {
  const int64_t slot = queue->slots ? queue->slots[queue->next] : queue->slot;
  ddr_queue_skip(queue, 1);
  return slot;
}

static void tiles_hold_every_strand_once(void) {
  for (int64_t row = 1; row <= 40; row++)
    for (int64_t n_rows = 1; n_rows <= 9; n_rows++)
      for (int64_t height = 0; height <= 4; height += 2) {
        bool is_seen[MOST] = {false};
        ddr_queue queue;
        open_queue(&queue, row, n_rows, height);
        for (int64_t k = 0; k < row * n_rows; k++) {
          const int64_t place = next_of(&queue) - 2 * row;
          if (!CHECK(place >= 0 && place < row * n_rows) || !CHECK(!is_seen[place])) return;
          is_seen[place] = true;
        }
        CHECK_EQ(queue.next, queue.end);
      }
}

/* Tiles of four by four, then the next one to the right, then the rest of the row, then the next
 * band, whose two rows have tiles eight strands wide. */
static void tiles_are_square(void) {
  static const int64_t places[] = {0,  1,  2,  3,  10, 11, 12, 13, 20, 21, 22, 23, 30, 31, 32,
                                   33, 4,  5,  6,  7,  14, 15, 16, 17, 24, 25, 26, 27, 34, 35,
                                   36, 37, 8,  9,  18, 19, 28, 29, 38, 39, 40, 41, 42, 43, 44,
                                   45, 46, 47, 50, 51, 52, 53, 54, 55, 56, 57, 48, 49, 58, 59};
  ddr_queue queue;
  open_queue(&queue, 10, 6, 4);
  for (size_t k = 0; k < sizeof places / sizeof *places; k++)
    CHECK_EQ(next_of(&queue), 20 + places[k]);
  CHECK_EQ(queue.next, queue.end);
}

/* Whatever tiles the grid would have. */
static void lists_are_taken_in_their_order(void) {
  static const uint32_t slots[] = {99, 99, 7, 3, 60, 4};
  const ddr_block block = {
      .strands = &strands, .slots = slots, .begin = 2, .end = 6, .tiles = {.row = 8, .height = 4}};
  ddr_queue queue;
  ddr_queue_open(&queue, &block, 0, DDR_LANES / 2);
  for (size_t k = 2; k < sizeof slots / sizeof *slots; k++) CHECK_EQ(next_of(&queue), slots[k]);
  CHECK_EQ(queue.next, queue.end);
}

/* Fills all lanes at once if possible, else one by one: returns how many have taken a strand. */
static int fill(ddr_gang *gang, ddr_queue *queue, int *n_taken) {
  ddr_lane_set taken = ddr_gang_take_all(gang, queue) ? DDR_ALL_LANES : ddr_gang_take(gang, queue);
  const int64_t first = ddr_gang_row(gang);
  const int n = ddr_vcount(ddr_vmask_of(taken));
  CHECK_EQ(gang->busy, taken);
  while (taken != 0) {
    const int lane = ddr_next_lane(&taken);
    CHECK(gang->mask[lane] == -1 && (first < 0 || gang->slot[lane] == first + lane));
    n_taken[gang->slot[lane]]++;
  }
  CHECK_EQ(ddr_vcount(gang->mask), n);
  return n;
}

static void empty(ddr_gang *gang, ddr_queue *queue) {
  ddr_gang_end(gang, gang->mask, DDR_STABLE);
  if (!ddr_gang_release_all(gang, queue)) ddr_gang_release(gang, queue);
  CHECK_EQ(gang->busy, 0);
}

/* Two gangs take strands until neither finds any. */
static int64_t take_all(ddr_queue *queue, int *n_taken) {
  ddr_gang gangs[2];
  int64_t n = 0;
  for (int k = 0; k < 2; k++) ddr_gang_open(&gangs[k]);
  for (int n_now = 1; n_now > 0; n += n_now) {
    n_now = fill(&gangs[0], queue, n_taken) + fill(&gangs[1], queue, n_taken);
    for (int k = 0; k < 2; k++) empty(&gangs[k], queue);
  }
  return n;
}

static void takes_each_that_runs_once(void) {
  for (int64_t height = 0; height <= 4; height += 2)
    for (int64_t row = 3; row <= 37; row += 17) {
      enum { N_ROWS = 7 };
      int n_taken[MOST] = {0};
      ddr_queue queue;
      int64_t n_running = 0;
      for (int64_t slot = 0; slot < MOST; slot++)
        statuses[slot] = slot % 5 == 2 ? DDR_STABLE : DDR_NEW;
      for (int64_t slot = 2 * row; slot < (2 + N_ROWS) * row; slot++) n_running += slot % 5 != 2;
      open_queue(&queue, row, N_ROWS, height);
      CHECK_EQ(take_all(&queue, n_taken), n_running);
      for (int64_t slot = 0; slot < MOST; slot++) {
        const bool is_in = slot >= 2 * row && slot < (2 + N_ROWS) * row;
        if (!CHECK_EQ(n_taken[slot], is_in && slot % 5 != 2)) return;
      }
    }
}

/* Blocks of all shapes, after any number of strands has been taken one by one. */
static void takes_each_when_all_run(void) {
  for (int64_t row = 1; row <= 40; row++)
    for (int64_t n_rows = 1; n_rows <= 9; n_rows++)
      for (int64_t height = 0; height <= 4; height += 2) {
        int n_taken[MOST] = {0};
        ddr_queue queue;
        memset(statuses, DDR_NEW, sizeof statuses);
        open_queue(&queue, row, n_rows, height);
        const int64_t n_alone = n_rows % 2 == 0 ? 0 : row % (row * n_rows);
        for (int64_t k = 0; k < n_alone; k++) n_taken[next_of(&queue)]++;
        CHECK_EQ(take_all(&queue, n_taken), row * n_rows - n_alone);
        for (int64_t slot = 0; slot < MOST; slot++) {
          const bool is_in = slot >= 2 * row && slot < (2 + n_rows) * row;
          if (!CHECK_EQ(n_taken[slot], is_in)) return;
        }
      }
}

/* All at once, in the order of tiles_are_square; both ways store the same states. */
static void whole_tiles_are_taken_and_stored_at_once(void) {
  ddr_queue queue;
  ddr_gang gang;
  memset(statuses, DDR_NEW, sizeof statuses);
  open_queue(&queue, 12, 8, 4);
  ddr_gang_open(&gang);
  for (int64_t k = 0; k < 8 * 12; k += DDR_LANES) {
    const int64_t tile = k / DDR_TILE, corner = 24 + 48 * (tile / 3) + 4 * (tile % 3);
    CHECK(ddr_gang_take_all(&gang, &queue) && ddr_gang_row(&gang) < 0);
    for (int lane = 0; lane < DDR_LANES; lane++) {
      const int64_t in_tile = k % DDR_TILE + lane;
      CHECK_EQ(gang.slot[lane], corner + 12 * (in_tile / 4) + in_tile % 4);
    }
    const ddr_vmask dead = ddr_vmask_of(k == 0 ? 2 : 0);
    ddr_gang_end(&gang, dead, DDR_DEAD);
    ddr_gang_end(&gang, gang.mask, DDR_STABLE);
    CHECK(ddr_gang_release_all(&gang, &queue) && gang.busy == 0);
    for (int lane = 0; lane < DDR_LANES; lane++)
      CHECK_EQ(statuses[gang.slot[lane]], dead[lane] ? DDR_DEAD : DDR_STABLE);
  }
  CHECK(!ddr_gang_take_all(&gang, &queue) && queue.next == queue.end);
}

/* At the limit of steps: all go on, all but one that is stable, and none. */
static void rows_are_stored_at_once_as_they_are(void) {
  for (int n_stable = 0; n_stable <= DDR_LANES; n_stable += n_stable == 1 ? DDR_LANES - 1 : 1) {
    const ddr_block block = {.strands = &strands, .begin = 3, .end = 3 + DDR_LANES};
    const ddr_vmask stable = ddr_vmask_of(DDR_ALL_LANES >> (DDR_LANES - n_stable));
    ddr_queue queue;
    ddr_gang gang;
    memset(statuses, DDR_NEW, sizeof statuses);
    ddr_queue_open(&queue, &block, 1, DDR_LANES / 2);
    ddr_gang_open(&gang);
    CHECK(ddr_gang_take_all(&gang, &queue));
    ddr_gang_step(&gang);
    ddr_gang_end(&gang, stable, DDR_STABLE);
    CHECK(ddr_gang_release_all(&gang, &queue) && gang.busy == 0);
    for (int lane = 0; lane < DDR_LANES; lane++)
      CHECK_EQ(statuses[3 + lane], stable[lane] ? DDR_STABLE : DDR_ACTIVE);
    CHECK(statuses[2] == DDR_NEW && statuses[3 + DDR_LANES] == DDR_NEW);
  }
}

/* As many strands as there are lanes, anywhere; if one of these has ended, one by one. */
static void lists_are_taken_and_stored_at_once(void) {
  uint32_t slots[3 * DDR_LANES + 1];
  const int n_slots = sizeof slots / sizeof *slots;
  ddr_queue queue;
  ddr_gang gang;
  memset(statuses, DDR_NEW, sizeof statuses);
  for (int k = 0; k < n_slots; k++) slots[k] = (uint32_t)(37 * k + 5) % MOST;
  statuses[slots[2 * DDR_LANES - 1]] = DDR_STABLE;
  const ddr_block block = {.strands = &strands, .slots = slots, .end = n_slots};
  ddr_queue_open(&queue, &block, 0, DDR_LANES / 2);
  ddr_gang_open(&gang);
  CHECK(ddr_gang_take_row(&gang, &queue) < 0 && gang.busy == 0);
  CHECK(ddr_gang_take_all(&gang, &queue) && ddr_gang_row(&gang) < 0);
  CHECK_EQ(ddr_vlanes(gang.mask), DDR_ALL_LANES);
  for (int lane = 0; lane < DDR_LANES; lane++) CHECK_EQ(gang.slot[lane], slots[lane]);
  ddr_gang_end(&gang, ddr_vmask_of(4), DDR_DEAD);
  CHECK(!ddr_gang_release_all(&gang, &queue));
  ddr_gang_end(&gang, gang.mask, DDR_STABLE);
  CHECK(ddr_gang_release_all(&gang, &queue) && gang.busy == 0);
  for (int lane = 0; lane < DDR_LANES; lane++)
    CHECK_EQ(statuses[slots[lane]], lane == 2 ? DDR_DEAD : DDR_STABLE);
  CHECK(!ddr_gang_take_all(&gang, &queue) && gang.busy == 0 && queue.next == DDR_LANES);
  CHECK_EQ(ddr_gang_take(&gang, &queue), DDR_ALL_LANES);
  CHECK_EQ(gang.slot[DDR_LANES - 1], slots[2 * DDR_LANES]);
}

/* Those that wait count the step, and only the others get lanes; without any, all do. */
static void who_waits_gets_no_lane(void) {
  for (int n = 1; n <= 4; n++) {
    int n_taken[MOST] = {0};
    const ddr_block block = {.strands = &strands, .begin = 16, .end = MOST};
    ddr_queue queue;
    ddr_order order;
    for (int64_t slot = 0; slot < MOST; slot++)
      statuses[slot] = slot % 5 == 2 ? DDR_STABLE : slot % 7 == 0 ? DDR_ACTIVE : DDR_NEW;
    ddr_queue_open(&queue, &block, 1, DDR_LANES / 2);
    CHECK(ddr_order_open(&order, &block));
    for (int64_t slot = block.begin; slot < block.end; slot++)
      ddr_order_put_or_wait(&order, &block, slot, slot % n == 0);
    ddr_order_close_first(&order, &queue);
    CHECK_EQ(queue.most, n == 1 ? 0 : 1);
    CHECK(take_all(&queue, n_taken) > 0);
    for (int64_t slot = 0; slot < MOST; slot++) {
      const bool runs = slot >= block.begin && slot % 5 != 2;
      CHECK_EQ(n_taken[slot], runs && slot % n == 0);
      if (runs && slot % n != 0) CHECK_EQ(statuses[slot], DDR_ACTIVE);
    }
    CHECK_EQ(queue.most, n == 1 ? 0 : 1);
  }
}

/* A lane waits until three quarters of the others do, but not where steps are limited, nor if it is
 * idle. */
static void few_wait_for_company(void) {
  ddr_gang gang;
  ddr_gang_open(&gang);
  for (ddr_lane_set active = 0; active <= DDR_ALL_LANES; active += 1 + active / 7)
    for (ddr_lane_set is_long = 0; is_long <= DDR_ALL_LANES; is_long += 1 + is_long / 5) {
      const ddr_queue free = {.max_steps = 0}, limited = {.max_steps = 3};
      const ddr_lane_set both = active & is_long;
      const bool are_few = 4 * __builtin_popcount(both) < 3 * __builtin_popcount(active);
      gang.mask = ddr_vmask_of(active);
      const ddr_vmask waiting = ddr_gang_waiting(&gang, &free, ddr_vmask_of(is_long));
      CHECK_EQ(ddr_vlanes(waiting), are_few ? both : 0);
      CHECK_EQ(ddr_vlanes(ddr_gang_waiting(&gang, &limited, ddr_vmask_of(is_long))), 0);
    }
}

/* After that step running strands are stored as they are, and no other strand is taken. */
static void stops_where_it_is(void) {
  bool is_stopped = false;
  int n_taken[MOST] = {0};
  const ddr_block block = {.strands = &strands, .end = MOST, .is_stopped = &is_stopped};
  ddr_queue queue;
  ddr_gang gang;
  memset(statuses, DDR_NEW, sizeof statuses);
  ddr_queue_open(&queue, &block, 0, DDR_LANES / 2);
  ddr_gang_open(&gang);
  CHECK_EQ(fill(&gang, &queue, n_taken), DDR_LANES);
  ddr_pace pace = ddr_queue_pace(&queue);
  ddr_pace_step(&pace, &queue);
  CHECK(ddr_pace_goes_on(&pace, DDR_LANES));
  CHECK(ddr_may_step(&block, 3, 0) && ddr_may_step(&block, 3, 4) && !ddr_may_step(&block, 4, 4));
  is_stopped = true;
  CHECK(!ddr_may_step(&block, 3, 0) && !ddr_may_step(&block, 3, 4));
  ddr_pace_step(&pace, &queue);
  CHECK(!ddr_pace_goes_on(&pace, DDR_LANES));
  CHECK_EQ(ddr_gang_release(&gang, &queue), DDR_ALL_LANES);
  CHECK_EQ(fill(&gang, &queue, n_taken), 0);
  for (int64_t slot = 0; slot < MOST; slot++) {
    CHECK_EQ(statuses[slot], slot < DDR_LANES ? DDR_ACTIVE : DDR_NEW);
    CHECK_EQ(n_taken[slot], slot < DDR_LANES);
  }
}

/* Lane 0 takes n_long steps, the others n_short, while the queue continues: returns how many lanes
 * ran last. */
static int run_one_gang(ddr_queue *queue, uint32_t n_short, uint32_t n_long) {
  int n_taken[MOST] = {0};
  ddr_gang gang;
  ddr_gang_open(&gang);
  int n_running = fill(&gang, queue, n_taken), n_last = n_running;
  ddr_pace pace = ddr_queue_pace(queue);
  for (uint32_t step = 1; ddr_pace_goes_on(&pace, n_running); step++) {
    n_last = n_running;
    ddr_pace_step(&pace, queue);
    ddr_gang_step(&gang);
    ddr_vmask ended = {0};
    for (int lane = 0; lane < DDR_LANES; lane++)
      if (step == (lane == 0 ? n_long : n_short)) ended[lane] = gang.mask[lane];
    ddr_gang_end(&gang, ended, DDR_STABLE);
    n_running = ddr_vcount(gang.mask);
  }
  if (!ddr_gang_release_all(&gang, queue)) ddr_gang_release(&gang, queue);
  return n_last;
}

/* The longest life is 8 steps: a gang of 16 uses 1/2 + 1/32 of its steps if all others live for
 * 4. */
static void tiles_run_to_their_end_while_that_is_worth_it(void) {
  enum { N_WATCHED = 16 };
  ddr_queue queue;
  memset(statuses, DDR_NEW, sizeof statuses);
  open_queue(&queue, 32, 28, 4);
  for (int k = 0; k < 2 * N_WATCHED; k++) CHECK_EQ(run_one_gang(&queue, 4, 8), 1);
  CHECK(queue.is_patient);
  memset(statuses, DDR_NEW, sizeof statuses);
  open_queue(&queue, 32, 28, 4);
  for (int k = 0; k < N_WATCHED; k++) CHECK_EQ(run_one_gang(&queue, 4, 8), 1);
  for (int k = 0; k < N_WATCHED; k++) CHECK_EQ(run_one_gang(&queue, 2, 8), 1);
  CHECK_EQ(run_one_gang(&queue, 2, 8), DDR_LANES);
  CHECK(!queue.is_patient);
}

/* Without tiles: a row whose longest strand ends few steps after most others runs to its end, as
 * long as four of five do; else lanes are refilled as soon as half have ended. */
static void rows_run_to_their_end_while_that_is_soon(void) {
  enum { N_SPARE = 3, N_ROWS = 20 };
  ddr_queue queue;
  memset(statuses, DDR_NEW, sizeof statuses);
  open_queue(&queue, 32, 28, 0);
  ddr_queue_keep_rows(&queue, N_SPARE);
  for (int k = 0; k < N_ROWS; k++) CHECK_EQ(run_one_gang(&queue, 4, k % 5 == 4 ? 9 : 7), 1);
  CHECK_EQ(queue.n_spare, N_SPARE);
  while (queue.n_spare > 0) CHECK_EQ(run_one_gang(&queue, 4, 8), 1);
  CHECK_EQ(run_one_gang(&queue, 4, 7), DDR_LANES);
}

/* Without tiles, ended strands are replaced as soon as half have ended. */
static void others_are_refilled(void) {
  ddr_queue queue;
  memset(statuses, DDR_NEW, sizeof statuses);
  open_queue(&queue, 32, 28, 0);
  CHECK(!queue.is_patient);
  ddr_gang gang;
  int n_taken[MOST] = {0};
  ddr_gang_open(&gang);
  CHECK_EQ(fill(&gang, &queue, n_taken), DDR_LANES);
  ddr_pace pace = ddr_queue_pace(&queue);
  CHECK(ddr_pace_goes_on(&pace, DDR_LANES / 2 + 1) && !ddr_pace_goes_on(&pace, DDR_LANES / 2));
}

int main(void) {
  if (!lanes_are_here()) return 77;
  RUN(tiles_hold_every_strand_once);
  RUN(tiles_are_square);
  RUN(lists_are_taken_in_their_order);
  RUN(takes_each_that_runs_once);
  RUN(takes_each_when_all_run);
  RUN(whole_tiles_are_taken_and_stored_at_once);
  RUN(rows_are_stored_at_once_as_they_are);
  RUN(lists_are_taken_and_stored_at_once);
  RUN(who_waits_gets_no_lane);
  RUN(few_wait_for_company);
  RUN(stops_where_it_is);
  RUN(tiles_run_to_their_end_while_that_is_worth_it);
  RUN(rows_run_to_their_end_while_that_is_soon);
  RUN(others_are_refilled);
  return test_result();
}
