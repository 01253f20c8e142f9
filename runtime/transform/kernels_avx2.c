/* kernels_avx2.c: kernels with vectors of 32 bytes. */
#define DDR_SET avx2
#include "runtime/transform/kernels_set.h"
