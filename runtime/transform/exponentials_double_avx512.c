/* exponentials_double_avx512.c: exp and log of doubles with vectors of 64 bytes. */
#define DDR_DOUBLE
#define DDR_SET double_avx512
#include "runtime/transform/exponentials_set.h"
