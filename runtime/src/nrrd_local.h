/* nrrd_local.h: what the nrrd_*.c files share.  They alone know Teem's nrrd and biff.
 *
 * Every failure is one line of text; `ddr_reason` holds it until nrrd_io.c or nrrd_write.c has put
 * the names of input and file before it.
 * Read next: nrrd_io.c.
 */
#pragma once

#include <stdio.h>
#include <teem/nrrd.h>

#include "local.h"

typedef struct ddr_reason {
  char text[480];
} ddr_reason;

/* Fills the reason and returns DDR_ERROR. */
ddr_status ddr_refuse(ddr_reason *reason, const char *format, ...) DDR_PRINTF(2, 3);

/* nrrd_io.c: around what libraries do with Teem that may fail. */
void ddr_teem_lock(void);
void ddr_teem_unlock(void);

/* The root cause that biff has recorded, and an empty biff.  `fallback` when there is none. */
ddr_status ddr_refuse_biff(ddr_reason *reason, const char *fallback);

/* nrrd_io.c: an open file, by its name ("-": standard input). */
typedef struct ddr_nrrd_file {
  const char *name;
  Nrrd *nrrd;
  NrrdIoState *nio;
} ddr_nrrd_file;

/* Says whether the program can use what the header announces. */
typedef ddr_status ddr_nrrd_check(const ddr_nrrd_file *file, void *data, ddr_reason *reason);

/* Fills reader->nrrd, data included; the check comes before any memory is asked for.  Close the
 * reader in any case. */
ddr_status ddr_nrrd_read(ddr_world *world, ddr_nrrd_file *reader, ddr_nrrd_check *check,
                         void *data, ddr_reason *reason);
void ddr_nrrd_close(ddr_nrrd_file *reader);

/* nrrd_header.c: read the header's lines once before Teem does, since Teem copies them into
 * buffers of fixed size when it complains.  Leaves the file at its beginning. */
ddr_status ddr_nrrd_check_header(FILE *file, ddr_reason *reason);

/* What an image needs to know of a header, in canonical form. */
typedef struct ddr_nrrd_image {
  ddr_grid grid;
  int n_components;             /* after expansion */
  int n_stored;                 /* samples per voxel in the file */
  const int *source;            /* which stored sample feeds component k; NULL: the same */
  bool has_measurement_frame;   /* dropped */
} ddr_nrrd_image;

/* nrrd_normalize.c: axes, component kind, orientation; then the check against the request. */
ddr_status ddr_nrrd_normalize(const Nrrd *nrrd, const ddr_image_request *request,
                              ddr_nrrd_image *image, ddr_reason *reason);

/* nrrd_image.c: size and place of the image, without samples; with those of `nrrd`, converted unless
 * they are of the type wanted. */
ddr_status ddr_nrrd_describe(const ddr_nrrd_image *header, ddr_image *image, ddr_reason *reason);
ddr_status ddr_nrrd_fill(ddr_world *world, const Nrrd *nrrd, const ddr_nrrd_image *header,
                         ddr_sample wanted, ddr_image *image, ddr_reason *reason);

/* nrrd_sequence.c: whether the array is such a sequence; its elements, converted. */
ddr_status ddr_nrrd_check_sequence(const Nrrd *nrrd, const ddr_seq_request *request,
                                   ddr_reason *reason);
ddr_status ddr_nrrd_fill_sequence(ddr_world *world, const Nrrd *nrrd,
                                  const ddr_seq_request *request, ddr_seq *seq);

/* nrrd_array.c: a shell around data laid out like the array: free it with nrrdNix.  NULL when memory
 * is short. */
Nrrd *ddr_nrrd_wrap(const ddr_array *array, void *data, int type);

/* nrrd_samples.c: one of Teem's types as images may keep it; DDR_SAMPLE_REAL for others. */
ddr_sample ddr_nrrd_sample(int type);
/* All samples of a loaded array as they are. */
void ddr_nrrd_copy(const Nrrd *nrrd, const ddr_nrrd_image *image, void *dst);
/* All of them as reals of `real_size` bytes. */
void ddr_nrrd_convert(const Nrrd *nrrd, const ddr_nrrd_image *image, size_t real_size, void *dst);
