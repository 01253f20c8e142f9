/* direct_avx2.c: rows of results with vectors of 4 doubles. */
#include "runtime/conv/direct_rows.h"

DDR_CONV_ROWS(float_row, float, 4)
DDR_CONV_ROWS(double_row, double, 4)

const ddr_conv_rows ddr_conv_rows_avx2 = {float_row, double_row};
