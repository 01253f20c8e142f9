/* output_file.h: the file of a result, which appears under its name complete or not at all.
 *
 * A regular file has no name while it is written, where the system supports that, so nothing is
 * left behind even if the process is killed.  Elsewhere it has a temporary name beside the final
 * one.  Devices, pipes and standard output are written in place. A file that other ranks write,
 * too, has the temporary name from the beginning.
 * Read next: nrrd_write.c.
 */
#pragma once

#include "files.h"

typedef struct ddr_output_file {
  FILE *file;
  char *final;     /* the final name, symbolic links resolved; NULL: written in place */
  char *temporary; /* name beside the final one */
  bool has_name;   /* whether the file has the temporary name */
} ddr_output_file;

/* Whether the file NAME could be opened now. Changes nothing. */
ddr_status ddr_output_file_probe(const char *name, ddr_reason *reason);

/* Opens the file NAME ("-": standard output) for writing. */
ddr_status ddr_output_file_open(ddr_output_file *output, const char *name, ddr_reason *reason);

/* Who writes into a file: only this process, others as well, or those of several machines by
 * ddr_output_file_put. */
typedef enum { DDR_WRITE_ALONE, DDR_WRITE_TOGETHER, DDR_WRITE_FAR_APART } ddr_writers;

/* Likewise, but others can open the file by its temporary name once output->file is flushed.  Not
 * for files that are written in place. */
ddr_status ddr_output_file_open_shared(ddr_output_file *output, const char *name,
                                       ddr_writers writers, ddr_reason *reason);

/* Opens such a file of another process; only `file` is set. */
ddr_status ddr_output_file_join(ddr_output_file *output, const char *temporary, ddr_writers writers,
                                ddr_reason *reason);

/* Writes bytes at an offset of a file with a temporary name or none; thread-safe.  Bytes that are
 * never written are 0.  Flush output->file first if anything was written to it. */
ddr_status ddr_output_file_put(const ddr_output_file *output, int64_t at, const void *bytes,
                               size_t n_bytes, ddr_reason *reason);

/* Everything was written: after DDR_OK the file only lacks its name. */
ddr_status ddr_output_file_finish(ddr_output_file *output, ddr_reason *reason);

/* Gives the file its name if the status is DDR_OK, else removes it.  Returns the final status. */
ddr_status ddr_output_file_close(ddr_output_file *output, ddr_status status, ddr_reason *reason);

/* --- nrrd_write.c: a nrrd whose samples come piece by piece ----------------------------------- */

typedef struct ddr_nrrd_pieces {
  ddr_output_file data, header; /* `header` only for detached headers */
  int64_t begin;                /* offset of the samples in their file */
} ddr_nrrd_pieces;

/* Whether a file of that name can be written in pieces: not pictures, nor what must be written in
 * order. */
bool ddr_nrrd_takes_pieces(const char *name);

/* Begins a file with the header of `nrrd`, whose data is not read.  Other writers write from
 * `begin` on in the file with the temporary name.  Must be finished in any case: with DDR_OK the
 * file gets its name, otherwise it is removed. */
ddr_status ddr_nrrd_open(const Nrrd *nrrd, const char *name, ddr_writers writers,
                         ddr_nrrd_pieces *pieces, ddr_reason *reason);

/* Begins to write samples into a file that another process has opened so, which gives it its name
 * later.  Must be finished likewise. */
ddr_status ddr_nrrd_join(const char *temporary, int64_t begin, ddr_writers writers,
                         ddr_nrrd_pieces *pieces, ddr_reason *reason);
ddr_status ddr_nrrd_put(const ddr_nrrd_pieces *pieces, int64_t at, const void *bytes,
                        size_t n_bytes, ddr_reason *reason);
ddr_status ddr_nrrd_finish(ddr_nrrd_pieces *pieces, ddr_status status, ddr_reason *reason);
