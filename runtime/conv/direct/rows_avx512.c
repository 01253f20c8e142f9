/* rows_avx512.c: rows of results with vectors of 8 doubles. */
#include "runtime/conv/direct/rows_avx512.h"

DDR_CONV_ROWS(avx512, 8, &ddr_conv_fused_avx512)
