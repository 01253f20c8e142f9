/* rows.h: sums of weighted samples for many adjacent results at once.
 *
 *   weight_0 * signal[at + offset_0 + k] + weight_1 * signal[at + offset_1 + k] + ...
 *                                                                             for k = 0 .. n-1
 *
 * There is one file for each instruction set (rows_base.c, rows_avx2.c, rows_avx512.c); all
 * give the same bits: every product and every sum is rounded.  The product of two floats is exact
 * in double, so it may be fused with the addition: the files rows_..._fused.c do that if weights
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

/* Two rows of results whose samples are in part the same: tap t of the second row has the sample of
 * tap t + lag of the first.  Taps come in groups of `n_taps`, for each of which this holds. */
typedef struct ddr_conv_pair {
  const ddr_conv_tap *taps;
  int n_groups, n_taps, lag; /* lag <= n_taps */
  int64_t apart;             /* from a tap's sample for the first row to that for the second */
} ddr_conv_pair;

/* Functions for samples that are floats. */
typedef struct ddr_conv_float_rows {
  /* sums[k] = sums[k] + ... */
  void (*add)(const ddr_conv_tap *taps, int n_taps, const float *signal, int64_t at, int64_t n,
              double *sums);
  /* results[k] = 0 + ..., rounded once */
  void (*round)(const ddr_conv_tap *taps, int n_taps, const float *signal, int64_t at, int64_t n,
                float *results);
  void (*round_pair)(const ddr_conv_pair *pair, const float *signal, int64_t at, int64_t n,
                     float *const results[2]);
  /* The same as `round` for samples that were widened before; `signal` and offsets count doubles.
   */
  void (*round_widened)(const ddr_conv_tap *taps, int n_taps, const double *signal, int64_t n,
                        float *results, ddr_conv_ahead ahead);
} ddr_conv_float_rows;

typedef struct ddr_conv_rows {
  int64_t n_least; /* fewer results of a row are computed one by one, or not at all in pairs */
  ddr_conv_float_rows floats;
  const ddr_conv_float_rows *fused; /* for weights that are floats */
  void (*widen)(const float *from, int64_t n, double *to);
  void (*add_doubles)(const ddr_conv_tap *taps, int n_taps, const double *signal, int64_t at,
                      int64_t n, double *sums);
  void (*doubles)(const ddr_conv_tap *taps, int n_taps, const double *signal, int64_t at, int64_t n,
                  double *results);
  void (*pair_of_doubles)(const ddr_conv_pair *pair, const double *signal, int64_t at, int64_t n,
                          double *const results[2]);
  /* Of n pairs of adjacent samples, the first ones and the second ones; returns how many pairs are
   * done. */
  int64_t (*split_floats)(const void *from, int64_t n, void *first, void *second);
  int64_t (*split_doubles)(const void *from, int64_t n, void *first, void *second);
  /* sums[k] = sums[k] + ... for adjacent complex samples; sums are pairs */
  void (*add_complexes)(const ddr_conv_tap *taps, int n_taps, const ddr_complex_double *signal,
                        int64_t n, double *sums);
} ddr_conv_rows;

extern const ddr_conv_rows ddr_conv_rows_base;
extern const ddr_conv_rows ddr_conv_rows_avx2;
extern const ddr_conv_rows ddr_conv_rows_avx512;
extern const ddr_conv_rows ddr_conv_rows_halves; /* AVX-512, floats in vectors of 32 bytes */
extern const ddr_conv_float_rows ddr_conv_fused_avx2;
extern const ddr_conv_float_rows ddr_conv_fused_avx512;
extern const ddr_conv_float_rows ddr_conv_fused_halves;

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
#define DDR_CONV_VECTOR(number, width)                                                             \
  __attribute__((vector_size((width) * sizeof(number)), aligned(sizeof(number)), may_alias))

/* Converts the numbers at `from` to `sum`, a vector of that many doubles; instruction sets may
 * redefine this. */
