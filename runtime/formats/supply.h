/* supply.h: samples of a file in order, one part after the other, so that nobody has to have them
 * all.
 *
 * Read next: supply.c (stored as they are, or by gzip), stream.c.
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

/* Fills it; false. */
bool ddr_problem_say(ddr_problem *problem, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

typedef struct ddr_supply {
  /* The next bytes, of whole samples, as this machine has them. */
  bool (*read)(struct ddr_supply *supply, void *samples, size_t n_bytes, ddr_problem *problem);
  void (*close)(struct ddr_supply *supply);
} ddr_supply;

void ddr_supply_close(ddr_supply *supply); /* NULL is fine */

/* How a file holds samples one after the other. */
typedef struct ddr_stored {
  FILE *file;
  int64_t offset; /* of the first of them, or of what is compressed */
  int64_t skip;   /* bytes before them in what is compressed */
  bool is_gzip;
  bool is_swapped; /* the other order of bytes */
  int type;        /* Teem's */
  double n_bytes;  /* of all */
  bool is_scaled;  /* each becomes slope * sample + intercept, a double */
  double slope, intercept;
} ddr_stored;

/* NULL: the problem says why. */
ddr_supply *ddr_supply_stored(const ddr_stored *stored, ddr_problem *problem);

/* The same of planes: all first components before all second ones.  They come side by side, in the
 * order of the planes that `order` says, for ever; NULL: in theirs.  It takes memory for all.
 * Closes `planes`. */
ddr_supply *ddr_supply_woven(ddr_supply *planes, size_t sample_size, size_t n_voxels,
                             int n_components, const int *order, ddr_problem *problem);

/* --- stream.c: bytes from a place in a file on -------------------------------------------------
 */

typedef struct ddr_stream ddr_stream;

/* The file's own position is as before when the stream has been closed. */
ddr_stream *ddr_stream_open(FILE *file, int64_t offset, bool is_gzip, ddr_problem *problem);
bool ddr_stream_read(ddr_stream *stream, void *bytes, size_t n_bytes, ddr_problem *problem);
bool ddr_stream_skip(ddr_stream *stream, int64_t n_bytes, ddr_problem *problem);
/* All that is wanted has been read: does its sum fit, if it has one right behind? */
bool ddr_stream_check(ddr_stream *stream, ddr_problem *problem);
void ddr_stream_close(ddr_stream *stream);
