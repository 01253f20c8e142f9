/* sample_grid.c: samples a field on a regular grid by correlations along its axes.
 *
 * The passes form a tree: the first axis is done once for every order of derivative along it that
 * some result needs, under each of these the second axis likewise, and so on; the passes of the
 * last axis write results.  One intermediate array per level serves all passes of that level, one
 * after another.
 * Read next: passes.c.
 */
#include "runtime/conv/filters/sample_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/conv/conv.h"
#include "runtime/conv/filters/extend.h"
#include "runtime/conv/filters/passes.h"

/* Positions up to this are exact to 2^-20, and indices are far from overflow. */
#define FARTHEST 0x1p32

enum { MOST_STEP = 1 << 30, MOST_SUPPORT = 1 << 20 };

void ddr_kernel_weights(const ddr_kernel *kernel, int order, double fraction, double *weights) {
  if (!kernel || !kernel->coeff || !weights || order < 0) return;
  const int degree = kernel->degree;
  for (int tap = 0; tap < 2 * kernel->support; tap++) {
    const double *coeff = kernel->coeff + (ptrdiff_t)tap * (degree + 1);
    double sum = 0;
    for (int i = degree; i >= order; i--) {
      double factor = 1; /* of the derivative of f^i */
      for (int k = 0; k < order; k++) factor *= i - k;
      sum = sum * fraction + factor * coeff[i];
    }
    weights[tap] = sum;
  }
}

typedef struct Sampling {
  const ddr_sample_grid *grid;
  int n_results;
  const ddr_sample_result *results;
  int order[DDR_SAMPLE_MAX_AXES];        /* the order in which axes are done */
  ddr_ndview level[DDR_SAMPLE_MAX_AXES]; /* the input of the passes of each level */
  int64_t begin[DDR_SAMPLE_MAX_AXES];    /* first sample that is read along each axis */
  int64_t end[DDR_SAMPLE_MAX_AXES];
  double *weights;
  ddr_passes passes;
} Sampling;

/* --- positions -------------------------------------------------------------------------------- */

/* The integer part of position k, rounded down, and the rest. */
static int64_t split(const ddr_sample_axis *axis, int64_t k, double *fraction) {
  const int64_t whole_steps = k / axis->step_den, rest = k % axis->step_den;
  const double at = axis->start + (double)(rest * axis->step_num) / (double)axis->step_den;
  const double below = floor(at);
  *fraction = at - below;
  int64_t n = (int64_t)below + whole_steps * axis->step_num;
  if (*fraction >= 1) { /* just below an integer */
    *fraction = 0;
    n++;
  }
  return n;
}

static ddr_array_status check_axis(const ddr_sample_axis *axis) {
  const ddr_kernel *kernel = &axis->kernel;
  DDR_NEED(kernel->coeff);
  if (kernel->support < 1 || kernel->support > MOST_SUPPORT) return DDR_ARRAY_ERANGE;
  if (kernel->degree < 0 || kernel->degree > MOST_SUPPORT || axis->n < 1) return DDR_ARRAY_ERANGE;
  if (axis->step_den < 1 || axis->step_den > MOST_STEP) return DDR_ARRAY_ERANGE;
  if (axis->step_num > MOST_STEP || axis->step_num < -MOST_STEP) return DDR_ARRAY_ERANGE;
  if (axis->step_num == 0 && axis->n > 1) return DDR_ARRAY_ERANGE;
  const double last =
      axis->start + (double)(axis->n - 1) * (double)axis->step_num / (double)axis->step_den;
  if (!(fabs(axis->start) <= FARTHEST && fabs(last) <= FARTHEST)) return DDR_ARRAY_ERANGE;
  return DDR_ARRAY_OK;
}

/* The range of samples that the taps of all positions read. */
static void find_samples(const ddr_sample_axis *axis, int64_t *begin, int64_t *end) {
  double fraction;
  const int64_t first = split(axis, 0, &fraction), last = split(axis, axis->n - 1, &fraction);
  *begin = (first < last ? first : last) + 1 - axis->kernel.support;
  *end = (first > last ? first : last) + axis->kernel.support + 1;
}

/* --- checks ----------------------------------------------------------------------------------- */

static ddr_array_status check_shape(const ddr_sample_grid *grid, const ddr_ndview *view) {
  const int n_components = view->layout.rank - grid->n_axes;
  for (int k = 0; k < n_components; k++) {
    if (view->layout.len[k] != grid->image->layout.len[k]) return DDR_ARRAY_ESHAPE;
  }
  for (int k = 0; k < grid->n_axes; k++) {
    if (view->layout.len[n_components + k] != grid->axes[k].n) return DDR_ARRAY_ESHAPE;
  }
  return DDR_ARRAY_OK;
}

