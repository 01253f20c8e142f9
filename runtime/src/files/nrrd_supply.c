/* nrrd_supply.c: arrays whose samples are mapped or read in order; formats that Teem does not read.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "local.h"
#include "runtime/src/world/memory.h"

/* --- sizes ------------------------------------------------------------------------------------ */

double ddr_nrrd_bytes(const Nrrd *nrrd) {
  double n_bytes = (double)nrrdTypeSize[nrrd->type];
  for (unsigned k = 0; k < nrrd->dim; k++) n_bytes *= (double)nrrd->axis[k].size;
  return n_bytes;
}

static ddr_status refuse_size(double n_bytes, ddr_reason *reason) {
  return ddr_refuse(reason, "its sizes need %.3g bytes of memory, there are %.3g", n_bytes,
                    (double)ddr_most_memory());
}

ddr_status ddr_nrrd_check_axes(const Nrrd *nrrd, ddr_reason *reason) {
  for (unsigned k = 0; k < nrrd->dim; k++) {
    if (nrrd->axis[k].size > 0) continue;
    return ddr_refuse(reason, "nrrd axis[%u] has size 0 (expected at least 1)", k);
  }
  const double n_bytes = ddr_nrrd_bytes(nrrd);
  return n_bytes < (double)(PTRDIFF_MAX / 2) ? DDR_OK : refuse_size(n_bytes, reason);
}

ddr_status ddr_nrrd_check_memory(const Nrrd *nrrd, ddr_reason *reason) {
  const double n_bytes = ddr_nrrd_bytes(nrrd);
  return n_bytes <= (double)ddr_most_memory() ? DDR_OK : refuse_size(n_bytes, reason);
}

static ddr_status check_stored(const ddr_formatted *opened, const char *name, FILE *file,
                               ddr_reason *reason) {
  struct stat info;
  if (fstat(fileno(file), &info) != 0 || opened->least_bytes <= (double)info.st_size) return DDR_OK;
  return ddr_refuse(reason,
                    "the data is truncated: a %s file needs at least %.0f bytes for its sizes, "
                    "found %lld",
                    name, opened->least_bytes, (long long)info.st_size);
}

/* --- where they lie --------------------------------------------------------------------------- */

bool ddr_nrrd_map(ddr_nrrd_file *reader, FILE *file, int64_t offset) {
  reader->is_mapped = ddr_map_file(fileno(file), offset, (size_t)ddr_nrrd_bytes(reader->nrrd),
                                   reader->spare, reader->title, reader->name, &reader->mapping);
  /* A mapped Nrrd is never written to. */
  union {
    const void *constant;
    void *plain;
  } samples = {.constant = reader->mapping.data};
  if (reader->is_mapped) reader->nrrd->data = samples.plain;
  return reader->is_mapped;
}

/* --- in order --------------------------------------------------------------------------------- */

ddr_status ddr_nrrd_drain(ddr_nrrd_file *reader, ddr_reason *reason) {
  ddr_problem problem = {""};
  if (!reader->supply) return DDR_OK;
  const size_t n_bytes = (size_t)ddr_nrrd_bytes(reader->nrrd);
  reader->nrrd->data = malloc(n_bytes);
  if (!reader->nrrd->data) return ddr_refuse(reason, "out of memory");
  ddr_supply *supply = reader->supply;
  const bool is_read = supply->read(supply, reader->nrrd->data, n_bytes, &problem);
  ddr_supply_close(supply);
  reader->supply = NULL;
  return is_read ? DDR_OK : ddr_refuse(reason, "%s", problem.text);
}

/* --- formats ---------------------------------------------------------------------------------- */

/* Returns what Teem's readers return; only the header has been read when the check is called. */
static ddr_status open_format(ddr_nrrd_file *reader, FILE *file, const ddr_file_format *format,
                              ddr_formatted *opened, ddr_reason *reason) {
  ddr_problem problem = {""};
  reader->nrrd = nrrdNew();
  reader->nio = nrrdIoStateNew();
  if (!reader->nrrd || !reader->nio) return ddr_refuse(reason, "out of memory");
  const bool is_open = format->open(file, reader->nrrd, opened, &problem);
  reader->supply = opened->supply;
  return is_open ? DDR_OK : ddr_refuse(reason, "%s", problem.text);
}

ddr_status ddr_nrrd_read_format(ddr_nrrd_file *reader, FILE *file, const ddr_file_format *format,
                                ddr_nrrd_check *check, void *data, ddr_reason *reason) {
  ddr_formatted opened = {.offset = -1};
  if (open_format(reader, file, format, &opened, reason) != DDR_OK ||
      ddr_nrrd_check_axes(reader->nrrd, reason) != DDR_OK ||
      check(reader, data, reason) != DDR_OK ||
      check_stored(&opened, format->name, file, reason) != DDR_OK) {
    return DDR_ERROR;
  }
  if (reader->title && opened.offset >= 0 && ddr_nrrd_map(reader, file, opened.offset)) {
    ddr_supply_close(reader->supply);
    reader->supply = NULL;
    return DDR_OK;
  }
  if (ddr_nrrd_check_memory(reader->nrrd, reason) != DDR_OK) return DDR_ERROR;
  if (!reader->title) return ddr_nrrd_drain(reader, reason);
  reader->stored = file;
  return DDR_OK;
}
