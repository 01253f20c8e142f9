/* cells.h: a box divided into cells, so that a search for points near a place tests few others.
 *
 * Cells only save work: a test of each point that the cells give decides which are near.
 * The cells of a row (axis 0) follow each other.
 *
 * Compiles as C17, C++17 and CUDA.  Read next: runtime/src/space/index.c, runtime/cuda/near.cu.
 */
#pragma once

#include "ddr/scalar.h"

enum { DDR_MOST_DIM = 3 };

typedef struct ddr_cells {
  double lo[DDR_MOST_DIM], hi[DDR_MOST_DIM];
  double inverse[DDR_MOST_DIM]; /* cells per unit of length; 0 where n is 1 */
  int64_t n[DDR_MOST_DIM];      /* cells on each axis; 1 on axes that the program lacks */
} ddr_cells;

DDR_FN int64_t ddr_cells_count(const ddr_cells *cells) {
  return cells->n[0] * cells->n[1] * cells->n[2];
}

/* The cell of a coordinate on one axis: never decreases with x, so that a range of coordinates is a
 * range of cells whatever is rounded. */
DDR_FN int64_t ddr_cell_on_axis(const ddr_cells *cells, int axis, double x) {
  const double at = (x - cells->lo[axis]) * cells->inverse[axis];
  const double last = (double)(cells->n[axis] - 1), from_0 = at > 0 ? at : 0;
  return (int64_t)(from_0 < last ? from_0 : last);
}

/* Cells for devices, in the program's real type: programs in single precision use no doubles
 * there. Here, too, the cell never decreases with x. */
#define DDR_CELLS_IN(real)                                                                         \
  typedef struct ddr_cells_##real {                                                                \
    real lo[DDR_MOST_DIM], hi[DDR_MOST_DIM], inverse[DDR_MOST_DIM];                                \
    int32_t n[DDR_MOST_DIM];                                                                       \
  } ddr_cells_##real;                                                                              \
  DDR_FN void ddr_cells_to_##real(const ddr_cells *cells, ddr_cells_##real *result) {              \
    for (int k = 0; k < DDR_MOST_DIM; k++) {                                                       \
      result->lo[k] = (real)cells->lo[k];                                                          \
      result->hi[k] = (real)cells->hi[k];                                                          \
      result->inverse[k] = (real)cells->inverse[k];                                                \
      result->n[k] = (int32_t)cells->n[k];                                                         \
    }                                                                                              \
  }                                                                                                \
  DDR_FN int32_t ddr_cell_in_##real(const ddr_cells_##real *cells, int axis, real x) {             \
    const real at = (x - cells->lo[axis]) * cells->inverse[axis];                                  \
    const int32_t last = cells->n[axis] - 1;                                                       \
    if (!(at > 0)) return 0;                                                                       \
    if (at >= (real)last) return last;                                                             \
    return (int32_t)at < last ? (int32_t)at : last; /* `last` may have been rounded up */          \
  }
DDR_CELLS_IN(float)
DDR_CELLS_IN(double)
#undef DDR_CELLS_IN

/* Length of a cell along an axis. Cells are short along rows: the points of a row follow each other
 * in memory, so more cells there cost a query nothing, and fewer of the points it tests are far. */
DDR_FN double ddr_cells_length(int axis, double edge) { return axis == 0 ? edge / 4 : edge; }

/* The edge of a cell such that n cells fill the box along the divided axes; 0: none is divided. */
DDR_FN double ddr_cells_edge(const ddr_cells *cells, const bool *is_divided, double n) {
  double sum = is_divided[0] ? -log(ddr_cells_length(0, n)) : -log(n);
  int n_divided = 0;
  for (int k = 0; k < DDR_MOST_DIM; k++) {
    if (!is_divided[k]) continue;
    sum += log(cells->hi[k] - cells->lo[k]);
    n_divided++;
  }
  return n_divided > 0 ? exp(sum / n_divided) : 0;
}

/* An axis is not divided if that would overflow. That only costs time. */
DDR_FN bool ddr_can_be_divided(double extent, double n) {
  return extent > 0 && isfinite(extent) && isfinite(n / extent);
}

/* Divides one axis. There are at most four cells per point; `room` of them are left for this axis
 * and later ones. */
