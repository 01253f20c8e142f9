/* lint.rows: every row of builtins.def is used by a program that tests/run decides by numbers.
 *
 *   lint-rows CASE...   all case files below tests/run; the programs lie beside them
 *
 * The typed tree names the row of each call, name<ROW>(...); what is syntax there has a node.
 */
#define _POSIX_C_SOURCE 200809L
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "frontend/base/diag.h"
#include "frontend/base/text.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parse.h"

static const struct {
  BuiltinId row;
  const char *name;
} nodes[] = {{BI_AND, "and"}, {BI_OR, "or"}, {BI_RANGE, "range"}, {BI_REAL_I, "as"}};

static const char *const ids[BI_COUNT] = {
#define BUILTIN(id, name, sig, lowering, text, meaning) #id,
#include "frontend/lang/builtins.def"
};

/* Whether the word stands between such characters. */
static bool has_word(const char *tree, const char *before, const char *word, char after) {
  const size_t len = strlen(word);
  for (const char *at = tree; (at = strstr(at, word)); at++)
    if (at > tree && strchr(before, at[-1]) && at[len] == after) return true;
  return false;
}

static void mark_rows(const char *path, bool *is_used) {
  const char *error;
  Cx *cx = cx_new();
  types_init(cx);
  cx->source = source_read(cx->arena, path, &error);
  const Ast *ast = cx->source ? parse(cx) : NULL;
  TProgram *program = ast ? check(cx, ast, &(CheckOptions){0}) : NULL;
  const char *tree = program ? tast_print(cx, program) : "";
  for (int row = 0; row < BI_COUNT; row++) is_used[row] |= has_word(tree, "<", ids[row], '>');
  for (size_t k = 0; k < sizeof nodes / sizeof *nodes; k++)
    is_used[nodes[k].row] |= has_word(tree, " \n(=,", nodes[k].name, '(');
  cx_free(cx);
}

/* The programs in the folder of a case. */
static void mark_folder(const char *path, bool *is_used) {
  char pattern[4096];
  glob_t found;
  const int len = (int)(strrchr(path, '/') - path);
  snprintf(pattern, sizeof pattern, "%.*s/*.diderot", len, path);
  if (glob(pattern, 0, NULL, &found) != 0) return; /* cases of the compiler itself */
  for (size_t k = 0; k < found.gl_pathc; k++) mark_rows(found.gl_pathv[k], is_used);
  globfree(&found);
}

static bool is_same_folder(const char *path, const char *other) {
  const size_t len = (size_t)(strrchr(path, '/') - path + 1);
  return strncmp(path, other, len) == 0 && !strchr(other + len, '/');
}

int main(int argc, char **argv) {
  bool is_used[BI_COUNT] = {false};
  int n_unused = 0;
  for (int k = 1; k < argc; k++)
    if (k == 1 || !is_same_folder(argv[k], argv[k - 1])) mark_folder(argv[k], is_used);
  for (int row = 0; row < BI_COUNT; row++) {
    if (is_used[row]) continue;
    fprintf(stderr, "no program of tests/run uses the row %s of frontend/lang/builtins.def\n",
            ids[row]);
    n_unused++;
  }
  return n_unused > 0;
}
