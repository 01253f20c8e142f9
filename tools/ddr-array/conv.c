/* conv.c: an image convolved or correlated with a kernel.
 *
 * Results are at indices of the image: result k is at start + k * decimation. The kernel's origin
 * is its centre unless an option gives it.  Beyond the image samples are 0, or follow the border
 * rule.
 * Read next: conv_geometry.c. */
#include "runtime/conv/conv.h"

#include <string.h>

#include "runtime/transform/transform.h"
#include "tools/ddr-array/arguments.h"
#include "tools/ddr-array/border.h"
#include "tools/ddr-array/conv_geometry.h"

/* --- the kernel ------------------------------------------------------------------------------- */

/* --weights: one axis of doubles. */
static ddr_status make_weights(const char *text, ddr_ndview *kernel, ddr_reason *reason) {
  double weights[MOST_WEIGHTS];
  int n;
  if (read_reals(OPT_WEIGHTS, text, weights, &n, reason) != DDR_OK) return DDR_ERROR;
  const int64_t len[] = {n};
  const ddr_array_status status = ddr_ndview_new(DDR_ELEMENT_DOUBLE, 1, len, DDR_HOST, kernel);
  if (status != DDR_ARRAY_OK) return ddr_refuse(reason, "%s", ddr_array_status_text(status));
  memcpy(kernel->data, weights, (size_t)n * sizeof *weights);
  return DDR_OK;
}

static ddr_status get_kernel(Request *request, ddr_ndview *kernel, ddr_reason *reason) {
  const char *weights = request->plain[OPT_WEIGHTS];
  const Array *array = request_array(request, OPT_KERNEL, 0);
  if (array && !weights) {
    *kernel = ddr_ndview_retain(&array->view);
    return DDR_OK;
  }
  if (weights && !array) return make_weights(weights, kernel, reason);
  return ddr_refuse(reason, "the kernel is either a file of -x or a list of --weights");
}

/* Places the kernel's axes along those axes of the image; along all others its extent is 1. */
static ddr_status lay_along(const char *text, int rank, ddr_ndview *kernel, ddr_reason *reason) {
  int64_t axes[DDR_MAX_RANK];
  int n;
  ddr_layout wide = {.rank = rank, .offset = kernel->layout.offset};
  if (read_ints(OPT_ALONG, text, ',', 0, axes, &n, reason) != DDR_OK) return DDR_ERROR;
  for (int k = 0; k < rank; k++) wide.len[k] = 1;
  for (int k = 0; k < n && n == kernel->layout.rank; k++) {
    const bool is_free = axes[k] >= 0 && axes[k] < rank && wide.stride[axes[k]] == 0;
    if (!is_free) return ddr_refuse(reason, "--along %s: not an axis of the image, or twice", text);
    wide.len[axes[k]] = kernel->layout.len[k];
    wide.stride[axes[k]] = kernel->layout.stride[k];
  }
  if (n != kernel->layout.rank)
    return ddr_refuse(reason, "--along %s: expected as many axes as the kernel has (%d)", text,
                      kernel->layout.rank);
  kernel->layout = wide;
  return DDR_OK;
}

static ddr_status fit_kernel(const Request *request, const Array *image, ddr_ndview *kernel,
                             ddr_reason *reason) {
  const int rank = image->view.layout.rank;
  const char *along = request->plain[OPT_ALONG];
  if (along) return lay_along(along, rank, kernel, reason);
  if (kernel->layout.rank == rank) return DDR_OK;
  return ddr_refuse(reason, "%s has %d axes, the kernel %d; --along says which they are",
                    image->file, rank, kernel->layout.rank);
}

/* --- the border ------------------------------------------------------------------------------- */

/* Extends the image by the border rule as far as the results need; the geometry is then that of the
 * extended image. */
static ddr_array_status extend(Geometry *g, const ddr_ndview *image, ddr_outside border,
                               ddr_ndview *extended) {
  int64_t begin[DDR_MAX_RANK], end[DDR_MAX_RANK];
  for (int k = 0; k < g->rank; k++) {
    const int64_t low = g->kernel_origin[k], high = low + g->kernel_len[k] - 1;
    const int64_t last = g->start[k] + (g->n[k] - 1) * g->decimation[k];
    const int64_t first = g->image_origin[k];
    g->image_origin[k] = g->start[k] + (g->op == DDR_CONVOLUTION ? -high : low);
    begin[k] = g->image_origin[k] - first;
    end[k] = last + (g->op == DDR_CONVOLUTION ? -low : high) + 1 - first;
  }
  return ddr_ndview_extend(image, begin, end, border, extended);
}

/* --- the task --------------------------------------------------------------------------------- */

