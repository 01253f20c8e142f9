/* rows_avx512.h: how files for AVX-512 widen floats.  Empty for other instruction sets. */
#pragma once

#if defined(__AVX512F__)
#include <immintrin.h>

/* Without this, gcc 12 converts both halves and joins them. */
#define DDR_CONV_WIDEN_float(from, sum) ((sum)_mm512_cvtps_pd((__m256) * (from)))
#endif

#include "runtime/conv/direct/rows.h"
