/* decimate.c: low-pass filters with decimation, axis by axis.
 *
 * The axis with the largest factor goes first, which leaves less work for the others.
 */
#include "runtime/conv/filters/decimate.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/conv/conv.h"
#include "runtime/conv/filters/extend.h"
#include "runtime/conv/filters/passes.h"

int64_t ddr_decimated_size(int64_t n, const ddr_decimation_axis *axis) {
  if (!axis || axis->factor < 1 || axis->start < 0 || axis->start >= n) return 0;
  return (n - 1 - axis->start) / axis->factor + 1;
}

void ddr_decimate_orientation(const ddr_decimation_axis *axis, int n, double *direction,
                              double *origin) {
  for (int k = 0; axis && direction && origin && k < n; k++) {
    origin[k] += (double)axis->start * direction[k];
    direction[k] *= (double)axis->factor;
  }
}

static ddr_array_status check(const ddr_ndview *image, const ddr_decimation *decimation,
                              const ddr_ndview *result) {
  DDR_NEED(decimation);
  DDR_TRY(ddr_check_filtered(image, result));
  if (!ddr_extension_is_there(decimation->border.extension)) return DDR_ARRAY_EOPERATION;
  const int rank = image->layout.rank, n_components = rank - decimation->n_axes;
  if (decimation->n_axes < 1 || n_components < 0) return DDR_ARRAY_ERANGE;
  for (int k = 0; k < rank; k++) {
    int64_t most = image->layout.len[k];
    if (k < n_components) {
      if (result->layout.len[k] != most) return DDR_ARRAY_ESHAPE;
      continue;
    }
    const ddr_decimation_axis *axis = &decimation->axes[k - n_components];
    if (axis->factor < 1) return DDR_ARRAY_EDECIMATION;
    if (axis->start < 0 || axis->start >= most) return DDR_ARRAY_ERANGE;
    if (axis->n_weights > 0) DDR_NEED(axis->weights);
    if (axis->n_weights < 0 || (axis->n_weights > 0 && axis->n_weights % 2 == 0)) {
      return DDR_ARRAY_ERANGE;
    }
    if (axis->n_weights == 0 && axis->factor > INT32_MAX / 4) return DDR_ARRAY_EOVERFLOW;
    if (result->layout.len[k] > ddr_decimated_size(most, axis)) return DDR_ARRAY_ESHAPE;
  }
  return DDR_ARRAY_OK;
}

/* The weights of the axis, or those of a tent in *made, to be freed. */
static const double *find_weights(const ddr_decimation_axis *axis, int *n, double **made) {
  const int factor = (int)axis->factor;
  *n = axis->n_weights;
  *made = NULL;
  if (*n > 0) return axis->weights;
  *n = 2 * factor - 1;
  *made = malloc((size_t)*n * sizeof **made);
  for (int k = 0; *made && k < *n; k++) {
    const int away = abs(k - (factor - 1));
    (*made)[k] = (double)(factor - away) / ((double)factor * (double)factor);
  }
  return *made;
}

/* Filters the constant outside: it is multiplied by the sum of the weights, which is 1 for a
 * tent. */
static void filter_outside(const ddr_decimation_axis *axis, ddr_outside *border) {
  double sum = 0;
  for (int k = 0; k < axis->n_weights; k++) sum += axis->weights[k];
  if (axis->n_weights > 0) border->value *= sum;
}

/* Filters one axis; writes only if preparing the filter succeeded. */
static ddr_array_status decimate_axis(const ddr_ndview *from, const ddr_decimation *decimation,
                                      int axis, ddr_outside *border, const ddr_ndview *to) {
  const int n_components = from->layout.rank - decimation->n_axes;
  const ddr_decimation_axis *kept = &decimation->axes[axis - n_components];
  int64_t begin[DDR_MAX_RANK] = {0}, end[DDR_MAX_RANK];
  int n_weights;
  double *made;
  const double *weights = find_weights(kept, &n_weights, &made);
  if (!weights) return DDR_ARRAY_ENOMEM;
  memcpy(end, from->layout.len, sizeof end);
  begin[axis] = kept->start - n_weights / 2;
  end[axis] = kept->start + (to->layout.len[axis] - 1) * kept->factor + n_weights / 2 + 1;
  ddr_ndview part;
  ddr_passes passes = {.n_threads = decimation->n_threads};
  ddr_array_status status = ddr_extend_by(passes.n_threads, from, begin, end, *border, &part);
  if (status == DDR_ARRAY_OK) {
    const ddr_pass pass = {.from = &part,
                           .to = to,
                           .axis = axis,
                           .n_weights = n_weights,
                           .weights = weights,
                           .step = kept->factor};
    status = ddr_passes_add(&passes, &pass);
    if (status == DDR_ARRAY_OK) ddr_passes_run(&passes);
    ddr_passes_clear(&passes);
    ddr_ndview_release(&part);
  }
  free(made);
  filter_outside(kept, border);
  return status;
}

/* Orders axes by factor, the largest first; the slowest first among equals. */
static void order_axes(const ddr_decimation *decimation, int *order) {
  for (int k = 0; k < decimation->n_axes; k++) {
    int place = k;
    for (; place > 0 && decimation->axes[order[place - 1]].factor < decimation->axes[k].factor;
         place--) {
      order[place] = order[place - 1];
    }
    order[place] = k;
  }
}

ddr_array_status ddr_image_decimate(const ddr_ndview *image, const ddr_decimation *decimation,
                                    const ddr_ndview *result) {
  ddr_array_status status = check(image, decimation, result);
  if (status != DDR_ARRAY_OK) return status;
  const int rank = image->layout.rank, n_axes = decimation->n_axes;
  int order[DDR_CONV_MAX_RANK];
  int64_t len[DDR_MAX_RANK];
  ddr_outside border = decimation->border;
  ddr_ndview current;
  order_axes(decimation, order);
  memcpy(len, image->layout.len, sizeof len);
  status = ddr_ndview_as_reals(image, result->type, &current);
  for (int k = 0; k < n_axes && status == DDR_ARRAY_OK; k++) {
    const int axis = rank - n_axes + order[k];
    ddr_ndview next;
    len[axis] = result->layout.len[axis];
    if (k == n_axes - 1) next = ddr_ndview_retain(result);
    else status = ddr_ndview_new(result->type, rank, len, DDR_HOST, &next);
    if (status == DDR_ARRAY_OK) {
      status = decimate_axis(&current, decimation, axis, &border, &next);
      ddr_ndview_release(&current);
      current = next;
    }
    if (status != DDR_ARRAY_OK) ddr_ndview_release(&current);
  }
  if (status == DDR_ARRAY_OK) ddr_ndview_release(&current);
  return status;
}
