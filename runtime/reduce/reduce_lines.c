/* reduce_lines.c: one pass over the elements of neighbouring lines, each of which is reduced
 * separately.
 *
 * Lines whose neighbours are adjacent in memory are reduced together, one in each lane of a vector,
 * if the term has such a function; otherwise they are first copied, so that the elements of each
 * line are adjacent.
 * Read next: kernels.h.
 */
#include <stdlib.h>

#include "runtime/reduce/job.h"

enum {
  COPIED_LINES = 64,    /* at once */
  MOST_COPIED = 1 << 22 /* bytes of an array */
};

/* --- slabs: n lines beside each other, of axes [along a line, across] ------------------------- */

ddr_ndview ddr_line_of_slab(const ddr_ndview *slab, int64_t number) {
  ddr_ndview line = *slab;
  line.layout.rank = 1;
  line.layout.offset += number * slab->layout.stride[1];
  return line;
}

static ddr_ndview part_of_slab(const ddr_ndview *slab, int64_t first, int64_t n) {
  ddr_ndview part = *slab;
  part.layout.offset += first * slab->layout.stride[1];
  part.layout.len[1] = n;
  return part;
}

ddr_array_status ddr_slab_copy(const ddr_ndview *slab, ddr_element type, ddr_ndview *copy) {
  const int64_t len = slab->layout.len[0], n = slab->layout.len[1], both[] = {n, len};
  const size_t size = ddr_element_size(type);
  const ddr_array_status status = ddr_ndview_new(type, 2, both, DDR_HOST, copy);
  if (status != DDR_ARRAY_OK) return status;
  copy->layout = (ddr_layout){.rank = 2, .len = {len, n}, .stride = {1, len}};
  const ddr_range to = ddr_ndview_range(copy);
  const ddr_source source = ddr_source_of(slab, type);
  ddr_block_buffer buffer;
  for (int64_t p = 0; p < to.n; p += DDR_SOURCE_BLOCK) {
    const int64_t rest = to.n - p, n_here = rest < DDR_SOURCE_BLOCK ? rest : DDR_SOURCE_BLOCK;
    const void *elements = ddr_source_block(&source, p, n_here, &buffer);
    ddr_range_scatter(&to, size, p, n_here, elements);
  }
  return DDR_ARRAY_OK;
}

bool ddr_slab_is_worth_copying(const ddr_ndview *slab) {
  const int64_t size = (int64_t)ddr_element_size(slab->type), cache_line = 64;
  const int64_t along = llabs(slab->layout.stride[0]) * size;
  const int64_t across = llabs(slab->layout.stride[1]) * size;
  return along >= cache_line && across < cache_line &&
         slab->layout.len[0] <= MOST_COPIED / COPIED_LINES / size;
}

/* --- lines in memory -------------------------------------------------------------------------- */

typedef struct {
  const ddr_reduce_job *job; /* of slabs, axis 0 */
  ddr_term term;
  ddr_reduce_kernel kernel;
} Pass;

static Pass pass_of(const ddr_reduce_job *job, ddr_term term) {
  return (Pass){job, term, ddr_kernel_of(term, job->type, job->options.is_compensated)};
}

static const char *data_of(const ddr_ndview *view) {
  return (const char *)view->data + view->layout.offset * (int64_t)ddr_element_size(view->type);
}

/* Reduces adjacent elements. */
static ddr_partial reduce_packed(const ddr_reduce_kernel *kernel, const char *x, const char *y,
                                 double a, int64_t n, size_t size) {
  ddr_partial_tree tree;
  if (n <= DDR_TREE_BLOCK) return kernel->block(x, y, a, n);
  tree.n_blocks = 0;
  for (int64_t p = 0; p < n; p += DDR_TREE_BLOCK) {
    const int64_t rest = n - p, n_here = rest < DDR_TREE_BLOCK ? rest : DDR_TREE_BLOCK;
    const size_t at = (size_t)p * size;
    ddr_partial_push(&tree, kernel->combine, kernel->block(x + at, y + at, a, n_here));
  }
  return ddr_partial_root(&tree, kernel->combine);
}

