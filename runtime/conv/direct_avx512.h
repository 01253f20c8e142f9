/* direct_avx512.h: how files for AVX-512 widen floats.  Nothing for other sets. */
#pragma once

#if defined(__AVX512F__)
#include <immintrin.h>

/* gcc 12 would convert the halves and join them. */
#define DDR_CONV_WIDEN_float(from, sum) ((sum)_mm512_cvtps_pd((__m256) * (from)))
#endif

#include "runtime/conv/direct_rows.h"
