/* reduce_view.c: reduces whole arrays: which terms are summed, and the result that follows from
 * them.
 *
 * Read next: reduce_term.c (passes over the elements), reduce_masked.c (masks), reduce_axis.c,
 * reduce_on_device.c (devices).
 */
#include <assert.h>
#include <stdlib.h>

#include "runtime/reduce/job.h"

/* --- from the roots to the number ------------------------------------------------------------- */

/* volatile: gcc 12 loses the rounding when it rounds two numbers side by side. */
static double rounded(ddr_element type, double x) {
  const volatile float single = (float)x;
  const bool is_float = type == DDR_ELEMENT_FLOAT || type == DDR_ELEMENT_CFLOAT;
  return ddr_plain_nan(is_float ? (double)single : x);
}

static double re_of(ddr_partial partial) {
  return ddr_pair_value(ddr_pair_of(partial.re, partial.re_error));
}

static double im_of(ddr_partial partial) {
  return ddr_pair_value(ddr_pair_of(partial.im, partial.im_error));
}

static ddr_number number_of(ddr_element type, ddr_partial partial) {
  ddr_number number = {.type = type, .integer = partial.integer};
  const ddr_element_kind kind = ddr_element_kind_of(type);
  const bool is_nan = partial.modulus != partial.modulus; /* of the extreme complex number */
  if (kind >= DDR_KIND_REAL) number.re = rounded(type, is_nan ? (double)NAN : re_of(partial));
  if (kind == DDR_KIND_COMPLEX) number.im = rounded(type, is_nan ? (double)NAN : im_of(partial));
  return number;
}

static ddr_number real_of(const ddr_reduce_job *job, double x) {
  return (ddr_number){.type = job->result_type, .re = rounded(job->result_type, x)};
}