static bool is_packed(const ddr_reduce_job *job, int k) {
  return job->arrays[k].type == job->type && job->arrays[k].layout.stride[0] == 1;
}

/* Errors: ENOMEM. */
static ddr_array_status reduce_each(const Pass *pass, const ddr_ndview *slabs, const double *a,
                                    ddr_partial *roots) {
  ddr_reduce_job job = *pass->job;
  const size_t size = ddr_element_size(job.type);
  const int64_t n = slabs[0].layout.len[0], n_lines = slabs[0].layout.len[1];
  const int64_t x_bytes = slabs[0].layout.stride[1] * (int64_t)size;
  const int64_t y_bytes = slabs[1].layout.stride[1] * (int64_t)size;
  ddr_array_status status = DDR_ARRAY_OK;
  job.arrays[0] = slabs[0];
  job.arrays[1] = slabs[1];
  if (job.options.n_threads <= 1 && is_packed(&job, 0) && is_packed(&job, 1)) {
    const char *x = data_of(&slabs[0]), *y = data_of(&slabs[1]);
    for (int64_t i = 0; i < n_lines; i++)
      roots[i] = reduce_packed(&pass->kernel, x + i * x_bytes, y + i * y_bytes, a[i], n, size);
    return DDR_ARRAY_OK;
  }
  job.axis = -1;
  for (int64_t i = 0; i < n_lines && status == DDR_ARRAY_OK; i++) {
    for (int k = 0; k < 2; k++) job.arrays[k] = ddr_line_of_slab(&slabs[k], i);
    status = ddr_reduce_term(&job, pass->term, &a[i], &roots[i]);
  }
  return status;
}

/* --- lines across memory ---------------------------------------------------------------------- */

static bool are_neighbours(const ddr_reduce_job *job, int k) {
  return job->arrays[k].type == job->type && job->arrays[k].layout.stride[1] == 1;
}

/* From the block of some rows to the one below or, after the last, to the lines that follow; 0 if
 * none do. */
static int64_t next_of_block(const Pass *pass, const ddr_lines *block, int64_t first_row) {
  const int64_t next = pass->job->next;
  const bool is_last = first_row + block->n == pass->job->arrays[0].layout.len[0];
  if (!is_last) return block->n * block->x_step;
  return next == 0 ? 0 : next - first_row * block->x_step;
}

/* Adds the blocks of all lines, one after another. */
static void add_blocks(const Pass *pass, ddr_lines *lines, double *sums) {
  const ddr_ndview *x = &pass->job->arrays[0], *y = &pass->job->arrays[1];
  const int64_t n = x->layout.len[0], size = (int64_t)ddr_element_size(x->type);
  const int n_lines = lines->n_lines;
  ddr_tree trees[DDR_MOST_LINES];
  for (int i = 0; i < n_lines; i++) trees[i].n_blocks = 0;
  for (int64_t p = 0; p < n; p += DDR_TREE_BLOCK) {
    lines->x = data_of(x) + p * lines->x_step * size;
    lines->y = data_of(y) + p * lines->y_step * size;
    lines->n = n - p < DDR_TREE_BLOCK ? n - p : DDR_TREE_BLOCK;
    lines->next = next_of_block(pass, lines, p);
    pass->kernel.lines(lines, sums);
    for (int i = 0; i < n_lines; i++) ddr_tree_push(&trees[i], DDR_TREE_ADD, sums[i]);
  }
  for (int i = 0; i < n_lines; i++) sums[i] = ddr_tree_root(&trees[i], DDR_TREE_ADD);
}

static void add_together(const Pass *pass, const double *a, double *sums) {
  const ddr_ndview *x = &pass->job->arrays[0], *y = &pass->job->arrays[1];
  ddr_lines lines = {.x = data_of(x),
                     .y = data_of(y),
                     .x_step = x->layout.stride[0],
                     .y_step = y->layout.stride[0],
                     .a = a,
                     .n = x->layout.len[0],
                     .n_lines = (int)pass->job->n_lines,
                     .next = pass->job->next};
  if (lines.n <= DDR_TREE_BLOCK) pass->kernel.lines(&lines, sums);
  else add_blocks(pass, &lines, sums);
}

