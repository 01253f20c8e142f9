/* frame.c: see frame.h. */
#include "tools/ddr-array/frame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/layout/pitch.h"
#include "runtime/transform/transform.h"
#include "tools/ddr-array/arguments.h"

enum { MOST_AXES = 5 };

typedef struct Frame {
  ddr_named_layout named;
  int n;
  int64_t len[MOST_AXES];
  size_t element_size, pitch[MOST_AXES];
} Frame;

static bool find_layout(const char *name, ddr_named_layout *named) {
  static const char *const names[] = {
      [DDR_NAMED_NCHW] = "NCHW", [DDR_NAMED_NHWC] = "NHWC", [DDR_NAMED_420SP] = "420SP"};
  for (int k = DDR_NAMED_NCHW; k <= DDR_NAMED_420SP; k++) {
    if (!name || strcmp(name, names[k]) != 0) continue;
    *named = (ddr_named_layout)k;
    return true;
  }
  return false;
}

static ddr_array_status packed_pitches(Frame *frame) {
  static const int64_t none[MOST_AXES] = {1, 1, 1, 1, 1};
  if (frame->named == DDR_NAMED_420SP)
    return ddr_pitch_compute_420sp(frame->len, none, frame->element_size, frame->pitch);
  return ddr_pitch_compute(frame->n, frame->len, frame->n, none, frame->element_size, frame->pitch);
}

/* Layouts of the frame's arrays in its samples: one array, or luma and chroma. */
static ddr_array_status layouts_of(const Frame *frame, ddr_layout layouts[2]) {
  DDR_TRY(ddr_pitch_validate(frame->named, frame->n, frame->len, frame->element_size, frame->n,
                             frame->pitch));
  if (frame->element_size == 0 || frame->pitch[0] % frame->element_size != 0)
    return DDR_ARRAY_EPITCH;
  if (frame->named == DDR_NAMED_420SP)
    return ddr_pitch_to_layouts_420sp(frame->len, frame->element_size, frame->pitch, &layouts[0],
                                      &layouts[1]);
  return ddr_pitch_to_layout(frame->n, frame->len, frame->element_size, frame->pitch, &layouts[0]);
}

/* --- from key/value pairs --------------------------------------------------------------------- */

/* Whole numbers between spaces; how many, or -1: something else. */
static int parse_numbers(const char *text, int64_t *list) {
  int n = 0;
  while (text[strspn(text, " ")] != '\0') {
    char *end;
    errno = 0;
    if (n == MOST_AXES) return -1;
    list[n++] = strtoll(text, &end, 10);
    if (end == text || errno != 0 || (*end != ' ' && *end != '\0')) return -1;
    text = end;
  }
  return n;
}

/* 0: the pair is not there. */
static ddr_status read_pair(const Array *array, const char *key, int64_t *list, int *n,
                            ddr_reason *reason) {
  char *text = nrrdKeyValueGet(array->header, key);
  *n = text ? parse_numbers(text, list) : 0;
  const bool is_good = *n >= 0;
  if (!is_good)
    ddr_refuse(reason, "%s: %s:=%.100s is not a list of at most %d whole numbers", array->file, key,
               text, MOST_AXES);
  free(text);
  return is_good ? DDR_OK : DDR_ERROR;
}

static ddr_status read_extents(const Array *array, Frame *frame, ddr_reason *reason) {
  int n_dims, n_heights = 0, n_widths = 0;
  int64_t height[MOST_AXES], width[MOST_AXES];
  if (read_pair(array, "dims", frame->len, &n_dims, reason) != DDR_OK ||
      read_pair(array, "height", height, &n_heights, reason) != DDR_OK ||
      read_pair(array, "width", width, &n_widths, reason) != DDR_OK)
    return DDR_ERROR;
  frame->n = n_dims;
  if (frame->named == DDR_NAMED_420SP && n_heights == 1 && n_widths == 1) {
    frame->n = 3;
    frame->len[0] = 3, frame->len[1] = height[0], frame->len[2] = width[0];
  }
  const bool fits = frame->named == DDR_NAMED_420SP ? frame->n == 3 : frame->n >= 4;
  return fits ? DDR_OK
              : ddr_refuse(reason, "%s: its key/value pairs do not say how large the frame is",
                           array->file);
}

