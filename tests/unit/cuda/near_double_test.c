/* near_test.c with doubles. */
#define DDR_DOUBLE
#include "near_test.c"
