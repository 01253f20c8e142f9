/* job.h: what the files of this folder share: a reduction whose operands have been checked. */
#pragma once

#include "runtime/reduce/kernels.h"
#include "runtime/reduce/reduce.h"
#include "runtime/transform/source.h"

typedef struct ddr_reduce_job {
  ddr_reduce_op op;
  ddr_element type; /* in which the arrays meet */
  ddr_element result_type;
  int n_arrays;
  ddr_ndview arrays[2]; /* borrowed; the second is the first where there is one */
  ddr_reduce_options options;
} ddr_reduce_job;

/* Errors: as of ddr_reduce. */
ddr_array_status ddr_reduce_check(ddr_reduce_op op, const ddr_ndview *const *arrays,
                                  const ddr_reduce_options *options, ddr_reduce_job *job);

/* One pass over all elements, of which there is one at least; a is the kernels'.  Errors: ENOMEM.
 */
ddr_array_status ddr_reduce_term(const ddr_reduce_job *job, ddr_term term, double a,
                                 ddr_partial *result);

/* Of all elements, without regard to the mask.  Errors: ENOMEM. */
ddr_array_status ddr_reduce_all_of(const ddr_reduce_job *job, ddr_number *result);

/* Of those where the mask is true.  Errors: ENOMEM. */
ddr_array_status ddr_reduce_selected(const ddr_reduce_job *job, ddr_number *result);
