/* local.h: what the files of this room share: headers, and samples where they lie.
 *
 * Read next: nrrd_image.c (from a file), nrrd_given.c (from the memory of a client).
 */
#pragma once

#include "images.h"
#include "runtime/src/files/files.h"

/* What an image needs to know of a header, in canonical form. */
typedef struct ddr_nrrd_image {
  ddr_grid grid;
  int n_components;           /* after expansion */
  int n_stored;               /* samples per voxel in the file */
  const int *source;          /* which stored sample feeds component k; NULL: the same */
  bool has_measurement_frame; /* dropped */
} ddr_nrrd_image;

/* nrrd_normalize.c: axes, component kind, orientation; then the check against the request. */
ddr_status ddr_nrrd_normalize(const Nrrd *nrrd, const ddr_image_request *request,
                              ddr_nrrd_image *image, ddr_reason *reason);

/* Samples as they lie somewhere in memory. */
typedef struct ddr_rows {
  const void *data;            /* the first sample of voxel (0,0,0) */
  ddr_supply *supply;          /* instead: of all rows, one behind the other */
  int type;                    /* of all, as Teem numbers them */
  ptrdiff_t step[DDR_MAX_DIM]; /* bytes to the next voxel along x, y, z */
  const ptrdiff_t *component;  /* where the stored samples of a voxel are; NULL: side by side */
  size_t spare;                /* readable bytes behind the last sample in memory */
  ddr_mapping *mapping;        /* of a file in which they are, if any */
} ddr_rows;

/* nrrd_rows.c: those of a loaded array, one voxel behind the other. */
ddr_rows ddr_rows_of_nrrd(const Nrrd *nrrd, const ddr_nrrd_image *header);

/* nrrd_rows.c: can generated code load the rows where they are?  The same question of samples whose
 * type is right. */
bool ddr_rows_are_loadable(const ddr_rows *rows, const ddr_nrrd_image *header);

/* nrrd_image.c: can the program read the samples where they are, as reals or as what it wants? Else
 * *sample says what a copy should have.  An image of such rows. */
bool ddr_rows_can_stay(const ddr_world *world, const ddr_rows *rows, const ddr_nrrd_image *header,
                       ddr_sample wanted, ddr_sample *sample);
ddr_status ddr_rows_borrow(const ddr_nrrd_image *header, const ddr_rows *rows, ddr_sample sample,
                           ddr_image_list *image, ddr_reason *reason);

/* nrrd_samples.c: so many voxels that lie side by side, their samples as reals or as they are. */
typedef void ddr_convert(const ddr_nrrd_image *header, size_t n_voxels, const void *src, void *dst);
ddr_convert *ddr_nrrd_conversion(int type, size_t real_size);
ddr_convert *ddr_nrrd_copy(int type);

/* nrrd_rows.c: all rows into the memory of an image, each at its stride there. */
ddr_status ddr_rows_convert(const ddr_rows *rows, const ddr_nrrd_image *header,
                            ddr_convert *convert, const ddr_image *image, size_t sample_size,
                            void *samples, ddr_reason *reason);

/* nrrd_image.c: what an array is for an image, and its rows, which are there when it has data. */
ddr_status ddr_nrrd_find_rows(const Nrrd *nrrd, const ddr_image_request *request,
                              ddr_nrrd_image *header, ddr_rows *rows, ddr_reason *reason);

/* nrrd_image.c: size and place of the image, without samples and strides; with samples of its own,
 * those of the rows where that type is kept, else converted to reals. */
ddr_status ddr_nrrd_describe(const ddr_nrrd_image *header, ddr_image *image, ddr_reason *reason);
ddr_status ddr_nrrd_fill(ddr_world *world, const ddr_rows *rows, const ddr_nrrd_image *header,
                         ddr_sample kept, ddr_image *image, ddr_reason *reason);

/* nrrd_view.c: is it one, of numbers, with memory for all?  Are the axes from `first` on those of
 * elements of so many components? */
ddr_status ddr_view_check(const diderot_view_t *view, ddr_reason *reason);
ddr_status ddr_view_check_components(const diderot_view_t *view, uint32_t first,
                                     size_t n_components, ddr_reason *reason);
size_t ddr_view_count(const diderot_view_t *view); /* scalars of a checked view */
/* Are the axes from `first` on row-major and without gaps? */
bool ddr_view_is_packed(const diderot_view_t *view, uint32_t first);

/* nrrd_frame_file.c: an array that is a frame, as its key/value pairs say, for an image of two
 * dimensions: its header, and its rows once it has data. */
bool ddr_nrrd_is_frame(const Nrrd *nrrd, const ddr_image_request *request);
ddr_status ddr_nrrd_frame(const Nrrd *nrrd, const ddr_image_request *request,
                          ddr_nrrd_image *header, ddr_rows *rows, ddr_reason *reason);

/* nrrd_sequence.c: whether the array is such a sequence; its elements, converted. */
ddr_status ddr_nrrd_check_sequence(const Nrrd *nrrd, const ddr_seq_request *request,
                                   ddr_reason *reason);
ddr_status ddr_nrrd_fill_sequence(ddr_world *world, const Nrrd *nrrd,
                                  const ddr_seq_request *request, ddr_seq *seq, ddr_reason *reason);

/* nrrd_samples.c: one of Teem's types as images may keep it; DDR_SAMPLE_REAL for others. */
ddr_sample ddr_nrrd_sample(int type);

/* nrrd_given.c: has a view the axes of such an image?  Its size in the header. */
ddr_status ddr_view_check_image(const diderot_view_t *view, const ddr_image_request *request,
                                ddr_nrrd_image *header, ddr_reason *reason);

/* nrrd_given.c: has a client's array data, and numbers?  It cannot be used, for that reason. */
ddr_status ddr_nrrd_check_given(const Nrrd *nrrd, ddr_reason *reason);
ddr_status ddr_refuse_given(ddr_world *world, const char *input, const ddr_reason *reason);
