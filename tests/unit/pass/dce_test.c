/* dce: unused values are removed, also around joins and loops; effects stay. */
#include <string.h>

#include "tests/unit/test.h"

#include "tests/unit/pass/pass_case.h"

#define KEEP "    leave<active> %0, %1, %2 @0-1\n"

static void drops_what_is_unused(void) {
  becomes(pass_dce,
          BODY("low", "    %3: real = radd %1, %1 @0-1\n    %4: real = rmul %3, %3 @0-1\n"
                      "    %5: real = global_load<0 \"g\"> @0-1\n" KEEP),
          BODY("low", KEEP));
}

static void drops_parameters_of_joins(void) {
  becomes(pass_dce,
          BODY("low", "    branch %2, b1(), b2(), merge b3 @0-1\n"
                      "  b1():\n    %3: int = ineg %0 @0-1\n    jump b3(%3, %1) @0-1\n"
                      "  b2():\n    jump b3(%0, %1) @0-1\n"
                      "  b3(%4: int, %5: real):\n    leave<active> %0, %5, %2 @0-1\n"),
          BODY("low", "    branch %2, b1(), b2(), merge b3 @0-1\n"
                      "  b1():\n    jump b3(%1) @0-1\n"
                      "  b2():\n    jump b3(%1) @0-1\n"
                      "  b3(%5: real):\n    leave<active> %0, %5, %2 @0-1\n"));
}

/* A loop-carried value that only feeds itself, through a nested loop. */
static void drops_carried_values(void) {
  becomes(pass_dce,
          BODY("low", "    foreach %0, %0, b1(%0, %1), b4() @0-1\n"
                      "  b1(%3: int, %4: int, %5: real):\n"
                      "    foreach %0, %3, b2(%4), b3() @0-1\n"
                      "  b2(%6: int, %7: int):\n    %8: int = iadd %7, %6 @0-1\n    next %8 @0-1\n"
                      "  b3(%9: int):\n    %10: real = radd %5, %5 @0-1\n    next %9, %10 @0-1\n"
                      "  b4(%11: int, %12: real):\n    leave<active> %0, %12, %2 @0-1\n"),
          BODY("low", "    foreach %0, %0, b1(%1), b4() @0-1\n"
                      "  b1(%3: int, %5: real):\n"
                      "    foreach %0, %3, b2(), b3() @0-1\n"
                      "  b2(%6: int):\n    next @0-1\n"
                      "  b3():\n    %10: real = radd %5, %5 @0-1\n    next %10 @0-1\n"
                      "  b4(%12: real):\n    leave<active> %0, %12, %2 @0-1\n"));
}

static void drops_after_a_body_that_leaves(void) {
  becomes(pass_dce,
          BODY("low", "    foreach %0, %0, b1(%0), b2() @0-1\n"
                      "  b1(%3: int, %4: int):\n    leave<die> %0, %1, %2 @0-1\n"
                      "  b2(%5: int):\n" KEEP),
          BODY("low", "    foreach %0, %0, b1(), b2() @0-1\n"
                      "  b1(%3: int):\n    leave<die> %0, %1, %2 @0-1\n"
                      "  b2():\n" KEEP));
}

static void keeps_effects_and_what_they_need(void) {
  static const char *const texts[] = {
      BODY("low", "    %3: real = radd %1, %1 @0-1\n    print %3 @0-1\n" KEEP),
      BODY("low", "    %3: real = radd %1, %1 @0-1\n    global_store<0 \"g\"> %3 @0-1\n" KEEP),
      BODY("low", "    %3: bool = ilt %0, %0 @0-1\n    branch %3, b1(), b2() @0-1\n"
                  "  b1():\n" KEEP "  b2():\n    leave<die> %0, %1, %2 @0-1\n"),
      BODY("low", "    foreach %0, %0, b1(%0), b2() @0-1\n"
                  "  b1(%3: int, %4: int):\n    print %4 @0-1\n    next %3 @0-1\n"
                  "  b2(%5: int):\n" KEEP),
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) becomes(pass_dce, texts[i], texts[i]);
}

int main(void) {
  RUN(drops_what_is_unused);
  RUN(drops_parameters_of_joins);
  RUN(drops_carried_values);
  RUN(drops_after_a_body_that_leaves);
  RUN(keeps_effects_and_what_they_need);
  return test_result();
}
