/* Attributes: equal ones have the same hash, and attributes that differ in any part are not
 * equal. */
#include "ir/core/ir.h"
#include "ir/ein/ein.h"
#include "tests/unit/test.h"

/* Two attributes of a kind, and a copy of the first. */
static void differ(AttrKind kind, Attr a, Attr copy, Attr b) {
  bool is_good =
      CHECK(attr_eq(kind, a, copy)) && CHECK(attr_hash(kind, a) == attr_hash(kind, copy));
  is_good = CHECK(!attr_eq(kind, a, b)) && CHECK(!attr_eq(kind, b, a)) && is_good;
  if (!is_good) fprintf(stderr, "  kind %d\n", (int)kind);
}

static void plain_values(void) {
  differ(ATTR_BOOL, (Attr){.b = true}, (Attr){.b = true}, (Attr){.b = false});
  differ(ATTR_INT, (Attr){.i = -3}, (Attr){.i = -3}, (Attr){.i = 3});
  differ(ATTR_PAIR, (Attr){.pair = {1, 2}}, (Attr){.pair = {1, 2}}, (Attr){.pair = {2, 1}});
  differ(ATTR_EXIT, (Attr){.exit = EXIT_DIE}, (Attr){.exit = EXIT_DIE},
         (Attr){.exit = EXIT_ACTIVE});
  CHECK(attr_eq(ATTR_NONE, (Attr){.i = 1}, (Attr){.i = 2}));
  CHECK(attr_hash(ATTR_NONE, (Attr){.i = 1}) == attr_hash(ATTR_NONE, (Attr){.i = 2}));
}

static void strings_by_content(void) {
  char text[] = "step", same[] = "step", other[] = "steps";
  differ(ATTR_STRING, (Attr){.s = text}, (Attr){.s = same}, (Attr){.s = other});
}

/* Zeros differ by sign, NaN equals itself, and the digits in the source count. */
static void reals_by_bits(void) {
  char digits[] = "0.10", same[] = "0.10";
  const Attr half = {.real = {.value = 0.5}}, plus = {.real = {.value = 0.0}};
  const Attr undefined = {.real = {.value = (double)NAN}};
  const Attr tenth = {.real = {.value = 0.1, .digits = digits}};
  differ(ATTR_REAL, half, half, plus);
  differ(ATTR_REAL, plus, plus, (Attr){.real = {.value = -0.0}});
  differ(ATTR_REAL, undefined, undefined, half);
  differ(ATTR_REAL, tenth, (Attr){.real = {.value = 0.1, .digits = same}},
         (Attr){.real = {.value = 0.1, .digits = "0.1"}});
  differ(ATTR_REAL, tenth, tenth, (Attr){.real = {.value = 0.1}});
}

static void references(void) {
  Func f = {0}, g = {0};
  differ(ATTR_FUNC, (Attr){.func = &f}, (Attr){.func = &f}, (Attr){.func = &g});
  const Attr whole = {.var = {.index = 1, .component = WHOLE}};
  differ(ATTR_VAR, whole, whole, (Attr){.var = {.index = 1, .component = 0}});
  differ(ATTR_STATE, whole, whole, (Attr){.var = {.index = 2, .component = WHOLE}});
  const Attr tent = {.kernel = kernel_find("tent")};
  differ(ATTR_KERNEL, tent, tent, (Attr){.kernel = kernel_find("ctmr")});
}

static void groups_and_reductions(void) {
  const ProbeGroup group = {.kernel = kernel_find("tent"), .orders = 3, .border = BORDER_CLAMP};
  ProbeGroup other[4] = {group, group, group, group};
  other[0].kernel = kernel_find("ctmr");
  other[1].orders = 1;
  other[2].border = BORDER_WRAP;
  other[3].sampling = 1;
  for (int i = 0; i < 4; i++)
    differ(ATTR_GROUP, (Attr){.group = group}, (Attr){.group = group}, (Attr){.group = other[i]});
  static const Reduction sums[] = {REDUCE_SUM, REDUCE_MAX}, least[] = {REDUCE_MIN, REDUCE_MAX};
  const Attr sum = {.reduce = {OVER_ACTIVE, 1, sums}}, same = {.reduce = {OVER_ACTIVE, 1, sums}};
  differ(ATTR_REDUCE, sum, same, (Attr){.reduce = {OVER_ALL, 1, sums}});
  differ(ATTR_REDUCE, sum, same, (Attr){.reduce = {OVER_ACTIVE, 1, least}});
  differ(ATTR_REDUCE, sum, same, (Attr){.reduce = {OVER_ACTIVE, 2, sums}});
}

static void rows_by_lane(void) {
  Rational one[2] = {RATIONAL(1, 1), RATIONAL(1, 2)}, same[2] = {RATIONAL(1, 1), RATIONAL(1, 2)};
  Rational two[2] = {RATIONAL(1, 1), RATIONAL(2, 1)};
  const Attr row = {.row = {2, one}};
  differ(ATTR_ROW, row, (Attr){.row = {2, same}}, (Attr){.row = {2, two}});
  differ(ATTR_ROW, row, row, (Attr){.row = {1, one}});
}

static void expressions(void) {
  Cx *cx = cx_new();
  types_init(cx);
  const char *texts[] = {"<i:2 | $0[i] * $1>", "<i:2 | $0[i] * $1>", "<i:2 | $0[i] + $1>"};
  const Ein *eins[3];
  for (int i = 0; i < 3; i++) {
    const char *pos = texts[i], *error = NULL;
    eins[i] = ein_parse(cx, &pos, &error);
    CHECK_STR(error, NULL);
  }
  differ(ATTR_EIN, (Attr){.ein = eins[0]}, (Attr){.ein = eins[1]}, (Attr){.ein = eins[2]});
  cx_free(cx);
}

int main(void) {
  RUN(plain_values);
  RUN(strings_by_content);
  RUN(reals_by_bits);
  RUN(references);
  RUN(groups_and_reductions);
  RUN(rows_by_lane);
  RUN(expressions);
  return test_result();
}
