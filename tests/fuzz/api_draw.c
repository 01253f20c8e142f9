/* api_draw.c: see api_draw.h. */
#include "tests/fuzz/api_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool draw_is_over(const Draw *draw) { return draw->n == 0; }

uint8_t draw_byte(Draw *draw) {
  if (draw->n == 0) return 0;
  draw->n--;
  return *draw->bytes++;
}

uint32_t draw_below(Draw *draw, uint32_t n) { return draw_byte(draw) % n; }

int64_t draw_count(Draw *draw) {
  static const int64_t far[] = {INT32_MAX, INT32_MIN,           INT64_MAX,
                                INT64_MIN, 1000000000000000000, UINT32_MAX};
  const uint8_t byte = draw_byte(draw);
  return byte < 250 ? byte % 32 - 3 : far[byte - 250];
}

double draw_real(Draw *draw) {
  static const double far[] = {NAN, INFINITY, -INFINITY, 1e308, -1e-320, 0};
  const uint8_t byte = draw_byte(draw);
  return byte < 250 ? (byte - 100) / 8.0 : far[byte - 250];
}

const char *draw_file(Draw *draw) {
  static const char *const names[] = {NULL,        "flow.nrrd",  "levels.nrrd", "broken.nrrd",
                                      "grey.nrrd", "fine.nrrd",  "pair.nrrd",   "volume.nrrd",
                                      "",          "flow3.nrrd", "absent.nrrd", "/"};
  return names[draw_below(draw, sizeof names / sizeof *names)];
}

const char *draw_text(Draw *draw) {
  static const char *const texts[] = {NULL,     "",     "img",     "flow",
                                      "levels", "%n%s", "weights", "π\033"};
  return texts[draw_below(draw, sizeof texts / sizeof *texts)];
}

/* --- memory ----------------------------------------------------------------------------------- */

static void *keep(Draw *draw, size_t n) {
  void *buffer = draw->n_buffers < DRAW_MOST ? malloc(n) : NULL;
  if (!buffer) abort();
  for (size_t k = 0; k < n; k++) ((uint8_t *)buffer)[k] = (uint8_t)(k * 37);
  draw->buffers[draw->n_buffers++] = buffer;
  return buffer;
}

static bool is_full(const Draw *draw) {
  return draw->n_buffers == DRAW_MOST || draw->n_nrrds == DRAW_MOST;
}

void draw_clear(Draw *draw) {
  for (size_t k = 0; k < draw->n_buffers; k++) free(draw->buffers[k]);
  for (size_t k = 0; k < draw->n_nrrds; k++) {
    if (draw->is_adopted[k]) nrrdNix(draw->nrrds[k]);
    else nrrdNuke(draw->nrrds[k]);
  }
  draw->n_buffers = draw->n_nrrds = 0;
}

/* --- views ------------------------------------------------------------------------------------ */

/* Sizes of axes, for whose product there is memory; sometimes sizes for which no memory is large
 * enough. */
static size_t draw_size(Draw *draw) {
  const uint8_t byte = draw_byte(draw);
  if (byte < 240) return byte % 12;
  return byte < 248 ? (size_t)1 << 31 : SIZE_MAX - (byte - 248u);
}

static size_t size_of_type(int type) {
  return type > nrrdTypeUnknown && type < nrrdTypeBlock ? nrrdTypeSize[type] : 8;
}

diderot_view_t *draw_view(Draw *draw, diderot_view_t *view) {
  *view = (diderot_view_t){.type = (int)draw_below(draw, 14) - 1};
  view->rank = draw_below(draw, 7);
  if (draw_byte(draw) == 255 || is_full(draw)) return NULL;
  const size_t size = size_of_type(view->type);
  const size_t gap = draw_below(draw, 3) * (draw_below(draw, 2) ? size : 1);
  size_t step = size + gap, n_bytes = size;
  bool is_backward = draw_below(draw, 4) == 0, is_far = false;
  for (uint32_t k = view->rank; k-- > 0;) {
    const size_t n = view->shape[k] = draw_size(draw);
    view->strides[k] = is_backward ? -(ptrdiff_t)step : (ptrdiff_t)step;
    is_far = is_far || n >= (size_t)1 << 31;
    if (n == 0 || is_far) continue;
    n_bytes += (n - 1) * step;
    step *= n;
  }
  if (is_far && draw_below(draw, 2)) return view; /* no data: refused for its size, or for that */
  if (n_bytes > 1 << 22 || is_far) view->shape[0] = 0;
  char *data = keep(draw, n_bytes <= 1 << 22 ? n_bytes : size);
  view->data = is_backward && n_bytes <= 1 << 22 ? data + n_bytes - size : data;
  return view;
}

