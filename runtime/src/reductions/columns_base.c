/* columns_base.c: columns of values with what every processor of the architecture has. */
#define DDR_SET base
#include "columns_set.h"
