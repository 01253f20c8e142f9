/* Signatures: parsing, and matching and instantiation over a table of types. */
#include "frontend/lang/sig.h"
#include "tests/unit/lang/type_text.h"

#define MAX_ARGS 4

static uint32_t read_types(const char *const *texts, const Type **types) {
  uint32_t n = 0;
  while (n < MAX_ARGS && texts[n]) {
    types[n] = ty(texts[n]);
    n++;
  }
  return n;
}

static void valid_texts(void) {
  static const struct {
    const char *text;
    uint32_t n_params, n_results;
    bool variadic;
  } rows[] = {
      {"() -> ()", 0, 0, false},
      {"int, int -> int", 2, 1, false},
      {"any... -> ()", 1, 0, true},
      {"tensor[s]... -> tensor[#,s]", 1, 1, true},
      {"field#k(d)[s,d] -> field#(k-1)(d)[s]", 1, 1, false},
      {"field#k(d)[s], field#j(d)[s] -> field#min(k,j)(d)[s]", 2, 1, false},
      {"row(n), addr, offset, strand, T[], T[3] -> row(n), mat4", 6, 2, false},
      {"tensor[s], tensor[t,s] -> tensor[t]", 2, 1, false},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const char *error = NULL;
    const Sig *sig = sig_parse(cx, rows[i].text, &error);
    if (!CHECK(sig != NULL)) {
      fprintf(stderr, "  %s: %s\n", rows[i].text, error);
      continue;
    }
    CHECK_EQ(sig_param_count(sig), rows[i].n_params);
    CHECK_EQ(sig_result_count(sig), rows[i].n_results);
    CHECK_EQ(sig_is_variadic(sig), rows[i].variadic);
  }
  static const char text[] = "int -> int";
  CHECK(sig_of(cx, text) == sig_of(cx, text));
}

