/* files.h: files of arrays through Teem: read, and written complete or not at all.
 *
 * Every failure is one line of text; `ddr_reason` holds it until the caller has put the names of
 * input and file before it.  No world is needed here; ddr-array uses this room as well.
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

/* Around what libraries do with Teem that may fail. */
void ddr_teem_lock(void);
void ddr_teem_unlock(void);

/* The root cause that biff has recorded, and an empty biff.  `fallback` when there is none. */
ddr_status ddr_refuse_biff(ddr_reason *reason, const char *fallback);

/* An open file, by its name ("-": standard input). */
typedef struct ddr_nrrd_file {
  const char *name;
  const char *title; /* what it is read for; NULL: the data is not to be mapped */
  size_t spare;      /* bytes that shall be readable behind mapped data */
  Nrrd *nrrd;
  NrrdIoState *nio;
  bool is_mapped; /* the data of nrrd, which is to be read only */
  ddr_mapping mapping;
  ddr_supply *supply; /* if it is there, the nrrd has no data yet, and this reads all of it */
  FILE *stored;       /* the file that the supply reads */
} ddr_nrrd_file;

/* Says whether the program can use what the header announces. */
typedef ddr_status ddr_nrrd_check(const ddr_nrrd_file *file, void *data, ddr_reason *reason);

/* Fills reader->nrrd, data included, in any format that Teem or runtime/formats reads; the check
 * comes before any memory is asked for.  With a title, data is mapped where it lies in one file as
 * this machine has it, else left to a supply where that can be.  Close the reader in any case;
 * to keep the mapping, take it out before.  Standard input can be read once. */
ddr_status ddr_nrrd_read(bool *is_stdin_taken, ddr_nrrd_file *reader, ddr_nrrd_check *check,
                         void *data, ddr_reason *reason);
void ddr_nrrd_close(ddr_nrrd_file *reader);

/* nrrd_supply.c: what the supply has becomes the data of the nrrd; fine without one. */
ddr_status ddr_nrrd_drain(ddr_nrrd_file *reader, ddr_reason *reason);

/* --- nrrd_write.c ----------------------------------------------------------------------------- */

/* The format that a file's name asks for, as Teem numbers them; and its own, if the array does not
 * fit it, else NULL.  Writing makes it nrrd then. */
int ddr_nrrd_format(const char *name);
const char *ddr_nrrd_misfit(const Nrrd *nrrd, const char *name);
ddr_status ddr_nrrd_write(const Nrrd *nrrd, const char *name, ddr_reason *reason);

/* Could a file of that name be written, as far as can be told beforehand? */
ddr_status ddr_nrrd_check_name(const char *name, ddr_reason *reason);

/* Whether samples go into a file of their own beside that name, and its name: free it.  NULL:
 * memory is short. */
bool ddr_nrrd_is_detached(const char *name);
char *ddr_nrrd_data_name(const char *name);
