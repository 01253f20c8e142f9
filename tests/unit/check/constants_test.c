/* Folding of constant expressions and of values from the command line (--CNAME=VALUE), against
 * values computed by hand. A row declares one constant of a small program. */
#include <stdlib.h>

#include "frontend/base/diag.h"
#include "frontend/base/text.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parse.h"
#include "tests/unit/test.h"

static const char rest_of_program[] =
    "strand s (int i) { output int x = i; update { stabilize; } }\n"
    "create_array { s(i) | i in 0..1 }\n";

typedef struct Outcome {
  Cx *cx;
  const Const *value; /* NULL when there was an error */
} Outcome;

/* The constant c of the type, from its expression or (expr NULL) from the command line. */
static Outcome fold(const char *ty, const char *expr, const char *override) {
  Cx *cx = cx_new();
  types_init(cx);
  const char *text = text_format(
      cx->arena, "#version 2.0\nconst int N = 3;\nconst vec3 V = [1, 2, 4];\n%s c%s%s;\n%s",
      text_format(cx->arena, "const %s", ty), expr ? " = " : "", expr ? expr : "", rest_of_program);
  cx->source = source_from_text(cx->arena, "constants.diderot", text, strlen(text));
  const Ast *ast = parse(cx);
  ConstOverride replaced = {"c", override};
  CheckOptions options = {.overrides = &replaced, .n_overrides = override ? 1 : 0};
  TProgram *program = ast ? check(cx, ast, &options) : NULL;
  Outcome outcome = {.cx = cx};
  if (program) outcome.value = program->consts.data[program->consts.len - 1]->value;
  return outcome;
}

/* ---- values as text ------------------------------------------------------------------------- */

static void add_value(Text *out, const Const *value) {
  bool is_tensor = type_is(value->ty, TY_TENSOR), is_seq = type_is(value->ty, TY_SEQ);
  if (type_is(value->ty, TY_BOOL)) text_add(out, value->b ? "true" : "false");
  if (type_is(value->ty, TY_INT)) text_addf(out, "%lld", (long long)value->i);
  if (type_is(value->ty, TY_STRING)) text_add(out, value->s);
  for (uint64_t i = 0; is_tensor && i < shape_size(type_shape(value->ty)); i++)
    text_addf(out, "%s%.10g", i > 0 ? " " : "", value->reals[i].value);
  for (uint64_t i = 0; is_seq && i < value->n_elems; i++) {
    text_add(out, i > 0 ? "; " : "");
    add_value(out, value->elems[i]);
  }
}

static void expect(const char *ty, const char *expr, const char *override, const char *want) {
  Outcome outcome = fold(ty, expr, override);
  Text found = text_new(outcome.cx->arena);
  if (outcome.value) add_value(&found, outcome.value);
  bool is_good = want ? outcome.value && CHECK_STR(text_str(&found), want) : !outcome.value;
  if (!CHECK(is_good))
    fprintf(stderr, "const %s c = %s (%s)\n", ty, expr ? expr : "", override ? override : "");
  cx_free(outcome.cx);
}

