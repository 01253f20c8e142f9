/* checkpoint.h: a world between two supersteps, in a file from which another run goes on.
 *
 * Read next: save.c, resume.c; local.h (the form of the file).
 */
#pragma once

#include "runtime/src/world/world.h"

/* What the program was given: an input as it was before anything ran, or an image. */
typedef struct ddr_note_of_input {
  const char *name;
  uint64_t number; /* that stands for the value */
  char *shown;     /* the value, for people; NULL: it is too long for that */
} ddr_note_of_input;

/* The world's part. */
struct ddr_checkpoints {
  const char *from; /* the world goes on from this file; NULL: it begins; the caller's */
  ddr_note_of_input
      *givens; /* first inputs but for images; then all images, once they were asked for */
  uint32_t n_givens;
  bool has_images;
  struct ddr_unpacking *unpacking; /* while the world is created */
  char *texts;                     /* the strings that came from the file */
};

/* givens.c: before anything runs. */
ddr_status ddr_checkpoint_note_inputs(ddr_world *world);
/* That stands for the value of an input as it is before anything runs; of a large image for some of
 * its rows. */
uint64_t ddr_number_of_input(const ddr_world *world, uint32_t idx);
void ddr_checkpoints_free(ddr_checkpoints *checkpoints);

/* Whether worlds of the program can be saved: they have supersteps. */
static inline bool ddr_has_checkpoints(const ddr_program *program) {
  return program->identity != NULL;
}

/* save.c: common, and only between two supersteps.  The file appears complete or not at all, and
 * replaces an older one; the first rank writes it.  Errors: strands on a GPU, what the system says.
 */
ddr_status ddr_checkpoint_save(ddr_world *world, const char *file);

/* resume.c: the parts of beginning with what the file `from` holds, in this order.  Each rank reads
 * it.  Nothing of the file is used before all of it is known to be whole. */
ddr_status ddr_checkpoint_open(ddr_world *world);         /* is it one of this program? */
ddr_status ddr_checkpoint_take_globals(ddr_world *world); /* initialised, and lent to the pool */
ddr_status ddr_checkpoint_take_strands(ddr_world *world); /* the store is allocated */
ddr_stage ddr_checkpoint_stage(const ddr_world *world);
void ddr_checkpoint_close(ddr_world *world); /* in any case */

/* Records that strands on a device have no checkpoints. */
ddr_status ddr_checkpoint_refuse_device(ddr_world *world);
