/* rows_avx512.c: rows of results with vectors of 8 doubles.  Processors that compute these in
 * halves convert floats faster four at a time, and have as many registers for that. */
#include "runtime/conv/direct/widen.h"

DDR_CONV_FLOAT_ROWS(floats, 8, 4, 2, 4, 2)
DDR_CONV_FLOAT_ROWS(halves, 4, 8, 4, 8, 4)
DDR_CONV_ROUND_WIDENED(8)
DDR_CONV_OTHER_ROWS(8, 16, 4, 2, 4, 2)

const ddr_conv_rows ddr_conv_rows_avx512 = DDR_CONV_ROWS_OF(floats, 16, &ddr_conv_fused_avx512);
const ddr_conv_rows ddr_conv_rows_halves = DDR_CONV_ROWS_OF(halves, 16, &ddr_conv_fused_halves);
