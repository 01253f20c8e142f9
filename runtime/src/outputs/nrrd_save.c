/* nrrd_save.c: save a result; the suffix of the file name chooses the format (files/nrrd_write.c).
 *
 * PNG stores 8 bits: integers are clamped to 0..255; reals map [0,1] to 0..255, clamped, unless all
 * of them are whole numbers and one exceeds 1: then they are grey levels already.  NaN becomes 0.
 * Read next: outputs.c.
 */
#include <math.h>
#include <stdlib.h>

#include "local.h"

/* --- eight bits for pictures ------------------------------------------------------------------ */

static double sample_at(const ddr_array *array, size_t idx) {
  const bool is_wide = array->element_size == 8;
  switch (array->kind) {
  case DDR_INT:
    return is_wide ? (double)((const int64_t *)array->data)[idx]
                   : (double)((const int32_t *)array->data)[idx];
  case DDR_REAL:
    return is_wide ? ((const double *)array->data)[idx] : (double)((const float *)array->data)[idx];
  default: return (double)((const uint8_t *)array->data)[idx];
  }
}

static bool has_grey_levels(const ddr_array *array, size_t n) {
  bool is_large = false;
  if (array->kind != DDR_REAL) return true;
  for (size_t k = 0; k < n; k++) {
    const double value = sample_at(array, k);
    if (value != floor(value) || isnan(value)) return false;
    is_large = is_large || value > 1;
  }
  return is_large;
}

static uint8_t *quantise(const ddr_array *array, size_t n) {
  uint8_t *levels = malloc(n);
  const double scale = levels && has_grey_levels(array, n) ? 1 : 255;
  for (size_t k = 0; levels && k < n; k++) {
    const double value = scale * sample_at(array, k) + 0.5;
    levels[k] = !(value > 0) ? 0 : value >= 256 ? 255 : (uint8_t)value;
  }
  return levels;
}

/* --- saving ----------------------------------------------------------------------------------- */

ddr_status ddr_nrrd_probe(ddr_world *world, const char *name) {
  ddr_reason reason;
  if (ddr_nrrd_check_name(name, &reason) == DDR_OK) return DDR_OK;
  return ddr_error(world, "Error saving \"%s\": %s", name, reason.text);
}

/* An array that does not fit a picture format keeps its values. */
static bool is_picture(const Nrrd *nrrd) {
  Nrrd picture = *nrrd;
  picture.type = nrrdTypeUChar;
  return (nrrd->dim == 2 || nrrd->dim == 3) &&
         nrrdFormatPNG->fitsInto(&picture, nrrdEncodingRaw, 0);
}

void ddr_output_note_suffix(ddr_world *world, const char *file) {
  const char *suffix = ddr_nrrd_unwritten(file);
  if (suffix)
    ddr_note(world, "\"%s\": files cannot be written as %s, so its content is nrrd", file, suffix);
}

ddr_status ddr_nrrd_save(ddr_world *world, const ddr_array *array, const char *file) {
  ddr_reason reason = {"out of memory"};
  ddr_status status = DDR_ERROR;
  uint8_t *levels = NULL;
  Nrrd *nrrd = ddr_nrrd_wrap(array, array->data, ddr_nrrd_sample_type(array));
  const bool has_levels = nrrd && ddr_nrrd_format(file) == nrrdFormatTypePNG && is_picture(nrrd);
  if (has_levels) {
    levels = quantise(array, nrrdElementNumber(nrrd));
    nrrd->data = levels;
    nrrd->type = nrrdTypeUChar;
  }
  if (nrrd && (levels || !has_levels)) {
    const char *misfit = ddr_nrrd_misfit(nrrd, file);
    if (misfit) {
      ddr_note(world, "\"%s\": the result does not fit the format %s, so its content is nrrd", file,
               misfit);
    }
    ddr_output_note_suffix(world, file);
    status = ddr_nrrd_write(nrrd, file, &reason);
  }
  if (nrrd) nrrdNix(nrrd);
  free(levels);
  if (status == DDR_OK) return DDR_OK;
  return ddr_error(world, "Error saving \"%s\": %s", file, reason.text);
}
