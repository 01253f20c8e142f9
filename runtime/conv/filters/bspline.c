/* bspline.c: prefilters for B-splines, axis by axis.
 *
 * Read next: bspline_lines.c (recursions, and the correction of line ends).
 */
#include "runtime/conv/filters/bspline.h"

#include <math.h>
#include <string.h>

#include "runtime/conv/filters/bspline_local.h"
#include "runtime/conv/filters/extend.h"
#include "runtime/conv/filters/passes.h"
#include "runtime/conv/task.h"

/* --- filters ---------------------------------------------------------------------------------- */

/* B-splines at the integers 0, 1, ..., times the factor. */
typedef struct Spline {
  int degree, factor, n_poles;
  int b[DDR_BSPLINE_MOST_POLES + 1];
  double poles[DDR_BSPLINE_MOST_POLES];
} Spline;

static const Spline splines[] = {
    {3, 6, 1, {4, 1}, {-0.26794919243112270647}},
    {5, 120, 2, {66, 26, 1}, {-0.43057534709997379185, -0.043096288203264653823}},
    {7,
     5040,
     3,
     {2416, 1191, 120, 1},
     {-0.53528043079643816554, -0.12255461519232669052, -0.0091486948096082769286}},
};

static const Spline *find_spline(int degree) {
  for (size_t k = 0; k < sizeof splines / sizeof *splines; k++) {
    if (splines[k].degree == degree) return &splines[k];
  }
  return NULL;
}

/* A = z^(m-1) / P'(z), where P(z) = sum of b_j z^(j+m) over j = -m .. m. */
static double factor_of(const Spline *spline, double z) {
  const int m = spline->n_poles;
  double slope = 0;
  for (int k = 2 * m; k >= 1; k--) {
    slope = slope * z + k * (double)spline->b[k < m ? m - k : k - m] / spline->factor;
  }
  return pow(z, m - 1) / slope;
}

int ddr_bspline_poles(int degree, double *poles, double *factors) {
  const Spline *spline = find_spline(degree);
  if (!spline) return 0;
  for (int k = 0; k < spline->n_poles; k++) {
    poles[k] = spline->poles[k];
    factors[k] = factor_of(spline, poles[k]);
  }
  return spline->n_poles;
}

int ddr_bspline_taps(int degree, double least, double *taps) {
  enum { MOST = DDR_BSPLINE_MOST_TAPS / 2 };
  double poles[DDR_BSPLINE_MOST_POLES], factors[DDR_BSPLINE_MOST_POLES], half[MOST + 1];
  const int n_poles = ddr_bspline_poles(degree, poles, factors);
  int last = 0;
  for (int k = 0; k <= MOST; k++) {
    half[k] = n_poles == 0 && k == 0;
    for (int pole = 0; pole < n_poles; pole++) half[k] += factors[pole] * pow(poles[pole], k);
    if (fabs(half[k]) >= least) last = k;
  }
  for (int k = -last; k <= last; k++) taps[k + last] = half[k < 0 ? -k : k];
  return 2 * last + 1;
}

/* --- one axis --------------------------------------------------------------------------------- */

/* Shared by all axes. */
typedef struct Filter {
  const ddr_prefilter *prefilter;
  bool is_corrected; /* at the ends of lines */
  int n_taps;
  double taps[DDR_BSPLINE_MOST_TAPS];
} Filter;

/* Computes coefficients along an axis, and `n_beyond` more at both ends. */
static ddr_array_status apply_taps(const Filter *filter, const ddr_ndview *from, int axis,
                                   int n_beyond, const ddr_ndview *to) {
  int64_t begin[DDR_MAX_RANK] = {0}, end[DDR_MAX_RANK];
  const int reach = filter->n_taps / 2 + n_beyond;
  ddr_ndview extended;
  ddr_passes passes = {.n_threads = filter->prefilter->n_threads};
  memcpy(end, from->layout.len, sizeof end);
  begin[axis] -= reach;
  end[axis] += reach;
  ddr_array_status status =
      ddr_extend_by(passes.n_threads, from, begin, end, filter->prefilter->border, &extended);
  if (status != DDR_ARRAY_OK) return status;
  const ddr_pass pass = {.from = &extended,
                         .to = to,
                         .axis = axis,
                         .n_weights = filter->n_taps,
                         .weights = filter->taps,
                         .step = 1};
  status = ddr_passes_add(&passes, &pass);
  if (status == DDR_ARRAY_OK) ddr_passes_run(&passes);
  ddr_passes_clear(&passes);
  ddr_ndview_release(&extended);
  return status;
}

