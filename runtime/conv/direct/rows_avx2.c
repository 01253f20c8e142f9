/* rows_avx2.c: rows of results with vectors of 4 doubles. */
#include "runtime/conv/direct/rows.h"

DDR_CONV_ROWS(avx2, 4, &ddr_conv_fused_avx2)
