/* nrrd_frame.c: frames of video as views: one component or more of one frame in a buffer.
 *
 * Nothing is read before dims, pitches and the size of the buffer are checked. A frame whose rows
 * the program can load is used in place, with any pitch; planes of several components are copied
 * into voxels (Note [Planes become voxels]).
 * Read next: runtime/layout/pitch.h, nrrd_given.c.
 */
#include <string.h>

#include "local.h"
#include "runtime/layout/pitch.h"

enum { MOST_AXES = 5 };

/* Names of axes, the slowest first, for messages to clients. */
typedef struct {
  ddr_named_layout named;
  const char *axes[DDR_MAX_DIM + 1]; /* by the dimension of the image */
} FrameLayout;

static const FrameLayout layouts[] = {
    [DIDEROT_NHWC] = {DDR_NAMED_NHWC, {NULL, NULL, "NHWC", "NDHWC"}},
    [DIDEROT_NCHW] = {DDR_NAMED_NCHW, {NULL, NULL, "NCHW", "NCDHW"}},
    [DIDEROT_420SP] = {DDR_NAMED_420SP, {NULL, NULL, "3HW", NULL}},
};

/* A frame whose descriptor has been checked. */
typedef struct {
  const diderot_frame_t *given;
  ddr_named_layout named;
  const char *axes;
  int rank;
  size_t size; /* bytes of a sample */
  int64_t len[MOST_AXES];
  size_t pitch[MOST_AXES];
} Frame;

/* --- what is given ---------------------------------------------------------------------------- */

static ddr_status check_layout(Frame *frame, int dim, ddr_reason *reason) {
  const int layout = frame->given->layout;
  if (layout < 0 || layout >= (int)(sizeof layouts / sizeof *layouts)) {
    return ddr_refuse(reason, "the frame has the unknown layout %d", layout);
  }
  frame->named = layouts[layout].named;
  frame->axes = layouts[layout].axes[dim];
  if (!frame->axes) {
    return ddr_refuse(reason, "a frame of that layout cannot be an image of dimension %d", dim);
  }
  frame->rank = (int)strlen(frame->axes);
  if (frame->given->rank == (uint32_t)frame->rank) return DDR_OK;
  return ddr_refuse(reason, "the frame has %u axes, expected %d: %s", (unsigned)frame->given->rank,
                    frame->rank, frame->axes);
}

static ddr_status check_type(Frame *frame, ddr_reason *reason) {
  const int type = frame->given->type;
  if (type <= nrrdTypeUnknown || type >= nrrdTypeBlock) {
    return ddr_refuse(reason, "the frame has samples of type %d, which are not numbers", type);
  }
  frame->size = nrrdTypeSize[type];
  return DDR_OK;
}

static ddr_status check_dims(Frame *frame, ddr_reason *reason) {
  for (int k = 0; k < frame->rank; k++) {
    const size_t dim = frame->given->dims[k];
    if (dim < 1 || dim > PTRDIFF_MAX) {
      return ddr_refuse(reason, "axis %c of the frame has size %zu (expected at least 1)",
                        frame->axes[k], dim);
    }
    frame->len[k] = (int64_t)dim;
  }
  if (frame->named != DDR_NAMED_420SP || frame->len[0] == 3) return DDR_OK;
  return ddr_refuse(reason, "a 420SP frame has size %lld on its first axis, expected 3",
                    (long long)frame->len[0]);
}

/* --- pitches ---------------------------------------------------------------------------------- */

static ddr_array_status compute_pitches(Frame *frame) {
  static const int64_t none[MOST_AXES] = {1, 1, 1, 1, 1};
  if (frame->named == DDR_NAMED_420SP) {
    return ddr_pitch_compute_420sp(frame->len, none, frame->size, frame->pitch);
  }
  return ddr_pitch_compute(frame->rank, frame->len, frame->rank, none, frame->size, frame->pitch);
}

/* The least value of pitch k, given the pitches inside it; products are known not to overflow. */
static size_t least_pitch(const Frame *frame, int k) {
  const size_t len = (size_t)frame->len[k];
  if (frame->named == DDR_NAMED_420SP && k == 0) {
    return frame->pitch[1] + ((size_t)frame->len[1] + 1) / 2 * frame->pitch[2];
  }
  if (frame->named == DDR_NAMED_420SP && k == 2) return (len + len % 2) * frame->size;
  return len * (k + 1 < frame->rank ? frame->pitch[k + 1] : frame->size);
}

