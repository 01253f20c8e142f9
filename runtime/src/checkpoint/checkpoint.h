/* checkpoint.h: the state of a world between two supersteps, saved in a file that a later run
 * resumes from.
 *
 * Read next: save.c, resume.c; local.h (the form of the file).
 */
#pragma once

#include "runtime/src/world/world.h"

/* A value that the program was given: an input before anything ran, or an image. */
typedef struct ddr_digest {
  const char *name;
  uint64_t hash; /* of the value */
  char *text;    /* the value; NULL: it is too long to be shown */
} ddr_digest;

/* The checkpoint part of a world. */
struct ddr_checkpoints {
  const char *from; /* the file to resume from, the caller's; NULL: start anew */
  /* First the inputs that are not images; then all images, once they are needed. */
  ddr_digest *digests;
  uint32_t n_digests;
  bool has_images;
  struct ddr_unpacking *unpacking; /* while the world is created from a file */
  char *texts;                     /* the strings that were read from the file */
};

/* digests.c: before anything runs. */
ddr_status ddr_checkpoint_digest_inputs(ddr_world *world);
/* A hash of input `idx` before anything runs; a large image is hashed by some of its rows. */
uint64_t ddr_hash_of_input(const ddr_world *world, uint32_t idx);
void ddr_checkpoints_free(ddr_checkpoints *checkpoints);

/* Whether worlds of the program can be saved, that is, whether it has supersteps. */
static inline bool ddr_has_checkpoints(const ddr_program *program) {
  return program->identity != NULL;
}

/* save.c: collective, and allowed only between two supersteps.  The file appears complete or not at
 * all, and replaces an older one; the first rank writes it.  Errors: strands on a GPU, system
 * errors. */
ddr_status ddr_checkpoint_save(ddr_world *world, const char *file);

/* resume.c: the steps by which a world is created from the file `from`, in this order.  Each rank
 * reads the file.  Nothing in the file is used before all of it has been verified. */
ddr_status ddr_checkpoint_open(ddr_world *world);    /* is it of this program? */
ddr_status ddr_checkpoint_compare(ddr_world *world); /* collective: have all ranks the same? */
/* Globals are initialised, sequences lent to the pool. */
ddr_status ddr_checkpoint_take_globals(ddr_world *world);
ddr_status ddr_checkpoint_take_strands(ddr_world *world); /* the store is allocated */
ddr_stage ddr_checkpoint_stage(const ddr_world *world);
void ddr_checkpoint_close(ddr_world *world); /* in any case */

/* Records the error that strands on a device have no checkpoints. */
ddr_status ddr_checkpoint_refuse_device(ddr_world *world);
