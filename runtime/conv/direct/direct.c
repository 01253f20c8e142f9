/* direct.c: the mode that adds up products by the definition, many results at a time.
 *
 * This file chooses which operand provides the taps, and the axis of rows; tiles.c and
 * filter.c compute the sums.
 * Read next: direct.h.
 */
#include "runtime/conv/direct/direct.h"

#include <stdlib.h>
#include <string.h>

/* --- which operand does what ------------------------------------------------------------------ */

static void *element(const ddr_conv_operand *operand, int64_t offset) {
  return (char *)operand->data + offset * (int64_t)ddr_element_size(operand->type);
}

static void set_axes(const ddr_conv_task *task, bool taps_are_x, Direct *direct) {
  for (int k = 0; k < task->rank; k++) {
    DirectAxis *axis = &direct->axes[k];
    *axis = (DirectAxis){.n_taps = direct->taps.len[k],
                         .tap_stride = direct->taps.stride[k],
                         .signal_len = direct->signal.len[k],
                         .signal_stride = direct->signal.stride[k],
                         .n_results = direct->z.len[k],
                         .result_stride = direct->z.stride[k],
                         .first = task->first[k],
                         .per_result = task->decimation[k],
                         .per_tap = 1};
    if (task->op == DDR_CONVOLUTION) {
      if (taps_are_x) axis->per_tap = -1;   /* y(r - t) */
      else axis->first -= axis->n_taps - 1; /* x(t), y(r - t) from its end on */
    } else if (taps_are_x) {
      axis->first -= axis->n_taps - 1; /* y(r + t) */
    } else {
      axis->first = axis->signal_len - 1 - axis->first; /* x(t), y(r + t) from its beginning on */
      axis->per_result = -axis->per_result;
    }
  }
  if (task->op == DDR_CONVOLUTION && !taps_are_x) {
    int64_t last = 0;
    for (int k = 0; k < task->rank; k++) {
      last += (direct->axes[k].n_taps - 1) * direct->axes[k].tap_stride;
      direct->axes[k].tap_stride = -direct->axes[k].tap_stride;
    }
    direct->taps.data = element(&direct->taps, last);
  }
}

/* Merges neighbouring axes without weights if one is contiguous in the other. */
static void join_axes(Direct *direct) {
  for (int k = direct->rank - 2; k >= 0; k--) {
    DirectAxis *outer = &direct->axes[k], *inner = outer + 1;
    const bool is_plain = outer->n_taps == 1 && outer->per_result == 1 && inner->n_taps == 1 &&
                          inner->per_result == 1 && inner->n_results == inner->signal_len;
    if (!is_plain || outer->signal_stride != inner->signal_len * inner->signal_stride ||
        outer->result_stride != inner->n_results * inner->result_stride) {
      continue;
    }
    inner->first = outer->first * inner->signal_len;
    inner->signal_len *= outer->signal_len;
    inner->n_results *= outer->n_results;
    direct->rank--;
    memmove(outer, inner, (size_t)(direct->rank - k) * sizeof *outer);
  }
}

void ddr_direct_turn_row(Direct *direct) {
  DirectAxis *axis = &direct->axes[direct->row_axis];
  if (axis->signal_stride < 0) {
    direct->signal.data = element(&direct->signal, (axis->signal_len - 1) * axis->signal_stride);
    axis->signal_stride = -axis->signal_stride;
    axis->first = axis->signal_len - 1 - axis->first;
    axis->per_result = -axis->per_result;
    axis->per_tap = -axis->per_tap;
  }
  if (axis->per_result < 0) {
    direct->z.data = element(&direct->z, (axis->n_results - 1) * axis->result_stride);
    axis->result_stride = -axis->result_stride;
    axis->first += (axis->n_results - 1) * axis->per_result;
    axis->per_result = -axis->per_result;
  }
}

static int64_t step_of(const DirectAxis *axis) {
  const int64_t step = axis->per_result * axis->signal_stride;
  return step < 0 ? -step : step;
}

/* Rows run along an axis of adjacent samples, or else along the axis with the most results. */
static bool is_better_row(const DirectAxis *axis, const DirectAxis *best) {
  const bool is_dense = step_of(axis) == 1 && axis->n_results > 1;
  const bool was_dense = step_of(best) == 1 && best->n_results > 1;
  return is_dense != was_dense ? is_dense : axis->n_results > best->n_results;
}

static void choose_row(Direct *direct) {
  direct->row_axis = direct->rank - 1;
  for (int k = direct->rank - 2; k >= 0; k--) {
    if (is_better_row(&direct->axes[k], &direct->axes[direct->row_axis])) direct->row_axis = k;
  }
  ddr_direct_turn_row(direct);
}

/* --- the mode --------------------------------------------------------------------------------- */

/* The operand as type `to`: in place if it has that type, else a copy in *copy, to be freed. */
static ddr_array_status read_as(const ddr_conv_task *task, const ddr_conv_operand *from,
                                ddr_element to, bool is_conjugate, ddr_conv_operand *operand,
                                void **copy) {
  *operand = *from;
  if (from->type == to && !is_conjugate) return DDR_ARRAY_OK;
  const ddr_array_status status = ddr_conv_pack(task, from, to, is_conjugate, operand);
  if (status == DDR_ARRAY_OK) *copy = operand->data;
  return status;
}

/* Floats and doubles are read in place; integers are converted to the type of the result. */
static ddr_element signal_type(const Direct *direct, ddr_element type) {
  if (direct->is_complex) return DDR_ELEMENT_CDOUBLE;
  if (type == DDR_ELEMENT_FLOAT || type == DDR_ELEMENT_DOUBLE) return type;
  return direct->z.type;
}

static ddr_array_status run(const ddr_conv_task *task, const ddr_conv_operand *x,
                            const ddr_conv_operand *y, const ddr_conv_operand *z) {
  const ddr_element exact = ddr_conv_exact_type(task);
  Direct direct = {.rank = task->rank, .z = *z, .is_complex = exact == DDR_ELEMENT_CDOUBLE};
  const bool is_bound = task->has_x && x->data == task->x.data;
  const bool taps_are_x =
      is_bound || ddr_conv_count(task->rank, x->len) <= ddr_conv_count(task->rank, y->len);
  const bool is_conjugate = direct.is_complex && task->is_conjugate && !is_bound;
  const ddr_conv_operand *taps = taps_are_x ? x : y, *signal = taps_are_x ? y : x;
  void *taps_copy = NULL, *signal_copy = NULL;
  ddr_array_status status =
      read_as(task, taps, exact, is_conjugate && taps_are_x, &direct.taps, &taps_copy);
  if (status == DDR_ARRAY_OK) {
    status = read_as(task, signal, signal_type(&direct, signal->type), is_conjugate && !taps_are_x,
                     &direct.signal, &signal_copy);
  }
  if (status == DDR_ARRAY_OK) {
    direct.rows = ddr_conv_best_rows();
    set_axes(task, taps_are_x, &direct);
    join_axes(&direct);
    choose_row(&direct);
    if (!ddr_direct_filter(&direct, task->n_threads) && !ddr_direct_bands(&direct, task->n_threads))
      ddr_direct_tiles(&direct, task->n_threads);
  }
  free(taps_copy);
  free(signal_copy);
  return status;
}

static const ddr_conv_mode *choose(const ddr_conv_task *task) {
  (void)task;
  return &ddr_conv_direct;
}

const ddr_conv_mode ddr_conv_direct = {.name = "direct", .choose = choose, .run = run};
