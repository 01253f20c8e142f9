/* arena.h: memory that is taken in pieces and given back all at once.
 *
 * Read next: arena.c.
 */
#pragma once

#include <stddef.h>

typedef struct ddr_arena {
  struct ddr_chunk *chunks, *current;
  size_t least; /* bytes of a chunk that is made: what was too little together */
} ddr_arena;

/* Aligned for words of 8 bytes if all sizes are multiples of 8; NULL when memory is short. */
void *ddr_arena_allocate(ddr_arena *arena, size_t n_bytes);

/* All pieces are given back; the memory is used again. */
void ddr_arena_rewind(ddr_arena *arena);
void ddr_arena_free(ddr_arena *arena);
