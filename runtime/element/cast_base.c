/* cast_base.c: casts with vectors of 16 bytes. */
#define DDR_SET base
#include "runtime/element/cast_set.h"
