/* formats.h: files of arrays in formats that Teem does not know.
 *
 * A format is a row of formats.def: a test of the bytes that its files begin with, and a reader.
 * The reader gives what Teem's readers give: a Nrrd with type, axes and orientation; and the
 * samples in order, one part after the other.  Callers need to know nothing of the format.  Files
 * are not trusted. Read next: formats.c, nifti.c, tiff.c; supply.h.
 */
#pragma once

#include "runtime/formats/supply.h"

typedef struct ddr_formatted {
  const char *name;   /* of the format */
  int64_t offset;     /* of the samples, if they are stored in this machine's form; else -1 */
  double least_bytes; /* that a file with so many samples must have */
  ddr_supply *supply; /* of all samples */
} ddr_formatted;

typedef struct ddr_file_format {
  const char *name;
  bool (*is_it)(FILE *file); /* may read from the file, and leave it anywhere */
  /* Fills the header and `opened`, which the caller has emptied.  The caller closes the supply,
   * also after a failure, and keeps the file open until then.  False: the problem says why. */
  bool (*open)(FILE *file, Nrrd *header, ddr_formatted *opened, ddr_problem *problem);
} ddr_file_format;

/* The format of a file, which must be seekable and is left at its beginning; NULL: none of these.
 */
const ddr_file_format *ddr_file_format_of(FILE *file);
