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
#include <stdlib.h>
#include <string.h>

#include "runtime/conv/direct_rows.h"
#include "runtime/conv/local.h"

enum { MOST_TAPS = 512, TILE = 1024 };

typedef struct Axis {
  int64_t n_taps, tap_stride, signal_len, signal_stride, n_results, result_stride;
  int64_t first, per_result, per_tap;
} Axis;

typedef struct Direct {
  int rank, row_axis; /* along which rows run */
  Axis axes[DDR_CONV_MAX_RANK];
  ddr_conv_operand taps, signal, z;
  bool is_complex;
  int64_t tiles_per_row;
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
  Box box;
  bool has_taps; /* those of `box`, all of them */
  Box taps_box;
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

/* The next at most MOST_TAPS taps of the box from `tap` on; false: these were the last. */
static bool list_taps(Work *work, int64_t tap[]) {
  const Direct *direct = work->direct;
  const int last = direct->rank - 1;
  work->n_taps = 0;
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
        *next = (ddr_conv_tap){((const double *)direct->taps.data)[from], 0, offset};
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

/* Samples that are apart; `at` is the place of the sample that the first result counts from. */
#define STRIDED(name, number)                                                                      \
  static void name(const ddr_conv_tap *taps, int n_taps, const number *signal, int64_t at,         \
                   int64_t step, int64_t n, double *sums) {                                        \
    for (int64_t k = 0; k < n; k++, at += step) {                                                  \
      double sum = sums[k];                                                                        \
      for (int tap = 0; tap < n_taps; tap++) {                                                     \
        sum += taps[tap].re * (double)signal[at + taps[tap].offset];                               \
      }                                                                                            \
      sums[k] = sum;                                                                               \
    }                                                                                              \
  }
STRIDED(strided_floats, float)
STRIDED(strided_doubles, double)
#undef STRIDED

static void complex_sums(const ddr_conv_tap *taps, int n_taps, const ddr_complex_double *signal,
                         int64_t at, int64_t step, int64_t n, double *sums) {
  for (int64_t k = 0; k < n; k++, at += step) {
    double re = sums[2 * k], im = sums[2 * k + 1];
    for (int tap = 0; tap < n_taps; tap++) {
      const ddr_complex_double sample = signal[at + taps[tap].offset];
      re += taps[tap].re * sample.re - taps[tap].im * sample.im;
      im += taps[tap].re * sample.im + taps[tap].im * sample.re;
    }
    sums[2 * k] = re;
    sums[2 * k + 1] = im;
  }
}

static void add_taps(Work *work, int64_t at, int64_t n) {
  const Direct *direct = work->direct;
  const ddr_conv_tap *taps = work->taps;
  const Axis *axis = &direct->axes[direct->row_axis];
  const int64_t step = axis->per_result * axis->signal_stride;
  const void *signal = direct->signal.data;
  const bool is_dense = step == 1 && n > 1;
  if (direct->is_complex) {
    complex_sums(taps, work->n_taps, signal, at, step, n, work->sums);
  } else if (direct->signal.type == DDR_ELEMENT_FLOAT) {
    if (is_dense) direct->rows->floats(taps, work->n_taps, signal, at, n, work->sums);
    else strided_floats(taps, work->n_taps, signal, at, step, n, work->sums);
  } else {
    if (is_dense) direct->rows->doubles(taps, work->n_taps, signal, at, n, work->sums);
    else strided_doubles(taps, work->n_taps, signal, at, step, n, work->sums);
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

/* --- results ---------------------------------------------------------------------------------- */

/* Results `begin` to `begin + n - 1` of a row, at most TILE, which have the taps of the box. */
static void do_results(Work *work, int64_t begin, int64_t n) {
  const Direct *direct = work->direct;
  int64_t from = 0, to = 0, tap[DDR_CONV_MAX_RANK];
  for (int k = 0; k < direct->rank; k++) {
    const Axis *axis = &direct->axes[k];
    const int64_t result = k == direct->row_axis ? begin : work->result[k];
    from += (axis->first + axis->per_result * result) * axis->signal_stride;
    to += result * axis->result_stride;
    tap[k] = work->box.lo[k];
  }
  memset(work->sums, 0, (size_t)n * (direct->is_complex ? 2 : 1) * sizeof *work->sums);
  if (work->has_taps && memcmp(&work->taps_box, &work->box, sizeof work->box) == 0) {
    add_taps(work, from, n);
  } else {
    work->taps_box = work->box;
    work->has_taps = !list_taps(work, tap);
    add_taps(work, from, n);
    for (bool is_more = !work->has_taps; is_more;) {
      is_more = list_taps(work, tap);
      add_taps(work, from, n);
    }
  }
  round_sums(direct, work->sums, to, n);
}

static int64_t divide_up(int64_t a, int64_t b) { return a / b + (a % b > 0); } /* b > 0 */

/* Results from *begin to *end - 1 have all taps inside; per_result is positive on the row's axis.
 */
static void find_interior(const Axis *axis, int64_t *begin, int64_t *end) {
  const int64_t least = axis->per_tap > 0 ? 0 : axis->n_taps - 1;
  const int64_t most = axis->signal_len - 1 - (axis->per_tap > 0 ? axis->n_taps - 1 : 0);
  *begin = least <= axis->first ? 0 : divide_up(least - axis->first, axis->per_result);
  *end = most < axis->first ? 0 : (most - axis->first) / axis->per_result + 1;
  if (*end > axis->n_results) *end = axis->n_results;
  if (*begin >= *end) *begin = *end = 0;
}

static void do_tile(Work *work, int64_t tile) {
  const Direct *direct = work->direct;
  const int r = direct->row_axis;
  const Axis *axis = &direct->axes[r];
  int64_t k = tile * TILE, end = k + TILE, inner, inner_end;
  if (end > axis->n_results) end = axis->n_results;
  find_interior(axis, &inner, &inner_end);
  while (k < end) {
    const bool is_inner = k >= inner && k < inner_end;
    const int64_t n = !is_inner ? 1 : (inner_end < end ? inner_end : end) - k;
    clip(axis, k, &work->box.lo[r], &work->box.hi[r]);
    do_results(work, k, n);
    k += n;
  }
}

/* The items are tiles of rows. */
static void do_part(void *data, int64_t begin, int64_t end) {
  const Direct *direct = data;
  Work work = {.direct = direct};
  for (int64_t item = begin; item < end; item++) {
    int64_t rest = item / direct->tiles_per_row;
    for (int k = direct->rank - 1; k >= 0; k--) {
      if (k == direct->row_axis) continue;
      work.result[k] = rest % direct->axes[k].n_results;
      rest /= direct->axes[k].n_results;
      clip(&direct->axes[k], work.result[k], &work.box.lo[k], &work.box.hi[k]);
    }
    do_tile(&work, item % direct->tiles_per_row);
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

static void choose_row(Direct *direct) {
  direct->row_axis = direct->rank - 1;
  for (int k = direct->rank - 2; k >= 0; k--) {
    if (is_better_row(&direct->axes[k], &direct->axes[direct->row_axis])) direct->row_axis = k;
  }
  direct->tiles_per_row = divide_up(direct->axes[direct->row_axis].n_results, TILE);
  turn_row(direct);
}

static const ddr_conv_rows *best_rows(void) {
#if defined(DDR_CONV_AVX512)
  if (__builtin_cpu_supports("avx512f")) return &ddr_conv_rows_avx512;
#endif
#if defined(DDR_CONV_AVX2)
  if (__builtin_cpu_supports("avx2")) return &ddr_conv_rows_avx2;
#endif
  return &ddr_conv_rows_base;
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
    direct.rows = best_rows();
    set_axes(task, taps_are_x, &direct);
    choose_row(&direct);
    int64_t n_items = direct.tiles_per_row;
    for (int k = 0; k < direct.rank; k++) {
      if (k != direct.row_axis) n_items *= direct.axes[k].n_results;
    }
    ddr_conv_share(task->n_threads, n_items, do_part, &direct);
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
