/* rows_base.c: rows of results with vectors of 2 doubles. */
#include "runtime/conv/direct/rows.h"

DDR_CONV_FLOAT_ROWS(floats, 2, 4, 2, 4, 2)
DDR_CONV_ROUND_WIDENED(2)
DDR_CONV_OTHER_ROWS(2, 4, 4, 2, 4, 2)

const ddr_conv_rows ddr_conv_rows_base = DDR_CONV_ROWS_OF(floats, 4, NULL);