static void invalid_texts(void) {
  static const struct {
    const char *text, *error;
  } rows[] = {
      {"", "column 1: expected a type"},
      {"int", "column 4: expected ->"},
      {"int -> int int", "column 12: expected the end"},
      {"int, -> int", "column 6: expected a type"},
      {"vec5 -> int", "column 1: expected a type"},
      {"tensor -> int", "column 8: expected ["},
      {"tensor[s,t] -> int", "column 11: expected one unknown run of axes"},
      {"tensor[s,s] -> int", "column 11: expected one unknown run of axes"},
      {"tensor[q] -> int", "column 8: expected a dimension"},
      {"tensor[#] -> int", "column 8: expected a dimension"},
      {"tensor[0] -> int", "column 9: expected a length above 0"},
      {"field#d(3)[] -> int", "column 7: expected a continuity variable or number"},
      {"field#(k-1)(3)[] -> int", "column 7: expected a continuity variable or number"},
      {"field#k(3)[] -> field#(k-2)(3)[]", "column 26: expected 1"},
      {"(int) -> int", "column 2: expected )"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const char *error = NULL;
    CHECK(sig_parse(cx, rows[i].text, &error) == NULL);
    CHECK_STR(error, rows[i].error);
  }
}

/* result is NULL if the arguments do not match; then `failed` is the argument at fault. */
typedef struct MatchRow {
  const char *sig;
  SigMode mode;
  const char *args[MAX_ARGS];
  const char *result;
  uint32_t failed;
} MatchRow;

static void check_match(const MatchRow *row) {
  const Type *args[MAX_ARGS];
  uint32_t n_args = read_types(row->args, args), failed;
  Bindings b;
  const Sig *sig = sig_of(cx, row->sig);
  bool fits = sig_match(cx, sig, row->mode, args, n_args, &b, &failed);
  bool held = CHECK_EQ(fits, row->result != NULL);
  if (fits && row->result)
    held &= CHECK_STR(type_text(cx, sig_result(cx, sig, &b, 0)), row->result);
  if (!fits) held &= CHECK_EQ(failed, row->failed);
  if (!held) fprintf(stderr, "  %s of %s\n", row->sig, row->args[0]);
}

#define ADD_FF "field#k(d)[s], field#j(d)[s] -> field#min(k,j)(d)[s]"
#define INNER "tensor[s,e], tensor[e,t] -> tensor[s,t]"
#define OUTER "tensor[s], tensor[t] -> tensor[s,t]"
#define COLON "tensor[s,d,e], tensor[d,e,t] -> tensor[s,t]"
#define JACOBIAN "field#k(d)[s,e] -> field#(k-1)(d)[s,e,d]"
#define DIVERGENCE "field#k(d)[s,d] -> field#(k-1)(d)[s]"
#define PROBE "field#k(d)[s], vec(d) -> tensor[s]"
#define PREPEND "T, T[] -> T[]"
#define CLAMP "real, real, tensor[s,e] -> tensor[s,e]"

static const MatchRow match_rows[] = {
    {"int, int -> int", SIG_EXACT, {"int", "int"}, "int", 0},
    {"int, int -> int", SIG_EXACT, {"int", "real"}, NULL, 1},
    {"int, int -> int", SIG_EXACT, {"int"}, NULL, 1},
    {"int, int -> int", SIG_EXACT, {"int", "int", "int"}, NULL, 3},
    {"int, int -> int", SIG_COERCE, {"real", "int"}, NULL, 0},
    {"real, int -> real", SIG_EXACT, {"int", "int"}, NULL, 0},
    {"real, int -> real", SIG_COERCE, {"int", "int"}, "real", 0},
    {"real, int -> real", SIG_COERCE, {"?", "int"}, "real", 0},
    /* shapes */
    {"tensor[s], tensor[s] -> tensor[s]", SIG_EXACT, {"vec3", "vec3"}, "vec3", 0},
    {"tensor[s], tensor[s] -> tensor[s]", SIG_EXACT, {"vec3", "mat3"}, NULL, 1},
    {"tensor[s], tensor[s] -> tensor[s]", SIG_COERCE, {"int", "real"}, "real", 0},
    {"tensor[s], tensor[s] -> tensor[s]", SIG_COERCE, {"int", "vec3"}, NULL, 1},
    {"tensor[e,e] -> real", SIG_EXACT, {"mat3"}, "real", 0},
    {"tensor[e,e] -> real", SIG_EXACT, {"tensor[2,3]"}, NULL, 0},
    {"tensor[e,e] -> real", SIG_EXACT, {"real"}, NULL, 0},
    {"tensor[d,e] -> tensor[e,d]", SIG_EXACT, {"tensor[2,3]"}, "tensor[3,2]", 0},
    {"tensor[e], tensor[e] -> tensor[e]", SIG_EXACT, {"real", "real"}, "real", 0},
    {"tensor[e], tensor[e] -> tensor[e]", SIG_EXACT, {"real", "vec2"}, NULL, 1},
    {INNER, SIG_EXACT, {"vec3", "vec3"}, "real", 0},
    {INNER, SIG_EXACT, {"mat3", "vec3"}, "vec3", 0},
    {INNER, SIG_EXACT, {"tensor[2,3]", "tensor[3,4]"}, "tensor[2,4]", 0},
    {INNER, SIG_EXACT, {"vec2", "vec3"}, NULL, 1},
    {INNER, SIG_EXACT, {"real", "vec3"}, NULL, 0},
    {INNER, SIG_EXACT, {"vec3", "real"}, NULL, 1},
    {OUTER, SIG_EXACT, {"vec3", "mat2"}, "tensor[3,2,2]", 0},
    {OUTER, SIG_EXACT, {"real", "vec4"}, "vec4", 0},
    {COLON, SIG_EXACT, {"tensor[4,2,3]", "tensor[2,3,5]"}, "tensor[4,5]", 0},
    {COLON, SIG_EXACT, {"mat3", "mat3"}, "real", 0},
    {COLON, SIG_EXACT, {"tensor[2,3]", "tensor[3,2]"}, NULL, 1},
    {COLON, SIG_EXACT, {"vec3", "mat3"}, NULL, 0},
    {CLAMP, SIG_COERCE, {"int", "real", "vec3"}, "vec3", 0},
    {CLAMP, SIG_COERCE, {"real", "real", "real"}, NULL, 2},
    {"tensor[s]... -> tensor[#,s]", SIG_EXACT, {"vec2", "vec2", "vec2"}, "tensor[3,2]", 0},
    {"tensor[s]... -> tensor[#,s]", SIG_EXACT, {"vec2"}, "vec2", 0},
    {"tensor[s]... -> tensor[#,s]", SIG_COERCE, {"real", "int"}, "vec2", 0},
    {"tensor[s]... -> tensor[#,s]", SIG_EXACT, {"vec2", "vec2", "vec3"}, NULL, 2},
    {"tensor[s]... -> tensor[#,s]", SIG_EXACT, {NULL}, NULL, 0},
    {"any... -> int", SIG_EXACT, {"vec2", "bool", "int[]"}, "int", 0},
    {"T... -> int", SIG_EXACT, {"vec2", "bool"}, NULL, 1},
    /* continuity: minimum rule, k-1, numbers */
    {ADD_FF, SIG_EXACT, {"field#2(3)[3]", "field#1(3)[3]"}, "field#1(3)[3]", 0},
    {ADD_FF, SIG_EXACT, {"field#1(3)[]", "field#2(3)[]"}, "field#1(3)[]", 0},
    {ADD_FF, SIG_EXACT, {"field(2)[]", "field#0(2)[]"}, "field#0(2)[]", 0},
    {ADD_FF, SIG_EXACT, {"field(2)[]", "field(2)[]"}, "field(2)[]", 0},
    {ADD_FF, SIG_EXACT, {"field#2(2)[]", "field#2(3)[]"}, NULL, 1},
    {"field#k(d)[s], field#k(d)[s] -> field#k(d)[s]",
     SIG_EXACT,
     {"field#4(1)[]", "field#2(1)[]"},
     "field#2(1)[]",
     0},
    {JACOBIAN, SIG_EXACT, {"field#2(3)[2,2]"}, "field#1(3)[2,2,3]", 0},
    {JACOBIAN, SIG_EXACT, {"field(3)[3]"}, "field(3)[3,3]", 0},
    {JACOBIAN, SIG_EXACT, {"field#2(1)[2]"}, "field#1(1)[2]", 0},
    {JACOBIAN, SIG_EXACT, {"field#0(3)[3]"}, "?", 0},
    {JACOBIAN, SIG_EXACT, {"field#2(3)[]"}, NULL, 0},
    {DIVERGENCE, SIG_EXACT, {"field#2(3)[2,3]"}, "field#1(3)[2]", 0},
    {DIVERGENCE, SIG_EXACT, {"field#2(3)[2]"}, NULL, 0},
    {"field#1(3)[] -> real", SIG_EXACT, {"field#2(3)[]"}, NULL, 0},
    {"field#1(3)[] -> real", SIG_COERCE, {"field#2(3)[]"}, "real", 0},
    {"field#1(3)[] -> real", SIG_COERCE, {"field#0(3)[]"}, NULL, 0},
    {"kernel#1 -> real", SIG_COERCE, {"kernel#2"}, NULL, 0},
    {"image(d)[s], kernel#k -> field#k(d)[s]",
     SIG_EXACT,
     {"image(2)[3]", "kernel#1"},
     "field#1(2)[3]",
     0},
    {PROBE, SIG_EXACT, {"field#1(3)[2]", "vec3"}, "vec2", 0},
    {PROBE, SIG_EXACT, {"field#1(1)[2]", "real"}, "vec2", 0},
    {PROBE, SIG_COERCE, {"field#1(1)[]", "int"}, "real", 0},
    {PROBE, SIG_EXACT, {"field#1(2)[]", "vec3"}, NULL, 1},
    {PROBE, SIG_EXACT, {"field#1(2)[]", "real"}, NULL, 1},
    {"vec(d), field#k(d)[s] -> bool", SIG_EXACT, {"real", "field#1(1)[3]"}, "bool", 0},
    /* sequences */
    {PREPEND, SIG_EXACT, {"int", "int[]"}, "int[]", 0},
    {PREPEND, SIG_EXACT, {"int", "int[3]"}, NULL, 1},
    {PREPEND, SIG_COERCE, {"int", "int[3]"}, "int[]", 0},
    {PREPEND, SIG_COERCE, {"real", "int[3]"}, "real[]", 0},
    {PREPEND, SIG_COERCE, {"real", "int[]"}, NULL, 1},
    {PREPEND, SIG_COERCE, {"int", "?[0]"}, "int[]", 0},
    {"T[], T -> T[]", SIG_COERCE, {"real[]", "int"}, "real[]", 0},
    {"T[], T -> T[]", SIG_COERCE, {"int[]", "real"}, NULL, 1},
    {"T[] -> int", SIG_COERCE, {"vec3[2]"}, "int", 0},
    {"T[] -> int", SIG_COERCE, {"vec3"}, NULL, 0},
    {"real[] -> real", SIG_COERCE, {"int[2]"}, "real", 0},
    {"real[] -> real", SIG_COERCE, {"int[]"}, NULL, 0},
    {"image(d)[s] -> int[d]", SIG_EXACT, {"image(3)[2]"}, "int[3]", 0},
    {"strand -> real", SIG_EXACT, {"Ball"}, "real", 0},
    {"row(n), row(n) -> row(n)", SIG_EXACT, {"row(4)", "row(8)"}, NULL, 1},
};

static void matching(void) {
  for (size_t i = 0; i < sizeof match_rows / sizeof match_rows[0]; i++) check_match(&match_rows[i]);
}

static bool result_fits(const char *text, const char *arg, const char *result) {
  const Sig *sig = sig_of(cx, text);
  const Type *arg_ty = arg ? ty(arg) : NULL;
  uint32_t failed;
  Bindings b;
  CHECK(sig_match(cx, sig, SIG_EXACT, &arg_ty, arg != NULL, &b, &failed));
  return sig_match_result(cx, sig, &b, 0, ty(result));
}

static void results_bind_what_parameters_leave_open(void) {
  CHECK(result_fits("() -> kernel#k", NULL, "kernel#2"));
  CHECK(!result_fits("() -> kernel#k", NULL, "int"));
  CHECK(result_fits("() -> field#k(d)[d]", NULL, "field(3)[3]"));
  CHECK(!result_fits("() -> field#k(d)[d]", NULL, "field(3)[2]"));
  CHECK(result_fits("() -> field#k(d)[d]", NULL, "field(1)[]"));
  CHECK(result_fits(JACOBIAN, "field#2(3)[3]", "field#1(3)[3,3]"));
  CHECK(!result_fits(JACOBIAN, "field#2(3)[3]", "field#2(3)[3,3]"));
  CHECK(!result_fits(JACOBIAN, "field#0(3)[3]", "field#0(3)[3,3]"));
  CHECK(result_fits("addr -> row(n)", "addr", "row(8)"));
  CHECK(result_fits("addr -> addr", "addr(u8)", "addr(u8)"));
  CHECK(!result_fits("addr -> addr", "addr(u8)", "addr"));
  CHECK(result_fits("() -> addr", NULL, "addr(i8)"));
  CHECK(!result_fits("addr -> offset", "addr", "addr"));
  CHECK(result_fits("tensor[s]... -> tensor[#,s]", "vec3", "vec3"));
  CHECK(!result_fits("T -> T", "vec3", "vec2"));
}

static void parameters_are_instantiated(void) {
  const Sig *sig = sig_of(cx, "T, T[], real... -> ()");
  const Type *args[] = {ty("vec2"), ty("vec2[3]"), ty("int"), ty("int")};
  uint32_t failed;
  Bindings b;
  CHECK(sig_match(cx, sig, SIG_COERCE, args, 4, &b, &failed));
  CHECK_EQ(b.n_variadic, 2);
  CHECK_STR(type_text(cx, sig_param(cx, sig, &b, 1)), "vec2[]");
  CHECK(sig_param(cx, sig, &b, 3) == type_real(cx));
  Bindings none = {0};
  CHECK(type_is(sig_param(cx, sig, &none, 0), TY_ERROR));
}

static void axes_are_reported_as_written(void) {
  const Sig *sig = sig_of(cx, "field#k(d)[s,e] -> field#(k-1)(d)[s,e,d]");
  const Type *arg = ty("field#1(1)[2,3,4]");
  SigAxis axes[MAX_ORDER];
  uint32_t failed;
  Bindings b;
  CHECK(sig_match(cx, sig, SIG_EXACT, &arg, 1, &b, &failed));
  CHECK_EQ(sig_param_axes(sig, &b, 0, axes), 2);
  CHECK(axes[0].kind == 's' && axes[0].letter == 's');
  CHECK(axes[1].kind == 'd' && axes[1].letter == 'e' && axes[1].value == 4);
  CHECK_EQ(sig_result_axes(sig, &b, 0, axes), 3);
  CHECK(axes[2].kind == 'd' && axes[2].letter == 'd' && axes[2].value == 1);
  Shape run = b.shapes[SIG_RUN('s')];
  CHECK(run.order == 2 && run.dims[0] == 2 && run.dims[1] == 3);
  const Sig *numbers = sig_of(cx, "mat3 -> vec2");
  CHECK_EQ(sig_param_axes(numbers, &b, 0, axes), 2);
  CHECK(axes[1].kind == 'd' && axes[1].letter == 0 && axes[1].value == 3);
  CHECK_EQ(sig_param_axes(sig_of(cx, "int -> int"), &b, 0, axes), 0);
}

int main(void) {
  cx = cx_new();
  types_init(cx);
  RUN(valid_texts);
  RUN(invalid_texts);
  RUN(matching);
  RUN(results_bind_what_parameters_leave_open);
  RUN(parameters_are_instantiated);
  RUN(axes_are_reported_as_written);
  cx_free(cx);
  return test_result();
}
