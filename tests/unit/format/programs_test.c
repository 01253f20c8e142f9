/* Every program of the tree, and of the conformance suite if it is beside it: formatting keeps the
 * syntax tree and the comments, and formatting again changes nothing. The same holds after random
 * changes of white space. */
#define _XOPEN_SOURCE 700
#include <ftw.h>

#include "frontend/base/diag.h"
#include "frontend/format/format.h"
#include "frontend/syntax/lex.h"
#include "frontend/syntax/parse.h"
#include "tests/unit/test.h"

static uint32_t n_programs;
static uint32_t random_state = 1;

static uint32_t draw(uint32_t n) {
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 16) % n;
}

static Cx *open_text(const char *text, size_t len) {
  Cx *cx = cx_new();
  cx->source = source_from_text(cx->arena, "a.diderot", text, len);
  return cx;
}

/* The caller frees it. */
static char *tree_of(const char *text) {
  char *tree = NULL;
  size_t size = 0;
  Cx *cx = open_text(text, strlen(text));
  const Ast *program = parse(cx);
  FILE *out = open_memstream(&tree, &size);
  if (!out) abort();
  if (program) ast_print(program, out);
  fclose(out);
  cx_free(cx);
  return tree;
}

/* All characters except white space. The caller frees it. */
static char *ink_of(const char *text) {
  char *ink = calloc(strlen(text) + 1, 1), *end = ink;
  if (!ink) abort();
  for (; *text; text++)
    if (!strchr(" \t\r\n", *text)) *end++ = *text;
  return ink;
}

static char *formatted(const char *text) {
  Cx *cx = open_text(text, strlen(text));
  const char *result = format(cx);
  char *copy = result ? strdup(result) : NULL;
  cx_free(cx);
  return copy;
}

static void compare(const char *path, const char *what, char *found, char *want) {
  if (!CHECK(strcmp(found, want) == 0)) fprintf(stderr, "  %s: another %s\n", path, what);
  free(found);
  free(want);
}

/* False if the text is not a program. */
static bool try_text(const char *path, const char *text) {
  char *once = formatted(text);
  if (!once) return false;
  char *twice = formatted(once);
  compare(path, "tree", tree_of(once), tree_of(text));
  compare(path, "text", ink_of(once), ink_of(text));
  if (CHECK(twice)) compare(path, "result the second time", twice, strdup(once));
  free(once);
  return true;
}

/* Puts zero to three blanks or newlines between tokens; comments and line ends after `//` stay. */
static char *respaced(const char *text) {
  static const char *const whites[] = {" ", "\n", "  ", "\n\n\n", "\t", " \n   "};
  Cx *cx = open_text(text, strlen(text));
  const LexemeList lexemes = lex(cx);
  char *result = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&result, &size);
  if (!out) abort();
  for (uint32_t i = 0; i < lexemes.len; i++) {
    const Lexeme *lexeme = &lexemes.data[i];
    const char *white = lexeme->class == LEX_LINE_COMMENT || lexeme->class == LEX_VERSION
                            ? "\n"
                            : whites[draw(sizeof whites / sizeof *whites)];
    const bool is_hash = i + 1 < lexemes.len && lexeme_is(&lexemes.data[i + 1], "#");
    fprintf(out, "%.*s%s", (int)(lexeme->span.end - lexeme->span.start),
            cx->source->text + lexeme->span.start, is_hash ? " " : white);
  }
  fclose(out);
  cx_free(cx);
  return result;
}

static void try_file(const char *path) {
  const char *error;
  Arena *arena = arena_new();
  const Source *source = source_read(arena, path, &error);
  if (source && strlen(source->text) == source->len && try_text(path, source->text)) {
    n_programs++;
    char *other = respaced(source->text);
    try_text(path, other);
    free(other);
  }
  arena_free(arena);
}

static int visit(const char *path, const struct stat *status, int type, struct FTW *where) {
  (void)status, (void)where;
  const char *suffix = strrchr(path, '.');
  if (type == FTW_F && suffix && strcmp(suffix, ".diderot") == 0) try_file(path);
  return 0;
}

static void walk(const char *folder) { nftw(folder, visit, 16, FTW_PHYS); }

static void keeps_every_program(void) {
  walk("examples");
  walk("tests");
  CHECK(n_programs > 200);
  walk("../shared/conformance");
}

static void refuses_what_is_no_program(void) {
  static const char *const wrong[] = {"", "real x = 1.0", "#version 2.0\nreal x = (;\n", "\"",
                                      "/*"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) CHECK(!formatted(wrong[i]));
  static const char with_nul[] = "#version 2.0\n// \0\nreal x = 1.0;\n";
  Cx *cx = open_text(with_nul, sizeof with_nul - 1);
  CHECK(!format(cx) && diag_error_count(cx) == 1);
  cx_free(cx);
}

int main(void) {
  RUN(keeps_every_program);
  RUN(refuses_what_is_no_program);
  return test_result();
}
