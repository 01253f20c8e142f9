/* reduce_device.cu: reductions of the language: see reduce_device.h. */
#include "runtime/cuda/array/reduce_device.h"

static ddr_partial none_of(ddr_reduction reduction, ddr_element type) {
  const bool is_real = type == DDR_ELEMENT_FLOAT || type == DDR_ELEMENT_DOUBLE;
  return ddr_partial_of_none(reduction, is_real, type == DDR_ELEMENT_INT64);
}

static ddr_term first_term_of(ddr_reduction reduction) {
  switch (reduction) {
  case DDR_SUM:
  case DDR_MEAN:
  case DDR_VARIANCE: break;
  case DDR_PRODUCT: return DDR_TERM_PRODUCT;
  case DDR_MIN: return DDR_TERM_MIN;
  case DDR_MAX: return DDR_TERM_MAX;
  case DDR_ALL: return DDR_TERM_ALL;
  case DDR_EXISTS: return DDR_TERM_ANY;
  }
  return DDR_TERM_SUM;
}

static cudaError_t run(const ddr_launch *launch, ddr_term term, ddr_element type,
                       ddr_term_pass *pass, void **scratch, size_t *n_scratch,
                       ddr_partial *result) {
  cudaStream_t stream = (cudaStream_t)launch->stream;
  const ddr_partial *root = NULL;
  cudaError_t error = ddr_device_pass(launch, ddr_device_term_of(term, type, false), pass, scratch,
                                      n_scratch, &root);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(result, root, sizeof *result, cudaMemcpyDefault, stream);
  return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

static ddr_term_pass pass_over(const void *values, int64_t n) {
  ddr_term_pass pass;
  memset(&pass, 0, sizeof pass);
  pass.x.data = values;
  pass.x.lines.rank = pass.x.elements.rank = 1;
  pass.x.lines.len[0] = 1;
  pass.x.elements.len[0] = n;
  pass.x.elements.stride[0] = 1;
  pass.y = pass.x;
  pass.n_lines = 1;
  pass.len = n;
  return pass;
}

cudaError_t ddr_device_reduce(const ddr_launch *launch, ddr_reduction reduction, ddr_element type,
                              const void *values, int64_t n, void **scratch, size_t *n_scratch,
                              ddr_partial *result) {
  ddr_term_pass pass = pass_over(values, n);
  ddr_partial root = none_of(reduction, type);
  cudaError_t error = cudaSuccess;
  if (n > 0) {
    error = run(launch, first_term_of(reduction), type, &pass, scratch, n_scratch, &root);
    if (reduction == DDR_MEAN || reduction == DDR_VARIANCE) root.re /= (double)n;
  }
  if (n > 0 && reduction == DDR_VARIANCE && error == cudaSuccess) {
    pass.a = root.re;
    error = run(launch, DDR_TERM_DISTANCES, type, &pass, scratch, n_scratch, &root);
    root.re = ddr_variance_of(root.im, root.re, (double)n);
    root.im = 0;
  }
  if (error != cudaSuccess) return error;
  root.re = ddr_plain_nan(root.re);
  *result = root;
  return cudaSuccess;
}
