/* named.h: vector instructions for which C has no operator, by gcc's builtins.
 *
 * gcc would find each of them in a loop over lanes, too, but needs milliseconds every time, most of
 * its time in long programs. clang is fast at that. What is not defined here is a loop in lanes.h
 * or wide.h. Mask arguments select all lanes; the argument 4 is the current rounding mode.
 */
#pragma once

#include <stdint.h>

#include "ddr/register.h"

#if defined(__clang__)
#elif DDR_REGISTER_SIZE == 64 && defined(DDR_DOUBLE)
#define DDR_NAMED_REALS
#define DDR_NAMED_SQRT(x) __builtin_ia32_sqrtpd512_mask(x, (ddr_vreal){0}, -1, 4)
#define DDR_NAMED_ROUND(x, way) __builtin_ia32_rndscalepd_mask(x, way, (ddr_vreal){0}, -1, 4)
#define DDR_NAMED_MIN(a, b) __builtin_ia32_minpd512_mask(a, b, (ddr_vreal){0}, UINT8_MAX, 4)
#define DDR_NAMED_MAX(a, b) __builtin_ia32_maxpd512_mask(a, b, (ddr_vreal){0}, UINT8_MAX, 4)
#elif DDR_REGISTER_SIZE == 64
#define DDR_NAMED_REALS
#define DDR_NAMED_SQRT(x) __builtin_ia32_sqrtps512_mask(x, (ddr_vreal){0}, -1, 4)
#define DDR_NAMED_ROUND(x, way) __builtin_ia32_rndscaleps_mask(x, way, (ddr_vreal){0}, -1, 4)
#define DDR_NAMED_MIN(a, b) __builtin_ia32_minps512_mask(a, b, (ddr_vreal){0}, -1, 4)
#define DDR_NAMED_MAX(a, b) __builtin_ia32_maxps512_mask(a, b, (ddr_vreal){0}, -1, 4)
#elif DDR_REGISTER_SIZE == 32 && defined(DDR_DOUBLE)
#define DDR_NAMED_REALS
#define DDR_NAMED_SQRT(x) __builtin_ia32_sqrtpd256(x)
#define DDR_NAMED_ROUND(x, way) __builtin_ia32_roundpd256(x, way)
#define DDR_NAMED_MIN(a, b) __builtin_ia32_minpd256(a, b)
#define DDR_NAMED_MAX(a, b) __builtin_ia32_maxpd256(a, b)
#elif DDR_REGISTER_SIZE == 32
#define DDR_NAMED_REALS
#define DDR_NAMED_SQRT(x) __builtin_ia32_sqrtps256(x)
#define DDR_NAMED_ROUND(x, way) __builtin_ia32_roundps256(x, way)
#define DDR_NAMED_MIN(a, b) __builtin_ia32_minps256(a, b)
#define DDR_NAMED_MAX(a, b) __builtin_ia32_maxps256(a, b)
#endif

/* For ints and reals of 32 bits. */
#if defined(__clang__) || defined(DDR_DOUBLE) || defined(DDR_LONG_INT)
#elif DDR_REGISTER_SIZE == 64
#define DDR_NAMED_INTS
#define DDR_NAMED_IMIN(a, b) __builtin_ia32_pminsd512_mask(a, b, (ddr_vint){0}, UINT16_MAX)
#define DDR_NAMED_IMAX(a, b) __builtin_ia32_pmaxsd512_mask(a, b, (ddr_vint){0}, UINT16_MAX)
#elif defined(__AVX2__)
#define DDR_NAMED_INTS
#define DDR_NAMED_IMIN(a, b) __builtin_ia32_pminsd256(a, b)
#define DDR_NAMED_IMAX(a, b) __builtin_ia32_pmaxsd256(a, b)
#endif

/* A permutation: lane i gets lane idx[i]. No compiler finds that in a loop. */
#if defined(DDR_DOUBLE) || defined(DDR_LONG_INT)
#elif DDR_REGISTER_SIZE == 64 && defined(__clang__)
#define DDR_NAMED_AT(all, idx) __builtin_ia32_permvarsi512(all, idx)
#elif DDR_REGISTER_SIZE == 64
#define DDR_NAMED_AT(all, idx) __builtin_ia32_permvarsi512_mask(all, idx, (ddr_vint){0}, UINT16_MAX)
#elif defined(__AVX2__)
#define DDR_NAMED_AT(all, idx) __builtin_ia32_permvarsi256(all, idx)
#endif

/* For doubles, whatever the program's real type is. */
#if defined(__clang__)
#elif DDR_REGISTER_SIZE == 64
#define DDR_NAMED_SQRT_WIDE(x) __builtin_ia32_sqrtpd512_mask(x, (ddr_vwide){0}, -1, 4)
#elif DDR_REGISTER_SIZE == 32
#define DDR_NAMED_SQRT_WIDE(x) __builtin_ia32_sqrtpd256(x)
#elif defined(__SSE2__)
#define DDR_NAMED_SQRT_WIDE(x) __builtin_ia32_sqrtpd(x)
#endif
