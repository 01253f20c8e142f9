/* Whole programs: the text is the reviewed one, both C compilers take it without a word, and the
 * numbers are those of closed forms, in float and double, at -O0 with sanitizers and at full speed.
 */
#define _POSIX_C_SOURCE 200809L

#include "tests/unit/backend-c/programs.h"

#include <stdlib.h>
#include <unistd.h>

#include "backend-c/target_c.h"
#include "frontend/base/text.h"
#include "ir/tree/tree.h"
#include "tests/unit/test.h"

#define WARNINGS "-Wall -Wextra -Wconversion -Wdouble-promotion -Werror"
#define FAST "-O2 -march=native -ffp-contract=fast -fno-math-errno -fno-trapping-math"
#define CHECKED "-O0 -g -fsanitize=address,undefined -fno-sanitize-recover=all"

typedef struct Build {
  const char *compiler, *flags;
  bool is_double, is_long_int;
} Build;

static const Build builds[] = {
    {"gcc", FAST, false, false},     {"gcc", CHECKED, true, true},
    {"gcc", "-O0", true, false},     {"clang", FAST, true, false},
    {"clang", CHECKED, false, true}, {"gcc", "-O2 -mno-sse3", false, false},
};

/* ---- text --------------------------------------------------------------------------------------
 */

static const char *emit(Cx *cx, const TestProgram *program) {
  TreeProgram *tree = tree_from_low(cx, program->make(cx));
  tree_verify(cx, tree);
  EmitOptions options = {.program = program->name, .version = "0.0.0"};
  return target_c.emit(cx, tree, &options);
}

static Cx *open_cx(bool is_double, bool is_long_int) {
  Cx *cx = cx_new();
  types_init(cx);
  cx->is_double = is_double;
  cx->is_long_int = is_long_int;
  return cx;
}

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  if (!CHECK(file != NULL)) return;
  fputs(text, file);
  fclose(file);
}

/* DDR_BLESS in the environment rewrites the expectations; the difference is then reviewed. */
static void text_is_the_reviewed_one(void) {
  for (uint32_t i = 0; i < n_test_programs; i++) {
    Cx *cx = open_cx(false, false);
    const char *text = emit(cx, &test_programs[i]), *error;
    const char *path = text_format(cx->arena, "tests/golden/emit-c/%s.c", test_programs[i].name);
    if (getenv("DDR_BLESS")) write_text(path, text);
    const Source *expected = source_read(cx->arena, path, &error);
    if (CHECK(expected != NULL)) CHECK_STR(text, expected->text);
    cx_free(cx);
  }
}

static void text_does_not_depend_on_addresses(void) {
  Cx *first = open_cx(false, false), *second = open_cx(false, false);
  arena_alloc(second->arena, 4711);
  for (uint32_t i = 0; i < n_test_programs; i++)
    CHECK_STR(emit(first, &test_programs[i]), emit(second, &test_programs[i]));
  cx_free(first);
  cx_free(second);
}

/* ---- running -----------------------------------------------------------------------------------
 */

static bool has_command(Cx *cx, const char *name) {
  return system(text_format(cx->arena, "command -v %s > /dev/null", name)) == 0;
}

/* The numbers and words a run of the program prints; NULL when it was not made. */
static FILE *run(Cx *cx, const TestProgram *program, const Build *build, const char *folder) {
  const char *source = text_format(cx->arena, "%s/%s.c", folder, program->name);
  write_text(source, emit(cx, program));
  const char *types = text_format(cx->arena, "%s%s", build->is_double ? " -DDDR_DOUBLE" : "",
                                  build->is_long_int ? " -DDDR_LONG_INT" : "");
  const char *common =
      text_format(cx->arena, "%s -std=gnu17 %s -Iruntime/include", build->compiler, build->flags);
  const char *command = text_format(
      cx->arena,
      "cd '%s' && %s " WARNINGS " -c %s -o %s/p.o && %s %s -c tests/unit/backend-c/harness.c -o "
      "%s/h.o && %s %s/p.o %s/h.o -lm -o %s/p",
      SOURCE_DIR, common, source, folder, common, types, folder, common, folder, folder, folder);
  if (!CHECK_EQ(system(command), 0)) return NULL;
  return popen(text_format(cx->arena, "%s/p", folder), "r");
}

