/* direct_rows.h: sums of weighted samples for many adjacent results at once.
 *
 *   weight_0 * signal[at + offset_0 + k] + weight_1 * signal[at + offset_1 + k] + ...
 *                                                                             for k = 0 .. n-1
 *
 * There is one file for each instruction set (direct_base.c, direct_avx2.c, direct_avx512.c); all
 * give the same bits: every product and every sum is rounded.  The product of two floats is exact
 * in double, so it may be fused with the addition: the files direct_..._fused.c do that if weights
 * are floats.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "runtime/layout/element.h"

/* A weight, and the offset of its sample in elements from the sample of result 0. */
typedef struct ddr_conv_tap {
  double re, im; /* im: for complex taps only */
  int64_t offset;
} ddr_conv_tap;

/* Where a later row reads and writes, for prefetching. */
typedef struct ddr_conv_ahead {
  const float *samples;
  float *results;
} ddr_conv_ahead;

/* Functions for samples that are floats. */
typedef struct ddr_conv_float_rows {
  /* sums[k] = sums[k] + ... */
  void (*add)(const ddr_conv_tap *taps, int n_taps, const float *signal, int64_t at, int64_t n,
              double *sums);
  /* results[k] = 0 + ..., rounded once */
  void (*round)(const ddr_conv_tap *taps, int n_taps, const float *signal, int64_t at, int64_t n,
                float *results);
  /* The same for samples that were widened before; `signal` and offsets count doubles. */
  void (*round_widened)(const ddr_conv_tap *taps, int n_taps, const double *signal, int64_t n,
                        float *results, ddr_conv_ahead ahead);
} ddr_conv_float_rows;

typedef struct ddr_conv_rows {
  ddr_conv_float_rows floats;
  const ddr_conv_float_rows *fused; /* for weights that are floats */
  void (*widen)(const float *from, int64_t n, double *to);
  void (*add_doubles)(const ddr_conv_tap *taps, int n_taps, const double *signal, int64_t at,
                      int64_t n, double *sums);
  void (*doubles)(const ddr_conv_tap *taps, int n_taps, const double *signal, int64_t at, int64_t n,
                  double *results);
} ddr_conv_rows;

extern const ddr_conv_rows ddr_conv_rows_base;
extern const ddr_conv_rows ddr_conv_rows_avx2;
extern const ddr_conv_rows ddr_conv_rows_avx512;
extern const ddr_conv_float_rows ddr_conv_fused_avx2;
extern const ddr_conv_float_rows ddr_conv_fused_avx512;

const ddr_conv_rows *ddr_conv_best_rows(void); /* for this machine */

/* sums[k] = sums[k] + ... for samples of adjacent results `step` elements apart; `at` is the index
 * of the sample of the first result.  Complex sums are pairs. */
void ddr_conv_strided_floats(const ddr_conv_tap *taps, int n_taps, const float *signal, int64_t at,
                             int64_t step, int64_t n, double *sums);
void ddr_conv_strided_doubles(const ddr_conv_tap *taps, int n_taps, const double *signal,
                              int64_t at, int64_t step, int64_t n, double *sums);
void ddr_conv_complex_sums(const ddr_conv_tap *taps, int n_taps, const ddr_complex_double *signal,
                           int64_t at, int64_t step, int64_t n, double *sums);

/* clang-format off */
#define DDR_CONV_VECTOR(number, width) \
  __attribute__((vector_size((width) * sizeof(number)), aligned(sizeof(number)), may_alias))

/* Converts the numbers at `from` to doubles; instruction sets may redefine this. */
#if !defined(DDR_CONV_WIDEN_float)
#define DDR_CONV_WIDEN_float(from, sum) __builtin_convertvector(*(from), sum)
#endif
#define DDR_CONV_WIDEN_double(from, sum) __builtin_convertvector(*(from), sum)

/* Rows with vectors of `width` doubles: four vectors of sums at a time stay in registers during the
 * loop over all taps.  begin: the initial value of sums, and whether results may be computed
 * twice. */
