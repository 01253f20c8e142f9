/* reduce_masked.c: reductions of the elements that a mask selects.
 *
 * The selected elements are packed in order, and the tree is that of the packed array.  The number
 * of elements selected in earlier runs gives the offset for each run, so threads can share the
 * work.
 */
#include <stdlib.h>

#include "runtime/element/parallel_for.h"
#include "runtime/element/truth.h"
#include "runtime/reduce/job.h"

enum { BLOCK = DDR_SOURCE_BLOCK, RUN = DDR_SOURCE_RUN };

typedef struct {
  ddr_source mask, from;
  int64_t n;
  int64_t *first; /* for each run the number selected in it, later in all runs before it */
  char *to;
} Selection;

static int64_t run_end(const Selection *selection, int64_t run) {
  const int64_t end = (run + 1) * RUN;
  return end < selection->n ? end : selection->n;
}

static void count_run(void *data, int64_t run) {
  const Selection *selection = data;
  const int64_t end = run_end(selection, run);
  ddr_block_buffer buffer;
  int64_t n_selected = 0;
  for (int64_t p = run * RUN; p < end; p += BLOCK) {
    const int64_t n = end - p < BLOCK ? end - p : BLOCK;
    const bool *mask = ddr_source_block(&selection->mask, p, n, &buffer);
    for (int64_t k = 0; k < n; k++) n_selected += DDR_VALUE(mask[k]);
  }
  selection->first[run] = n_selected;
}

static void copy_run(void *data, int64_t run) {
  const Selection *selection = data;
  const size_t size = ddr_element_size(selection->from.wanted);
  const int64_t end = run_end(selection, run);
  ddr_block_buffer mask_buffer, buffer;
  char *to = selection->to + (size_t)selection->first[run] * size;
  for (int64_t p = run * RUN; p < end; p += BLOCK) {
    const int64_t n = end - p < BLOCK ? end - p : BLOCK;
    const bool *mask = ddr_source_block(&selection->mask, p, n, &mask_buffer);
    const void *from = ddr_source_block(&selection->from, p, n, &buffer);
    to += (size_t)ddr_select(size, from, mask, n, to) * size;
  }
}

/* Replaces counts by offsets; returns the number of selected elements. */
static int64_t find_places(Selection *selection, int n_threads) {
  const int64_t n_runs = (selection->n + RUN - 1) / RUN;
  int64_t n_selected = 0;
  ddr_parallel_for(n_threads, n_runs, count_run, selection);
  for (int64_t run = 0; run < n_runs; run++) {
    const int64_t n_here = selection->first[run];
    selection->first[run] = n_selected;
    n_selected += n_here;
  }
  return n_selected;
}

/* A new array of the selected elements of one array. */
static ddr_array_status select_from(Selection *selection, const ddr_reduce_job *job, int number,
                                    int64_t n_selected, ddr_ndview *selected) {
  const ddr_ndview *view = &job->arrays[number];
  const ddr_array_status status = ddr_ndview_new(job->type, 1, &n_selected, DDR_HOST, selected);
  if (status != DDR_ARRAY_OK) return status;
  selection->from = ddr_source_of(view, job->type);
  selection->to = selected->data;
  ddr_parallel_for(job->options.n_threads, (selection->n + RUN - 1) / RUN, copy_run, selection);
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_reduce_selected(const ddr_reduce_job *job, ddr_number *result) {
  if (job->side == DDR_SIDE_DEVICE) return ddr_reduce_selected_there(job, result);
  const ddr_ndview *mask = job->options.mask;
  ddr_reduce_job inner = *job;
  ddr_ndview selected[2] = {{.data = NULL}, {.data = NULL}};
  Selection selection = {.n = ddr_ndview_size(mask)};
  selection.mask = ddr_source_of(mask, mask->type);
  selection.first = malloc((size_t)(selection.n / RUN + 1) * sizeof *selection.first);
  if (!selection.first) return DDR_ARRAY_ENOMEM;
  const int64_t n_selected = find_places(&selection, job->options.n_threads);
  ddr_array_status status = DDR_ARRAY_OK;
  for (int k = 0; k < job->n_arrays && status == DDR_ARRAY_OK; k++) {
    status = select_from(&selection, job, k, n_selected, &selected[k]);
  }
  for (int k = 0; k < 2; k++) inner.arrays[k] = selected[job->n_arrays < 2 ? 0 : k];
  if (status == DDR_ARRAY_OK) status = ddr_reduce_all_of(&inner, result);
  for (int k = 0; k < 2; k++) ddr_ndview_release(&selected[k]);
  free(selection.first);
  return status;
}
