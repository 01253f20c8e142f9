/* exponentials_float_avx2.c: exp and log of floats with vectors of 32 bytes. */
#define DDR_SET float_avx2
#include "runtime/transform/exponentials_set.h"
