/* formats.h: files of arrays in formats that Teem does not know.
 *
 * A format is a row of formats.def: bytes that its files begin with, and a reader, which makes of a
 * file what Teem makes of one: a Nrrd with types, axes and places, and its samples in order, one
 * part after the other.  Whoever uses that knows nothing of the format.  Files are not trusted.
 * Read next: formats.c, nifti.c, tiff.c; supply.h.
 */
#pragma once

#include "runtime/formats/supply.h"

typedef struct ddr_formatted {
  const char *name;   /* of the format */
  int64_t offset;     /* of the samples, where they lie as this machine has them; else -1 */
  double least_bytes; /* in which the file can hold so many samples */
  ddr_supply *supply; /* of all samples */
} ddr_formatted;

typedef struct ddr_file_format {
  const char *name;
  bool (*is_it)(FILE *file); /* anything can be read from it */
  /* Fills the header, and what is said above, which is empty before: close the supply in any case.
   * The file stays open as long. */
  bool (*open)(FILE *file, Nrrd *header, ddr_formatted *opened, ddr_problem *problem);
} ddr_file_format;

/* The format of a file that can be rewound, and is left at its beginning; NULL: none of these. */
const ddr_file_format *ddr_file_format_of(FILE *file);
