/* files.h: files of arrays through Teem: read, and written complete or not at all.
 *
 * Every failure is one line of text.  `ddr_reason` holds it until the caller has put the names of
 * input and file before it.  This folder needs no world; ddr-array uses it as well.
 * Read next: nrrd_read.c, nrrd_write.c; nrrd_layout.h (arrays as views).
 */
#pragma once

#include <stdio.h>
#include <teem/nrrd.h>

#include "ddr/ddr.h"
#include "mapping.h"
#include "runtime/formats/formats.h"

typedef struct ddr_reason {
  char text[480];
} ddr_reason;

/* Fills the reason and returns DDR_ERROR. */
ddr_status ddr_refuse(ddr_reason *reason, const char *format, ...) DDR_PRINTF(2, 3);

/* --- nrrd_read.c ------------------------------------------------------------------------------ */

/* Held by any code that calls functions of Teem that may record errors. */
void ddr_teem_lock(void);
void ddr_teem_unlock(void);

/* Takes the root cause out of biff, which is empty afterwards; `fallback` if there is none. */
ddr_status ddr_refuse_biff(ddr_reason *reason, const char *fallback);

/* An open file, by its name ("-": standard input). */
typedef struct ddr_nrrd_file {
  const char *name;
  const char *title; /* for messages about a mapped file; NULL: do not map the data */
  size_t spare;      /* bytes that must be readable after mapped data */
  Nrrd *nrrd;
  NrrdIoState *nio;
  bool is_mapped; /* the data of nrrd is mapped, and read-only */
  ddr_mapping mapping;
  ddr_supply *supply; /* if not NULL, the nrrd has no data yet, and this reads all of it */
  FILE *stored;       /* the file that the supply reads */
} ddr_nrrd_file;

/* Whether the program can use an array with this header. */
typedef ddr_status ddr_nrrd_check(const ddr_nrrd_file *file, void *data, ddr_reason *reason);

/* Fills reader->nrrd with header and data, in any format that Teem or runtime/formats reads.  The
 * check is called before memory is allocated.  With a title, data is mapped if one file contains it
 * in the machine's representation; otherwise it is left to a supply where possible.  Close the
 * reader in any case; to keep the mapping, move it out first.  Standard input can be read once. */
ddr_status ddr_nrrd_read(bool *is_stdin_taken, ddr_nrrd_file *reader, ddr_nrrd_check *check,
                         void *data, ddr_reason *reason);
void ddr_nrrd_close(ddr_nrrd_file *reader);

/* nrrd_supply.c: reads all data of the supply into the nrrd; does nothing without one. */
ddr_status ddr_nrrd_drain(ddr_nrrd_file *reader, ddr_reason *reason);

/* --- nrrd_write.c ----------------------------------------------------------------------------- */

/* The format of a file of that name, as Teem numbers them; and the name of the format if the array
 * does not fit it, else NULL: it is written as nrrd then. */
int ddr_nrrd_format(const char *name);
const char *ddr_nrrd_misfit(const Nrrd *nrrd, const char *name);
/* The suffix of the name, such as .jpg or .Nii, if it promises another format than that in which
 * the file is written, which is nrrd; else NULL. */
const char *ddr_nrrd_unwritten(const char *name);
ddr_status ddr_nrrd_write(const Nrrd *nrrd, const char *name, ddr_reason *reason);

/* Whether a file of that name could be written, as far as this can be checked before writing. */
ddr_status ddr_nrrd_check_name(const char *name, ddr_reason *reason);

/* Whether samples go into a file of their own beside that header; and the name of this file: free
 * it.  NULL: out of memory. */
bool ddr_nrrd_is_detached(const char *name);
char *ddr_nrrd_data_name(const char *name);
