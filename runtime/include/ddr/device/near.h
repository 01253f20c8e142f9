/* near.h: queries for near strands on devices, as host/spatial.h on the host.
 *
 * The index is that of runtime/cuda/near.cu, made before the launch.  The test of membership rounds
 * each operation by itself, as the host's does, so that both find the same strands.  A result lies
 * in the thread's room for sequences; if that is exhausted, the result is empty, and the launch is
 * repeated.
 *
 * For device code, included by methods.h; nothing for others.
 */
#pragma once

#include "ddr/cells.h"
#include "ddr/device/device.h"
#include "ddr/device/seq.h"
#include "ddr/device/sort.h"

#if defined(DDR_GPU) || defined(DDR_SHIM)

/* --- reals, rounded after each operation ------------------------------------------------------ */

#if !defined(DDR_GPU)
/* Not inlined, so that the compiler cannot fuse them. */
#define DDR_ROUNDED(name, op, intrinsic)                                                           \
  DDR_FN_SELDOM ddr_real name(ddr_real a, ddr_real b) { return a op b; }
#elif defined(DDR_DOUBLE)
#define DDR_ROUNDED(name, op, intrinsic)                                                           \
  DDR_DEVICE_FN ddr_real name(ddr_real a, ddr_real b) { return __d##intrinsic##_rn(a, b); }
#else
#define DDR_ROUNDED(name, op, intrinsic)                                                           \
  DDR_DEVICE_FN ddr_real name(ddr_real a, ddr_real b) { return __f##intrinsic##_rn(a, b); }
#endif
DDR_ROUNDED(ddr_near_sum, +, add)
DDR_ROUNDED(ddr_near_difference, -, sub)
DDR_ROUNDED(ddr_near_product, *, mul)
#undef DDR_ROUNDED

#if defined(DDR_DOUBLE)
typedef ddr_cells_double ddr_near_cells;
#define ddr_near_cell ddr_cell_in_double
#else
typedef ddr_cells_float ddr_near_cells;
#define ddr_near_cell ddr_cell_in_float
#endif

/* --- a ball and the cells that may have points in it ------------------------------------------ */

typedef struct ddr_ball {
  ddr_real centre[DDR_MOST_DIM];
  ddr_real most; /* the radius squared */
  int32_t first[DDR_MOST_DIM], last[DDR_MOST_DIM];
  int64_t self;
} ddr_ball;

/* Finds the box of cells around the ball.  False: the ball is empty.  Rounding is monotonic: a
 * point whose rounded squared distance is less than the rounded square of the radius is also in the
 * rounded box. */
DDR_DEVICE_FN bool ddr_ball_open(ddr_ball *ball, const ddr_near_cells *cells, int dim,
                                 ddr_real radius) {
  if (!(radius > 0)) return false;
  ball->most = ddr_near_product(radius, radius);
  for (int k = 0; k < DDR_MOST_DIM; k++) {
    ball->first[k] = ball->last[k] = 0;
    if (k >= dim) continue;
    if (!isfinite(ball->centre[k])) return false;
    const ddr_real lo = ddr_near_difference(ball->centre[k], radius);
    const ddr_real hi = ddr_near_sum(ball->centre[k], radius);
    if (hi < cells->lo[k] || lo > cells->hi[k]) return false;
    ball->first[k] = ddr_near_cell(cells, k, lo);
    ball->last[k] = ddr_near_cell(cells, k, hi);
  }
  return true;
}

/* Whether a place is in the ball.  Dimensions are added in order; no place with an overflowing or
 * NaN sum is. */
DDR_DEVICE_FN bool ddr_ball_holds(const ddr_ball *ball, const ddr_real *place, int dim) {
  ddr_real sum = 0;
  for (int k = 0; k < dim; k++) {
    const ddr_real difference = ddr_near_difference(place[k], ball->centre[k]);
    const ddr_real square = ddr_near_product(difference, difference);
    sum = k > 0 ? ddr_near_sum(sum, square) : square;
  }
  return sum < ball->most;
}

/* Reads a point: its position and its slot.  Three floats and a slot are one load by the read-only
 * path, since points do not change while kernels run. */
DDR_DEVICE_FN uint32_t ddr_point_read(const ddr_near *near, uint32_t at, int ahead, int dim,
                                      ddr_real *place) {
#if defined(DDR_GPU) && !defined(DDR_DOUBLE)
  if (dim == 3) {
    const float4 whole = __ldg((const float4 *)near->points + at + ahead);
    place[0] = whole.x;
    place[1] = whole.y;
    place[2] = whole.z;
    return __float_as_uint(whole.w);
  }
#endif
  const ddr_real *point = (const ddr_real *)near->points + ((int64_t)at + ahead) * (dim + 1);
  for (int k = 0; k < dim; k++) place[k] = point[k];
  return *(const uint32_t *)(const void *)(point + dim);
}

/* Coordinate k of a strand's position at the start of the superstep, in three dimensions.  Its
 * columns have the same value, but here one load reads all coordinates. */
DDR_DEVICE_FN ddr_real ddr_place_of(const ddr_device_block *block, const ddr_columns *states,
                                    int64_t slot, int k) {
  (void)states;
  const void *places = block->strands->near.places;
#if defined(DDR_GPU) && !defined(DDR_DOUBLE)
  unsigned __int128 place; /* nvcc would load a vector in three parts */
  memcpy(&place, __builtin_assume_aligned((const float4 *)places + slot, 16), sizeof place);
  return __uint_as_float((unsigned)(place >> 32 * k));
#else
  return ((const ddr_real *)places)[4 * slot + k];
#endif
}

/* An iterator over the points of a ball's cells, row by row.  Rows have different lengths: a thread
 * that has finished one begins the next while other threads of its warp are still in theirs. */
typedef struct ddr_ball_walk {
  const uint32_t *row;      /* where the points of the next row's cells start */
  int64_t to_row, to_plane; /* steps of `row` to the next row, and to the next plane */
  int32_t width, n_y;       /* cells in a row, rows in a plane */
  int32_t left_y, left;     /* rows that are left in the plane, and in all */
  uint32_t at;              /* points that are left of this row: the first, and how many */
  int32_t n;
} ddr_ball_walk;

DDR_DEVICE_FN ddr_ball_walk ddr_ball_begin(const ddr_ball *ball, const ddr_near *near) {
  const ddr_near_cells *cells = (const ddr_near_cells *)near->cells;
  const int64_t n_x = cells->n[0], n_y = cells->n[1];
  const int32_t rows = ball->last[1] - ball->first[1] + 1;
  const int32_t planes = ball->last[2] - ball->first[2] + 1;
  const uint32_t *row = near->starts + (ball->first[2] * n_y + ball->first[1]) * n_x;
  const int32_t width = ball->last[0] - ball->first[0] + 1;
  const ddr_ball_walk walk = {
      row + ball->first[0], n_x, (n_y - rows) * n_x, width, rows, rows, rows * planes, 0, 0};
  return walk;
}

DDR_DEVICE_FN void ddr_ball_row(ddr_ball_walk *walk) {
  walk->at = walk->row[0];
  walk->n = (int32_t)(walk->row[walk->width] - walk->at);
  walk->row += walk->to_row;
  walk->left--;
  if (--walk->left_y > 0) return;
  walk->left_y = walk->n_y;
  walk->row += walk->to_plane;
}

/* The number of points in the ball's cells. */
DDR_DEVICE_FN int64_t ddr_ball_most(const ddr_ball *ball, const ddr_near *near) {
  int64_t n = 0;
  ddr_ball_walk walk = ddr_ball_begin(ball, near);
  do {
    ddr_ball_row(&walk);
    n += walk.n;
  } while (walk.left > 0);
  return n;
}

/* If is_one, writes a slot and moves on to the next place: by predicated instructions, without a
 * branch. */
DDR_DEVICE_FN uint32_t *ddr_slot_put(uint32_t *place, uint32_t slot, bool is_one) {
#if defined(__CUDA_ARCH__)
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p st.u32 [%0], %1; @p add.u64 %0, %0, 4; }"
               : "+l"(place)
               : "r"(slot), "r"((uint32_t)is_one)
               : "memory");
  return place;
#else
  if (is_one) *place = slot;
  return place + is_one;
#endif
}