static ddr_status read_frame(const Array *array, Frame *frame, ddr_reason *reason) {
  char *name = nrrdKeyValueGet(array->header, "layout");
  int64_t pitch[MOST_AXES];
  int n;
  const bool is_frame = find_layout(name, &frame->named);
  free(name);
  if (!is_frame)
    return ddr_refuse(reason, "%s: no key/value pair layout:=NHWC, NCHW or 420SP says what it is",
                      array->file);
  frame->element_size = ddr_element_size(array->view.type);
  if (read_extents(array, frame, reason) != DDR_OK ||
      read_pair(array, "pitches", pitch, &n, reason) != DDR_OK)
    return DDR_ERROR;
  if (n != 0 && n != frame->n)
    return ddr_refuse(reason, "%s: the frame has %d pitches, expected %d", array->file, n,
                      frame->n);
  for (int k = 0; k < n; k++) frame->pitch[k] = pitch[k] < 0 ? 0 : (size_t)pitch[k];
  const ddr_array_status status = n == 0 ? packed_pitches(frame) : DDR_ARRAY_OK;
  return status == DDR_ARRAY_OK ? DDR_OK : array_refuse(array, "as a frame", status, reason);
}

static void forget_pairs(Nrrd *nrrd) {
  static const char *const keys[] = {"layout", "dims", "height", "width", "pitches"};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) nrrdKeyValueErase(nrrd, keys[k]);
}

ddr_status frame_open(Array *array, const char *plane, ddr_reason *reason) {
  Frame frame = {.n = 0};
  ddr_layout layouts[2];
  ddr_ndview view;
  const bool is_chroma = strcmp(plane, "chroma") == 0, is_all = strcmp(plane, "all") == 0;
  if (!is_all && !is_chroma && strcmp(plane, "luma") != 0)
    return ddr_refuse(reason, "--plane expects %s, found \"%.100s\"", option_argument(OPT_PLANE),
                      plane);
  if (read_frame(array, &frame, reason) != DDR_OK) return DDR_ERROR;
  if ((frame.named == DDR_NAMED_420SP) == is_all)
    return ddr_refuse(reason, "%s: --plane %s does not fit its layout", array->file, plane);
  ddr_array_status status = layouts_of(&frame, layouts);
  const int64_t n = ddr_ndview_size(&array->view);
  if (status == DDR_ARRAY_OK && !ddr_layout_is_canonical(&array->view.layout))
    status = DDR_ARRAY_ERANGE;
  if (status == DDR_ARRAY_OK && (uint64_t)n < frame.pitch[0] / frame.element_size)
    status = DDR_ARRAY_ELENGTH;
  if (status != DDR_ARRAY_OK) return array_refuse(array, "as a frame", status, reason);
  view = ddr_ndview_retain(&array->view);
  const int64_t begin = view.layout.offset;
  view.layout = layouts[is_chroma];
  view.layout.offset += begin;
  ddr_ndview_release(&array->view);
  array->view = view;
  array_forget_axes(array);
  forget_pairs(array->header);
  return DDR_OK;
}

/* --- to samples ------------------------------------------------------------------------------- */

int frame_n_inputs(const Request *request) {
  const char *name = request->plain[OPT_LAYOUT];
  return name && strcmp(name, "420SP") == 0 ? 2 : 1;
}

static ddr_status read_pitches(const Request *request, Frame *frame, ddr_reason *reason) {
  const char *text = request->plain[OPT_PITCHES];
  int64_t pitch[DDR_MAX_RANK];
  int n;
  if (!text) {
    const ddr_array_status status = packed_pitches(frame);
    return status == DDR_ARRAY_OK ? DDR_OK
                                  : ddr_refuse(reason, "%s", ddr_array_status_text(status));
  }
  if (read_ints(OPT_PITCHES, text, ',', 0, pitch, &n, reason) != DDR_OK) return DDR_ERROR;
  if (n != frame->n)
    return ddr_refuse(reason, "--pitches expects %d numbers of bytes, found \"%.100s\"", frame->n,
                      text);
  for (int k = 0; k < n; k++) frame->pitch[k] = pitch[k] < 0 ? 0 : (size_t)pitch[k];
  return DDR_OK;
}

