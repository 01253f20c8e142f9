/* direct.c: the mode that adds up products as the definition says, many results side by side.
 *
 * The operand with fewer elements, or a bound x, becomes taps: weights, and where their samples are
 * relative to a result's.  Along every axis result k takes, for tap i = 0, 1, ..., the sample
 *
 *   first + per_result * k + per_tap * i      where that is inside the other operand, the signal
 *
 * which makes t ascend, whichever operand became taps: products commute, sums keep their order.
 * Results along one axis, whose samples are next to each other, form rows; a row has an interior
 * where all taps are inside, and ends whose results are found one by one.
 * Read next: direct_rows.h (the loops).
 */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/conv/direct_rows.h"
#include "runtime/conv/local.h"
#include "runtime/transform/share.h"

enum { MOST_TAPS = 512, TILE = 4096, ITEMS_PER_THREAD = 8 };

typedef struct Axis {
  int64_t n_taps, tap_stride, signal_len, signal_stride, n_results, result_stride;
  int64_t first, per_result, per_tap;
} Axis;

typedef struct Direct {
  int rank, row_axis; /* along which rows run */
  Axis axes[DDR_CONV_MAX_RANK];
  ddr_conv_operand taps, signal, z;
  bool is_complex;
  int64_t n_rows, tiles_per_row;
  int64_t n_items;          /* of which each is about as many tiles */
  int64_t inner, inner_end; /* results of a row that have all taps inside */
  const ddr_conv_rows *rows;
} Direct;

/* Taps lo to hi of every axis. */
typedef struct Box {
  int64_t lo[DDR_CONV_MAX_RANK], hi[DDR_CONV_MAX_RANK];
} Box;

/* What one thread works with. */
typedef struct Work {
  const Direct *direct;
  int64_t result[DDR_CONV_MAX_RANK]; /* on all axes but that of the row */
  int64_t from,
      to; /* the sample that result 0 of the row counts from, and where that result goes */
  Box box;
  bool has_taps;   /* those of `box`, all of them */
  bool are_floats; /* the weights of `taps` */
  int n_taps;
  ddr_conv_tap taps[MOST_TAPS];
  double sums[2 * TILE];
} Work;

/* --- taps ------------------------------------------------------------------------------------- */

/* Which taps of an axis have their sample inside the signal. */
static void clip(const Axis *axis, int64_t result, int64_t *lo, int64_t *hi) {
  const int64_t at = axis->first + axis->per_result * result, last = axis->signal_len - 1;
  *lo = axis->per_tap > 0 ? -at : at - last;
  *hi = axis->per_tap > 0 ? last - at : at;
  if (*lo < 0) *lo = 0;
  if (*hi > axis->n_taps - 1) *hi = axis->n_taps - 1;
}

/* NaN is none, which is the safe answer. */
static bool is_float(double x) { return fabs(x) <= FLT_MAX && (double)(float)x == x; }

/* The next at most MOST_TAPS taps of the box from `tap` on; false: these were the last. */
static bool list_taps(Work *work, int64_t tap[]) {
  const Direct *direct = work->direct;
  const int last = direct->rank - 1;
  work->n_taps = 0;
  work->are_floats = true;
  for (;;) {
    int64_t from = 0, offset = 0;
    for (int k = 0; k <= last; k++) {
      from += tap[k] * direct->axes[k].tap_stride;
      offset += tap[k] * direct->axes[k].per_tap * direct->axes[k].signal_stride;
    }
    const Axis *axis = &direct->axes[last];
    for (; tap[last] <= work->box.hi[last] && work->n_taps < MOST_TAPS; tap[last]++) {
      ddr_conv_tap *next = &work->taps[work->n_taps++];
      if (direct->is_complex) {
        const ddr_complex_double *weight = (const ddr_complex_double *)direct->taps.data + from;
        *next = (ddr_conv_tap){weight->re, weight->im, offset};
      } else {
        const double weight = ((const double *)direct->taps.data)[from];
        *next = (ddr_conv_tap){weight, 0, offset};
        work->are_floats = work->are_floats && is_float(weight);
      }
      from += axis->tap_stride;
      offset += axis->per_tap * axis->signal_stride;
    }
    if (tap[last] <= work->box.hi[last]) return true;
    int k = last;
    do {
      tap[k] = work->box.lo[k];
      k--;
    } while (k >= 0 && tap[k] >= work->box.hi[k]);
    if (k < 0) return false;
    tap[k]++;
    if (work->n_taps == MOST_TAPS) return true;
  }
}

/* --- sums ------------------------------------------------------------------------------------- */

