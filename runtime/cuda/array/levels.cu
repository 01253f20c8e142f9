/* levels.cu: passes over arrays: first the kernel of the blocks, then the levels of the tree, with
 * a warp for 32 results at a time, until each line has one result.
 */
#include "runtime/cuda/array/terms.h"
#include "runtime/cuda/base/warp.h"

/* Combines the results of n_from nodes of each line to n_to. */
typedef struct {
  const ddr_partial *from;
  ddr_partial *to;
  int64_t n_lines, n_from, n_to;
  ddr_combine combine;
} Level;

DDR_FN ddr_partial combined(ddr_combine combine, ddr_partial a, ddr_partial b) {
  switch (combine) {
#define ROW(name)                                                                                  \
  case DDR_COMBINE_##name: return ddr_partial_##name(a, b);
    DDR_EACH_COMBINE(ROW)
#undef ROW
  }
  return a;
}

DDR_KERNEL void level_kernel(Level level) {
  DDR_FOR_WARPS(item, level.n_lines * level.n_to) {
    const int64_t line = item / level.n_to, node = item % level.n_to;
    const int64_t rest = level.n_from - node * DDR_WARP;
    const ddr_partial *const from = level.from + line * level.n_from + node * DDR_WARP;
    const int n_lanes = rest < DDR_WARP ? (int)rest : DDR_WARP;
#define COMBINED(a, b) combined(level.combine, a, b)
    DDR_WARP_PAIRS(ddr_partial, root, n_lanes, COMBINED, from[lane < n_lanes ? lane : 0])
    if (DDR_LANE == 0) level.to[item] = root;
  }
}

cudaError_t ddr_device_reserve(void **scratch, size_t *n_scratch, size_t n_bytes) {
  if (n_bytes <= *n_scratch) return cudaSuccess;
  cudaError_t error = cudaFree(*scratch);
  *scratch = NULL;
  *n_scratch = 0;
  if (error == cudaSuccess) error = cudaMalloc(scratch, n_bytes);
  if (error == cudaSuccess) *n_scratch = n_bytes;
  return error;
}

cudaError_t ddr_device_pass(const ddr_launch *launch, ddr_device_term term, ddr_term_pass *pass,
                            void **scratch, size_t *n_scratch, const ddr_partial **results) {
  const int64_t n_lines = pass->n_lines;
  int64_t n = pass->n_blocks = (pass->len + DDR_TREE_BLOCK - 1) / DDR_TREE_BLOCK;
  const int64_t n_above = (n + DDR_WARP - 1) / DDR_WARP;
  cudaError_t error = ddr_device_reserve(scratch, n_scratch,
                                         (size_t)(n_lines * (n + n_above)) * sizeof(ddr_partial));
  if (error != cudaSuccess) return error;
  ddr_partial *from = (ddr_partial *)*scratch, *to = from + n_lines * n;
  pass->results = from;
  DDR_LAUNCH(term.kernel, launch, ddr_threads_for(n_lines * n * DDR_WARP), *pass);
  error = cudaGetLastError();
  while (n > 1 && error == cudaSuccess) {
    const int64_t n_to = (n + DDR_WARP - 1) / DDR_WARP;
    const Level level = {from, to, n_lines, n, n_to, term.combine};
    DDR_LAUNCH(level_kernel, launch, ddr_threads_for(n_lines * n_to * DDR_WARP), level);
    error = cudaGetLastError();
    ddr_partial *const done = from;
    from = to;
    to = done;
    n = n_to;
  }
  *results = from;
  return error;
}