#define DDR_CONV_CONVERT(from, sum) __builtin_convertvector(*(from), sum)
#if !defined(DDR_CONV_WIDEN_float_4)
#define DDR_CONV_WIDEN_float_4 DDR_CONV_CONVERT
#endif
#define DDR_CONV_WIDEN_float_2 DDR_CONV_CONVERT
#define DDR_CONV_WIDEN_double_2 DDR_CONV_CONVERT
#define DDR_CONV_WIDEN_double_4 DDR_CONV_CONVERT
#define DDR_CONV_WIDEN_double_8 DDR_CONV_CONVERT

#define DDR_CONV_VECTORS(name, number, result, width)                                              \
  typedef double name##_sum DDR_CONV_VECTOR(double, width);                                        \
  typedef number name##_sample DDR_CONV_VECTOR(number, width);                                     \
  typedef result name##_result DDR_CONV_VECTOR(result, width);                                     \
  static inline name##_sum name##_widened(const name##_sample *from) {                             \
    return DDR_CONV_WIDEN_##number##_##width(from, name##_sum);                                    \
  }

/* Vectors of sums that are computed at once stay in registers during the loop over all taps. */
#define DDR_CONV_EACH_2(what, ...) what(0, __VA_ARGS__) what(1, __VA_ARGS__)
#define DDR_CONV_EACH_4(what, ...)                                                                 \
  DDR_CONV_EACH_2(what, __VA_ARGS__) what(2, __VA_ARGS__) what(3, __VA_ARGS__)
#define DDR_CONV_EACH_8(what, ...)                                                                 \
  DDR_CONV_EACH_4(what, __VA_ARGS__)                                                               \
  what(4, __VA_ARGS__) what(5, __VA_ARGS__) what(6, __VA_ARGS__) what(7, __VA_ARGS__)

#define DDR_CONV_BEGIN(vector, name, row, begin) name##_sum row##vector = begin(vector);
#define DDR_CONV_SAMPLE(vector, name)                                                              \
  const name##_sum sample##vector = name##_widened(from + vector);
#define DDR_CONV_ADD_TO(vector, row, weight) row##vector += (weight) * sample##vector;
#define DDR_CONV_STORE(vector, name, row, to)                                                      \
  (to)[vector] = __builtin_convertvector(row##vector, name##_result);

/* Calls name_many or name_few, of so many vectors, for all results k to n - 1 of a row: for as many
 * as they compute, or, if is_twice, with some results again.  Leaves over what is too few. */
#define DDR_CONV_BLOCKS(name, width, n_many, n_few, is_twice, ...)                                 \
  while (n - k >= ((is_twice) ? 1 : INT64_C(n_few) * (width))) {                                   \
    const int64_t few = INT64_C(n_few) * (width), many = INT64_C(n_many) * (width);                \
    const bool is_broad = (is_twice) ? n - k > few && n >= many : n - k >= many;                   \
    const int64_t n_now = is_broad ? many : few;                                                   \
    if (n < n_now) break;                                                                          \
    if (k > n - n_now) k = n - n_now;                                                              \
    if (is_broad) {                                                                                \
      name##_many(__VA_ARGS__);                                                                    \
    } else {                                                                                       \
      name##_few(__VA_ARGS__);                                                                     \
    }                                                                                              \
    k += n_now;                                                                                    \
  }

/* A row with vectors of `width` doubles.  begin: the initial value of sums, and whether results may
 * be computed twice. */
#define DDR_CONV_ROW_BLOCK(name, part, number, result, vectors, begin)                             \
  static inline void name##_##part(const ddr_conv_tap *taps, int n_taps, const number *here,       \
                                   result *results) {                                           \
    name##_result *to = (name##_result *)results;                                                  \
    DDR_CONV_EACH_##vectors(DDR_CONV_BEGIN, name, sum, begin)                                      \
    for (int tap = 0; tap < n_taps; tap++) {                                                       \
      const double weight = taps[tap].re;                                                          \
      const name##_sample *from = (const name##_sample *)(here + taps[tap].offset);                \
      DDR_CONV_EACH_##vectors(DDR_CONV_SAMPLE, name)                                               \
      DDR_CONV_EACH_##vectors(DDR_CONV_ADD_TO, sum, weight)                                        \
    }                                                                                              \
    DDR_CONV_EACH_##vectors(DDR_CONV_STORE, name, sum, to)                                         \
  }
