/* local.h: the index of positions (a cell list): built by index.c, points.c and sort.c, read by
 * query.c.
 *
 * Points are sorted by cell.  The cells of a row (axis 0) follow each other, so part of a row is
 * one range of points.  A cell with many points has a finer grid of its own.  All counts are 32
 * bits.
 */
#pragma once

#include <pthread.h>
#include <string.h>

#include "ddr/host/near.h"
#include "neighbours.h"
#include "runtime/src/ranks/ranks.h"
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

/* Memory that the next build of the index uses again. */
typedef struct Space {
  void *data;
  size_t size; /* bytes */
} Space;

/* Points: a column of coordinates for each dimension, in reals of the program, and one of slots. */
typedef struct Columns {
  void *place[MOST_DIM];
  uint32_t *slots;
} Columns;

typedef enum {
  SPACE_CELLS_OF,
  SPACE_COUNTS,
  SPACE_PARTS,
  SPACE_GRIDS,
  SPACE_STARTS,
  SPACE_CHILDREN,
  SPACE_NOWHERE,
  SPACE_READ,                               /* columns of coordinates, then slots */
  SPACE_SORTED = SPACE_READ + MOST_DIM + 1, /* likewise */
  SPACE_COUNT = SPACE_SORTED + MOST_DIM + 1
} SpaceName;

#if defined(DDR_SMALL_SIZES)
enum { CROWD = 2, SMALL_CROWD = 5, POINTS_PER_PART = 4, PIECE = 3, MOST_BY_WORKER = 80 };
#else
enum { CROWD = 32, SMALL_CROWD = 128, POINTS_PER_PART = 1024, PIECE = 512 };
enum { MOST_BY_WORKER = 1 << 15 };
#endif
enum { MOST_PARTS = 8 }; /* of a parallel sort; each part has a counter for every cell */

/* While building: what workers find out of their parts, of points or of cells. */
typedef struct Part {
  ddr_region bounds;
  int64_t n_nowhere;
  uint32_t n_points;
  bool is_crowded; /* whether one of its cells is crowded */
} Part;

struct ddr_index {
  int dim;
  bool is_double;
  uint64_t version;        /* version_of_places when it was built; 0: not built yet */
  uint32_t n_points;       /* strands with finite positions */
  uint32_t n_nowhere;      /* strands with other positions */
  ddr_near_points columns; /* points sorted by cell, for queries */
  uint32_t *nowhere;       /* slots of strands without finite positions */
  Cells *grids;            /* number 0 has all points */
  uint32_t *starts, *children;
  int64_t n_grids, n_starts, n_children;
  uint32_t crowd;       /* maximum of the points in a divided cell of grid 0; 0: none is divided */
  Columns read, sorted; /* while building: points before and after sorting */
  /* While building: for each point its cell, then its index after sorting. */
  uint32_t *cells_of;
  uint32_t *counts;           /* for each part, of each cell */
  Part *parts;                /* MOST_PARTS */
  Space space[SPACE_COUNT];   /* the memory of the arrays above */
  ddr_neighbours *neighbours; /* NULL until strands have stood still for a superstep */

  /* Of few points: each worker makes an index of all of them for itself when it first asks. */
  bool is_by_worker;
  uint32_t n_own;
  ddr_index **own; /* of each worker; NULL: it has not asked yet */

  /* With several ranks: each indexes only a part of the points (partial_index.c). */
  bool is_watched;                /* the reach of queries is recorded */
  bool is_part;                   /* only points in `here` are in the index */
  const ddr_rank_engine *machine; /* the ranks of this machine make it together (by_machine.c) */
  Space common[SPACE_COUNT];      /* then this is the memory of most arrays */
  int n_alone;                    /* builds until the ranks of a machine try that again */
  int n_not_tried;                /* builds until a part is tried again */
  ddr_asked here;       /* around own strands that run, as far as the last queries asked */
  ddr_index *wider;     /* larger parts, made when queries needed them; the latest first */
  ddr_region wanted;    /* what waiting queries need */
  double reach_wanted;  /* how far from their positions they ask */
  pthread_mutex_t lock; /* guards wider, wanted, reach_wanted */
};

/* partial_index.c: decides whether the index has only a part of the points, and which. */
void ddr_part_choose(ddr_world *world, ddr_index *index);

/* partial_index.c: reads the points of the part; if these are most of all, is_part becomes false.
 * False: memory is short. */
bool ddr_part_read(const ddr_world *world, ddr_index *index);

