/* rows_avx512_fused.c: the same for weights that are floats, compiled with contraction. */
#include "runtime/conv/direct/rows_avx512.h"

DDR_CONV_FUSED_ROWS(avx512, 8)
