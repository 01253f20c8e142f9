/* Shared by the syntax tests: parsing a program from a string; its messages or its tree as text. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "frontend/base/diag.h"
#include "frontend/syntax/parse.h"
#include "tests/unit/test.h"

typedef struct Parsed {
  Cx *cx;
  const Ast *program; /* NULL after errors */
} Parsed;

static inline Parsed parse_named(const char *path, const char *text, size_t len) {
  Parsed parsed = {.cx = cx_new()};
  parsed.cx->source = source_from_text(parsed.cx->arena, path, text, len);
  parsed.program = parse(parsed.cx);
  return parsed;
}

static inline Parsed parse_text(const char *text) {
  return parse_named("t.diderot", text, strlen(text));
}

/* The contents of a temporary file, in the arena. */
static inline const char *file_text(Cx *cx, FILE *file) {
  long len = ftell(file);
  char *text = arena_alloc(cx->arena, (size_t)len + 1);
  rewind(file);
  size_t n_read = fread(text, 1, (size_t)len, file);
  fclose(file);
  return n_read == (size_t)len ? text : "cannot read back";
}

static inline const char *messages(const Parsed *parsed) {
  FILE *file = tmpfile();
  diag_print_all(parsed->cx, file, DIAG_FULL);
  return file_text(parsed->cx, file);
}

static inline const char *tree_text(const Parsed *parsed, const Ast *node) {
  FILE *file = tmpfile();
  ast_print(node, file);
  return file_text(parsed->cx, file);
}
