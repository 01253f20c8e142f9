/* window.h: samples under a kernel that reaches beyond the border of its image, on the host.
 *
 * A window is a copy of one component of them, 2s samples on each axis for half-support s, x
 * fastest.  It is filled tap by tap, with every index mapped by the border rule of its axis, from
 * samples of any type; then each derivative is a weighted sum over it.  Few probes need one, so
 * there are loops here; for supports within the grid, generated code is unrolled.  Sums are formed
 * in the same order: over z, then y, then x.
 */
#pragma once

#include <string.h>

#include "ddr/row_load.h"
#include "ddr/tap.h"
#include "ddr/window.h"

/* --- filling ---------------------------------------------------------------------------------- */

typedef struct ddr_taps {
  int n[DDR_MAX_DIM];                         /* 1 on axes that the image lacks */
  int64_t offset[DDR_MAX_DIM][DDR_MAX_TAPS];  /* in samples */
  bool is_outside[DDR_MAX_DIM][DDR_MAX_TAPS]; /* of the grid */
} ddr_taps;

/* The taps of one axis. Mostly a support leaves the grid along one axis only, and needs no rule for
 * the others; what is outside matters for constants alone. */
DDR_FN void ddr_taps_along(const ddr_image *image, int axis, ddr_border rule, int64_t first,
                           int n_taps, ddr_taps *taps) {
  const int64_t size = image->size[axis], stride = image->stride[axis];
  const bool is_within = first >= 0 && first <= size - n_taps;
  DDR_EACH_TAP(k, 0, n_taps) {
    const int64_t tap = first + k, idx = is_within ? tap : ddr_border_tap(rule, tap, size);
    taps->offset[axis][k] = idx * stride;
    if (rule == DDR_BORDER_CONST) taps->is_outside[axis][k] = idx != tap;
  }
}

DDR_FN void ddr_taps_of(const ddr_image *image, ddr_border rule, const ddr_int *first, int n_taps,
                        ddr_taps *taps) {
  for (int axis = 0; axis < DDR_MAX_DIM; axis++) {
    taps->n[axis] = axis < image->dim ? n_taps : 1;
    taps->offset[axis][0] = 0;
    taps->is_outside[axis][0] = false;
    if (axis < image->dim) ddr_taps_along(image, axis, rule, first[axis], n_taps, taps);
  }
}

DDR_FN void ddr_window_read(const ddr_image *image, const ddr_taps *taps, int64_t component,
                            int n_taps, ddr_real *out) {
  const int64_t *x_offset = taps->offset[DDR_X];
  for (int z = 0; z < taps->n[DDR_Z]; z++) {
    for (int y = 0; y < taps->n[DDR_Y]; y++, out += n_taps) {
      const int64_t row = component + taps->offset[DDR_Y][y] + taps->offset[DDR_Z][z];
      DDR_EACH_TAP(x, 0, n_taps) out[x] = ddr_image_sample(image, row + x_offset[x]);
    }
  }
}

/* The same of an image that keeps reals. */
DDR_FN void ddr_window_read_reals(const ddr_image *image, const ddr_taps *taps, int64_t component,
                                  int n_taps, ddr_real *out) {
  const ddr_real *voxel = ddr_image_samples(image) + component;
  const int64_t *x_offset = taps->offset[DDR_X];
  for (int z = 0; z < taps->n[DDR_Z]; z++) {
    for (int y = 0; y < taps->n[DDR_Y]; y++, out += n_taps) {
      const ddr_real *row = voxel + taps->offset[DDR_Y][y] + taps->offset[DDR_Z][z];
      DDR_EACH_TAP(x, 0, n_taps) out[x] = *(const ddr_real_at *)(row + x_offset[x]);
    }
  }
}

/* Replaces samples by a constant if their tap is outside on any axis. */
DDR_FN void ddr_window_replace(const ddr_taps *taps, ddr_real constant, int n_taps, ddr_real *out) {
  for (int z = 0; z < taps->n[DDR_Z]; z++) {
    for (int y = 0; y < taps->n[DDR_Y]; y++, out += n_taps) {
      const bool is_outside = taps->is_outside[DDR_Y][y] || taps->is_outside[DDR_Z][z];
      for (int x = 0; x < n_taps; x++)
        if (is_outside || taps->is_outside[DDR_X][x]) out[x] = constant;
    }
  }
}

/* Whether all taps are outside on some axis: then a constant replaces the whole window. */
DDR_FN bool ddr_is_beyond(const ddr_image *image, const ddr_int *first, int n_taps) {
  bool is_beyond = false;
  for (int axis = 0; axis < image->dim; axis++)
    is_beyond |= first[axis] >= image->size[axis] || first[axis] <= -n_taps;
  return is_beyond;
}

DDR_FN void ddr_window_fill(int dim, int n_taps, ddr_real constant, ddr_real *out) {
  int n = n_taps;
  for (int axis = 1; axis < dim; axis++) n *= n_taps;
  for (int k = 0; k < n; k++) out[k] = constant;
}

