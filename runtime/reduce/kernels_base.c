/* kernels_base.c: kernels with vectors of 16 bytes. */
#define DDR_SET base
#include "runtime/reduce/kernels_set.h"
