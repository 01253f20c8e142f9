/* Fuzz target: any bytes as calls of ddr/array.h, on a few views that earlier calls have made.
 *
 * Finds, besides crashes and leaks: an unknown status, a call that fails and has written to its
 * result, a part that is not a valid view, memory written by a refused call. Valid views reach only
 * into a block of this file or into memory of the library; invalid ones are passed, too. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ddr/array.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Requests for more memory than there is must return NULL. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfftw"; }

/* --- bytes ------------------------------------------------------------------------------------ */

typedef struct Bytes {
  const uint8_t *at, *end;
} Bytes;

static uint8_t next(Bytes *bytes) { return bytes->at < bytes->end ? *bytes->at++ : 0; }

/* Mostly small, sometimes at the ends of its type. */
static int64_t number(Bytes *bytes) {
  static const int64_t ends[] = {INT64_MIN, INT64_MAX, INT64_MAX / 2, INT32_MAX, -1, 1 << 20,
                                 0,         64};
  const uint8_t byte = next(bytes);
  return byte >= 248 ? ends[byte - 248] : (int64_t)(byte % 32) - (byte >= 224 ? 16 : 0);
}

static void numbers(Bytes *bytes, int n, int64_t *list) {
  for (int k = 0; k < n; k++) list[k] = number(bytes);
}

/* --- views ------------------------------------------------------------------------------------ */

enum { N_VIEWS = 6, N_BYTES = 4096, MOST_ELEMENTS = 2048 };

typedef struct State {
  Bytes bytes;
  ddr_ndview views[N_VIEWS];
  uint64_t memory[N_BYTES / 8], before[N_BYTES / 8];
  bool truths[N_BYTES]; /* of bools, which are 0 or 1 */
} State;

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  abort();
}

static ddr_ndview *pick(State *state) { return &state->views[next(&state->bytes) % N_VIEWS]; }

static void set(State *state, const ddr_ndview *view) {
  ddr_ndview *place = pick(state);
  if (place->cleanup) ddr_ndview_release(place);
  *place = *view;
}

/* Whether all of its elements are in the block, or in memory of the library. */
static bool is_inside(const ddr_ndview *view) {
  int64_t least, greatest;
  const int64_t size = (int64_t)ddr_element_size(view->type);
  if (ddr_ndview_check(view) != DDR_ARRAY_OK) return true; /* to be refused */
  if (ddr_ndview_size(view) > MOST_ELEMENTS) return false;
  if (view->cleanup || !ddr_layout_span(&view->layout, &least, &greatest)) return true;
  return least >= 0 && greatest < N_BYTES / size;
}

static void take(State *state, ddr_array_status status, ddr_ndview *made) {
  if ((unsigned)status >= DDR_ARRAY_STATUS_COUNT) fail("the status is none");
  if (status != DDR_ARRAY_OK) {
    if (made->layout.rank != -77) fail("a call that failed has written its result");
    return;
  }
  if (ddr_ndview_check(made) != DDR_ARRAY_OK) fail("what was made can be no view");
  if (is_inside(made)) set(state, made);
  else ddr_ndview_release(made);
}

/* Any fields: most are refused. */
static void make_any(State *state) {
  Bytes *bytes = &state->bytes;
  ddr_ndview view = {.data = state->memory};
  const uint8_t kind = next(bytes);
  view.type = (ddr_element)(kind % 15);
  if (view.type == DDR_ELEMENT_BOOL) view.data = state->truths;
  view.layout.rank = kind >= 240 ? (int)number(bytes) : kind % 5;
  view.layout.offset = number(bytes);
  for (int k = 0; k < 5; k++) {
    view.layout.len[k] = number(bytes);
    view.layout.stride[k] = number(bytes);
  }
  if (next(bytes) == 255) view.residency = (ddr_residency)(next(bytes) % 5);
  if (next(bytes) == 255) view.data = NULL;
  if (is_inside(&view)) set(state, &view);
}

/* --- calls ------------------------------------------------------------------------------------ */