#define DDR_CONV_ROW(name, number, result, width, n_many, n_few, begin)                            \
  DDR_CONV_VECTORS(name, number, result, width)                                                    \
  DDR_CONV_ROW_BLOCK(name, many, number, result, n_many, begin)                                    \
  DDR_CONV_ROW_BLOCK(name, few, number, result, n_few, begin)                                      \
  static void name(const ddr_conv_tap *taps, int n_taps, const number *signal, int64_t at,         \
                   int64_t n, result *results) {                                                   \
    int64_t k = 0;                                                                                 \
    DDR_CONV_BLOCKS(name, width, n_many, n_few, begin##_TWICE, taps, n_taps, signal + at + k,      \
                    results + k)                                                                   \
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
  DDR_CONV_VECTORS(widen, float, double, width)                                                    \
  static void widen(const float *from, int64_t n, double *to) {                                    \
    int64_t k = 0;                                                                                 \
    for (; k <= n - (width); k += (width))                                                         \
      *(widen_result *)(to + k) = widen_widened((const widen_sample *)(from + k));                 \
    for (; k < n; k++) to[k] = (double)from[k];                                                    \
  }

/* Two rows at once: samples that both need are read, and converted, once.  n >= 2 * width; the last
 * results may be written twice. */
#define DDR_CONV_PAIR_SAMPLES(name, number, vectors, tap, apart)                                   \
  const double weight = (tap)->re;                                                                 \
  const name##_sample *from = (const name##_sample *)(here + ((tap)->offset + (apart)));           \
  DDR_CONV_EACH_##vectors(DDR_CONV_SAMPLE, name)
#define DDR_CONV_PAIR_BLOCK(name, part, number, vectors)                                           \
  static inline void name##_##part(const ddr_conv_pair *pair, const number *here,                  \
                                      number *first, number *second) {                             \
    const ddr_conv_tap *tap = pair->taps;                                                          \
    DDR_CONV_EACH_##vectors(DDR_CONV_BEGIN, name, a, DDR_CONV_NEW)                                 \
    DDR_CONV_EACH_##vectors(DDR_CONV_BEGIN, name, b, DDR_CONV_NEW)                                 \
    for (int group = 0; group < pair->n_groups; group++) {                                         \
      const ddr_conv_tap *shared = tap + pair->lag, *end = tap + pair->n_taps;                     \
      for (; tap < shared; tap++) {                                                                \
        DDR_CONV_PAIR_SAMPLES(name, number, vectors, tap, 0)                                       \
        DDR_CONV_EACH_##vectors(DDR_CONV_ADD_TO, a, weight)                                        \
      }                                                                                            \
      for (; tap < end; tap++) {                                                                   \
        DDR_CONV_PAIR_SAMPLES(name, number, vectors, tap, 0)                                       \
        DDR_CONV_EACH_##vectors(DDR_CONV_ADD_TO, a, weight)                                        \
        DDR_CONV_EACH_##vectors(DDR_CONV_ADD_TO, b, tap[-pair->lag].re)                            \
      }                                                                                            \
      for (const ddr_conv_tap *rest = end - pair->lag; rest < end; rest++) {                       \
        DDR_CONV_PAIR_SAMPLES(name, number, vectors, rest, pair->apart)                            \
        DDR_CONV_EACH_##vectors(DDR_CONV_ADD_TO, b, weight)                                        \
      }                                                                                            \
    }                                                                                              \
    DDR_CONV_EACH_##vectors(DDR_CONV_STORE, name, a, (name##_result *)first)                       \
    DDR_CONV_EACH_##vectors(DDR_CONV_STORE, name, b, (name##_result *)second)                      \
  }
