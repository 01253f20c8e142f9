/* inputs.h: values of inputs, and what is done to their images before the program sees them.
 *
 * Read next: inputs.c, prepare.c.
 */
#pragma once

#include "runtime/src/images/images.h"

/* What the caller gave for one input: the world's part. */
struct ddr_input_value {
  bool is_set;           /* by the caller */
  bool is_loaded;        /* images, sequences: the globals hold it */
  char *string;          /* strings: the value; images, sequences: the file name */
  ddr_image_list *image; /* in the world's list; NULL: none yet */
  uint32_t decimation;   /* images: keep every such sample; 0 and 1: all */
  bool is_prefiltered;   /* images: so that B-splines go through the samples */
};

/* --- inputs.c --------------------------------------------------------------------------------- */

/* Where input `idx` lies in the globals. */
void *ddr_input_place(const ddr_world *world, uint32_t idx);

/* Give input `idx` a value, as ddr_input_set does, or the content of a file, at once.  What it had
 * before is released; on failure it keeps it. */
ddr_status ddr_input_store(ddr_world *world, uint32_t idx, const void *value);
ddr_status ddr_input_load(ddr_world *world, uint32_t idx, const char *file);

/* The same with what others have made: an image, freed on failure as well, or a sequence in the
 * world's pool. */
ddr_status ddr_input_take_image(ddr_world *world, uint32_t idx, const ddr_image_list *image);
ddr_status ddr_input_take_prepared(ddr_world *world, uint32_t idx, const ddr_image_list *image);
void ddr_input_take_sequence(ddr_world *world, uint32_t idx, ddr_seq seq);

/* What an input wants. */
ddr_image_request ddr_input_request(const ddr_world *world, uint32_t idx, const char *file);
ddr_seq_request ddr_input_sequence_request(const ddr_world *world, uint32_t idx, const char *file);

/* --- shared_images.c: several ranks on one machine ---------------------------------------------
 */

/* The first one of the machine loads images, for others. */
bool ddr_image_comes_from_another(const ddr_world *world);

/* Collective, when the first ones have loaded theirs: all have all images.  What is mapped, small
 * or has no room in memory that is shared, each has loaded itself. */
void ddr_inputs_share(ddr_world *world);

/* --- prepare.c -------------------------------------------------------------------------------- */

/* The index of an image input from the n characters of its name; what its image goes through when
 * it is set.  False: *message says why, to be freed; NULL when memory is short. */
bool ddr_prepare_find(const ddr_world *world, const char *name, size_t n, uint32_t *idx,
                      char **message);
bool ddr_prepare_prefilter(ddr_world *world, uint32_t idx, char **message);
bool ddr_prepare_decimate(ddr_world *world, uint32_t idx, uint32_t factor, char **message);

/* Takes the image through that, and is called with every image of an input; what was there is
 * released.  Records one message on failure, and then there is no image. */
ddr_status ddr_prepare_image(ddr_world *world, uint32_t idx, ddr_image_list *image);