/* A query: all strands within a radius. */
typedef struct Question {
  int64_t slot;         /* of the strand that asks */
  bool is_stored_later; /* by a gang: its state may not be stored yet when its update has ended */
  const void *centre;   /* finite, in reals of the program */
  double radius;
  ddr_region box; /* around the ball */
} Question;

/* partial_index.c: whether the index of the world has all points of the box.  Records how far the
 * query extends, which predicts what the next superstep needs. */
bool ddr_part_covers(ddr_worker *worker, const Question *asked);

/* partial_index.c: an index with all points of the box; may wait for other ranks.  NULL: memory is
 * short. */
const ddr_index *ddr_part_for(ddr_worker *worker, const Question *asked);

/* How a job is done: by all workers, of this rank or of a machine, or, during a phase, when these
 * are busy, by the caller alone. */
typedef void Sched(ddr_thread_pool *threads, const ddr_job *job);

/* by_machine.c: a job whose items are divided among the ranks of a machine, and the number of
 * workers that these have, the same on all of them. */
void ddr_sched_machine(ddr_thread_pool *threads, const ddr_job *job);
int64_t ddr_workers_of_machine(const ddr_world *world);

/* index.c: memory for n elements that keeps its contents; NULL if memory is short. */
void *ddr_index_reserve(ddr_index *index, SpaceName name, int64_t n, size_t size);

/* points.c: copies the positions of all strands, or of a part, to columns; *bounds is their box. */
bool ddr_index_collect(ddr_world *world, ddr_index *index, Sched *run, ddr_region *bounds);

/* points.c: adds the slot of a strand without a finite position. */
bool ddr_index_push_nowhere(ddr_index *index, uint32_t slot);

/* points.c: the box around sorted points. */
ddr_region ddr_index_bounds(const ddr_index *index, uint32_t begin, uint32_t end);

/* sort.c: sorts the points of a grid, whose box and first_start are set, by cell; slots of a cell
 * ascend.  Reads grid 0 from `read`, the others from `sorted`.  Returns whether some cell has many
 * points.  ddr_index_reserve_counts was called before. */
bool ddr_index_sort(ddr_world *world, ddr_index *index, const Cells *cells, Sched *run);
bool ddr_index_reserve_counts(ddr_index *index, const Cells *cells, int n_parts);

/* Into how many parts a job over n points is divided: at most one for each worker. */
static inline int ddr_index_parts(const ddr_world *world, int64_t n, Sched *run) {
  const int64_t n_workers = run == ddr_sched_alone     ? 1
                            : run == ddr_sched_machine ? ddr_workers_of_machine(world)
                                                       : world->workers->threads->n_workers;
  int64_t n_parts = n / POINTS_PER_PART;
  if (n_parts > n_workers) n_parts = n_workers;
  return (int)(n_parts < 1 ? 1 : n_parts > MOST_PARTS ? MOST_PARTS : n_parts);
}

/* Part k of n_parts is [ddr_index_cut(n, k, n_parts), ddr_index_cut(n, k + 1, n_parts)). */
static inline int64_t ddr_index_cut(int64_t n, int64_t k, int n_parts) { return n * k / n_parts; }

void ddr_index_free_spaces(ddr_index *index);

/* by_machine.c: builds the index with the other ranks of this machine; false: it is not built. */
bool ddr_index_build_together(ddr_world *world, ddr_index *index);

/* by_machine.c: memory of the ranks of a machine, whose contents are undefined; NULL to all: there
 * is no room. */
void *ddr_common_reserve(ddr_index *index, Space *space, size_t n_bytes);

/* index.c: builds the index. */
bool ddr_index_build(ddr_world *world, ddr_index *index, Sched *run);

/* index.c: the index that a worker asks during a phase; NULL: memory is short, the error is
 * recorded. */
const ddr_index *ddr_index_of(ddr_worker *worker);

/* Whether no position has changed since the index was built. */
static inline bool is_current(const ddr_index *index, const ddr_store *store) {
  return index && index->version == store->version_of_places;
}

/* The end of the piece that begins there: PIECE points, whose columns stay in the nearest cache. */
static inline int64_t ddr_piece_end(int64_t begin, int64_t end) {
  return end - begin < PIECE ? end : begin + PIECE;
}

/* Something there will be read soon. */
static inline void ddr_prefetch(const char *address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  (void)address;
#endif
}

/* A float is a double exactly, so what is decided for doubles holds for both. */
static inline double coordinate(const ddr_index *index, const char *reals, int k) {
  double wide;
  float single;
  if (index->is_double) memcpy(&wide, reals + (size_t)k * sizeof wide, sizeof wide);
  else memcpy(&single, reals + (size_t)k * sizeof single, sizeof single);
  return index->is_double ? wide : (double)single;
}
