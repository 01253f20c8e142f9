/* near.h: the inner loops of queries: which points of a run are in a ball, and sorting of slots.
 * They are compiled with the program, for the vector instructions of its processors.
 *
 * The arithmetic is that of single numbers, so results are the same for vectors of any width.
 * Read next: spatial.h; runtime/src/space/query.c, which finds the runs.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "ddr/cells.h"
#include "ddr/register.h"

enum {
  DDR_NEAR_SPARE = 32, /* elements behind a column that may be read, behind hits also written */
  DDR_NEAR_FEW = 96,   /* up to this many slots are sorted by counting */
  DDR_NEAR_LANES = 16, /* of a gang, at most */
  DDR_NEAR_ROWS = 8,   /* memory for rows of a gang's hits is for a multiple of this, */
  DDR_NEAR_ALIGNED = 64
};

/* The points of an index, cell by cell: a column of reals of the program for each dimension. */
typedef struct ddr_near_points {
  int dim;
  const void *place[DDR_MOST_DIM];
  const uint32_t *slots; /* less than 2^31 */
} ddr_near_points;

/* A run: points [begin, end), at least one. */
typedef struct ddr_near_run {
  uint32_t begin, end;
} ddr_near_run;

/* Points sorted by cell: those of a cell begin at starts[cell], and end where the next begins. */
typedef struct ddr_near_grid {
  const ddr_near_points *points;
  const ddr_cells *cells;
  const uint32_t *starts;
} ddr_near_grid;

/* A ball, and the strand that asks, which does not count. */
typedef struct ddr_near_ball {
  const void *centre, *radius; /* reals of the program */
  int64_t self;
} ddr_near_ball;

/* The balls of a gang. Reals of the program lie lane by lane: first all radii, then, for each
 * dimension, that coordinate of all centres. */
typedef struct ddr_near_gang {
  const void *reals;
  const int64_t *self; /* slots of the strands */
  int n_lanes;
  uint32_t asking; /* the set of lanes that ask; the others find nothing */
} ddr_near_gang;

/* What the lanes of a gang have found: the slots of each, in the order of its runs; and memory for
 * rows of them. */
typedef struct ddr_near_found {
  const uint32_t *hits[DDR_NEAR_LANES];
  uint32_t n[DDR_NEAR_LANES];
  uint32_t *rows;     /* rows of one slot per lane; NULL if memory is short */
  int64_t n_rows;     /* maximum of n over the lanes */
  bool is_filled;     /* the rows are those of an earlier superstep */
  const char *states; /* what strands read of each other, by slot, */
  size_t size;        /* bytes of one */
} ddr_near_found;

typedef struct ddr_near_loops {
  /* Stores the slots of points whose squared distance from the centre is less than the squared
   * radius, in the order of the runs; returns their number. */
  uint32_t (*test)(const ddr_near_points *points, const ddr_near_ball *ball,
                   const ddr_near_run *runs, int n_runs, uint32_t *hits);
  /* Sorts at most DDR_NEAR_FEW slots. */
  void (*order)(const uint32_t *hits, int64_t n, int64_t *ordered);
  /* ddr_vsearch_gang of lanes/search.h; NULL: strands have no gangs. */
  int64_t (*search)(const ddr_near_grid *grid, const ddr_near_gang *gang, uint32_t *hits,
                    int64_t capacity, ddr_near_found *found);
} ddr_near_loops;

/* For each subset of eight lanes, the numbers of its lanes, ascending, in four bits each
 * (near_places.c). */
#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* in the shared runtime */
extern const uint32_t ddr_near_places[256];
#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

/* Stores the slots of those of the first n lanes that are in a ball, without the asking strand's
 * own; returns their number. */
#define DDR_NEAR_KEEP(real, mask_lane)                                                             \
  static inline uint32_t ddr_near_keep_##real(                                                     \
      const mask_lane *is_near, uint32_t n, const uint32_t *slots, int64_t self, uint32_t *hits) { \
    uint32_t n_hits = 0;                                                                           \
    for (uint32_t k = 0; k < n; k++) {                                                             \
      hits[n_hits] = slots[k];                                                                     \
      n_hits += is_near[k] != 0 && slots[k] != self;                                               \
    }                                                                                              \
    return n_hits;                                                                                 \
  }
#if DDR_REGISTER_SIZE == 64
/* By the compress instruction. A builtin, because compilers take longer to read their header of
 * intrinsics than the rest of a program. */
