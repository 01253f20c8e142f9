/* Whole programs: the emitted text is the reviewed one, both C compilers accept it without
 * warnings, and the numbers match closed forms, in float and double, at -O0 with sanitizers and
 * optimised. */
#define _POSIX_C_SOURCE 200809L

#include "tests/unit/backend-c/build.h"

#include <stdlib.h>
#include <unistd.h>

#include "frontend/base/text.h"
#include "tests/unit/test.h"

static const Build builds[] = {
    {"gcc", FAST, false, false},
    {"gcc", CHECKED, true, true},
    {"gcc", "-O0 -Wno-psabi", true, false},
    {"clang", FAST, true, false},
    {"clang", CHECKED, false, true},
    {"gcc", "-O2 -mno-sse3 -Wno-psabi", false, false},
};

/* --- text ------------------------------------------------------------------------------------- */

/* DDR_BLESS in the environment rewrites the expectations; the difference is then reviewed. */
static void text_is_the_reviewed_one(void) {
  for (uint32_t i = 0; i < n_test_programs; i++) {
    Cx *cx = build_cx(&builds[0]);
    const char *text = build_text(cx, &test_programs[i]);
    const char *error,
        *path = text_format(cx->arena, "tests/golden/emit-c/%s.c", test_programs[i].name);
    if (getenv("DDR_BLESS")) CHECK(build_write(path, text));
    const Source *expected = source_read(cx->arena, path, &error);
    if (CHECK(expected != NULL)) CHECK_STR(text, expected->text);
    cx_free(cx);
  }
}

/* Formatted in the project's style, except that there is no limit of columns. */
static void text_is_formatted(void) {
  if (!build_has("clang-format")) return;
  for (uint32_t i = 0; i < n_test_programs; i++) {
    Cx *cx = build_cx(&builds[0]);
    const char *command =
        text_format(cx->arena,
                    "sed 's/^ColumnLimit:.*/ColumnLimit: 0/' .clang-format > /tmp/ddr-style.$$ && "
                    "clang-format --style=file:/tmp/ddr-style.$$ < tests/golden/emit-c/%s.c | "
                    "diff tests/golden/emit-c/%s.c - ; s=$?; rm /tmp/ddr-style.$$; exit $s",
                    test_programs[i].name, test_programs[i].name);
    CHECK_EQ(system(command), 0);
    cx_free(cx);
  }
}

static void text_does_not_depend_on_addresses(void) {
  Cx *first = build_cx(&builds[0]), *second = build_cx(&builds[0]);
  arena_alloc(second->arena, 4711);
  for (uint32_t i = 0; i < n_test_programs; i++)
    CHECK_STR(build_text(first, &test_programs[i]), build_text(second, &test_programs[i]));
  cx_free(first);
  cx_free(second);
}

/* --- running ---------------------------------------------------------------------------------- */

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
  static void (*const checks[])(FILE *, bool) = {check_mandelbrot, check_mandelbrot, check_control,
                                                 check_probe, check_probe};
  for (uint32_t i = 0; i < n_test_programs; i++) {
    Cx *cx = build_cx(build);
    FILE *out = build_run(cx, &test_programs[i], build, folder);
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
  RUN(text_is_formatted);
  RUN(text_does_not_depend_on_addresses);
  RUN(numbers_are_those_of_closed_forms);
  return test_result();
}
