/* reduce_axis.c: reduces every line along an axis separately.
 *
 * Threads share the lines, or each line if there are fewer lines than threads.
 * Read next: reduce_lines.c (neighbouring lines).
 */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/element/cast.h"
#include "runtime/element/parallel_for.h"
#include "runtime/reduce/job.h"
#include "runtime/reduce/truths.h"
#include "runtime/transform/kernels.h"

enum {
  FEW_LINES = 64,   /* at once, by one thread, if there are few lines */
  PARTS = 16,       /* of a slab */
  GROUPS = 8,       /* least number for each thread */
  NEARBY = 3 << 17, /* bytes that stay in the cache while lines are added together */
  MANY_ROWS = 128,
  VECTOR_BYTES = 64,
  EVEN = 16, /* parts of a row begin at multiples */
  LINES_FOLDED = 2048,
  SHORT_FOLD = 16, /* lines for which a call for each row does not pay */
  SHORT_CAST = 32  /* likewise, if rows are cast */
};

typedef struct {
  const ddr_reduce_job *job;
  int n_arrays; /* including the mask, which is the last */
  ddr_ndview arrays[3];
  ddr_layout rest[3]; /* of each array, without the axis; contiguous rows are merged */
  ddr_layout shape;   /* of the result */
  int axis;
  bool is_copied;
  ddr_rows_function *fold_rows;  /* extremes of rows of neighbouring lines; NULL: there are none */
  ddr_transform_kernel *fold;    /* likewise, of two rows */
  int64_t n_in_row, n_lines;     /* lines along the last remaining axis; lines in all */
  int64_t n_at_once, n_together; /* lines of a slab; lines of each of its parts */
  int64_t n_items, n_in_group;   /* slabs; slabs that a thread takes at once */
  const ddr_ndview *result;
  _Atomic ddr_array_status status; /* the last error */
} Lines;

/* --- lines ------------------------------------------------------------------------------------ */

/* n adjacent lines, the first one at a position of the result; borrows. */
static ddr_ndview slab_of(const Lines *lines, int k, int64_t position, int64_t n) {
  const ddr_layout *rest = &lines->rest[k], *whole = &lines->arrays[k].layout;
  ddr_ndview slab = lines->arrays[k];
  slab.layout = (ddr_layout){.rank = 2, .offset = ddr_layout_at_position(rest, position)};
  slab.layout.len[0] = whole->len[lines->axis];
  slab.layout.stride[0] = whole->stride[lines->axis];
  slab.layout.len[1] = n;
  slab.layout.stride[1] = rest->rank > 0 ? rest->stride[rest->rank - 1] : 0;
  return slab;
}

static const char *first_of(const ddr_ndview *view) {
  return (const char *)view->data + view->layout.offset * (int64_t)ddr_element_size(view->type);
}

static void store(const Lines *lines, int64_t position, ddr_number number) {
  char *const results = lines->result->data;
  ddr_number_store(number, results + (size_t)position * ddr_element_size(number.type));
}

/* Reduces the selected elements of each line. */
static ddr_array_status reduce_selected(const Lines *lines, const ddr_ndview *slabs,
                                        int64_t position, int64_t n) {
  const int second = lines->n_arrays > 2 ? 1 : 0; /* the first again if there is no second */
  ddr_array_status status = DDR_ARRAY_OK;
  for (int64_t i = 0; i < n && status == DDR_ARRAY_OK; i++) {
    ddr_reduce_job job = *lines->job;
    ddr_number number;
    job.arrays[0] = ddr_line_of_slab(&slabs[0], i);
    job.arrays[1] = ddr_line_of_slab(&slabs[second], i);
    const ddr_ndview mask = ddr_line_of_slab(&slabs[second + 1], i);
    job.options.mask = &mask;
    status = ddr_reduce_selected(&job, &number);
    if (status == DDR_ARRAY_OK) store(lines, position + i, number);
  }
  return status;
}

/* Vectors that all machines have. */
typedef double Pair __attribute__((vector_size(2 * sizeof(double))));
typedef int64_t Truths __attribute__((vector_size(2 * sizeof(int64_t))));