const double *draw_place(Draw *draw, double *place, int n) {
  if (draw_below(draw, 2)) return NULL;
  for (int k = 0; k < n; k++) place[k] = draw_real(draw);
  return place;
}

/* --- frames ----------------------------------------------------------------------------------- */

diderot_frame_t *draw_frame(Draw *draw, diderot_frame_t *frame) {
  *frame = (diderot_frame_t){.layout = (int)draw_below(draw, 5) - 1,
                             .type = (int)draw_below(draw, 14) - 1,
                             .rank = draw_below(draw, 7),
                             .n_pitches = draw_below(draw, 2) ? draw_below(draw, 7) : 0,
                             .number = draw_below(draw, 3),
                             .component = draw_below(draw, 4),
                             .n_components = draw_below(draw, 4),
                             .siting = (int)draw_below(draw, 3)};
  if (draw_byte(draw) == 255 || is_full(draw)) return NULL;
  for (int k = 0; k < 5; k++) frame->dims[k] = draw_size(draw);
  for (int k = 0; k < 5; k++) {
    const uint8_t byte = draw_byte(draw);
    frame->pitches[k] = byte < 250 ? (size_t)byte << draw_below(draw, 5) : SIZE_MAX - byte;
  }
  frame->n_bytes = 1 + (size_t)draw_byte(draw) * 16;
  frame->data = keep(draw, frame->n_bytes);
  return frame;
}

/* --- Nrrds ------------------------------------------------------------------------------------ */

static void draw_axis(Draw *draw, NrrdAxisInfo *axis, uint32_t n_space) {
  static const int kinds[] = {nrrdKindUnknown,  nrrdKindSpace,   nrrdKindDomain,
                              nrrdKindList,     nrrdKind2Vector, nrrdKind3Vector,
                              nrrdKind2DMatrix, nrrdKind3Color,  nrrdKind2DSymMatrix,
                              nrrdKindTime,     nrrdKindComplex, -1};
  axis->kind = kinds[draw_below(draw, sizeof kinds / sizeof *kinds)];
  axis->center = (int)draw_below(draw, 3);
  axis->spacing = draw_real(draw);
  if (draw_below(draw, 2)) axis->min = draw_real(draw);
  if (draw_below(draw, 2)) axis->max = draw_real(draw);
  for (uint32_t k = 0; k < n_space; k++) axis->spaceDirection[k] = draw_real(draw);
}

Nrrd *draw_nrrd(Draw *draw) {
  if (draw_byte(draw) == 255 || is_full(draw)) return NULL;
  Nrrd *nrrd = nrrdNew();
  if (!nrrd) abort();
  draw->is_adopted[draw->n_nrrds] = false;
  draw->nrrds[draw->n_nrrds++] = nrrd;
  nrrd->type = (int)draw_below(draw, 14) - 1;
  nrrd->dim = draw_below(draw, 6);
  nrrd->spaceDim = draw_below(draw, 2) ? draw_below(draw, 5) : 0;
  size_t n_bytes = size_of_type(nrrd->type);
  for (uint32_t k = 0; k < nrrd->dim; k++) {
    nrrd->axis[k].size = draw_byte(draw) % 12;
    n_bytes *= nrrd->axis[k].size ? nrrd->axis[k].size : 1;
    draw_axis(draw, &nrrd->axis[k], nrrd->spaceDim);
  }
  for (uint32_t k = 0; k < nrrd->spaceDim; k++) nrrd->spaceOrigin[k] = draw_real(draw);
  if (draw_byte(draw) == 0) return nrrd; /* without data */
  nrrd->data = malloc(n_bytes);
  if (!nrrd->data) abort();
  memset(nrrd->data, 1, n_bytes);
  if (draw_byte(draw) == 255) nrrd->dim = NRRD_DIM_MAX + 1;
  return nrrd;
}

void draw_adopt(Draw *draw, const Nrrd *nrrd) {
  for (size_t k = 0; k < draw->n_nrrds; k++) {
    if (draw->nrrds[k] == nrrd) draw->is_adopted[k] = true;
  }
}
