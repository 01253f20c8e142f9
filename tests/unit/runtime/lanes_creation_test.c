/* Strands that are created together: their iterators, and who is created alone. */
#include "ddr/lanes/creation.h"
#include "lanes_here.h"
#include "tests/unit/test.h"

/* Three iterators from -1, 5 and 2 on; rows shorter than a gang, as long, and longer. */
static ddr_strands grid_of(int64_t fastest, int64_t step) {
  return (ddr_strands){
      .lo = {-1, 5, 2}, .step = step, .len = {3, 4, fastest}, .n_slots = 12 * fastest};
}

/* Nested loops, as the language defines the order of strands. */
static void counts_by(int64_t step) {
  for (int64_t n = 1; n <= 2 * DDR_LANES + 1; n++) {
    const ddr_strands strands = grid_of(n, step);
    int64_t slot = 0;
    ddr_vint at[3];
    for (int64_t i = -1; i < -1 + 3 * step; i += step)
      for (int64_t j = 5; j < 5 + 4 * step; j += step)
        for (int64_t k = 2; k < 2 + n * step; k += step, slot++)
          for (int lane = 0; lane < DDR_LANES && lane <= slot; lane++) {
            ddr_iterators(&strands, 3, slot - lane, at);
            CHECK_EQ(at[0][lane], i);
            CHECK_EQ(at[1][lane], j);
            CHECK_EQ(at[2][lane], k);
          }
  }
}

static void counts_like_nested_loops(void) { counts_by(1); }

static void counts_in_a_thinned_grid(void) { counts_by(3); }

static void counts_along_a_line(void) {
  const ddr_strands strands = {.lo = {-7}, .step = 1, .len = {1000}};
  ddr_vint at[1];
  ddr_iterators(&strands, 1, 40, at);
  for (int lane = 0; lane < DDR_LANES; lane++) CHECK_EQ(at[0][lane], 33 + lane);
}

static void leaves_out_what_the_block_has_not(void) {
  for (int n = 1; n <= 2 * DDR_LANES; n++) {
    const ddr_block block = {.begin = 100, .end = 100 + n};
    ddr_gang gang;
    ddr_gang_create(&gang, &block, 100);
    CHECK_EQ(ddr_gang_row(&gang), n >= DDR_LANES ? 100 : -1);
    CHECK_EQ(gang.apart, 0);
    for (int lane = 0; lane < DDR_LANES; lane++) {
      CHECK_EQ(gang.mask[lane], lane < n ? -1 : 0);
      CHECK_EQ(gang.slot[lane], lane < n ? 100 + lane : -1);
    }
  }
}

/* Notes the strands that are created. */
static ddr_status note(const void *globals, ddr_block *block) {
  int *n_made = *(int *const *)globals;
  for (int64_t slot = block->begin; slot < block->end; slot++) n_made[slot]++;
  return DDR_OK;
}

static void creates_each_once(void) {
  enum { N = 5 * DDR_LANES + 2 };
  for (int64_t slot = 0; slot < N; slot += DDR_LANES) {
    int made[N + DDR_LANES] = {0};
    int *const globals = made;
    const ddr_block block = {.end = N};
    CHECK_EQ(ddr_create_rest(slot, &block, &globals, note), DDR_OK);
    for (int64_t k = 0; k < N + DDR_LANES; k++)
      CHECK_EQ(made[k], k >= slot + DDR_LANES && k < N ? 1 : 0);
  }
}

static void creates_who_left(void) {
  int made[4 * DDR_LANES] = {0};
  int *const globals = made;
  const ddr_block block = {.end = 4 * DDR_LANES};
  ddr_gang gang;
  ddr_gang_create(&gang, &block, DDR_LANES);
  gang.apart = 1 | (ddr_lane_set)1 << (DDR_LANES - 1);
  ddr_create_apart(&gang, &block, &globals, note);
  for (int k = 0; k < 4 * DDR_LANES; k++)
    CHECK_EQ(made[k], k == DDR_LANES || k == 2 * DDR_LANES - 1 ? 1 : 0);
}

/* Lanes cost four times as much: that is judged after a 16th of the block, and enough operations.
 */
static void judges_what_is_wasted(void) {
  ddr_effort all = {0};
  const ddr_block block = {.effort = &all, .begin = 1600, .end = 3200};
  const ddr_effort few = {.in_lanes = DDR_EFFORT_LEAST - 1, .alone = DDR_EFFORT_LEAST / 4};
  const ddr_effort many = {.in_lanes = DDR_EFFORT_LEAST, .alone = DDR_EFFORT_LEAST / 4};
  const ddr_effort useful = {.in_lanes = DDR_EFFORT_LEAST, .alone = DDR_EFFORT_LEAST};
  CHECK(!ddr_creation_is_wasted(&many, &block, 1699));
  CHECK(ddr_creation_is_wasted(&many, &block, 1700));
  CHECK(!ddr_creation_is_wasted(&few, &block, 1700));
  CHECK(!ddr_creation_is_wasted(&useful, &block, 3100));
}

int main(void) {
  if (!lanes_are_here()) return 77;
  RUN(counts_like_nested_loops);
  RUN(counts_in_a_thinned_grid);
  RUN(counts_along_a_line);
  RUN(leaves_out_what_the_block_has_not);
  RUN(creates_each_once);
  RUN(creates_who_left);
  RUN(judges_what_is_wasted);
  return test_result();
}