static inline uint32_t ddr_near_keep_float(const int32_t *is_near, uint32_t n,
                                           const uint32_t *slots, int64_t self, uint32_t *hits) {
  typedef int32_t lanes __attribute__((vector_size(64)));
  lanes all, near;
  memcpy(&all, slots, sizeof all);
  memcpy(&near, is_near, sizeof near);
  const uint32_t there = n < 16 ? (1u << n) - 1 : 0xffff;
  const uint32_t kept = there & __builtin_ia32_cvtd2mask512(near & (all != (int32_t)self));
  const lanes first = __builtin_ia32_compresssi512_mask(all, (lanes){0}, (uint16_t)kept);
  memcpy(hits, &first, sizeof first);
  return (uint32_t)__builtin_popcount(kept);
}
#elif DDR_REGISTER_SIZE == 32 && defined(__AVX2__)
/* By a table of permutations, without branches: which points are in the ball is hard to predict. */
static inline uint32_t ddr_near_keep_float(const int32_t *is_near, uint32_t n,
                                           const uint32_t *slots, int64_t self, uint32_t *hits) {
  typedef int32_t lanes __attribute__((vector_size(32)));
  typedef float signs __attribute__((vector_size(32)));
  typedef uint32_t places __attribute__((vector_size(32)));
  lanes all, near;
  memcpy(&all, slots, sizeof all);
  memcpy(&near, is_near, sizeof near);
  const uint32_t there = n < 8 ? (1u << n) - 1 : 0xff;
  const signs wanted = (signs)(near & (all != (int32_t)self));
  const uint32_t kept = there & (uint32_t)__builtin_ia32_movmskps256(wanted);
  const places from =
      (ddr_near_places[kept] - (places){0}) >> (places){0, 4, 8, 12, 16, 20, 24, 28};
  const lanes first = (lanes)__builtin_ia32_permvarsi256(all, (lanes)from); /* uses three bits */
  memcpy(hits, &first, sizeof first);
  return (uint32_t)__builtin_popcount(kept);
}
#else
DDR_NEAR_KEEP(float, int32_t)
#endif
DDR_NEAR_KEEP(double, int64_t)
#undef DDR_NEAR_KEEP

/* nvcc does not know the pragma, and programs for devices seldom come here. */
#if defined(__CUDACC__)
#define DDR_NEAR_UNROLLED
#else
#define DDR_NEAR_UNROLLED _Pragma("GCC unroll 3")
#endif

/* One rounding per operation, dimensions in order; a point with an overflowing or NaN sum is not in
 * the ball.  Runs are short, so all that does not depend on the run is outside their loop. */
#define DDR_NEAR_IN(real, mask_lane)                                                               \
  static inline uint32_t ddr_near_along_##real(                                                    \
      int dim, const ddr_near_points *points, const ddr_near_ball *ball, const ddr_near_run *runs, \
      int n_runs, uint32_t *hits) {                                                                \
    enum { N = DDR_REGISTER_SIZE / sizeof(real) };                                                 \
    typedef real vector __attribute__((vector_size(DDR_REGISTER_SIZE)));                           \
    typedef mask_lane mask __attribute__((vector_size(DDR_REGISTER_SIZE)));                        \
    const real *centre = (const real *)ball->centre, radius = *(const real *)ball->radius;         \
    const real most = radius * radius, *place_of[DDR_MOST_DIM];                                    \
    const int64_t self = ball->self;                                                               \
    const uint32_t *slots = points->slots;                                                         \
    for (int k = 0; k < DDR_MOST_DIM; k++) place_of[k] = (const real *)points->place[k];           \
    uint32_t n_hits = 0;                                                                           \
    for (int run = 0; run < n_runs; run++) {                                                       \
      const uint32_t end = runs[run].end;                                                          \
      for (uint32_t at = runs[run].begin; at < end; at += N) {                                     \
        vector sum = {0};                                                                          \
        DDR_NEAR_UNROLLED for (int k = 0; k < dim; k++) {                                          \
          vector place;                                                                            \
          memcpy(&place, place_of[k] + at, sizeof place);                                          \
          place -= centre[k];                                                                      \
          sum += place * place;                                                                    \
        }                                                                                          \
        const mask in_ball = sum < most;                                                           \
        mask_lane is_near[N];                                                                      \
        memcpy(is_near, &in_ball, sizeof is_near);                                                 \
        const uint32_t n = end - at < N ? end - at : N;                                            \
        n_hits += ddr_near_keep_##real(is_near, n, slots + at, self, hits + n_hits);               \
      }                                                                                            \
    }                                                                                              \
    return n_hits;                                                                                 \
  }                                                                                                \
  static inline uint32_t ddr_near_##real(const ddr_near_points *points, const ddr_near_ball *ball, \
                                         const ddr_near_run *runs, int n_runs, uint32_t *hits) {   \
    switch (points->dim) {                                                                         \
    case 1: return ddr_near_along_##real(1, points, ball, runs, n_runs, hits);                     \
    case 2: return ddr_near_along_##real(2, points, ball, runs, n_runs, hits);                     \
    default: return ddr_near_along_##real(3, points, ball, runs, n_runs, hits);                    \
    }                                                                                              \
  }
DDR_NEAR_IN(float, int32_t)
DDR_NEAR_IN(double, int64_t)
#undef DDR_NEAR_IN
#undef DDR_NEAR_UNROLLED

/* Sorts by counting: the place of each slot is the number of smaller ones; no two are equal. Two
 * registers at a time: most balls hold no more, and the two counts are independent. */
static inline void ddr_near_order(const uint32_t *hits, int64_t n, int64_t *ordered) {
  enum { N = DDR_REGISTER_SIZE / sizeof(int32_t) * 2 };
  typedef int32_t vector __attribute__((vector_size(DDR_REGISTER_SIZE)));
  for (int64_t begin = 0; begin < n; begin += N) {
    vector slots[2], counts[2] = {{0}, {0}};
    int32_t places[N];
    memcpy(slots, hits + begin, sizeof slots);
    for (int64_t k = 0; k < n; k++) {
      counts[0] -= (int32_t)hits[k] < slots[0];
      counts[1] -= (int32_t)hits[k] < slots[1];
    }
    memcpy(places, counts, sizeof places);
    const int64_t n_here = n - begin < N ? n - begin : N;
    for (int64_t k = 0; k < n_here; k++) ordered[places[k]] = hits[begin + k];
  }
}
