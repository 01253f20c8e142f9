/* reduce_axis.c: every line along an axis reduced for itself.
 *
 * Threads share the lines, or each line where there are fewer of them than threads.  Neighbouring
 * lines across memory are first copied side by side: their elements are neighbours, too.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "runtime/element/parallel_for.h"
#include "runtime/reduce/job.h"

enum {
  LINES = 64,           /* at once, by one thread */
  MOST_COPIED = 1 << 22 /* bytes of an array */
};

typedef struct {
  const ddr_reduce_job *job;
  int n_arrays; /* with the mask, which is the last */
  ddr_ndview arrays[3];
  ddr_layout rest[3]; /* of each, without the axis */
  int axis;
  bool is_copied;
  int64_t n_in_row, n_lines; /* of the last axis that is left, of all */
  const ddr_ndview *result;
  _Atomic ddr_array_status status; /* the last error */
} Lines;

/* --- one line --------------------------------------------------------------------------------- */

/* n lines beside each other, the first at a position of the result; borrows. */
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

static ddr_ndview line_of(const ddr_ndview *slab, int64_t number) {
  ddr_ndview line = *slab;
  line.layout.rank = 1;
  line.layout.offset += number * slab->layout.stride[1];
  return line;
}

static ddr_array_status reduce_lines(const Lines *lines, const ddr_ndview *slabs, int64_t position,
                                     int64_t n) {
  const bool has_mask = lines->job->options.mask != NULL;
  const int second = lines->n_arrays - has_mask > 1 ? 1 : 0; /* the first again if there is one */
  ddr_array_status status = DDR_ARRAY_OK;
  for (int64_t i = 0; i < n && status == DDR_ARRAY_OK; i++) {
    ddr_reduce_job job = *lines->job;
    ddr_number number;
    job.arrays[0] = line_of(&slabs[0], i);
    job.arrays[1] = line_of(&slabs[second], i);
    const ddr_ndview mask = line_of(&slabs[has_mask ? second + 1 : 0], i);
    if (has_mask) job.options.mask = &mask;
    status = has_mask ? ddr_reduce_selected(&job, &number) : ddr_reduce_all_of(&job, &number);
    if (status != DDR_ARRAY_OK) break;
    char *const results = lines->result->data;
    ddr_number_store(number, results + (size_t)(position + i) * ddr_element_size(number.type));
  }
  return status;
}

/* --- lines side by side ----------------------------------------------------------------------- */

/* Each line packed, one behind the other. */
static ddr_array_status copy_slab(const ddr_ndview *slab, ddr_ndview *copy) {
  const int64_t len = slab->layout.len[0], n = slab->layout.len[1], both[] = {n, len};
  const size_t size = ddr_element_size(slab->type);
  const ddr_array_status status = ddr_ndview_new(slab->type, 2, both, DDR_HOST, copy);
  if (status != DDR_ARRAY_OK) return status;
  copy->layout = (ddr_layout){.rank = 2, .len = {len, n}, .stride = {1, len}};
  const ddr_range from = ddr_ndview_range(slab), to = ddr_ndview_range(copy);
  const ddr_source source = ddr_source_of(from, slab->type, slab->type);
  ddr_block_buffer buffer;
  for (int64_t p = 0; p < from.n; p += DDR_SOURCE_BLOCK) {
    const int64_t rest = from.n - p, n_here = rest < DDR_SOURCE_BLOCK ? rest : DDR_SOURCE_BLOCK;
    const void *elements = ddr_source_block(&source, p, n_here, &buffer);
    ddr_range_scatter(&to, size, p, n_here, elements);
  }
  return DDR_ARRAY_OK;
}

static ddr_array_status reduce_copies(const Lines *lines, const ddr_ndview *slabs, int64_t position,
                                      int64_t n) {
  ddr_ndview copies[3] = {{.data = NULL}, {.data = NULL}, {.data = NULL}};
  ddr_array_status status = DDR_ARRAY_OK;
  for (int k = 0; k < lines->n_arrays && status == DDR_ARRAY_OK; k++) {
    status = copy_slab(&slabs[k], &copies[k]);
  }
  if (status == DDR_ARRAY_OK) status = reduce_lines(lines, copies, position, n);
  for (int k = 0; k < 3; k++) ddr_ndview_release(&copies[k]);
  return status;
}