static const struct {
  const char *ty, *expr, *want; /* want NULL: an error */
} folded[] = {
    {"int", "7/2", "3"},
    {"int", "-7/2", "-3"},
    {"int", "-7 % 3", "-1"},
    {"int", "7 % -3", "1"},
    {"int", "2*N + |-4|", "10"},
    {"int", "min(2, max(N, 1)) - -1", "3"},
    {"int", "-2147483648", "-2147483648"},
    {"int", "2147483647 + 0", "2147483647"},
    {"int", "2147483647 + 1", NULL},
    {"int", "-2147483647 - 2", NULL},
    {"int", "65536*32768", NULL},
    {"int", "(-4)*3 + |N|", "-9"},
    {"int", "(-4)*(-3)", "12"},
    {"int", "(-65536)*65536", NULL},
    {"int", "(-65536)*(-65536)", NULL},
    {"int", "N/(N - 3)", NULL},
    {"int", "1 if N > 2 else 1/0", "1"},
    {"int", "{4, 5, 6}[N - 1]", "6"},
    {"int", "{4, 5, 6}[N]", NULL},
    {"int", "2.0", NULL},
    {"bool", "N == 3 && !(N < 3)", "true"},
    {"bool", "false && 1/0 == 1", "false"},
    {"bool", "true || N/0 == 1", "true"},
    {"bool", "\"a\\066\" == \"aB\"", "true"},
    {"bool", "1 == 1.0", "true"},
    {"bool", "nan != nan", "true"},
    {"bool", "(1 < 2) == (2 < 1)", "false"},
    {"bool", "(1 < 2) != (2 < 1)", "true"},
    {"bool", "nan >= nan", "false"},
    {"real", "1", "1"},
    {"real", "2^3", "8"},
    {"real", "2.0^(-1)", "0.5"},
    {"real", "-inf", "-inf"},
    {"real", "sqrt(2.0)*sqrt(2.0)", "2"},
    {"real", "atan2(0.0, -1.0) - π", "0"},
    {"real", "round(-2.5)", "-3"},
    {"real", "trunc(-2.5)", "-2"},
    {"real", "fmod(-7.5, 2)", "-1.5"},
    {"real", "erf(0.0) + erfc(0.0)", "1"},
    {"real", "log2(8.0) + log10(100.0) + log(1.0)", "5"},
    {"real", "lerp(1.0, 2.0, 0.5)", "1.5"},
    {"real", "lerp(0, 10, -1, 0, 1)", "5"},
    {"real", "clerp(2, 1, 7)", "1"},
    {"real", "clamp(0, 1, 3)", "1"},
    {"real", "real(N)/2", "1.5"},
    {"real", "V[2] + V•V", "25"},
    {"real", "|[3.0, 4.0]|", "5"},
    {"real", "[1, 2]×[3, 4]", "-2"},
    {"real", "trace([[1, 2], [3, 4]])", "5"},
    {"real", "det([[1, 2], [3, 4]])", "-2"},
    {"real", "det([[2, 0, 1], [1, 3, 2], [0, 1, 4]])", "21"},
    {"real", "[[1, 2], [3, 4]]:[[1, 0], [0, 1]]", "5"},
    {"vec3", "V×[0, 0, 1]", "2 -1 0"},
    {"vec3", "2*V/4 - V", "-0.5 -1 -2"},
    {"vec3", "modulate(V, V)", "1 4 16"},
    {"vec3", "clamp(1.5, 3, V)", "1.5 2 3"},
    {"vec2", "normalize([3, 4])", "0.6 0.8"},
    {"vec2", "[[1, 2], [3, 4]]•[1, 1]", "3 7"},
    {"vec2", "[[1, 2], [3, 4]][:,1]", "2 4"},
    {"mat2", "transpose([[1, 2], [3, 4]])", "1 3 2 4"},
    {"mat2", "inv([[1, 2], [3, 4]])", "-2 1 1.5 -0.5"},
    {"mat2", "identity[2] + zeros[2,2]", "1 0 0 1"},
    {"mat2", "[1, 2]⊗[3, 4]", "3 4 6 8"},
    {"mat3", "inv([[2, 0, 0], [0, 4, 0], [1, 0, 1]])", "0.5 0 0 0 0.25 0 -0.5 0 1"},
    {"tensor[2,2,2]", "[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]", "1 2 3 4 5 6 7 8"},
    {"mat2", "[[[1, 2], [3, 4]], [[5, 6], [7, 8]]][:,1,:]", "3 4 7 8"},
    {"real[2]", "{1, 2}", "1; 2"},
    {"real[]", "{1, N}", "1; 3"},
    {"real[]", "{}", ""},
    {"int[2][]", "{{1, 2}, {3, 4}}", "1; 2; 3; 4"},
};

static void folds_expressions(void) {
  for (size_t i = 0; i < sizeof folded / sizeof *folded; i++)
    expect(folded[i].ty, folded[i].expr, NULL, folded[i].want);
}

static const struct {
  const char *ty, *given, *want;
} given[] = {
    {"bool", " true ", "true"},
    {"bool", "yes", NULL},
    {"int", "-12", "-12"},
    {"int", "+12", "12"},
    {"int", "5.5", NULL},
    {"int", "", NULL},
    {"int", "-", NULL},
    {"int", "2147483648", NULL},
    {"int", "99999999999999999999", NULL},
    {"int", "1 2", NULL},
    {"real", "3", "3"},
    {"real", ".5", "0.5"},
    {"real", "5.", "5"},
    {"real", "1e-3", "0.001"},
    {"real", "-1.5E+2", "-150"},
    {"real", ".", NULL},
    {"real", "1e", NULL},
    {"real", "inf", NULL},
    {"real", "0x10", NULL},
    {"string", "\"salt \\\\\"", "salt \\"},
    {"string", "salt", NULL},
    {"string", "\"salt", NULL},
    {"string", "\"\\", NULL},
    {"string", "\"\\q\"", NULL},
    {"vec2", "[1, 2.5]", "1 2.5"},
    {"vec2", "[ 1,2 ]x", NULL},
    {"vec2", "[1]", NULL},
    {"vec2", "[1, 2, 3]", NULL},
    {"mat2", "[[1, 2], [3, 4]]", "1 2 3 4"},
    {"int[2]", "{4, 5}", "4; 5"},
    {"int[2]", "{4}", NULL},
    {"int[]", "{}", ""},
    {"vec2[]", "{[1, 2], [3, 4]}", "1 2; 3 4"},
    {"int[]", "{1,}", NULL},
};

static void reads_values_of_the_command_line(void) {
  for (size_t i = 0; i < sizeof given / sizeof *given; i++)
    expect(given[i].ty, NULL, given[i].given, given[i].want);
}

static void literal_keeps_its_digits(void) {
  Outcome literal = fold("real", "0.1000000000000000055511151231257827", NULL);
  if (CHECK(literal.value != NULL))
    CHECK_STR(literal.value->reals[0].digits, "0.1000000000000000055511151231257827");
  cx_free(literal.cx);
  Outcome computed = fold("real", "0.1 + 0.0", NULL);
  if (CHECK(computed.value != NULL)) CHECK(computed.value->reals[0].digits == NULL);
  cx_free(computed.cx);
}

int main(void) {
  RUN(folds_expressions);
  RUN(reads_values_of_the_command_line);
  RUN(literal_keeps_its_digits);
  return test_result();
}
