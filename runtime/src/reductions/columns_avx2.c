/* columns_avx2.c: columns of values with vectors of 32 bytes. */
#define DDR_SET avx2
#include "columns_set.h"
