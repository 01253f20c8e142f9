/* cast_avx2.c: casts with vectors of 32 bytes. */
#define DDR_SET avx2
#include "runtime/element/cast_set.h"