static void check_mandelbrot(FILE *out, bool is_double) {
  for (int slot = 0; slot < 169; slot++) {
    double c_x = -2 + 0.25 * (slot % 13), c_y = -1.5 + 0.25 * (slot / 13), x = 0, y = 0;
    int n = 0, found = -1;
    for (; n < 100 && x * x + y * y <= 4; n++) {
      double next = x * x - y * y + c_x;
      y = 2 * x * y + c_y;
      x = next;
    }
    CHECK_EQ(fscanf(out, "%d", &found), 1);
    /* a float orbit may leave a step earlier or later than a double one */
    if (is_double) CHECK_EQ(found, n);
    else CHECK(abs(found - n) <= 1 || n > 20);
  }
}

static void check_control(FILE *out, bool is_double) {
  static const int fibonacci[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144};
  double tol = is_double ? 1e-15 : 1e-7, up, x, y;
  char word[16];
  int fib;
  CHECK_EQ(fscanf(out, "%15s %d[%lf,%lf]", word, &fib, &up, &x), 4);
  CHECK_STR(word, "at");
  CHECK_EQ(fib, 3);
  CHECK_NEAR(up, 1, tol);
  CHECK_NEAR(x, 0, tol);
  for (int i = 0; i < 13; i++) {
    CHECK_EQ(fscanf(out, "%d %lf %lf %lf", &fib, &x, &y, &up), 4);
    CHECK_EQ(fib, fibonacci[i]);
    bool is_swapped = i != 1; /* fib(1) = fib(2) */
    CHECK_NEAR(x, is_swapped ? -1 : 0, tol);
    CHECK_NEAR(y, is_swapped ? 0 : 1, tol);
    CHECK_NEAR(up, (i < 5 ? 1 : 0) + (is_swapped ? 0 : 0.1), tol);
  }
}

/* Catmull-Rom reproduces quadratics: the probe is the polynomial itself. */
static void check_probe(FILE *out, bool is_double) {
  double tol = is_double ? 1e-13 : 5e-5; /* values up to 60, a few dozen roundings */
  for (int slot = 0; slot < 49; slot++) {
    int i = slot % 7, j = slot / 7;
    double x = 4.0 + 0.3 * i, y = 3.5 + 0.2 * j, z = 4.2 + 0.1 * i, found;
    double exact = 1 + x - 2 * y + 0.5 * z + 0.25 * x * y - 0.125 * z * z + 0.5 * x * z;
    CHECK_EQ(fscanf(out, "%lf", &found), 1);
    CHECK_NEAR(found, exact, tol);
  }
}

static void run_build(const Build *build, const char *folder) {
  static void (*const checks[])(FILE *, bool) = {check_mandelbrot, check_control, check_probe};
  for (uint32_t i = 0; i < n_test_programs; i++) {
    Cx *cx = open_cx(build->is_double, build->is_long_int);
    FILE *out = has_command(cx, build->compiler) ? run(cx, &test_programs[i], build, folder) : NULL;
    if (out) {
      checks[i](out, build->is_double);
      CHECK_EQ(pclose(out), 0);
    }
    cx_free(cx);
  }
}

static void numbers_are_those_of_closed_forms(void) {
  char folder[] = "/tmp/ddr-programs-XXXXXX";
  if (!CHECK(mkdtemp(folder) != NULL)) return;
  for (size_t i = 0; i < sizeof builds / sizeof builds[0]; i++) run_build(&builds[i], folder);
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK_EQ(system(command), 0);
}

int main(void) {
  RUN(text_is_the_reviewed_one);
  RUN(text_does_not_depend_on_addresses);
  RUN(numbers_are_those_of_closed_forms);
  return test_result();
}
