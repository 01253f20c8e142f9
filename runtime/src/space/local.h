/* local.h: the index of positions, as index.c builds it and query.c reads it.
 *
 * Points lie cell by cell; the cells of a row (axis 0) follow each other, so a part of a row is one
 * range of points.  A cell with many points has a grid of its own.  All counts are 32 bits.
 */
#pragma once

#include <string.h>

#include "ddr/host/near.h"
#include "runtime/src/strands/store.h"

enum { MOST_DIM = DDR_MOST_DIM };

/* A box of cells around points [begin, end) of the index. */
typedef struct Cells {
  ddr_cells box;
  uint32_t begin, end;
  int64_t first_start; /* starts[first_start + cell]: its first point */
  int64_t first_child; /* children[first_child + cell]: number of its grid, or 0; -1: none */
  int depth;
} Cells;

/* Growing memory that the next build uses again. */
typedef struct Space {
  void *data;
  size_t size; /* bytes */
} Space;

enum { SPACE_COUNT = 7 + MOST_DIM + 1 };

/* A point is `dim` reals of the program and its slot, `stride` bytes in all. */
struct ddr_index {
  int dim;
  bool is_double;
  uint64_t version; /* of the places that it shows; 0: none yet */
  size_t stride, slot_offset;
  uint32_t n_points;       /* strands with finite positions */
  char *points;            /* while building */
  ddr_near_points columns; /* the same for queries */
  uint32_t *nowhere;       /* slots of the others */
  Cells *grids;            /* number 0 holds all points */
  uint32_t *starts, *children;
  int64_t n_grids, n_starts, n_children;
  char *sorted;             /* while building: points on their way */
  uint32_t *cells_of;       /* while building: the cell of each point */
  Space space[SPACE_COUNT]; /* behind the arrays above */
};

/* Whether nothing has changed since. */
static inline bool is_current(const ddr_index *index, const ddr_store *store) {
  return index && index->version == store->version_of_places;
}

static inline const char *point_at(const ddr_index *index, uint32_t at) {
  return index->points + at * index->stride;
}

static inline uint32_t slot_of(const ddr_index *index, const char *point) {
  uint32_t slot;
  memcpy(&slot, point + index->slot_offset, sizeof slot);
  return slot;
}

/* A float is a double exactly, so what is decided for doubles holds for both. */
static inline double coordinate(const ddr_index *index, const char *reals, int k) {
  double wide;
  float single;
  if (index->is_double) memcpy(&wide, reals + (size_t)k * sizeof wide, sizeof wide);
  else memcpy(&single, reals + (size_t)k * sizeof single, sizeof single);
  return index->is_double ? wide : (double)single;
}