static bool is_whole(const ddr_reduce_job *job) {
  return ddr_element_kind_of(job->type) < DDR_KIND_REAL;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Memory for a number of each kind per line. */
typedef struct {
  const ddr_reduce_job *job;
  int64_t n_lines, n; /* n: elements of a line */
  ddr_partial *roots;
  double *a, *reals;
} Lines;

static ddr_array_status pass(const Lines *lines, ddr_term term) {
  return ddr_reduce_term(lines->job, term, lines->a, lines->roots);
}

/* Makes a pass with the same `a` for each line. */
static ddr_array_status pass_with(const Lines *lines, ddr_term term, double a) {
  for (int64_t i = 0; i < lines->n_lines; i++) lines->a[i] = a;
  return pass(lines, term);
}

/* The mean or the variance, from exact sums. */
static ddr_array_status exact_of(const Lines *lines, ddr_term term) {
  const ddr_array_status status = pass_with(lines, term, 0);
  if (status != DDR_ARRAY_OK) return status;
  for (int64_t i = 0; i < lines->n_lines; i++) {
    const ddr_wide *wide = &lines->roots[i].wide;
    lines->reals[i] = term == DDR_TERM_MOMENTS ? ddr_wide_variance(wide, lines->n)
                                               : ddr_wide_mean(wide, lines->n);
  }
  return DDR_ARRAY_OK;
}

static ddr_array_status mean_of(const Lines *lines) {
  if (is_whole(lines->job)) return exact_of(lines, DDR_TERM_EXACT_SUM);
  const ddr_array_status status = pass_with(lines, DDR_TERM_SUM, 0);
  if (status != DDR_ARRAY_OK) return status;
  for (int64_t i = 0; i < lines->n_lines; i++) {
    lines->reals[i] = re_of(lines->roots[i]) / (double)lines->n;
  }
  return DDR_ARRAY_OK;
}

static ddr_array_status variance_of(const Lines *lines) {
  if (is_whole(lines->job)) return exact_of(lines, DDR_TERM_MOMENTS);
  ddr_array_status status = mean_of(lines);
  for (int64_t i = 0; i < lines->n_lines; i++) lines->a[i] = lines->reals[i];
  if (status == DDR_ARRAY_OK) status = pass(lines, DDR_TERM_DISTANCES);
  if (status != DDR_ARRAY_OK) return status;
  for (int64_t i = 0; i < lines->n_lines; i++) {
    const ddr_partial root = lines->roots[i];
    lines->reals[i] = ddr_variance_of(im_of(root), re_of(root), (double)lines->n);
  }
  return DDR_ARRAY_OK;
}

/* --- the root of the sum of squares, also where the squares are too large or too small -------- */

/* Whether the largest absolute value may be outside 2^-480 to 2^480: its square is between the mean
 * square and the sum of squares. */
static bool may_be_extreme(double squares, double n) {
  return !(squares < 0x1p959 && squares / n > 0x1p-959);
}

/* The exponent by which to scale; 0: no scaling is needed. */
static int exponent_of(double greatest) {
  int exponent = 1025; /* for numbers above every double: the modulus of doubles, infinity */
  if (!(greatest > 0x1p480 || (greatest < 0x1p-480 && greatest > 0))) return 0;
  if (!isinf(greatest)) (void)frexp(greatest, &exponent);
  return exponent;
}

static ddr_array_status roots_of_scaled(const Lines *lines) {
  bool has_extreme = false;
  ddr_array_status status = pass_with(lines, DDR_TERM_LINF, 0);
  for (int64_t i = 0; i < lines->n_lines && status == DDR_ARRAY_OK; i++) {
    lines->a[i] = exponent_of(lines->roots[i].re);
    has_extreme |= lines->a[i] != 0;
  }
  if (status != DDR_ARRAY_OK || !has_extreme) return status;
  status = pass(lines, DDR_TERM_SCALED_SQUARES);
  for (int64_t i = 0; i < lines->n_lines && status == DDR_ARRAY_OK; i++) {
    if (lines->a[i] != 0) lines->reals[i] = ldexp(sqrt(re_of(lines->roots[i])), (int)lines->a[i]);
  }
  return status;
}

static ddr_array_status l2_of(const Lines *lines) {
  const ddr_element type = lines->job->type;
  const bool is_double = type == DDR_ELEMENT_DOUBLE || type == DDR_ELEMENT_CDOUBLE;
  const ddr_term term = is_whole(lines->job) ? DDR_TERM_SCALED_SQUARES : DDR_TERM_SQUARES;
  bool has_extreme = false;
  const ddr_array_status status = pass_with(lines, term, 0);
  if (status != DDR_ARRAY_OK) return status;
  for (int64_t i = 0; i < lines->n_lines; i++) {
    lines->reals[i] = sqrt(re_of(lines->roots[i]));
    has_extreme |= is_double && may_be_extreme(lines->roots[i].re, (double)lines->n);
  }
  return has_extreme ? roots_of_scaled(lines) : DDR_ARRAY_OK;
}

/* --- all of an array -------------------------------------------------------------------------- */

ddr_term ddr_reduce_term_of(ddr_reduce_op op) {
  switch (op) {
  case DDR_REDUCE_DOT: return DDR_TERM_DOT;
  case DDR_REDUCE_L0:
  case DDR_REDUCE_COUNT: return DDR_TERM_L0;
  case DDR_REDUCE_L1: return DDR_TERM_L1;
  case DDR_REDUCE_SQUARED_L2: return DDR_TERM_SQUARES;
  case DDR_REDUCE_LINF: return DDR_TERM_LINF;
  case DDR_REDUCE_MIN_ELEMENT: return DDR_TERM_MIN;
  case DDR_REDUCE_MAX_ELEMENT: return DDR_TERM_MAX;
  case DDR_REDUCE_PRODUCT: return DDR_TERM_PRODUCT;
  case DDR_REDUCE_ALL: return DDR_TERM_ALL;
  case DDR_REDUCE_ANY: return DDR_TERM_ANY;
  case DDR_REDUCE_SUM:
  case DDR_REDUCE_L2: /* these need more than one pass: see reals_of */
  case DDR_REDUCE_MEAN:
  case DDR_REDUCE_VARIANCE:
  case DDR_N_REDUCTIONS: break;
  }
  return DDR_TERM_SUM;
}

static ddr_array_status numbers_of(const Lines *lines, ddr_number *results) {
  const ddr_reduce_job *job = lines->job;
  ddr_array_status status = DDR_ARRAY_OK;
  const bool has_reals =
      job->op == DDR_REDUCE_L2 || job->op == DDR_REDUCE_MEAN || job->op == DDR_REDUCE_VARIANCE;
  if (job->op == DDR_REDUCE_L2) status = l2_of(lines);
  else if (job->op == DDR_REDUCE_MEAN) status = mean_of(lines);
  else if (job->op == DDR_REDUCE_VARIANCE) status = variance_of(lines);
  else status = pass_with(lines, ddr_reduce_term_of(job->op), job->options.tolerance);
  for (int64_t i = 0; i < lines->n_lines && status == DDR_ARRAY_OK; i++) {
    results[i] =
        has_reals ? real_of(job, lines->reals[i]) : number_of(job->result_type, lines->roots[i]);
  }
  return status;
}

static void result_of_none(const ddr_reduce_job *job, ddr_number *result) {
  *result = ddr_number_zero(job->result_type);
  if (job->op == DDR_REDUCE_ALL) result->integer = 1;
  if (job->op == DDR_REDUCE_MEAN || job->op == DDR_REDUCE_VARIANCE) result->re = (double)NAN;
}

static ddr_array_status reduce_lines(const ddr_reduce_job *job, int64_t n_lines,
                                     ddr_number *results) {
  const size_t n = (size_t)n_lines;
  Lines lines = {job, n_lines, ddr_reduce_line_len(job), NULL, NULL, NULL};
  lines.roots = malloc(n * (sizeof *lines.roots + 2 * sizeof *lines.a));
  if (!lines.roots) return DDR_ARRAY_ENOMEM;
  lines.a = (double *)(lines.roots + n);
  lines.reals = lines.a + n;
  const ddr_array_status status = numbers_of(&lines, results);
  free(lines.roots);
  return status;
}

ddr_array_status ddr_reduce_all_of(const ddr_reduce_job *job, ddr_number *results) {
  const int64_t n_lines = ddr_reduce_n_lines(job);
  ddr_partial root;
  double a, real;
  if (ddr_reduce_line_len(job) == 0) {
    for (int64_t i = 0; i < n_lines; i++) result_of_none(job, &results[i]);
    return DDR_ARRAY_OK;
  }
  if (n_lines == 0) return DDR_ARRAY_OK;
  if (n_lines > 1) return reduce_lines(job, n_lines, results);
  const Lines line = {job, 1, ddr_reduce_line_len(job), &root, &a, &real};
  return numbers_of(&line, results);
}

/* --- checks ----------------------------------------------------------------------------------- */

static ddr_array_status check_mask(const ddr_ndview *mask, const ddr_ndview *array) {
  if (!mask) return DDR_ARRAY_OK;
  DDR_TRY(ddr_ndview_check(mask));
  if (mask->type != DDR_ELEMENT_BOOL) return DDR_ARRAY_ETYPE;
  if (!ddr_ndview_same_shape(mask, array)) return DDR_ARRAY_ESHAPE;
  return DDR_ARRAY_OK;
}

int64_t ddr_reduce_line_len(const ddr_reduce_job *job) {
  const ddr_ndview *x = &job->arrays[0];
  return job->axis < 0 ? ddr_ndview_size(x) : x->layout.len[job->axis];
}

int64_t ddr_reduce_n_lines(const ddr_reduce_job *job) { return job->axis < 0 ? 1 : job->n_lines; }

ddr_arrays ddr_reduce_arrays(const ddr_reduce_job *job) {
  ddr_arrays arrays = {.n = 0};
  for (int k = 0; k < job->n_arrays; k++) ddr_arrays_add(&arrays, &job->arrays[k]);
  ddr_arrays_add(&arrays, job->options.mask);
  return arrays;
}

/* Bools are bytes, and bytes are what compilers compare by vectors. */
static void count_bytes(ddr_reduce_job *job) {
  static_assert(sizeof(bool) == sizeof(uint8_t), "a bool is a byte");
  job->type = job->arrays[0].type = DDR_ELEMENT_UINT8;
}

ddr_array_status ddr_reduce_check(ddr_reduce_op op, const ddr_ndview *const *arrays,
                                  const ddr_reduce_options *options, ddr_reduce_job *job) {
  const int n_arrays = ddr_reduce_about(op).n_arrays;
  if (n_arrays == 0) return DDR_ARRAY_EOPERATION;
  DDR_NEED(arrays);
  for (int k = 0; k < n_arrays; k++) DDR_TRY(ddr_ndview_check(arrays[k]));
  const ddr_ndview *x = arrays[0], *y = n_arrays < 2 ? x : arrays[1];
  job->op = op;
  job->n_arrays = n_arrays;
  for (int k = 0; k < n_arrays; k++) job->arrays[k] = *arrays[k];
  job->options = options ? *options : (ddr_reduce_options){.n_threads = 0};
  job->axis = -1;
  job->first_line = job->n_lines = job->next = 0;
  job->type = ddr_element_promote(x->type, y->type);
  ddr_array_status status = ddr_reduce_type(op, job->type, &job->result_type);
  if (status != DDR_ARRAY_OK) return status;
  if (ddr_ndview_size(x) != ddr_ndview_size(y)) return DDR_ARRAY_ESHAPE;
  if (!(job->options.tolerance >= 0)) return DDR_ARRAY_ERANGE;
  if (op != DDR_REDUCE_L0) job->options.tolerance = 0;
  status = check_mask(job->options.mask, x);
  if (status == DDR_ARRAY_OK && n_arrays == 2) status = check_mask(job->options.mask, y);
  if (status != DDR_ARRAY_OK) return status;
  const ddr_arrays all = ddr_reduce_arrays(job);
  job->side = ddr_side_of(&all);
  if (job->side == DDR_SIDE_NONE) return DDR_ARRAY_ERESIDENCY;
  ddr_side_touch(job->side, &all);
  if (op == DDR_REDUCE_COUNT) count_bytes(job);
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_reduce(ddr_reduce_op op, const ddr_ndview *const *arrays,
                            const ddr_reduce_options *options, ddr_number *result) {
  ddr_reduce_job job;
  DDR_NEED(result);
  const ddr_array_status status = ddr_reduce_check(op, arrays, options, &job);
  if (status != DDR_ARRAY_OK) return status;
  return job.options.mask ? ddr_reduce_selected(&job, result) : ddr_reduce_all_of(&job, result);
}
