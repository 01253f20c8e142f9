/* local.h: the file format of checkpoints, and what the files of this folder share.
 *
 *   ddr_checkpoint_head
 *   identity, version       of program and compiler: texts
 *   digests                 for each its hash, and its value as text
 *   globals                 each value; then the elements of dynamic sequences
 *   statuses                a byte for each strand
 *   states                  rows of equal length, one for each strand; then elements of sequences
 *   strings                 their number, then their texts; values number them from 1 (0: NULL)
 *   a hash                  of all bytes before it
 *
 * A text is its length and its characters.  Lengths, counts and numbers of strings are 64-bit
 * integers in the byte order of the machine.  An image takes no bytes; a dynamic sequence is its
 * length.
 */
#pragma once

#include <stdio.h>

#include "checkpoint.h"

#define DDR_CHECKPOINT_MARK "DDRCKPT\n"
enum { DDR_CHECKPOINT_FORM = 1, DDR_CHECKPOINT_ORDER = 0x01020304 };

typedef struct ddr_checkpoint_head {
  char mark[8];
  uint32_t form, byte_order;
  uint64_t n_bytes;    /* of the file */
  uint64_t strings_at; /* the offset of the strings in it */
  uint64_t printed;    /* bytes printed so far */
  int64_t n_strands;
  uint32_t n_steps, stage;
  uint32_t real_size, int_size;
} ddr_checkpoint_head;

/* --- packing.c: values on their way into a file ----------------------------------------------- */

#if defined(DDR_SMALL_SIZES)
enum { DDR_PACKING_HELD = 64 };
#else
enum { DDR_PACKING_HELD = 1 << 14 };
#endif

typedef struct ddr_packing {
  const ddr_program *program;
  FILE *file;       /* NULL: bytes are only counted */
  uint64_t n_bytes; /* so far */
  uint64_t hash;    /* of the bytes that have left `held` */
  size_t n_held;
  const char **strings; /* by number; see ddr_pack_string */
  uint64_t n_strings, n_places;
  bool is_short; /* out of memory */
  char held[DDR_PACKING_HELD];
} ddr_packing;

void ddr_pack(ddr_packing *packing, const void *bytes, size_t n);
void ddr_pack_number(ddr_packing *packing, uint64_t number);
void ddr_pack_text(ddr_packing *packing, const char *text); /* NULL is "" */
void ddr_pack_end(ddr_packing *packing);                    /* the hash of all bytes so far */

/* The number of a string; equal strings have the same number. */
uint64_t ddr_pack_string(ddr_packing *packing, const char *string);

/* --- unpacking.c: and out of it --------------------------------------------------------------- */

typedef struct ddr_unpacking {
  const char *name;
  FILE *file;
  uint64_t hash;        /* of the whole file */
  uint64_t at, end;     /* offsets of the next byte, and one past the last */
  const char **strings; /* by number, 0 is NULL */
  uint64_t n_strings;
  int error;     /* errno of a read that failed, 0 if none did */
  bool is_bad;   /* the file is too short or has invalid contents */
  bool is_short; /* out of memory */
  ddr_checkpoint_head head;
} ddr_unpacking;

bool ddr_unpack(ddr_unpacking *unpacking, void *bytes, size_t n);
uint64_t ddr_unpack_number(ddr_unpacking *unpacking);
char *ddr_unpack_text(ddr_unpacking *unpacking); /* to be freed; NULL: is_bad or is_short */
bool ddr_unpack_skip_to(ddr_unpacking *unpacking, uint64_t at);

/* --- values.c: values of variables, as the tables of the program describe them ---------------- */

typedef struct ddr_variables {
  const ddr_variable *all;
  uint32_t n;
} ddr_variables;

/* Size in the file of one row: the values, without the elements of dynamic sequences. */
size_t ddr_row_size(const ddr_program *program, ddr_variables variables);
void ddr_pack_row(ddr_packing *packing, ddr_variables variables, const void *row);
void ddr_pack_elements(ddr_packing *packing, ddr_variables variables, const void *row);

/* Reads a row back.  Images stay as they are.  Sequences get a length, but no elements until
 * ddr_unpack_elements reads these into buffers of the pool. */
void ddr_unpack_row(ddr_unpacking *unpacking, const ddr_program *program, ddr_variables variables,
                    void *row);
void ddr_unpack_elements(ddr_unpacking *unpacking, ddr_pool *pool, ddr_variables variables,
                         void *row);

static inline ddr_variables ddr_variables_of_globals(const ddr_program *program) {
  return (ddr_variables){program->global_variables, program->n_global_variables};
}
static inline ddr_variables ddr_variables_of_states(const ddr_program *program) {
  return (ddr_variables){program->state_variables, program->n_state_variables};
}

/* --- digests.c -------------------------------------------------------------------------------- */

/* Records the images, too; fails when memory is short. */
ddr_status ddr_checkpoint_digest_images(ddr_world *world);
