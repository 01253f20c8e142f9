/* fma.h: a*b + c rounded once, for vectors of reals.
 *
 * Only products that diderotc itself adds up - weights, sums over taps, transforms - are fused; the
 * C compiler is told to fuse nothing (-ffp-contract=off). So the bits are the same in vectors of
 * any size, for single numbers, and on devices. Where a machine has no instruction for it, floats
 * are fused in doubles (as ddr_fma of base/real.h does), and doubles one by one by libm, which
 * takes ten times as long.
 *
 * Instructions are named by builtins, because the compilers have none in common. Macros, because
 * how a vector is passed to a function depends on the instruction set.  Read next: row.h.
 */
#pragma once

#include "ddr/scalar.h"

#if defined(DDR_GPU) /* no vectors there */
#else

typedef ddr_real ddr_reals16 __attribute__((vector_size(16)));
typedef ddr_real ddr_reals32 __attribute__((vector_size(32)));
typedef ddr_real ddr_reals64 __attribute__((vector_size(64)));

/* Lane by lane. Operands may use the same macro, so its variables are numbered. */
#define DDR_FMA_EACH(type, a, b, c) DDR_FMA_NUMBERED(type, a, b, c, __COUNTER__)
#define DDR_FMA_NUMBERED(type, a, b, c, n) DDR_FMA_LOOP(type, a, b, c, n)
#define DDR_FMA_LOOP(type, a, b, c, n)                                                             \
  __extension__({                                                                                  \
    const type ddr_a##n = (a), ddr_b##n = (b);                                                     \
    type ddr_c##n = (c);                                                                           \
    for (int ddr_i##n = 0; ddr_i##n < (int)(sizeof(type) / sizeof(ddr_real)); ddr_i##n++)          \
      ddr_c##n[ddr_i##n] = ddr_fma(ddr_a##n[ddr_i##n], ddr_b##n[ddr_i##n], ddr_c##n[ddr_i##n]);    \
    ddr_c##n;                                                                                      \
  })

#if defined(DDR_FMA_BY_DOUBLES)
typedef double ddr_doubles4 __attribute__((vector_size(32)));
typedef int32_t ddr_words4 __attribute__((vector_size(16)));
typedef int32_t ddr_words8 __attribute__((vector_size(32)));

/* Lane by lane: for the rare sums in double that lie in the middle of two floats, or are subnormal
 * as floats. All others may simply be rounded to float. */
DDR_FN_RARE ddr_reals16 ddr_fma16_rare(ddr_reals16 a, ddr_reals16 b, ddr_reals16 c) {
  for (int i = 0; i < 4; i++) c[i] = ddr_fma(a[i], b[i], c[i]);
  return c;
}

/* A call in long programs (backend-c/compile/cc.c), of which gcc takes three times as long where
 * this is inlined. It keeps registers over the call that the function does not use; clang does not.
 */
#if defined(__clang__) || !defined(DDR_LONG_TEXT)
#define DDR_FN_OF_FMA static inline __attribute__((unused, always_inline))
#else
#define DDR_FN_OF_FMA DDR_FN_SELDOM
#endif
DDR_FN_OF_FMA ddr_reals16 ddr_fma16(ddr_reals16 a, ddr_reals16 b, ddr_reals16 c) {
  const ddr_doubles4 wide =
      __builtin_convertvector(a, ddr_doubles4) * __builtin_convertvector(b, ddr_doubles4) +
      __builtin_convertvector(c, ddr_doubles4);
  const ddr_reals16 sum = __builtin_convertvector(wide, ddr_reals16);
  const ddr_words8 words = (ddr_words8)wide;
  const ddr_words4 low = __builtin_shufflevector(words, words, 0, 2, 4, 6);
  const ddr_words4 size = ((ddr_words4)sum & INT32_MAX) - 1;
  const ddr_words4 is_rare = ((low & 0x1fffffff) == 0x10000000) | ((size >= 0) & (size < 0x800000));
  if (__builtin_expect(__builtin_ia32_movmskps((ddr_reals16)is_rare), 0))
    return ddr_fma16_rare(a, b, c);
  return sum;
}
#define DDR_FMA16(a, b, c) ddr_fma16(a, b, c)
#define DDR_FMA32(a, b, c) DDR_FMA32_NUMBERED(a, b, c, __COUNTER__)
#define DDR_FMA32_NUMBERED(a, b, c, n) DDR_FMA32_BY_HALVES(a, b, c, n)
#define DDR_LOW(v) __builtin_shufflevector(v, v, 0, 1, 2, 3)
#define DDR_HIGH(v) __builtin_shufflevector(v, v, 4, 5, 6, 7)
#define DDR_FMA32_BY_HALVES(a, b, c, n)                                                            \
  __extension__({                                                                                  \
    const ddr_reals32 ddr_a##n = (a), ddr_b##n = (b), ddr_c##n = (c);                              \
    const ddr_reals16 ddr_low##n =                                                                 \
        ddr_fma16(DDR_LOW(ddr_a##n), DDR_LOW(ddr_b##n), DDR_LOW(ddr_c##n));                        \
    const ddr_reals16 ddr_high##n =                                                                \
        ddr_fma16(DDR_HIGH(ddr_a##n), DDR_HIGH(ddr_b##n), DDR_HIGH(ddr_c##n));                     \
    __builtin_shufflevector(ddr_low##n, ddr_high##n, 0, 1, 2, 3, 4, 5, 6, 7);                      \
  })
#elif defined(__FMA__) && defined(__clang_major__) && __clang_major__ >= 20
/* Newer versions of clang lack the builtins below. */
#define DDR_FMA16(a, b, c)                                                                         \
  __builtin_elementwise_fma((ddr_reals16)(a), (ddr_reals16)(b), (ddr_reals16)(c))
#define DDR_FMA32(a, b, c)                                                                         \
  __builtin_elementwise_fma((ddr_reals32)(a), (ddr_reals32)(b), (ddr_reals32)(c))
#elif defined(__FMA__) && defined(DDR_DOUBLE)
#define DDR_FMA16(a, b, c) ((ddr_reals16)__builtin_ia32_vfmaddpd(a, b, c))
#define DDR_FMA32(a, b, c) ((ddr_reals32)__builtin_ia32_vfmaddpd256(a, b, c))
#elif defined(__FMA__)
#define DDR_FMA16(a, b, c) ((ddr_reals16)__builtin_ia32_vfmaddps(a, b, c))
#define DDR_FMA32(a, b, c) ((ddr_reals32)__builtin_ia32_vfmaddps256(a, b, c))
#elif defined(__aarch64__)
#include <arm_neon.h>
#if defined(DDR_DOUBLE)
#define DDR_FMA16(a, b, c)                                                                         \
  ((ddr_reals16)vfmaq_f64((float64x2_t)(c), (float64x2_t)(a), (float64x2_t)(b)))
#else
#define DDR_FMA16(a, b, c)                                                                         \
  ((ddr_reals16)vfmaq_f32((float32x4_t)(c), (float32x4_t)(a), (float32x4_t)(b)))
#endif
#define DDR_FMA32(a, b, c) DDR_FMA_EACH(ddr_reals32, a, b, c)
#else
#define DDR_FMA16(a, b, c) DDR_FMA_EACH(ddr_reals16, a, b, c)
#define DDR_FMA32(a, b, c) DDR_FMA_EACH(ddr_reals32, a, b, c)
#endif

/* The argument 4 is the current rounding mode. The compilers have different types for a mask of 16
 * bits. */
#if defined(__clang__)
#define DDR_ALL_16 UINT16_MAX
#else
#define DDR_ALL_16 -1
#endif
#if defined(__AVX512F__) && defined(DDR_DOUBLE)
#define DDR_FMA64(a, b, c) ((ddr_reals64)__builtin_ia32_vfmaddpd512_mask(a, b, c, UINT8_MAX, 4))
#elif defined(__AVX512F__)
#define DDR_FMA64(a, b, c) ((ddr_reals64)__builtin_ia32_vfmaddps512_mask(a, b, c, DDR_ALL_16, 4))
#elif defined(__FMA__) || defined(__clang__)
/* By halves: clang 14 does not unroll a loop over 8 lanes, and keeps its vectors in memory. */
typedef union ddr_halves64 {
  ddr_reals64 both;
  ddr_reals32 half[2];
} ddr_halves64;
#define DDR_FMA64(a, b, c) DDR_FMA64_NUMBERED(a, b, c, __COUNTER__)
#define DDR_FMA64_NUMBERED(a, b, c, n) DDR_FMA64_BY_HALVES(a, b, c, n)
#define DDR_FMA64_BY_HALVES(a, b, c, n)                                                            \
  __extension__({                                                                                  \
    const ddr_halves64 ddr_a##n = {(a)}, ddr_b##n = {(b)}, ddr_c##n = {(c)};                       \
    ddr_halves64 ddr_sum##n;                                                                       \
    ddr_sum##n.half[0] = DDR_FMA32(ddr_a##n.half[0], ddr_b##n.half[0], ddr_c##n.half[0]);          \
    ddr_sum##n.half[1] = DDR_FMA32(ddr_a##n.half[1], ddr_b##n.half[1], ddr_c##n.half[1]);          \
    ddr_sum##n.both;                                                                               \
  })
#else
#define DDR_FMA64(a, b, c) DDR_FMA_EACH(ddr_reals64, a, b, c)
#endif

#endif
