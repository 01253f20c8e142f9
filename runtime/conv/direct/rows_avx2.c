/* rows_avx2.c: rows of results with vectors of 4 doubles. */
#include "runtime/conv/direct/widen.h"

DDR_CONV_FLOAT_ROWS(floats, 4, 8, 4, 4, 2)
DDR_CONV_ROUND_WIDENED(4)
DDR_CONV_OTHER_ROWS(4, 8, 8, 4, 4, 2)

const ddr_conv_rows ddr_conv_rows_avx2 = DDR_CONV_ROWS_OF(floats, 16, &ddr_conv_fused_avx2);
