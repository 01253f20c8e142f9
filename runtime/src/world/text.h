/* text.h: growable text, also the buffer of print statements.
 *
 * Read next: text.c; prints.h, which prints statements.
 */
#pragma once

#include "ddr/ddr.h"

/* The first mistake of a strand, by slot (runtime/src/strands/faults.c). */
typedef struct ddr_fault {
  enum { FAULT_NONE, FAULT_INDEX, FAULT_DIVISOR } kind;
  int64_t idx, length;
  int64_t slot;          /* of the strand */
  uint32_t line, column; /* of the source, from 1 */
} ddr_fault;

struct ddr_text {
  ddr_world *world; /* whose printer takes finished statements; NULL for plain buffers */
  char *chars;      /* NUL-terminated when len > 0 */
  size_t len, capacity;
  bool is_short;   /* memory ran out: the text is incomplete */
  size_t n_held;   /* bytes of finished statements at the start, each with its NUL */
  int64_t ticket;  /* of the block that prints; 0: global code, which never waits */
  int64_t slot;    /* of the strand whose code runs, for checks */
  ddr_fault fault; /* the first fault since ddr_fault_take */
};

void ddr_text_append(ddr_text *text, const char *chars, size_t n);
void ddr_text_clear(ddr_text *text);                    /* releases the memory too */
void ddr_text_json(ddr_text *text, const char *string); /* a string in quotes, escaped */

/* "format" in fresh memory, or NULL when memory is short. */
char *ddr_format(const char *format, ...) DDR_PRINTF(1, 2);
