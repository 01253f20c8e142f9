/* value_number: which ops are merged, and which are not: counts of ops after the pass and dce. */
#include <string.h>

#include "tests/unit/test.h"

#include "tests/unit/pass/pass_case.h"

#define KEEP "    leave<active> %0, %1, %2 @0-1\n"

static const struct {
  const char *text, *op; /* counted with its blank */
  uint32_t n;
} cases[] = {
    /* merged */
    {BODY("low", "    %3: real = radd %1, %1 @0-1\n    %4: real = radd %1, %1 @0-1\n"
                 "    print %3, %4 @0-1\n" KEEP),
     "= radd", 1},
    {BODY("low", "    %3: real = rmul %1, %1 @0-1\n    %4: real = radd %1, %3 @0-1\n"
                 "    %5: real = radd %3, %1 @0-1\n    print %4, %5 @0-1\n" KEEP),
     "= radd", 1},
    {BODY("low", "    %3: real = const_real<0.5> @0-1\n    %4: real = const_real<0.5> @0-1\n"
                 "    print %3, %4 @0-1\n" KEEP),
     "= const_real", 1},
    {BODY("low", "    %3: real = global_load<0> @0-1\n    %4: real = global_load<0> @0-1\n"
                 "    print %3, %4 @0-1\n" KEEP),
     "= global_load", 1},
    {BODY("high", "    %3: real = ein<$0 * $0> %1 @0-1\n    %4: real = ein<$0 * $0> %1 @0-1\n"
                  "    print %3, %4 @0-1\n" KEEP),
     "= ein", 1},
    /* an arm sees the values above it */
    {BODY("low", "    %3: int = ineg %0 @0-1\n    branch %2, b1(), b2() @0-1\n"
                 "  b1():\n    %4: int = ineg %0 @0-1\n    leave<active> %4, %1, %2 @0-1\n"
                 "  b2():\n    leave<active> %3, %1, %2 @0-1\n"),
     "= ineg", 1},
    /* not merged: two arms do not see each other, and the merge sees neither */
    {BODY("low", "    branch %2, b1(), b2(), merge b3 @0-1\n"
                 "  b1():\n    %4: int = ineg %0 @0-1\n    jump b3(%4) @0-1\n"
                 "  b2():\n    %5: int = ineg %0 @0-1\n    leave<active> %5, %1, %2 @0-1\n"
                 "  b3(%6: int):\n    %7: int = ineg %0 @0-1\n    print %7 @0-1\n"
                 "    leave<active> %6, %1, %2 @0-1\n"),
     "= ineg", 3},
    {BODY("low", "    %3: real = rsub %1, %1 @0-1\n    %4: real = rmul %3, %1 @0-1\n"
                 "    %5: real = rsub %4, %1 @0-1\n    %6: real = rsub %1, %4 @0-1\n"
                 "    print %5, %6 @0-1\n" KEEP),
     "= rsub", 3},
    {BODY("low", "    %3: real = const_real<0> @0-1\n    %4: real = const_real<-0> @0-1\n"
                 "    print %3, %4 @0-1\n" KEEP),
     "= const_real", 2},
    {BODY("low", "    %3: real = const_real<0.1> @0-1\n"
                 "    %4: real = const_real<0.1 \"0.1\"> @0-1\n"
                 "    print %3, %4 @0-1\n" KEEP),
     "= const_real", 2},
    {BODY("low", "    %3: real = global_load<0> @0-1\n    global_store<0> %1 @0-1\n"
                 "    %4: real = global_load<0> @0-1\n    print %3, %4 @0-1\n" KEEP),
     "= global_load", 2},
    {BODY("low", "    %3: real = rmul %1, %1 @0-1\n    %4: real = min %1, %3 @0-1\n"
                 "    %5: real = min %3, %1 @0-1\n    print %4, %5 @0-1\n" KEEP),
     "= min", 2},
    {BODY("low", "    print %1 @0-1\n    print %1 @0-1\n" KEEP), "print", 2},
    {"ir low\nimage \"img\": image(1)[] @0-1\nstate \"r\": real @0-1\n\n"
     "func update @0-1 {\n  b0(%0: real):\n    %1: image(1)[] = global_load<0 \"img\"> @0-1\n"
     "    %2: offset = const_offset<0> @0-1\n    %3: addr = sample_addr<0> %1, %2 @0-1\n"
     "    %4: row(2) = row_load %3 @0-1\n    %5: row(4) = row_load %3 @0-1\n"
     "    %6: real = row_get<0> %4 @0-1\n    %7: real = row_get<0> %5 @0-1\n"
     "    %8: real = row_get<1> %5 @0-1\n    print %6, %7, %8 @0-1\n"
     "    leave<active> %0 @0-1\n}\n",
     "= row_", 5},
};

static void merges_equal_values_only(void) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Cx *cx = test_cx();
    const char *after = run_on_text(cx, pass_value_number, cases[i].text);
    if (!CHECK_EQ(count_text(after, cases[i].op), cases[i].n)) fprintf(stderr, "%s", after);
    cx_free(cx);
  }
}

int main(void) {
  RUN(merges_equal_values_only);
  return test_result();
}
