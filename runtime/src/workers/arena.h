/* arena.h: memory that is allocated in pieces and released all at once.
 *
 * Read next: arena.c.
 */
#pragma once

#include <stddef.h>

typedef struct ddr_arena {
  struct ddr_chunk *chunks, *current;
  size_t least; /* size of the next new chunk: the sum of chunks that were too short */
} ddr_arena;

/* Aligned to 8 bytes if all sizes are multiples of 8; NULL when memory is short. */
void *ddr_arena_allocate(ddr_arena *arena, size_t n_bytes);

/* Releases all pieces; their memory is used again. */
void ddr_arena_rewind(ddr_arena *arena);
void ddr_arena_free(ddr_arena *arena);