/* The sum of one line of adjacent elements. */
static double sum_of_line(ddr_sum_function *sum, const char *x, const char *y, int64_t n,
                          int64_t size) {
  ddr_tree tree;
  if (n <= DDR_TREE_BLOCK) return sum(x, y, 0, n);
  tree.n_blocks = 0;
  for (int64_t p = 0; p < n; p += DDR_TREE_BLOCK) {
    const int64_t rest = n - p, n_here = rest < DDR_TREE_BLOCK ? rest : DDR_TREE_BLOCK;
    ddr_tree_push(&tree, DDR_TREE_ADD, sum(x + p * size, y + p * size, 0, n_here));
  }
  return ddr_tree_root(&tree, DDR_TREE_ADD);
}

static void add_each(const Pass *pass, double *sums) {
  const ddr_reduce_job *job = pass->job;
  const ddr_layout *of_x = &job->arrays[0].layout, *of_y = &job->arrays[1].layout;
  const int64_t size = (int64_t)ddr_element_size(job->type);
  const char *x = data_of(&job->arrays[0]), *y = data_of(&job->arrays[1]);
  for (int64_t i = 0; i < job->n_lines; i++) {
    sums[i] = sum_of_line(pass->kernel.sum, x, y, of_x->len[0], size);
    x += of_x->stride[1] * size;
    y += of_y->stride[1] * size;
  }
}

static bool are_packed(const Pass *pass) {
  const ddr_reduce_job *job = pass->job;
  return pass->kernel.sum && job->options.n_threads <= 1 && is_packed(job, 0) && is_packed(job, 1);
}

static bool are_together(const Pass *pass) {
  const ddr_reduce_job *job = pass->job;
  const bool is_shared = job->options.n_threads > 1; /* threads share each line */
  return pass->kernel.lines && !is_shared && are_neighbours(job, 0) && are_neighbours(job, 1);
}

bool ddr_reduce_sums_of_lines(const ddr_reduce_job *job, ddr_term term, double *sums) {
  static const double a[DDR_MOST_LINES] = {0};
  const Pass pass = pass_of(job, term);
  if (job->n_lines > DDR_MOST_LINES || job->arrays[0].layout.len[0] == 0) return false;
  if (are_together(&pass)) add_together(&pass, a, sums);
  else if (are_packed(&pass)) add_each(&pass, sums);
  else return false;
  return true;
}

static ddr_array_status reduce_copies(const Pass *pass, const double *a, ddr_partial *roots) {
  const ddr_reduce_job *job = pass->job;
  ddr_array_status status = DDR_ARRAY_OK;
  for (int64_t first = 0; first < job->n_lines && status == DDR_ARRAY_OK; first += COPIED_LINES) {
    const int64_t rest = job->n_lines - first, n = rest < COPIED_LINES ? rest : COPIED_LINES;
    ddr_ndview copies[2] = {{.data = NULL}, {.data = NULL}};
    for (int k = 0; k < job->n_arrays && status == DDR_ARRAY_OK; k++) {
      const ddr_ndview part = part_of_slab(&job->arrays[k], first, n);
      status = ddr_slab_copy(&part, job->type, &copies[k]);
    }
    const ddr_ndview slabs[2] = {copies[0], copies[job->n_arrays - 1]};
    if (status == DDR_ARRAY_OK) status = reduce_each(pass, slabs, a + first, roots + first);
    for (int k = 0; k < 2; k++) ddr_ndview_release(&copies[k]);
  }
  return status;
}

ddr_array_status ddr_reduce_term_of_lines(const ddr_reduce_job *job, ddr_term term, const double *a,
                                          ddr_partial *roots) {
  const Pass pass = pass_of(job, term);
  if (are_together(&pass)) {
    double sums[DDR_MOST_LINES];
    add_together(&pass, a, sums);
    for (int64_t i = 0; i < job->n_lines; i++) roots[i] = ddr_partial_of(sums[i], 0);
    return DDR_ARRAY_OK;
  }
  if (ddr_slab_is_worth_copying(&job->arrays[0])) return reduce_copies(&pass, a, roots);
  return reduce_each(&pass, job->arrays, a, roots);
}