#define DDR_CONV_ROW(name, number, result, width, begin)                                           \
  typedef double name##_sum DDR_CONV_VECTOR(double, width);                                        \
  typedef number name##_sample DDR_CONV_VECTOR(number, width);                                     \
  typedef result name##_result DDR_CONV_VECTOR(result, width);                                     \
  static void name(const ddr_conv_tap *taps, int n_taps, const number *signal, int64_t at,         \
                   int64_t n, result *results) {                                                   \
    int64_t k = 0;                                                                                 \
    for (; k < n; k += 4L * (width)) {                                                              \
      if (k + 4L * (width) > n) {                                                                   \
        if (!begin##_TWICE || n < 4L * (width)) break;                                              \
        k = n - 4L * (width);                                                                       \
      }                                                                                            \
      name##_result *to = (name##_result *)(results + k);                                          \
      name##_sum sum0 = begin(0), sum1 = begin(1), sum2 = begin(2), sum3 = begin(3);               \
      for (int tap = 0; tap < n_taps; tap++) {                                                     \
        const double weight = taps[tap].re;                                                        \
        const name##_sample *from =                                                                \
            (const name##_sample *)(signal + (at + k + taps[tap].offset));                         \
        sum0 += weight * DDR_CONV_WIDEN_##number(from + 0, name##_sum);                            \
        sum1 += weight * DDR_CONV_WIDEN_##number(from + 1, name##_sum);                            \
        sum2 += weight * DDR_CONV_WIDEN_##number(from + 2, name##_sum);                            \
        sum3 += weight * DDR_CONV_WIDEN_##number(from + 3, name##_sum);                            \
      }                                                                                            \
      to[0] = __builtin_convertvector(sum0, name##_result);                                        \
      to[1] = __builtin_convertvector(sum1, name##_result);                                        \
      to[2] = __builtin_convertvector(sum2, name##_result);                                        \
      to[3] = __builtin_convertvector(sum3, name##_result);                                        \
    }                                                                                              \
    for (; k < n; k++) {                                                                           \
      double sum = begin##_ONE(results[k]);                                                        \
      for (int tap = 0; tap < n_taps; tap++) {                                                     \
        sum += taps[tap].re * (double)signal[at + k + taps[tap].offset];                           \
      }                                                                                            \
      results[k] = (result)sum;                                                                    \
    }                                                                                              \
  }
#define DDR_CONV_ADD(vector) to[vector]
#define DDR_CONV_ADD_ONE(result) (result)
#define DDR_CONV_ADD_TWICE 0
#define DDR_CONV_NEW(vector) {0}
#define DDR_CONV_NEW_ONE(result) 0
#define DDR_CONV_NEW_TWICE 1 /* the last results may be written again */

#define DDR_CONV_WIDEN(width)                                                                      \
  typedef double widen_double DDR_CONV_VECTOR(double, width);                                      \
  typedef float widen_float DDR_CONV_VECTOR(float, width);                                         \
  static void widen(const float *from, int64_t n, double *to) {                                    \
    int64_t k = 0;                                                                                 \
    for (; k <= n - (width); k += (width)) {                                                       \
      *(widen_double *)(to + k) =                                                                  \
          DDR_CONV_WIDEN_float((const widen_float *)(from + k), widen_double);                     \
    }                                                                                              \
    for (; k < n; k++) to[k] = (double)from[k];                                                    \
  }

/* Floats in a cache line. */
#define DDR_CONV_LINE 16

#define DDR_CONV_ROUND_WIDENED(width)                                                              \
  typedef double wide_sum DDR_CONV_VECTOR(double, width);                                          \
  typedef float wide_result DDR_CONV_VECTOR(float, width);                                         \
  static void round_widened(const ddr_conv_tap *taps, int n_taps, const double *signal, int64_t n, \
                            float *results, ddr_conv_ahead ahead) {                                \
    int64_t k = 0;                                                                                 \
    for (; k < n; k += 4L * (width)) {                                                              \
      if (k + 4L * (width) > n) {                                                                   \
        if (n < 4L * (width)) break;                                                                \
        k = n - 4L * (width);                                                                       \
      }                                                                                            \
      for (int line = 0; line < 4 * (width); line += DDR_CONV_LINE) {                              \
        __builtin_prefetch(ahead.samples + k + line, 0);                                           \
        __builtin_prefetch(ahead.results + k + line, 1);                                           \
      }                                                                                            \
      wide_sum sum0 = {0}, sum1 = {0}, sum2 = {0}, sum3 = {0};                                     \
      for (int tap = 0; tap < n_taps; tap++) {                                                     \
        const double weight = taps[tap].re;                                                        \
        const wide_sum *from = (const wide_sum *)(signal + (k + taps[tap].offset));                \
        sum0 += weight * from[0];                                                                  \
        sum1 += weight * from[1];                                                                  \
        sum2 += weight * from[2];                                                                  \
        sum3 += weight * from[3];                                                                  \
      }                                                                                            \
      wide_result *to = (wide_result *)(results + k);                                              \
      to[0] = __builtin_convertvector(sum0, wide_result);                                          \
      to[1] = __builtin_convertvector(sum1, wide_result);                                          \
      to[2] = __builtin_convertvector(sum2, wide_result);                                          \
      to[3] = __builtin_convertvector(sum3, wide_result);                                          \
    }                                                                                              \
    for (; k < n; k++) {                                                                           \
      double sum = 0;                                                                              \
      for (int tap = 0; tap < n_taps; tap++) sum += taps[tap].re * signal[k + taps[tap].offset];   \
      results[k] = (float)sum;                                                                     \
    }                                                                                              \
  }

#define DDR_CONV_FLOAT_ROWS(width)                             \
  DDR_CONV_ROW(add_floats, float, double, width, DDR_CONV_ADD) \
  DDR_CONV_ROW(floats, float, float, width, DDR_CONV_NEW) \
  DDR_CONV_ROUND_WIDENED(width)
#define DDR_CONV_ROWS(set, width, fused)                          \
  DDR_CONV_FLOAT_ROWS(width)                                      \
  DDR_CONV_WIDEN(width)                                           \
  DDR_CONV_ROW(add_doubles, double, double, width, DDR_CONV_ADD)  \
  DDR_CONV_ROW(doubles, double, double, width, DDR_CONV_NEW)      \
  const ddr_conv_rows ddr_conv_rows_##set = {                     \
      {add_floats, floats, round_widened}, fused, widen, add_doubles, doubles};
#define DDR_CONV_FUSED_ROWS(set, width) \
  DDR_CONV_FLOAT_ROWS(width)            \
  const ddr_conv_float_rows ddr_conv_fused_##set = {add_floats, floats, round_widened};
/* clang-format on */
