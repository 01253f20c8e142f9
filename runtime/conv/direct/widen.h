/* widen.h: how files for AVX2 and AVX-512 widen floats, and rows.h.  Without this, gcc 12 converts
 * both halves of a vector and joins them. */
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#define DDR_CONV_WIDEN_float_4(from, sum) ((sum)_mm256_cvtps_pd((__m128) * (from)))
#endif
#if defined(__AVX512F__)
#define DDR_CONV_WIDEN_float_8(from, sum) ((sum)_mm512_cvtps_pd((__m256) * (from)))
#endif

#include "runtime/conv/direct/rows.h"
