/* sample.c: the field of a kernel and an image, or a derivative of it, sampled on a grid along its
 * axes.
 *
 * Positions are indices of the image, and may lie between its samples.  The axes of the image are
 * reordered: the sampled ones last, as ddr_field_sample_grid requires, behind those of components.
 * Read next: runtime/conv/filters/sample_grid.h. */
#include "runtime/conv/filters/sample_grid.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "frontend/lang/kernel.h"
#include "tools/ddr-array/arguments.h"
#include "tools/ddr-array/border.h"
#include "tools/ddr-array/request.h"

enum { MOST_AXES = DDR_SAMPLE_MAX_AXES };

void print_sample_names(FILE *out) {
  fputs("\nKernels:", out);
  for (uint32_t k = 0; k < kernel_count(); k++) fprintf(out, " %s", kernel_at(k)->name);
  fputs("\n", out);
}

typedef struct Sample {
  const Kernel *kernel;
  double coeff[2 * KERNEL_MAX_SUPPORT * (KERNEL_MAX_DEGREE + 1)];
  int order[DDR_MAX_RANK]; /* axes of the image: those of components, then the sampled ones */
  ddr_sample_grid grid;
  ddr_sample_result result;
} Sample;

/* --- the kernel ------------------------------------------------------------------------------- */

static ddr_status find_kernel(const Request *request, Sample *sample, ddr_reason *reason) {
  if (request->n_bare == 0)
    return ddr_refuse(reason, "the kernel is missing; ddr-array sample --help lists them");
  sample->kernel = kernel_find(request->bare[0]);
  if (!sample->kernel)
    return ddr_refuse(reason, "there is no kernel %.100s; ddr-array sample --help lists them",
                      request->bare[0]);
  const int support = (int)sample->kernel->support, n_coeffs = (int)sample->kernel->degree + 1;
  for (int tap = 1 - support; tap <= support; tap++) {
    const WeightPoly weight = kernel_weight(sample->kernel, 0, tap);
    double *coeff = sample->coeff + (ptrdiff_t)(tap + support - 1) * n_coeffs;
    for (int i = 0; i < n_coeffs; i++) coeff[i] = rational_to_double(weight.coeff[i]);
  }
  return DDR_OK;
}

/* --- the axes --------------------------------------------------------------------------------- */

static ddr_status find_axes(const Request *request, const Array *image, Sample *sample,
                            ddr_reason *reason) {
  const int rank = image->view.layout.rank;
  const char *along = request->plain[OPT_ALONG];
  int64_t axes[DDR_MAX_RANK];
  bool is_sampled[DDR_MAX_RANK] = {false};
  int n = rank, n_others = 0;
  for (int k = 0; k < rank; k++) axes[k] = k;
  if (along && read_ints(OPT_ALONG, along, ',', 0, axes, &n, reason) != DDR_OK) return DDR_ERROR;
  if (n < 1 || n > MOST_AXES)
    return ddr_refuse(reason, "1 to %d axes can be sampled, found %d; --along says which they are",
                      MOST_AXES, n);
  for (int k = 0; k < n; k++) {
    if (axes[k] < 0 || axes[k] >= rank || is_sampled[axes[k]])
      return ddr_refuse(reason, "--along %s: not an axis of the image, or twice", along);
    is_sampled[axes[k]] = true;
  }
  for (int k = 0; k < rank; k++)
    if (!is_sampled[k]) sample->order[n_others++] = k;
  for (int k = 0; k < n; k++) sample->order[n_others + k] = (int)axes[k];
  sample->grid.n_axes = n;
  return DDR_OK;
}

static int axis_of(const Sample *sample, int rank, int k) {
  return sample->order[rank - sample->grid.n_axes + k];
}

static ddr_status refuse_count(OptionId option, int n, const char *text, ddr_reason *reason) {
  return ddr_refuse(reason, "--%s expects one per sampled axis (%d), found \"%.200s\"",
                    option_name(option), n, text);
}