static const ddr_conv_float_rows *float_rows(const Work *work) {
  const ddr_conv_rows *rows = work->direct->rows;
  return work->are_floats && rows->fused ? rows->fused : &rows->floats;
}

static void add_taps(Work *work, const ddr_conv_tap *taps, int n_taps, int64_t at, int64_t n) {
  const Direct *direct = work->direct;
  const Axis *axis = &direct->axes[direct->row_axis];
  const int64_t step = axis->per_result * axis->signal_stride;
  const void *signal = direct->signal.data;
  const bool is_dense = step == 1 && n > 1;
  if (direct->is_complex) {
    ddr_conv_complex_sums(taps, n_taps, signal, at, step, n, work->sums);
  } else if (direct->signal.type == DDR_ELEMENT_FLOAT) {
    if (is_dense) float_rows(work)->add(taps, n_taps, signal, at, n, work->sums);
    else ddr_conv_strided_floats(taps, n_taps, signal, at, step, n, work->sums);
  } else {
    if (is_dense) direct->rows->add_doubles(taps, n_taps, signal, at, n, work->sums);
    else ddr_conv_strided_doubles(taps, n_taps, signal, at, step, n, work->sums);
  }
}

static void round_sums(const Direct *direct, const double *sums, int64_t at, int64_t n) {
  const int64_t stride = direct->axes[direct->row_axis].result_stride;
  float *floats = (float *)direct->z.data + at;
  double *doubles = (double *)direct->z.data + at;
  ddr_complex_float *complex_floats = (ddr_complex_float *)direct->z.data + at;
  ddr_complex_double *complex_doubles = (ddr_complex_double *)direct->z.data + at;
  switch (direct->z.type) {
  case DDR_ELEMENT_FLOAT:
    if (stride == 1) {
      for (int64_t k = 0; k < n; k++) floats[k] = (float)sums[k];
    } else {
      for (int64_t k = 0; k < n; k++) floats[k * stride] = (float)sums[k];
    }
    break;
  case DDR_ELEMENT_DOUBLE:
    for (int64_t k = 0; k < n; k++) doubles[k * stride] = sums[k];
    break;
  case DDR_ELEMENT_CFLOAT:
    for (int64_t k = 0; k < n; k++) {
      complex_floats[k * stride] = (ddr_complex_float){(float)sums[2 * k], (float)sums[2 * k + 1]};
    }
    break;
  default: /* refused by the commit, but for this one */
    for (int64_t k = 0; k < n; k++) {
      complex_doubles[k * stride] = (ddr_complex_double){sums[2 * k], sums[2 * k + 1]};
    }
  }
}

/* Sums of all taps without a stop on the way, where both arrays are dense; false: they are not. */
static bool round_at_once(Work *work, int64_t at, int64_t to, int64_t n) {
  const Direct *direct = work->direct;
  const Axis *axis = &direct->axes[direct->row_axis];
  const bool is_dense = axis->per_result * axis->signal_stride == 1 && axis->result_stride == 1;
  const void *signal = direct->signal.data;
  if (!is_dense || n == 1 || direct->is_complex || direct->signal.type != direct->z.type) {
    return false;
  }
  if (direct->z.type == DDR_ELEMENT_FLOAT) {
    float_rows(work)->round(work->taps, work->n_taps, signal, at, n, (float *)direct->z.data + to);
  } else {
    direct->rows->doubles(work->taps, work->n_taps, signal, at, n, (double *)direct->z.data + to);
  }
  return true;
}

/* --- results ---------------------------------------------------------------------------------- */

/* Results `begin` to `begin + n - 1` of a row, at most TILE, which have the taps of the box. */
static void do_results(Work *work, int64_t begin, int64_t n) {
  const Direct *direct = work->direct;
  const Axis *axis = &direct->axes[direct->row_axis];
  const int64_t from = work->from + begin * axis->per_result * axis->signal_stride;
  const int64_t to = work->to + begin * axis->result_stride;
  int64_t tap[DDR_CONV_MAX_RANK];
  memcpy(tap, work->box.lo, sizeof tap);
  bool is_more = !work->has_taps && list_taps(work, tap);
  work->has_taps = !is_more;
  if (work->has_taps && round_at_once(work, from, to, n)) return;
  memset(work->sums, 0, (size_t)n * (direct->is_complex ? 2 : 1) * sizeof *work->sums);
  add_taps(work, work->taps, work->n_taps, from, n);
  while (is_more) {
    is_more = list_taps(work, tap);
    add_taps(work, work->taps, work->n_taps, from, n);
  }
  round_sums(direct, work->sums, to, n);
}

