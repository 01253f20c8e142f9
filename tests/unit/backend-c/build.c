/* Emitting, compiling and running test programs: see build.h. */
#define _POSIX_C_SOURCE 200809L

#include "tests/unit/backend-c/build.h"

#include <stdlib.h>

#include "backend-c/target_c.h"
#include "frontend/base/text.h"
#include "ir/tree/tree.h"

#define WARNINGS "-Wall -Wextra -Wconversion -Wdouble-promotion -Werror"

Cx *build_cx(const Build *build) {
  Cx *cx = cx_new();
  types_init(cx);
  cx->is_double = build->is_double;
  cx->is_long_int = build->is_long_int;
  return cx;
}

const char *build_text(Cx *cx, const TestProgram *program) {
  TreeProgram *tree = tree_from_low(cx, program->make(cx));
  tree_verify(cx, tree);
  EmitOptions options = {
      .program = program->name, .version = "0.0.0", .is_scalar = program->is_scalar};
  return target_c.emit(cx, tree, &options);
}

bool build_write(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  bool is_written = file && fputs(text, file) >= 0;
  return file && fclose(file) == 0 && is_written;
}

bool build_has(const char *command) {
  char line[128];
  snprintf(line, sizeof line, "command -v %s > /dev/null", command);
  return system(line) == 0;
}

/* A compiler may be installed without its sanitizers. */
static bool makes_anything(Cx *cx, const Build *build, const char *folder) {
  return system(text_format(cx->arena,
                            "echo 'int main(void) { return 0; }' | %s %s -x c - -o %s/nothing",
                            build->compiler, build->flags, folder)) == 0;
}

FILE *build_run(Cx *cx, const TestProgram *program, const Build *build, const char *folder) {
  if (!build_has(build->compiler)) return NULL;
  const char *source = text_format(cx->arena, "%s/%s.c", folder, program->name);
  if (!build_write(source, build_text(cx, program))) return NULL;
  const char *types = text_format(cx->arena, "%s%s", build->is_double ? " -DDDR_DOUBLE" : "",
                                  build->is_long_int ? " -DDDR_LONG_INT" : "");
  const char *cc =
      text_format(cx->arena, "%s -std=gnu17 %s -Iruntime/include", build->compiler, build->flags);
  const char *command =
      text_format(cx->arena,
                  "%s " WARNINGS " -c %s -o %s/p.o && "
                  "%s %s -c tests/unit/backend-c/harness.c -o %s/h.o && "
                  "%s %s/p.o %s/h.o -lm -o %s/p",
                  cc, source, folder, cc, types, folder, cc, folder, folder, folder);
  if (system(command) != 0) {
    if (!makes_anything(cx, build, folder)) return NULL;
    fprintf(stderr, "%s: %s %s\n", program->name, build->compiler, build->flags);
    exit(1);
  }
  return popen(text_format(cx->arena, "%s/p", folder), "r");
}