static ddr_status read_first(const char *text, Sample *sample, ddr_reason *reason) {
  double first[MOST_WEIGHTS] = {0};
  int n = sample->grid.n_axes;
  if (text && read_reals(OPT_FIRST, text, first, &n, reason) != DDR_OK) return DDR_ERROR;
  if (n != sample->grid.n_axes) return refuse_count(OPT_FIRST, sample->grid.n_axes, text, reason);
  for (int k = 0; k < n; k++) {
    if (!isfinite(first[k])) return ddr_refuse(reason, "--first %s: not a finite number", text);
    sample->grid.axes[k].start = first[k];
  }
  return DDR_OK;
}

/* "2", "-1" or "1/3", and what ends it. */
static bool read_ratio(const char **text, int64_t *num, int64_t *den) {
  char *end;
  errno = 0;
  *num = strtoll(*text, &end, 10);
  bool is_good = end != *text;
  *den = 1;
  if (is_good && *end == '/') {
    const char *second = end + 1;
    *den = strtoll(second, &end, 10);
    is_good = end != second && *den > 0;
  }
  *text = end;
  return is_good && errno == 0;
}

static ddr_status read_apart(const char *text, Sample *sample, ddr_reason *reason) {
  const char *rest = text;
  const int n = sample->grid.n_axes;
  for (int k = 0; k < n; k++) {
    ddr_sample_axis *axis = &sample->grid.axes[k];
    axis->step_num = axis->step_den = 1;
    if (!text) continue;
    if (!read_ratio(&rest, &axis->step_num, &axis->step_den) || axis->step_num == 0)
      return ddr_refuse(reason, "--apart expects %s, found \"%.200s\"", option_argument(OPT_APART),
                        text);
    if (*rest != (k + 1 < n ? ',' : '\0')) return refuse_count(OPT_APART, n, text, reason);
    rest++;
  }
  return DDR_OK;
}

/* The number of samples up to the last one, or down to the first.  If it does not fit, neither does
 * the result, which make_result reports. */
static int64_t count_inside(const ddr_sample_axis *axis, int64_t len) {
  const double step = fabs((double)axis->step_num), den = (double)axis->step_den;
  const double room = axis->step_num > 0 ? (double)(len - 1) - axis->start : axis->start;
  const double n_steps = room * den / step;
  if (room < 0 || room > 0x1p40) return 0;
  return n_steps < 0x1p62 ? (int64_t)n_steps + 1 : INT64_MAX;
}

static ddr_status read_extent(const char *text, const ddr_layout *image, Sample *sample,
                              ddr_reason *reason) {
  int64_t extent[DDR_MAX_RANK];
  int n = sample->grid.n_axes;
  if (text && read_ints(OPT_EXTENT, text, ',', 0, extent, &n, reason) != DDR_OK) return DDR_ERROR;
  if (n != sample->grid.n_axes) return refuse_count(OPT_EXTENT, sample->grid.n_axes, text, reason);
  for (int k = 0; k < n; k++) {
    ddr_sample_axis *axis = &sample->grid.axes[k];
    axis->n = text ? extent[k] : count_inside(axis, image->len[axis_of(sample, image->rank, k)]);
    if (axis->n < 1)
      return ddr_refuse(reason, "no position lies in the image along axis %d, from %g on",
                        axis_of(sample, image->rank, k), axis->start);
  }
  return DDR_OK;
}

static ddr_status read_derivative(const char *text, Sample *sample, ddr_reason *reason) {
  int64_t orders[DDR_MAX_RANK] = {0};
  const Kernel *kernel = sample->kernel;
  int n = sample->grid.n_axes;
  if (text && read_ints(OPT_DERIVATIVE, text, ',', 0, orders, &n, reason) != DDR_OK)
    return DDR_ERROR;
  if (n != sample->grid.n_axes)
    return refuse_count(OPT_DERIVATIVE, sample->grid.n_axes, text, reason);
  int64_t total = 0;
  for (int k = 0; k < n; k++) {
    if (orders[k] < 0 || orders[k] > kernel->continuity - total)
      return ddr_refuse(reason, "--derivative %s: fields of %s have derivatives up to order %u",
                        text, kernel->name, kernel->continuity);
    total += orders[k];
    sample->result.derivative[k] = (int)orders[k];
  }
  return DDR_OK;
}

