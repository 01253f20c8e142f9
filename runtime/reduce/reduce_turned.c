/* reduce_turned.c: one pass over an array whose adjacent elements are not neighbours in canonical
 * order.
 *
 * Taken one by one, each element would come from another cache line, which would be gone when its
 * next element is needed.  So the array is copied in canonical order, some cache lines wide at a
 * time, and the copies are reduced block by block; what is left of one begins the next.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/element/source.h"
#include "runtime/reduce/job.h"
#include "runtime/transform/transpose.h"

enum {
  BLOCK = DDR_TREE_BLOCK,
  LINE = 64,             /* bytes */
  LEAST_BYTES = 1 << 18, /* of an array; smaller ones stay in the cache */
  NEAR_BYTES = 1 << 18,  /* of a copy */
  SHARED_BYTES = 1 << 22 /* likewise, for threads */
};

typedef struct {
  const ddr_reduce_job *job;
  const ddr_reduce_kernel *kernel;
  double a;
  ddr_ndview view;   /* with as few axes as possible */
  int axis;          /* that of adjacent elements */
  int64_t n_inside;  /* elements of one of its indices */
  int64_t n_indices; /* of a copy */
  char *copy;        /* begins with those that are left */
  int64_t n_left;
  ddr_partial_tree tree;
} Turned;

static int64_t bytes_of(const Turned *turned, int64_t n) {
  return n * (int64_t)ddr_element_size(turned->view.type);
}

/* Reduces whole blocks of the copy, to which n elements have been added. */
static void take(Turned *turned, int64_t n) {
  const int64_t n_all = turned->n_left + n;
  int64_t p = 0;
  for (; n_all - p >= BLOCK; p += BLOCK) {
    const char *block = turned->copy + bytes_of(turned, p);
    ddr_partial_push(&turned->tree, turned->kernel->combine,
                     turned->kernel->block(block, block, turned->a, BLOCK));
  }
  turned->n_left = n_all - p;
  memmove(turned->copy, turned->copy + bytes_of(turned, p),
          (size_t)bytes_of(turned, turned->n_left));
}

/* Copies some indices of the axis; `outside` is the offset of the axes before it. */
static void copy_part(Turned *turned, int64_t outside, int64_t first, int64_t n) {
  const ddr_layout *whole = &turned->view.layout;
  ddr_ndview from = turned->view, to = {.type = turned->view.type, .residency = DDR_HOST};
  ddr_layout *layout = &from.layout;
  *layout = (ddr_layout){.rank = whole->rank - turned->axis};
  layout->offset = outside + first * whole->stride[turned->axis];
  for (int k = 0; k < layout->rank; k++) {
    layout->len[k] = k == 0 ? n : whole->len[turned->axis + k];
    layout->stride[k] = whole->stride[turned->axis + k];
  }
  to.data = turned->copy + bytes_of(turned, turned->n_left);
  if (ddr_layout_packed(layout->rank, layout->len, &to.layout) != DDR_ARRAY_OK) return;
  if (ddr_copy_transposed(&from, &to, turned->job->options.n_threads)) return;
  const ddr_range range = ddr_ndview_range(&from);
  ddr_range_gather(&range, ddr_element_size(from.type), 0, n * turned->n_inside, to.data);
}

static void reduce_parts(Turned *turned) {
  ddr_layout outside = turned->view.layout;
  const int64_t len = outside.len[turned->axis];
  outside.rank = turned->axis;
  const int64_t n_outside = ddr_layout_size(&outside);
  for (int64_t k = 0; k < n_outside; k++) {
    const int64_t offset = ddr_layout_at_position(&outside, k);
    for (int64_t first = 0; first < len; first += turned->n_indices) {
      const int64_t rest = len - first, n = rest < turned->n_indices ? rest : turned->n_indices;
      copy_part(turned, offset, first, n);
      take(turned, n * turned->n_inside);
    }
  }
}

/* The axis of adjacent elements, if the last one's are apart; else -1. */
static int turned_axis(const ddr_layout *layout, int64_t size) {
  const int last = layout->rank - 1;
  if (last < 1 || llabs(layout->stride[last]) * size < LINE) return -1;
  for (int k = 0; k < last; k++)
    if (llabs(layout->stride[k]) == 1 && layout->len[k] >= LINE / size) return k;
  return -1;
}

/* Whole cache lines. */
static int64_t n_indices_of(const Turned *turned) {
  const int64_t per_line = LINE / bytes_of(turned, 1), len = turned->view.layout.len[turned->axis];
  const int64_t most = turned->job->options.n_threads > 1 ? SHARED_BYTES : NEAR_BYTES;
  const int64_t n = most / bytes_of(turned, turned->n_inside) / per_line * per_line;
  const int64_t n_least = n < per_line ? per_line : n;
  return n_least < len ? n_least : len;
}

bool ddr_reduce_turned(const ddr_reduce_job *job, const ddr_reduce_kernel *kernel, double a,
                       ddr_partial *root) {
  const ddr_ndview *x = &job->arrays[0];
  const int64_t size = (int64_t)ddr_element_size(x->type);
  Turned turned = {.job = job, .kernel = kernel, .a = a, .view = *x, .n_inside = 1};
  if (job->n_arrays > 1 || kernel->is_order_free || x->type != job->type) return false;
  if (ddr_ndview_size(x) < LEAST_BYTES / size) return false;
  turned.view.layout = ddr_layout_collapse(&x->layout);
  const ddr_layout *layout = &turned.view.layout;
  turned.axis = turned_axis(layout, size);
  if (turned.axis < 0) return false;
  for (int k = turned.axis + 1; k < layout->rank; k++) turned.n_inside *= layout->len[k];
  turned.n_indices = n_indices_of(&turned);
  turned.copy = malloc((size_t)bytes_of(&turned, turned.n_indices * turned.n_inside + BLOCK));
  if (!turned.copy) return false;
  reduce_parts(&turned);
  if (turned.n_left > 0)
    ddr_partial_push(&turned.tree, kernel->combine,
                     kernel->block(turned.copy, turned.copy, a, turned.n_left));
  *root = ddr_partial_root(&turned.tree, kernel->combine);
  free(turned.copy);
  return true;
}
