/* bspline_lines.c: B-spline coefficients line by line: recursions, and the correction of line ends.
 *
 * Recursions run over a period: twice the line if it is mirrored, the line if it wraps around; with
 * other borders the line and so much around it that what the period repeats is below the last bit.
 *
 * Ends: coefficients p whose values follow the border rule become  p + sum over poles of
 *
 *   alpha z^(k+m) + beta z^(n-1+m-k)      which changes no value: z are the roots of the B-spline
 *
 * with m poles; the 2 m factors are chosen so that the m coefficients before and after the line
 * follow the border rule.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/conv/filters/bspline_local.h"
#include "runtime/conv/task.h"
#include "runtime/element/parallel_for.h"

enum {
  MOST = DDR_BSPLINE_MOST_POLES,
  AROUND = DDR_BSPLINE_MOST_TAPS / 2 + MOST,
  LINES_PER_ITEM = 64, /* for corrections */
};

/* --- lines ------------------------------------------------------------------------------------ */

typedef struct Lines {
  const ddr_prefilter *prefilter;
  const ddr_ndview *from, *to;
  int axis, n_beyond;
  int n_poles;
  double poles[MOST];
  int64_t period;                      /* of recursions */
  double solution[2 * MOST][2 * MOST]; /* of the ends: maps errors beyond the ends to factors */
  double powers[MOST][AROUND + 1];     /* z^(k+m) */
  double *scratch;                     /* `period` numbers for each group of lines */
  int64_t lines_per_group;
} Lines;

static double read_real(const ddr_ndview *view, int64_t at) {
  return view->type == DDR_ELEMENT_FLOAT ? (double)((const float *)view->data)[at]
                                         : ((const double *)view->data)[at];
}

static void write_real(const ddr_ndview *view, int64_t at, double value) {
  if (view->type == DDR_ELEMENT_FLOAT) ((float *)view->data)[at] = (float)value;
  else ((double *)view->data)[at] = value;
}

/* The offset of a line along the axis, by number, in a view. */
static int64_t line_begin(const ddr_ndview *view, int axis, int64_t line) {
  int64_t at = view->layout.offset;
  for (int k = view->layout.rank - 1; k >= 0; k--) {
    if (k == axis) continue;
    at += line % view->layout.len[k] * view->layout.stride[k];
    line /= view->layout.len[k];
  }
  return at;
}

static int64_t line_count(const ddr_ndview *view, int axis) {
  return ddr_layout_size(&view->layout) / view->layout.len[axis];
}

static Lines lines_of(const ddr_prefilter *prefilter, const ddr_ndview *from, int axis,
                      const ddr_ndview *to) {
  double factors[MOST];
  Lines lines = {.prefilter = prefilter, .from = from, .to = to, .axis = axis};
  lines.n_poles = ddr_bspline_poles(prefilter->degree, lines.poles, factors);
  return lines;
}

/* --- recursions ------------------------------------------------------------------------------- */

/* Applies one pole, forwards and backwards over a period e[0 .. n-1]. */
static void recur(double *e, int64_t n, double z) {
  const double gain = 1 / (1 - pow(z, (double)n));
  double power = 1, sum = 0;
  for (int64_t k = 0; k < n && fabs(power) > 0x1p-70; k++) {
    sum += e[k == 0 ? 0 : n - k] * power;
    power *= z;
  }
  e[0] = gain * sum;
  for (int64_t k = 1; k < n; k++) e[k] += z * e[k - 1];
  power = 1;
  sum = 0;
  for (int64_t k = 0; k < n && fabs(power) > 0x1p-70; k++) {
    sum += e[k == 0 ? n - 1 : k - 1] * power;
    power *= z;
  }
  e[n - 1] = -z * gain * sum;
  for (int64_t k = n - 2; k >= 0; k--) e[k] = z * (e[k + 1] - e[k]);
}

/* Number of samples before the line in a period. */
static int64_t lead_of(const Lines *lines) {
  const ddr_extension extension = lines->prefilter->border.extension;
  return extension == DDR_EXTEND_MIRROR || extension == DDR_EXTEND_WRAP ? 0 : AROUND;
}