/* Extents of the arrays, in the order of the layout's letters. */
static ddr_status take_extents(const Array *array, Frame *frame, ddr_reason *reason) {
  const ddr_layout *layout = &array->view.layout;
  const bool is_420sp = frame->named == DDR_NAMED_420SP;
  char shape[SHAPE_SIZE];
  const bool fits = is_420sp ? layout->rank == 2 : layout->rank == 4 || layout->rank == 5;
  if (!fits)
    return ddr_refuse(
        reason, "%s (%s): --layout expects %s", array->file, shape_text(layout, shape),
        is_420sp ? "luma of two axes, then chroma of three" : "4 axes, or 5 of volumes");
  frame->n = layout->rank + is_420sp;
  frame->len[0] = 3;
  for (int k = 0; k < layout->rank; k++) frame->len[k + is_420sp] = layout->len[k];
  return DDR_OK;
}

static ddr_status check_chroma(const Array *array, const ddr_layout *chroma, ddr_reason *reason) {
  char found[SHAPE_SIZE], expected[SHAPE_SIZE];
  if (ddr_layout_same_shape(&array->view.layout, chroma)) return DDR_OK;
  return ddr_refuse(reason, "%s (%s): --layout expects chroma of %s", array->file,
                    shape_text(&array->view.layout, found), shape_text(chroma, expected));
}

static ddr_array_status copy_in(const Array *array, const ddr_layout *layout,
                                const ddr_ndview *samples) {
  ddr_ndview there = {0};
  DDR_TRY(ddr_ndview_wrap(samples->type, samples->data, layout, DDR_HOST, NULL, &there));
  return ddr_transform_assign(&array->view, &there, 1);
}

static bool add_pair(Nrrd *nrrd, const char *key, int n, const long long *list) {
  char text[MOST_AXES * 22] = "";
  size_t at = 0;
  for (int k = 0; k < n; k++)
    at += (size_t)snprintf(text + at, sizeof text - at, "%s%lld", k > 0 ? " " : "", list[k]);
  return nrrdKeyValueAdd(nrrd, key, text) == 0;
}

static bool add_pairs(const Frame *frame, const char *name, Nrrd *nrrd) {
  long long len[MOST_AXES] = {0}, pitch[MOST_AXES] = {0};
  for (int k = 0; k < frame->n; k++) {
    len[k] = (long long)frame->len[k];
    pitch[k] = (long long)frame->pitch[k];
  }
  forget_pairs(nrrd);
  bool is_added = nrrdKeyValueAdd(nrrd, "layout", name) == 0;
  if (frame->named != DDR_NAMED_420SP) is_added = is_added && add_pair(nrrd, "dims", frame->n, len);
  else
    is_added =
        is_added && add_pair(nrrd, "height", 1, &len[1]) && add_pair(nrrd, "width", 1, &len[2]);
  return is_added && add_pair(nrrd, "pitches", frame->n, pitch);
}

ddr_status frame_pack(Request *request, ddr_reason *reason) {
  Array *first = request_array(request, OPT_INPUT, 0);
  const char *name = request->plain[OPT_LAYOUT];
  Frame frame = {.element_size = ddr_element_size(first->view.type)};
  ddr_layout layouts[2];
  ddr_ndview samples = {.data = NULL};
  if (!find_layout(name, &frame.named))
    return ddr_refuse(reason, "--layout expects %s, found \"%.100s\"", option_argument(OPT_LAYOUT),
                      name);
  if (take_extents(first, &frame, reason) != DDR_OK ||
      read_pitches(request, &frame, reason) != DDR_OK)
    return DDR_ERROR;
  ddr_array_status status = layouts_of(&frame, layouts);
  if (status == DDR_ARRAY_OK && frame.named == DDR_NAMED_420SP &&
      check_chroma(request_array(request, OPT_INPUT, 1), &layouts[1], reason) != DDR_OK)
    return DDR_ERROR;
  const int64_t len[] = {(int64_t)(frame.pitch[0] / frame.element_size)};
  if (status == DDR_ARRAY_OK) status = ddr_ndview_new(first->view.type, 1, len, DDR_HOST, &samples);
  if (status == DDR_ARRAY_OK) status = ddr_transform_fill(ddr_number_int(0), &samples, 1);
  for (int k = 0; k < frame_n_inputs(request) && status == DDR_ARRAY_OK; k++)
    status = copy_in(request_array(request, OPT_INPUT, k), &layouts[k], &samples);
  if (status != DDR_ARRAY_OK) {
    ddr_ndview_release(&samples);
    return array_refuse(first, "--layout", status, reason);
  }
  array_forget_axes(first);
  array_replace(first, &samples);
  return add_pairs(&frame, name, first->header) ? DDR_OK : ddr_refuse(reason, "out of memory");
}
