/* reductions.cu: reduces lines of arrays to the roots of their trees, see
 * runtime/reduce/on_device.h. */
#include "runtime/cuda/array/arrays.h"
#include "runtime/cuda/array/select.h"
#include "runtime/cuda/array/terms.h"
#include "runtime/reduce/on_device.h"

static ddr_cuda_arrays *cuda_of(ddr_array_device *device) { return (ddr_cuda_arrays *)device; }

static cudaStream_t stream_of(const ddr_cuda_arrays *device) {
  return (cudaStream_t)device->launch.stream;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* The beginnings of the lines of an array, and the layout of their elements from there. */
static ddr_term_source source_of(const ddr_ndview *view, int axis) {
  const ddr_layout *layout = &view->layout;
  ddr_term_source source;
  memset(&source, 0, sizeof source);
  source.data = view->data;
  source.elements = *layout;
  source.elements.offset = 0;
  if (axis >= 0) {
    source.elements.rank = 1;
    source.elements.len[0] = layout->len[axis];
    source.elements.stride[0] = layout->stride[axis];
    source.lines = *layout;
    source.lines.len[axis] = 1;
  } else {
    source.lines.rank = 1;
    source.lines.len[0] = 1;
    source.lines.offset = layout->offset;
  }
  source.lines = ddr_layout_collapse(&source.lines);
  source.elements = ddr_layout_collapse(&source.elements);
  return source;
}

static ddr_term_pass pass_of(const ddr_device_lines *lines) {
  ddr_term_pass pass;
  memset(&pass, 0, sizeof pass);
  pass.x = source_of(&lines->arrays[0], lines->axis);
  pass.y = lines->n_arrays < 2 ? pass.x : source_of(&lines->arrays[1], lines->axis);
  pass.first_line = lines->first_line;
  pass.n_lines = lines->n_lines;
  pass.len = ddr_layout_size(&pass.x.elements);
  return pass;
}

/* --- a pass ----------------------------------------------------------------------------------- */

static cudaError_t run(ddr_cuda_arrays *device, const ddr_device_lines *lines, ddr_term_pass *pass,
                       ddr_partial *roots) {
  const ddr_device_term term =
      ddr_device_term_of(lines->term, lines->arrays[0].type, lines->is_compensated);
  const ddr_partial *found = NULL;
  cudaError_t error =
      ddr_device_pass(&device->launch, term, pass, &device->scratch, &device->n_scratch, &found);
  if (error != cudaSuccess) return error;
  return cudaMemcpyAsync(roots, found, (size_t)pass->n_lines * sizeof *roots, cudaMemcpyDefault,
                         stream_of(device));
}

/* With several lines, each has a number of its own. */
static cudaError_t run_with(ddr_cuda_arrays *device, const ddr_device_lines *lines, const double *a,
                            ddr_partial *roots) {
  ddr_term_pass pass = pass_of(lines);
  const size_t n_bytes = (size_t)pass.n_lines * sizeof *a;
  void *numbers = NULL;
  pass.a = a[0];
  if (pass.n_lines == 1) return run(device, lines, &pass, roots);
  cudaError_t error = cudaMallocAsync(&numbers, n_bytes, stream_of(device));
  if (error != cudaSuccess) return error;
  pass.a_of = (const double *)numbers;
  error = cudaMemcpyAsync(numbers, a, n_bytes, cudaMemcpyDefault, stream_of(device));
  if (error == cudaSuccess) error = run(device, lines, &pass, roots);
  const cudaError_t freed = cudaFreeAsync(numbers, stream_of(device));
  return error == cudaSuccess ? freed : error;
}

static ddr_array_status make_pass(ddr_array_device *arrays, const ddr_device_lines *lines,
                                  const double *a, ddr_partial *roots) {
  ddr_cuda_arrays *device = cuda_of(arrays);
  cudaError_t error = ddr_cuda_enter(device);
  if (error == cudaSuccess) error = run_with(device, lines, a, roots);
  return ddr_cuda_leave(device, error);
}

/* --- masks ------------------------------------------------------------------------------------ */

static ddr_array_status select_elements(ddr_array_device *arrays, size_t element_size,
                                        const void *from, const bool *mask, int64_t n, void *to,
                                        int64_t *n_selected) {
  ddr_cuda_arrays *device = cuda_of(arrays);
  cudaError_t error = ddr_cuda_enter(device);
  if (error == cudaSuccess)
    error = ddr_device_select_elements(&device->launch, element_size, from, mask, n, to, n_selected,
                                       &device->scratch, &device->n_scratch);
  return ddr_cuda_leave(device, error);
}

const ddr_device_reductions ddr_cuda_reductions = {make_pass, select_elements};