/* Where FFTW is not, and how to get it. */
static const char *missing_fftw(ddr_reason *where) {
  const char *folder = getenv("DIDEROT_FFTW");
  if (folder && *folder) {
    ddr_refuse(where, "FFTW, which is not in the folder that DIDEROT_FFTW names (%.200s)", folder);
  } else {
    ddr_refuse(where, "FFTW, which is not there (libfftw3.so.3; on Debian and Ubuntu: "
                      "apt-get install libfftw3-double3 libfftw3-single3)");
  }
  return where->text;
}

static ddr_status find_mode(const Request *request, const ddr_conv_mode **mode,
                            ddr_reason *reason) {
  const char *name = request->plain[OPT_MODE];
  *mode = &ddr_conv_direct;
  if (!name || strcmp(name, "direct") == 0) return DDR_OK;
  *mode = strcmp(name, "fft") == 0 ? &ddr_conv_fft : &ddr_conv_auto;
  const bool is_auto = strcmp(name, "auto") == 0;
  ddr_reason where;
  if (is_auto && !ddr_conv_has_fft())
    fprintf(stderr, "ddr-array conv: --mode=auto is direct without %s\n", missing_fftw(&where));
  if (*mode == &ddr_conv_fft && !ddr_conv_has_fft())
    return ddr_refuse(reason, "--mode=fft needs %s", missing_fftw(&where));
  if (*mode == &ddr_conv_fft || is_auto) return DDR_OK;
  return ddr_refuse(reason, "--mode expects %s, found \"%.200s\"", option_argument(OPT_MODE), name);
}

/* The type of the image, with ints as floats; complex if the kernel is. */
static ddr_element result_type(ddr_element kernel, ddr_element image) {
  const bool is_real = ddr_element_kind_of(image) == DDR_KIND_REAL;
  if (ddr_element_kind_of(image) == DDR_KIND_COMPLEX) return image;
  const ddr_element part = is_real ? image : DDR_ELEMENT_FLOAT;
  if (ddr_element_kind_of(kernel) != DDR_KIND_COMPLEX) return part;
  return part == DDR_ELEMENT_FLOAT ? DDR_ELEMENT_CFLOAT : DDR_ELEMENT_CDOUBLE;
}

static ddr_array_status run_task(ddr_conv_task *task, const ddr_ndview *kernel,
                                 const ddr_ndview *image, const ddr_ndview *result) {
  ddr_conv_array x, y, z;
  ddr_array_status status = ddr_conv_array_of_view(kernel, &x);
  if (status == DDR_ARRAY_OK) status = ddr_conv_array_of_view(image, &y);
  if (status == DDR_ARRAY_OK) status = ddr_conv_array_of_view(result, &z);
  return status == DDR_ARRAY_OK ? ddr_conv_task_exec(task, &x, &y, &z) : status;
}

/* How sums are formed, and where results go. */
typedef struct {
  const ddr_conv_mode *mode;
  ddr_element precision;
  bool is_conjugate, has_strides;
  int64_t stride[DDR_MAX_RANK];
  int n_threads;
} Arithmetic;

/* Zeros in memory of one axis, and in it a result whose strides are those of --strides; *memory is
 * saved. */
static ddr_array_status new_spread(const Geometry *g, const Arithmetic *how, ddr_element type,
                                   ddr_ndview *memory, ddr_ndview *result) {
  ddr_layout layout = {.rank = g->rank};
  int64_t least = 0, greatest = 0;
  for (int k = 0; k < g->rank; k++) {
    layout.len[k] = g->n[k];
    layout.stride[k] = how->stride[k];
  }
  DDR_TRY(ddr_layout_check(&layout));
  ddr_layout_span(&layout, &least, &greatest);
  const int64_t len[] = {greatest - least + 1};
  DDR_TRY(ddr_ndview_new(type, 1, len, DDR_HOST, memory));
  layout.offset = -least;
  ddr_transform_fill(ddr_number_int(0), memory, 1);
  return ddr_ndview_wrap(type, memory->data, &layout, DDR_HOST, NULL, result);
}

static ddr_array_status new_result(const Geometry *g, const Arithmetic *how, ddr_element type,
                                   ddr_ndview *memory, ddr_ndview *result) {
  if (how->has_strides) return new_spread(g, how, type, memory, result);
  DDR_TRY(ddr_ndview_new(type, g->rank, g->n, DDR_HOST, memory));
  *result = *memory;
  return DDR_ARRAY_OK;
}

static ddr_array_status convolve(const Geometry *g, const ddr_ndview *kernel,
                                 const ddr_ndview *image, const Arithmetic *how,
                                 ddr_ndview *memory) {
  const ddr_element type = result_type(kernel->type, image->type);
  ddr_ndview result;
  ddr_conv_task *task =
      ddr_conv_task_new(g->op, g->rank, kernel->layout.len, image->layout.len, g->n, type);
  if (!task) return DDR_ARRAY_ENOMEM;
  ddr_conv_task_set_mode(task, how->mode);
  ddr_conv_task_set_conj_x(task, how->is_conjugate);
  ddr_conv_task_set_precision(task, how->precision);
  ddr_conv_task_set_types(task, kernel->type, image->type, type);
  ddr_conv_task_set_origin(task, g->kernel_origin, g->image_origin);
  ddr_conv_task_set_start(task, g->start);
  ddr_conv_task_set_decimation(task, g->decimation);
  ddr_conv_task_set_threads(task, how->n_threads);
  ddr_array_status status = ddr_conv_task_commit(task);
  if (status == DDR_ARRAY_OK) status = new_result(g, how, type, memory, &result);
  if (status == DDR_ARRAY_OK) status = run_task(task, kernel, image, &result);
  ddr_conv_task_delete(task);
  return status;
}

