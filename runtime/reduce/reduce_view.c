/* reduce_view.c: whole arrays: which terms are summed up, and the number that comes of them.
 *
 * Read next: reduce_term.c (passes over the elements), selected.c (masks), reduce_axis.c.
 */
#include "runtime/reduce/job.h"

/* --- from the roots to the number ------------------------------------------------------------- */

/* volatile: of two numbers rounded side by side gcc 12 forgets the rounding. */
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

static ddr_array_status reduce_to(const ddr_reduce_job *job, ddr_term term, ddr_number *result) {
  ddr_partial root;
  const ddr_array_status status = ddr_reduce_term(job, term, job->options.tolerance, &root);
  if (status == DDR_ARRAY_OK) *result = number_of(job->result_type, root);
  return status;
}

static ddr_array_status mean_of(const ddr_reduce_job *job, double *mean) {
  ddr_partial root;
  const ddr_array_status status = ddr_reduce_term(job, DDR_TERM_SUM, 0, &root);
  if (status != DDR_ARRAY_OK) return status;
  const double sum = is_whole(job) ? (double)root.integer : re_of(root);
  *mean = sum / (double)ddr_ndview_size(&job->arrays[0]);
  return DDR_ARRAY_OK;
}

static ddr_array_status variance_of(const ddr_reduce_job *job, double *variance) {
  const double n = (double)ddr_ndview_size(&job->arrays[0]);
  double mean = 0;
  ddr_partial root;
  ddr_array_status status = mean_of(job, &mean);
  if (status == DDR_ARRAY_OK) status = ddr_reduce_term(job, DDR_TERM_DISTANCES, mean, &root);
  if (status != DDR_ARRAY_OK) return status;
  *variance = ddr_variance_of(im_of(root), re_of(root), n);
  return DDR_ARRAY_OK;
}

/* --- the root of the sum of squares, also where the squares are too large or too small -------- */

/* Whether the largest absolute value can be outside 2^-480 to 2^480: its square is between the mean
 * square and their sum. */
static bool may_be_extreme(double squares, double n) {
  return !(squares < 0x1p959 && squares / n > 0x1p-959);
}

static ddr_array_status root_of_scaled(const ddr_reduce_job *job, double greatest, double *root) {
  int exponent = 1025; /* of what is greater than any double: the modulus of doubles, infinity */
  ddr_partial scaled;
  if (!isinf(greatest)) (void)frexp(greatest, &exponent);
  const ddr_array_status status =
      ddr_reduce_term(job, DDR_TERM_SCALED_SQUARES, (double)exponent, &scaled);
  if (status == DDR_ARRAY_OK) *root = ldexp(sqrt(re_of(scaled)), exponent);
  return status;
}

static ddr_array_status l2_of(const ddr_reduce_job *job, double *root) {
  const ddr_term term = is_whole(job) ? DDR_TERM_SCALED_SQUARES : DDR_TERM_SQUARES;
  const bool is_double = job->type == DDR_ELEMENT_DOUBLE || job->type == DDR_ELEMENT_CDOUBLE;
  ddr_partial partial;
  ddr_array_status status = ddr_reduce_term(job, term, 0, &partial);
  if (status != DDR_ARRAY_OK) return status;
  *root = sqrt(re_of(partial));
  if (!is_double || !may_be_extreme(partial.re, (double)ddr_ndview_size(&job->arrays[0]))) {
    return DDR_ARRAY_OK;
  }
  ddr_partial linf;
  status = ddr_reduce_term(job, DDR_TERM_LINF, 0, &linf);
  if (status != DDR_ARRAY_OK) return status;
  const bool is_extreme = linf.re > 0x1p480 || (linf.re < 0x1p-480 && linf.re > 0);
  return is_extreme ? root_of_scaled(job, linf.re, root) : DDR_ARRAY_OK;
}

/* --- all of an array -------------------------------------------------------------------------- */

static void result_of_none(const ddr_reduce_job *job, ddr_number *result) {
  *result = ddr_number_zero(job->result_type);
  if (job->op == DDR_REDUCE_ALL) result->integer = 1;
  if (job->op == DDR_REDUCE_MEAN || job->op == DDR_REDUCE_VARIANCE) result->re = (double)NAN;
}

