/* near.h: queries for near strands on devices, as host/spatial.h on the host.
 *
 * The index is that of runtime/cuda/near.cu, made before the launch.  The test of membership rounds
 * each operation by itself, as the host's does, so that both find the same strands.  A result lies
 * in the room that the thread has for sequences; without memory it is empty, and the launch is done
 * again.
 *
 * For device code, included by methods.h; nothing for others.
 */
#pragma once

#include "ddr/cells.h"
#include "ddr/device/device.h"
#include "ddr/device/seq.h"

#if defined(DDR_GPU) || defined(DDR_SHIM)

/* --- reals, rounded after each operation ------------------------------------------------------ */

#if !defined(DDR_GPU)
/* What is not inlined is not fused. */
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

/* --- a ball and the cells that may hold something in it --------------------------------------- */

typedef struct ddr_ball {
  ddr_real centre[DDR_MOST_DIM];
  ddr_real most; /* the radius squared */
  int32_t first[DDR_MOST_DIM], last[DDR_MOST_DIM];
  int64_t self;
} ddr_ball;

/* False: nothing is in it.  Rounding is monotonic: a point whose rounded squared distance is less
 * than the rounded square of the radius is also in the rounded box. */
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

/* Dimensions in order; an overflowing or NaN sum is no member. */
DDR_DEVICE_FN bool ddr_ball_holds(const ddr_ball *ball, const ddr_real *place, int dim) {
  ddr_real sum = 0;
  for (int k = 0; k < dim; k++) {
    const ddr_real difference = ddr_near_difference(place[k], ball->centre[k]);
    sum = ddr_near_sum(sum, ddr_near_product(difference, difference));
  }
  return sum < ball->most;
}

/* A point: where it is, and its slot. Three floats and a slot are one load, since nobody writes
 * points while kernels run. */
DDR_DEVICE_FN int64_t ddr_point_read(const ddr_near *near, int64_t at, int dim, ddr_real *place) {
  const ddr_real *point = (const ddr_real *)near->points + at * (dim + 1);
#if defined(DDR_GPU) && !defined(DDR_DOUBLE)
  if (dim == 3) {
    const float4 whole = __ldg((const float4 *)(const void *)point);
    place[0] = whole.x;
    place[1] = whole.y;
    place[2] = whole.z;
    return __float_as_uint(whole.w);
  }
#endif
  for (int k = 0; k < dim; k++) place[k] = point[k];
  return *(const uint32_t *)(const void *)(point + dim);
}

/* The points of its cells in a row of them. */
DDR_DEVICE_FN void ddr_ball_row(const ddr_ball *ball, const ddr_near *near, int32_t y, int32_t z,
                                uint32_t *begin, uint32_t *end) {
  const ddr_near_cells *cells = (const ddr_near_cells *)near->cells;
  const uint32_t *starts = near->starts + (z * cells->n[1] + y) * cells->n[0];
  *begin = starts[ball->first[0]];
  *end = starts[ball->last[0] + 1];
}

/* How many points its cells have. */
DDR_DEVICE_FN int64_t ddr_ball_most(const ddr_ball *ball, const ddr_near *near) {
  int64_t n = 0;
  for (int32_t z = ball->first[2]; z <= ball->last[2]; z++) {
    for (int32_t y = ball->first[1]; y <= ball->last[1]; y++) {
      uint32_t begin, end;
      ddr_ball_row(ball, near, y, z, &begin, &end);
      n += end - begin;
    }
  }
  return n;
}

/* The number of strands in it; their slots, unless `slots` is NULL, cell by cell. */
DDR_DEVICE_FN int64_t ddr_ball_visit(const ddr_ball *ball, const ddr_near *near, int dim,
                                     int64_t *slots) {
  int64_t n = 0;
  for (int32_t z = ball->first[2]; z <= ball->last[2]; z++) {
    for (int32_t y = ball->first[1]; y <= ball->last[1]; y++) {
      uint32_t at, end;
      for (ddr_ball_row(ball, near, y, z, &at, &end); at < end; at++) {
        ddr_real place[DDR_MOST_DIM];
        const int64_t slot = ddr_point_read(near, at, dim, place);
        if (!ddr_ball_holds(ball, place, dim) || slot == ball->self) continue;
        if (slots) slots[n] = slot;
        n++;
      }
    }
  }
  return n;
}

/* --- order ------------------------------------------------------------------------------------ */