#define DDR_CONV_PAIR(name, number, width, n_many, n_few)                                          \
  DDR_CONV_VECTORS(name, number, number, width)                                                    \
  DDR_CONV_PAIR_BLOCK(name, many, number, n_many)                                                  \
  DDR_CONV_PAIR_BLOCK(name, few, number, n_few)                                                    \
  static void name(const ddr_conv_pair *pair, const number *signal, int64_t at, int64_t n,         \
                   number *const results[2]) {                                                     \
    int64_t k = 0;                                                                                 \
    DDR_CONV_BLOCKS(name, width, n_many, n_few, 1, pair, signal + at + k, results[0] + k,          \
                    results[1] + k)                                                                \
  }

/* Complex numbers are pairs of doubles: both parts of a sum get their two products at once, each
 * part of the sample times the real part of the weight, then, exchanged, times the
 * imaginary one. */
#define DDR_CONV_EXCHANGED_2 1, 0
#define DDR_CONV_EXCHANGED_4 1, 0, 3, 2
#define DDR_CONV_EXCHANGED_8 1, 0, 3, 2, 5, 4, 7, 6
#define DDR_CONV_COMPLEX_TERM(sum, sample, width)                                                  \
  sum += re * (sample) +                                                                           \
         im * __builtin_shufflevector((sample), (sample), DDR_CONV_EXCHANGED_##width)
#define DDR_CONV_COMPLEX_WEIGHT                                                                    \
  const double re = taps[tap].re;                                                                  \
  const complex_vector im = taps[tap].im * signs;                                                  \
  const complex_vector *from = (const complex_vector *)(signal + k + taps[tap].offset);
#define DDR_CONV_COMPLEXES(width)                                                                  \
  typedef double complex_vector DDR_CONV_VECTOR(double, width);                                    \
  static void add_complexes(const ddr_conv_tap *taps, int n_taps,                                  \
                            const ddr_complex_double *signal, int64_t n, double *sums) {           \
    complex_vector signs = {0};                                                                    \
    int64_t k = 0;                                                                                 \
    for (int part = 0; part < (width); part++) signs[part] = part % 2 ? 1 : -1;                    \
    for (; k + (width) <= n; k += (width)) {                                                       \
      complex_vector *to = (complex_vector *)(sums + 2 * k), sum0 = to[0], sum1 = to[1];           \
      for (int tap = 0; tap < n_taps; tap++) {                                                     \
        DDR_CONV_COMPLEX_WEIGHT                                                                    \
        DDR_CONV_COMPLEX_TERM(sum0, from[0], width);                                               \
        DDR_CONV_COMPLEX_TERM(sum1, from[1], width);                                               \
      }                                                                                            \
      to[0] = sum0;                                                                                \
      to[1] = sum1;                                                                                \
    }                                                                                              \
    for (; k + (width) / 2 <= n; k += (width) / 2) {                                               \
      complex_vector *to = (complex_vector *)(sums + 2 * k), sum = *to;                            \
      for (int tap = 0; tap < n_taps; tap++) {                                                     \
        DDR_CONV_COMPLEX_WEIGHT                                                                    \
        DDR_CONV_COMPLEX_TERM(sum, *from, width);                                                  \
      }                                                                                            \
      *to = sum;                                                                                   \
    }                                                                                              \
    ddr_conv_complex_sums(taps, n_taps, signal, k, 1, n - k, sums + 2 * k);                        \
  }

/* Floats in a cache line. */
#define DDR_CONV_LINE 16

#define DDR_CONV_ROUND_WIDENED(width)                                                              \
  typedef double wide_sum DDR_CONV_VECTOR(double, width);                                          \
  typedef float wide_result DDR_CONV_VECTOR(float, width);                                         \
  static void round_widened(const ddr_conv_tap *taps, int n_taps, const double *signal, int64_t n, \
                            float *results, ddr_conv_ahead ahead) {                                \
    int64_t k = 0;                                                                                 \
    for (; k < n; k += 4L * (width)) {                                                             \
      if (k + 4L * (width) > n) {                                                                  \
        if (n < 4L * (width)) break;                                                               \
        k = n - 4L * (width);                                                                      \
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

#define DDR_CONV_FIRST_2 0, 2
#define DDR_CONV_FIRST_4 0, 2, 4, 6
#define DDR_CONV_FIRST_8 0, 2, 4, 6, 8, 10, 12, 14
#define DDR_CONV_FIRST_16 DDR_CONV_FIRST_8, 16, 18, 20, 22, 24, 26, 28, 30
#define DDR_CONV_SECOND_2 1, 3
#define DDR_CONV_SECOND_4 1, 3, 5, 7
#define DDR_CONV_SECOND_8 1, 3, 5, 7, 9, 11, 13, 15
#define DDR_CONV_SECOND_16 DDR_CONV_SECOND_8, 17, 19, 21, 23, 25, 27, 29, 31
#define DDR_CONV_SPLIT(name, number, lanes)                                                        \
  typedef number name##_vector DDR_CONV_VECTOR(number, lanes);                                     \
  static int64_t name(const void *from, int64_t n, void *first, void *second) {                    \
    int64_t k = 0;                                                                                 \
    for (; k <= n - (lanes); k += (lanes)) {                                                       \
      const name##_vector *pairs = (const name##_vector *)((const number *)from + 2 * k);          \
      *(name##_vector *)((number *)first + k) =                                                    \
          __builtin_shufflevector(pairs[0], pairs[1], DDR_CONV_FIRST_##lanes);                     \
      *(name##_vector *)((number *)second + k) =                                                   \
          __builtin_shufflevector(pairs[0], pairs[1], DDR_CONV_SECOND_##lanes);                    \
    }                                                                                              \
    return k;                                                                                      \
  }

/* Rows of `many` vectors at once, or of `few`; pairs of rows of so many.  Each has a name. */
#define DDR_CONV_FLOAT_ROWS(name, width, many, few, pair_many, pair_few)                           \
  DDR_CONV_ROW(add_##name, float, double, width, many, few, DDR_CONV_ADD)                          \
  DDR_CONV_ROW(name, float, float, width, many, few, DDR_CONV_NEW)                                 \
  DDR_CONV_PAIR(pair_of_##name, float, width, pair_many, pair_few)
#define DDR_CONV_OTHER_ROWS(width, n_floats, many, few, pair_many, pair_few)                       \
  DDR_CONV_WIDEN(width)                                                                            \
  DDR_CONV_SPLIT(split_floats, float, n_floats)                                                    \
  DDR_CONV_SPLIT(split_doubles, double, width)                                                     \
  DDR_CONV_ROW(add_doubles, double, double, width, many, few, DDR_CONV_ADD)                        \
  DDR_CONV_ROW(doubles, double, double, width, many, few, DDR_CONV_NEW)                            \
  DDR_CONV_PAIR(pair_of_doubles, double, width, pair_many, pair_few)                               \
  DDR_CONV_COMPLEXES(width)

/* Tables of them. */
#define DDR_CONV_FLOATS_OF(name)                                                                   \
  { add_##name, name, pair_of_##name, round_widened }
#define DDR_CONV_ROWS_OF(name, n_least, fused)                                                     \
  {n_least, DDR_CONV_FLOATS_OF(name), fused,       widen,         add_doubles,                     \
   doubles, pair_of_doubles,          split_floats, split_doubles, add_complexes}
/* clang-format on */