static void make_nans_plain(double *sums, int64_t n) {
  Truths are_nans = {0, 0};
  int64_t first = 0;
  for (; first + 2 <= n; first += 2) {
    Pair some;
    memcpy(&some, sums + first, sizeof some);
    are_nans |= some != some;
  }
  if (are_nans[0] || are_nans[1]) first = 0;
  for (; first < n; first++) sums[first] = ddr_plain_nan(sums[first]);
}

/* Computes sums of reals directly, rounded as in reduce_view.c. */
static bool store_sums(const Lines *lines, const ddr_reduce_job *job, int64_t position) {
  double sums[DDR_MOST_LINES];
  const bool is_sum = job->op == DDR_REDUCE_SUM || job->op == DDR_REDUCE_DOT ||
                      job->op == DDR_REDUCE_L1 || job->op == DDR_REDUCE_SQUARED_L2;
  if (!is_sum || ddr_element_kind_of(job->result_type) != DDR_KIND_REAL) return false;
  if (!ddr_reduce_sums_of_lines(job, ddr_reduce_term_of(job->op), sums)) return false;
  make_nans_plain(sums, job->n_lines);
  char *const results = lines->result->data;
  char *const its = results + (size_t)position * ddr_element_size(job->result_type);
  ddr_cast_elements(DDR_ELEMENT_DOUBLE, sums, job->result_type, its, job->n_lines);
  return true;
}

/* Whether all, or any, of adjacent bools of a line are true. */
static bool store_truths(const Lines *lines, const ddr_reduce_job *job, int64_t position) {
  const ddr_ndview *x = &job->arrays[0];
  const bool truth = job->op == DDR_REDUCE_ANY; /* that decides */
  if ((!truth && job->op != DDR_REDUCE_ALL) || x->layout.stride[0] != 1) return false;
  if (job->options.n_threads > 1) return false; /* threads share each line */
  const char *line = first_of(x);
  bool *const its = (bool *)lines->result->data + position;
  for (int64_t i = 0; i < job->n_lines; i++, line += x->layout.stride[1])
    its[i] = ddr_has_truth(line, x->layout.len[0], truth) == truth;
  return true;
}

/* Bools that are counted are bytes of the job, and bytes are cast to bools: all but 0 are true. */
static void cast_row(const ddr_reduce_job *job, const char *row, void *to, int64_t n) {
  ddr_element type = job->arrays[0].type;
  if (job->op == DDR_REDUCE_COUNT) type = DDR_ELEMENT_BOOL;
  else if (type == DDR_ELEMENT_BOOL && job->result_type == type) type = DDR_ELEMENT_UINT8;
  ddr_cast_elements(type, row, job->result_type, to, n);
}

/* Extremes of reals, several rows at a time; the first one twice, which does not matter. */
static void fold_extremes(const Lines *lines, const ddr_reduce_job *job, int64_t position) {
  const ddr_ndview *x = &job->arrays[0];
  const int64_t size = (int64_t)ddr_element_size(x->type);
  char *const its = (char *)lines->result->data + position * size;
  memcpy(its, first_of(x), (size_t)(job->n_lines * size));
  lines->fold_rows(first_of(x), x->layout.stride[0] * size, x->layout.len[0], its, job->n_lines);
}

/* The extremes of lines, their sums or the like, row by row: of their first elements, then of these
 * and the next, ...  Elements are cast to the type of results, which for sums is int64. */
static void fold_pairs(const Lines *lines, const ddr_reduce_job *job, int64_t position) {
  const ddr_ndview *x = &job->arrays[0];
  const ddr_element type = job->result_type;
  const int64_t size = (int64_t)ddr_element_size(x->type), n = job->n_lines;
  char *const its = (char *)lines->result->data + position * (int64_t)ddr_element_size(type);
  const char *row = first_of(x);
  int64_t cast[LINES_FOLDED];
  const void *operands[DDR_MAX_OPERANDS] = {its, cast};
  cast_row(job, row, its, n);
  for (int64_t k = 1; k < x->layout.len[0]; k++) {
    row += x->layout.stride[0] * size;
    if (x->type != type) cast_row(job, row, cast, n);
    else operands[1] = row;
    lines->fold(operands, its, n);
  }
}