static void recur_line(const Lines *lines, int64_t line, double *e) {
  const ddr_outside border = lines->prefilter->border;
  const ddr_layout *layout = &lines->from->layout;
  const int64_t n = layout->len[lines->axis], lead = lead_of(lines);
  const int64_t begin = line_begin(lines->from, lines->axis, line);
  const double outside = border.extension == DDR_EXTEND_CONSTANT ? border.value : 0;
  double gain = 1;
  for (int64_t k = 0; k < lines->period; k++) {
    const int64_t idx = ddr_border_index(border.extension, k - lead, n);
    e[k] = idx < 0 ? outside : read_real(lines->from, begin + idx * layout->stride[lines->axis]);
  }
  for (int pole = 0; pole < lines->n_poles; pole++) {
    const double z = lines->poles[pole];
    recur(e, lines->period, z);
    gain *= (1 - z) * (1 - 1 / z);
  }
  int64_t to = line_begin(lines->to, lines->axis, line);
  for (int64_t k = -lines->n_beyond; k < n + lines->n_beyond; k++) {
    const int64_t at = (k + lead) % lines->period;
    write_real(lines->to, to, gain * e[at < 0 ? at + lines->period : at]);
    to += lines->to->layout.stride[lines->axis];
  }
}

/* Threads process groups of lines, each with scratch memory of its own. */
static void recur_group(void *data, int64_t group) {
  const Lines *lines = data;
  const int64_t n = line_count(lines->to, lines->axis);
  const int64_t first = group * lines->lines_per_group, last = first + lines->lines_per_group;
  for (int64_t line = first; line < last && line < n; line++) {
    recur_line(lines, line, lines->scratch + group * lines->period);
  }
}

ddr_array_status ddr_bspline_recursion(const ddr_prefilter *prefilter, const ddr_ndview *from,
                                       int axis, int n_beyond, const ddr_ndview *to) {
  Lines lines = lines_of(prefilter, from, axis, to);
  const int64_t n = from->layout.len[axis], n_threads = prefilter->n_threads;
  const int64_t n_groups = n_threads > 1 ? n_threads : 1;
  lines.n_beyond = n_beyond;
  lines.period = prefilter->border.extension == DDR_EXTEND_MIRROR ? 2 * n : n + 2 * lead_of(&lines);
  lines.lines_per_group = (line_count(to, axis) - 1) / n_groups + 1;
  if (lines.period > PTRDIFF_MAX / (int64_t)sizeof(double) / n_groups) return DDR_ARRAY_EOVERFLOW;
  lines.scratch = malloc((size_t)(lines.period * n_groups) * sizeof *lines.scratch);
  if (!lines.scratch) return DDR_ARRAY_ENOMEM;
  ddr_parallel_for((int)n_groups, n_groups, recur_group, &lines);
  free(lines.scratch);
  return DDR_ARRAY_OK;
}

/* --- ends of lines ---------------------------------------------------------------------------- */

/* Whether coefficients beyond an end must equal the last one; otherwise the constant or 0. */
static bool is_clamped(const Lines *lines) {
  return lines->prefilter->border.extension == DDR_EXTEND_CLAMP;
}

/* Row j-1: how much each factor changes the error of coefficient -j; row m + j-1: likewise after
 * the end. */
static void set_matrix(const Lines *lines, int64_t n, double a[2 * MOST][4 * MOST]) {
  const int m = lines->n_poles;
  for (int j = 1; j <= m; j++) {
    for (int pole = 0; pole < m; pole++) {
      const double z = lines->poles[pole];
      const double near = pow(z, m - j) - (is_clamped(lines) ? pow(z, m) : 0);
      const double far =
          pow(z, (double)(n - 1 + m + j)) - (is_clamped(lines) ? pow(z, (double)(n - 1 + m)) : 0);
      a[j - 1][pole] = a[m + j - 1][m + pole] = near;
      a[j - 1][m + pole] = a[m + j - 1][pole] = far;
    }
  }
}

