/* What op_eval.c is made of. */
#pragma once

#include "ir/op/op.h"

/* op_eval_real at one precision; three arguments are read, those that the op lacks are any. */
double op_eval_float(OpId op, const double *args);
double op_eval_double(OpId op, const double *args);