static bool are_folded(const Lines *lines) { return lines->fold_rows || lines->fold; }

static ddr_array_status reduce_together(const Lines *lines, const ddr_reduce_job *job,
                                        int64_t position) {
  ddr_number numbers[DDR_MOST_LINES];
  if (are_folded(lines) && job->options.n_threads <= 1) {
    if (lines->fold_rows) fold_extremes(lines, job, position);
    else fold_pairs(lines, job, position);
    return DDR_ARRAY_OK;
  }
  if (store_sums(lines, job, position) || store_truths(lines, job, position)) return DDR_ARRAY_OK;
  const ddr_array_status status = ddr_reduce_all_of(job, numbers);
  for (int64_t i = 0; i < job->n_lines && status == DDR_ARRAY_OK; i++)
    store(lines, position + i, numbers[i]);
  return status;
}

/* Elements of the first array from one line to another; 0 if there is no other. */
static int64_t distance(const Lines *lines, int64_t from, int64_t to) {
  const ddr_layout *rest = &lines->rest[0];
  const int64_t end = to < lines->n_lines ? to : from;
  return ddr_layout_at_position(rest, end) - ddr_layout_at_position(rest, from);
}

static ddr_array_status reduce_slabs(const Lines *lines, const ddr_ndview *slabs, int64_t position,
                                     int64_t n) {
  ddr_array_status status = DDR_ARRAY_OK;
  ddr_reduce_job job = *lines->job;
  job.arrays[0] = slabs[0];
  job.arrays[1] = slabs[lines->n_arrays > 1 ? 1 : 0];
  job.axis = 0;
  for (int64_t first = 0; first < n && status == DDR_ARRAY_OK; first += job.n_lines) {
    job.n_lines = n - first < lines->n_together ? n - first : lines->n_together;
    job.next = distance(lines, position + first, position + first + job.n_lines);
    for (int k = 0; k < 2; k++) job.arrays[k].layout.len[1] = job.n_lines;
    status = reduce_together(lines, &job, position + first);
    for (int k = 0; k < 2; k++)
      job.arrays[k].layout.offset += job.n_lines * job.arrays[k].layout.stride[1];
  }
  return status;
}

/* --- copies of lines -------------------------------------------------------------------------- */

static ddr_array_status reduce_copies(const Lines *lines, const ddr_ndview *slabs, int64_t position,
                                      int64_t n) {
  ddr_ndview copies[3] = {{.data = NULL}, {.data = NULL}, {.data = NULL}};
  ddr_array_status status = DDR_ARRAY_OK;
  for (int k = 0; k < lines->n_arrays && status == DDR_ARRAY_OK; k++) {
    status = ddr_slab_copy(&slabs[k], slabs[k].type, &copies[k]);
  }
  if (status == DDR_ARRAY_OK) status = reduce_selected(lines, copies, position, n);
  for (int k = 0; k < 3; k++) ddr_ndview_release(&copies[k]);
  return status;
}

/* --- all lines -------------------------------------------------------------------------------- */

static int64_t n_parts_of_row(const Lines *lines) {
  return (lines->n_in_row + lines->n_at_once - 1) / lines->n_at_once;
}

static void reduce_some(void *data, int64_t item) {
  Lines *lines = data;
  const int64_t n_parts = n_parts_of_row(lines), most = lines->n_at_once;
  const int64_t row = item / n_parts, first = item % n_parts * most;
  const int64_t rest = lines->n_in_row - first, n = rest < most ? rest : most;
  const int64_t position = row * lines->n_in_row + first;
  ddr_ndview slabs[3] = {slab_of(lines, 0, position, n)};
  for (int k = 1; k < lines->n_arrays; k++) slabs[k] = slab_of(lines, k, position, n);
  ddr_array_status status;
  if (!lines->job->options.mask) status = reduce_slabs(lines, slabs, position, n);
  else if (lines->is_copied) status = reduce_copies(lines, slabs, position, n);
  else status = reduce_selected(lines, slabs, position, n);
  if (status != DDR_ARRAY_OK) lines->status = status;
}

