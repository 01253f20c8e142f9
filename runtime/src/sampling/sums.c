/* sums.c: sums of samples along one axis, in both precisions.  Read next: sums.h. */
#include "local.h"

#define REAL float
#define NAME(word) word##_float
#include "sums.h"
#undef REAL
#undef NAME

#define REAL double
#define NAME(word) word##_double
#include "sums.h"
