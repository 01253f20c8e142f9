/* cast_avx512.c: casts with vectors of 64 bytes. */
#define DDR_SET avx512
#include "runtime/element/cast_set.h"
