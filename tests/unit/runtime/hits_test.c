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
  *found = (ddr_near_found){.rows = row_memory, .states = (const char *)row_memory};
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

/* --- search ----------------------------------------------------------------------------------- */

enum { N_POINTS = 200, MOST_CELLS = 4 * N_POINTS };

static ddr_real place[DDR_MOST_DIM][N_POINTS + DDR_NEAR_SPARE]; /* sorted by cell */
static uint32_t slot_at[N_POINTS + DDR_NEAR_SPARE], starts[MOST_CELLS + 1];

static int64_t cell_of(const ddr_cells *cells, const ddr_real *x) {
  int64_t cell = 0;
  for (int k = DDR_MOST_DIM - 1; k >= 0; k--)
    cell = cell * cells->n[k] + ddr_cell_on_axis(cells, k, (double)x[k]);
  return cell;
}

/* Points anywhere from 0 to 6, on multiples of a seventh. */
static void sort_points(int dim, ddr_cells *cells) {
  ddr_real x[N_POINTS][DDR_MOST_DIM] = {{0}};
  uint32_t n = 0;
  *cells = (ddr_cells){.hi = {6, dim > 1 ? 6 : 0, dim > 2 ? 6 : 0}};
  ddr_cells_choose(cells, N_POINTS);
  for (int i = 0; i < N_POINTS; i++)
    for (int k = 0; k < dim; k++) x[i][k] = (ddr_real)any_below(43) / 7;
  for (int64_t cell = 0; cell < ddr_cells_count(cells); cell++) {
    starts[cell] = n;
    for (uint32_t i = 0; i < N_POINTS; i++) {
      if (cell_of(cells, x[i]) != cell) continue;
      for (int k = 0; k < dim; k++) place[k][n] = x[i][k];
      slot_at[n++] = 7 * i % N_POINTS;
    }
  }
  starts[ddr_cells_count(cells)] = n;
}

/* By definition, one rounding for each operation. */
static bool is_in_ball(uint32_t at, int dim, const ddr_vreal *reals, int lane) {
  volatile ddr_real sum = 0, square;
  for (int k = 0; k < dim; k++) {
    const ddr_real apart = place[k][at] - reals[1 + k][lane];
    square = apart * apart;
    sum += square;
  }
  square = reals[0][lane] * reals[0][lane];
  return reals[0][lane] > 0 && sum < square;
}

static void ask_anywhere(int dim, ddr_vreal *reals, int64_t *self) {
  static const ddr_real nowhere[] = {(ddr_real)NAN, (ddr_real)INFINITY, -(ddr_real)INFINITY};
  for (int lane = 0; lane < DDR_LANES; lane++) {
    self[lane] = (int64_t)any_below(N_POINTS);
    reals[0][lane] = (ddr_real)any_below(30) / 7 - 1;
    for (int k = 0; k < dim; k++) reals[1 + k][lane] = (ddr_real)any_below(60) / 7 - 1;
    if (any_below(20) == 0) reals[any_below(1 + (uint32_t)dim)][lane] = nowhere[any_below(3)];
  }
}

/* The slots in a lane's ball, in any order; returns their number. */
static uint32_t check_lane(const ddr_near_gang *gang, int dim, int lane, const uint32_t *hits) {
  static bool is_hit[N_POINTS];
  uint32_t n = 0;
  for (uint32_t at = 0; at < N_POINTS && gang->asking >> lane & 1; at++) {
    is_hit[slot_at[at]] = is_in_ball(at, dim, gang->reals, lane) && slot_at[at] != gang->self[lane];
    n += is_hit[slot_at[at]];
  }
  for (uint32_t k = 0; k < n; k++) {
    CHECK(hits[k] < N_POINTS && is_hit[hits[k]]);
    is_hit[hits[k] % N_POINTS] = false;
  }
  return n;
}

/* As often as there is too little room for hits, the search asks for more. */
static void check_search(int dim, const ddr_cells *cells, ddr_lane_set asking) {
  static uint32_t hits[N_POINTS * DDR_LANES + DDR_NEAR_SPARE];
  const ddr_near_points points = {dim, {place[0], place[1], place[2]}, slot_at};
  const ddr_near_grid grid = {&points, cells, starts};
  const int64_t room = sizeof hits / sizeof *hits;
  ddr_vreal reals[1 + DDR_MOST_DIM];
  int64_t self[DDR_LANES], n_wanted = 0;
  ask_anywhere(dim, reals, self);
  const ddr_near_gang gang = {reals, self, DDR_LANES, asking};
  ddr_near_found found = {.n = {0}};
  for (int64_t n = 0; (n_wanted = ddr_vsearch_gang(&grid, &gang, hits, n, &found)) > n;
       n = n_wanted)
    CHECK(n_wanted <= room);
  const uint32_t *of_lane = hits;
  for (int lane = 0; lane < DDR_LANES; lane++) {
    CHECK_EQ(found.n[lane], check_lane(&gang, dim, lane, of_lane));
    of_lane += found.n[lane];
  }
}

static void a_search_finds_what_is_in_balls(void) {
  for (int dim = 1; dim <= DDR_MOST_DIM; dim++)
    for (int trial = 0; trial < 20; trial++) {
      ddr_cells cells;
      sort_points(dim, &cells);
      check_search(dim, &cells, trial < 10 ? DDR_ALL_LANES : any_below(DDR_ALL_LANES));
    }
}

/* --- states ----------------------------------------------------------------------------------- */

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
  RUN(a_search_finds_what_is_in_balls);
  RUN(states_are_those_of_the_slots);
  return test_result();
}
