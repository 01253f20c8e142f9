/* cells.h: the index of positions, as spatial.c builds it and spatial_query.c reads it.
 *
 * Points lie cell by cell; the cells of a row (axis 0) follow each other, so a part of a row is one
 * range of points.  A cell with many points has a grid of its own.
 */
#pragma once

#include "strands.h"

enum { MOST_DIM = 3 };

/* A box of cells around points [begin, end) of the index. */
typedef struct Cells {
  double lo[MOST_DIM], hi[MOST_DIM];
  double inverse[MOST_DIM]; /* cells per unit of length; 0 where n is 1 */
  int64_t n[MOST_DIM];      /* cells on each axis; 1 on those that the program has not */
  int64_t begin, end;
  int64_t first_start;      /* starts[first_start + cell]: its first point */
  int64_t first_child;      /* children[first_child + cell]: number of its grid, or 0; -1: none */
  int depth;
} Cells;

/* Growing memory that the next build uses again. */
typedef struct Space {
  void *data;
  size_t size; /* bytes */
} Space;

struct ddr_index {
  int dim;
  bool is_current;
  int64_t n_points;           /* strands with finite positions */
  void *points;               /* dim reals of the program each, in the order of `slots` */
  int64_t *slots;
  Cells *grids;               /* number 0 holds all points */
  int64_t *starts, *children;
  int64_t n_grids, n_starts, n_children;
  double *places;             /* while building: dim doubles of each slot */
  int64_t *cells_of, *sorted; /* while building: of each point */
  Space space[8];             /* behind the arrays above */
};

/* The cell of a coordinate on one axis: never decreases with x, so that a range of coordinates is a
 * range of cells whatever is rounded. */
static inline int64_t cell_on_axis(const Cells *cells, int axis, double x)
{
  const double at = (x - cells->lo[axis]) * cells->inverse[axis];
  const int64_t last = cells->n[axis] - 1;
  if (!(at > 0)) return 0;
  return at >= (double)last ? last : (int64_t)at;
}
