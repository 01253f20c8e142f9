/* The front end up to the syntax tree as a program, for the golden tests of this component:
 * prints the messages about a file, then its tree. Exits with 1 when there is none.
 */
#include <string.h>

#include "frontend/base/diag.h"
#include "frontend/syntax/parse.h"

int main(int n_args, char **args) {
  if (n_args < 2) {
    fprintf(stderr, "usage: %s [--quiet] FILE...\n", args[0]);
    return 2;
  }
  bool is_quiet = strcmp(args[1], "--quiet") == 0;
  int status = 0;
  for (int i = is_quiet ? 2 : 1; i < n_args; i++) {
    Cx *cx = cx_new();
    const char *error = NULL;
    cx->source = source_read(cx->arena, args[i], &error);
    const Ast *program = cx->source ? parse(cx) : NULL;
    if (!cx->source) fprintf(stderr, "%s: %s\n", args[i], error);
    diag_print_all(cx, is_quiet ? stderr : stdout, is_quiet ? DIAG_PLAIN : DIAG_FULL);
    if (program && !is_quiet) ast_print(program, stdout);
    if (!program) status = 1;
    cx_free(cx);
  }
  return status;
}
