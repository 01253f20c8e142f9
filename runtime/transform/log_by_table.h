/* log_by_table.h: log of positive normal doubles, vectors at a time; for one set of instructions
 * (sets.h), with the same bits in each.
 *
 *   x = 2^k z,  c near 1/z from a table,  r = c z - 1
 *   log x = (k ln 2 - log c) + log(1+r),  log(1+r) = r - s (r - s^2 P(s^2)),  s = r / (2 + r)
 *
 * z is between 0.76 and 1.53, r between -1/28 and 1/30.  Each c is a multiple of 1/64 or 1/32, so
 * that r is exact, or nearly where it is large; near 1 it is z - 1.  -log c is in two parts: a
 * multiple of 2^-42, to which that of k ln 2 is added exactly, and what this lacks.  Off by less
 * than 0.8 units in the last place.
 */
#pragma once

#include "runtime/transform/look_up.h"
#if defined(DDR_SET) && defined(DDR_DOUBLE)

/* (2 artanh s - 2 s) / s^3 of s^2, to 2^-62 of log(1+r) */
#define LOG_SMALL_POLY(z)                                                                          \
  DDR_POLY3(z, 0x1.5555555559621p-1, 0x1.9999979792b55p-2, 0x1.24b8a160a8f8ap-2)

/* Where the parts of the numbers z begin: their bits, of the first; each has 2^48 numbers.  1 is in
 * the middle of the eighth, of which c is 1. */
#define FIRST_PART UINT64_C(0x3fe8555555555556)
enum { DIGITS_OF_PART = 48 };

static const double inverses[16] = {
    1.28125,  1.25,     1.1875,  1.15625, 1.125,    1.0625,   1.03125,  1,
    0.953125, 0.890625, 0.84375, 0.8125,  0.765625, 0.734375, 0.703125, 0.671875,
};

/* -log of those, in multiples of 2^-42; and what these lack */
static const double logs[16] = {
    -0x1.fb9186d5e4p-3, -0x1.c8ff7c79aap-3, -0x1.5ff3070a7ap-3, -0x1.29552f82p-3,
    -0x1.e27076e2bp-4,  -0x1.f0a30c0118p-5, -0x1.f829b0e78p-6,  0,
    0x1.894aa149f8p-5,  0x1.da72763844p-4,  0x1.5bf406b544p-3,  0x1.a93ed3c8aep-3,
    0x1.1178e8227ep-2,  0x1.3c25277333p-2,  0x1.68ac83e9c7p-2,  0x1.973a343135p-2,
};
static const double lacking_of_logs[16] = {
    0x1.d572aab993c87p-47, 0x1.7794f689f8434p-45, 0x1.8586f183bebf2p-44,  0x1.5b967f4471dfcp-44,
    0x1.a342c2af0003cp-45, 0x1.d599e83368e91p-45, -0x1.980267c7e09e4p-45, 0,
    0x1.9a19a8be97661p-44, 0x1.a89401fa71733p-46, -0x1.27023eb68981cp-46, -0x1.8724350562169p-45,
    0x1.1ef78ce2d07f2p-44, 0x1.83b54b606bd5cp-46, -0x1.7af966c548a3p-44,  0x1.ab73b16bf4984p-44,
};

/* Rounded once. */
static inline Reals product_beyond_1(Reals z, Reals inverse) {
  const Reals none = {0};
#if defined(DDR_HAS_FMA)
  return FUSED(z, inverse, none - 1);
#else
  const Reals head = (Reals)((Words)z >> 26 << 26);
  return (head * inverse - (none + 1)) + (z - head) * inverse;
#endif
}

/* The power of 2 that a part belongs to. */
static inline Reals power_of_part(Words beyond) {
#if defined(__AVX512DQ__)
  return (Reals)_mm512_cvtepi64_pd(_mm512_srai_epi64((__m512i)beyond, DDR_MANTISSA_BITS));
#else
  const Words biased = (beyond + DDR_ONE_BITS) >> DDR_MANTISSA_BITS;
  return (Reals)(biased | DDR_DIGIT_LIMIT_BITS) - (DDR_DIGIT_LIMIT + DDR_EXPONENT_BIAS);
#endif
}

static inline Reals log_of_vector(Reals x) {
  const Words bits = (Words)x, beyond = bits - FIRST_PART, part = beyond >> DIGITS_OF_PART;
  const Reals none = {0}, k = power_of_part(beyond);
  const Reals z = (Reals)(bits - (beyond & ~DDR_MANTISSA_MASK));
  const Reals r = product_beyond_1(z, (Reals)look_up(inverses, part)), s = r / (2 + r), s_2 = s * s;
  const Reals of_r = r - s_2 * LOG_SMALL_POLY(s_2); /* log(1+r) is r - s times this */
  const Reals rest = k * DDR_LN_2_LOW + ((Reals)look_up(lacking_of_logs, part) - s * of_r);
  const Reals high = FUSED(k, none + DDR_LN_2_HIGH, (Reals)look_up(logs, part));
  const Reals sum = high + r;
  return sum + (((high - sum) + r) + rest);
}

ORDINARY_FN(log)
#endif
