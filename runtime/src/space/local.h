/* local.h: the index of positions, as index.c, points.c and sort.c build it and query.c reads it.
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

/* Points as columns of reals of the program, one for each dimension, and their slots. */
typedef struct Columns {
  void *place[MOST_DIM];
  uint32_t *slots;
} Columns;

typedef enum {
  SPACE_CELLS_OF,
  SPACE_COUNTS,
  SPACE_GRIDS,
  SPACE_STARTS,
  SPACE_CHILDREN,
  SPACE_NOWHERE,
  SPACE_READ,                               /* columns: places, then slots */
  SPACE_SORTED = SPACE_READ + MOST_DIM + 1, /* likewise */
  SPACE_COUNT = SPACE_SORTED + MOST_DIM + 1
} SpaceName;

#if defined(DDR_SMALL_SIZES)
enum { CROWD = 2, POINTS_PER_PART = 4 };
#else
enum { CROWD = 32, POINTS_PER_PART = 1024 };
#endif
enum { MOST_PARTS = 8 }; /* each has a count for every cell */

struct ddr_index {
  int dim;
  bool is_double;
  uint64_t version;        /* of the places that it shows; 0: none yet */
  uint32_t n_points;       /* strands with finite positions */
  uint32_t n_nowhere;      /* strands with others */
  ddr_near_points columns; /* points cell by cell, for queries */
  uint32_t *nowhere;       /* slots of the others */
  Cells *grids;            /* number 0 holds all points */
  uint32_t *starts, *children;
  int64_t n_grids, n_starts, n_children;
  Columns read, sorted;     /* while building: points as they come, and cell by cell */
  uint32_t *cells_of;       /* while building: of each point, its cell, then where it goes */
  Space space[SPACE_COUNT]; /* behind the arrays above */

  /* Of several ranks each needs a part (part.c). */
  bool is_watched;      /* they note how far they ask */
  bool is_part;         /* of what is in the region */
  int n_not_tried;      /* so often it is not tried again */
  ddr_asked here;       /* around own strands that run, as far as was asked last */
  ddr_index *wider;     /* of a part, made when somebody asks for more: the last one first */
  ddr_region wanted;    /* by those who wait for one */
  double reach_wanted;  /* how far they have asked from their places */
  pthread_mutex_t lock; /* around wider, wanted, reach_wanted */
};

/* part.c: whether a part will do, and which. */
void ddr_part_choose(ddr_world *world, ddr_index *index);

/* part.c: the points of the part, unless these are most of all: then it is none.  False: memory is
 * short. */
bool ddr_part_read(const ddr_world *world, ddr_index *index);

/* What a strand asks for: all within a radius. */
typedef struct Question {
  int64_t slot;         /* of the strand */
  bool is_stored_later; /* its state is stored when its update ends, or may have been already */
  const void *centre;   /* finite, as reals of the program */
  double radius;
  ddr_region box; /* around all of that */
} Question;

/* part.c: the index that knows all that is asked for; NULL: memory is short.  While strands run. */
const ddr_index *ddr_part_for(ddr_worker *worker, const Question *asked);

/* How a job is done: by all workers, or, while these are at work, by the one that asks. */
typedef void Sched(ddr_thread_pool *threads, const ddr_job *job);

/* index.c: room for n elements, old content kept; NULL when memory is short. */
void *ddr_index_reserve(ddr_index *index, SpaceName name, int64_t n, size_t size);

/* points.c: all strands, or those of a part, as columns, and the box around them. */
bool ddr_index_collect(ddr_world *world, ddr_index *index, Sched *run, ddr_region *bounds);

/* points.c: a slot among those that are nowhere. */
bool ddr_index_push_nowhere(ddr_index *index, uint32_t slot);

/* points.c: the box around sorted points. */
ddr_region ddr_index_bounds(const ddr_index *index, uint32_t begin, uint32_t end);

/* sort.c: the points of a grid, whose box and first start are chosen, cell by cell; slots of a cell
 * ascend.  The first grid comes from `read`, others are parts of what is sorted.  Whether some cell
 * is crowded; memory has been reserved by ddr_index_reserve_counts. */
bool ddr_index_sort(ddr_world *world, ddr_index *index, const Cells *cells, Sched *run);
bool ddr_index_reserve_counts(ddr_index *index, const Cells *cells, int n_parts);

/* Into how many parts a job over n points is cut: one for each worker, where they are worth it. */
static inline int ddr_index_parts(const ddr_world *world, int64_t n, Sched *run) {
  const int64_t n_workers = run == ddr_sched_alone ? 1 : world->workers->threads->n_workers;
  int64_t n_parts = n / POINTS_PER_PART;
  if (n_parts > n_workers) n_parts = n_workers;
  return (int)(n_parts < 1 ? 1 : n_parts > MOST_PARTS ? MOST_PARTS : n_parts);
}

/* Part k of so many is [ddr_index_cut(n, k, n_parts), the next). */
static inline int64_t ddr_index_cut(int64_t n, int64_t k, int n_parts) { return n * k / n_parts; }

void ddr_index_free_spaces(ddr_index *index);

/* index.c: makes the index. */
bool ddr_index_build(ddr_world *world, ddr_index *index, Sched *run);

/* Whether nothing has changed since. */
static inline bool is_current(const ddr_index *index, const ddr_store *store) {
  return index && index->version == store->version_of_places;
}

/* A float is a double exactly, so what is decided for doubles holds for both. */
static inline double coordinate(const ddr_index *index, const char *reals, int k) {
  double wide;
  float single;
  if (index->is_double) memcpy(&wide, reals + (size_t)k * sizeof wide, sizeof wide);
  else memcpy(&single, reals + (size_t)k * sizeof single, sizeof single);
  return index->is_double ? wide : (double)single;
}
