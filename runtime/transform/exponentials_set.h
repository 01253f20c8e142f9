/* exponentials_set.h: exp and log of reals of one precision, that of ddr/scalar.h, for one
 * instruction set (sets.h): the functions of ddr/functions as vectors, with the same bits
 * everywhere.
 *
 * The general functions handle all numbers.  Nearly always the numbers of a block are ordinary:
 * neither they nor their results are tiny, infinite or NaN, and then half of the steps can be left
 * out.  Ordinary doubles have functions with tables, whose results may differ in the last digit.
 */
#include "ddr/scalar.h"
#include "runtime/element/sets.h"
#include "runtime/transform/exp_by_table.h"
#include "runtime/transform/kernels.h"
#include "runtime/transform/log_by_table.h"
#if defined(DDR_SET)

enum { BLOCK = 256 };

/* The distance of a number from the ordinary ones: numbers up to a limit are ordinary. */
static inline ddr_bits rank_for_exp(ddr_real x) { return ddr_bits_of(x) & ~DDR_SIGN_BIT; }
static inline ddr_bits most_for_exp(void) { return ddr_bits_of(DDR_BY_PRECISION(87.0, 703.0)); }

static inline ddr_bits rank_for_log(ddr_real x) {
  return ddr_bits_of(x) - ddr_bits_of(DDR_SMALLEST_NORMAL);
}
static inline ddr_bits most_for_log(void) { return rank_for_log((ddr_real)INFINITY) - 1; }

#if !defined(DDR_DOUBLE)
/* Like ddr_exp, but 2^k is applied in one step. */
static inline ddr_real exp_of_one(ddr_real x) {
  const ddr_real k = ddr_whole(x * DDR_LOG2_E);
  const ddr_two r = ddr_sum_ordered(ddr_add_exact(-k, DDR_LN_2_HIGH, x), -k * DDR_LN_2_LOW);
  const ddr_two one = ddr_sum_ordered(1, r.high);
  const ddr_real rest = r.low + r.high * r.high * DDR_EXP_POLY(r.high);
  const ddr_bits exponent = ddr_bits_of(k + DDR_ROUNDER) - DDR_ROUNDER_BITS + DDR_EXPONENT_BIAS;
  return (one.high + (one.low + rest)) * ddr_real_of_bits(exponent << DDR_MANTISSA_BITS);
}

static void exp_of_ordinary(const ddr_real *x, ddr_real *results, int64_t n) {
  for (int64_t k = 0; k < n; k++) results[k] = exp_of_one(x[k]);
}

/* Like ddr_log. */
static inline ddr_real log_of_one(ddr_real x) {
  const ddr_bits bits = ddr_bits_of(x), above = bits - DDR_SQRT_HALF_BITS;
  const ddr_bits biased = (above + DDR_ONE_BITS) >> DDR_MANTISSA_BITS;
  const ddr_real k = ddr_real_of_bits(biased | DDR_DIGIT_LIMIT_BITS) -
                     (ddr_real)(DDR_DIGIT_LIMIT + DDR_EXPONENT_BIAS);
  const ddr_real f = ddr_real_of_bits(bits - (above & ~DDR_MANTISSA_MASK)) - 1;
  const ddr_real half_square = f * f * DDR_R(0.5);
  const ddr_real rest = ddr_log_rest(f, half_square) + k * DDR_LN_2_LOW;
  return ddr_add_exact(k, DDR_LN_2_HIGH, f - (half_square - rest));
}

static void log_of_ordinary(const ddr_real *x, ddr_real *results, int64_t n) {
  for (int64_t k = 0; k < n; k++) results[k] = log_of_one(x[k]);
}
#endif

#define OF_EACH(name)                                                                              \
  static bool all_ordinary_##name(const ddr_real *x, int64_t n) {                                  \
    ddr_bits most = 0;                                                                             \
    for (int64_t k = 0; k < n; k++)                                                                \
      most = rank_for_##name(x[k]) > most ? rank_for_##name(x[k]) : most;                          \
    return most <= most_for_##name();                                                              \
  }                                                                                                \
  /* Results may be x. */                                                                          \
  static void name##_of_block(const ddr_real *x, ddr_real *results, int64_t n) {                   \
    ddr_real ordinary[BLOCK];                                                                      \
    if (all_ordinary_##name(x, n)) {                                                               \
      name##_of_ordinary(x, results, n);                                                           \
      return;                                                                                      \
    }                                                                                              \
    name##_of_ordinary(x, ordinary, n);                                                            \
    for (int64_t k = 0; k < n; k++) {                                                              \
      const ddr_real other = ddr_##name(x[k]);                                                     \
      results[k] = rank_for_##name(x[k]) <= most_for_##name() ? ordinary[k] : other;               \
    }                                                                                              \
  }                                                                                                \
  void DDR_OF_SET(ddr_transform_##name)(const void *const *operands, void *result, int64_t n) {    \
    const ddr_real *x = operands[0];                                                               \
    ddr_real *results = result;                                                                    \
    for (int64_t at = 0; at < n; at += BLOCK)                                                      \
      name##_of_block(x + at, results + at, n - at < BLOCK ? n - at : BLOCK);                      \
  }
OF_EACH(exp)
OF_EACH(log)
#endif
