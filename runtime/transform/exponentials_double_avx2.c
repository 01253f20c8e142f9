/* exponentials_double_avx2.c: exp and log of doubles with vectors of 32 bytes. */
#define DDR_DOUBLE
#define DDR_SET double_avx2
#include "runtime/transform/exponentials_set.h"
