/* task.c: the life of a convolution task: edits, and the checks of its commit.
 *
 * Checks that depend only on shapes are made here, those of the arrays in exec.c.
 * Read next: exec.c.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/conv/task.h"

/* Beyond this, sums and differences of a few values could overflow. */
#define MOST ((int64_t)1 << 60)

int64_t ddr_conv_count(int rank, const int64_t *len) {
  int64_t n = 1;
  for (int k = 0; k < rank; k++) n *= len[k];
  return n;
}

/* --- edits ------------------------------------------------------------------------------------ */

static void uncommit(ddr_conv_task *task) {
  if (task->plan) task->chosen->release(task->plan);
  free(task->x.data);
  task->plan = NULL;
  task->x.data = NULL;
  task->has_x = task->is_committed = false;
}

ddr_conv_task *ddr_conv_task_new(ddr_conv_op op, int rank, const int64_t *x_len,
                                 const int64_t *y_len, const int64_t *z_len, ddr_element type) {
  ddr_conv_task *task = calloc(1, sizeof *task);
  if (!task) return NULL;
  task->op = op;
  task->rank = rank;
  task->mode = &ddr_conv_direct;
  task->precision = DDR_ELEMENT_DOUBLE;
  task->n_threads = 1;
  task->has_shapes = x_len && y_len && z_len;
  const int64_t *len[] = {x_len, y_len, z_len};
  for (int which = 0; which < DDR_CONV_OPERANDS; which++) {
    task->type[which] = type;
    for (int k = 0; task->has_shapes && k < rank && k < DDR_CONV_MAX_RANK; k++)
      task->len[which][k] = len[which][k];
  }
  for (int k = 0; k < DDR_CONV_MAX_RANK; k++) task->decimation[k] = 1;
  return task;
}

void ddr_conv_task_delete(ddr_conv_task *task) {
  if (task) uncommit(task);
  free(task);
}

/* Stores a value per axis; if `values` is NULL, `otherwise`. */
static void store(const ddr_conv_task *task, const int64_t *values, int64_t otherwise,
                  int64_t *stored) {
  for (int k = 0; k < task->rank && k < DDR_CONV_MAX_RANK; k++) {
    stored[k] = values ? values[k] : otherwise;
  }
}

ddr_array_status ddr_conv_task_set_mode(ddr_conv_task *task, const ddr_conv_mode *mode) {
  DDR_NEED(task);
  uncommit(task);
  task->mode = mode; /* the commit refuses NULL */
  return task->status;
}

ddr_array_status ddr_conv_task_set_types(ddr_conv_task *task, ddr_element x, ddr_element y,
                                         ddr_element z) {
  DDR_NEED(task);
  uncommit(task);
  task->type[DDR_CONV_X] = x;
  task->type[DDR_CONV_Y] = y;
  task->type[DDR_CONV_Z] = z;
  return task->status;
}

ddr_array_status ddr_conv_task_set_start(ddr_conv_task *task, const int64_t *start) {
  DDR_NEED(task);
  uncommit(task);
  task->has_start = start != NULL;
  store(task, start, 0, task->start);
  return task->status;
}

ddr_array_status ddr_conv_task_set_decimation(ddr_conv_task *task, const int64_t *decimation) {
  DDR_NEED(task);
  uncommit(task);
  store(task, decimation, 1, task->decimation);
  return task->status;
}

ddr_array_status ddr_conv_task_set_origin(ddr_conv_task *task, const int64_t *x_origin,
                                          const int64_t *y_origin) {
  DDR_NEED(task);
  uncommit(task);
  store(task, x_origin, 0, task->origin[DDR_CONV_X]);
  store(task, y_origin, 0, task->origin[DDR_CONV_Y]);
  return task->status;
}

ddr_array_status ddr_conv_task_set_conj_x(ddr_conv_task *task, bool is_conjugate) {
  DDR_NEED(task);
  uncommit(task);
  task->is_conjugate = is_conjugate;
  return task->status;
}

ddr_array_status ddr_conv_task_set_precision(ddr_conv_task *task, ddr_element precision) {
  DDR_NEED(task);
  uncommit(task);
  task->precision = precision;
  return task->status;
}

ddr_array_status ddr_conv_task_set_threads(ddr_conv_task *task, int n_threads) {
  DDR_NEED(task);
  task->n_threads = n_threads < 1 ? 1 : n_threads;
  return task->status;
}

ddr_array_status ddr_conv_task_status(const ddr_conv_task *task) {
  return task ? task->status : DDR_ARRAY_ENULL;
}

const char *ddr_conv_task_mode_name(const ddr_conv_task *task) {
  return task && task->is_committed ? task->chosen->name : NULL;
}

/* --- checks ----------------------------------------------------------------------------------- */

