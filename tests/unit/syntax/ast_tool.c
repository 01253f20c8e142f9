/* The front end up to the syntax tree as a program, for tests of this component alone. It takes the
 * options of the compiler that the golden kinds ast and diag use:
 *
 *   ast_tool [--dump=ast] [--diagnostics=plain|full] [--check] FILE...
 *
 * Messages go to stderr, trees to stdout. Exits with 1 when a file has no tree.
 */
#include <string.h>

#include "frontend/base/diag.h"
#include "frontend/syntax/parse.h"

typedef struct Options {
  bool is_dump;
  DiagStyle style;
} Options;

static bool read_option(Options *options, const char *arg) {
  if (strncmp(arg, "--", 2) != 0) return false;
  if (strcmp(arg, "--dump=ast") == 0) options->is_dump = true;
  else if (strcmp(arg, "--diagnostics=plain") == 0) options->style = DIAG_PLAIN;
  else if (strcmp(arg, "--diagnostics=full") == 0) options->style = DIAG_FULL;
  return true;
}

static bool parse_file(const char *path, const Options *options) {
  Cx *cx = cx_new();
  const char *error = NULL;
  cx->source = source_read(cx->arena, path, &error);
  const Ast *program = cx->source ? parse(cx) : NULL;
  if (!cx->source) fprintf(stderr, "%s: %s\n", path, error);
  else diag_print_all(cx, stderr, options->style);
  if (program && options->is_dump) ast_print(program, stdout);
  cx_free(cx);
  return program != NULL;
}

int main(int n_args, char **args) {
  Options options = {false, DIAG_FULL};
  int status = 0;
  for (int i = 1; i < n_args; i++)
    if (!read_option(&options, args[i]) && !parse_file(args[i], &options)) status = 1;
  return status;
}