static void make_part(State *state) {
  Bytes *bytes = &state->bytes;
  const ddr_ndview *view = pick(state);
  ddr_ndview part = {.layout = {.rank = -77}};
  int64_t list[DDR_MAX_RANK];
  int order[DDR_MAX_RANK];
  const uint8_t which = next(bytes);
  const int axis = (int)(next(bytes) % 6) - 1;
  numbers(bytes, 3, list);
  memset(list + 3, 0, sizeof list - 3 * sizeof *list);
  for (int k = 0; k < DDR_MAX_RANK; k++) order[k] = k < 5 ? (int)list[k % 3] : k;
  ddr_array_status status = DDR_ARRAY_OK;
  switch (which % 9) {
  case 0: status = ddr_ndview_fix(view, axis, list[0], &part); break;
  case 1: status = ddr_ndview_slice(view, axis, list[0], list[1], &part); break;
  case 2: status = ddr_ndview_permute(view, order, &part); break;
  case 3: status = ddr_ndview_flip(view, axis, &part); break;
  case 4: status = ddr_ndview_step(view, axis, list[0], &part); break;
  case 5: status = ddr_ndview_repeat(view, axis, list[0], &part); break;
  case 6: status = ddr_ndview_reshape(view, axis, list, &part); break;
  case 7: status = ddr_ndview_new((ddr_element)(list[2] & 15), axis, list, DDR_HOST, &part); break;
  default: status = ddr_transform_make_cast(view, (ddr_element)(list[0] & 15), 1, &part); break;
  }
  if (which % 9 == 7 && status == DDR_ARRAY_OK) { /* uninitialised otherwise */
    if (ddr_ndview_size(&part) <= MOST_ELEMENTS) ddr_transform_fill(ddr_number_int(1), &part, 1);
  }
  take(state, status, &part);
}

static ddr_number draw_number(Bytes *bytes) {
  const int64_t value = number(bytes);
  ddr_number drawn = {
      .type = (ddr_element)(next(bytes) % 14), .integer = value, .re = (double)value};
  return drawn;
}

static void transform(State *state) {
  Bytes *bytes = &state->bytes;
  int n;
  const ddr_transform_form *forms = ddr_transform_forms(&n);
  const ddr_transform_form *form = &forms[next(bytes) % n];
  const ddr_ndview views[2] = {*pick(state), *pick(state)};
  const ddr_number given[2] = {draw_number(bytes), draw_number(bytes)};
  const ddr_ndview *out = next(bytes) % 2 ? pick(state) : NULL;
  ddr_ndview made = {.layout = {.rank = -77}};
  memcpy(state->before, state->memory, sizeof state->before);
  const ddr_array_status status = ddr_transform_call(form, views, given, out, 1, &made);
  if (status != DDR_ARRAY_OK && memcmp(state->before, state->memory, sizeof state->before) != 0)
    fail("what was refused has written");
  if (!out && !ddr_operands_are_in_place(form->operands)) take(state, status, &made);
}

static void assign_masked(State *state) {
  const ddr_ndview *x = pick(state), *mask = pick(state), *y = pick(state);
  memcpy(state->before, state->memory, sizeof state->before);
  const ddr_array_status status =
      next(&state->bytes) % 2 ? ddr_masked_assign(x, mask, y)
                              : ddr_masked_assign_number(x, mask, draw_number(&state->bytes));
  if (status != DDR_ARRAY_OK && memcmp(state->before, state->memory, sizeof state->before) != 0)
    fail("a masked assignment that was refused has written");
}

static void reduce(State *state) {
  Bytes *bytes = &state->bytes;
  const ddr_reduce_op op = (ddr_reduce_op)(next(bytes) % (DDR_N_REDUCTIONS + 1));
  const ddr_ndview *arrays[2] = {pick(state), pick(state)};
  const int axes[3] = {(int)(next(bytes) % 5) - 1, next(bytes) % 4, next(bytes) % 4};
  const ddr_reduce_options options = {.mask = next(bytes) % 2 ? pick(state) : NULL,
                                      .is_compensated = next(bytes) % 2};
  ddr_number result = {.type = DDR_ELEMENT_COUNT};
  ddr_ndview made = {.layout = {.rank = -77}};
  if (ddr_reduce(op, arrays, &options, &result) != DDR_ARRAY_OK && result.type != DDR_ELEMENT_COUNT)
    fail("a reduction that failed has written its result");
  take(state, ddr_reduce_axes(op, arrays, next(bytes) % 4, axes, &options, &made), &made);
}

