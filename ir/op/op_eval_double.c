/* Ops on reals alone in programs of doubles (real_ops.h). */
#define DDR_DOUBLE
#define EVAL_REAL op_eval_double
#include "ir/op/real_ops.h"