/* Where a visit stores the slots that it finds. */
typedef enum { DDR_TO_NOWHERE, DDR_TO_ROOM, DDR_TO_STRIPE } ddr_visit_to;

/* Returns the number of strands in the ball, and stores their slots, cell by cell: all of them in a
 * room, which must be large enough, or as many as fit in a stripe (sort.h). There `self` may be
 * among them, and if there are too many, the number is DDR_STRIPE_ROOM + 1.  All threads of a warp
 * execute the whole loop body, even those without a point. */
DDR_DEVICE_FN int64_t ddr_ball_visit(const ddr_ball *ball, const ddr_near *near, int dim,
                                     ddr_visit_to to, uint32_t *slots) {
  const uint32_t self = (uint32_t)ball->self;
  uint32_t *place = slots, n = to == DDR_TO_STRIPE ? ddr_stripe_begin(slots) : 0;
  ddr_ball_walk walk = ddr_ball_begin(ball, near);
  do {
    if (walk.n <= 0) ddr_ball_row(&walk);
    DDR_UNROLLED for (int k = 0; k < DDR_POINTS_AT_ONCE; k++) {
      ddr_real where[DDR_MOST_DIM];
      const uint32_t slot = ddr_point_read(near, walk.at, k, dim, where);
      const bool is_other = (to == DDR_TO_STRIPE) | (slot != self);
      const bool is_one = (k < walk.n) & is_other & ddr_ball_holds(ball, where, dim);
      if (to == DDR_TO_ROOM) place = ddr_slot_put(place, slot, is_one);
      else if (to == DDR_TO_STRIPE) n = ddr_stripe_put(slots, n, slot, is_one);
      else n += is_one;
    }
    if (to == DDR_TO_STRIPE) n = ddr_stripe_clamp(slots, n);
    walk.at += DDR_POINTS_AT_ONCE;
    walk.n -= DDR_POINTS_AT_ONCE;
  } while ((walk.n > 0) | (walk.left > 0));
  if (to == DDR_TO_STRIPE) return ddr_stripe_count(slots, n);
  return to == DDR_TO_ROOM ? place - slots : n;
}