DDR_FN void ddr_cells_divide(ddr_cells *cells, int axis, double edge, double *room) {
  const double extent = cells->hi[axis] - cells->lo[axis];
  const double n = floor(extent / ddr_cells_length(axis, edge));
  cells->n[axis] = (int64_t)fmin(fmax(2.0, n), *room);
  cells->inverse[axis] = cells->n[axis] > 1 ? (double)cells->n[axis] / extent : 0;
  *room = floor(*room / (double)cells->n[axis]);
}

/* Divides the box [lo, hi] of n_points into cells of one shape, with about two points each.  An
 * axis shorter than a cell is not divided; on axes that the program lacks lo equals hi. */
DDR_FN void ddr_cells_choose(ddr_cells *cells, int64_t n_points) {
  const double n_wanted = fmax(1.0, (double)n_points / 2);
  double edge = 0, room = 4 * fmax(1.0, (double)n_points);
  bool is_divided[DDR_MOST_DIM], has_changed = true;
  for (int k = 0; k < DDR_MOST_DIM; k++) {
    is_divided[k] = ddr_can_be_divided(cells->hi[k] - cells->lo[k], n_wanted);
    cells->n[k] = 1;
    cells->inverse[k] = 0;
  }
  while (has_changed) {
    has_changed = false;
    edge = ddr_cells_edge(cells, is_divided, n_wanted);
    for (int k = 0; k < DDR_MOST_DIM; k++) {
      const double extent = cells->hi[k] - cells->lo[k];
      if (!is_divided[k] || extent >= ddr_cells_length(k, edge)) continue;
      is_divided[k] = false;
      has_changed = true;
    }
  }
  for (int k = 0; k < DDR_MOST_DIM; k++) {
    if (is_divided[k]) ddr_cells_divide(cells, k, edge, &room);
  }
}

/* --- cells that fit the queries of one radius ------------------------------------------------- */

/* Divides the same axes into cubes of 2/n of the radius. So a query visits n + 1 rows along an
 * axis, wherever its centre is, and on devices the threads of a warp do as much. Those in one cube
 * read the same points at the same time, which shorter cells along rows would prevent. Returns the
 * number of cells, which may be too large to be used. */
DDR_FN double ddr_cells_of_radius(ddr_cells *cells, double radius, int n) {
  double n_all = 1;
  for (int k = 0; k < DDR_MOST_DIM; k++) {
    if (cells->n[k] == 1) continue;
    cells->inverse[k] = n / (2 * radius);
    const double n_here = floor((cells->hi[k] - cells->lo[k]) * cells->inverse[k]) + 1;
    cells->n[k] = (int64_t)fmin(n_here, (double)INT32_MAX);
    n_all *= n_here;
  }
  return n_all;
}

/* What a query costs with these cells, in points that it tests. A row costs about as much as 8: the
 * fewer rows, the more points are read by several threads at once. */
DDR_FN double ddr_cells_cost(const ddr_cells *cells, double n_points, double radius, int n) {
  double n_rows = 1, n_in_row = n_points;
  for (int k = 0; k < DDR_MOST_DIM; k++) {
    if (cells->inverse[k] == 0) continue;
    const double edge = 1 / cells->inverse[k];
    if (k > 0) n_rows *= n + 1;
    n_in_row *= (k > 0 ? edge : 2 * radius + edge) / (cells->hi[k] - cells->lo[k]);
  }
  return n_rows * (8 + n_in_row);
}

/* Fits cells that ddr_cells_choose has chosen to a radius, which may be any real: to the n for
 * which queries cost least, if that makes neither too many cells nor far fewer. */
DDR_FN void ddr_cells_fit(ddr_cells *cells, int64_t n_points, double radius) {
  const ddr_cells usual = *cells;
  const double most = 4 * (double)n_points, least = (double)ddr_cells_count(cells) / 8;
  double least_cost = HUGE_VAL;
  if (!(radius > 0)) return;
  for (int n = 1; n <= 8; n *= 2) {
    ddr_cells fitting = usual;
    const double n_cells = ddr_cells_of_radius(&fitting, radius, n);
    if (!(least <= n_cells && n_cells <= most)) continue;
    const double cost = ddr_cells_cost(&fitting, (double)n_points, radius, n);
    if (!(cost < least_cost)) continue;
    least_cost = cost;
    *cells = fitting;
  }
}