ddr_array_status ddr_reduce_all_of(const ddr_reduce_job *job, ddr_number *result) {
  double real = 0;
  ddr_array_status status = DDR_ARRAY_OK;
  if (ddr_ndview_is_empty(&job->arrays[0])) {
    result_of_none(job, result);
    return DDR_ARRAY_OK;
  }
  switch (job->op) {
  case DDR_REDUCE_SUM: return reduce_to(job, DDR_TERM_SUM, result);
  case DDR_REDUCE_DOT: return reduce_to(job, DDR_TERM_DOT, result);
  case DDR_REDUCE_L0:
  case DDR_REDUCE_COUNT: return reduce_to(job, DDR_TERM_L0, result);
  case DDR_REDUCE_L1: return reduce_to(job, DDR_TERM_L1, result);
  case DDR_REDUCE_SQUARED_L2: return reduce_to(job, DDR_TERM_SQUARES, result);
  case DDR_REDUCE_LINF: return reduce_to(job, DDR_TERM_LINF, result);
  case DDR_REDUCE_MIN_ELEMENT: return reduce_to(job, DDR_TERM_MIN, result);
  case DDR_REDUCE_MAX_ELEMENT: return reduce_to(job, DDR_TERM_MAX, result);
  case DDR_REDUCE_PRODUCT: return reduce_to(job, DDR_TERM_PRODUCT, result);
  case DDR_REDUCE_ALL: return reduce_to(job, DDR_TERM_ALL, result);
  case DDR_REDUCE_ANY: return reduce_to(job, DDR_TERM_ANY, result);
  case DDR_REDUCE_L2: status = l2_of(job, &real); break;
  case DDR_REDUCE_MEAN: status = mean_of(job, &real); break;
  case DDR_REDUCE_VARIANCE: status = variance_of(job, &real); break;
  case DDR_N_REDUCTIONS: break;
  }
  if (status == DDR_ARRAY_OK) *result = real_of(job, real);
  return status;
}

/* --- checks ----------------------------------------------------------------------------------- */

static ddr_array_status check_mask(const ddr_ndview *mask, const ddr_ndview *array) {
  if (!mask) return DDR_ARRAY_OK;
  if (mask->type != DDR_ELEMENT_BOOL) return DDR_ARRAY_ETYPE;
  if (!ddr_layout_same_shape(&mask->layout, &array->layout)) return DDR_ARRAY_ESHAPE;
  return mask->residency == DDR_CUDA ? DDR_ARRAY_ERESIDENCY : DDR_ARRAY_OK;
}

ddr_array_status ddr_reduce_check(ddr_reduce_op op, const ddr_ndview *const *arrays,
                                  const ddr_reduce_options *options, ddr_reduce_job *job) {
  const int n_arrays = ddr_reduce_about(op).n_arrays;
  const ddr_ndview *x = arrays[0], *y = n_arrays < 2 ? x : arrays[1];
  *job = (ddr_reduce_job){.op = op, .n_arrays = n_arrays, .arrays = {*x, *y}};
  if (options) job->options = *options;
  job->type = ddr_element_promote(x->type, y->type);
  ddr_array_status status = ddr_reduce_type(op, job->type, &job->result_type);
  if (status != DDR_ARRAY_OK) return status;
  if (ddr_ndview_size(x) != ddr_ndview_size(y)) return DDR_ARRAY_ESHAPE;
  if (!(job->options.tolerance >= 0)) return DDR_ARRAY_ERANGE;
  if (op != DDR_REDUCE_L0) job->options.tolerance = 0;
  status = check_mask(job->options.mask, x);
  if (status == DDR_ARRAY_OK && n_arrays == 2) status = check_mask(job->options.mask, y);
  if (status != DDR_ARRAY_OK) return status;
  if (x->residency == DDR_CUDA || y->residency == DDR_CUDA) return DDR_ARRAY_ERESIDENCY;
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_reduce(ddr_reduce_op op, const ddr_ndview *const *arrays,
                            const ddr_reduce_options *options, ddr_number *result) {
  ddr_reduce_job job;
  const ddr_array_status status = ddr_reduce_check(op, arrays, options, &job);
  if (status != DDR_ARRAY_OK) return status;
  return job.options.mask ? ddr_reduce_selected(&job, result) : ddr_reduce_all_of(&job, result);
}
