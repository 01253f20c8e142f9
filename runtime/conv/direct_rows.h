/* direct_rows.h: sums of weighted samples for many neighbouring results at once.
 *
 *   sums[k] = sums[k] + weight_0 * signal[at + offset_0 + k] + weight_1 * ...   for k = 0 .. n-1
 *
 * A file of its own for each instruction set (direct_base.c, direct_avx2.c, direct_avx512.c), with
 * the same bits from all of them: every product and every sum is rounded.
 */
#pragma once

#include <stdint.h>
#include <string.h>

/* One weight and where its sample is, in elements from the sample that result 0 counts from. */
typedef struct ddr_conv_tap {
  double re, im; /* im: of complex taps only */
  int64_t offset;
} ddr_conv_tap;

typedef struct ddr_conv_rows {
  void (*floats)(const ddr_conv_tap *taps, int n_taps, const float *signal, int64_t at, int64_t n,
                 double *sums);
  void (*doubles)(const ddr_conv_tap *taps, int n_taps, const double *signal, int64_t at, int64_t n,
                  double *sums);
} ddr_conv_rows;

extern const ddr_conv_rows ddr_conv_rows_base;
extern const ddr_conv_rows ddr_conv_rows_avx2;
extern const ddr_conv_rows ddr_conv_rows_avx512;

/* The rows of an instruction set with vectors of `width` doubles: four of them at a time stay in
 * registers while all taps pass by. */
#define DDR_CONV_ROWS(name, number, width)                                                         \
  typedef double name##_sums __attribute__((vector_size((width) * sizeof(double))));               \
  typedef number name##_samples __attribute__((vector_size((width) * sizeof(number))));            \
  static void name##_block(const ddr_conv_tap *taps, int n_taps, const number *signal, int64_t at, \
                           double *sums) {                                                         \
    name##_sums sum[4];                                                                            \
    memcpy(sum, sums, sizeof sum);                                                                 \
    for (int tap = 0; tap < n_taps; tap++) {                                                       \
      const number *from = signal + (at + taps[tap].offset);                                       \
      name##_samples samples[4];                                                                   \
      memcpy(samples, from, sizeof samples);                                                       \
      sum[0] += taps[tap].re * __builtin_convertvector(samples[0], name##_sums);                   \
      sum[1] += taps[tap].re * __builtin_convertvector(samples[1], name##_sums);                   \
      sum[2] += taps[tap].re * __builtin_convertvector(samples[2], name##_sums);                   \
      sum[3] += taps[tap].re * __builtin_convertvector(samples[3], name##_sums);                   \
    }                                                                                              \
    memcpy(sums, sum, sizeof sum);                                                                 \
  }                                                                                                \
  static void name(const ddr_conv_tap *taps, int n_taps, const number *signal, int64_t at,         \
                   int64_t n, double *sums) {                                                      \
    int64_t k = 0;                                                                                 \
    for (; k + 4 * (width) <= n; k += 4 * (width)) {                                               \
      name##_block(taps, n_taps, signal, at + k, sums + k);                                        \
    }                                                                                              \
    for (; k < n; k++) {                                                                           \
      double sum = sums[k];                                                                        \
      for (int tap = 0; tap < n_taps; tap++) {                                                     \
        sum += taps[tap].re * (double)signal[at + k + taps[tap].offset];                           \
      }                                                                                            \
      sums[k] = sum;                                                                               \
    }                                                                                              \
  }
