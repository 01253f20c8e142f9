/* nrrd_write.c: writes an array; the suffix of the file name chooses the format.
 *
 * .nhdr: header, with raw data in a file beside it; .png .pgm .ppm .vtk .txt .text .ascii: that
 * format, in any case of letters, if the array fits it, else nrrd content under that name; anything
 * else: nrrd with attached data.
 * Read next: output_file.h (a file appears complete or not at all).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "local.h"
#include "names.h"
#include "output_file.h"
#include "runtime/header/header.h"
#include "runtime/src/world/text.h"

/* --- formats ---------------------------------------------------------------------------------- */

static const struct {
  const char *suffix;
  int format;
} suffixes[] = {
    {".png", nrrdFormatTypePNG},    {".pgm", nrrdFormatTypePNM},  {".ppm", nrrdFormatTypePNM},
    {".vtk", nrrdFormatTypeVTK},    {".txt", nrrdFormatTypeText}, {".text", nrrdFormatTypeText},
    {".ascii", nrrdFormatTypeText},
};

/* The last n characters of a name that has more, else nothing. */
static const char *last_of(const char *name, size_t n) {
  const size_t length = strlen(name);
  return length > n ? name + length - n : "";
}

/* In any case: OUT.PNG is a picture, too. */
int ddr_nrrd_format(const char *name) {
  for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++) {
    const char *suffix = suffixes[k].suffix;
    if (strcasecmp(last_of(name, strlen(suffix)), suffix) == 0) return suffixes[k].format;
  }
  return nrrdFormatTypeNRRD;
}

/* Formats that users may expect. */
static const char *const unwritten[] = {".jpg", ".jpeg", ".tif", ".tiff", ".gif", ".bmp", ".webp",
                                        ".nii", ".npy",  ".csv", ".mha",  ".pnm", ".h5"};