static ddr_array_status check_result(const Sampling *sampling, int which) {
  const ddr_sample_result *result = &sampling->results[which];
  const ddr_ndview *view = result->view;
  ddr_array_status status = ddr_check_filtered(sampling->grid->image, view);
  if (status == DDR_ARRAY_OK) status = check_shape(sampling->grid, view);
  for (int k = 0; k < sampling->grid->n_axes && status == DDR_ARRAY_OK; k++) {
    if (result->derivative[k] < 0) status = DDR_ARRAY_ERANGE;
  }
  if (status == DDR_ARRAY_OK && view->type != sampling->results[0].view->type) {
    status = DDR_ARRAY_ETYPE;
  }
  for (int k = 0; k < which && status == DDR_ARRAY_OK; k++) {
    if (ddr_ndview_overlap(view, sampling->results[k].view)) status = DDR_ARRAY_EALIAS;
  }
  return status;
}

static ddr_array_status check(Sampling *sampling) {
  const ddr_sample_grid *grid = sampling->grid;
  DDR_NEED(grid && sampling->results);
  DDR_TRY(ddr_ndview_check(grid->image));
  if (!ddr_extension_is_there(grid->border.extension)) return DDR_ARRAY_EOPERATION;
  const int n_components = grid->image->layout.rank - grid->n_axes;
  if (grid->n_axes < 1 || grid->n_axes > DDR_SAMPLE_MAX_AXES || n_components < 0) {
    return DDR_ARRAY_ERANK;
  }
  ddr_array_status status = DDR_ARRAY_OK;
  for (int k = 0; k < grid->n_axes && status == DDR_ARRAY_OK; k++) {
    status = check_axis(&grid->axes[k]);
  }
  for (int k = 0; k < sampling->n_results && status == DDR_ARRAY_OK; k++) {
    status = check_result(sampling, k);
  }
  for (int k = 0; k < grid->n_axes && status == DDR_ARRAY_OK; k++) {
    find_samples(&grid->axes[k], &sampling->begin[k], &sampling->end[k]);
    const bool is_inside =
        sampling->begin[k] >= 0 && sampling->end[k] <= grid->image->layout.len[n_components + k];
    if (!is_inside && grid->border.extension == DDR_EXTEND_NONE) status = DDR_ARRAY_ERANGE;
  }
  return status;
}

/* --- arrays ----------------------------------------------------------------------------------- */

/* Axes in ascending order of results per sample; among equals the slowest first. */
static void order_axes(Sampling *sampling) {
  const ddr_sample_grid *grid = sampling->grid;
  double growth[DDR_SAMPLE_MAX_AXES];
  for (int k = 0; k < grid->n_axes; k++) {
    growth[k] = (double)grid->axes[k].n / (double)(sampling->end[k] - sampling->begin[k]);
    int place = k;
    for (; place > 0 && growth[sampling->order[place - 1]] > growth[k]; place--) {
      sampling->order[place] = sampling->order[place - 1];
    }
    sampling->order[place] = k;
  }
}

/* The samples that are read, as reals: a part of the image if possible, else a copy. */
static ddr_array_status read_image(Sampling *sampling) {
  const ddr_sample_grid *grid = sampling->grid;
  const ddr_layout *layout = &grid->image->layout;
  const int n_components = layout->rank - grid->n_axes;
  int64_t begin[DDR_MAX_RANK] = {0}, end[DDR_MAX_RANK];
  bool is_inside = true;
  for (int k = 0; k < layout->rank; k++) {
    end[k] = layout->len[k];
    if (k < n_components) continue;
    begin[k] = sampling->begin[k - n_components];
    end[k] = sampling->end[k - n_components];
    is_inside = is_inside && begin[k] >= 0 && end[k] <= layout->len[k];
  }
  ddr_ndview part;
  if (is_inside) {
    part = ddr_ndview_retain(grid->image);
    for (int k = 0; k < layout->rank; k++) {
      ddr_layout_slice(&part.layout, k, begin[k], end[k], &part.layout); /* the slice is inside */
    }
  } else {
    const ddr_array_status status =
        ddr_extend_by(grid->n_threads, grid->image, begin, end, grid->border, &part);
    if (status != DDR_ARRAY_OK) return status;
  }
  const ddr_array_status status =
      ddr_ndview_as_reals(&part, sampling->results[0].view->type, &sampling->level[0]);
  ddr_ndview_release(&part);
  return status;
}

/* Allocates the arrays between the passes. */
static ddr_array_status make_levels(Sampling *sampling) {
  const ddr_sample_grid *grid = sampling->grid;
  ddr_array_status status = read_image(sampling);
  for (int k = 1; k < grid->n_axes && status == DDR_ARRAY_OK; k++) {
    const ddr_layout *before = &sampling->level[k - 1].layout;
    const int axis = sampling->order[k - 1], n_components = before->rank - grid->n_axes;
    int64_t len[DDR_MAX_RANK];
    memcpy(len, before->len, sizeof len);
    len[n_components + axis] = grid->axes[axis].n;
    status = ddr_ndview_new(sampling->results[0].view->type, before->rank, len, DDR_HOST,
                            &sampling->level[k]);
  }
  return status;
}