DDR_DEVICE_FN void ddr_insertion_sort(int64_t *slots, int64_t n) {
  for (int64_t at = 1; at < n; at++) {
    const int64_t slot = slots[at];
    int64_t place = at;
    for (; place > 0 && slots[place - 1] > slot; place--) slots[place] = slots[place - 1];
    slots[place] = slot;
  }
}

/* Makes a heap of slots [root, n), whose largest is the first, of two heaps below a root. */
DDR_DEVICE_FN void ddr_sift(int64_t *slots, int64_t root, int64_t n) {
  const int64_t slot = slots[root];
  for (int64_t child = 2 * root + 1; child < n; child = 2 * root + 1) {
    if (child + 1 < n && slots[child + 1] > slots[child]) child++;
    if (slots[child] <= slot) break;
    slots[root] = slots[child];
    root = child;
  }
  slots[root] = slot;
}

/* In place: what is sorted lies in the memory of a thread among many. */
DDR_DEVICE_FN void ddr_sort_slots(int64_t *slots, int64_t n) {
#if defined(DDR_SHIM)
  const int64_t few = 4; /* so that tests see heaps */
#else
  const int64_t few = 32;
#endif
  if (n <= few) {
    ddr_insertion_sort(slots, n);
    return;
  }
  for (int64_t root = n / 2; root-- > 0;) ddr_sift(slots, root, n);
  for (int64_t end = n; end-- > 1;) {
    const int64_t largest = slots[0];
    slots[0] = slots[end];
    slots[end] = largest;
    ddr_sift(slots, 0, end);
  }
}

/* --- queries ---------------------------------------------------------------------------------- */

/* Room for as many slots as there are points in its cells, where these are few; what is not needed
 * goes back. Otherwise the ball is visited twice. */
DDR_DEVICE_FN ddr_seq ddr_near_seq(ddr_device_block *block, const ddr_ball *ball, int dim) {
#if defined(DDR_SHIM)
  const int64_t few = 8; /* so that tests see both ways */
#else
  const int64_t few = 512;
#endif
  const ddr_near *near = &block->strands->near;
  const int64_t most = ddr_ball_most(ball, near);
  const int64_t n_room = most <= few ? most : ddr_ball_visit(ball, near, dim, NULL);
  if (n_room == 0) return ddr_seq_empty();
  ddr_seq_buffer *buffer =
      (ddr_seq_buffer *)ddr_room_take(block, sizeof *buffer + (size_t)n_room * sizeof(int64_t));
  if (!buffer) return ddr_seq_empty();
  int64_t *slots = (int64_t *)(void *)(buffer + 1);
  const int64_t n = ddr_ball_visit(ball, near, dim, slots);
  const size_t n_bytes = (size_t)n * sizeof(int64_t);
  const ddr_seq_buffer head = {NULL, NULL, n_bytes, n_bytes, false, 0}; /* nobody's: is copied */
  *buffer = head;
  ddr_room_end(block, slots + n);
  if (n == 0) return ddr_seq_empty();
  ddr_sort_slots(slots, n);
  const ddr_seq result = {buffer, n};
  return result;
}

DDR_DEVICE_FN ddr_seq ddr_device_sphere(ddr_device_block *block, ddr_ball ball, int dim,
                                        ddr_real radius) {
  const ddr_near_cells *cells = (const ddr_near_cells *)block->strands->near.cells;
  if (!ddr_ball_open(&ball, cells, dim, radius)) return ddr_seq_empty();
  return ddr_near_seq(block, &ball, dim);
}

DDR_DEVICE_FN ddr_seq ddr_device_sphere1(ddr_device_block *block, ddr_real x, ddr_real radius,
                                         int64_t self) {
  ddr_ball ball;
  ball.centre[0] = x;
  ball.self = self;
  return ddr_device_sphere(block, ball, 1, radius);
}
DDR_DEVICE_FN ddr_seq ddr_device_sphere2(ddr_device_block *block, ddr_real x, ddr_real y,
                                         ddr_real radius, int64_t self) {
  ddr_ball ball;
  ball.centre[0] = x;
  ball.centre[1] = y;
  ball.self = self;
  return ddr_device_sphere(block, ball, 2, radius);
}
DDR_DEVICE_FN ddr_seq ddr_device_sphere3(ddr_device_block *block, ddr_real x, ddr_real y,
                                         ddr_real z, ddr_real radius, int64_t self) {
  ddr_ball ball;
  ball.centre[0] = x;
  ball.centre[1] = y;
  ball.centre[2] = z;
  ball.self = self;
  return ddr_device_sphere(block, ball, 3, radius);
}

#endif
