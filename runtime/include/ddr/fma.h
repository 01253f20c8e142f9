/* fma.h: a*b + c rounded once, for vectors of reals.
 *
 * Products that the compiler itself adds up - weights, sums over taps, transforms - are fused, and
 * nothing else is: the C compiler is told to fuse nothing (-ffp-contract=off). So the bits are the
 * same in vectors of any size, one by one, and on devices. Where a machine has no instruction for
 * it, libm computes it real by real, which takes ten times as long.
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

#if defined(__FMA__) && defined(DDR_DOUBLE)
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

/* 4: rounded as always. */
#if defined(__AVX512F__) && defined(DDR_DOUBLE)
#define DDR_FMA64(a, b, c) ((ddr_reals64)__builtin_ia32_vfmaddpd512_mask(a, b, c, UINT8_MAX, 4))
#elif defined(__AVX512F__)
#define DDR_FMA64(a, b, c) ((ddr_reals64)__builtin_ia32_vfmaddps512_mask(a, b, c, -1, 4))
#else
#define DDR_FMA64(a, b, c) DDR_FMA_EACH(ddr_reals64, a, b, c)
#endif

#endif