static void convolve(State *state) {
  Bytes *bytes = &state->bytes;
  const ddr_ndview *x = pick(state), *y = pick(state), *z = pick(state);
  ddr_conv_array operands[3];
  int64_t list[7];
  if (ddr_conv_array_of_view(x, &operands[0]) || ddr_conv_array_of_view(y, &operands[1]) ||
      ddr_conv_array_of_view(z, &operands[2]))
    return;
  if (ddr_ndview_is_empty(x) || ddr_ndview_is_empty(y) || ddr_ndview_is_empty(z)) return;
  if (y->layout.rank != x->layout.rank || z->layout.rank != x->layout.rank) return;
  ddr_conv_task *task =
      ddr_conv_task_new((ddr_conv_op)(next(bytes) % 3), x->layout.rank, x->layout.len,
                        y->layout.len, z->layout.len, DDR_ELEMENT_FLOAT);
  ddr_conv_task_set_types(task, x->type, y->type, z->type);
  if (next(bytes) % 2) ddr_conv_task_set_mode(task, &ddr_conv_auto);
  ddr_conv_task_set_conj_x(task, next(bytes) % 2);
  numbers(bytes, 7, list);
  if (next(bytes) % 2) ddr_conv_task_set_start(task, list);
  if (next(bytes) % 4 == 0) ddr_conv_task_set_decimation(task, list);
  if (next(bytes) % 4 == 0) ddr_conv_task_set_origin(task, list, NULL);
  if (next(bytes) % 2) ddr_conv_task_bind_x(task, &operands[0]);
  memcpy(state->before, state->memory, sizeof state->before);
  const ddr_array_status status =
      ddr_conv_task_exec(task, &operands[0], &operands[1], &operands[2]);
  if (status != DDR_ARRAY_OK && memcmp(state->before, state->memory, sizeof state->before) != 0)
    fail("a convolution that was refused has written");
  if (ddr_conv_task_status(task) != status) fail("the first error does not stay");
  ddr_conv_task_delete(task);
}

static void filter(State *state) {
  Bytes *bytes = &state->bytes;
  const ddr_ndview *image = pick(state), *result = pick(state);
  const ddr_outside border = {(ddr_extension)(next(bytes) % 6), 2};
  ddr_decimation decimation = {.n_axes = next(bytes) % 9, .border = border};
  const ddr_prefilter prefilter = {.n_axes = next(bytes) % 4,
                                   .degree = next(bytes) % 9,
                                   .border = border,
                                   .method = (ddr_prefilter_method)(next(bytes) % 3)};
  for (int k = 0; k < 7; k++) {
    decimation.axes[k].factor = number(bytes);
    decimation.axes[k].start = number(bytes);
  }
  int64_t begin[DDR_MAX_RANK] = {0}, end[DDR_MAX_RANK];
  ddr_ndview extended = {.layout = {.rank = -77}};
  for (int k = 0; k < DDR_MAX_RANK; k++) end[k] = begin[k] + next(bytes) % 4;
  take(state, ddr_ndview_extend(image, begin, end, border, &extended), &extended);
  memcpy(state->before, state->memory, sizeof state->before);
  const ddr_array_status status = next(bytes) % 2
                                      ? ddr_image_decimate(image, &decimation, result)
                                      : ddr_bspline_prefilter(image, &prefilter, result);
  if (status != DDR_ARRAY_OK && memcmp(state->before, state->memory, sizeof state->before) != 0)
    fail("a filter that was refused has written");
}

static void pitch(State *state) {
  Bytes *bytes = &state->bytes;
  int64_t len[4], align[4];
  size_t pitches[4] = {7, 7, 7, 7};
  ddr_ndview made = {.layout = {.rank = -77}};
  const int n = next(bytes) % 5;
  numbers(bytes, 4, len);
  numbers(bytes, 4, align);
  const ddr_element type = (ddr_element)(next(bytes) % 14);
  const size_t size = ddr_element_size(type);
  if (ddr_pitch_compute(n, len, n, align, size, pitches) != DDR_ARRAY_OK) {
    if (pitches[0] != 7) fail("pitches that were refused are written");
    return;
  }
  if (ddr_pitch_validate(DDR_NAMED_NONE, n, len, size, n, pitches) != DDR_ARRAY_OK)
    fail("pitches are too small for themselves");
  if (pitches[0] > N_BYTES) return;
  take(state, ddr_ndview_new_pitched(type, n, len, pitches, &made), &made);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static void (*const calls[])(State *) = {make_any, make_part, make_part, transform, assign_masked,
                                           reduce,   convolve,  filter,    pitch};
  State state = {.bytes = {data, data + size}};
  if (size > 1 << 12) return 0;
  while (state.bytes.at < state.bytes.end)
    calls[next(&state.bytes) % (sizeof calls / sizeof *calls)](&state);
  for (int k = 0; k < N_VIEWS; k++)
    if (state.views[k].cleanup) ddr_ndview_release(&state.views[k]);
  return 0;
}
