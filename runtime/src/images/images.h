/* images.h: images and sequences from files and from the memory of clients; placement of images.
 *
 * Read next: image.c (place and memory), nrrd_image.c, nrrd_given.c, nrrd_sequence.c.
 */
#pragma once

#include <float.h>

#include "ddr/image.h"
#include "ddr/library.h"
#include "runtime/src/files/files.h"
#include "runtime/src/world/world.h"

typedef struct ddr_image_on_device ddr_image_on_device; /* given_on_device.c */

typedef struct ddr_image_held ddr_image_held; /* image.c */

typedef struct ddr_image_list {
  struct ddr_image_list *next;
  ddr_image_on_device *given; /* by a client, on a device: no samples here; NULL: none is given */
  ddr_image_held *held;       /* the samples are shared by several nodes; NULL: they are not */
  bool is_borrowed;           /* the samples belong to the caller, or are mapped, or held */
  ddr_mapping mapping;        /* of a file that contains the samples, if any */
  ddr_image image;
} ddr_image_list;

/* A file that the program itself names, for an image or a sequence of a global. */
typedef struct ddr_named_file {
  struct ddr_named_file *next;
  char *file, *global;
} ddr_named_file;

/* The images of a world. */
struct ddr_images {
  ddr_image_list *all;   /* freed with the world */
  ddr_named_file *named; /* files that were loaded, the last one first */
  bool is_stdin_taken;   /* "-" can feed only one input */
};

/* --- image.c: place and memory ---------------------------------------------------------------- */

/* The placement of the samples in world space: the index-to-world matrix by columns. */
typedef struct ddr_grid {
  int dim;
  int64_t size[DDR_MAX_DIM];
  double direction[DDR_MAX_DIM][DDR_MAX_DIM]; /* [index axis][world axis] */
  double origin[DDR_MAX_DIM];
} ddr_grid;

/* False when the directions are singular. */
bool ddr_image_place(ddr_image *image, const ddr_grid *grid);

/* The placement for samples that are `factor` times as far apart along an axis; the first one
 * stays. */
void ddr_image_widen(ddr_image *image, int axis, double factor);

/* The largest size of an axis at which every sample index is exact as a float. Beyond it a float
 * may take the size for one sample more, so an inside test may pass there. */
#define DDR_LONGEST_EXACT ((size_t)1 << FLT_MANT_DIG)

/* Allocates the samples of an image whose size is known, and sets its strides.  Padding between and
 * after the rows is zeroed, including the slack that ddr/image.h promises.  NULL if memory is short
 * or the size overflows. */
void *ddr_image_allocate(ddr_image *image, size_t sample_size);
/* Bytes that ddr_image_allocate takes. */
size_t ddr_image_bytes(const ddr_image *image, size_t real_size);
void ddr_image_clear(ddr_image *image);
void ddr_image_release(ddr_image_list *image); /* except what is borrowed */

/* Makes *other another node for the samples of an image; the node that is released last frees them.
 * False: memory is short. */
bool ddr_image_hold(ddr_image_list *image, ddr_image_list *other);

/* A copy of the node joins the world's list, which frees it; the image gets a number of its own
 * unless it has one.  NULL if memory is short, and then the image is released. */
ddr_image_list *ddr_images_own(ddr_images *images, const ddr_image_list *image);
/* Remove one node from the list and release it, or all. */
void ddr_images_drop(ddr_images *images, ddr_image_list *image);
void ddr_images_free(ddr_images *images);

/* Notes such a file. Without memory it is forgotten: there is only a warning less. */
void ddr_images_name(ddr_images *images, const char *file, const char *global);

/* --- images ----------------------------------------------------------------------------------- */

/* What the program requires of an image, and the names for messages. */
typedef struct ddr_image_request {
  const char *name; /* of the input or global */
  const char *file; /* "-": standard input */
  int dim;
  int n_components;
  ddr_sample sample; /* sample type to keep if the file has it; others become reals */
} ddr_image_request;

/* nrrd_image.c: loads, normalises, checks and converts an image; or maps it, if generated code can
 * read the samples in place.  Records one message on failure. */
ddr_status ddr_nrrd_load(ddr_world *world, const ddr_image_request *request, ddr_image_list *image);

/* nrrd_given.c: an image from a client's Nrrd or view; `request->file` is unused.  Samples are
 * borrowed if generated code can read them where they are. */
ddr_status ddr_nrrd_given_image(ddr_world *world, const ddr_image_request *request,
                                const void *client, ddr_image_list *image);
ddr_status ddr_view_image(ddr_world *world, const ddr_image_request *request,
                          const diderot_view_t *view, const ddr_grid *place, ddr_image_list *image);
void *ddr_nrrd_data(const void *client);

/* given_on_device.c: an image that stays in memory of a device, read after the work that the stream
 * has been given.  Copies to the host, if the host reads samples after all: of one image, which is
 * released on failure, or of all images of a world.  Before samples are read on device `id`, or on
 * the host (-1): checks that they are still where they were given. */
ddr_status ddr_view_image_on_device(ddr_world *world, const ddr_image_request *request,
                                    const diderot_view_t *view, const ddr_grid *place, void *stream,
                                    ddr_image_list *image);
ddr_status ddr_image_bring(ddr_world *world, ddr_image_list *image);
ddr_status ddr_images_bring(ddr_world *world);
ddr_status ddr_images_settle(ddr_world *world, int id);
void ddr_image_on_device_free(ddr_image_list *image);

/* nrrd_frame.c: an image from a frame; `place` is the placement of samples at full resolution. */
ddr_status ddr_frame_image(ddr_world *world, const ddr_image_request *request,
                           const diderot_frame_t *frame, const ddr_grid *place,
                           ddr_image_list *image);

/* nrrd_frame.c: the part of a frame that becomes an image: a view at an offset in bytes from the
 * frame's data, which is not read, and its placement; `place` is that of the frame. */
typedef struct ddr_framed {
  diderot_view_t view;
  size_t offset;
  ddr_grid grid;
} ddr_framed;

ddr_status ddr_frame_part(const diderot_frame_t *frame, const ddr_image_request *request,
                          const ddr_grid *place, ddr_framed *framed, ddr_reason *reason);

/* --- dynamic sequences ------------------------------------------------------------------------ */

typedef struct ddr_seq_request {
  const char *name; /* of the input or global */
  const char *file; /* "-": standard input */
  ddr_kind kind;    /* of each of the n_components scalars of an element */
  uint32_t n_components;
} ddr_seq_request;

/* nrrd_sequence.c: loads, checks and converts into the world's pool.  Records one message on
 * failure. */
ddr_status ddr_nrrd_load_sequence(ddr_world *world, const ddr_seq_request *request, ddr_seq *seq);

/* nrrd_given_sequence.c: likewise from a client.  The elements are copied, or lent for the lifetime
 * of the world if they are packed and of the type that the program requires. */
typedef enum ddr_taking { DDR_COPIED, DDR_LENT } ddr_taking;

ddr_status ddr_nrrd_given_sequence(ddr_world *world, const ddr_seq_request *request,
                                   const void *client, ddr_seq *seq);
ddr_status ddr_view_sequence(ddr_world *world, const ddr_seq_request *request, ddr_taking taking,
                             const diderot_view_t *view, ddr_seq *seq);

/* given_on_device.c: a copy of a sequence in memory of a device, read after the work of the
 * stream. */
ddr_status ddr_view_sequence_on_device(ddr_world *world, const ddr_seq_request *request,
                                       const diderot_view_t *view, void *stream, ddr_seq *seq);
