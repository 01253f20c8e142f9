/* direct_avx512.c: rows of results with vectors of 8 doubles. */
#include "runtime/conv/direct_rows.h"

DDR_CONV_ROWS(float_row, float, 8)
DDR_CONV_ROWS(double_row, double, 8)

const ddr_conv_rows ddr_conv_rows_avx512 = {float_row, double_row};
