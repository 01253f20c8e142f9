/* exponentials_float_avx512.c: exp and log of floats with vectors of 64 bytes. */
#define DDR_SET float_avx512
#include "runtime/transform/exponentials_set.h"