static ddr_status explain_pitch(const Frame *frame, ddr_reason *reason) {
  for (int k = frame->rank - 1; k >= 0; k--) {
    const size_t least = least_pitch(frame, k);
    if (frame->pitch[k] < least) {
      return ddr_refuse(reason, "pitch %d (%c) of the frame is %zu bytes, expected at least %zu", k,
                        frame->axes[k], frame->pitch[k], least);
    }
    if (k > 0 && frame->pitch[k] % frame->size != 0) {
      return ddr_refuse(reason,
                        "pitch %d (%c) of the frame is %zu bytes, expected a multiple of the "
                        "sample's %zu",
                        k, frame->axes[k], frame->pitch[k], frame->size);
    }
  }
  return ddr_refuse(reason, "%s", ddr_array_status_text(DDR_ARRAY_EPITCH));
}

static ddr_status check_pitches(Frame *frame, ddr_reason *reason) {
  const diderot_frame_t *given = frame->given;
  ddr_layout all;
  if (given->n_pitches != 0 && given->n_pitches != given->rank) {
    return ddr_refuse(reason, "the frame has %u pitches, expected %d or none",
                      (unsigned)given->n_pitches, frame->rank);
  }
  for (int k = 0; k < frame->rank; k++) frame->pitch[k] = given->pitches[k];
  ddr_array_status status =
      given->n_pitches == 0 ? compute_pitches(frame)
                            : ddr_pitch_validate(frame->named, frame->rank, frame->len, frame->size,
                                                 (int)given->n_pitches, frame->pitch);
  if (status == DDR_ARRAY_OK && frame->named == DDR_NAMED_420SP) {
    status = ddr_pitch_to_layouts_420sp(frame->len, frame->size, frame->pitch, &all, &all);
  } else if (status == DDR_ARRAY_OK) {
    status = ddr_pitch_to_layout(frame->rank, frame->len, frame->size, frame->pitch, &all);
  }
  if (status == DDR_ARRAY_OK) return DDR_OK;
  if (status == DDR_ARRAY_EPITCH) return explain_pitch(frame, reason);
  return ddr_refuse(reason, "the frame is invalid: %s", ddr_array_status_text(status));
}

static ddr_status check_number(Frame *frame, ddr_reason *reason) {
  const size_t number = frame->given->number;
  if (frame->named == DDR_NAMED_420SP) {
    return number == 0 ? DDR_OK
                       : ddr_refuse(reason, "the frame has number %zu, expected 0", number);
  }
  if (number < (size_t)frame->len[0]) return DDR_OK;
  return ddr_refuse(reason, "the frame has number %zu, expected less than %lld", number,
                    (long long)frame->len[0]);
}

static ddr_status check_frame(Frame *frame, int dim, ddr_reason *reason) {
  const bool is_good = check_layout(frame, dim, reason) == DDR_OK &&
                       check_type(frame, reason) == DDR_OK && check_dims(frame, reason) == DDR_OK &&
                       check_pitches(frame, reason) == DDR_OK &&
                       check_number(frame, reason) == DDR_OK;
  return is_good ? DDR_OK : DDR_ERROR;
}

/* --- which part of it ------------------------------------------------------------------------- */

/* The layout of all components that may go into one image, axes (c, [z,] y, x); returns the number
 * of the first of these components. */
static size_t find_planes(const Frame *frame, ddr_layout *planes) {
  if (frame->named == DDR_NAMED_420SP) {
    const size_t first = frame->given->component > 0;
    ddr_layout luma, chroma;
    ddr_pitch_to_layouts_420sp(frame->len, frame->size, frame->pitch, &luma, &chroma);
    if (first == 0) ddr_layout_repeat(&luma, 0, 1, planes);
    else *planes = chroma;
    return first;
  }
  ddr_pitch_to_layout(frame->rank, frame->len, frame->size, frame->pitch, planes);
  ddr_layout_fix(planes, 0, (int64_t)frame->given->number, planes);
  if (frame->named == DDR_NAMED_NCHW) return 0;
  static const int components_first[][MOST_AXES - 1] = {[3] = {2, 0, 1}, [4] = {3, 0, 1, 2}};
  ddr_layout_permute(planes, components_first[planes->rank], planes);
  return 0;
}

