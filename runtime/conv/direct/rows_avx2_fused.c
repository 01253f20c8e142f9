/* rows_avx2_fused.c: the same for weights that are floats, compiled with contraction. */
#include "runtime/conv/direct/rows.h"

DDR_CONV_FUSED_ROWS(avx2, 4)