static ddr_array_status check_shapes(const ddr_conv_task *task) {
  if (task->rank < 1 || task->rank > DDR_CONV_MAX_RANK) return DDR_ARRAY_ERANK;
  for (int which = 0; which < DDR_CONV_OPERANDS; which++) {
    for (int k = 0; k < task->rank; k++) {
      if (task->len[which][k] < 1) return DDR_ARRAY_ESHAPE;
    }
  }
  for (int which = 0; which < DDR_CONV_OPERANDS; which++) {
    int64_t n = 1;
    for (int k = 0; k < task->rank; k++) {
      if (task->len[which][k] > MOST / n) return DDR_ARRAY_EOVERFLOW;
      n *= task->len[which][k];
    }
  }
  return DDR_ARRAY_OK;
}

static bool is_small(int64_t value) { return value <= MOST && value >= -MOST; }

/* The least index of the full range of results on an axis. */
static int64_t least_result(const ddr_conv_task *task, int k) {
  const int64_t p = task->origin[DDR_CONV_X][k], q = task->origin[DDR_CONV_Y][k];
  if (task->op == DDR_CONVOLUTION) return p + q;
  return q - (p + task->len[DDR_CONV_X][k] - 1);
}

static ddr_array_status check_range(ddr_conv_task *task) {
  for (int k = 0; k < task->rank; k++) {
    if (!is_small(task->origin[DDR_CONV_X][k]) || !is_small(task->origin[DDR_CONV_Y][k])) {
      return DDR_ARRAY_EOVERFLOW;
    }
  }
  for (int k = 0; k < task->rank; k++) {
    const int64_t least = least_result(task, k);
    const int64_t most = least + task->len[DDR_CONV_X][k] + task->len[DDR_CONV_Y][k] - 2;
    const int64_t start = task->has_start ? task->start[k] : least;
    if (start < least || start > most) return DDR_ARRAY_ESTART;
    task->first[k] = start - least;
  }
  for (int k = 0; k < task->rank; k++) {
    if (task->decimation[k] < 1) return DDR_ARRAY_EDECIMATION;
  }
  for (int k = 0; k < task->rank; k++) {
    const int64_t most = task->len[DDR_CONV_X][k] + task->len[DDR_CONV_Y][k] - 2;
    const int64_t n_steps = task->len[DDR_CONV_Z][k] - 1;
    if (n_steps > 0 && task->decimation[k] > (most - task->first[k]) / n_steps) {
      return DDR_ARRAY_ERANGE;
    }
  }
  return DDR_ARRAY_OK;
}

static ddr_array_status check_types(const ddr_conv_task *task) {
  for (int which = 0; which < DDR_CONV_OPERANDS; which++) {
    if ((unsigned)task->type[which] >= DDR_ELEMENT_COUNT) return DDR_ARRAY_ETYPE;
  }
  const ddr_element_kind result = ddr_element_kind_of(task->type[DDR_CONV_Z]);
  if (result != DDR_KIND_REAL && result != DDR_KIND_COMPLEX) return DDR_ARRAY_ETYPE;
  for (int which = DDR_CONV_X; which <= DDR_CONV_Y; which++) {
    const ddr_element_kind kind = ddr_element_kind_of(task->type[which]);
    if (kind == DDR_KIND_BOOL || (kind == DDR_KIND_COMPLEX && result == DDR_KIND_REAL)) {
      return DDR_ARRAY_ETYPE;
    }
  }
  return DDR_ARRAY_OK;
}

/* Transforms in float suffice for results that are floats; direct sums are in double in any
 * case. */
static bool has_precision(const ddr_conv_task *task) {
  const ddr_element type = task->type[DDR_CONV_Z];
  const bool is_of_floats = type == DDR_ELEMENT_FLOAT || type == DDR_ELEMENT_CFLOAT;
  return task->precision == DDR_ELEMENT_DOUBLE ||
         (task->precision == DDR_ELEMENT_FLOAT && is_of_floats);
}

static ddr_array_status check(ddr_conv_task *task) {
  if (task->op != DDR_CONVOLUTION && task->op != DDR_CORRELATION) return DDR_ARRAY_EOPERATION;
  if (!task->has_shapes || !task->mode) return DDR_ARRAY_ENULL;
  ddr_array_status status = check_shapes(task);
  if (status == DDR_ARRAY_OK) status = check_range(task);
  if (status == DDR_ARRAY_OK) status = check_types(task);
  if (status != DDR_ARRAY_OK) return status;
  if (!has_precision(task)) return DDR_ARRAY_EMODE;
  task->chosen = task->mode->choose(task);
  if (!task->chosen) return DDR_ARRAY_EMODE;
  return task->chosen->prepare ? task->chosen->prepare(task, &task->plan) : DDR_ARRAY_OK;
}

ddr_array_status ddr_conv_task_commit(ddr_conv_task *task) {
  DDR_NEED(task);
  if (task->status != DDR_ARRAY_OK || task->is_committed) return task->status;
  task->status = check(task);
  task->is_committed = task->status == DDR_ARRAY_OK;
  return task->status;
}
