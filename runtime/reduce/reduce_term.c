/* reduce_term.c: one pass over the elements: reduces blocks to partial results, and combines these
 * on the tree.
 *
 * Threads take runs of blocks; a run is a node of the tree, so the result does not depend on
 * threads.
 * Read next: kernels.h, partial.h.
 */
#include <stdlib.h>

#include "runtime/element/parallel_for.h"
#include "runtime/reduce/job.h"
#include "runtime/reduce/truths.h"

/* What is combined in any order may be taken by all at once: see wide.h, too. */
enum { BLOCK = DDR_TREE_BLOCK, RUN = DDR_SOURCE_RUN, MOST = 1 << 20 };

typedef struct {
  ddr_term term;
  ddr_reduce_kernel kernel;
  double a; /* argument of the kernel */
  int n_arrays;
  ddr_source sources[2];
  int64_t n;
  ddr_partial *results; /* of each run */
} Pass;

/* Without an order more than a block can be reduced at once, if elements are used in place; but
 * moduli of complex doubles read them twice (runtime/element/moduli.h). */
static int64_t most_at_once(const Pass *pass) {
  const ddr_source *source = &pass->sources[0];
  const bool is_in_place = source->range.is_flat && source->type == source->wanted;
  const bool is_free = pass->n_arrays < 2 && pass->kernel.is_order_free;
  if (!is_free || !is_in_place) return BLOCK;
  return source->type == DDR_ELEMENT_CDOUBLE ? RUN : MOST;
}

/* Whether all, or any, are true: nothing is read once that is known. */
static ddr_partial find_truth(const Pass *pass, int64_t begin, int64_t end) {
  const bool truth = pass->term == DDR_TERM_ANY; /* that decides */
  const int64_t most = most_at_once(pass);
  ddr_block_buffer buffer;
  bool is_found = false;
  for (int64_t p = begin; p < end && !is_found; p += most) {
    const int64_t n = end - p < most ? end - p : most;
    is_found = ddr_has_truth(ddr_source_block(&pass->sources[0], p, n, &buffer), n, truth);
  }
  return ddr_partial_of_integer(is_found == truth);
}

static ddr_partial reduce_blocks(const Pass *pass, int64_t begin, int64_t end) {
  ddr_block_buffer buffers[2];
  ddr_partial_tree tree;
  if (pass->term == DDR_TERM_ALL || pass->term == DDR_TERM_ANY) return find_truth(pass, begin, end);
  tree.n_blocks = 0;
  const int64_t most = most_at_once(pass);
  for (int64_t p = begin; p < end; p += most) {
    const int64_t n = end - p < most ? end - p : most;
    const void *x = ddr_source_block(&pass->sources[0], p, n, &buffers[0]);
    const void *y = pass->n_arrays < 2 ? x : ddr_source_block(&pass->sources[1], p, n, &buffers[1]);
    ddr_partial_push(&tree, pass->kernel.combine, pass->kernel.block(x, y, pass->a, n));
  }
  return ddr_partial_root(&tree, pass->kernel.combine);
}

static void reduce_run(void *data, int64_t item) {
  const Pass *pass = data;
  const int64_t begin = item * RUN, rest = pass->n - begin;
  pass->results[item] = reduce_blocks(pass, begin, begin + (rest < RUN ? rest : RUN));
}

static ddr_array_status reduce_with_threads(Pass *pass, int n_threads, ddr_partial *result) {
  const int64_t n_runs = (pass->n + RUN - 1) / RUN;
  ddr_partial_tree tree = {.n_blocks = 0};
  pass->results = malloc((size_t)n_runs * sizeof *pass->results);
  if (!pass->results) return DDR_ARRAY_ENOMEM;
  ddr_parallel_for(n_threads, n_runs, reduce_run, pass);
  for (int64_t k = 0; k < n_runs; k++) {
    ddr_partial_push(&tree, pass->kernel.combine, pass->results[k]);
  }
  free(pass->results);
  *result = ddr_partial_root(&tree, pass->kernel.combine);
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_reduce_term(const ddr_reduce_job *job, ddr_term term, const double *a,
                                 ddr_partial *roots) {
  if (job->side == DDR_SIDE_DEVICE) return ddr_reduce_term_there(job, term, a, roots);
  if (job->axis >= 0) return ddr_reduce_term_of_lines(job, term, a, roots);
  Pass pass; /* only existing sources are set */
  pass.term = term;
  pass.a = a[0];
  pass.n_arrays = job->n_arrays;
  pass.n = ddr_ndview_size(&job->arrays[0]);
  pass.kernel = ddr_kernel_of(term, job->type, job->options.is_compensated);
  if (ddr_reduce_turned(job, &pass.kernel, a[0], roots)) return DDR_ARRAY_OK;
  const bool any_order = job->n_arrays == 1 && pass.kernel.is_order_free;
  for (int k = 0; k < job->n_arrays; k++)
    ddr_source_set(&pass.sources[k], &job->arrays[k], any_order, job->type);
  if (job->options.n_threads > 1 && pass.n > RUN) {
    return reduce_with_threads(&pass, job->options.n_threads, roots);
  }
  roots[0] = reduce_blocks(&pass, 0, pass.n);
  return DDR_ARRAY_OK;
}
