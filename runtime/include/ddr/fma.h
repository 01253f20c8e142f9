/* fma.h: a*b + c rounded once, for vectors of reals.
 *
 * Products that the compiler itself adds up - weights, sums over taps, transforms - are fused, and
 * nothing else is: the C compiler is told to fuse nothing (-ffp-contract=off). So the bits are the
 * same in vectors of any size, one by one, and on devices. Where a machine has no instruction for
 * it, floats are fused in doubles (as ddr_fma of scalar.h does), and doubles one by one by libm,
 * which takes ten times as long.
 *
 * The only instructions of machines by name for it are here: compilers have no common word for it.
 * Macros, because how a vector is passed depends on the instruction set.  Read next: row.h.
 */
#pragma once

#include "ddr/scalar.h"

#if defined(__CUDACC__) /* has no vectors */
#else

typedef ddr_real ddr_reals16 __attribute__((vector_size(16)));
typedef ddr_real ddr_reals32 __attribute__((vector_size(32)));
typedef ddr_real ddr_reals64 __attribute__((vector_size(64)));

/* One by one. Operands may be made in the same way: names are numbered. */
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
/* Floats in doubles, n at once. A sum in doubles is right after another rounding but where it lies
 * in the middle of two floats, or below the normal ones: then one by one. */
#define DDR_FMA_IN(n, type, a, b, c) DDR_FMA_IN_NUMBERED(n, type, a, b, c, __COUNTER__)
#define DDR_FMA_IN_NUMBERED(n, type, a, b, c, k) DDR_FMA_IN_DOUBLES(n, type, a, b, c, k)
#define DDR_FMA_IN_DOUBLES(n, type, a, b, c, k)                                                    \
  __extension__({                                                                                  \
    typedef double ddr_wide##k __attribute__((vector_size(n * 8)));                                \
    typedef int32_t ddr_halves##k __attribute__((vector_size(n * 8)));                             \
    typedef int32_t ddr_bits##k __attribute__((vector_size(n * 4)));                               \
    const type ddr_a##k = (a), ddr_b##k = (b), ddr_c##k = (c);                                     \
    const ddr_wide##k ddr_wide_sum##k = __builtin_convertvector(ddr_a##k, ddr_wide##k) *           \
                                            __builtin_convertvector(ddr_b##k, ddr_wide##k) +       \
                                        __builtin_convertvector(ddr_c##k, ddr_wide##k);            \
    type ddr_sum##k = __builtin_convertvector(ddr_wide_sum##k, type);                              \
    const ddr_halves##k ddr_middle##k =                                                            \
        ((ddr_halves##k)ddr_wide_sum##k & 0x1fffffff) == 0x10000000;                               \
    const ddr_bits##k ddr_size##k = ((ddr_bits##k)ddr_sum##k & INT32_MAX) - 1;                     \
    const ddr_bits##k ddr_small##k = (ddr_size##k >= 0) & (ddr_size##k < 0x800000);                \
    int32_t ddr_rare##k = 0;                                                                       \
    for (int ddr_i##k = 0; ddr_i##k < 2 * (n); ddr_i##k += 2)                                      \
      ddr_rare##k |= ddr_middle##k[ddr_i##k] | ddr_small##k[ddr_i##k / 2];                         \
    if (__builtin_expect(ddr_rare##k, 0))                                                          \
      for (int ddr_i##k = 0; ddr_i##k < (n); ddr_i##k++)                                           \
        ddr_sum##k[ddr_i##k] =                                                                     \
            ddr_fma(ddr_a##k[ddr_i##k], ddr_b##k[ddr_i##k], ddr_c##k[ddr_i##k]);                   \
    ddr_sum##k;                                                                                    \
  })
#define DDR_FMA16(a, b, c) DDR_FMA_IN(4, ddr_reals16, a, b, c)
#define DDR_FMA32(a, b, c) DDR_FMA_IN(8, ddr_reals32, a, b, c)
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

/* 4: rounded as always. The compilers have two types for 16 bits of a mask. */
#if defined(__clang__)
#define DDR_ALL_16 UINT16_MAX
#else
#define DDR_ALL_16 -1
#endif
#if defined(__AVX512F__) && defined(DDR_DOUBLE)
#define DDR_FMA64(a, b, c) ((ddr_reals64)__builtin_ia32_vfmaddpd512_mask(a, b, c, UINT8_MAX, 4))
#elif defined(__AVX512F__)
#define DDR_FMA64(a, b, c) ((ddr_reals64)__builtin_ia32_vfmaddps512_mask(a, b, c, DDR_ALL_16, 4))
#else
#define DDR_FMA64(a, b, c) DDR_FMA_EACH(ddr_reals64, a, b, c)
#endif

#endif