/* Neighbours: what comes next in memory is brought near to the processor that asks for it. */
static void reduce_group(void *data, int64_t group) {
  const Lines *lines = data;
  const int64_t first = group * lines->n_in_group, end = first + lines->n_in_group;
  for (int64_t item = first; item < end && item < lines->n_items; item++) reduce_some(data, item);
}

/* Errors: EDIM, ESHAPE. */
static ddr_array_status add_array(Lines *lines, const ddr_ndview *view) {
  const int k = lines->n_arrays++, axis = lines->axis;
  ddr_layout first = view->layout;
  lines->arrays[k] = *view;
  lines->arrays[k].cleanup = NULL;
  if (!ddr_layout_same_shape(&first, &lines->arrays[0].layout)) return DDR_ARRAY_ESHAPE;
  if (axis < 0 || axis >= first.rank) return DDR_ARRAY_EDIM;
  first.len[axis] = 1; /* lines may have no elements */
  return ddr_layout_fix(&first, axis, 0, &lines->rest[k]);
}

/* Merges rows of lines that are contiguous in every array; then they are in the result, too. */
static void merge_rows(Lines *lines) {
  ddr_layout merged[sizeof lines->rest / sizeof lines->rest[0]];
  for (int k = 0; k < lines->n_arrays; k++) {
    merged[k] = ddr_layout_collapse(&lines->rest[k]);
    if (!ddr_layout_same_shape(&merged[k], &merged[0])) return;
  }
  for (int k = 0; k < lines->n_arrays; k++) lines->rest[k] = merged[k];
}

/* So many lines that a block of all of them stays in the cache, in whole vectors; fewer if there
 * are many long rows, so that their sums stay in the cache. */
static int64_t n_lines_together(const ddr_ndview *array, int axis, int64_t n_in_row) {
  const int64_t size = (int64_t)ddr_element_size(array->type), len = array->layout.len[axis];
  const int64_t n_rows = len < DDR_TREE_BLOCK ? (len > 0 ? len : 1) : DDR_TREE_BLOCK;
  const int64_t n = NEARBY / (n_rows * size) / VECTOR_BYTES * VECTOR_BYTES;
  const bool is_long = n_in_row > DDR_MOST_LINES && len >= MANY_ROWS;
  const int64_t most = is_long ? DDR_MOST_LINES * 3 / 4 : DDR_MOST_LINES;
  const int64_t n_most = n < FEW_LINES ? FEW_LINES : n > most ? most : n;
  const int64_t n_parts = (n_in_row - 1) / n_most + 1; /* of nearly equal size */
  const int64_t n_even = ((n_in_row - 1) / n_parts / EVEN + 1) * EVEN;
  return n_even < n_most && n_in_row > n_most ? n_even : n_most;
}

/* So many lines that all threads get some, in whole vectors. */
static int64_t n_lines_folded(const Lines *lines, int64_t n_needed) {
  if (n_needed == 0 || lines->n_lines / LINES_FOLDED >= n_needed) return LINES_FOLDED;
  const int64_t n = lines->n_lines / n_needed / VECTOR_BYTES * VECTOR_BYTES;
  return n > FEW_LINES ? n : FEW_LINES;
}

/* Chooses slabs of many parts, or of one, as long as there are enough for all threads. */
static void share_lines(Lines *lines, int n_threads) {
  const int64_t n_needed = n_threads > 1 ? 4 * (int64_t)n_threads : 0;
  const int64_t n = are_folded(lines)
                        ? n_lines_folded(lines, n_needed)
                        : n_lines_together(&lines->arrays[0], lines->axis, lines->n_in_row);
  if (lines->n_lines / n < n_needed) return;
  lines->n_together = n;
  lines->n_at_once = lines->n_lines / (PARTS * n) < n_needed ? n : PARTS * n;
}

