/* border.h: samples under kernels of which some reach beyond the border of their image.
 *
 * If all lanes are within the grid, or all but a few, which are left to the code for one strand,
 * rows are loaded from the image.  Otherwise each lane gets a window, a copy of its samples, in
 * which those outside follow the border rule; and an image of such windows stands in for the image.
 * In it, the distances of rows are the same for all lanes again, so that the same code loads them
 * from either.
 *
 * A window has 2s samples on each axis for half-support s, with their components side by side, as
 * the copies of host/support.h.  Read next: window.h, for images of one dimension.
 */
#pragma once

#include "ddr/host/support.h"
#include "ddr/lanes/window.h"

/* The lanes, if windows for all lanes would take longer than each of them by itself: if they are
 * few, or if samples are converted.  Otherwise none. */
DDR_VFN ddr_vmask ddr_vfew(const ddr_image *image, ddr_vmask lanes) {
  const bool alone = !DDR_HAS_REALS(image) || ddr_vcount(lanes) <= DDR_LANES / 8;
  return alone ? lanes : (ddr_vmask){0};
}

/* --- taps ------------------------------------------------------------------------------------- */

/* Of all lanes: the sample that each tap is read from, along each axis. */
typedef struct ddr_vtaps {
  ddr_int idx[DDR_MAX_DIM][DDR_MAX_TAPS][DDR_LANES];
  ddr_lane_set outside[DDR_MAX_DIM][DDR_MAX_TAPS]; /* where a constant takes its place */
} ddr_vtaps;

DDR_VFN void ddr_vtaps_of(const ddr_image *image, ddr_border rule, const ddr_vint first[],
                          int n_taps, ddr_vtaps *taps) {
  for (int axis = 0; axis < image->dim; axis++)
    for (int k = 0; k < n_taps; k++) {
      ddr_vmask is_outside;
      const ddr_vint tap = ddr_viadd(first[axis], ddr_vint_all(k));
      const ddr_vint idx = ddr_vborder_tap(rule, tap, image->size[axis], &is_outside);
      __builtin_memcpy(taps->idx[axis][k], &idx, sizeof idx);
      taps->outside[axis][k] = ddr_vlanes(is_outside);
    }
}

/* From the first sample of the image to those of one lane's taps, along each axis. */
typedef struct ddr_distances {
  int64_t of[DDR_MAX_DIM][DDR_MAX_TAPS];
} ddr_distances;

DDR_FN void ddr_distances_of(const ddr_image *image, const ddr_vtaps *taps, int lane, int n_taps,
                             ddr_distances *distances) {
  distances->of[DDR_Y][0] = distances->of[DDR_Z][0] = 0;
  for (int axis = 0; axis < image->dim; axis++) {
    const int64_t stride = image->stride[axis];
    DDR_EACH_TAP(k, 0, n_taps) distances->of[axis][k] = stride * taps->idx[axis][k][lane];
  }
}

/* --- one window ------------------------------------------------------------------------------- */

/* What the windows of all lanes have in common. */
typedef struct ddr_beyond {
  const ddr_image *image;
  ddr_border rule;
  const ddr_real *outside; /* DDR_BORDER_CONST: one real per component */
  int n_y, n_z;            /* taps along these axes; 1 if the image lacks it */
} ddr_beyond;

