/* reduce_axis.c: every line along an axis reduced for itself.
 *
 * Threads share the lines, or each line where there are fewer of them than threads.
 */
#include <stdatomic.h>

#include "runtime/reduce/job.h"
#include "runtime/transform/share.h"

enum { LINES = 64 }; /* at once, by one thread */

typedef struct {
  const ddr_reduce_job *job;
  int axis;
  ddr_layout rest[3]; /* without the axis: of the arrays, of the mask */
  const ddr_ndview *result;
  int64_t n_lines;
  _Atomic ddr_array_status status; /* the first error */
} Lines;

/* The line that belongs to a position of the result; borrows. */
static ddr_ndview line_of(const ddr_ndview *view, const ddr_layout *rest, int axis,
                          int64_t position) {
  ddr_ndview line = *view;
  line.cleanup = NULL;
  line.layout = (ddr_layout){.rank = 1, .offset = ddr_layout_at_position(rest, position)};
  line.layout.len[0] = view->layout.len[axis];
  line.layout.stride[0] = view->layout.stride[axis];
  return line;
}

static ddr_array_status reduce_line(const Lines *lines, int64_t position) {
  ddr_reduce_job job = *lines->job;
  ddr_ndview mask;
  ddr_number number;
  for (int k = 0; k < 2; k++) {
    job.arrays[k] = line_of(&job.arrays[k], &lines->rest[k], lines->axis, position);
  }
  if (job.options.mask) {
    mask = line_of(job.options.mask, &lines->rest[2], lines->axis, position);
    job.options.mask = &mask;
  }
  const ddr_array_status status =
      job.options.mask ? ddr_reduce_selected(&job, &number) : ddr_reduce_all_of(&job, &number);
  if (status != DDR_ARRAY_OK) return status;
  char *const results = lines->result->data;
  ddr_number_store(number, results + (size_t)position * ddr_element_size(number.type));
  return DDR_ARRAY_OK;
}

static void reduce_some(void *data, int64_t item) {
  Lines *lines = data;
  const int64_t begin = item * LINES, rest = lines->n_lines - begin;
  for (int64_t k = begin; k < begin + (rest < LINES ? rest : LINES); k++) {
    const ddr_array_status status = reduce_line(lines, k);
    if (status != DDR_ARRAY_OK) lines->status = status;
  }
}

static ddr_array_status find_rests(Lines *lines, const ddr_reduce_job *job, int axis) {
  const ddr_ndview *views[3] = {&job->arrays[0], &job->arrays[1], job->options.mask};
  for (int k = 0; k < 3; k++) {
    if (!views[k]) continue;
    if (!ddr_layout_same_shape(&views[k]->layout, &job->arrays[0].layout)) return DDR_ARRAY_ESHAPE;
    const int64_t len = axis < 0 || axis >= views[k]->layout.rank ? 0 : views[k]->layout.len[axis];
    ddr_layout first = views[k]->layout;
    if (len == 0 && axis >= 0 && axis < first.rank) first.len[axis] = 1; /* lines of no elements */
    const ddr_array_status status = ddr_layout_fix(&first, axis, 0, &lines->rest[k]);
    if (status != DDR_ARRAY_OK) return status;
  }
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_reduce_axis(ddr_reduce_op op, const ddr_ndview *const *arrays, int axis,
                                 const ddr_reduce_options *options, ddr_ndview *result) {
  ddr_reduce_job job;
  ddr_ndview reduced;
  ddr_array_status status = ddr_reduce_check(op, arrays, options, &job);
  if (status != DDR_ARRAY_OK) return status;
  Lines lines = {.job = &job, .axis = axis, .result = &reduced, .status = DDR_ARRAY_OK};
  status = find_rests(&lines, &job, axis);
  if (status != DDR_ARRAY_OK) return status;
  status =
      ddr_ndview_new(job.result_type, lines.rest[0].rank, lines.rest[0].len, DDR_HOST, &reduced);
  if (status != DDR_ARRAY_OK) return status;
  const int n_threads = job.options.n_threads;
  lines.n_lines = ddr_layout_size(&lines.rest[0]);
  const int64_t n_items = (lines.n_lines + LINES - 1) / LINES;
  const bool shares_lines = n_items >= n_threads;
  if (shares_lines) job.options.n_threads = 1;
  ddr_share(shares_lines ? n_threads : 1, n_items, reduce_some, &lines);
  status = lines.status;
  if (status != DDR_ARRAY_OK) {
    ddr_ndview_release(&reduced);
    return status;
  }
  *result = reduced;
  return DDR_ARRAY_OK;
}
