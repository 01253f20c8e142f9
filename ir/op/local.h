/* What the files of op_eval share. */
#pragma once

#include "ir/op/op.h"

/* op_eval_real at one precision. args has three elements; those that the op does not take may have
 * any value. */
double op_eval_float(OpId op, const double *args);
double op_eval_double(OpId op, const double *args);
