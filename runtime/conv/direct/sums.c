/* sums.c: sums over samples that are not adjacent, and the choice of rows for this machine. */
#include "runtime/conv/direct/rows.h"
#include "runtime/element/sets.h"

#define STRIDED(name, number)                                                                      \
  void name(const ddr_conv_tap *taps, int n_taps, const number *signal, int64_t at, int64_t step,  \
            int64_t n, double *sums) {                                                             \
    for (int64_t k = 0; k < n; k++, at += step) {                                                  \
      double sum = sums[k];                                                                        \
      for (int tap = 0; tap < n_taps; tap++) {                                                     \
        sum += taps[tap].re * (double)signal[at + taps[tap].offset];                               \
      }                                                                                            \
      sums[k] = sum;                                                                               \
    }                                                                                              \
  }
STRIDED(ddr_conv_strided_floats, float)
STRIDED(ddr_conv_strided_doubles, double)
#undef STRIDED

void ddr_conv_complex_sums(const ddr_conv_tap *taps, int n_taps, const ddr_complex_double *signal,
                           int64_t at, int64_t step, int64_t n, double *sums) {
  for (int64_t k = 0; k < n; k++, at += step) {
    double re = sums[2 * k], im = sums[2 * k + 1];
    for (int tap = 0; tap < n_taps; tap++) {
      const ddr_complex_double sample = signal[at + taps[tap].offset];
      re += taps[tap].re * sample.re - taps[tap].im * sample.im;
      im += taps[tap].re * sample.im + taps[tap].im * sample.re;
    }
    sums[2 * k] = re;
    sums[2 * k + 1] = im;
  }
}

const ddr_conv_rows *ddr_conv_best_rows(void) {
#if defined(DDR_AVX512)
  if (ddr_has_set(DDR_SET_AVX512))
    return ddr_has_half_vectors() ? &ddr_conv_rows_halves : &ddr_conv_rows_avx512;
#endif
#if defined(DDR_AVX2)
  if (ddr_has_set(DDR_SET_AVX2)) return &ddr_conv_rows_avx2;
#endif
  return &ddr_conv_rows_base;
}
