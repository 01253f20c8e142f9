/* columns_avx512.c: columns of values with vectors of 64 bytes. */
#define DDR_SET avx512
#include "columns_set.h"
