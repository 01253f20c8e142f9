/* C expressions: parentheses where C or -Wparentheses needs them and nowhere else; literals that
 * read back as the value they stand for. */
#include "backend-c/text/cexpr.h"

#include <stdlib.h>

#include "tests/unit/test.h"

static Cx *cx;

static const char *print(const CExpr *expr) {
  Text text = text_new(cx->arena);
  c_print(&text, expr);
  return text_str(&text);
}

static CExpr *v(const char *name) { return c_name(cx, name); }
static CExpr *op(const char *text, CExpr *a, CExpr *b) { return c_binary(cx, text, a, b); }
static CExpr *minus(CExpr *a) { return c_unary(cx, "-", a); }

static void sums_and_products(void) {
  CExpr *sum = op("+", v("a"), v("b")), *product = op("*", v("a"), v("b"));
  CHECK_STR(print(op("+", sum, v("c"))), "a + b + c");
  CHECK_STR(print(op("+", v("c"), sum)), "c + (a + b)");
  CHECK_STR(print(op("-", v("c"), sum)), "c - (a + b)");
  CHECK_STR(print(op("*", sum, v("c"))), "(a + b) * c");
  CHECK_STR(print(op("+", product, v("c"))), "a * b + c");
  CHECK_STR(print(op("/", v("c"), product)), "c / (a * b)");
  CHECK_STR(print(op("%", product, v("c"))), "a * b % c");
}

static void comparisons_and_logic(void) {
  CExpr *less = op("<", v("a"), v("b")), *both = op("&&", v("a"), v("b"));
  CHECK_STR(print(op("==", less, less)), "(a < b) == (a < b)");
  CHECK_STR(print(op("||", both, v("c"))), "(a && b) || c");
  CHECK_STR(print(op("&&", both, less)), "a && b && a < b");
  CHECK_STR(print(op("&&", v("c"), op("||", v("a"), v("b")))), "c && (a || b)");
  CHECK_STR(print(c_unary(cx, "!", less)), "!(a < b)");
  CHECK_STR(print(c_unary(cx, "!", v("a"))), "!a");
}

static void prefixes(void) {
  CHECK_STR(print(minus(v("a"))), "-a");
  CHECK_STR(print(minus(minus(v("a")))), "-(-a)");
  CHECK_STR(print(minus(c_int(cx, -3))), "-(-3)");
  CHECK_STR(print(op("-", v("a"), minus(v("b")))), "a - -b");
  CHECK_STR(print(minus(op("*", v("a"), v("b")))), "-(a * b)");
  CHECK_STR(print(c_cast(cx, "ddr_real", op("+", v("a"), v("b")))), "(ddr_real)(a + b)");
  CHECK_STR(print(op("*", c_cast(cx, "ddr_real", v("a")), v("b"))), "(ddr_real)a * b");
}

static void choices_and_access(void) {
  CExpr *choice = c_cond(cx, op("<", v("a"), v("b")), v("x"), v("y"));
  CHECK_STR(print(choice), "a < b ? x : y");
  CHECK_STR(print(op("+", choice, v("c"))), "(a < b ? x : y) + c");
  CHECK_STR(print(c_cond(cx, v("p"), choice, choice)), "p ? (a < b ? x : y) : a < b ? x : y");
  CHECK_STR(print(c_call2(cx, "f", op("+", v("a"), v("b")), choice)), "f(a + b, a < b ? x : y)");
  CHECK_STR(print(c_index_int(cx, op("+", v("a"), v("b")), 2)), "(a + b)[2]");
  CHECK_STR(print(c_index_int(cx, c_arrow(cx, v("self"), "pos"), 1)), "self->pos[1]");
  CHECK_STR(print(c_unary(cx, "&", c_index(cx, v("state"), v("slot")))), "&state[slot]");
  CHECK_STR(print(c_step(cx, v("n"))), "n++");
}

/* --- literals --------------------------------------------------------------------------------- */

static const char *real(double value, const char *digits) {
  return print(c_real(cx, (RealConst){.value = value, .digits = digits}));
}

