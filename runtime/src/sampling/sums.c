/* sums.c: sums of samples along one axis, in both precisions.  Read next: sums.h. */
#include "local.h"

#define REAL float
#define REAL_AT ddr_f32_at
#define NAME(word) word##_float
#include "sums.h"
#undef REAL
#undef REAL_AT
#undef NAME

#define REAL double
#define REAL_AT ddr_f64_at
#define NAME(word) word##_double
#include "sums.h"
