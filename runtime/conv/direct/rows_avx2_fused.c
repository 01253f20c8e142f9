/* rows_avx2_fused.c: the same for weights that are floats, compiled with contraction. */
#include "runtime/conv/direct/widen.h"

DDR_CONV_FLOAT_ROWS(floats, 4, 8, 4, 4, 2)
DDR_CONV_ROUND_WIDENED(4)

const ddr_conv_float_rows ddr_conv_fused_avx2 = DDR_CONV_FLOATS_OF(floats);