/* Fills a window for a half-support.  first: the first tap on each axis of the image; component:
 * its offset in a voxel; out: (2s)^dim reals. */
#define DDR_WINDOW_FILL(half_support)                                                              \
  DDR_FN_SELDOM void ddr_window##half_support(const ddr_image *image, ddr_border rule,             \
                                              const ddr_int *first, int64_t component,             \
                                              ddr_real outside, ddr_real *out) {                   \
    ddr_taps taps;                                                                                 \
    if (rule == DDR_BORDER_CONST && ddr_is_beyond(image, first, 2 * half_support)) {               \
      ddr_window_fill(image->dim, 2 * half_support, outside, out);                                 \
      return;                                                                                      \
    }                                                                                              \
    __asm__("" : "=m"(taps)); /* not initialised: clearing it would take longer than filling it */ \
    ddr_taps_of(image, rule, first, 2 * half_support, &taps);                                      \
    if (image->sample == DDR_SAMPLE_REAL)                                                          \
      ddr_window_read_reals(image, &taps, component, 2 * half_support, out);                       \
    else ddr_window_read(image, &taps, component, 2 * half_support, out);                          \
    if (rule == DDR_BORDER_CONST) ddr_window_replace(&taps, outside, 2 * half_support, out);       \
  }
DDR_WINDOW_FILL(1)
DDR_WINDOW_FILL(2)
DDR_WINDOW_FILL(3)
#undef DDR_WINDOW_FILL

/* The window as a struct of one array of reals; `first` is a struct of one array of ints. */
#define DDR_WINDOW(type, rule, image, first, component, outside, half_support)                     \
  __extension__({                                                                                  \
    type ddr_support;                                                                              \
    ddr_window##half_support(image, rule, (first).v, component, outside, ddr_support.v);           \
    ddr_support;                                                                                   \
  })

/* --- sums ------------------------------------------------------------------------------------- */

/* A row of a window. The last row of 6 is read from two reals before it, since a load of 8 from its
 * start would read behind the window. */
#define DDR_WINDOW2_ROW(src, is_last) DDR_ROW2_LOAD(src)
#define DDR_WINDOW4_ROW(src, is_last) DDR_ROW4_LOAD(src)
#define DDR_WINDOW6_ROW(src, is_last)                                                              \
  __extension__({                                                                                  \
    const ddr_row6 ddr_loaded = DDR_ROW6_LOAD((src) - ((is_last) ? 2 : 0));                        \
    (is_last) ? __builtin_shufflevector(ddr_loaded, ddr_loaded, 2, 3, 4, 5, 6, 7, 6, 7)            \
              : ddr_loaded;                                                                        \
  })

/* Sums of samples times weights, with one row of weights per axis: x, y, z.  Each row is loaded at
 * once: gcc puts what is copied in parts together on the stack, and waits for it there. */
#define DDR_WINDOW_DEFINE_SUM(width)                                                               \
  DDR_FN_SELDOM ddr_real ddr_window##width##_dot(const ddr_real *window,                           \
                                                 const ddr_row##width *weight, int dim) {          \
    ddr_row##width row, line[width];                                                               \
    if (dim == 1) return DDR_ROW##width##_DOT(DDR_ROW##width##_LANES(window), weight[DDR_X]);      \
    DDR_EACH_TAP(y, 0, width) {                                                                    \
      line[y] = DDR_WINDOW##width##_ROW(window, dim == 2 && y == width - 1);                       \
      window += width;                                                                             \
    }                                                                                              \
    if (dim == 3) {                                                                                \
      DDR_EACH_TAP(y, 0, width) line[y] *= weight[DDR_Z][0];                                       \
      DDR_EACH_TAP(z, 1, width) {                                                                  \
        DDR_EACH_TAP(y, 0, width) {                                                                \
          row = DDR_WINDOW##width##_ROW(window, z == width - 1 && y == width - 1);                 \
          line[y] = DDR_ROW##width##_FMA(row, weight[DDR_Z][z], line[y]);                          \
          window += width;                                                                         \
        }                                                                                          \
      }                                                                                            \
    }                                                                                              \
    row = line[0] * weight[DDR_Y][0];                                                              \
    DDR_EACH_TAP(y, 1, width) row = DDR_ROW##width##_FMA(line[y], weight[DDR_Y][y], row);          \
    return DDR_ROW##width##_DOT(row, weight[DDR_X]);                                               \
  }
DDR_WINDOW_DEFINE_SUM(2)
DDR_WINDOW_DEFINE_SUM(4)
DDR_WINDOW_DEFINE_SUM(6)
#undef DDR_WINDOW_DEFINE_SUM
#undef DDR_WINDOW2_ROW
#undef DDR_WINDOW4_ROW
#undef DDR_WINDOW6_ROW

#define DDR_WINDOW_SUM(width, window, weight, dim) ddr_window##width##_dot((window).v, weight, dim)
