/* exec.c: checks the arrays of an execution, then passes them to the mode.
 *
 * Read next: direct/direct.c, fft/fft.c.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/conv/task.h"

/* --- what is asked of arrays ------------------------------------------------------------------ */

static int64_t magnitude(int64_t stride) { return stride < 0 ? -stride : stride; }

static ddr_array_status check_strides(const ddr_conv_task *task, int which,
                                      const ddr_conv_array *array) {
  for (int k = 0; k < task->rank; k++) {
    if (task->len[which][k] > 1 && array->stride[k] == 0) return DDR_ARRAY_ESTRIDE;
  }
  return DDR_ARRAY_OK;
}

/* A length whose offsets overflow is longer than any array. */
static ddr_array_status check_length(const ddr_conv_task *task, int which,
                                     const ddr_conv_array *array) {
  int64_t left = array->length - 1;
  for (int k = 0; k < task->rank; k++) {
    const int64_t n_steps = task->len[which][k] - 1;
    if (n_steps == 0) continue;
    if (array->stride[k] == INT64_MIN || magnitude(array->stride[k]) > left / n_steps) {
      return DDR_ARRAY_ELENGTH;
    }
    left -= magnitude(array->stride[k]) * n_steps;
  }
  return left < 0 ? DDR_ARRAY_ELENGTH : DDR_ARRAY_OK;
}

static ddr_conv_operand operand_of_array(const ddr_conv_task *task, int which,
                                         const ddr_conv_array *array) {
  ddr_conv_operand operand = {.type = task->type[which]};
  int64_t offset = 0;
  for (int k = 0; k < task->rank; k++) {
    operand.len[k] = task->len[which][k];
    operand.stride[k] = operand.len[k] > 1 ? array->stride[k] : 0;
    if (operand.stride[k] < 0) offset -= operand.stride[k] * (operand.len[k] - 1);
  }
  operand.data = (char *)array->data + offset * (int64_t)ddr_element_size(operand.type);
  return operand;
}

/* --- addresses that must differ --------------------------------------------------------------- */

/* The bytes of an operand, relative to `from`. */
static ddr_layout bytes_of(const ddr_conv_task *task, const ddr_conv_operand *operand,
                           const char *from) {
  const int64_t size = (int64_t)ddr_element_size(operand->type);
  ddr_layout layout = {.rank = task->rank + 1,
                       .offset = (int64_t)((intptr_t)operand->data - (intptr_t)from)};
  for (int k = 0; k < task->rank; k++) {
    layout.len[k] = operand->len[k];
    layout.stride[k] = operand->stride[k] * size;
  }
  layout.len[task->rank] = size;
  layout.stride[task->rank] = 1;
  return layout;
}

static ddr_array_status check_distinct(const ddr_conv_task *task, const ddr_conv_operand *z) {
  ddr_layout layout = bytes_of(task, z, z->data);
  const int64_t size = (int64_t)ddr_element_size(z->type);
  bool is_injective = false;
  layout.rank--;
  for (int k = 0; k < layout.rank; k++) layout.stride[k] /= size;
  const ddr_array_status status = ddr_layout_is_injective(&layout, &is_injective);
  if (status != DDR_ARRAY_OK) return status;
  return is_injective ? DDR_ARRAY_OK : DDR_ARRAY_EALIAS;
}

static bool overlap(const ddr_conv_task *task, const ddr_conv_operand *a,
                    const ddr_conv_operand *b) {
  const ddr_layout a_bytes = bytes_of(task, a, b->data), b_bytes = bytes_of(task, b, b->data);
  return ddr_layout_overlap(&a_bytes, &b_bytes);
}

/* --- one execution ---------------------------------------------------------------------------- */

/* Checks the strides of all arrays, then the lengths of all, so that the order of errors does not
 * depend on the array. */
static ddr_array_status check_arrays(const ddr_conv_task *task,
                                     const ddr_conv_array *const arrays[]) {
  ddr_array_status status = DDR_ARRAY_OK;
  for (int which = 0; which < DDR_CONV_OPERANDS && status == DDR_ARRAY_OK; which++) {
    if (arrays[which] && !arrays[which]->data) status = DDR_ARRAY_ENULL;
    else if (arrays[which]) status = check_strides(task, which, arrays[which]);
  }
  for (int which = 0; which < DDR_CONV_OPERANDS && status == DDR_ARRAY_OK; which++) {
    if (arrays[which]) status = check_length(task, which, arrays[which]);
  }
  return status;
}