/* --- the command ------------------------------------------------------------------------------ */

static ddr_array_status make_result(Geometry g, const ddr_ndview *kernel, const ddr_ndview *image,
                                    ddr_outside border, const Arithmetic *how, ddr_ndview *result) {
  ddr_ndview extended = {.data = NULL};
  ddr_array_status status = DDR_ARRAY_OK;
  for (int k = 0; k < g.rank; k++)
    if (g.n[k] < 1) return DDR_ARRAY_ERANGE;
  if (border.extension == DDR_EXTEND_NONE) extended = ddr_ndview_retain(image);
  else status = extend(&g, image, border, &extended);
  if (status == DDR_ARRAY_OK) status = convolve(&g, kernel, &extended, how, result);
  ddr_ndview_release(&extended);
  return status;
}

static ddr_status read_arithmetic(const Request *request, const Geometry *g, Arithmetic *how,
                                  ddr_reason *reason) {
  const char *precision = request->plain[OPT_PRECISION], *strides = request->plain[OPT_STRIDES];
  int n;
  *how = (Arithmetic){.precision = DDR_ELEMENT_DOUBLE,
                      .is_conjugate = request->plain[OPT_CONJ] != NULL,
                      .has_strides = strides != NULL,
                      .n_threads = request->n_threads};
  if (find_mode(request, &how->mode, reason) != DDR_OK) return DDR_ERROR;
  const bool is_type =
      !precision || read_type(OPT_PRECISION, precision, &how->precision, reason) == DDR_OK;
  if (!is_type || (how->precision != DDR_ELEMENT_DOUBLE && how->precision != DDR_ELEMENT_FLOAT))
    return ddr_refuse(reason, "--precision expects double or float, found \"%.100s\"", precision);
  if (!strides) return DDR_OK;
  if (read_ints(OPT_STRIDES, strides, ',', 0, how->stride, &n, reason) != DDR_OK) return DDR_ERROR;
  if (n == g->rank) return DDR_OK;
  return ddr_refuse(reason, "--strides expects one number per axis (%d), found \"%.200s\"", g->rank,
                    strides);
}

static ddr_status convolve_image(const Request *request, const ddr_ndview *kernel, Array *image,
                                 ddr_reason *reason) {
  Geometry g;
  ddr_outside border = {.extension = DDR_EXTEND_NONE};
  Arithmetic how;
  const char *border_text = request->plain[OPT_BORDER];
  ddr_ndview result = {.data = NULL};
  if (geometry_find(request, kernel, &image->view, &g, reason) != DDR_OK ||
      (border_text && read_border(border_text, &border, reason) != DDR_OK) ||
      read_arithmetic(request, &g, &how, reason) != DDR_OK)
    return DDR_ERROR;
  const ddr_array_status status = make_result(g, kernel, &image->view, border, &how, &result);
  if (status == DDR_ARRAY_OK && how.has_strides) {
    array_forget_axes(image);
    array_replace(image, &result);
    return DDR_OK;
  }
  if (status == DDR_ARRAY_OK) {
    for (int k = 0; k < g.rank; k++)
      array_pick(image, k, (double)(g.start[k] - g.image_origin[k]), (double)g.decimation[k],
                 g.n[k]);
    array_replace(image, &result);
    return DDR_OK;
  }
  ddr_ndview_release(&result);
  char shape[SHAPE_SIZE], what[SHAPE_SIZE + 40];
  snprintf(what, sizeof what, "with a kernel of %s", shape_text(&kernel->layout, shape));
  return array_refuse(image, what, status, reason);
}

ddr_status command_conv(Request *request, ddr_reason *reason) {
  const char *file;
  ddr_ndview kernel = {.data = NULL};
  if (request_expect(request, 0, 1, reason) != DDR_OK ||
      request_output(request, &file, reason) != DDR_OK || request_load(request, reason) != DDR_OK)
    return DDR_ERROR;
  Array *image = request_array(request, OPT_INPUT, 0);
  ddr_status status = get_kernel(request, &kernel, reason);
  if (status == DDR_OK) status = fit_kernel(request, image, &kernel, reason);
  if (status == DDR_OK) status = convolve_image(request, &kernel, image, reason);
  ddr_ndview_release(&kernel);
  return status == DDR_OK ? array_save(image, file, reason) : DDR_ERROR;
}
