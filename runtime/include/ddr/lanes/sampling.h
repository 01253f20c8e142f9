/* sampling.h: precomputed values that strands of a grid read instead of probing an image.
 *
 * Values of one sampling at the strands of a block: number j of slot s is values[j * stride + s -
 * begin]. They are derivatives in index space, the components of one side by side, in the order of
 * ddr_sampling.partials (program.h).
 *
 * Filled by runtime/src/sampling/samples.c, called by generated code.  Read next: program.h.
 */
#pragma once

#include <string.h>

#include "ddr/lanes/lanes.h"
#include "ddr/program.h"

/* Whether there are values; false: the strands have to probe. */
DDR_FN bool ddr_sampling_is_made(const ddr_samples *samples) { return samples->values != NULL; }

DDR_FN ddr_real ddr_sampling_value(const ddr_samples *samples, int64_t j, int64_t slot) {
  return ((const ddr_real *)samples->values)[j * samples->stride + slot - samples->begin];
}

/* Sums of n_taps rows of n reals: to[x] = sum over taps t of weights[t] * from[taps[t] * apart +
 * x]. Taps are added in ascending order, and the last few sums of a row are computed in vectors,
 * like all others: the bits of a sum do not depend on where a row is cut. */
DDR_VFN void ddr_weigh_rows(ddr_real *to, int64_t n, const ddr_real *from, int64_t apart,
                            const int64_t *taps, const ddr_real *weights, int n_taps) {
  for (int64_t x = 0; x < n; x += DDR_LANES) {
    const size_t n_bytes = (size_t)(n - x < DDR_LANES ? n - x : DDR_LANES) * sizeof *to;
    ddr_vreal sum = {0};
    if (n_bytes == sizeof sum) {
      for (int t = 0; t < n_taps; t++) {
        ddr_vreal row;
        memcpy(&row, from + taps[t] * apart + x, sizeof row);
        sum = t == 0 ? weights[t] * row : sum + weights[t] * row;
      }
      memcpy(to + x, &sum, sizeof sum);
      continue;
    }
    for (int t = 0; t < n_taps; t++) {
      ddr_vreal row = {0};
      memcpy(&row, from + taps[t] * apart + x, n_bytes);
      sum = t == 0 ? weights[t] * row : sum + weights[t] * row;
    }
    memcpy(to + x, &sum, n_bytes);
  }
}

/* The same for a constant number of taps; see ddr_sampling.weigh_rows. */
#define DDR_WEIGH_ROWS(n_taps)                                                                     \
  static inline void ddr_weigh_rows##n_taps(void *to, int64_t n, const void *from, int64_t apart,  \
                                            const int64_t *taps, const void *weights) {            \
    ddr_weigh_rows((ddr_real *)to, n, (const ddr_real *)from, apart, taps,                         \
                   (const ddr_real *)weights, n_taps);                                             \
  }
DDR_WEIGH_ROWS(2)
DDR_WEIGH_ROWS(4)
DDR_WEIGH_ROWS(6)
#undef DDR_WEIGH_ROWS