/* Gauss-Jordan elimination with partial pivoting. */
static void invert(double a[2 * MOST][4 * MOST], int n, double inverse[2 * MOST][2 * MOST]) {
  for (int k = 0; k < n; k++) {
    for (int other = 0; other < n; other++) a[k][n + other] = k == other;
  }
  for (int column = 0; column < n; column++) {
    int pivot = column;
    for (int k = column + 1; k < n; k++) {
      if (fabs(a[k][column]) > fabs(a[pivot][column])) pivot = k;
    }
    for (int k = 0; k < 2 * n; k++) {
      const double kept = a[column][k];
      a[column][k] = a[pivot][k];
      a[pivot][k] = kept;
    }
    for (int k = 2 * n - 1; k >= column; k--) a[column][k] /= a[column][column];
    for (int row = 0; row < n; row++) {
      const double factor = a[row][column];
      for (int k = column; k < 2 * n && row != column; k++) a[row][k] -= factor * a[column][k];
    }
  }
  for (int k = 0; k < n; k++) memcpy(inverse[k], &a[k][n], (size_t)n * sizeof(double));
}

static void correct_line(const Lines *lines, int64_t line) {
  const int m = lines->n_poles, axis = lines->axis;
  const ddr_ndview *from = lines->from;
  const int64_t n = lines->to->layout.len[axis], step = from->layout.stride[axis];
  const int64_t begin = line_begin(from, axis, line) + m * step; /* coefficient 0 */
  const double constant = lines->prefilter->border.extension == DDR_EXTEND_CONSTANT
                              ? lines->prefilter->border.value
                              : 0;
  double wrong[2 * MOST] = {0}, factors[2 * MOST] = {0};
  const double first = is_clamped(lines) ? read_real(from, begin) : constant;
  const double last = is_clamped(lines) ? read_real(from, begin + (n - 1) * step) : constant;
  for (int j = 1; j <= m; j++) {
    wrong[j - 1] = first - read_real(from, begin - j * step);
    wrong[m + j - 1] = last - read_real(from, begin + (n - 1 + j) * step);
  }
  for (int k = 0; k < 2 * m; k++) {
    for (int j = 0; j < 2 * m; j++) factors[k] += lines->solution[k][j] * wrong[j];
  }
  int64_t to = line_begin(lines->to, axis, line);
  for (int64_t k = 0; k < n; k++, to += lines->to->layout.stride[axis]) {
    double sum = read_real(from, begin + k * step);
    for (int pole = 0; pole < m; pole++) {
      if (k <= AROUND) sum += factors[pole] * lines->powers[pole][k];
      if (n - 1 - k <= AROUND) sum += factors[m + pole] * lines->powers[pole][n - 1 - k];
    }
    write_real(lines->to, to, sum);
  }
}

static void correct_some(void *data, int64_t item) {
  const Lines *lines = data;
  const int64_t n = line_count(lines->to, lines->axis), first = item * LINES_PER_ITEM;
  for (int64_t line = first; line < n && line < first + LINES_PER_ITEM; line++) {
    correct_line(lines, line);
  }
}

void ddr_bspline_correct(const ddr_prefilter *prefilter, const ddr_ndview *longer, int axis,
                         const ddr_ndview *to) {
  Lines lines = lines_of(prefilter, longer, axis, to);
  double matrix[2 * MOST][4 * MOST];
  set_matrix(&lines, to->layout.len[axis], matrix);
  invert(matrix, 2 * lines.n_poles, lines.solution);
  for (int pole = 0; pole < lines.n_poles; pole++) {
    for (int k = 0; k <= AROUND; k++) {
      lines.powers[pole][k] = pow(lines.poles[pole], k + lines.n_poles);
    }
  }
  const int64_t n_items = (line_count(to, axis) - 1) / LINES_PER_ITEM + 1;
  ddr_parallel_for(prefilter->n_threads, n_items, correct_some, &lines);
}
