/* reduce.c: an array, or two, reduced to one number or along an axis. */
#include "runtime/reduce/reduce.h"

#include <errno.h>
#include <string.h>

#include "tools/ddr-array/arguments.h"
#include "tools/ddr-array/request.h"

void print_reduce_names(FILE *out) {
  fputs("\nNames:\n", out);
  for (int k = 0; k < DDR_N_REDUCTIONS; k++) {
    const ddr_reduce_info info = ddr_reduce_about((ddr_reduce_op)k);
    fprintf(out, "  %-12s %s%s\n", info.name, info.meaning,
            info.n_arrays == 2 ? "; x and y are the two arrays" : "");
  }
}

static ddr_status find_op(const Request *request, ddr_reduce_op *op, ddr_reason *reason) {
  const char *name = request->n_bare > 0 ? request->bare[0] : "";
  if (ddr_reduce_find(name, op)) return DDR_OK;
  return ddr_refuse(reason, "expected the name of a reduction, found \"%.100s\"; --help lists them",
                    name);
}

/* Files have no bools: elements other than 0 are true. */
static ddr_array_status cast_to_truths(Array *array, ddr_reduce_op op, int n_threads) {
  const bool wants_truths = op == DDR_REDUCE_ALL || op == DDR_REDUCE_ANY || op == DDR_REDUCE_COUNT;
  return wants_truths ? array_cast(array, DDR_ELEMENT_BOOL, n_threads) : DDR_ARRAY_OK;
}

static ddr_status take_tolerance(const Request *request, double *tolerance, ddr_reason *reason) {
  const char *text = request->plain[OPT_TOLERANCE];
  double values[MOST_WEIGHTS];
  int n = 1;
  if (!text) return DDR_OK;
  if (read_reals(OPT_TOLERANCE, text, values, &n, reason) != DDR_OK) return DDR_ERROR;
  *tolerance = values[0];
  return n == 1 ? DDR_OK : ddr_refuse(reason, "--tolerance expects one number, found \"%s\"", text);
}

/* The mask, converted to bools, and the other options. */
static ddr_status take_options(Request *request, ddr_reduce_options *options, ddr_reason *reason) {
  Array *mask = request_array(request, OPT_MASK, 0);
  *options = (ddr_reduce_options){.n_threads = request->n_threads,
                                  .is_compensated = request->plain[OPT_COMPENSATED] != NULL};
  if (mask) {
    const ddr_array_status status = array_cast(mask, DDR_ELEMENT_BOOL, request->n_threads);
    if (status != DDR_ARRAY_OK) return array_refuse(mask, "as a mask", status, reason);
    options->mask = &mask->view;
  }
  return take_tolerance(request, &options->tolerance, reason);
}

/* The result is one number: a line on standard output, or a file. */
static ddr_status reduce_all(Request *request, ddr_reduce_op op, const ddr_ndview *const *arrays,
                             const ddr_reduce_options *options, ddr_reason *reason) {
  const char *file = request->plain[OPT_OUTPUT];
  Array *first = request_array(request, OPT_INPUT, 0);
  ddr_number number;
  ddr_ndview result;
  ddr_array_status status = ddr_reduce(op, arrays, options, &number);
  if (status == DDR_ARRAY_OK && file)
    status = ddr_ndview_new(number.type, 0, NULL, DDR_HOST, &result);
  if (status != DDR_ARRAY_OK) return array_refuse(first, request->bare[0], status, reason);
  if (!file) {
    print_number(number, stdout);
    return fflush(stdout) == EOF ? ddr_refuse(reason, "%s", strerror(errno)) : DDR_OK;
  }
  ddr_number_store(number, result.data);
  array_replace(first, &result);
  return array_save(first, file, reason);
}

/* The axes of --axis, ascending: the order of the elements of a line. */
static ddr_status read_axes(const Request *request, int *axes, int *n, ddr_reason *reason) {
  *n = 0;
  for (int k = 0; k < request->words.n; k++) {
    const Word *word = &request->words.words[k];
    int64_t axis;
    int n_read, place = *n;
    if (word->id != OPT_AXIS) continue;
    if (read_ints(OPT_AXIS, word->argument, ',', 1, &axis, &n_read, reason) != DDR_OK)
      return DDR_ERROR;
    if (*n == DDR_MAX_RANK) return ddr_refuse(reason, "--axis is given more than 16 times");
    for (; place > 0 && axes[place - 1] > axis; place--) axes[place] = axes[place - 1];
    if (place > 0 && axes[place - 1] == axis)
      return ddr_refuse(reason, "--axis %lld is given twice", (long long)axis);
    axes[place] = axis < 0 || axis > DDR_MAX_RANK ? DDR_MAX_RANK : (int)axis;
    ++*n;
  }
  return DDR_OK;
}

static ddr_status reduce_lines(Request *request, ddr_reduce_op op, const ddr_ndview *const *arrays,
                               const ddr_reduce_options *options, ddr_reason *reason) {
  const char *file;
  Array *first = request_array(request, OPT_INPUT, 0);
  int axes[DDR_MAX_RANK], n;
  ddr_ndview result;
  if (read_axes(request, axes, &n, reason) != DDR_OK ||
      request_output(request, &file, reason) != DDR_OK)
    return DDR_ERROR;
  const ddr_array_status status = ddr_reduce_axes(op, arrays, n, axes, options, &result);
  if (status != DDR_ARRAY_OK) return array_refuse(first, request->bare[0], status, reason);
  while (n-- > 0)
    array_drop_axis(first, axes[n], 0.5 * (double)(first->view.layout.len[axes[n]] - 1));
  array_replace(first, &result);
  return array_save(first, file, reason);
}

ddr_status command_reduce(Request *request, ddr_reason *reason) {
  ddr_reduce_op op;
  ddr_reduce_options options;
  const ddr_ndview *arrays[2] = {NULL, NULL};
  if (find_op(request, &op, reason) != DDR_OK) return DDR_ERROR;
  const int n_arrays = ddr_reduce_about(op).n_arrays;
  if (request_expect(request, 1, n_arrays, reason) != DDR_OK ||
      request_load(request, reason) != DDR_OK || take_options(request, &options, reason) != DDR_OK)
    return DDR_ERROR;
  for (int k = 0; k < n_arrays; k++) {
    Array *array = request_array(request, OPT_INPUT, k);
    const ddr_array_status status = cast_to_truths(array, op, request->n_threads);
    if (status != DDR_ARRAY_OK) return array_refuse(array, request->bare[0], status, reason);
    arrays[k] = &array->view;
  }
  if (request->plain[OPT_AXIS]) return reduce_lines(request, op, arrays, &options, reason);
  return reduce_all(request, op, arrays, &options, reason);
}
