/* nrrd_write.c: save a result; the suffix of the file name chooses the format.
 *
 * .nhdr: header and raw data beside it; .png .pgm .ppm .vtk .txt .text .ascii: that format when the
 * array fits, else nrrd content under that name and a note; anything else: nrrd with its header.
 * PNG stores 8 bits: integers are clamped to 0..255; reals map [0,1] to 0..255, clamped, unless all
 * of them are whole numbers and one exceeds 1: then they are grey levels already.  NaN becomes 0.
 * Read next: output_file.h (a file appears complete or not at all), outputs.c.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output_file.h"
#include "runtime/header/header.h"

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

/* --- formats ---------------------------------------------------------------------------------- */

static const struct {
  const char *suffix;
  int format;
} suffixes[] = {
    {".png", nrrdFormatTypePNG},    {".pgm", nrrdFormatTypePNM},  {".ppm", nrrdFormatTypePNM},
    {".vtk", nrrdFormatTypeVTK},    {".txt", nrrdFormatTypeText}, {".text", nrrdFormatTypeText},
    {".ascii", nrrdFormatTypeText},
};

static bool ends_with(const char *name, const char *suffix) {
  const size_t n = strlen(name), n_suffix = strlen(suffix);
  return n > n_suffix && strcmp(name + n - n_suffix, suffix) == 0;
}

static int format_of(const char *name) {
  for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++) {
    if (ends_with(name, suffixes[k].suffix)) return suffixes[k].format;
  }
  return nrrdFormatTypeNRRD;
}

/* --- saving ----------------------------------------------------------------------------------- */

static ddr_status write_formatted(const ddr_output_file *output, const Nrrd *nrrd, NrrdIoState *nio,
                                  ddr_reason *reason) {
  errno = 0;
  if (!nrrdWrite(output->file, nrrd, nio)) return DDR_OK;
  ddr_refuse_biff(reason, "it cannot be written");
  return errno ? ddr_refuse(reason, "%s", strerror(errno)) : DDR_ERROR;
}

static ddr_status write_raw(const ddr_output_file *output, const Nrrd *nrrd, ddr_reason *reason) {
  const size_t n = nrrdElementNumber(nrrd), size = nrrdElementSize(nrrd);
  errno = 0;
  if (fwrite(nrrd->data, size, n, output->file) == n) return DDR_OK;
  return ddr_refuse(reason, "%s", strerror(errno ? errno : EIO));
}

static ddr_status write_one(const Nrrd *nrrd, NrrdIoState *nio, const char *name,
                            ddr_reason *reason) {
  ddr_output_file output;
  ddr_status status = ddr_output_file_open(&output, name, reason);
  if (status == DDR_OK) status = write_formatted(&output, nrrd, nio, reason);
  if (status == DDR_OK) status = ddr_output_file_finish(&output, reason);
  return ddr_output_file_close(&output, status, reason);
}

/* Both are complete before either takes its name, the data first. */
static ddr_status write_both(const Nrrd *nrrd, NrrdIoState *nio, const char *header_name,
                             const char *data_name, ddr_reason *reason) {
  ddr_output_file data, header = {0};
  ddr_status status = ddr_output_file_open(&data, data_name, reason);
  if (status == DDR_OK) status = ddr_output_file_open(&header, header_name, reason);
  if (status == DDR_OK) status = write_raw(&data, nrrd, reason);
  if (status == DDR_OK) status = write_formatted(&header, nrrd, nio, reason);
  if (status == DDR_OK) status = ddr_output_file_finish(&data, reason);
  if (status == DDR_OK) status = ddr_output_file_finish(&header, reason);
  status = ddr_output_file_close(&data, status, reason);
  return ddr_output_file_close(&header, status, reason);
}

static const char *base_of(const char *name) {
  const char *slash = strrchr(name, '/');
  return slash ? slash + 1 : name;
}

static ddr_status check_detached(const char *name, ddr_reason *reason) {
  if (ddr_header_can_name(base_of(name))) return DDR_OK;
  return ddr_refuse(reason, "the header cannot name its data file (expected a name without %%d and "
                            "line ends)");
}

/* BASE.nhdr names ./BASE.raw. */
static ddr_status write_detached(const Nrrd *nrrd, NrrdIoState *nio, const char *name,
                                 ddr_reason *reason) {
  const size_t n_stem = strlen(name) - strlen(".nhdr");
  const char *base = base_of(name);
  if (check_detached(name, reason) != DDR_OK) return DDR_ERROR;
  char *data_name = ddr_format("%.*s.raw", (int)n_stem, name);
  nio->detachedHeader = 1;
  nio->skipData = 1;
  nio->path = ddr_format(".");
  nio->base = ddr_format("%.*s", (int)(n_stem - (size_t)(base - name)), base);
  const bool is_short = !data_name || !nio->path || !nio->base;
  const ddr_status status = is_short ? ddr_refuse(reason, "out of memory")
                                     : write_both(nrrd, nio, name, data_name, reason);
  free(data_name);
  return status;
}

ddr_status ddr_nrrd_probe(ddr_world *world, const char *name) {
  ddr_reason reason;
  ddr_status status = ddr_output_file_probe(name, &reason);
  if (status == DDR_OK && ends_with(name, ".nhdr")) status = check_detached(name, &reason);
  if (status == DDR_OK) return DDR_OK;
  return ddr_error(world, "Error saving \"%s\": %s", name, reason.text);
}

static bool fits(const NrrdFormat *format, const Nrrd *nrrd) {
  return format->available() && format->fitsInto(nrrd, nrrdEncodingRaw, 0);
}

const char *ddr_nrrd_misfit(const Nrrd *nrrd, const char *name) {
  const NrrdFormat *format = nrrdFormatArray[format_of(name)];
  return fits(format, nrrd) ? NULL : format->name;
}

ddr_status ddr_nrrd_write(const Nrrd *nrrd, const char *name, ddr_reason *reason) {
  NrrdIoState *nio = nrrdIoStateNew();
  if (!nio) return ddr_refuse(reason, "out of memory");
  const NrrdFormat *format = nrrdFormatArray[format_of(name)];
  nio->encoding = nrrdEncodingRaw;
  nio->format = fits(format, nrrd) ? format : nrrdFormatNRRD;
  const ddr_status status = ends_with(name, ".nhdr") ? write_detached(nrrd, nio, name, reason)
                                                     : write_one(nrrd, nio, name, reason);
  nrrdIoStateNix(nio);
  return status;
}

/* An array that is no picture keeps its values. */
static bool is_picture(const Nrrd *nrrd) {
  Nrrd picture = *nrrd;
  picture.type = nrrdTypeUChar;
  return (nrrd->dim == 2 || nrrd->dim == 3) &&
         nrrdFormatPNG->fitsInto(&picture, nrrdEncodingRaw, 0);
}

ddr_status ddr_nrrd_save(ddr_world *world, const ddr_array *array, const char *file) {
  ddr_reason reason = {"out of memory"};
  ddr_status status = DDR_ERROR;
  uint8_t *levels = NULL;
  Nrrd *nrrd = ddr_nrrd_wrap(array, array->data, ddr_nrrd_sample_type(array));
  const bool has_levels = nrrd && format_of(file) == nrrdFormatTypePNG && is_picture(nrrd);
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
    status = ddr_nrrd_write(nrrd, file, &reason);
  }
  if (nrrd) nrrdNix(nrrd);
  free(levels);
  if (status == DDR_OK) return DDR_OK;
  return ddr_error(world, "Error saving \"%s\": %s", file, reason.text);
}
