/* scratch.c: see scratch.h. */
#include "scratch.h"

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

/* Chunks are used in the order of the list. */
void *ddr_scratch_allocate(ddr_scratch *scratch, size_t n_bytes) {
  struct ddr_chunk **link = scratch->current ? &scratch->current : &scratch->chunks;
  struct ddr_chunk *last = NULL;
  for (struct ddr_chunk *chunk = *link; chunk; last = chunk, chunk = chunk->next) {
    if (n_bytes > chunk->capacity - chunk->used) continue;
    scratch->current = chunk;
    chunk->used += n_bytes;
    return chunk_bytes(chunk) + chunk->used - n_bytes;
  }
  const size_t capacity = n_bytes > CHUNK_BYTES ? n_bytes : CHUNK_BYTES;
  struct ddr_chunk *chunk = malloc(sizeof *chunk + capacity);
  if (!chunk) return NULL;
  *chunk = (struct ddr_chunk){.capacity = capacity, .used = n_bytes};
  if (last) last->next = chunk;
  else scratch->chunks = chunk;
  scratch->current = chunk;
  return chunk_bytes(chunk);
}

static void scratch_rewind(ddr_scratch *scratch) {
  for (struct ddr_chunk *chunk = scratch->chunks; chunk; chunk = chunk->next) chunk->used = 0;
  scratch->current = scratch->chunks;
}

void ddr_scratch_reset(ddr_scratch *scratch) {
  if (scratch->current) scratch_rewind(scratch);
  scratch->asker = DDR_NOBODY_ASKS;
}

void ddr_scratch_free(ddr_scratch *scratch) {
  for (struct ddr_chunk *chunk = scratch->chunks, *next; chunk; chunk = next) {
    next = chunk->next;
    free(chunk);
  }
  free(scratch->hits);
  free(scratch->merged);
  *scratch = (ddr_scratch){0};
}