static ddr_status read_grid(const Request *request, const Array *image, Sample *sample,
                            ddr_reason *reason) {
  const char *border = request->plain[OPT_BORDER];
  if (find_axes(request, image, sample, reason) != DDR_OK ||
      read_first(request->plain[OPT_FIRST], sample, reason) != DDR_OK ||
      read_apart(request->plain[OPT_APART], sample, reason) != DDR_OK ||
      read_extent(request->plain[OPT_EXTENT], &image->view.layout, sample, reason) != DDR_OK ||
      read_derivative(request->plain[OPT_DERIVATIVE], sample, reason) != DDR_OK ||
      (border && read_border(border, &sample->grid.border, reason) != DDR_OK))
    return DDR_ERROR;
  for (int k = 0; k < sample->grid.n_axes; k++) {
    sample->grid.axes[k].kernel = (ddr_kernel){.support = (int)sample->kernel->support,
                                               .degree = (int)sample->kernel->degree,
                                               .coeff = sample->coeff};
  }
  if (!border) sample->grid.border = (ddr_outside){.extension = DDR_EXTEND_CLAMP};
  sample->grid.n_threads = request->n_threads;
  return DDR_OK;
}

/* --- the command ------------------------------------------------------------------------------ */

/* The result's axes have the order of the image's. */
static ddr_array_status make_result(const Sample *sample, const ddr_ndview *image,
                                    ddr_ndview *result) {
  const int rank = image->layout.rank;
  int64_t len[DDR_MAX_RANK];
  ddr_ndview from, to = {.data = NULL};
  for (int k = 0; k < rank; k++) len[k] = image->layout.len[k];
  for (int k = 0; k < sample->grid.n_axes; k++)
    len[axis_of(sample, rank, k)] = sample->grid.axes[k].n;
  const bool is_real = ddr_element_kind_of(image->type) == DDR_KIND_REAL;
  const ddr_element type = is_real ? image->type : DDR_ELEMENT_FLOAT;
  ddr_array_status status = ddr_ndview_permute(image, sample->order, &from);
  if (status != DDR_ARRAY_OK) return status;
  status = ddr_ndview_new(type, rank, len, DDR_HOST, result);
  if (status == DDR_ARRAY_OK) status = ddr_ndview_permute(result, sample->order, &to);
  ddr_sample_grid grid = sample->grid;
  ddr_sample_result sampled = sample->result;
  grid.image = &from;
  sampled.view = &to;
  if (status == DDR_ARRAY_OK) status = ddr_field_sample_grid(&grid, 1, &sampled);
  ddr_ndview_release(&from);
  ddr_ndview_release(&to);
  return status;
}

static ddr_status sample_image(const Sample *sample, Array *image, ddr_reason *reason) {
  const int rank = image->view.layout.rank;
  ddr_ndview result = {.data = NULL};
  const ddr_array_status status = make_result(sample, &image->view, &result);
  if (status != DDR_ARRAY_OK) {
    ddr_ndview_release(&result);
    return array_refuse(image, "with these positions", status, reason);
  }
  for (int k = 0; k < sample->grid.n_axes; k++) {
    const ddr_sample_axis *axis = &sample->grid.axes[k];
    array_pick(image, axis_of(sample, rank, k), axis->start,
               (double)axis->step_num / (double)axis->step_den, axis->n);
  }
  array_replace(image, &result);
  return DDR_OK;
}

ddr_status command_sample(Request *request, ddr_reason *reason) {
  const char *file;
  Sample sample = {.kernel = NULL};
  if (request_expect(request, 1, 1, reason) != DDR_OK ||
      find_kernel(request, &sample, reason) != DDR_OK ||
      request_output(request, &file, reason) != DDR_OK || request_load(request, reason) != DDR_OK)
    return DDR_ERROR;
  Array *image = request_array(request, OPT_INPUT, 0);
  if (read_grid(request, image, &sample, reason) != DDR_OK ||
      sample_image(&sample, image, reason) != DDR_OK)
    return DDR_ERROR;
  return array_save(image, file, reason);
}