/* One result near an end of its row, with taps lo to hi along it. */
static void do_end(Work *work, int64_t result, int64_t lo, int64_t hi) {
  const int r = work->direct->row_axis;
  work->box.lo[r] = lo;
  work->box.hi[r] = hi;
  work->has_taps = false;
  do_results(work, result, 1);
  work->box.lo[r] = 0;
  work->box.hi[r] = work->direct->axes[r].n_taps - 1;
  work->has_taps = false;
}

/* Whether the taps of such a result are next to each other in the list of all taps. */
static bool has_listed_ends(const Work *work) {
  bool is_listed = work->has_taps && !work->direct->is_complex;
  for (int k = work->direct->row_axis + 1; k < work->direct->rank; k++) {
    is_listed = is_listed && work->box.lo[k] == work->box.hi[k];
  }
  return is_listed;
}

/* Then that list serves. */
static void do_listed_end(Work *work, int64_t result, int64_t lo, int64_t hi) {
  const Direct *direct = work->direct;
  const Axis *axis = &direct->axes[direct->row_axis];
  const int64_t at = work->from + result * axis->per_result * axis->signal_stride;
  const int64_t to = work->to + result * axis->result_stride;
  const float *floats = direct->signal.data;
  const double *doubles = direct->signal.data;
  double sum = 0;
  for (int64_t first = 0; first < work->n_taps; first += axis->n_taps) {
    const ddr_conv_tap *tap = work->taps + first + lo, *last = work->taps + first + hi;
    if (direct->signal.type == DDR_ELEMENT_FLOAT) {
      for (; tap <= last; tap++) sum += tap->re * (double)floats[at + tap->offset];
    } else {
      for (; tap <= last; tap++) sum += tap->re * doubles[at + tap->offset];
    }
  }
  if (direct->z.type == DDR_ELEMENT_FLOAT) ((float *)direct->z.data)[to] = (float)sum;
  else ((double *)direct->z.data)[to] = sum;
}

static void do_ends(Work *work, int64_t begin, int64_t end) {
  const Axis *axis = &work->direct->axes[work->direct->row_axis];
  const bool is_listed = has_listed_ends(work);
  for (int64_t k = begin; k < end; k++) {
    int64_t lo, hi;
    clip(axis, k, &lo, &hi);
    if (is_listed) do_listed_end(work, k, lo, hi);
    else do_end(work, k, lo, hi);
  }
}

static void do_tile(Work *work, int64_t tile) {
  const Direct *direct = work->direct;
  const int64_t n_results = direct->axes[direct->row_axis].n_results, begin = tile * TILE;
  const int64_t end = begin + TILE < n_results ? begin + TILE : n_results;
  const int64_t inner = direct->inner > begin ? direct->inner : begin;
  const int64_t inner_end = direct->inner_end < end ? direct->inner_end : end;
  if (inner < inner_end) {
    do_results(work, inner, inner_end - inner);
    do_ends(work, begin, inner);
    do_ends(work, inner_end, end);
  } else {
    do_ends(work, begin, end);
  }
}

/* --- rows ------------------------------------------------------------------------------------- */

static void move_on(Work *work, int axis, int64_t result) {
  const Axis *moved = &work->direct->axes[axis];
  const int64_t n_steps = result - work->result[axis];
  int64_t lo, hi;
  work->result[axis] = result;
  work->from += n_steps * moved->per_result * moved->signal_stride;
  work->to += n_steps * moved->result_stride;
  clip(moved, result, &lo, &hi);
  if (lo == work->box.lo[axis] && hi == work->box.hi[axis]) return;
  work->box.lo[axis] = lo;
  work->box.hi[axis] = hi;
  work->has_taps = false;
}

static void next_row(Work *work) {
  const Direct *direct = work->direct;
  for (int k = direct->rank - 1; k >= 0; k--) {
    if (k == direct->row_axis) continue;
    const bool is_end = work->result[k] + 1 == direct->axes[k].n_results;
    move_on(work, k, is_end ? 0 : work->result[k] + 1);
    if (!is_end) return;
  }
}

static void find_row(Work *work, int64_t row) {
  const Direct *direct = work->direct;
  for (int k = direct->rank - 1; k >= 0; k--) {
    const Axis *axis = &direct->axes[k];
    work->from += axis->first * axis->signal_stride;
    if (k == direct->row_axis) {
      work->box.hi[k] = axis->n_taps - 1;
    } else {
      work->box.hi[k] = -1; /* of none so far */
      move_on(work, k, row % axis->n_results);
      row /= axis->n_results;
    }
  }
}

/* The first tile of an item. */
static int64_t item_begin(const Direct *direct, int64_t item) {
  const int64_t n = direct->n_rows * direct->tiles_per_row, n_items = direct->n_items;
  return n / n_items * item + n % n_items * item / n_items;
}

