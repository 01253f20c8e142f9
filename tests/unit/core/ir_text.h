/* Modules from text, for the tests of ir/. */
#pragma once

#include <string.h>

#include "frontend/base/diag.h"
#include "ir/core/ir.h"

/* NULL when the text is invalid; the messages are in cx->diags. */
static inline Module *module_from_text(Cx *cx, const char *text) {
  cx->source = source_from_text(cx->arena, "test.ir", text, strlen(text));
  return ir_parse(cx);
}

static inline Block *block_by_id(const Func *fn, uint32_t id) {
  for (uint32_t i = 0; i < fn->blocks.len; i++)
    if (fn->blocks.data[i]->id == id) return fn->blocks.data[i];
  return NULL;
}

static inline Cx *test_cx(void) {
  Cx *cx = cx_new();
  types_init(cx);
  return cx;
}

/* All messages so far, as one string. */
static inline const char *messages(Cx *cx, char *buffer, size_t size) {
  FILE *file = tmpfile();
  diag_print_all(cx, file, DIAG_PLAIN);
  rewind(file);
  size_t len = fread(buffer, 1, size - 1, file);
  fclose(file);
  buffer[len] = '\0';
  return buffer;
}