#define DDR_EACH_ROW(...)                                                                          \
  for (int z = 0; z < beyond->n_z; z++) {                                                          \
    for (int y = 0; y < beyond->n_y; y++) {                                                        \
      const ddr_real_at *row = samples + distances->of[DDR_Z][z] + distances->of[DDR_Y][y];        \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  }
/* Reads nothing behind them, where the image may end. */
#define DDR_COPY_REALS(from, n)                                                                    \
  do {                                                                                             \
    int k = 0;                                                                                     \
    for (; k + 4 <= (n); k += 4) *(ddr_row4_at *)(out + k) = DDR_ROW4_LOAD((from) + k);            \
    for (; k < (n); k++) out[k] = (from)[k];                                                       \
    out += (n);                                                                                    \
  } while (0)
#define DDR_TAPS_2 DDR_ROW2(row[x[0]], row[x[1]])
#define DDR_TAPS_4 DDR_ROW4(row[x[0]], row[x[1]], row[x[2]], row[x[3]])
#define DDR_TAPS_6 DDR_ROW6(row[x[0]], row[x[1]], row[x[2]], row[x[3]], row[x[4]], row[x[5]])

/* Copies rows of reals. Mostly a kernel leaves the grid along another axis than x, and the taps of
 * its rows are neighbours. */
#define DDR_DEFINE_COPY(width)                                                                     \
  DDR_FN void ddr_border_copy##width(const ddr_beyond *beyond, const ddr_real_at *samples,         \
                                     const ddr_distances *distances, ddr_real *out) {              \
    const int n = beyond->image->n_components;                                                     \
    const int64_t *x = distances->of[DDR_X];                                                       \
    const bool is_run = x[width - 1] - x[0] == (int64_t)(width - 1) * n;                           \
    if (n == 1 && is_run) {                                                                        \
      DDR_EACH_ROW(*(ddr_row##width##_at *)out = DDR_ROW##width##_LOAD(row + x[0]); out += width;) \
    } else if (n == 1) {                                                                           \
      DDR_EACH_ROW(*(ddr_row##width##_at *)out = DDR_TAPS_##width; out += width;)                  \
    } else if (is_run) {                                                                           \
      DDR_EACH_ROW(DDR_COPY_REALS(row + x[0], width * n);)                                         \
    } else {                                                                                       \
      DDR_EACH_ROW(DDR_EACH_TAP(tap, 0, width) { DDR_COPY_REALS(row + x[tap], n); })               \
    }                                                                                              \
  }
DDR_DEFINE_COPY(2)
DDR_DEFINE_COPY(4)
DDR_DEFINE_COPY(6)
#undef DDR_DEFINE_COPY
#undef DDR_TAPS_2
#undef DDR_TAPS_4
#undef DDR_TAPS_6
#undef DDR_EACH_ROW

/* The same within the grid, from an address on. */
#define DDR_DEFINE_COPY(width)                                                                     \
  DDR_FN void ddr_grid_copy##width(const ddr_beyond *beyond, const ddr_real_at *samples,           \
                                   ddr_real *out) {                                                \
    const int n = beyond->image->n_components;                                                     \
    const int64_t stride_y = beyond->image->stride[DDR_Y],                                         \
                  stride_z = beyond->image->stride[DDR_Z];                                         \
    for (int z = 0; z < beyond->n_z; z++, samples += stride_z) {                                   \
      const ddr_real_at *row = samples;                                                            \
      for (int y = 0; y < beyond->n_y; y++, row += stride_y) {                                     \
        if (n == 1) {                                                                              \
          *(ddr_row##width##_at *)out = DDR_ROW##width##_LOAD(row);                                \
          out += width;                                                                            \
        } else {                                                                                   \
          DDR_COPY_REALS(row, width *n);                                                           \
        }                                                                                          \
      }                                                                                            \
    }                                                                                              \
  }
DDR_DEFINE_COPY(2)
DDR_DEFINE_COPY(4)
DDR_DEFINE_COPY(6)
#undef DDR_DEFINE_COPY
#undef DDR_COPY_REALS

/* So many samples that are the constant, `apart` reals from one to the next. */
DDR_FN_SELDOM void ddr_border_fill(const ddr_beyond *beyond, int n_samples, int64_t apart,
                                   ddr_real *out) {
  const int n = beyond->image->n_components;
  if (n == 1)
    for (int i = 0; i < n_samples; i++) out[i * apart] = *beyond->outside;
  else
    for (int i = 0; i < n_samples; i++)
      for (int k = 0; k < n; k++) out[i * apart + k] = beyond->outside[k];
}

/* Whether all taps of the lane are outside on some axis. */
DDR_FN bool ddr_is_all_outside(const ddr_vtaps *taps, int lane, int dim, int n_taps) {
  ddr_lane_set any = 0;
  for (int axis = 0; axis < dim; axis++) {
    ddr_lane_set all = DDR_ALL_LANES;
    DDR_EACH_TAP(k, 0, n_taps) all &= taps->outside[axis][k];
    any |= all;
  }
  return any >> lane & 1;
}

/* Puts the constant where a tap is outside on any axis. */
DDR_FN_SELDOM void ddr_border_replace(const ddr_beyond *beyond, int n_taps, const ddr_vtaps *taps,
                                      int lane, ddr_real *out) {
  const int n = beyond->image->n_components, row = n_taps * n;
  for (int z = 0; z < beyond->n_z; z++)
    for (int y = 0; y < beyond->n_y; y++) {
      const ddr_lane_set is_outside = (beyond->n_y > 1 ? taps->outside[DDR_Y][y] : 0) |
                                      (beyond->n_z > 1 ? taps->outside[DDR_Z][z] : 0);
      if (is_outside >> lane & 1)
        ddr_border_fill(beyond, n_taps, n, out + (z * beyond->n_y + y) * row);
    }
  for (int x = 0; x < n_taps; x++)
    if (taps->outside[DDR_X][x] >> lane & 1)
      ddr_border_fill(beyond, beyond->n_z * beyond->n_y, row, out + x * n);
}

/* --- all windows ------------------------------------------------------------------------------ */

DDR_FN void ddr_windows_lie(const ddr_image *image, int n_taps, ddr_image *windows) {
  windows->dim = image->dim;
  windows->n_components = image->n_components;
  windows->sample = DDR_SAMPLE_REAL;
  windows->stride[DDR_X] = image->n_components;
  windows->stride[DDR_Y] = windows->stride[DDR_X] * n_taps;
  windows->stride[DDR_Z] = windows->stride[DDR_Y] * n_taps;
}

/* The lanes that reach beyond the border, those first that do not along x: lanes of one kind take
 * the same branches. */
typedef struct ddr_beyond_sets {
  ddr_lane_set of[2];
} ddr_beyond_sets;

DDR_VFN ddr_beyond_sets ddr_beyond_sets_of(const ddr_image *image, ddr_lane_set beyond,
                                           ddr_vint first, int n_taps) {
  const int64_t last = image->size[DDR_X] - n_taps;
  const ddr_vint most = ddr_vint_all(last < DDR_INT_MAX ? (ddr_int)last : DDR_INT_MAX);
  const ddr_lane_set in_row = ddr_vlanes(ddr_vige(first, (ddr_vint){0}) & ddr_vile(first, most));
  return (ddr_beyond_sets){{beyond & in_row, beyond & ~in_row}};
}

/* Windows of `len` reals, which may leave some behind the last ones unused, for the lanes that are
 * on; the others read one of these. cell_x to cell_z: the floor of the position on each axis, any
 * vector if the image lacks it. at: the addresses of the first samples of lanes within the grid, as
 * if the image kept reals. Returns what rows are loaded from, the image or windows; then `at` has
 * the addresses of these. */
#define DDR_DEFINE_BORDER(width)                                                                   \
  DDR_FN void ddr_border_window##width(const ddr_beyond *beyond, const ddr_vtaps *taps, int lane,  \
                                       ddr_real *out) {                                            \
    const ddr_image *image = beyond->image;                                                        \
    ddr_distances distances;                                                                       \
    if (beyond->rule == DDR_BORDER_CONST && ddr_is_all_outside(taps, lane, image->dim, width)) {   \
      ddr_border_fill(beyond, width * beyond->n_y * beyond->n_z, image->n_components, out);        \
      return;                                                                                      \
    }                                                                                              \
    __asm__("" : "=m"(distances)); /* not initialised, as in host/window.h */                      \
    ddr_distances_of(image, taps, lane, width, &distances);                                        \
    ddr_border_copy##width(beyond, (const ddr_real_at *)image->samples, &distances, out);          \
    if (beyond->rule == DDR_BORDER_CONST) ddr_border_replace(beyond, width, taps, lane, out);      \
  }                                                                                                \
  DDR_FN_SELDOM void ddr_vwindows##width(const ddr_beyond *beyond, ddr_lane_set on,                \
                                         ddr_lane_set within, const ddr_vint first[], int64_t len, \
                                         ddr_real *samples, const ddr_real *at[]) {                \
    const ddr_image *image = beyond->image;                                                        \
    const int any = __builtin_ctz(on);                                                             \
    const ddr_beyond_sets sets = ddr_beyond_sets_of(image, on & ~within, first[DDR_X], width);     \
    ddr_vtaps taps;                                                                                \
    __asm__("" : "=m"(taps));                                                                      \
    for (ddr_lane_set set = on & within; set != 0;) {                                              \
      const int lane = ddr_next_lane(&set);                                                        \
      ddr_grid_copy##width(beyond, (const ddr_real_at *)at[lane], samples + lane * len);           \
    }                                                                                              \
    ddr_vtaps_of(image, beyond->rule, first, width, &taps);                                        \
    for (int kind = 0; kind < 2; kind++)                                                           \
      for (ddr_lane_set set = sets.of[kind]; set != 0;) {                                          \
        const int lane = ddr_next_lane(&set);                                                      \
        ddr_border_window##width(beyond, &taps, lane, samples + lane * len);                       \
      }                                                                                            \
    for (int lane = 0; lane < DDR_LANES; lane++)                                                   \
      at[lane] = samples + len * (on >> lane & 1 ? lane : any);                                    \
  }                                                                                                \
  DDR_VFN const ddr_image *ddr_vborder##width(                                                     \
      const ddr_image *image, ddr_border rule, const ddr_real *outside, ddr_vmask on,              \
      ddr_vmask is_within, ddr_vreal cell_x, ddr_vreal cell_y, ddr_vreal cell_z, int64_t len,      \
      ddr_real *samples, ddr_image *windows, const ddr_real *at[]) {                               \
    if (__builtin_expect(!ddr_vany(on & ~is_within), 1)) return image;                             \
    const int dim = image->dim;                                                                    \
    const ddr_beyond beyond = {image, rule, outside, dim > 1 ? width : 1, dim > 2 ? width : 1};    \
    const ddr_vint first[] = {ddr_vtap(cell_x, width / 2), ddr_vtap(cell_y, width / 2),            \
                              ddr_vtap(cell_z, width / 2)};                                        \
    ddr_windows_lie(image, width, windows);                                                        \
    ddr_vwindows##width(&beyond, ddr_vlanes(on), ddr_vlanes(is_within), first, len, samples, at);  \
    return windows;                                                                                \
  }
DDR_DEFINE_BORDER(2)
DDR_DEFINE_BORDER(4)
DDR_DEFINE_BORDER(6)
#undef DDR_DEFINE_BORDER
