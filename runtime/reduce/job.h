/* job.h: what the files of this folder share: a reduction whose operands have been checked. */
#pragma once

#include "runtime/element/source.h"
#include "runtime/layout/side.h"
#include "runtime/reduce/kernels.h"
#include "runtime/reduce/reduce.h"

typedef struct ddr_reduce_job {
  ddr_reduce_op op;
  ddr_element type; /* the common type of the arrays */
  ddr_element result_type;
  int n_arrays;
  ddr_ndview arrays[2]; /* borrowed; as many as the reduction has */
  ddr_reduce_options options;
  ddr_side side;
  /* -1: the whole array is one line; otherwise each line along the axis is reduced. */
  int axis;
  /* The range of lines, in canonical order; on the host all lines of a slab. */
  int64_t first_line, n_lines;
  /* Of slabs: elements of the first array from these lines to those that follow; 0 if none do. */
  int64_t next;
} ddr_reduce_job;

int64_t ddr_reduce_n_lines(const ddr_reduce_job *job);
int64_t ddr_reduce_line_len(const ddr_reduce_job *job);

/* The arrays and the mask, as side.h takes them. */
ddr_arrays ddr_reduce_arrays(const ddr_reduce_job *job);

/* Errors: those of ddr_reduce. */
ddr_array_status ddr_reduce_check(ddr_reduce_op op, const ddr_ndview *const *arrays,
                                  const ddr_reduce_options *options, ddr_reduce_job *job);

/* One pass over all elements, of which there is at least one: roots[i] is the result of line i,
 * whose kernel (kernels.h) gets the number a[i].  Errors: ENOMEM, EDEVICE. */
ddr_array_status ddr_reduce_term(const ddr_reduce_job *job, ddr_term term, const double *a,
                                 ddr_partial *roots);

/* reduce_lines.c: the same for lines on the host.  The arrays are slabs of two axes: axis 0 runs
 * along the lines, axis 1 from line to line; at most DDR_MOST_LINES lines. */
ddr_array_status ddr_reduce_term_of_lines(const ddr_reduce_job *job, ddr_term term, const double *a,
                                          ddr_partial *roots);

/* Sums terms of reals that do not use a[i]; false if there is no such function, and then nothing is
 * done. */
bool ddr_reduce_sums_of_lines(const ddr_reduce_job *job, ddr_term term, double *sums);

/* reduce_view.c: the term of a reduction that needs a single pass. */
ddr_term ddr_reduce_term_of(ddr_reduce_op op);

/* A line of a slab; borrows. */
ddr_ndview ddr_line_of_slab(const ddr_ndview *slab, int64_t number);

/* Whether elements of a line are apart in memory while neighbouring lines are adjacent. */
bool ddr_slab_is_worth_copying(const ddr_ndview *slab);

/* Copies the lines, packed, one after another, as elements of `type`.  Errors: ENOMEM. */
ddr_array_status ddr_slab_copy(const ddr_ndview *slab, ddr_element type, ddr_ndview *copy);

/* Reduces all elements, ignoring the mask: a number for each line.  Errors: ENOMEM, EDEVICE. */
ddr_array_status ddr_reduce_all_of(const ddr_reduce_job *job, ddr_number *results);

/* Reduces the elements whose mask is true, as a single line.  Errors: ENOMEM, EDEVICE. */
ddr_array_status ddr_reduce_selected(const ddr_reduce_job *job, ddr_number *result);

/* reduce_turned.c: such a pass over one array whose axes are turned, on the host; false: it is not,
 * or memory is short, and then nothing is done. */
bool ddr_reduce_turned(const ddr_reduce_job *job, const ddr_reduce_kernel *kernel, double a,
                       ddr_partial *root);

/* reduce_columns.c: an array [column, row, ...] of whose elements those of neighbouring columns are
 * adjacent. */
typedef struct ddr_columns {
  const void *data; /* the first element */
  ddr_element type;
  ddr_layout rows;   /* of a column; offset 0 */
  int64_t n_columns; /* more than 0 */
  int64_t n_rows;
  int64_t stride; /* from one column to the next: 1 or -1 */
  ddr_lanes_function *add;
  double a;
  int64_t n_before; /* elements before the first block begins, less than one block has */
  int64_t n_blocks; /* whole ones */
  double *blocks;   /* their sums, which are wanted */
} ddr_columns;

void ddr_reduce_columns(ddr_columns *columns, int n_threads);

/* reduce_axes.c: the axes of an array, first the given one, then the others, those first along
 * which elements are farther apart; false: that is their order, or few lines would be adjacent. */
bool ddr_reduce_order_axes(const ddr_layout *layout, int axis, int *order);

/* Reduces lines of the arrays, which have the same shape, along the first axis of such an order;
 * the result has its axes in their own.  Errors: those of ddr_reduce_axis. */
ddr_array_status ddr_reduce_in_order(const ddr_reduce_job *job, const ddr_ndview *const *arrays,
                                     const int *order, ddr_ndview *result);

/* reduce_on_device.c: the functions above, on the device. */
ddr_array_status ddr_reduce_term_there(const ddr_reduce_job *job, ddr_term term, const double *a,
                                       ddr_partial *roots);
ddr_array_status ddr_reduce_selected_there(const ddr_reduce_job *job, ddr_number *result);
ddr_array_status ddr_reduce_axis_there(const ddr_reduce_job *job, ddr_ndview *result);
