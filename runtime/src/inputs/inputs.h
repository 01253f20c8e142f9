/* inputs.h: values of inputs, and the preparation of their images.
 *
 * Read next: inputs.c, prepare.c.
 */
#pragma once

#include "runtime/src/images/images.h"

/* What the world knows of one input. */
struct ddr_input_value {
  bool is_set;           /* by the caller */
  bool is_loaded;        /* images, sequences: the globals hold the value */
  char *string;          /* strings: the value; images, sequences: the file name */
  ddr_image_list *image; /* in the world's list; NULL: none yet */
  uint32_t decimation;   /* images: keep every n-th sample; 0 and 1: keep all */
  bool is_prefiltered;   /* images: prefilter, so that B-splines interpolate the samples */
};

/* --- inputs.c --------------------------------------------------------------------------------- */

/* Where input `idx` lies in the globals. */
void *ddr_input_place(const ddr_world *world, uint32_t idx);

/* Gives input `idx` a value, like ddr_input_set, or the contents of a file, which is read at once.
 * The old value is released; it stays on failure. */
ddr_status ddr_input_store(ddr_world *world, uint32_t idx, const void *value);
ddr_status ddr_input_load(ddr_world *world, uint32_t idx, const char *file);

/* The same for an image, which the input owns from then on and frees even on failure, and for a
 * sequence in the world's pool. */
ddr_status ddr_input_take_image(ddr_world *world, uint32_t idx, const ddr_image_list *image);
ddr_status ddr_input_take_prepared(ddr_world *world, uint32_t idx, const ddr_image_list *image);
void ddr_input_take_sequence(ddr_world *world, uint32_t idx, ddr_seq seq);

/* What an image or sequence for an input must be. */
ddr_image_request ddr_input_request(const ddr_world *world, uint32_t idx, const char *file);
ddr_seq_request ddr_input_sequence_request(const ddr_world *world, uint32_t idx, const char *file);

/* --- shared_images.c: several ranks on one machine -------------------------------------------- */

/* Whether this rank gets its images from the first rank of its machine, which loads them for
 * all. */
bool ddr_image_comes_from_another(const ddr_world *world);

/* Collective.  After the first rank of each machine has loaded images: shares them with the other
 * ranks there.  Every rank loads for itself the images that are mapped or small, or for which there
 * is no shared memory. */
void ddr_inputs_share(ddr_world *world);

/* --- prepare.c -------------------------------------------------------------------------------- */

/* Finds the image input with a name of n characters; the next two request a preparation, to be done
 * when its image is set.  False: *message says why, and the caller frees it; NULL: memory is
 * short. */
bool ddr_prepare_find(const ddr_world *world, const char *name, size_t n, uint32_t *idx,
                      char **message);
bool ddr_prepare_prefilter(ddr_world *world, uint32_t idx, char **message);
bool ddr_prepare_decimate(ddr_world *world, uint32_t idx, uint32_t factor, char **message);

/* Prepares an image as requested; called for every image of an input.  Replaces *image, and
 * releases the old one; on failure records one message, and *image is empty. */
ddr_status ddr_prepare_image(ddr_world *world, uint32_t idx, ddr_image_list *image);
