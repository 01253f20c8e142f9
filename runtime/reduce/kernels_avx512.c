/* kernels_avx512.c: kernels with vectors of 64 bytes. */
#define DDR_SET avx512
#include "runtime/reduce/kernels_set.h"