/* --- queries ---------------------------------------------------------------------------------- */

/* Slots in ascending order, and the buffer that has them. */
typedef struct ddr_near_list {
  ddr_seq_buffer *buffer;
  const uint32_t *slots;
  int64_t n;
} ddr_near_list;

/* Finds the slots in a ball.  If its cells have few points, takes room for all of them, and gives
 * back what is not needed.  Otherwise visits the ball twice: once to count. */
DDR_DEVICE_FN ddr_near_list ddr_near_find(ddr_device_block *block, const ddr_ball *ball, int dim) {
  const ddr_near_list none = {NULL, NULL, 0};
#if defined(DDR_SHIM)
  const int64_t few = 8; /* so that tests cover both ways */
#else
  const int64_t few = 512;
#endif
  const ddr_near *near = &block->strands->near;
  const int64_t most = ddr_ball_most(ball, near);
  const int64_t n_room = most <= few ? most : ddr_ball_visit(ball, near, dim, DDR_TO_NOWHERE, NULL);
  if (n_room == 0) return none;
  const int64_t places = ddr_sort_places(n_room);
  ddr_seq_buffer *buffer =
      (ddr_seq_buffer *)ddr_room_take(block, sizeof *buffer + (size_t)places * sizeof(int64_t));
  if (!buffer) return none;
  void *slots = buffer + 1;
  const int64_t n = ddr_ball_visit(ball, near, dim, DDR_TO_ROOM, (uint32_t *)slots);
  const size_t n_bytes = (size_t)n * sizeof(int64_t);
  const ddr_seq_buffer head = {NULL, NULL, n_bytes, n_bytes, false, 0}; /* nobody's: is copied */
  *buffer = head;
  ddr_room_end(block, (char *)slots + n_bytes);
  if (n == 0) return none;
  const ddr_near_list found = {buffer, ddr_sort_slots((uint32_t *)slots, n, places), n};
  return found;
}

DDR_DEVICE_FN ddr_seq ddr_near_seq(ddr_device_block *block, const ddr_ball *ball, int dim) {
  const ddr_near_list found = ddr_near_find(block, ball, dim);
  if (found.n == 0) return ddr_seq_empty();
  ddr_slots_widen(found.buffer + 1, found.slots, found.n);
  const ddr_seq result = {found.buffer, found.n};
  return result;
}

