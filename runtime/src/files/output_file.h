/* output_file.h: a result's file, which takes its name when it is complete, or not at all.
 *
 * A regular file has no name while it is written, where the system can do that: whatever ends the
 * process leaves nothing behind.  Elsewhere it has a temporary name beside the final one.  Devices,
 * pipes and standard output are written in place.
 * Where other ranks write into it, too, it has the temporary name from the beginning.
 * Read next: nrrd_write.c.
 */
#pragma once

#include "files.h"

typedef struct ddr_output_file {
  FILE *file;
  char *final;     /* name to appear under, symbolic links resolved; NULL: written in place */
  char *temporary; /* beside it */
  bool has_name;   /* the temporary one */
} ddr_output_file;

/* Could the file NAME be opened now? Nothing is touched. */
ddr_status ddr_output_file_probe(const char *name, ddr_reason *reason);

/* The file NAME ("-": standard output), open for writing. */
ddr_status ddr_output_file_open(ddr_output_file *output, const char *name, ddr_reason *reason);

/* Likewise a file that other processes find by its temporary name, as soon as output->file is
 * flushed; not what is written in place. */
ddr_status ddr_output_file_open_shared(ddr_output_file *output, const char *name,
                                       ddr_reason *reason);

/* Writes bytes at an offset of a file with a temporary name or none, in any thread; bytes that are
 * not written are zeros.  What has been written to output->file before must be flushed. */
ddr_status ddr_output_file_put(const ddr_output_file *output, int64_t at, const void *bytes,
                               size_t n_bytes, ddr_reason *reason);

/* Everything was written: after DDR_OK only the name is missing. */
ddr_status ddr_output_file_finish(ddr_output_file *output, ddr_reason *reason);

/* Take the name when the status is DDR_OK, else leave no trace.  Returns how it ended. */
ddr_status ddr_output_file_close(ddr_output_file *output, ddr_status status, ddr_reason *reason);

/* --- nrrd_write.c: a nrrd whose samples come piece by piece ----------------------------------- */

typedef struct ddr_nrrd_pieces {
  ddr_output_file data, header; /* the latter only where it is a file of its own */
  int64_t begin;                /* of the samples in their file */
} ddr_nrrd_pieces;

/* Can that be a file of that name? Not a picture, nor what can only be written in order. */
bool ddr_nrrd_takes_pieces(const char *name);

/* Who writes the samples: this process, or also others, to `begin` behind the temporary name. */
typedef enum { DDR_WRITE_ALONE, DDR_WRITE_TOGETHER } ddr_nrrd_writers;

/* Begins a file with the header of `nrrd`, whose data is not read.  Must be finished in any case:
 * with DDR_OK the file gets its name, else it is removed. */
ddr_status ddr_nrrd_open(const Nrrd *nrrd, const char *name, ddr_nrrd_writers writers,
                         ddr_nrrd_pieces *pieces, ddr_reason *reason);
ddr_status ddr_nrrd_put(const ddr_nrrd_pieces *pieces, int64_t at, const void *bytes,
                        size_t n_bytes, ddr_reason *reason);
ddr_status ddr_nrrd_finish(ddr_nrrd_pieces *pieces, ddr_status status, ddr_reason *reason);
