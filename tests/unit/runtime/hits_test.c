/* Rows of hits (ddr/lanes/hits.h) at the width and precision that this test is compiled for: each
 * lane has its own hits, sorted, whatever other lanes have found. */
#include "ddr/lanes/hits.h"

#include <stdlib.h>

#include "lanes_here.h"
#include "tests/unit/test.h"

enum { MOST_ROWS = 300, MOST_IN_ROWS = MOST_ROWS + DDR_NEAR_ROWS };

static uint32_t row_memory[MOST_IN_ROWS * DDR_LANES] __attribute__((aligned(DDR_NEAR_ALIGNED)));
static uint32_t found_hits[MOST_ROWS * DDR_LANES];
static uint64_t state = 1;

static uint32_t any_below(uint32_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((state >> 33) % n);
}

static int by_size(const void *a, const void *b) {
  const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  return (left > right) - (left < right);
}

/* A sorting network is correct if it sorts all sequences of zeros and ones; of eight there are 256,
 * one in each lane. */
static void eight_rows_are_sorted(void) {
  for (uint32_t first = 0; first < 256; first += DDR_LANES) {
    ddr_vslots row[DDR_NEAR_ROWS] = {{0}};
    for (int k = 0; k < DDR_NEAR_ROWS; k++)
      for (uint32_t lane = 0; lane < DDR_LANES; lane++)
        row[k][lane] = (int32_t)((first + lane) >> k & 1);
    ddr_vslots_sort_8(row);
    for (uint32_t lane = 0; lane < DDR_LANES; lane++)
      for (int k = 0; k < DDR_NEAR_ROWS; k++)
        CHECK_EQ(row[k][lane], k >= DDR_NEAR_ROWS - __builtin_popcount(first + lane));
  }
}

/* The slots in a lane are distinct, up to the greatest that exists. */
static void fill(ddr_near_found *found, uint32_t most) {
  const uint32_t step = (UINT32_MAX / 8) / (MOST_ROWS + 1);
  *found = (ddr_near_found){.rows = row_memory};
  uint32_t n_hits = 0;
  for (int lane = 0; lane < DDR_LANES; lane++) {
    const uint32_t n = lane == 1 ? most : any_below(most + 1), begin = n_hits;
    for (uint32_t k = 0; k < n; k++) found_hits[n_hits++] = UINT32_MAX / 8 - k * step;
    for (uint32_t k = 1; k < n; k++) {
      const uint32_t other = begin + any_below(k + 1), slot = found_hits[begin + k];
      found_hits[begin + k] = found_hits[other];
      found_hits[other] = slot;
    }
    found->hits[lane] = found_hits + begin;
    found->n[lane] = n;
  }
  found->n_rows = most;
}

static void lanes_are_in_order(void) {
  static uint32_t sorted[MOST_ROWS * DDR_LANES];
  for (uint32_t most = 1; most <= MOST_ROWS; most += most < 70 ? 1 : 23) {
    ddr_near_found found;
    fill(&found, most);
    memcpy(sorted, found_hits, sizeof sorted);
    ddr_vhits_fill(&found);
    const uint32_t *wanted = sorted;
    ddr_vhits all = {.rows = row_memory, .n_rows = most};
    for (int lane = 0; lane < DDR_LANES; lane++) all.length[lane] = (ddr_int)found.n[lane];
    for (int lane = 0; lane < DDR_LANES; lane++) {
      const uint32_t n = found.n[lane];
      qsort(sorted + (wanted - sorted), n, sizeof *sorted, by_size);
      /* An index out of range gives the element at the nearest end. */
      for (int k = -2; k < (int)most + 10; k++) {
        const uint32_t at = k < 0 ? 0 : (uint32_t)k < n ? (uint32_t)k : n - 1;
        CHECK_EQ(ddr_vhits_at(&all, k)[lane], n > 0 ? wanted[at] : 0);
        CHECK_EQ(ddr_hit_of_lane(&all, lane, k), n > 0 ? wanted[at] : 0);
      }
      wanted += n;
    }
  }
}

static void states_are_those_of_the_slots(void) {
  struct {
    ddr_real x, y;
    bool is_third;
    ddr_int number;
    char more[5];
  } states[40];
  uint32_t at[DDR_LANES];
  int64_t slots[DDR_LANES];
  for (int k = 0; k < 40; k++) {
    states[k].y = (ddr_real)(3 * k + 1);
    states[k].is_third = k % 3 == 0;
    states[k].number = 7 - k;
  }
  for (int lane = 0; lane < DDR_LANES; lane++) slots[lane] = at[lane] = any_below(40);
  const ddr_vreal y = ddr_vreal_of_hits(&states[0].y, sizeof *states, at);
  const ddr_vmask is_third = ddr_vbool_of_hits(&states[0].is_third, sizeof *states, at);
  const ddr_vint number = ddr_vint_of_hits(&states[0].number, sizeof *states, at);
  for (int lane = 0; lane < DDR_LANES; lane++) {
    CHECK_EQ((int)y[lane], 3 * (int)at[lane] + 1);
    CHECK_EQ(is_third[lane], at[lane] % 3 == 0 ? -1 : 0);
    CHECK_EQ(number[lane], 7 - (int)at[lane]);
    CHECK_EQ((int)ddr_vreal_of(&states[0].y, sizeof *states, slots)[lane], (int)y[lane]);
    CHECK_EQ(ddr_vbool_of(&states[0].is_third, sizeof *states, slots)[lane], is_third[lane]);
    CHECK_EQ(ddr_vint_of(&states[0].number, sizeof *states, slots)[lane], number[lane]);
  }
}

int main(void) {
  if (!lanes_are_here()) return 77;
  RUN(eight_rows_are_sorted);
  RUN(lanes_are_in_order);
  RUN(states_are_those_of_the_slots);
  return test_result();
}