/* The result of a query that is not a sequence: slots in ascending order, `step` words apart.  They
 * lie in the thread's stripe if it is large enough, else in its room. */
typedef struct ddr_hits {
  const uint32_t *slots;
  uint32_t step;
  uint32_t n;
} ddr_hits;

DDR_DEVICE_FN ddr_hits ddr_near_hits(ddr_device_block *block, const ddr_ball *ball, int dim) {
  if (ddr_has_stripes()) {
    uint32_t *stripe = ddr_own_stripe();
    const int64_t n = ddr_ball_visit(ball, &block->strands->near, dim, DDR_TO_STRIPE, stripe);
    if (n <= DDR_STRIPE_ROOM) {
      const uint32_t n_others = ddr_stripe_sort(stripe, (uint32_t)n, (uint32_t)ball->self);
      const ddr_hits hits = {stripe, DDR_STRIPE_STEP, n_others};
      return hits;
    }
  }
  const ddr_near_list found = ddr_near_find(block, ball, dim);
  const ddr_hits hits = {found.slots, 1, (uint32_t)found.n};
  return hits;
}

DDR_DEVICE_FN ddr_int ddr_hits_length(ddr_hits hits) { return (ddr_int)hits.n; }
/* Slot number k, which is in range. */
DDR_DEVICE_FN int64_t ddr_hits_each(ddr_hits hits, ddr_int k) {
  return (int64_t)hits.slots[(uint32_t)k * hits.step];
}
/* Slot number k, clamped to the range like an index of a sequence; 0 if nothing is near. */
DDR_DEVICE_FN int64_t ddr_hits_slot(ddr_hits hits, ddr_int k) {
  if (hits.n == 0) return 0;
  return ddr_hits_each(hits, (ddr_int)ddr_seq_index(k, (int64_t)hits.n));
}

/* Functions NAME1 to NAME3, by dimension, of a centre, a radius and the slot of the strand that
 * asks. */
#define DDR_QUERIES(name, type, of_ball, none)                                                     \
  DDR_DEVICE_FN type name(ddr_device_block *block, ddr_ball ball, int dim, ddr_real radius) {      \
    const ddr_near_cells *cells = (const ddr_near_cells *)block->strands->near.cells;              \
    if (DDR_THREAD == 0) *(ddr_real *)block->strands->near.radius = radius;                        \
    if (!ddr_ball_open(&ball, cells, dim, radius)) return none;                                    \
    return of_ball(block, &ball, dim);                                                             \
  }                                                                                                \
  DDR_DEVICE_FN type name##1(ddr_device_block * block, ddr_real x, ddr_real radius,                \
                             int64_t self) {                                                       \
    ddr_ball ball;                                                                                 \
    ball.centre[0] = x;                                                                            \
    ball.self = self;                                                                              \
    return name(block, ball, 1, radius);                                                           \
  }                                                                                                \
  DDR_DEVICE_FN type name##2(ddr_device_block * block, ddr_real x, ddr_real y, ddr_real radius,    \
                             int64_t self) {                                                       \
    ddr_ball ball;                                                                                 \
    ball.centre[0] = x;                                                                            \
    ball.centre[1] = y;                                                                            \
    ball.self = self;                                                                              \
    return name(block, ball, 2, radius);                                                           \
  }                                                                                                \
  DDR_DEVICE_FN type name##3(ddr_device_block * block, ddr_real x, ddr_real y, ddr_real z,         \
                             ddr_real radius, int64_t self) {                                      \
    ddr_ball ball;                                                                                 \
    ball.centre[0] = x;                                                                            \
    ball.centre[1] = y;                                                                            \
    ball.centre[2] = z;                                                                            \
    ball.self = self;                                                                              \
    return name(block, ball, 3, radius);                                                           \
  }

DDR_DEVICE_FN ddr_hits ddr_no_hits(void) {
  const ddr_hits none = {NULL, 1, 0};
  return none;
}

DDR_QUERIES(ddr_device_sphere, ddr_seq, ddr_near_seq, ddr_seq_empty())
DDR_QUERIES(ddr_hits_of, ddr_hits, ddr_near_hits, ddr_no_hits())
#undef DDR_QUERIES

#endif
