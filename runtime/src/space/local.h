/* local.h: the index of positions, as index.c builds it and query.c reads it.
 *
 * Points lie cell by cell; the cells of a row (axis 0) follow each other, so a part of a row is one
 * range of points.  A cell with many points has a grid of its own.  All counts are 32 bits.
 */
#pragma once

#include <pthread.h>
#include <string.h>

#include "ddr/host/near.h"
#include "runtime/src/strands/halo.h"

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
  uint32_t n_nowhere;      /* strands with others */
  char *points;            /* while building */
  ddr_near_points columns; /* the same for queries */
  uint32_t *nowhere;       /* slots of the others */
  Cells *grids;            /* number 0 holds all points */
  uint32_t *starts, *children;
  int64_t n_grids, n_starts, n_children;
  char *sorted;             /* while building: points on their way */
  uint32_t *cells_of;       /* while building: the cell of each point */
  Space space[SPACE_COUNT]; /* behind the arrays above */

  /* Of several ranks each needs a part (part.c). */
  bool is_watched;      /* they note how far they ask */
  bool is_part;         /* of what is in the region */
  int n_not_tried;      /* so often it is not tried again */
  ddr_region own;       /* around own strands that run */
  ddr_region region;    /* and as far around them as was asked last */
  ddr_index *wider;     /* of a part, made when somebody asks for more: the last one first */
  ddr_region wanted;    /* by those who wait for one */
  pthread_mutex_t lock; /* around these two */
};

/* part.c: whether a part will do, and which. */
void ddr_part_choose(ddr_world *world, ddr_index *index);

/* part.c: the points of the part, unless these are most of all: then it is none.  False: memory is
 * short. */
bool ddr_part_read(const ddr_world *world, ddr_index *index);

/* part.c: the index that knows all strands within a box, of a query with that radius; NULL: memory
 * is short.  While strands run. */
const ddr_index *ddr_part_for(ddr_worker *worker, const ddr_region *box, double radius);

/* index.c: a slot among those that are nowhere. */
bool ddr_index_push_nowhere(ddr_index *index, uint32_t slot);

/* index.c: makes the index, by all workers, or, while these are at work, by the one that asks. */
void ddr_index_free_spaces(ddr_index *index);
typedef void Sched(ddr_thread_pool *threads, const ddr_job *job);
bool ddr_index_build(ddr_world *world, ddr_index *index, Sched *run);

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
