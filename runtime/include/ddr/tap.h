/* tap.h: which samples a kernel touches on one axis.
 *
 * `floor_index` is the floor of a position in index space, still a real: it may be huge, infinite
 * or NaN, and every function here stays defined.  A kernel of half-support s has 2s taps on an
 * axis, the first at floor_index + 1 - s.
 *
 * Compiles as C17, C++17 and CUDA.  Read next: host/window.h, device/window.h.
 */
#pragma once

#include "ddr/image.h"

#if defined(DDR_GPU)
/* The first tap, not clamped to the axis, as devices convert: what is beyond the range of int gives
 * its end, and NaN gives 0 or the least int. */
DDR_FN ddr_int ddr_first_tap(ddr_real floor_index, ddr_int half_support) {
  const ddr_real x = half_support == 1 ? floor_index : floor_index + (ddr_real)(1 - half_support);
#if !defined(DDR_GPU_CODE)
  return ddr_int_from_real(x);
#else
  const bool is_long = sizeof(ddr_int) == sizeof(long long);
  if (sizeof x == sizeof(double)) return is_long ? __double2ll_rz(x) : __double2int_rz(x);
  return is_long ? __float2ll_rz(x) : __float2int_rz(x);
#endif
}
#endif

/* The first tap, clamped so that all 2s taps are samples of the axis, or 0 if the axis is shorter;
 * NaN and -inf give 0.  If a real cannot count the samples, either neighbour will do.  `len` is
 * the length of the axis. */
DDR_FN ddr_int ddr_corner(ddr_real floor_index, ddr_int len, ddr_int half_support) {
  const ddr_int n_taps = 2 * half_support;
#if defined(DDR_GPU)
  const ddr_int last = max(len - n_taps, (ddr_int)0);
  return min(max(ddr_first_tap(floor_index, half_support), (ddr_int)0), last);
#else
  const ddr_int last = len > n_taps ? len - n_taps : 0;
  const ddr_real first = floor_index + (ddr_real)(1 - half_support);
  if (!(first > 0)) return 0;
  return first < (ddr_real)last ? (ddr_int)first : last;
#endif
}

#if defined(DDR_GPU)
/* The same, where a real counts the samples (ddr_places_fit): counted from the cell of the
 * position, which addresses begin with. For NaN there are taps before 0, if there are more than
 * two. */
DDR_FN ddr_int ddr_first_tap_of_cell(ddr_real floor_index, ddr_int half_support) {
  return (ddr_int)((ddr_uint)ddr_first_tap(floor_index, 1) - (ddr_uint)(half_support - 1));
}
#endif

/* Whether all 2s taps are samples of the axis.  Compares integers: a real may round the length.  On
 * devices NaN may be within for two taps, which gives what the clamped tap gives: tap 0. */
DDR_FN bool ddr_support_within(ddr_real floor_index, ddr_int len, ddr_int half_support) {
#if defined(DDR_GPU) /* by one comparison: a tap below 0 is a large one */
  const ddr_uint n_firsts = (ddr_uint)max(len - 2 * half_support + 1, (ddr_int)0);
  return (ddr_uint)ddr_first_tap_of_cell(floor_index, half_support) < n_firsts;
#else
  const ddr_real first = floor_index + (ddr_real)(1 - half_support);
  return first >= 0 && first < DDR_INT_LIMIT && (ddr_int)first <= len - 2 * half_support;
#endif
}

/* The first tap, if all taps are samples. */
DDR_FN ddr_int ddr_corner_within(ddr_real floor_index, ddr_int len, ddr_int half_support) {
  (void)len;
#if defined(DDR_GPU)
  return ddr_first_tap_of_cell(floor_index, half_support);
#else
  return (ddr_int)(floor_index + (ddr_real)(1 - half_support));
#endif
}

/* The cell of the position, if all taps are samples: the first tap of a half-support of 1. */
DDR_FN ddr_int ddr_cell_within(ddr_real floor_index) {
#if defined(DDR_GPU)
  return ddr_first_tap(floor_index, 1);
#else
  return (ddr_int)floor_index;
#endif
}

/* The first tap, not clamped to the axis; 0 if not finite.  Far positions are brought near enough
 * that adding a tap number does not overflow. */
DDR_FN ddr_int ddr_tap(ddr_real floor_index, ddr_int half_support) {
  const ddr_real far = DDR_INT_LIMIT / 2;
  if (!(floor_index - floor_index == 0)) return 0;
  return ddr_int_from_real(ddr_clamp(-far, far, floor_index)) + 1 - half_support;
}

/* --- beyond the border ------------------------------------------------------------------------ */

typedef enum ddr_border {
  DDR_BORDER_CLAMP,
  DDR_BORDER_MIRROR,
  DDR_BORDER_WRAP,
  DDR_BORDER_CONST,
} ddr_border;

/* The sample, of an axis of n, that a tap is read from; with DDR_BORDER_CONST any sample may stand
 * for a tap outside.  Most taps are samples already, and need no division. */
DDR_FN int64_t ddr_border_tap(ddr_border rule, int64_t tap, int64_t n) {
  const bool is_periodic = rule == DDR_BORDER_MIRROR || rule == DDR_BORDER_WRAP;
  if (!is_periodic) return ddr_border_clamp(tap, n);
  if (0 <= tap && tap < n) return tap;
  return rule == DDR_BORDER_MIRROR ? ddr_border_mirror(tap, n) : ddr_border_wrap(tap, n);
}

/* The loop is unrolled: the width is a constant. */
#if defined(DDR_GPU)
#define DDR_UNROLL_TAPS _Pragma("unroll")
#else
#define DDR_UNROLL_TAPS _Pragma("GCC unroll 6")
#endif
#define DDR_EACH_TAP(tap, from, width) DDR_UNROLL_TAPS for (int tap = (from); tap < (width); tap++)