static ddr_status find_part(const Frame *frame, size_t n_wanted, ddr_layout *part,
                            ddr_reason *reason) {
  const size_t first = find_planes(frame, part);
  const size_t begin = frame->given->component - first, n_there = (size_t)part->len[0];
  if (begin >= n_there) {
    return ddr_refuse(reason, "the frame has no component %zu, expected less than %zu",
                      frame->given->component, first + n_there);
  }
  const size_t n_left = n_there - begin;
  const size_t n = frame->given->n_components > 0 ? frame->given->n_components : n_left;
  if (n > n_left) {
    return ddr_refuse(reason, "the frame has %zu components from %zu on, expected %zu", n_left,
                      frame->given->component, n);
  }
  if (n != n_wanted) {
    return ddr_refuse(reason, "the frame gives %zu values per element, expected %zu", n, n_wanted);
  }
  ddr_layout_slice(part, 0, (int64_t)begin, (int64_t)(begin + n), part);
  return DDR_OK;
}

/* Makes the part a view; components become its last axis. */
static ddr_status show(const Frame *frame, const ddr_layout *part, diderot_view_t *view,
                       ddr_reason *reason) {
  const ptrdiff_t size = (ptrdiff_t)frame->size;
  const size_t n_bytes = frame->given->n_bytes > 0 ? frame->given->n_bytes : frame->pitch[0];
  int64_t least, greatest;
  ddr_layout_span(part, &least, &greatest);
  const size_t end = (size_t)(greatest + 1) * frame->size;
  if (end > n_bytes) {
    return ddr_refuse(reason, "the frame ends at byte %zu, but its buffer has %zu", end, n_bytes);
  }
  *view = (diderot_view_t){
      .type = frame->given->type, .rank = (uint32_t)part->rank, .spare = n_bytes - end};
  for (int k = 0; k < part->rank; k++) {
    const int axis = k > 0 ? k - 1 : part->rank - 1;
    view->shape[axis] = (size_t)part->len[k];
    view->strides[axis] = part->stride[k] * size;
  }
  return DDR_OK;
}

/* --- where it is ------------------------------------------------------------------------------ */

/* A sample of chroma is twice as wide as one of luma; it is centred among four of them, or between
 * two at the left. Frames with separate chroma have two dimensions. */
static ddr_grid place_part(const Frame *frame, const ddr_grid *place) {
  ddr_grid grid = *place;
  if (frame->named != DDR_NAMED_420SP || frame->given->component == 0) return grid;
  const double shift[] = {[DDR_X] = frame->given->siting == DIDEROT_LEFT ? 0 : 0.5, [DDR_Y] = 0.5};
  for (int world = DDR_X; world <= DDR_Y; world++) {
    for (int axis = DDR_X; axis <= DDR_Y; axis++) {
      grid.origin[world] += shift[axis] * place->direction[axis][world];
      grid.direction[axis][world] *= 2;
    }
  }
  return grid;
}

ddr_status ddr_frame_part(const diderot_frame_t *frame, const ddr_image_request *request,
                          const ddr_grid *place, ddr_framed *framed, ddr_reason *reason) {
  Frame checked = {.given = frame};
  ddr_layout part;
  if (check_frame(&checked, request->dim, reason) != DDR_OK ||
      find_part(&checked, (size_t)request->n_components, &part, reason) != DDR_OK ||
      show(&checked, &part, &framed->view, reason) != DDR_OK) {
    return DDR_ERROR;
  }
  framed->offset = (size_t)part.offset * checked.size;
  framed->grid = place_part(&checked, place);
  return DDR_OK;
}

ddr_status ddr_frame_image(ddr_world *world, const ddr_image_request *request,
                           const diderot_frame_t *frame, const ddr_grid *place,
                           ddr_image_list *image) {
  ddr_framed framed;
  ddr_reason reason;
  ddr_status status = ddr_frame_part(frame, request, place, &framed, &reason);
  if (status == DDR_OK && !frame->data) status = ddr_refuse(&reason, "the frame has no data");
  if (status != DDR_OK) return ddr_refuse_given(world, request->name, &reason);
  framed.view.data = (char *)frame->data + framed.offset;
  if (world->program->has_exact_rows) framed.view.spare = SIZE_MAX; /* spare bytes are never read */
  return ddr_view_image(world, request, &framed.view, &framed.grid, image);
}

/* Note [Planes become voxels].  Generated code expects the components of a voxel side by side: a
 * row of n components is loaded as n vectors and sorted in registers.  Planes would need other
 * loads, as a second version of every probe of a vector image, since one program takes frames of
 * all layouts; a stride of components in the present loads would make each of them a gather.  The
 * copy is one pass.  Interleaving a frame of 1920 x 1080 bytes in three planes took 3 ms of
 * processor time, while the gradient of its reconstruction at every pixel took 65 ms; binding an
 * interleaved frame took 6 microseconds.  A program that should read planes in place has an input
 * for each: scalars are read in place from planes.
 */
