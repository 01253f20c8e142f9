/* nrrd_frame_file.c: a frame of video in an array of one axis, or of two that are rows:
 *
 *   layout:=420SP       luma, then pairs of chroma at half the resolution
 *   height:=224         in samples of luma
 *   width:=300
 *   pitches:=107520 71680 320    bytes of the whole, of luma, of a row; none: packed
 *   siting:=left        of chroma; or centred, which is the default
 *
 * A scalar image takes the luma, one of 2-vectors the chroma. An array of two axes may have a
 * placement in space; otherwise samples of luma are at integer positions.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"

static bool says(const Nrrd *nrrd, const char *key, const char *value) {
  char *found = nrrdKeyValueGet(nrrd, key);
  const bool is_said = found && strcmp(found, value) == 0;
  free(found);
  return is_said;
}

bool ddr_nrrd_is_frame(const Nrrd *nrrd, const ddr_image_request *request) {
  return request->dim == 2 && nrrd->dim <= 2 && says(nrrd, "layout", "420SP");
}

/* Parses n integers separated by spaces; false: the text is something else. */
static bool parse_sizes(const char *text, size_t n, size_t *sizes) {
  for (size_t k = 0; k < n; k++) {
    char *end;
    errno = 0;
    const unsigned long long size = strtoull(text, &end, 10);
    if (end == text || errno != 0 || strchr(text, '-') || size > SIZE_MAX) return false;
    sizes[k] = (size_t)size;
    text = end;
  }
  return text[strspn(text, " ")] == '\0';
}

static ddr_status read_sizes(const Nrrd *nrrd, const char *key, size_t n, size_t *sizes,
                             ddr_reason *reason) {
  char *text = nrrdKeyValueGet(nrrd, key);
  const bool is_good = text && parse_sizes(text, n, sizes);
  if (!text) ddr_refuse(reason, "it is a 420SP frame, but its header has no \"%s\"", key);
  else if (!is_good)
    ddr_refuse(reason, "\"%s\" of its frame is \"%.60s\", expected %zu whole number%s", key, text,
               n, n > 1 ? "s" : "");
  free(text);
  return is_good ? DDR_OK : DDR_ERROR;
}

static bool has(const Nrrd *nrrd, const char *key) {
  char *text = nrrdKeyValueGet(nrrd, key);
  free(text);
  return text != NULL;
}

static ddr_status read_frame(const Nrrd *nrrd, const ddr_image_request *request,
                             diderot_frame_t *frame, ddr_reason *reason) {
  *frame = (diderot_frame_t){
      .layout = DIDEROT_420SP,
      .type = nrrd->type,
      .rank = 3,
      .dims = {3},
      .n_bytes = nrrdElementNumber(nrrd) * nrrdElementSize(nrrd),
      .component = request->n_components > 1,
      .siting = says(nrrd, "siting", "left") ? DIDEROT_LEFT : DIDEROT_CENTRED,
  };
  if (read_sizes(nrrd, "height", 1, &frame->dims[1], reason) != DDR_OK ||
      read_sizes(nrrd, "width", 1, &frame->dims[2], reason) != DDR_OK) {
    return DDR_ERROR;
  }
  if (!has(nrrd, "pitches")) return DDR_OK;
  frame->n_pitches = 3;
  return read_sizes(nrrd, "pitches", 3, frame->pitches, reason);
}

/* The placement of the luma, for an array of rows. */
static ddr_status place_frame(const Nrrd *nrrd, ddr_grid *place, ddr_reason *reason) {
  const ddr_image_request rows = {.dim = 2, .n_components = 1};
  ddr_nrrd_image header = {.grid = {.dim = 2, .direction = {{1, 0}, {0, 1}}}};
  const ddr_status status =
      nrrd->dim == 2 ? ddr_nrrd_normalize(nrrd, &rows, &header, reason) : DDR_OK;
  *place = header.grid;
  return status;
}

ddr_status ddr_nrrd_frame(const Nrrd *nrrd, const ddr_image_request *request,
                          ddr_nrrd_image *header, ddr_rows *rows, ddr_reason *reason) {
  diderot_frame_t frame;
  ddr_framed framed;
  ddr_grid place;
  if (place_frame(nrrd, &place, reason) != DDR_OK ||
      read_frame(nrrd, request, &frame, reason) != DDR_OK ||
      ddr_frame_part(&frame, request, &place, &framed, reason) != DDR_OK) {
    return DDR_ERROR;
  }
  const diderot_view_t *view = &framed.view;
  *header = (ddr_nrrd_image){.grid = framed.grid,
                             .n_components = request->n_components,
                             .n_stored = request->n_components};
  *rows = (ddr_rows){.type = view->type, .spare = view->spare};
  if (nrrd->data) rows->data = (const char *)nrrd->data + framed.offset;
  for (int axis = 0; axis < 2; axis++) {
    header->grid.size[axis] = (int64_t)view->shape[1 - axis];
    rows->step[axis] = view->strides[1 - axis];
  }
  return DDR_OK;
}