static ddr_array_status run(ddr_conv_task *task, const ddr_conv_array *const arrays[]) {
  if (!arrays[DDR_CONV_X] && !task->has_x) return DDR_ARRAY_ESHAPE;
  DDR_NEED(arrays[DDR_CONV_Y] && arrays[DDR_CONV_Z]);
  ddr_array_status status = check_arrays(task, arrays);
  if (status != DDR_ARRAY_OK) return status;
  ddr_conv_operand operands[DDR_CONV_OPERANDS];
  for (int which = 0; which < DDR_CONV_OPERANDS; which++) {
    operands[which] = arrays[which] ? operand_of_array(task, which, arrays[which]) : task->x;
  }
  const ddr_conv_operand *z = &operands[DDR_CONV_Z];
  status = check_distinct(task, z);
  if (status != DDR_ARRAY_OK) return status;
  for (int which = DDR_CONV_X; which <= DDR_CONV_Y; which++) {
    if (arrays[which] && overlap(task, z, &operands[which])) return DDR_ARRAY_EALIAS;
  }
  return task->chosen->run(task, &operands[DDR_CONV_X], &operands[DDR_CONV_Y], z);
}

ddr_array_status ddr_conv_task_exec(ddr_conv_task *task, const ddr_conv_array *x,
                                    const ddr_conv_array *y, const ddr_conv_array *z) {
  const ddr_conv_array *const arrays[] = {x, y, z};
  DDR_NEED(task);
  if (ddr_conv_task_commit(task) == DDR_ARRAY_OK) task->status = run(task, arrays);
  return task->status;
}

static ddr_array_status bind(ddr_conv_task *task, const ddr_conv_array *x) {
  const ddr_conv_array *const arrays[DDR_CONV_OPERANDS] = {x};
  DDR_NEED(x);
  ddr_array_status status = check_arrays(task, arrays);
  if (status != DDR_ARRAY_OK) return status;
  const ddr_conv_operand operand = operand_of_array(task, DDR_CONV_X, x);
  ddr_conv_operand copy;
  status = ddr_conv_pack(task, &operand, ddr_conv_exact_type(task), task->is_conjugate, &copy);
  if (status != DDR_ARRAY_OK) return status;
  free(task->x.data);
  task->x = copy;
  task->n_bound++;
  task->has_x = true;
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_conv_task_bind_x(ddr_conv_task *task, const ddr_conv_array *x) {
  DDR_NEED(task);
  if (ddr_conv_task_commit(task) == DDR_ARRAY_OK) task->status = bind(task, x);
  return task->status;
}

ddr_array_status ddr_conv_task_exec_checked(ddr_conv_task *task, const ddr_conv_array *y,
                                            const ddr_conv_array *z) {
  const ddr_conv_operand y_operand = operand_of_array(task, DDR_CONV_Y, y);
  const ddr_conv_operand z_operand = operand_of_array(task, DDR_CONV_Z, z);
  return task->chosen->run(task, &task->x, &y_operand, &z_operand);
}

ddr_array_status ddr_conv_array_of_view(const ddr_ndview *view, ddr_conv_array *array) {
  DDR_NEED(array);
  DDR_TRY(ddr_ndview_check(view));
  const ddr_layout *layout = &view->layout;
  if (layout->rank < 1 || layout->rank > DDR_CONV_MAX_RANK) return DDR_ARRAY_ERANK;
  if (view->residency == DDR_CUDA) return DDR_ARRAY_ERESIDENCY;
  int64_t least = 0, greatest = -1;
  const bool has_elements = ddr_layout_span(layout, &least, &greatest);
  array->data = view->data;
  if (has_elements) {
    array->data = (char *)view->data + least * (int64_t)ddr_element_size(view->type);
  }
  array->length = greatest - least + 1;
  memcpy(array->stride, layout->stride, sizeof array->stride);
  return DDR_ARRAY_OK;
}