/* Where a line's elements are apart in memory, but not those of neighbouring lines. */
static bool is_worth_copying(const Lines *lines) {
  const ddr_ndview slab = slab_of(lines, 0, 0, LINES);
  const int64_t size = (int64_t)ddr_element_size(slab.type), cache_line = 64;
  const int64_t along = llabs(slab.layout.stride[0]) * size;
  const int64_t across = llabs(slab.layout.stride[1]) * size;
  return along >= cache_line && across < cache_line &&
         slab.layout.len[0] <= MOST_COPIED / LINES / size;
}

/* --- all lines -------------------------------------------------------------------------------- */

static int64_t n_parts_of_row(const Lines *lines) { return (lines->n_in_row + LINES - 1) / LINES; }

static void reduce_some(void *data, int64_t item) {
  Lines *lines = data;
  const int64_t row = item / n_parts_of_row(lines), first = item % n_parts_of_row(lines) * LINES;
  const int64_t rest = lines->n_in_row - first, n = rest < LINES ? rest : LINES;
  const int64_t position = row * lines->n_in_row + first;
  ddr_ndview slabs[3] = {slab_of(lines, 0, position, n)};
  for (int k = 1; k < lines->n_arrays; k++) slabs[k] = slab_of(lines, k, position, n);
  const ddr_array_status status = lines->is_copied ? reduce_copies(lines, slabs, position, n)
                                                   : reduce_lines(lines, slabs, position, n);
  if (status != DDR_ARRAY_OK) lines->status = status;
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

static ddr_array_status find_lines(Lines *lines, const ddr_reduce_job *job) {
  ddr_array_status status = DDR_ARRAY_OK;
  for (int k = 0; k < job->n_arrays && status == DDR_ARRAY_OK; k++) {
    status = add_array(lines, &job->arrays[k]);
  }
  if (status == DDR_ARRAY_OK && job->options.mask) status = add_array(lines, job->options.mask);
  if (status != DDR_ARRAY_OK) return status;
  const ddr_layout *rest = &lines->rest[0];
  lines->n_lines = ddr_layout_size(rest);
  lines->n_in_row = rest->rank > 0 ? rest->len[rest->rank - 1] : 1;
  lines->is_copied = lines->n_lines > 0 && is_worth_copying(lines);
  return DDR_ARRAY_OK;
}

static ddr_array_status reduce_here(Lines *lines, ddr_reduce_job *job) {
  const int n_threads = job->options.n_threads;
  const int64_t n_items =
      lines->n_lines > 0 ? lines->n_lines / lines->n_in_row * n_parts_of_row(lines) : 0;
  const bool shares_lines = n_items >= n_threads;
  if (shares_lines) job->options.n_threads = 1;
  ddr_parallel_for(shares_lines ? n_threads : 1, n_items, reduce_some, lines);
  return lines->status;
}

ddr_array_status ddr_reduce_axis(ddr_reduce_op op, const ddr_ndview *const *arrays, int axis,
                                 const ddr_reduce_options *options, ddr_ndview *result) {
  ddr_reduce_job job;
  ddr_ndview reduced;
  DDR_NEED(result);
  ddr_array_status status = ddr_reduce_check(op, arrays, options, &job);
  if (status != DDR_ARRAY_OK) return status;
  Lines lines = {.job = &job, .axis = axis, .result = &reduced, .status = DDR_ARRAY_OK};
  status = find_lines(&lines, &job);
  if (status != DDR_ARRAY_OK) return status;
  const ddr_layout *rest = &lines.rest[0];
  const ddr_arrays all = ddr_reduce_arrays(&job);
  status =
      ddr_ndview_new(job.result_type, rest->rank, rest->len, ddr_side_residency(&all), &reduced);
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
