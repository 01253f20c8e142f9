/* exp_by_table.h: exp of doubles whose results are normal numbers, in vectors; for one instruction
 * set (sets.h), with the same bits in each.
 *
 *   x = (16 k + j) ln 2 / 16 + r,  |r| <= ln 2 / 32,  exp x = 2^k 2^(j/16) exp r
 *
 * For such a small r the polynomial has half the length of the one in ddr/functions, and the error
 * of r does not matter.  The error is less than 0.7 ulp.
 */
#pragma once

#include "runtime/transform/look_up.h"
#if defined(DDR_SET) && defined(DDR_DOUBLE)

#define PARTS_OF_LN_2 23.083120654223414 /* 16 / ln 2 */
#define LN_2_PART_HIGH 0x1.62e42fefap-5  /* ln 2 / 16, whose product with 16 k + j is exact */
#define LN_2_PART_LOW 0x1.cf79abc9e3b3ap-44

/* (exp r - 1 - r) / r^2, accurate to 2^-56 of exp r */
#define EXP_SMALL_POLY(r)                                                                          \
  DDR_POLY5(r, 0.49999999999999606, 0.1666666666441707, 0.041666666693259455,                      \
            0.008333471948511046, 0.0013888594020624078)

/* The bits of 2^(j/16) minus j << 48: adding (16 k + j) << 48 adds k to the exponent and restores
 * them. */
static const uint64_t powers_of_parts[16] = {
    0x3ff0000000000000, 0x3fefb5586cf9890f, 0x3fef72b83c7d517b, 0x3fef387a6e756238,
    0x3fef06fe0a31b715, 0x3feedea64c123422, 0x3feebfdad5362a27, 0x3feeab07dd485429,
    0x3feea09e667f3bcd, 0x3feea11473eb0187, 0x3feeace5422aa0db, 0x3feec49182a3f090,
    0x3feee89f995ad3ad, 0x3fef199bdd85529c, 0x3fef5818dcfba487, 0x3fefa4afa2a490da,
};

/* The relative error of those powers. */
static const double lacking[16] = {
    0x0p+0,
    0x1.79aa65d837b6cp-54,
    -0x1.01b15eaa59348p-55,
    0x1.68efde3a8a893p-54,
    0x1.34d754db0abb6p-55,
    0x1.59f48a72a4c6cp-55,
    0x1.690cebb7aafbp-56,
    0x1.063e1e21c5409p-54,
    -0x1.3b3efbf5e2229p-54,
    -0x1.b32dcb94da51dp-56,
    0x1.db72fc1f0eab4p-55,
    0x1.1affc2b91ce27p-56,
    0x1.c1a7792cb3386p-55,
    0x1.36eae30af0cb3p-56,
    0x1.4a385a63d07a7p-56,
    -0x1.ff7128fd391f1p-55,
};

/* |x| is at most 703: below -703, what is added to a power of 2 is subnormal and loses digits. */
static inline Reals exp_of_vector(Reals x) {
  const Reals with_parts = x * PARTS_OF_LN_2 + DDR_ROUNDER, n = with_parts - DDR_ROUNDER;
  const Words parts = (Words)with_parts;
  const Reals none = {0};
  const Reals r = FUSED(-n, none + LN_2_PART_HIGH, x) - n * LN_2_PART_LOW;
  const Reals of_r = r + r * r * EXP_SMALL_POLY(r); /* exp r - 1 */
  const Reals power = (Reals)(look_up(powers_of_parts, parts) + (parts << 48));
  return power + power * ((Reals)look_up(lacking, parts) + of_r);
}

ORDINARY_FN(exp)
#endif