/* How rows are folded if the order is free: for extremes, sums of ints, and bools. */
static ddr_transform_kernel *fold_by(const ddr_reduce_job *job) {
  const ddr_element_kind kind = ddr_element_kind_of(job->type);
  ddr_transform op = DDR_TRANSFORM_ADD;
  switch (job->op) {
  case DDR_REDUCE_MIN_ELEMENT: op = DDR_TRANSFORM_CWISE_MIN; break;
  case DDR_REDUCE_MAX_ELEMENT: op = DDR_TRANSFORM_CWISE_MAX; break;
  case DDR_REDUCE_ALL: op = DDR_TRANSFORM_AND; break;
  case DDR_REDUCE_ANY: op = DDR_TRANSFORM_OR; break;
  case DDR_REDUCE_COUNT: break;
  case DDR_REDUCE_SUM:
    if (kind == DDR_KIND_INT || kind == DDR_KIND_UINT) break;
    return NULL;
  default: return NULL; /* others are of reals, or need more than one number for each line */
  }
  return kind == DDR_KIND_COMPLEX ? NULL : ddr_transform_kernels_of(op, job->result_type).plain;
}

/* Only neighbouring lines that are adjacent, many, and have elements, are folded. */
static bool can_fold(const Lines *lines, const ddr_reduce_job *job) {
  const ddr_layout *rest = &lines->rest[0];
  const int64_t least = job->arrays[0].type == job->result_type ? SHORT_FOLD : SHORT_CAST;
  return !job->options.mask && lines->arrays[0].layout.len[lines->axis] > 0 && rest->rank > 0 &&
         rest->stride[rest->rank - 1] == 1 && lines->n_in_row >= least;
}

static ddr_array_status find_lines(Lines *lines, const ddr_reduce_job *job) {
  ddr_array_status status = DDR_ARRAY_OK;
  for (int k = 0; k < job->n_arrays && status == DDR_ARRAY_OK; k++) {
    status = add_array(lines, &job->arrays[k]);
  }
  if (status == DDR_ARRAY_OK && job->options.mask) status = add_array(lines, job->options.mask);
  if (status != DDR_ARRAY_OK) return status;
  const ddr_layout *rest = &lines->rest[0];
  lines->n_lines = ddr_layout_size(rest);
  lines->shape = *rest;
  merge_rows(lines);
  lines->n_in_row = rest->rank > 0 ? rest->len[rest->rank - 1] : 1;
  lines->n_at_once = lines->n_together = FEW_LINES;
  if (lines->n_lines == 0) return DDR_ARRAY_OK;
  const ddr_ndview slab = slab_of(lines, 0, 0, FEW_LINES);
  lines->is_copied = ddr_slab_is_worth_copying(&slab);
  if (can_fold(lines, job)) {
    lines->fold_rows = ddr_kernel_of(ddr_reduce_term_of(job->op), job->type, false).rows;
    lines->fold = fold_by(job);
  }
  if (!job->options.mask) share_lines(lines, job->options.n_threads);
  return DDR_ARRAY_OK;
}

/* --- sums of complex numbers ------------------------------------------------------------------ */

/* Whether lines of complex numbers are adjacent: then those of their parts are, too. */
static bool are_sums_of_parts(const ddr_reduce_job *job, int axis) {
  const ddr_layout *layout = &job->arrays[0].layout;
  const int last = axis == layout->rank - 1 ? layout->rank - 2 : layout->rank - 1;
  if (job->op != DDR_REDUCE_SUM || ddr_element_kind_of(job->type) != DDR_KIND_COMPLEX) return false;
  if (job->options.mask || job->options.is_compensated || job->side != DDR_SIDE_HOST) return false;
  return axis >= 0 && axis < layout->rank && layout->rank < DDR_MAX_RANK && last >= 0 &&
         layout->stride[last] == 1;
}

