/* passes.c: filters along single axes. */
#include "runtime/conv/filters/passes.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/conv/task.h"

typedef struct ddr_prepared_pass {
  ddr_conv_task *task;
  ddr_conv_array from, to;
} Prepared;

/* --- arrays ----------------------------------------------------------------------------------- */

static ddr_layout bytes_of(const ddr_ndview *view, const void *from) {
  const int64_t size = (int64_t)ddr_element_size(view->type);
  ddr_layout layout = view->layout;
  layout.offset = layout.offset * size + (int64_t)((intptr_t)view->data - (intptr_t)from);
  for (int k = 0; k < layout.rank; k++) layout.stride[k] *= size;
  layout.len[layout.rank] = size;
  layout.stride[layout.rank++] = 1;
  return layout;
}

bool ddr_ndview_overlap(const ddr_ndview *a, const ddr_ndview *b) {
  if (a->layout.rank >= DDR_MAX_RANK || b->layout.rank >= DDR_MAX_RANK) return true;
  const ddr_layout a_bytes = bytes_of(a, a->data), b_bytes = bytes_of(b, a->data);
  return ddr_layout_overlap(&a_bytes, &b_bytes);
}

static bool is_number(ddr_element type) {
  const ddr_element_kind kind = ddr_element_kind_of(type);
  return kind == DDR_KIND_INT || kind == DDR_KIND_UINT || kind == DDR_KIND_REAL;
}

ddr_array_status ddr_check_filtered(const ddr_ndview *image, const ddr_ndview *result) {
  bool is_injective = false;
  DDR_TRY(ddr_ndview_check(image));
  DDR_TRY(ddr_ndview_check(result));
  const int rank = image->layout.rank;
  if (rank < 1 || rank > DDR_CONV_MAX_RANK || result->layout.rank != rank) return DDR_ARRAY_ERANK;
  if (image->residency == DDR_CUDA || result->residency == DDR_CUDA) return DDR_ARRAY_ERESIDENCY;
  if (ddr_ndview_is_empty(image) || ddr_ndview_is_empty(result)) return DDR_ARRAY_EDIM;
  if (!is_number(image->type) || ddr_element_kind_of(result->type) != DDR_KIND_REAL) {
    return DDR_ARRAY_ETYPE;
  }
  const ddr_array_status status = ddr_layout_is_injective(&result->layout, &is_injective);
  if (status != DDR_ARRAY_OK) return status;
  return is_injective && !ddr_ndview_overlap(image, result) ? DDR_ARRAY_OK : DDR_ARRAY_EALIAS;
}

ddr_array_status ddr_ndview_as_reals(const ddr_ndview *view, ddr_element real, ddr_ndview *reals) {
  if (ddr_element_kind_of(view->type) == DDR_KIND_REAL) {
    *reals = ddr_ndview_retain(view);
    return DDR_ARRAY_OK;
  }
  return ddr_ndview_convert(view, real, reals);
}

/* --- passes ----------------------------------------------------------------------------------- */

static bool grow(ddr_passes *passes) {
  if (passes->n < passes->capacity) return true;
  const int capacity = passes->capacity ? 2 * passes->capacity : 8;
  Prepared *larger = realloc(passes->passes, (size_t)capacity * sizeof *larger);
  if (!larger) return false;
  passes->passes = larger;
  passes->capacity = capacity;
  return true;
}

static ddr_array_status prepare(const ddr_pass *pass, int n_threads, Prepared *prepared) {
  const ddr_ndview *from = pass->from, *to = pass->to;
  const int rank = from->layout.rank;
  int64_t len[DDR_CONV_MAX_RANK], start[DDR_CONV_MAX_RANK], step[DDR_CONV_MAX_RANK];
  for (int k = 0; k < rank; k++) {
    len[k] = k == pass->axis ? pass->n_weights : 1;
    start[k] = k == pass->axis ? pass->first : 0;
    step[k] = k == pass->axis ? pass->step : 1;
  }
  ddr_conv_task *task =
      ddr_conv_task_new(DDR_CORRELATION, rank, len, from->layout.len, to->layout.len, to->type);
  if (!task) return DDR_ARRAY_ENOMEM;
  prepared->task = task;
  ddr_conv_task_set_types(task, DDR_ELEMENT_DOUBLE, from->type, to->type);
  ddr_conv_task_set_start(task, start);
  ddr_conv_task_set_decimation(task, step);
  ddr_conv_task_set_threads(task, n_threads);
  /* the task only reads the weights */
  union {
    const double *constant;
    double *plain;
  } weights = {.constant = pass->weights};
  ddr_conv_array x = {.data = weights.plain, .length = pass->n_weights};
  for (int k = 0; k < rank; k++) x.stride[k] = 1;
  ddr_array_status status = ddr_conv_task_bind_x(task, &x);
  if (status == DDR_ARRAY_OK) status = ddr_conv_array_of_view(from, &prepared->from);
  if (status == DDR_ARRAY_OK) status = ddr_conv_array_of_view(to, &prepared->to);
  return status;
}

ddr_array_status ddr_passes_add(ddr_passes *passes, const ddr_pass *pass) {
  if (!grow(passes)) return DDR_ARRAY_ENOMEM;
  Prepared *prepared = &passes->passes[passes->n];
  *prepared = (Prepared){.task = NULL};
  const ddr_array_status status = prepare(pass, passes->n_threads, prepared);
  if (status == DDR_ARRAY_OK) passes->n++;
  else ddr_conv_task_delete(prepared->task);
  return status;
}

void ddr_passes_run(const ddr_passes *passes) {
  for (int k = 0; k < passes->n; k++) {
    const Prepared *pass = &passes->passes[k];
    ddr_conv_task_exec_checked(pass->task, &pass->from, &pass->to);
  }
}

void ddr_passes_clear(ddr_passes *passes) {
  for (int k = 0; k < passes->n; k++) ddr_conv_task_delete(passes->passes[k].task);
  free(passes->passes);
  *passes = (ddr_passes){.n = 0};
}
