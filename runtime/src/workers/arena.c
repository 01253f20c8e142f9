/* arena.c: see arena.h. */
#include "arena.h"

#include <stdlib.h>

#if defined(DDR_SMALL_SIZES)
enum { CHUNK_BYTES = 64 };
#else
enum { CHUNK_BYTES = 16384 };
#endif

struct ddr_chunk {
  struct ddr_chunk *next;
  size_t capacity, used; /* bytes after this header */
};

static char *chunk_bytes(struct ddr_chunk *chunk) { return (char *)(chunk + 1); }

static void free_chunks(ddr_arena *arena) {
  for (struct ddr_chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
    next = chunk->next;
    free(chunk);
  }
  arena->chunks = arena->current = NULL;
}

/* Chunks are used in the order of the list. */
void *ddr_arena_allocate(ddr_arena *arena, size_t n_bytes) {
  struct ddr_chunk **link = arena->current ? &arena->current : &arena->chunks;
  struct ddr_chunk *last = NULL;
  for (struct ddr_chunk *chunk = *link; chunk; last = chunk, chunk = chunk->next) {
    if (n_bytes > chunk->capacity - chunk->used) continue;
    arena->current = chunk;
    chunk->used += n_bytes;
    return chunk_bytes(chunk) + chunk->used - n_bytes;
  }
  const size_t least = arena->least > CHUNK_BYTES ? arena->least : CHUNK_BYTES;
  const size_t capacity = n_bytes > least ? n_bytes : least;
  struct ddr_chunk *chunk = malloc(sizeof *chunk + capacity);
  if (!chunk) return NULL;
  *chunk = (struct ddr_chunk){.capacity = capacity, .used = n_bytes};
  if (last) last->next = chunk;
  else arena->chunks = chunk;
  arena->current = chunk;
  return chunk_bytes(chunk);
}

/* Merges chunks that were too short into one, because growing results would otherwise leave a chunk
 * of each size behind. */
void ddr_arena_rewind(ddr_arena *arena) {
  struct ddr_chunk *first = arena->chunks;
  arena->current = first;
  if (!first) return;
  if (first->next) {
    arena->least = 0;
    for (const struct ddr_chunk *chunk = first; chunk; chunk = chunk->next)
      arena->least += chunk->capacity;
    free_chunks(arena);
    return;
  }
  first->used = 0;
}

void ddr_arena_free(ddr_arena *arena) {
  free_chunks(arena);
  arena->least = 0;
}
