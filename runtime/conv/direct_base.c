/* direct_base.c: rows of results with vectors of 2 doubles. */
#include "runtime/conv/direct_rows.h"

DDR_CONV_ROWS(float_row, float, 2)
DDR_CONV_ROWS(double_row, double, 2)

const ddr_conv_rows ddr_conv_rows_base = {float_row, double_row};
