/* job.h: what the files of this folder share: a reduction whose operands have been checked. */
#pragma once

#include "runtime/element/source.h"
#include "runtime/layout/side.h"
#include "runtime/reduce/kernels.h"
#include "runtime/reduce/reduce.h"

typedef struct ddr_reduce_job {
  ddr_reduce_op op;
  ddr_element type; /* in which the arrays meet */
  ddr_element result_type;
  int n_arrays;
  ddr_ndview arrays[2]; /* borrowed; the second is the first where there is one */
  ddr_reduce_options options;
  ddr_side side;
  int axis; /* -1: all is one line; only on the device, else: each line along it for itself, */
  int64_t first_line, n_lines; /* of them these, in canonical order */
} ddr_reduce_job;

int64_t ddr_reduce_n_lines(const ddr_reduce_job *job);
int64_t ddr_reduce_line_len(const ddr_reduce_job *job);

/* Of the arrays and the mask. */
ddr_arrays ddr_reduce_arrays(const ddr_reduce_job *job);

/* Errors: as of ddr_reduce. */
ddr_array_status ddr_reduce_check(ddr_reduce_op op, const ddr_ndview *const *arrays,
                                  const ddr_reduce_options *options, ddr_reduce_job *job);

/* One pass over all elements, of which there is one at least: a root for each line; a is the
 * kernels', for each line.  Errors: ENOMEM, EDEVICE. */
ddr_array_status ddr_reduce_term(const ddr_reduce_job *job, ddr_term term, const double *a,
                                 ddr_partial *roots);

/* Of all elements, without regard to the mask: a number for each line.  Errors: ENOMEM, EDEVICE. */
ddr_array_status ddr_reduce_all_of(const ddr_reduce_job *job, ddr_number *results);

/* Of those where the mask is true; all is one line.  Errors: ENOMEM, EDEVICE. */
ddr_array_status ddr_reduce_selected(const ddr_reduce_job *job, ddr_number *result);

/* reduce_on_device.c: what of that the device does. */
ddr_array_status ddr_reduce_term_there(const ddr_reduce_job *job, ddr_term term, const double *a,
                                       ddr_partial *roots);
ddr_array_status ddr_reduce_selected_there(const ddr_reduce_job *job, ddr_number *result);
ddr_array_status ddr_reduce_axis_there(const ddr_reduce_job *job, ddr_ndview *result);