/* --- passes ----------------------------------------------------------------------------------- */

/* Adds the pass of results `phase`, phase + step_den, ..., which have the same weights. */
static ddr_array_status add_phase(Sampling *sampling, int level, int derivative, int64_t phase,
                                  const ddr_ndview *to) {
  const int axis = sampling->order[level];
  const ddr_sample_axis *sampled = &sampling->grid->axes[axis];
  const int in_view = to->layout.rank - sampling->grid->n_axes + axis;
  double fraction;
  int64_t first = split(sampled, phase, &fraction);
  ddr_ndview part = *to;
  ddr_layout *layout = &part.layout;
  layout->offset += phase * layout->stride[in_view];
  layout->stride[in_view] *= sampled->step_den;
  layout->len[in_view] = (sampled->n - 1 - phase) / sampled->step_den + 1;
  if (sampled->step_num < 0) {
    first += (layout->len[in_view] - 1) * sampled->step_num;
    ddr_layout_flip(layout, in_view, layout); /* that axis exists */
  }
  ddr_kernel_weights(&sampled->kernel, derivative, fraction, sampling->weights);
  const int64_t step = sampled->step_num < 0 ? -sampled->step_num : sampled->step_num;
  const ddr_pass pass = {
      .from = &sampling->level[level],
      .to = &part,
      .axis = in_view,
      .n_weights = 2 * sampled->kernel.support,
      .weights = sampling->weights,
      .first = first + 1 - sampled->kernel.support - sampling->begin[axis],
      .step = step > 0 ? step : 1,
  };
  return ddr_passes_add(&sampling->passes, &pass);
}

static ddr_array_status add_axis(Sampling *sampling, int level, int derivative,
                                 const ddr_ndview *to) {
  const ddr_sample_axis *axis = &sampling->grid->axes[sampling->order[level]];
  ddr_array_status status = DDR_ARRAY_OK;
  for (int64_t phase = 0; phase < axis->step_den && phase < axis->n; phase++) {
    if (status == DDR_ARRAY_OK) status = add_phase(sampling, level, derivative, phase, to);
  }
  return status;
}

/* Whether results a and b have the same derivatives along the axes before `level`. */
static bool is_together(const Sampling *sampling, int level, int a, int b) {
  for (int k = 0; k < level; k++) {
    const int axis = sampling->order[k];
    if (sampling->results[a].derivative[axis] != sampling->results[b].derivative[axis]) {
      return false;
    }
  }
  return true;
}

/* Adds passes from `level` on for all results that share those of result `which` so far. */
static ddr_array_status add_tree(Sampling *sampling, int level, int which) {
  const bool is_last = level == sampling->grid->n_axes - 1;
  ddr_array_status status = DDR_ARRAY_OK;
  for (int k = which; k < sampling->n_results && status == DDR_ARRAY_OK; k++) {
    if (!is_together(sampling, level, which, k)) continue;
    const int derivative = sampling->results[k].derivative[sampling->order[level]];
    if (is_last) {
      status = add_axis(sampling, level, derivative, sampling->results[k].view);
      continue;
    }
    bool is_done = false;
    for (int earlier = which; earlier < k; earlier++) {
      is_done = is_done || is_together(sampling, level + 1, earlier, k);
    }
    if (is_done) continue;
    status = add_axis(sampling, level, derivative, &sampling->level[level + 1]);
    if (status == DDR_ARRAY_OK) status = add_tree(sampling, level + 1, k);
  }
  return status;
}

static ddr_array_status prepare(Sampling *sampling) {
  int support = 1; /* or more: axes have been checked */
  for (int k = 0; k < sampling->grid->n_axes; k++) {
    const int other = sampling->grid->axes[k].kernel.support;
    if (other > support) support = other;
  }
  sampling->weights = malloc(2 * (size_t)support * sizeof *sampling->weights);
  if (!sampling->weights) return DDR_ARRAY_ENOMEM;
  sampling->passes.n_threads = sampling->grid->n_threads;
  order_axes(sampling);
  const ddr_array_status status = make_levels(sampling);
  return status == DDR_ARRAY_OK ? add_tree(sampling, 0, 0) : status;
}

ddr_array_status ddr_field_sample_grid(const ddr_sample_grid *grid, int n_results,
                                       const ddr_sample_result *results) {
  Sampling sampling = {.grid = grid, .n_results = n_results, .results = results};
  if (n_results < 1) return DDR_ARRAY_OK;
  ddr_array_status status = check(&sampling);
  if (status == DDR_ARRAY_OK) status = prepare(&sampling);
  if (status == DDR_ARRAY_OK) ddr_passes_run(&sampling.passes);
  ddr_passes_clear(&sampling.passes);
  for (int k = 0; k < DDR_SAMPLE_MAX_AXES; k++) ddr_ndview_release(&sampling.level[k]);
  free(sampling.weights);
  return status;
}
