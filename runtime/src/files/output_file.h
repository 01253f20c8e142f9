/* output_file.h: a result's file, which takes its name when it is complete, or not at all.
 *
 * A regular file has no name while it is written, where the system can do that: whatever ends the
 * process leaves nothing behind.  Elsewhere it has a temporary name beside the final one.  Devices,
 * pipes and standard output are written in place.
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

/* Everything was written: after DDR_OK only the name is missing. */
ddr_status ddr_output_file_finish(ddr_output_file *output, ddr_reason *reason);

/* Take the name when the status is DDR_OK, else leave no trace.  Returns how it ended. */
ddr_status ddr_output_file_close(ddr_output_file *output, ddr_status status, ddr_reason *reason);
