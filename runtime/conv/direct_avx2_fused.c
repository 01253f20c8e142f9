/* direct_avx2_fused.c: the same for weights that are floats, built with contraction on. */
#include "runtime/conv/direct_rows.h"

DDR_CONV_FUSED_ROWS(avx2, 4)
