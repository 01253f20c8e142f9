/* local.h: what the files of this folder share: headers, and samples in memory or files.
 *
 * Read next: nrrd_image.c (from a file), nrrd_given.c (from the memory of a client).
 */
#pragma once

#include "images.h"
#include "runtime/src/files/files.h"

/* What an image takes from a header, in canonical form. */
typedef struct ddr_nrrd_image {
  ddr_grid grid;
  int n_components;           /* after expansion */
  int n_stored;               /* samples per voxel in the file */
  const int *source;          /* which stored sample becomes component k; NULL: sample k */
  bool has_measurement_frame; /* it is ignored */
} ddr_nrrd_image;

/* nrrd_normalize.c: axes, component kind, orientation; then the check against the request. */
ddr_status ddr_nrrd_normalize(const Nrrd *nrrd, const ddr_image_request *request,
                              ddr_nrrd_image *image, ddr_reason *reason);

/* Samples of an array, in memory or from a supply. */
typedef struct ddr_rows {
  const void *data;            /* the first sample of voxel (0,0,0) */
  ddr_supply *supply;          /* instead of data: reads all rows in order */
  int type;                    /* of all samples, as Teem numbers it */
  ptrdiff_t step[DDR_MAX_DIM]; /* bytes to the next voxel along x, y, z */
  const ptrdiff_t *component;  /* offsets of the stored samples of a voxel; NULL: side by side */
  size_t spare;                /* readable bytes behind the last sample in memory */
  ddr_mapping *mapping;        /* of the file that contains them, if any */
} ddr_rows;

/* nrrd_rows.c: the rows of a loaded array, with its voxels in order. */
ddr_rows ddr_rows_of_nrrd(const Nrrd *nrrd, const ddr_nrrd_image *header);

/* nrrd_rows.c: whether generated code can load the rows where they are, if their type is right. */
bool ddr_rows_are_loadable(const ddr_rows *rows, const ddr_nrrd_image *header);

/* The types of samples that stay where they are, and of a large copy. */
typedef struct ddr_stay {
  ddr_sample in_place, in_copy;
} ddr_stay;

/* nrrd_image.c: whether the program can read the samples where they are: reals, the type that it
 * was compiled for, or, in large images, other types.  Then, an image of such rows. */
bool ddr_rows_can_stay(const ddr_world *world, const ddr_rows *rows, const ddr_nrrd_image *header,
                       ddr_sample wanted, ddr_stay *stay);
ddr_status ddr_rows_borrow(const ddr_nrrd_image *header, const ddr_rows *rows, ddr_sample sample,
                           ddr_image_list *image, ddr_reason *reason);

/* nrrd_samples.c: converts n_voxels that lie side by side to reals, or copies their samples. */
typedef void ddr_convert(const ddr_nrrd_image *header, size_t n_voxels, const void *src, void *dst);
ddr_convert *ddr_nrrd_conversion(int type, size_t real_size);
ddr_convert *ddr_nrrd_copy(int type);

/* nrrd_rows.c: converts all rows into the memory of an image, each at its stride there. */
ddr_status ddr_rows_convert(const ddr_rows *rows, const ddr_nrrd_image *header,
                            ddr_convert *convert, const ddr_image *image, size_t sample_size,
                            void *samples, ddr_reason *reason);

/* nrrd_image.c: finds how an array serves as an image; its rows are set if it has data. */
ddr_status ddr_nrrd_find_rows(const Nrrd *nrrd, const ddr_image_request *request,
                              ddr_nrrd_image *header, ddr_rows *rows, ddr_reason *reason);

/* nrrd_image.c: size and placement of the image, without samples and strides; then with samples of
 * its own, which keep their type if the program reads it and are converted to reals otherwise. */
ddr_status ddr_nrrd_describe(const ddr_nrrd_image *header, ddr_image *image, ddr_reason *reason);
ddr_status ddr_nrrd_fill(ddr_world *world, const ddr_rows *rows, const ddr_nrrd_image *header,
                         ddr_sample kept, ddr_image *image, ddr_reason *reason);

/* nrrd_view.c: whether a view is valid, has a numeric type and fits into memory; whether the axes
 * from `first` on are those of an element with so many components. */
ddr_status ddr_view_check(const diderot_view_t *view, ddr_reason *reason);
ddr_status ddr_view_check_components(const diderot_view_t *view, uint32_t first,
                                     size_t n_components, ddr_reason *reason);
size_t ddr_view_count(const diderot_view_t *view); /* scalars of a checked view */
/* Are the axes from `first` on row-major and without gaps? */
bool ddr_view_is_packed(const diderot_view_t *view, uint32_t first);

/* nrrd_frame_file.c: whether the key/value pairs of an array make it a frame, for an image of two
 * dimensions; its header, and its rows once it has data. */
bool ddr_nrrd_is_frame(const Nrrd *nrrd, const ddr_image_request *request);
ddr_status ddr_nrrd_frame(const Nrrd *nrrd, const ddr_image_request *request,
                          ddr_nrrd_image *header, ddr_rows *rows, ddr_reason *reason);

/* nrrd_sequence.c: whether the array is such a sequence; its elements, converted. */
ddr_status ddr_nrrd_check_sequence(const Nrrd *nrrd, const ddr_seq_request *request,
                                   ddr_reason *reason);
ddr_status ddr_nrrd_fill_sequence(ddr_world *world, const Nrrd *nrrd,
                                  const ddr_seq_request *request, ddr_seq *seq, ddr_reason *reason);

/* nrrd_samples.c: the sample type that images keep for one of Teem's types; DDR_SAMPLE_REAL if
 * none. */
ddr_sample ddr_nrrd_sample(int type);

/* nrrd_given.c: checks that a view has the axes of such an image, and puts its size into the
 * header. */
ddr_status ddr_view_check_image(const diderot_view_t *view, const ddr_image_request *request,
                                ddr_nrrd_image *header, ddr_reason *reason);

/* nrrd_given.c: checks that a client's array has data and a numeric type; reports why it is
 * refused. */
ddr_status ddr_nrrd_check_given(const Nrrd *nrrd, ddr_reason *reason);
ddr_status ddr_refuse_given(ddr_world *world, const char *input, const ddr_reason *reason);
