/* direct_avx512.c: rows of results with vectors of 8 doubles. */
#include <immintrin.h>

/* gcc 12 would convert the halves and join them. */
#define DDR_CONV_WIDEN_float(from, sum) ((sum)_mm512_cvtps_pd((__m256) * (from)))

#include "runtime/conv/direct_rows.h"

DDR_CONV_ROWS(avx512, 8)
