/* images.h: images and sequences from files and from the memory of clients; where images lie.
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
  ddr_image_on_device *given; /* by a client, and there are no samples here; NULL: they are */
  ddr_image_held *held;       /* the samples are those of several nodes; NULL: they are not */
  bool is_borrowed;           /* the samples are the caller's, or mapped, or held */
  ddr_mapping mapping;        /* of a file in which they are, if any */
  ddr_image image;
} ddr_image_list;

/* The world's part. */
struct ddr_images {
  ddr_image_list *all; /* freed with the world */
  bool is_stdin_taken; /* "-" can feed only one input */
};

/* --- image.c: place and memory ---------------------------------------------------------------- */

/* Where an image's samples lie in world space: the index-to-world matrix by columns. */
typedef struct ddr_grid {
  int dim;
  int64_t size[DDR_MAX_DIM];
  double direction[DDR_MAX_DIM][DDR_MAX_DIM]; /* [index axis][world axis] */
  double origin[DDR_MAX_DIM];
} ddr_grid;

/* False when the directions are singular. */
bool ddr_image_place(ddr_image *image, const ddr_grid *grid);

/* The same for samples so many times further apart along an axis; the first stays. */
void ddr_image_widen(ddr_image *image, int axis, double factor);

/* Samples on an axis whose length every real is exact for. A float may take a longer one for one
 * sample longer than it is, and so lets an inside test pass there. */
#define DDR_LONGEST_EXACT ((size_t)1 << FLT_MANT_DIG)

/* Memory for samples of an image whose size is known, and its strides.  What is between and behind
 * the rows is zeroed, with the slack that ddr/image.h promises; NULL when memory is short or the
 * size overflows. */
void *ddr_image_allocate(ddr_image *image, size_t sample_size);
size_t ddr_image_bytes(const ddr_image *image, size_t real_size); /* of what that has given */
void ddr_image_clear(ddr_image *image);
void ddr_image_release(ddr_image_list *image); /* not what is borrowed */

/* Another node for the samples of one, in *other: whichever is released last releases them.  False:
 * memory is short. */
bool ddr_image_hold(ddr_image_list *image, ddr_image_list *other);

/* A copy of the node joins the world's list, which frees it, with a number of its own unless it has
 * one; NULL when memory is short, and then the image is released.  One leaves the list; all do. */
ddr_image_list *ddr_images_own(ddr_images *images, const ddr_image_list *image);
void ddr_images_drop(ddr_images *images, ddr_image_list *image);
void ddr_images_free(ddr_images *images);

/* --- images ----------------------------------------------------------------------------------- */

/* What the program wants of an image, and whom to name when it gets something else. */
typedef struct ddr_image_request {
  const char *name; /* of the input or global */
  const char *file; /* "-": standard input */
  int dim;
  int n_components;
  ddr_sample sample; /* to keep if the file has it */
} ddr_image_request;

/* nrrd_image.c: load, normalise, check, convert; or map, where the samples are what generated code
 * reads.  Records one message on failure. */
ddr_status ddr_nrrd_load(ddr_world *world, const ddr_image_request *request, ddr_image_list *image);

/* nrrd_given.c: an image of a client's Nrrd or view; `request->file` is unused.  Samples are
 * borrowed when generated code can read them where they are. */
ddr_status ddr_nrrd_given_image(ddr_world *world, const ddr_image_request *request,
                                const void *client, ddr_image_list *image);
ddr_status ddr_view_image(ddr_world *world, const ddr_image_request *request,
                          const diderot_view_t *view, const ddr_grid *place, ddr_image_list *image);
void *ddr_nrrd_data(const void *client);

/* given_on_device.c: an image that stays in memory of a device, after all that a stream of it was
 * given has been done.  Its copy on the host, where the host reads it after all: of one, released
 * on failure, or of all of a world.  Before anybody reads samples, on device `id`: whether all are
 * there still; -1: on the host. */
ddr_status ddr_view_image_on_device(ddr_world *world, const ddr_image_request *request,
                                    const diderot_view_t *view, const ddr_grid *place, void *stream,
                                    ddr_image_list *image);
ddr_status ddr_image_bring(ddr_world *world, ddr_image_list *image);
ddr_status ddr_images_bring(ddr_world *world);
ddr_status ddr_images_settle(ddr_world *world, int id);
void ddr_image_on_device_free(ddr_image_list *image);

/* nrrd_frame.c: an image of a frame; `place` is that of its samples at full resolution. */
ddr_status ddr_frame_image(ddr_world *world, const ddr_image_request *request,
                           const diderot_frame_t *frame, const ddr_grid *place,
                           ddr_image_list *image);

/* nrrd_frame.c: the part of a frame that an image takes: a view at a distance in bytes from the
 * frame's data, which is not looked at, and its place when `place` is that of the frame. */
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

/* nrrd_sequence.c: load, check, convert, into the pool of the world.  One message on failure. */
ddr_status ddr_nrrd_load_sequence(ddr_world *world, const ddr_seq_request *request, ddr_seq *seq);

/* nrrd_given_sequence.c: likewise from a client, copied; or lent, as long as the world, if the
 * elements of the view are those that the program wants, one after the other. */
typedef enum ddr_taking { DDR_COPIED, DDR_LENT } ddr_taking;

ddr_status ddr_nrrd_given_sequence(ddr_world *world, const ddr_seq_request *request,
                                   const void *client, ddr_seq *seq);
ddr_status ddr_view_sequence(ddr_world *world, const ddr_seq_request *request, ddr_taking taking,
                             const diderot_view_t *view, ddr_seq *seq);

/* given_on_device.c: a copy of one in memory of a device, after what its stream was given. */
ddr_status ddr_view_sequence_on_device(ddr_world *world, const ddr_seq_request *request,
                                       const diderot_view_t *view, void *stream, ddr_seq *seq);