const char *ddr_nrrd_unwritten(const char *name) {
  const char *suffix = strrchr(name, '.');
  for (size_t k = 0; suffix && k < sizeof unwritten / sizeof *unwritten; k++) {
    if (strcasecmp(suffix, unwritten[k]) == 0) return suffix;
  }
  return NULL;
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

/* Both files are complete before either gets its name; the data gets it first. */
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

static const char *base_of(const char *name) { return name + ddr_folder_length(name); }

static ddr_status check_detached(const char *name, ddr_reason *reason) {
  if (ddr_header_can_name(base_of(name))) return DDR_OK;
  return ddr_refuse(reason, "the header cannot name its data file (expected a name without %%d and "
                            "line ends)");
}

bool ddr_nrrd_is_detached(const char *name) {
  return strcmp(last_of(name, strlen(".nhdr")), ".nhdr") == 0;
}

static size_t stem_length(const char *name) { return strlen(name) - strlen(".nhdr"); }

char *ddr_nrrd_data_name(const char *name) {
  return ddr_format("%.*s.raw", (int)stem_length(name), name);
}

/* Makes the header BASE.nhdr refer to ./BASE.raw; returns the path of that file, or NULL: out of
 * memory. */
static char *detach(const char *name, NrrdIoState *nio) {
  const size_t n_stem = stem_length(name);
  const char *base = base_of(name);
  char *data_name = ddr_nrrd_data_name(name);
  nio->detachedHeader = 1;
  nio->path = ddr_format(".");
  nio->base = ddr_format("%.*s", (int)(n_stem - (size_t)(base - name)), base);
  if (data_name && nio->path && nio->base) return data_name;
  free(data_name);
  return NULL;
}

static ddr_status write_detached(const Nrrd *nrrd, NrrdIoState *nio, const char *name,
                                 ddr_reason *reason) {
  if (check_detached(name, reason) != DDR_OK) return DDR_ERROR;
  char *data_name = detach(name, nio);
  nio->skipData = 1;
  const ddr_status status = data_name ? write_both(nrrd, nio, name, data_name, reason)
                                      : ddr_refuse(reason, "out of memory");
  free(data_name);
  return status;
}

/* --- piece by piece --------------------------------------------------------------------------- */

bool ddr_nrrd_takes_pieces(const char *name) {
  struct stat info;
  const bool exists = stat(name, &info) == 0;
  return strcmp(name, "-") != 0 && ddr_nrrd_format(name) == nrrdFormatTypeNRRD &&
         (!exists || S_ISREG(info.st_mode));
}

/* Checks beforehand, as far as possible, whether the disk has room for the file. */
static ddr_status check_space(const ddr_output_file *output, const Nrrd *nrrd, ddr_reason *reason) {
  struct statvfs space;
  if (fstatvfs(fileno(output->file), &space) != 0) return DDR_OK;
  const double n_bytes = ddr_nrrd_bytes(nrrd);
  const double n_free = (double)space.f_bavail * (double)space.f_frsize;
  if (n_bytes <= n_free) return DDR_OK;
  return ddr_refuse(reason, "it needs %.3g bytes, there are %.3g free", n_bytes, n_free);
}

static ddr_status open_data(ddr_nrrd_pieces *pieces, const char *name, ddr_writers writers,
                            ddr_reason *reason) {
  return writers == DDR_WRITE_ALONE
             ? ddr_output_file_open(&pieces->data, name, reason)
             : ddr_output_file_open_shared(&pieces->data, name, writers, reason);
}

static ddr_status open_pieces(const Nrrd *nrrd, NrrdIoState *nio, const char *name,
                              ddr_writers writers, ddr_nrrd_pieces *pieces, ddr_reason *reason) {
  const bool is_detached = ddr_nrrd_is_detached(name);
  char *data_name = is_detached ? detach(name, nio) : ddr_format("%s", name);
  ddr_status status = data_name ? DDR_OK : ddr_refuse(reason, "out of memory");
  ddr_output_file *header = is_detached ? &pieces->header : &pieces->data;
  if (status == DDR_OK) status = open_data(pieces, data_name, writers, reason);
  if (status == DDR_OK) status = check_space(&pieces->data, nrrd, reason);
  if (status == DDR_OK && is_detached) status = ddr_output_file_open(header, name, reason);
  if (status == DDR_OK) status = write_formatted(header, nrrd, nio, reason);
  bool is_out = status == DDR_OK && fflush(header->file) == 0;
  if (is_out && writers != DDR_WRITE_ALONE) is_out = fsync(fileno(header->file)) == 0;
  if (is_out && !is_detached) pieces->begin = ftell(header->file);
  if (status == DDR_OK && (!is_out || pieces->begin < 0))
    status = ddr_refuse(reason, "%s", strerror(errno));
  free(data_name);
  return status;
}

ddr_status ddr_nrrd_open(const Nrrd *nrrd, const char *name, ddr_writers writers,
                         ddr_nrrd_pieces *pieces, ddr_reason *reason) {
  *pieces = (ddr_nrrd_pieces){.begin = 0};
  NrrdIoState *nio = nrrdIoStateNew();
  if (!nio) return ddr_refuse(reason, "out of memory");
  nio->encoding = nrrdEncodingRaw;
  nio->format = nrrdFormatNRRD;
  nio->skipData = 1;
  const ddr_status status = open_pieces(nrrd, nio, name, writers, pieces, reason);
  nrrdIoStateNix(nio);
  return status;
}

ddr_status ddr_nrrd_join(const char *temporary, int64_t begin, ddr_writers writers,
                         ddr_nrrd_pieces *pieces, ddr_reason *reason) {
  *pieces = (ddr_nrrd_pieces){.begin = begin};
  return ddr_output_file_join(&pieces->data, temporary, writers, reason);
}

ddr_status ddr_nrrd_put(const ddr_nrrd_pieces *pieces, int64_t at, const void *bytes,
                        size_t n_bytes, ddr_reason *reason) {
  return ddr_output_file_put(&pieces->data, pieces->begin + at, bytes, n_bytes, reason);
}

ddr_status ddr_nrrd_finish(ddr_nrrd_pieces *pieces, ddr_status status, ddr_reason *reason) {
  const bool is_detached = pieces->header.file != NULL;
  if (status == DDR_OK) status = ddr_output_file_finish(&pieces->data, reason);
  if (status == DDR_OK && is_detached) status = ddr_output_file_finish(&pieces->header, reason);
  status = ddr_output_file_close(&pieces->data, status, reason);
  return ddr_output_file_close(&pieces->header, status, reason);
}

ddr_status ddr_nrrd_check_name(const char *name, ddr_reason *reason) {
  if (ddr_output_file_probe(name, reason) != DDR_OK) return DDR_ERROR;
  return ddr_nrrd_is_detached(name) ? check_detached(name, reason) : DDR_OK;
}

static bool fits(const NrrdFormat *format, const Nrrd *nrrd) {
  return format->available() && format->fitsInto(nrrd, nrrdEncodingRaw, 0);
}

const char *ddr_nrrd_misfit(const Nrrd *nrrd, const char *name) {
  const NrrdFormat *format = nrrdFormatArray[ddr_nrrd_format(name)];
  return fits(format, nrrd) ? NULL : format->name;
}

ddr_status ddr_nrrd_write(const Nrrd *nrrd, const char *name, ddr_reason *reason) {
  NrrdIoState *nio = nrrdIoStateNew();
  if (!nio) return ddr_refuse(reason, "out of memory");
  const NrrdFormat *format = nrrdFormatArray[ddr_nrrd_format(name)];
  nio->encoding = nrrdEncodingRaw;
  nio->format = fits(format, nrrd) ? format : nrrdFormatNRRD;
  const ddr_status status = ddr_nrrd_is_detached(name) ? write_detached(nrrd, nio, name, reason)
                                                       : write_one(nrrd, nio, name, reason);
  nrrdIoStateNix(nio);
  return status;
}
