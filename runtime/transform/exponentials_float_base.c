/* exponentials_float_base.c: exp and log of floats with vectors of 16 bytes. */
#define DDR_SET float_base
#include "runtime/transform/exponentials_set.h"