static void reals_in_float(void) {
  cx->is_double = false;
  CHECK_STR(real(0.1, "0.1"), "0.1f");
  CHECK_STR(real(0.1, NULL), "0.1f");
  CHECK_STR(real(3, "3"), "3.0f");
  CHECK_STR(real(-2.5, NULL), "-2.5f");
  CHECK_STR(real(1e20, NULL), "1e+20f");
  CHECK_STR(real(-0.0, NULL), "-0.0f");
  CHECK_STR(real(1.0 / 3, NULL), "0.33333334f");
  CHECK_STR(real(1e300, "1e300"), "INFINITY"); /* out of range: a warning as a literal */
  CHECK_STR(real(1e-300, "1e-300"), "0.0f");
  CHECK_STR(real(-HUGE_VAL, NULL), "-INFINITY");
  CHECK_STR(real(NAN, NULL), "NAN");
  const char *pi = "3.14159265358979323846264338327950288419716939937510582097494459";
  CHECK_STR(real(3.141592653589793, pi), text_format(cx->arena, "%sf", pi));
}

static void reals_in_double(void) {
  cx->is_double = true;
  CHECK_STR(real(0.1, NULL), "0.1");
  CHECK_STR(real(3, NULL), "3.0");
  CHECK_STR(real(1.0 / 3, NULL), "0.3333333333333333");
  CHECK_STR(real(1e300, "1e300"), "1e300");
  CHECK_STR(real(-HUGE_VAL, NULL), "-(ddr_real)INFINITY");
}

/* Every printed float reads back as the same float, and no shorter text does. */
static void floats_read_back(void) {
  cx->is_double = false;
  uint32_t state = 1;
  for (int k = 0; k < 2000; k++) {
    state = state * 1664525u + 1013904223u;
    float value;
    memcpy(&value, &state, sizeof value);
    if (!isfinite(value)) continue;
    const char *text = real((double)value, NULL);
    CHECK(strtof(text, NULL) == value);
  }
}

/* For (2^24 + 1) / 3 and the like, rounding to double first would round twice. */
static void rationals_are_rounded_once(void) {
  cx->is_double = false;
  CHECK_STR(print(c_rational(cx, rational(1, 6))), "0.16666667f");
  CHECK_STR(print(c_rational(cx, rational(-7, 2))), "-3.5f");
  for (int64_t num = -50; num < 50; num++)
    for (int64_t den = 1; den < 50; den++) {
      const char *text = print(c_rational(cx, rational(num, den)));
      long double exact = (long double)num / (long double)den;
      float found = strtof(text, NULL);
      long double error = fabsl((long double)found - exact);
      CHECK(error <= fabsl((long double)nextafterf(found, HUGE_VALF) - exact));
      CHECK(error <= fabsl((long double)nextafterf(found, -HUGE_VALF) - exact));
    }
}

static void integers_and_strings(void) {
  CHECK_STR(print(c_int(cx, -7)), "-7");
  CHECK_STR(print(c_int(cx, INT32_MIN)), "INT32_MIN");
  CHECK_STR(print(c_int(cx, INT64_MIN)), "INT64_MIN");
  CHECK_STR(print(c_string(cx, "a \"b\"\\\n\t\001"
                               "1")),
            "\"a \\\"b\\\"\\\\\\n\\t\\0011\"");
  CHECK_STR(print(c_string(cx, "?"
                               "?/ ?"
                               "?"
                               "?")),
            "\"?\\?/ ?\\?\\?\""); /* no trigraphs */
}

int main(void) {
  cx = cx_new();
  types_init(cx);
  RUN(sums_and_products);
  RUN(comparisons_and_logic);
  RUN(prefixes);
  RUN(choices_and_access);
  RUN(reals_in_float);
  RUN(reals_in_double);
  RUN(floats_read_back);
  RUN(rationals_are_rounded_once);
  RUN(integers_and_strings);
  cx_free(cx);
  return test_result();
}
