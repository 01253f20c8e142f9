/* reduce_turned.c: one pass over an array whose adjacent elements are not neighbours in canonical
 * order.
 *
 * Taken one by one, each element would come from another cache line, which would be gone when its
 * next element is needed.  So sums of reals are made of many blocks beside each other, in the order
 * of memory (reduce_columns.c).  Other arrays, and those of few rows, are copied in canonical
 * order, some cache lines wide at a time, and the copies are reduced block by block.  What is left
 * of one part begins the next.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/element/source.h"
#include "runtime/reduce/job.h"
#include "runtime/transform/transpose.h"

enum {
  BLOCK = DDR_TREE_BLOCK,
  LINE = 64,              /* bytes */
  LEAST_BYTES = 1 << 18,  /* of an array; smaller ones stay in the cache */
  NEAR_BYTES = 1 << 18,   /* of a copy */
  SHARED_BYTES = 1 << 22, /* likewise, for threads */
  LEAST_ROWS = BLOCK      /* of columns: those of fewer would be read again and again */
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
  double *blocks;    /* sums of blocks beside each other; NULL: parts are copied */
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

/* Some indices of the axis; `outside` is the offset of the axes before it.  Borrows. */
static ddr_ndview part_of(const Turned *turned, int64_t outside, int64_t first, int64_t n) {
  const ddr_layout *whole = &turned->view.layout;
  ddr_ndview part = turned->view;
  ddr_layout *layout = &part.layout;
  *layout = (ddr_layout){.rank = whole->rank - turned->axis};
  layout->offset = outside + first * whole->stride[turned->axis];
  for (int k = 0; k < layout->rank; k++) {
    layout->len[k] = k == 0 ? n : whole->len[turned->axis + k];
    layout->stride[k] = whole->stride[turned->axis + k];
  }
  return part;
}

/* Takes n elements of a part from position p on, element by element. */
static void take_some(Turned *turned, const ddr_ndview *part, int64_t p, int64_t n) {
  const ddr_range range = ddr_ndview_range(part);
  char *const to = turned->copy + bytes_of(turned, turned->n_left);
  ddr_range_gather(&range, ddr_element_size(part->type), p, n, to);
  take(turned, n);
}

static void take_copy(Turned *turned, const ddr_ndview *part) {
  ddr_ndview to = {.type = part->type, .residency = DDR_HOST};
  const int64_t n = ddr_ndview_size(part);
  to.data = turned->copy + bytes_of(turned, turned->n_left);
  if (ddr_layout_packed(part->layout.rank, part->layout.len, &to.layout) == DDR_ARRAY_OK &&
      ddr_copy_transposed(part, &to, turned->job->options.n_threads))
    take(turned, n);
  else take_some(turned, part, 0, n);
}

/* Takes whole blocks beside each other, and what is before and after them. */
static void take_columns(Turned *turned, const ddr_ndview *part) {
  const ddr_layout *layout = &part->layout;
  const int64_t n = ddr_ndview_size(part), n_before = (BLOCK - turned->n_left) % BLOCK;
  ddr_columns columns = {.type = part->type,
                         .rows = {.rank = layout->rank - 1},
                         .n_columns = layout->len[0],
                         .n_rows = turned->n_inside,
                         .stride = layout->stride[0],
                         .add = turned->kernel->lanes,
                         .a = turned->a,
                         .n_before = n_before,
                         .n_blocks = (n - n_before) / BLOCK,
                         .blocks = turned->blocks};
  columns.data = (const char *)part->data + bytes_of(turned, layout->offset);
  for (int k = 0; k < columns.rows.rank; k++) {
    columns.rows.len[k] = layout->len[k + 1];
    columns.rows.stride[k] = layout->stride[k + 1];
  }
  take_some(turned, part, 0, n_before);
  ddr_reduce_columns(&columns, turned->job->options.n_threads);
  for (int64_t k = 0; k < columns.n_blocks; k++)
    ddr_partial_push(&turned->tree, turned->kernel->combine, ddr_partial_of(turned->blocks[k], 0));
  const int64_t n_taken = n_before + columns.n_blocks * BLOCK;
  take_some(turned, part, n_taken, n - n_taken);
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
      const ddr_ndview part = part_of(turned, offset, first, n);
      if (turned->blocks) take_columns(turned, &part);
      else take_copy(turned, &part);
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

/* Memory for the sums of blocks, or else for copies; false: there is none. */
static bool get_memory(Turned *turned) {
  const int64_t len = turned->view.layout.len[turned->axis];
  if (turned->kernel->lanes && turned->n_inside >= LEAST_ROWS) {
    const int64_t n_blocks = len * turned->n_inside / BLOCK;
    turned->n_indices = len;
    turned->blocks = malloc((size_t)n_blocks * sizeof *turned->blocks +
                            (size_t)bytes_of(turned, (int64_t)2 * BLOCK));
    turned->copy = (char *)(turned->blocks + n_blocks);
    return turned->blocks != NULL;
  }
  turned->n_indices = n_indices_of(turned);
  turned->copy = malloc((size_t)bytes_of(turned, turned->n_indices * turned->n_inside + BLOCK));
  return turned->copy != NULL;
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
  if (!get_memory(&turned)) return false;
  reduce_parts(&turned);
  if (turned.n_left > 0)
    ddr_partial_push(&turned.tree, kernel->combine,
                     kernel->block(turned.copy, turned.copy, a, turned.n_left));
  *root = ddr_partial_root(&turned.tree, kernel->combine);
  free(turned.blocks ? (void *)turned.blocks : turned.copy);
  return true;
}