static ddr_array_status apply(const Filter *filter, const ddr_ndview *from, int axis, int n_beyond,
                              const ddr_ndview *to) {
  if (filter->prefilter->method == DDR_PREFILTER_TAPS) {
    return apply_taps(filter, from, axis, n_beyond, to);
  }
  return ddr_bspline_recursion(filter->prefilter, from, axis, n_beyond, to);
}

/* Corrects coefficients so that those beyond the ends follow the border rule. */
static ddr_array_status apply_corrected(const Filter *filter, const ddr_ndview *from, int axis,
                                        const ddr_ndview *to) {
  ddr_ndview longer;
  double poles[DDR_BSPLINE_MOST_POLES], factors[DDR_BSPLINE_MOST_POLES];
  const int n_beyond = ddr_bspline_poles(filter->prefilter->degree, poles, factors);
  int64_t len[DDR_MAX_RANK];
  memcpy(len, to->layout.len, sizeof len);
  len[axis] += 2 * (int64_t)n_beyond;
  ddr_array_status status =
      ddr_ndview_new(DDR_ELEMENT_DOUBLE, to->layout.rank, len, DDR_HOST, &longer);
  if (status != DDR_ARRAY_OK) return status;
  status = apply(filter, from, axis, n_beyond, &longer);
  if (status == DDR_ARRAY_OK) ddr_bspline_correct(filter->prefilter, &longer, axis, to);
  ddr_ndview_release(&longer);
  return status;
}

/* --- all axes --------------------------------------------------------------------------------- */

/* Only the last axis writes the result, in its last step, which cannot fail. */
static ddr_array_status filter_axes(const Filter *filter, const ddr_ndview *image,
                                    const ddr_ndview *result) {
  const int rank = image->layout.rank, n_axes = filter->prefilter->n_axes;
  ddr_ndview current;
  ddr_array_status status = ddr_ndview_as_reals(image, result->type, &current);
  if (status != DDR_ARRAY_OK) return status;
  for (int axis = rank - n_axes; axis < rank && status == DDR_ARRAY_OK; axis++) {
    ddr_ndview next;
    if (axis == rank - 1) next = ddr_ndview_retain(result);
    else status = ddr_ndview_new(result->type, rank, result->layout.len, DDR_HOST, &next);
    if (status != DDR_ARRAY_OK) break;
    status = filter->is_corrected ? apply_corrected(filter, &current, axis, &next)
                                  : apply(filter, &current, axis, 0, &next);
    ddr_ndview_release(&current);
    current = next;
  }
  ddr_ndview_release(&current);
  return status;
}

ddr_array_status ddr_bspline_prefilter(const ddr_ndview *image, const ddr_prefilter *prefilter,
                                       const ddr_ndview *result) {
  DDR_NEED(prefilter);
  DDR_TRY(ddr_check_filtered(image, result));
  if (!ddr_extension_is_there(prefilter->border.extension) ||
      (unsigned)prefilter->method > DDR_PREFILTER_RECURSION ||
      (unsigned)prefilter->ends > DDR_ENDS_OF_COEFFICIENTS)
    return DDR_ARRAY_EOPERATION;
  if (!ddr_layout_same_shape(&image->layout, &result->layout)) return DDR_ARRAY_ESHAPE;
  if (prefilter->n_axes < 1 || prefilter->n_axes > image->layout.rank) return DDR_ARRAY_ERANGE;
  const bool is_copy = prefilter->degree == 0 || prefilter->degree == 1;
  if (!is_copy && !find_spline(prefilter->degree)) return DDR_ARRAY_ERANGE;
  const ddr_extension extension = prefilter->border.extension;
  const bool is_periodic = extension == DDR_EXTEND_MIRROR || extension == DDR_EXTEND_WRAP;
  ddr_prefilter plain = *prefilter;
  if (is_copy) plain.method = DDR_PREFILTER_TAPS;
  Filter filter = {.prefilter = &plain,
                   .is_corrected =
                       !is_copy && !is_periodic && prefilter->ends == DDR_ENDS_OF_COEFFICIENTS};
  const bool is_float = result->type == DDR_ELEMENT_FLOAT;
  filter.n_taps = ddr_bspline_taps(prefilter->degree, is_float ? 0x1p-24 : 0x1p-53, filter.taps);
  return filter_axes(&filter, image, result);
}
