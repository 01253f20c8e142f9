/* Arenas: chunks that are too short are not kept beside the one that replaces them. */
#include <string.h>

#include "runtime/src/workers/arena.h"
#include "tests/unit/test.h"

enum { SHORT = 64, MOST = 400000 };

static void take(ddr_arena *arena, size_t n_bytes) {
  char *piece = ddr_arena_allocate(arena, n_bytes);
  if (CHECK(piece != NULL)) memset(piece, 1, n_bytes);
}

/* One chunk holds everything of the last time, or a single larger piece. */
static void results_that_grow_leave_nothing_behind(void) {
  ddr_arena arena = {0};
  for (size_t n_bytes = SHORT; n_bytes < MOST; n_bytes += n_bytes / 8 / SHORT * SHORT + SHORT) {
    take(&arena, n_bytes);
    take(&arena, SHORT);
    ddr_arena_rewind(&arena);
    take(&arena, n_bytes);
    take(&arena, SHORT);
    CHECK(arena.current == arena.chunks);
    ddr_arena_rewind(&arena);
  }
  ddr_arena_free(&arena);
}

static void pieces_keep_what_they_have(void) {
  ddr_arena arena = {0};
  char *pieces[100];
  for (int k = 0; k < 100; k++) {
    pieces[k] = ddr_arena_allocate(&arena, SHORT * (1 + (size_t)k));
    if (CHECK(pieces[k] != NULL)) memset(pieces[k], k, SHORT * (1 + (size_t)k));
  }
  for (int k = 0; k < 100; k++)
    CHECK(pieces[k][0] == k && pieces[k][SHORT * (1 + (size_t)k) - 1] == k);
  ddr_arena_free(&arena);
}

int main(void) {
  RUN(results_that_grow_leave_nothing_behind);
  RUN(pieces_keep_what_they_have);
  return test_result();
}
