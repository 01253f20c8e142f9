/* kernels_avx2.c: kernels with vectors of 32 bytes. */
#define DDR_SET avx2
#include "runtime/reduce/kernels_set.h"
