/* window.h: windows of images of one dimension, a vector for each tap.
 *
 * Such images are lookup tables, of colours for example, and many strands probe beyond their ends.
 * A window is a copy of one component: the 2s samples from each lane's first tap on, with every
 * index mapped by the border rule.  host/window.h has the same for one strand.
 */
#pragma once

#include "ddr/lanes/lanes.h"

/* All lanes, if the test holds in those that are on, or else none: probes are either all within the
 * grid, or all by windows. */
DDR_VFN ddr_vmask ddr_vtogether(ddr_vmask on, ddr_vmask test) {
  return ddr_vbool_all(!ddr_vany(on & ~test));
}

/* The samples, of an axis of n, that taps are read from, more than a period away. */
DDR_FN_SELDOM void ddr_border_far(ddr_border rule, int64_t n, ddr_int taps[DDR_LANES]) {
  for (int lane = 0; lane < DDR_LANES; lane++)
    taps[lane] = (ddr_int)ddr_border_tap(rule, taps[lane], n);
}

/* The sample, of an axis of n, that each lane's tap is read from; the mask has the lanes where a
 * constant takes its place. Mostly taps are at most one period away, and need no division. */
DDR_VFN ddr_vint ddr_vborder_tap(ddr_border rule, ddr_vint tap, int64_t n, ddr_vmask *is_outside) {
  const ddr_int len = n > DDR_INT_MAX / 4 ? DDR_INT_MAX / 4 : (ddr_int)n;
  const ddr_vint all = ddr_vint_all(len), zero = {0};
  const ddr_vmask is_below = ddr_vilt(tap, zero), is_above = ddr_vige(tap, all);
  *is_outside = (ddr_vmask){0};
  if (rule == DDR_BORDER_CLAMP || rule == DDR_BORDER_CONST) {
    const ddr_vint last = ddr_vint_all(n > DDR_INT_MAX ? DDR_INT_MAX : (ddr_int)n - 1);
    const ddr_vint near = ddr_vimin(ddr_vimax(tap, zero), last);
    if (rule == DDR_BORDER_CONST) *is_outside = ddr_vine(near, tap);
    return near;
  }
  const bool is_mirror = rule == DDR_BORDER_MIRROR;
  const ddr_vint before = is_mirror ? ddr_visub(ddr_vint_all(-1), tap) : ddr_viadd(tap, all);
  const ddr_vint behind =
      is_mirror ? ddr_visub(ddr_vint_all(2 * len - 1), tap) : ddr_visub(tap, all);
  ddr_vint idx = ddr_vselect_int(is_below, before, ddr_vselect_int(is_above, behind, tap));
  if (len < n || ddr_vany(ddr_vilt(idx, zero) | ddr_vige(idx, all))) {
    ddr_int taps[DDR_LANES];
    __builtin_memcpy(taps, &tap, sizeof tap);
    ddr_border_far(rule, n, taps);
    __builtin_memcpy(&idx, taps, sizeof idx);
  }
  return idx;
}

/* Sets at[lane] to the offset of the voxel for a tap. The same for all components, so compilers
 * multiply only once. */
DDR_VFN ddr_vmask ddr_vborder_taps(ddr_border rule, ddr_vint tap, const ddr_image *image,
                                   int64_t at[DDR_LANES]) {
  const int64_t step = image->stride[DDR_X];
  ddr_vmask is_outside;
  const ddr_vint near = ddr_vborder_tap(rule, tap, image->size[DDR_X], &is_outside);
  DDR_EACH_LANE(lane) at[lane] = step * near[lane];
  return is_outside;
}

/* One component of the voxel of each lane, as reals, whatever type the image keeps. */
DDR_VFN ddr_vreal ddr_vsamples(const ddr_image *image, const int64_t at[DDR_LANES],
                               int64_t component) {
  ddr_vreal samples = {0};
  if (image->sample == DDR_SAMPLE_REAL)
    return ddr_vreal_of_samples(ddr_image_samples(image) + component, sizeof(ddr_real), at);
  for (int lane = 0; lane < DDR_LANES; lane++)
    samples[lane] = ddr_image_sample(image, at[lane] + component);
  return samples;
}

/* The window: n_taps samples of each lane, from its tap `first` on. */
DDR_VFN void ddr_vwindow(const ddr_image *image, ddr_border rule, ddr_vint first, int64_t component,
                         ddr_real outside, int n_taps, ddr_vreal window[]) {
  DDR_EACH_TAP(k, 0, n_taps) {
    int64_t at[DDR_LANES];
    const ddr_vmask is_outside =
        ddr_vborder_taps(rule, ddr_viadd(first, ddr_vint_all(k)), image, at);
    window[k] = ddr_vsamples(image, at, component);
    if (rule == DDR_BORDER_CONST)
      window[k] = ddr_vselect_real(is_outside, ddr_vreal_all(outside), window[k]);
  }
}
