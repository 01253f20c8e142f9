/* exponentials_double_base.c: exp and log of doubles with vectors of 16 bytes. */
#define DDR_DOUBLE
#define DDR_SET double_base
#include "runtime/transform/exponentials_set.h"
