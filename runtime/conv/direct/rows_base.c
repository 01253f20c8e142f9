/* rows_base.c: rows of results with vectors of 2 doubles. */
#include "runtime/conv/direct/rows.h"

DDR_CONV_ROWS(base, 2, NULL)
