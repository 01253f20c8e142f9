/* window.h: host/window.h for devices, where a copy of the samples would lie in local memory.
 *
 * A window only has the place of its samples; each sum reads them again, from caches.  Loops over
 * rows are not unrolled.  Elements are selected by comparisons: an array with an index known only
 * at run time would lie in local memory.  Sums are formed in the order of host/window.h, and have
 * the same bits.
 *
 * In the common subset of C17 and CUDA C++ (ddr/device/device.h).
 */
#pragma once

#include <string.h>

#include "ddr/device/samples.h"
#include "ddr/row.h"
#include "ddr/tap.h"
#include "ddr/window.h"

#if defined(DDR_GPU)
#define DDR_ROLLED _Pragma("unroll 1")
#define DDR_WINDOW_FN DDR_FN DDR_INLINED
#else /* in tests, whose C compilers would work for seconds on copies of sums */
#define DDR_ROLLED
#define DDR_WINDOW_FN DDR_FN
#endif

typedef struct ddr_window {
  const ddr_image *image;
  ddr_border rule;
  int64_t first[DDR_MAX_DIM]; /* first tap on each axis; 0 on axes that the image lacks */
  int64_t component;          /* its offset in a voxel */
  ddr_real outside;           /* value of taps outside the grid, for DDR_BORDER_CONST */
} ddr_window;

DDR_FN ddr_window ddr_window_at(const ddr_image *image, ddr_border rule, size_t dim,
                                const ddr_int *first, int64_t component, ddr_real outside) {
  ddr_window window = {image, rule, {first[0], 0, 0}, component, outside};
  if (dim > 1) window.first[DDR_Y] = first[1];
  if (dim > 2) window.first[DDR_Z] = first[2];
  return window;
}

#define DDR_WINDOW(type, rule, image, first, component, outside, half_support)                     \
  ddr_window_at(image, rule, sizeof(first).v / sizeof(ddr_int), (first).v, component, outside)

/* --- samples ---------------------------------------------------------------------------------- */

typedef struct ddr_window_tap {
  int64_t offset;  /* in samples, along its axis */
  bool is_outside; /* the constant takes its place */
} ddr_window_tap;

/* Tap k of an axis. */
DDR_FN ddr_window_tap ddr_window_tap_at(const ddr_window *window, int axis, int k) {
  const int64_t tap = window->first[axis] + k;
  const int64_t idx = ddr_border_tap(window->rule, tap, window->image->size[axis]);
  const ddr_window_tap found = {idx * window->image->stride[axis],
                                window->rule == DDR_BORDER_CONST && idx != tap};
  return found;
}

/* The sample at an offset, of any type, as a real. */
DDR_FN_RARE ddr_real ddr_window_sample(const ddr_image *image, int64_t offset) {
  const int64_t second = ddr_second_of_pair(image, offset), at = offset - second;
  switch (image->sample) {
#define ROW(id, upper, c_type)                                                                     \
  case DDR_SAMPLE_##upper:                                                                         \
    return (ddr_real)DDR_ONE_OF_PAIR(ddr_image_pairs_##id(image) + at, second);
    DDR_SAMPLE_TYPES(ROW)
#undef ROW
  case DDR_SAMPLE_REAL: break;
  }
  return DDR_ONE_OF_PAIR(ddr_image_pairs(image) + at, second);
}

/* --- sums ------------------------------------------------------------------------------------- */

#define DDR_WINDOW_PICK2(row, k) ((k) == 0 ? (row)[0] : (row)[1])
#define DDR_WINDOW_PICK4(row, k)                                                                   \
  ((k) < 2 ? DDR_WINDOW_PICK2(row, k) : (k) == 2 ? (row)[2] : (row)[3])
#define DDR_WINDOW_PICK6(row, k)                                                                   \
  ((k) < 4 ? DDR_WINDOW_PICK4(row, k) : (k) == 4 ? (row)[4] : (row)[5])

/* Sums of samples times weights, with one row of weights per axis: x, y, z.  They start at -0,
 * which changes no bit of what is added. */
#define DDR_WINDOW_DEFINE_SUM(width)                                                               \
  DDR_WINDOW_FN ddr_real ddr_window##width##_sum(const ddr_window *window,                         \
                                                 const ddr_row##width *weight, int dim) {          \
    ddr_row##width sum = DDR_ROW##width##_SPLAT(DDR_R(-0.0));                                      \
    ddr_window_tap x[width];                                                                       \
    DDR_EACH_TAP(k, 0, width) x[k] = ddr_window_tap_at(window, DDR_X, k);                          \
    DDR_ROLLED for (int j = 0; j < (dim > 1 ? width : 1); j++) {                                   \
      const ddr_window_tap y = ddr_window_tap_at(window, DDR_Y, j);                                \
      ddr_row##width line = DDR_ROW##width##_SPLAT(DDR_R(-0.0));                                   \
      DDR_ROLLED for (int i = 0; i < (dim > 2 ? width : 1); i++) {                                 \
        const ddr_window_tap z = ddr_window_tap_at(window, DDR_Z, i);                              \
        const int64_t offset = window->component + y.offset + z.offset;                            \
        ddr_row##width row = {0};                                                                  \
        ddr_real sample[width];                                                                    \
        DDR_EACH_TAP(k, 0, width)                                                                  \
        sample[k] = y.is_outside || z.is_outside || x[k].is_outside                                \
                        ? window->outside                                                          \
                        : ddr_window_sample(window->image, offset + x[k].offset);                  \
        memcpy(&row, sample, sizeof sample);                                                       \
        line = dim > 2 ? DDR_ROW##width##_FMA(row, DDR_WINDOW_PICK##width(weight[DDR_Z], i), line) \
                       : row;                                                                      \
      }                                                                                            \
      sum = dim > 1 ? DDR_ROW##width##_FMA(line, DDR_WINDOW_PICK##width(weight[DDR_Y], j), sum)    \
                    : line;                                                                        \
    }                                                                                              \
    return DDR_ROW##width##_DOT(sum, weight[DDR_X]);                                               \
  }
DDR_WINDOW_DEFINE_SUM(2)
DDR_WINDOW_DEFINE_SUM(4)
DDR_WINDOW_DEFINE_SUM(6)
#undef DDR_WINDOW_DEFINE_SUM

#define DDR_WINDOW_SUM(width, window, weight, dim) ddr_window##width##_sum(&(window), weight, dim)
