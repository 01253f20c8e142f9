/* Which strands of a block a gang takes: each that runs once, in tiles of a grid or as they come.
 */
#include "ddr/lanes/gang.h"
#include "lanes_here.h"
#include "tests/unit/test.h"

enum { MOST = 64 * 16 };

static uint8_t status[MOST];
static ddr_strands strands = {.status = status};

/* A block of rows behind the first two, as a gang that has taken nothing. */
static void open_gang(ddr_gang *gang, int64_t row, int64_t n_rows, int64_t height) {
  const ddr_block block = {.strands = &strands,
                           .begin = 2 * row,
                           .end = (2 + n_rows) * row,
                           .tiles = {.row = row, .height = height}};
  ddr_gang_open(gang, &block, 0);
}

static void tiles_hold_every_strand_once(void) {
  for (int64_t row = 1; row <= 40; row++)
    for (int64_t n_rows = 1; n_rows <= 9; n_rows++)
      for (int64_t height = 0; height <= 4; height += 2) {
        bool is_seen[MOST] = {false};
        ddr_gang gang;
        open_gang(&gang, row, n_rows, height);
        for (int64_t k = 0; k < row * n_rows; k++) {
          const int64_t place = ddr_gang_place(&gang, k) - 2 * row;
          if (!CHECK(place >= 0 && place < row * n_rows) || !CHECK(!is_seen[place])) return;
          is_seen[place] = true;
        }
      }
}

/* Four by four, then the next to the right, then what is left of the row, then the next band. */
static void tiles_are_square(void) {
  static const int64_t places[] = {0,  1,  2,  3,  10, 11, 12, 13, 20, 21, 22, 23, 30, 31,
                                   32, 33, 4,  5,  6,  7,  14, 15, 16, 17, 24, 25, 26, 27,
                                   34, 35, 36, 37, 8,  9,  18, 19, 28, 29, 38, 39, 40, 41};
  ddr_gang gang;
  open_gang(&gang, 10, 6, 4);
  for (size_t k = 0; k < sizeof places / sizeof *places; k++)
    CHECK_EQ(ddr_gang_place(&gang, (int64_t)k), 20 + places[k]);
  CHECK_EQ(ddr_gang_place(&gang, 48), 20 + 50); /* a band of two rows: tiles eight strands wide */
}

/* All lanes at once where they can be, else one by one, until none takes a strand any more. */
static int64_t take_all(ddr_gang *gang, int *n_taken) {
  int64_t n = 0;
  for (bool is_over = false; !is_over;) {
    const int64_t first = ddr_gang_take_row(gang);
    is_over = first < 0;
    for (int lane = 0; lane < DDR_LANES; lane++) {
      const int64_t slot = first >= 0 ? first + lane : ddr_gang_take(gang, lane);
      if (slot < 0) continue;
      CHECK(gang->slot[lane] == slot && gang->mask[lane] == -1);
      n_taken[slot]++;
      n++;
      is_over = false;
    }
    gang->ended = gang->mask;
    for (int lane = 0; lane < DDR_LANES; lane++) ddr_gang_release(gang, lane, DDR_STABLE);
  }
  return n;
}

static void takes_each_that_runs_once(void) {
  for (int64_t height = 0; height <= 4; height += 2)
    for (int64_t row = 3; row <= 37; row += 17) {
      enum { N_ROWS = 7 };
      int n_taken[MOST] = {0};
      ddr_gang gang;
      int64_t n_running = 0;
      for (int64_t slot = 0; slot < MOST; slot++)
        status[slot] = slot % 5 == 2 ? DDR_STABLE : DDR_NEW;
      for (int64_t slot = 2 * row; slot < (2 + N_ROWS) * row; slot++) n_running += slot % 5 != 2;
      open_gang(&gang, row, N_ROWS, height);
      CHECK_EQ(take_all(&gang, n_taken), n_running);
      for (int64_t slot = 0; slot < MOST; slot++) {
        const bool is_in = slot >= 2 * row && slot < (2 + N_ROWS) * row;
        if (!CHECK_EQ(n_taken[slot], is_in && slot % 5 != 2)) return;
      }
    }
}

int main(void) {
  if (!lanes_are_here()) return 77;
  RUN(tiles_hold_every_strand_once);
  RUN(tiles_are_square);
  RUN(takes_each_that_runs_once);
  return test_result();
}
