/* search.h: what the lanes of a gang find in the cells of a grid. The cells around all balls are
 * computed at once; then each lane tests the points in its own, a register of them at a time.
 * Included by hits.h. Read next: runtime/src/space/query.c.
 */
#pragma once

#include "ddr/host/spatial.h"
#include "ddr/lanes/wide.h"

/* The cells around the ball of each lane: the first and the last one on each axis. */
typedef struct ddr_vboxes {
  int32_t first[DDR_MOST_DIM][DDR_LANES], last[DDR_MOST_DIM][DDR_LANES];
} ddr_vboxes;

/* ddr_cell_on_axis of ddr/cells.h for half of the lanes. */
DDR_VFN void ddr_vcells_on_axis(const ddr_cells *cells, int axis, ddr_vwide x, int32_t *number) {
  typedef int32_t numbers __attribute__((vector_size(DDR_HALF_LANES * sizeof(int32_t))));
  const ddr_vwide at = (x - cells->lo[axis]) * cells->inverse[axis], none = {0};
  const ddr_vwide last = ddr_vall_wide((double)(cells->n[axis] - 1));
  const ddr_vwide from_0 = ddr_vselect_wide((ddr_vwide_mask)(at > none), at, none);
  const ddr_vwide in_box = ddr_vselect_wide((ddr_vwide_mask)(from_0 < last), from_0, last);
  const numbers cell = __builtin_convertvector(in_box, numbers);
  memcpy(number, &cell, sizeof cell);
}

/* Of all lanes on one axis; coordinates as doubles, as one query has them. */
DDR_VFN void ddr_vboxes_on_axis(const ddr_cells *cells, int axis, ddr_vreal centre,
                                ddr_vreal radius, ddr_vboxes *boxes) {
  enum { UPPER = DDR_LANES - DDR_HALF_LANES };
  int32_t *first = boxes->first[axis], *last = boxes->last[axis];
  const ddr_vwide lower = ddr_vlower(centre), by_lower = ddr_vlower(radius);
  const ddr_vwide upper = ddr_vupper(centre), by_upper = ddr_vupper(radius);
  ddr_vcells_on_axis(cells, axis, lower - by_lower, first);
  ddr_vcells_on_axis(cells, axis, lower + by_lower, last);
  ddr_vcells_on_axis(cells, axis, upper - by_upper, first + UPPER);
  ddr_vcells_on_axis(cells, axis, upper + by_upper, last + UPPER);
}

/* The hits of the lanes that have searched, one lane after the other. */
typedef struct ddr_vsearch {
  const ddr_near_grid *grid;
  uint32_t *hits;
  int64_t n_hits, capacity, n_wanted; /* a search ends where it wants more than the capacity */
} ddr_vsearch;

#if defined(DDR_SMALL_SIZES)
enum { DDR_SEARCH_RUNS = 2 };
#else
enum { DDR_SEARCH_RUNS = 32 };
#endif

/* Tests ranges of points, unless the search has ended. Not inlined: its loop would find too few
 * registers. */
DDR_FN_SELDOM void ddr_vsearch_test(ddr_vsearch *search, const ddr_near_ball *ball,
                                    const ddr_near_run *runs, int n_runs, int64_t n_points) {
  if (n_runs == 0 || search->n_wanted > search->capacity) return;
  search->n_wanted = search->n_hits + n_points + DDR_NEAR_SPARE;
  if (search->n_wanted > search->capacity) return;
  search->n_hits += ddr_near_loops_here.test(search->grid->points, ball, runs, n_runs,
                                             search->hits + search->n_hits);
}

/* Of one lane: a range for each row of its cells. */
DDR_VFN void ddr_vsearch_lane(ddr_vsearch *search, const ddr_vboxes *boxes, int lane,
                              const ddr_near_ball *ball) {
  const int64_t *n = search->grid->cells->n;
  const int32_t first = boxes->first[0][lane], last = boxes->last[0][lane];
  ddr_near_run runs[DDR_SEARCH_RUNS];
  int64_t n_points = 0;
  int n_runs = 0;
  for (int64_t z = boxes->first[2][lane]; z <= boxes->last[2][lane]; z++)
    for (int64_t y = boxes->first[1][lane]; y <= boxes->last[1][lane]; y++) {
      const uint32_t *row = search->grid->starts + (z * n[1] + y) * n[0];
      runs[n_runs] = (ddr_near_run){row[first], row[last + 1]};
      n_points += runs[n_runs].end - runs[n_runs].begin;
      n_runs += runs[n_runs].begin < runs[n_runs].end;
      if (n_runs < DDR_SEARCH_RUNS) continue;
      ddr_vsearch_test(search, ball, runs, n_runs, n_points);
      n_runs = 0;
      n_points = 0;
    }
  ddr_vsearch_test(search, ball, runs, n_runs, n_points);
}

/* The hits of all lanes that ask, if their radius is positive; no point is near a centre that is
 * not finite, whatever its cells are. Their numbers go to found->n. Returns how many slots there
 * must be room for: if that is more than the capacity, not all have been found. */
static inline int64_t ddr_vsearch_gang(const ddr_near_grid *grid, const ddr_near_gang *gang,
                                       uint32_t *hits, int64_t capacity, ddr_near_found *found) {
  const ddr_vreal *reals = (const ddr_vreal *)gang->reals, zero = {0};
  const int dim = grid->points->dim;
  ddr_vsearch search = {.grid = grid, .hits = hits, .capacity = capacity};
  ddr_vboxes boxes = {0};
  for (int k = 0; k < dim; k++) ddr_vboxes_on_axis(grid->cells, k, reals[1 + k], reals[0], &boxes);
  for (ddr_lane_set lanes = ddr_vlanes((ddr_vmask)(reals[0] > zero)) & gang->asking; lanes != 0;) {
    const int lane = ddr_next_lane(&lanes);
    const ddr_real *real = (const ddr_real *)gang->reals + lane;
    const ddr_real centre[] = {real[DDR_LANES], real[dim > 1 ? 2 * DDR_LANES : 0],
                               real[dim > 2 ? 3 * DDR_LANES : 0]};
    const ddr_near_ball ball = {centre, real, gang->self[lane]};
    const int64_t before = search.n_hits;
    ddr_vsearch_lane(&search, &boxes, lane, &ball);
    if (search.n_wanted > capacity) return search.n_wanted;
    found->n[lane] = (uint32_t)(search.n_hits - before);
  }
  return 0;
}

#if defined(DDR_DOUBLE)
static const ddr_near_loops ddr_near_loops_of_gang = {ddr_near_double, ddr_near_order,
                                                      ddr_vsearch_gang};
#else
static const ddr_near_loops ddr_near_loops_of_gang = {ddr_near_float, ddr_near_order,
                                                      ddr_vsearch_gang};
#endif
