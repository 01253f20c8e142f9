/* supply.h: the samples of a file in order, one part after the other, so that they need not all be
 * in memory.
 *
 * Read next: supply.c (stored as they are, or compressed), stream.c.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <teem/nrrd.h>

/* Why something failed: one line. */
typedef struct ddr_problem {
  char text[300];
} ddr_problem;

/* Fills it; returns false. */
bool ddr_problem_say(ddr_problem *problem, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

typedef struct ddr_supply {
  /* Reads the next n_bytes, a whole number of samples, in this machine's form.  False: the problem
   * says why. */
  bool (*read)(struct ddr_supply *supply, void *samples, size_t n_bytes, ddr_problem *problem);
  void (*close)(struct ddr_supply *supply);
} ddr_supply;

void ddr_supply_close(ddr_supply *supply); /* NULL is fine */

typedef enum ddr_compression { DDR_UNCOMPRESSED, DDR_GZIP, DDR_BZIP2 } ddr_compression;

/* How a file stores consecutive samples. */
typedef struct ddr_stored {
  FILE *file;
  int64_t offset; /* of the first sample, or of the compressed data */
  int64_t skip;   /* bytes before the first sample in the decompressed data */
  ddr_compression compression;
  bool is_swapped; /* the other byte order */
  int type;        /* Teem's */
  double n_bytes;  /* of all samples */
  bool is_scaled;  /* each sample becomes slope * sample + intercept, a double */
  double slope, intercept;
} ddr_stored;

/* The samples of a file, uncompressed, in native byte order, and scaled.  NULL: the problem says
 * why.
 */
ddr_supply *ddr_supply_stored(const ddr_stored *stored, ddr_problem *problem);

/* Interleaves planes: `planes` supplies all first components, then all second ones, and so on; the
 * result supplies the components of each voxel side by side.  Component k is plane order[k], or
 * plane k if `order` is NULL; the array must outlive the supply.  Needs memory for all samples.
 * Takes over `planes`, also if it fails.  NULL: the problem says why. */
ddr_supply *ddr_supply_woven(ddr_supply *planes, size_t sample_size, size_t n_voxels,
                             int n_components, const int *order, ddr_problem *problem);

/* --- stream.c: the bytes of a file from an offset on ------------------------------------------ */

typedef struct ddr_stream ddr_stream;

/* Closing the stream restores the position of the file.  NULL: the problem says why. */
ddr_stream *ddr_stream_open(FILE *file, int64_t offset, ddr_compression compression,
                            ddr_problem *problem);
bool ddr_stream_read(ddr_stream *stream, void *bytes, size_t n_bytes, ddr_problem *problem);
bool ddr_stream_skip(ddr_stream *stream, int64_t n_bytes, ddr_problem *problem);
/* To be called when all has been read: whether the checksum of compressed data is there and
 * right, if it follows directly. */
bool ddr_stream_check(ddr_stream *stream, ddr_problem *problem);
void ddr_stream_close(ddr_stream *stream);