/* Real and imaginary parts along a last axis; borrows. */
static ddr_ndview parts_of(const ddr_ndview *numbers) {
  ddr_ndview parts = *numbers;
  ddr_layout *layout = &parts.layout;
  parts.type = numbers->type == DDR_ELEMENT_CFLOAT ? DDR_ELEMENT_FLOAT : DDR_ELEMENT_DOUBLE;
  layout->offset *= 2;
  for (int k = 0; k < layout->rank; k++)
    layout->stride[k] = layout->len[k] > 1 ? 2 * layout->stride[k] : 0;
  layout->len[layout->rank] = 2;
  layout->stride[layout->rank++] = 1;
  return parts;
}

static ddr_array_status sum_parts(const ddr_reduce_job *job, int axis,
                                  const ddr_reduce_options *options, ddr_ndview *result) {
  const ddr_ndview parts = parts_of(&job->arrays[0]), *const arrays[] = {&parts};
  DDR_TRY(ddr_reduce_axis(DDR_REDUCE_SUM, arrays, axis, options, result));
  result->type = job->result_type;
  result->layout.rank--;
  for (int k = 0; k < result->layout.rank; k++) result->layout.stride[k] /= 2;
  return DDR_ARRAY_OK;
}

/* --- the reduction ---------------------------------------------------------------------------- */

/* Whether lines are better taken in another order.  Errors are found where lines are. */
static bool is_out_of_order(const ddr_reduce_job *job, int axis, int *order) {
  const ddr_layout *layout = &job->arrays[0].layout;
  if (job->side != DDR_SIDE_HOST || axis < 0 || axis >= layout->rank) return false;
  if (job->n_arrays > 1 && !ddr_layout_same_shape(&job->arrays[1].layout, layout)) return false;
  return ddr_reduce_order_axes(layout, axis, order);
}

static ddr_array_status reduce_here(Lines *lines, ddr_reduce_job *job) {
  const int n_threads = job->options.n_threads;
  const int64_t n_items =
      lines->n_lines > 0 ? lines->n_lines / lines->n_in_row * n_parts_of_row(lines) : 0;
  const bool shares_lines = n_items >= n_threads;
  const int64_t n_groups = GROUPS * (int64_t)n_threads;
  if (shares_lines) job->options.n_threads = 1;
  lines->n_items = n_items;
  const int64_t n_in_group = n_threads > 1 ? n_items / n_groups : 1;
  lines->n_in_group = n_in_group > 1 ? n_in_group : 1;
  ddr_parallel_for(shares_lines ? n_threads : 1,
                   (n_items + lines->n_in_group - 1) / lines->n_in_group, reduce_group, lines);
  return lines->status;
}

ddr_array_status ddr_reduce_axis(ddr_reduce_op op, const ddr_ndview *const *arrays, int axis,
                                 const ddr_reduce_options *options, ddr_ndview *result) {
  ddr_reduce_job job;
  ddr_ndview reduced;
  int order[DDR_MAX_RANK];
  DDR_NEED(result);
  ddr_array_status status = ddr_reduce_check(op, arrays, options, &job);
  if (status != DDR_ARRAY_OK) return status;
  if (is_out_of_order(&job, axis, order)) return ddr_reduce_in_order(&job, arrays, order, result);
  if (are_sums_of_parts(&job, axis)) return sum_parts(&job, axis, options, result);
  Lines lines = {.job = &job, .axis = axis, .result = &reduced, .status = DDR_ARRAY_OK};
  status = find_lines(&lines, &job);
  if (status != DDR_ARRAY_OK) return status;
  const ddr_layout *shape = &lines.shape;
  const ddr_arrays all = ddr_reduce_arrays(&job);
  status =
      ddr_ndview_new(job.result_type, shape->rank, shape->len, ddr_side_residency(&all), &reduced);
  if (status != DDR_ARRAY_OK) return status;
  if (job.side == DDR_SIDE_DEVICE) {
    job.axis = axis;
    status = ddr_reduce_axis_there(&job, &reduced);
  } else {
    status = reduce_here(&lines, &job);
  }
  if (status != DDR_ARRAY_OK) {
    ddr_ndview_release(&reduced);
    return status;
  }
  *result = reduced;
  return DDR_ARRAY_OK;
}
