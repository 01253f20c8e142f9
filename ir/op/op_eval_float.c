/* Ops on reals alone in programs of floats (real_ops.h). */
#define EVAL_REAL op_eval_float
#include "ir/op/real_ops.h"
