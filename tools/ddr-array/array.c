/* array.c: arrays from files and to files. */
#include "tools/ddr-array/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/src/files/nrrd_layout.h"

/* --- messages --------------------------------------------------------------------------------- */

const char *shape_text(const ddr_layout *layout, char text[SHAPE_SIZE]) {
  size_t n = 0;
  snprintf(text, SHAPE_SIZE, "a single element");
  for (int k = 0; k < layout->rank; k++)
    n += (size_t)snprintf(text + n, SHAPE_SIZE - n, "%s%lld", k > 0 ? " x " : "",
                          (long long)layout->len[k]);
  return text;
}

ddr_status array_refuse(const Array *array, const char *what, ddr_array_status status,
                        ddr_reason *reason) {
  char shape[SHAPE_SIZE];
  return ddr_refuse(reason, "%s (%s): %s: %s", array->file, shape_text(&array->view.layout, shape),
                    what, ddr_array_status_text(status));
}

static ddr_status name_file(const char *file, ddr_reason *reason) {
  const ddr_reason inner = *reason;
  return ddr_refuse(reason, "%s: %.400s", file, inner.text);
}

/* --- from a file ------------------------------------------------------------------------------ */

static ddr_status check_type(const ddr_nrrd_file *file, void *data, ddr_reason *reason) {
  (void)data;
  if (file->nrrd->type != nrrdTypeBlock) return DDR_OK;
  return ddr_refuse(reason, "its elements are blocks (expected numbers)");
}

/* The file's axes run from the fastest to the slowest; an axis for complex numbers comes first. */
static void take_axes(Array *array) {
  const Nrrd *nrrd = array->header;
  array_forget_axes(array);
  for (int k = 0; k < array->view.layout.rank; k++) {
    const NrrdAxisInfo *info = &nrrd->axis[nrrd->dim - 1 - (unsigned)k];
    Axis *axis = &array->axis[k];
    axis->kind = info->kind;
    axis->center = info->center;
    axis->spacing = info->spacing;
    axis->thickness = info->thickness;
    axis->min = info->min;
    axis->max = info->max;
    axis->label = info->label;
    axis->units = info->units;
    memcpy(axis->direction, info->spaceDirection, sizeof axis->direction);
  }
  memcpy(array->origin, nrrd->spaceOrigin, sizeof array->origin);
}

ddr_status array_load(Array *array, const char *file, bool *is_stdin_taken, ddr_reason *reason) {
  ddr_nrrd_file reader = {.name = file};
  *array = (Array){.file = strcmp(file, "-") == 0 ? "standard input" : file};
  ddr_status status = ddr_nrrd_read(is_stdin_taken, &reader, check_type, NULL, reason);
  if (status == DDR_OK) {
    const ddr_array_status taken = ddr_ndview_take_nrrd(reader.nrrd, 0, &array->view);
    if (taken != DDR_ARRAY_OK) status = ddr_refuse(reason, "%s", ddr_array_status_text(taken));
  }
  if (status == DDR_OK) {
    array->header = reader.nrrd;
    reader.nrrd = NULL;
    take_axes(array);
  }
  ddr_nrrd_close(&reader);
  return status == DDR_OK ? DDR_OK : name_file(array->file, reason);
}

void array_free(Array *array) {
  ddr_ndview_release(&array->view);
  if (array->header) nrrdNuke(array->header);
  array->header = NULL;
}

void array_replace(Array *array, ddr_ndview *view) {
  ddr_ndview_release(&array->view);
  array->view = *view;
  *view = (ddr_ndview){.data = NULL};
  array->header->oldMin = array->header->oldMax = NAN;
  free(array->header->sampleUnits);
  array->header->sampleUnits = NULL;
}

/* --- to a file -------------------------------------------------------------------------------- */

static bool give_text(char **text, const char *from) {
  if (from) *text = airStrdup(from);
  return !from || *text;
}

static bool give_axes(const Array *array, int rank, Nrrd *nrrd) {
  bool is_complete = true;
  for (int k = 0; k < rank; k++) {
    const Axis *axis = &array->axis[k];
    NrrdAxisInfo *info = &nrrd->axis[nrrd->dim - 1 - (unsigned)k];
    info->kind = axis->kind;
    info->center = axis->center;
    info->spacing = axis->spacing;
    info->thickness = axis->thickness;
    info->min = axis->min;
    info->max = axis->max;
    memcpy(info->spaceDirection, axis->direction, sizeof axis->direction);
    is_complete =
        is_complete && give_text(&info->label, axis->label) && give_text(&info->units, axis->units);
  }
  return is_complete;
}

static ddr_status give_header(const Array *array, int rank, Nrrd *nrrd, ddr_reason *reason) {
  int left_out = NRRD_BASIC_INFO_DATA_BIT | NRRD_BASIC_INFO_TYPE_BIT |
                 NRRD_BASIC_INFO_BLOCKSIZE_BIT | NRRD_BASIC_INFO_DIMENSION_BIT;
  if (!array_is_placed(array, rank)) left_out |= NRRD_BASIC_INFO_SPACE;
  if (nrrdBasicInfoCopy(nrrd, array->header, left_out))
    return ddr_refuse_biff(reason, "out of memory");
  if (!(left_out & NRRD_BASIC_INFO_SPACE))
    memcpy(nrrd->spaceOrigin, array->origin, sizeof array->origin);
  return give_axes(array, rank, nrrd) ? DDR_OK : ddr_refuse(reason, "out of memory");
}

static ddr_status write_file(const Nrrd *nrrd, const char *file, ddr_reason *reason) {
  const char *misfit = ddr_nrrd_misfit(nrrd, file);
  if (!misfit) return ddr_nrrd_write(nrrd, file, reason);
  return ddr_refuse(reason, "the array does not fit the format %s", misfit);
}

ddr_status array_save(Array *array, const char *file, ddr_reason *reason) {
  const int rank = array->view.layout.rank;
  if (ddr_ndview_is_empty(&array->view))
    return ddr_refuse(reason, "%s: nothing is left of it to save", array->file);
  Nrrd *nrrd = nrrdNew();
  if (!nrrd) return ddr_refuse(reason, "out of memory");
  const ddr_array_status made = ddr_nrrd_from_ndview(&array->view, 0, nrrd);
  ddr_status status =
      made == DDR_ARRAY_OK ? DDR_OK : ddr_refuse(reason, "%s", ddr_array_status_text(made));
  if (status == DDR_OK) status = give_header(array, rank, nrrd, reason);
  if (status == DDR_OK) status = write_file(nrrd, file, reason);
  nrrdNuke(nrrd);
  return status == DDR_OK ? DDR_OK : name_file(file, reason);
}
