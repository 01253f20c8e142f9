/* local.h: the form of a checkpoint, and what the files of this room share.
 *
 *   ddr_checkpoint_head
 *   identity, version       of program and compiler: texts
 *   givens                  for each its number and what is shown of it, a text
 *   globals                 each value; then the elements of dynamic sequences
 *   statuses                a byte for each strand
 *   states                  rows of equal length, one for each strand; then elements
 *   strings                 how many, and the texts that values number from 1 on (0: none)
 *   a number                that stands for all bytes before it
 *
 * A text is its length and its characters.  Numbers are those of the machine: 64 bits for lengths,
 * counts and the numbers of strings.  An image takes no bytes, a dynamic sequence its length.
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
  uint64_t strings_at; /* in it */
  uint64_t printed;    /* bytes of text so far */
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
  FILE *file;       /* NULL: everything is only counted */
  uint64_t n_bytes; /* so far */
  uint64_t number;  /* of those that have left `held` */
  size_t n_held;
  const char **strings; /* that have a number */
  uint64_t n_strings, n_places;
  bool is_short; /* memory was */
  char held[DDR_PACKING_HELD];
} ddr_packing;

void ddr_pack(ddr_packing *packing, const void *bytes, size_t n);
void ddr_pack_number(ddr_packing *packing, uint64_t number);
void ddr_pack_text(ddr_packing *packing, const char *text); /* NULL is "" */
void ddr_pack_end(ddr_packing *packing);                    /* the number of it all */

/* The number of a string; the same for the same characters. */
uint64_t ddr_pack_string(ddr_packing *packing, const char *string);

/* --- unpacking.c: and out of it --------------------------------------------------------------- */

typedef struct ddr_unpacking {
  const char *name;
  FILE *file;
  uint64_t at, end;     /* the next byte, and the one behind the last */
  const char **strings; /* by number, 0 is NULL */
  uint64_t n_strings;
  int error;     /* of the system, when it is not the file's fault */
  bool is_bad;   /* no more can be had, or something is not as it must be */
  bool is_short; /* memory was */
  ddr_checkpoint_head head;
} ddr_unpacking;

bool ddr_unpack(ddr_unpacking *unpacking, void *bytes, size_t n);
uint64_t ddr_unpack_number(ddr_unpacking *unpacking);
char *ddr_unpack_text(ddr_unpacking *unpacking); /* to be freed; NULL: it is bad or short */
bool ddr_unpack_skip_to(ddr_unpacking *unpacking, uint64_t at);

/* --- values.c: values of variables, as the tables of the program describe them ---------------- */

typedef struct ddr_variables {
  const ddr_variable *all;
  uint32_t n;
} ddr_variables;

/* Of one row: the values, without elements of dynamic sequences.  It may lie anywhere. */
size_t ddr_row_size(const ddr_program *program, ddr_variables variables);
void ddr_pack_row(ddr_packing *packing, ddr_variables variables, const void *row);
void ddr_pack_elements(ddr_packing *packing, ddr_variables variables, const void *row);

/* Back: images stay as they are.  Sequences have a length, and no elements until these come, into
 * buffers of the pool. */
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

/* --- givens.c --------------------------------------------------------------------------------- */

/* The images, too; fails when memory is short. */
ddr_status ddr_checkpoint_note_images(ddr_world *world);
