/* task.h: a convolution task, and the functions that a mode provides.
 *
 * Read next: task.c (edits and checks), exec.c (operands), direct/direct.c and fft/fft.c (modes).
 */
#pragma once

#include "runtime/conv/conv.h"

enum { DDR_CONV_X, DDR_CONV_Y, DDR_CONV_Z, DDR_CONV_OPERANDS };

/* An operand; `data` is its element with index 0 on every axis. */
typedef struct ddr_conv_operand {
  ddr_element type;
  void *data;
  int64_t len[DDR_CONV_MAX_RANK];
  int64_t stride[DDR_CONV_MAX_RANK]; /* elements */
} ddr_conv_operand;

struct ddr_conv_mode {
  const char *name;
  /* The mode that does the task: itself, unless it chooses among others.  NULL: EMODE. */
  const ddr_conv_mode *(*choose)(const ddr_conv_task *task);
  /* Optional: prepares what all executions share, and the function that frees it. */
  ddr_array_status (*prepare)(const ddr_conv_task *task, void **plan);
  void (*release)(void *plan);
  ddr_array_status (*run)(const ddr_conv_task *task, const ddr_conv_operand *x,
                          const ddr_conv_operand *y, const ddr_conv_operand *z);
};

struct ddr_conv_task {
  ddr_array_status status;
  ddr_conv_op op;
  int rank;
  int64_t len[DDR_CONV_OPERANDS][DDR_CONV_MAX_RANK];
  ddr_element type[DDR_CONV_OPERANDS];
  ddr_element precision;
  int64_t origin[2][DDR_CONV_MAX_RANK]; /* for x and y */
  int64_t start[DDR_CONV_MAX_RANK];
  bool has_shapes, has_start, is_conjugate;
  int64_t decimation[DDR_CONV_MAX_RANK];
  int n_threads;
  const ddr_conv_mode *mode;

  /* set by the commit */
  bool is_committed;
  const ddr_conv_mode *chosen;
  void *plan;
  int64_t first[DDR_CONV_MAX_RANK]; /* the index of result 0 in the full range */
  bool has_x;
  uint64_t n_bound;   /* how many times x has been bound */
  ddr_conv_operand x; /* if bound: packed, of type ddr_conv_exact_type, conjugated */
};

/* convert.c: the type of sums: DOUBLE or CDOUBLE. */
ddr_element ddr_conv_exact_type(const ddr_conv_task *task);

/* convert.c: a packed copy in its own memory, to be freed by free(copy->data), of type `to`, which
 * is real or complex: integers first become the real type of the result.  Errors: ENOMEM. */
ddr_array_status ddr_conv_pack(const ddr_conv_task *task, const ddr_conv_operand *from,
                               ddr_element to, bool is_conjugate, ddr_conv_operand *copy);

/* convert.c: a packed view of the numbers of a view of rank 1 to 7, as float or double. */
ddr_array_status ddr_ndview_convert(const ddr_ndview *view, ddr_element real, ddr_ndview *reals);

/* exec.c: executes a task with bound x on arrays that have been checked.  A direct task whose y has
 * floats or doubles cannot fail: it does without extra memory if that is short. */
ddr_array_status ddr_conv_task_exec_checked(ddr_conv_task *task, const ddr_conv_array *y,
                                            const ddr_conv_array *z);

int64_t ddr_conv_count(int rank, const int64_t *len);

/* The least integer >= a / b, for b > 0. */
static inline int64_t ddr_divide_up(int64_t a, int64_t b) { return a / b + (a % b > 0); }
