#include "frontend/base/cx.h"

#include "frontend/base/diag.h"

Cx *cx_new(void) {
  Arena *arena = arena_new();
  Cx *cx = NEW(arena, Cx);
  cx->arena = arena;
  cx->scratch = arena_new();
  cx->names = name_table_new(arena);
  cx->diags = diag_list_new(arena);
  return cx;
}

void cx_free(Cx *cx) {
  if (!cx) return;
  arena_free(cx->scratch);
  arena_free(cx->arena); /* holds cx itself */
}
