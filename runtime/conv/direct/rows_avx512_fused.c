/* rows_avx512_fused.c: the same for weights that are floats, compiled with contraction. */
#include "runtime/conv/direct/widen.h"

DDR_CONV_FLOAT_ROWS(floats, 8, 4, 2, 4, 2)
DDR_CONV_FLOAT_ROWS(halves, 4, 8, 4, 8, 4)
DDR_CONV_ROUND_WIDENED(8)

const ddr_conv_float_rows ddr_conv_fused_avx512 = DDR_CONV_FLOATS_OF(floats);
const ddr_conv_float_rows ddr_conv_fused_halves = DDR_CONV_FLOATS_OF(halves);
