/* fold_branches: decided and empty branches are removed with everything they reach; others stay. */
#include <string.h>

#include "tests/unit/test.h"

#include "tests/unit/pass/pass_case.h"

#define KEEP "    leave<active> %0, %1, %2 @0-1\n"

static void takes_the_way_decided(void) {
  becomes(pass_fold_branches,
          BODY("low", "    %3: bool = const_bool<false> @0-1\n"
                      "    branch %3, b1(), b2(), merge b3 @0-1\n"
                      "  b1():\n    print %0 @0-1\n    jump b3(%0) @0-1\n"
                      "  b2():\n    %4: int = ineg %0 @0-1\n    jump b3(%4) @0-1\n"
                      "  b3(%5: int):\n    leave<active> %5, %1, %2 @0-1\n"),
          BODY("low", "    %3: bool = const_bool<false> @0-1\n    %4: int = ineg %0 @0-1\n"
                      "    leave<active> %4, %1, %2 @0-1\n"));
}

static void drops_what_is_behind_an_exit(void) {
  becomes(pass_fold_branches,
          BODY("low", "    %3: bool = const_bool<true> @0-1\n"
                      "    branch %3, b1(), b2(), merge b3 @0-1\n"
                      "  b1():\n    leave<die> %0, %1, %2 @0-1\n"
                      "  b2():\n    jump b3() @0-1\n"
                      "  b3():\n    branch %2, b4(), b5() @0-1\n"
                      "  b4():\n" KEEP "  b5():\n" KEEP),
          BODY("low", "    %3: bool = const_bool<true> @0-1\n    leave<die> %0, %1, %2 @0-1\n"));
}

/* The arm ends after a loop: the merge follows there. */
static void goes_on_behind_nested_control_flow(void) {
  becomes(pass_fold_branches,
          BODY("low", "    %3: bool = const_bool<true> @0-1\n"
                      "    branch %3, b1(), b2(), merge b3 @0-1\n"
                      "  b1():\n    foreach %0, %0, b4(), b5() @0-1\n"
                      "  b4(%4: int):\n    print %4 @0-1\n    next @0-1\n"
                      "  b5():\n    jump b3(%0) @0-1\n"
                      "  b2():\n    jump b3(%0) @0-1\n"
                      "  b3(%5: int):\n    leave<active> %5, %1, %2 @0-1\n"),
          BODY("low", "    %3: bool = const_bool<true> @0-1\n"
                      "    foreach %0, %0, b4(), b5() @0-1\n"
                      "  b4(%4: int):\n    print %4 @0-1\n    next @0-1\n"
                      "  b5():\n    leave<active> %0, %1, %2 @0-1\n"));
}

static void drops_empty_branches_from_the_inside(void) {
  becomes(pass_fold_branches,
          BODY("low", "    branch %2, b1(), b2(), merge b3 @0-1\n"
                      "  b1():\n    branch %2, b4(), b5(), merge b6 @0-1\n"
                      "  b4():\n    jump b6() @0-1\n  b5():\n    jump b6() @0-1\n"
                      "  b6():\n    jump b3() @0-1\n"
                      "  b2():\n    jump b3() @0-1\n"
                      "  b3():\n" KEEP),
          BODY("low", KEEP));
}

#define REDUCE(kind, body, result)                                                                 \
  BODY("low", "    reduce<" kind "> %0, %0, b1(), b2() @0-1\n"                                     \
              "  b1(%3: int):\n" body "    next %3 @0-1\n"                                         \
              "  b2(%4: int):\n    leave<active> " result ", %1, %2 @0-1\n")

static void drops_a_reduction_that_nobody_wants(void) {
  becomes(pass_fold_branches, REDUCE("sum", "    %5: int = ineg %3 @0-1\n", "%0"),
          BODY("low", KEEP));
}

static void keeps_a_reduction_that_is_used_or_heard_of(void) {
  static const char *const texts[] = {
      REDUCE("max", "", "%4"),
      REDUCE("max", "    print %3 @0-1\n", "%0"),
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    becomes(pass_fold_branches, texts[i], texts[i]);
}

static void keeps_open_branches(void) {
  static const char *const texts[] = {
      BODY("low", "    branch %2, b1(), b2() @0-1\n"
                  "  b1():\n" KEEP "  b2():\n    leave<die> %0, %1, %2 @0-1\n"),
      BODY("low", "    branch %2, b1(), b2(), merge b3 @0-1\n"
                  "  b1():\n    jump b3(%0) @0-1\n  b2():\n    %3: int = ineg %0 @0-1\n"
                  "    jump b3(%3) @0-1\n"
                  "  b3(%5: int):\n    leave<active> %5, %1, %2 @0-1\n"),
      BODY("low", "    branch %2, b1(), b2(), merge b3 @0-1\n"
                  "  b1():\n    print %0 @0-1\n    jump b3() @0-1\n  b2():\n    jump b3() @0-1\n"
                  "  b3():\n" KEEP),
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    becomes(pass_fold_branches, texts[i], texts[i]);
}

int main(void) {
  RUN(takes_the_way_decided);
  RUN(drops_what_is_behind_an_exit);
  RUN(goes_on_behind_nested_control_flow);
  RUN(drops_empty_branches_from_the_inside);
  RUN(drops_a_reduction_that_nobody_wants);
  RUN(keeps_a_reduction_that_is_used_or_heard_of);
  RUN(keeps_open_branches);
  return test_result();
}