/* Tiles are counted along the columns, the same tile of all rows one after another: what they read
 * again is still near. */
static void do_item(void *data, int64_t item) {
  const Direct *direct = data;
  const int64_t end = item_begin(direct, item + 1);
  int64_t tile = item_begin(direct, item);
  Work work;
  memset(&work, 0, offsetof(Work, taps));
  work.direct = direct;
  find_row(&work, tile % direct->n_rows);
  for (; tile < end; tile++) {
    do_tile(&work, tile / direct->n_rows);
    next_row(&work);
  }
}

/* --- which operand does what ------------------------------------------------------------------ */

static void *element(const ddr_conv_operand *operand, int64_t offset) {
  return (char *)operand->data + offset * (int64_t)ddr_element_size(operand->type);
}

static void set_axes(const ddr_conv_task *task, bool taps_are_x, Direct *direct) {
  for (int k = 0; k < task->rank; k++) {
    Axis *axis = &direct->axes[k];
    *axis = (Axis){.n_taps = direct->taps.len[k],
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

/* Neighbours without weights that lie one in the other are one axis. */
static void join_axes(Direct *direct) {
  for (int k = direct->rank - 2; k >= 0; k--) {
    Axis *outer = &direct->axes[k], *inner = outer + 1;
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

/* Along rows, samples and results ascend. */
static void turn_row(Direct *direct) {
  Axis *axis = &direct->axes[direct->row_axis];
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

static int64_t step_of(const Axis *axis) {
  const int64_t step = axis->per_result * axis->signal_stride;
  return step < 0 ? -step : step;
}

/* Rows run where samples are next to each other, else along the axis with most results. */
static bool is_better_row(const Axis *axis, const Axis *best) {
  const bool is_dense = step_of(axis) == 1 && axis->n_results > 1;
  const bool was_dense = step_of(best) == 1 && best->n_results > 1;
  return is_dense != was_dense ? is_dense : axis->n_results > best->n_results;
}

static int64_t divide_up(int64_t a, int64_t b) { return a / b + (a % b > 0); } /* b > 0 */

/* Results from *begin to *end - 1 have all taps inside; for axes of rows. */
static void find_interior(const Axis *axis, int64_t *begin, int64_t *end) {
  const int64_t least = axis->per_tap > 0 ? 0 : axis->n_taps - 1;
  const int64_t most = axis->signal_len - 1 - (axis->per_tap > 0 ? axis->n_taps - 1 : 0);
  *begin = least <= axis->first ? 0 : divide_up(least - axis->first, axis->per_result);
  *end = most < axis->first ? 0 : (most - axis->first) / axis->per_result + 1;
  if (*end > axis->n_results) *end = axis->n_results;
  if (*begin >= *end) *begin = *end = 0;
}

static void choose_row(Direct *direct, int n_threads) {
  direct->row_axis = direct->rank - 1;
  for (int k = direct->rank - 2; k >= 0; k--) {
    if (is_better_row(&direct->axes[k], &direct->axes[direct->row_axis])) direct->row_axis = k;
  }
  direct->tiles_per_row = divide_up(direct->axes[direct->row_axis].n_results, TILE);
  direct->n_rows = 1;
  for (int k = 0; k < direct->rank; k++) {
    if (k != direct->row_axis) direct->n_rows *= direct->axes[k].n_results;
  }
  const int64_t n_tiles = direct->n_rows * direct->tiles_per_row;
  const int64_t most_items = n_threads > 1 ? ITEMS_PER_THREAD * (int64_t)n_threads : 1;
  direct->n_items = n_tiles < most_items ? n_tiles : most_items;
  turn_row(direct);
  find_interior(&direct->axes[direct->row_axis], &direct->inner, &direct->inner_end);
}

/* --- the mode --------------------------------------------------------------------------------- */

/* The operand as `to`, in place where it is that already; else a copy, to be freed, in *copy. */
static ddr_array_status read_as(const ddr_conv_task *task, const ddr_conv_operand *from,
                                ddr_element to, bool is_conjugate, ddr_conv_operand *operand,
                                void **copy) {
  *operand = *from;
  if (from->type == to && !is_conjugate) return DDR_ARRAY_OK;
  const ddr_array_status status = ddr_conv_pack(task, from, to, is_conjugate, operand);
  if (status == DDR_ARRAY_OK) *copy = operand->data;
  return status;
}

/* Floats and doubles are read where they are; integers as what they are converted to. */
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
    choose_row(&direct, task->n_threads);
    ddr_share(task->n_threads, direct.n_items, do_item, &direct);
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
