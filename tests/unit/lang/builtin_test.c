/* The standard basis: every row is well formed, and names resolve as doc/language.md says. A
 * failure names its row.
 */
#include "frontend/lang/builtin.h"
#include "tests/unit/lang/type_text.h"

#define MAX_ARGS 5

/* --- Every row -------------------------------------------------------------------------------- */

static bool brackets_balance(const char *text) {
  char open[32];
  size_t depth = 0;
  for (; *text; text++) {
    if (*text == '(' || *text == '[') {
      if (depth == sizeof open) return false;
      open[depth++] = *text == '(' ? ')' : ']';
    }
    if ((*text == ')' || *text == ']') && (depth == 0 || open[--depth] != *text)) return false;
  }
  return depth == 0;
}

/* The length of "<i,j>" at the start, and the number of indices in it. */
static size_t prefix_len(const char *text, uint32_t *n_indices) {
  *n_indices = 0;
  if (*text != '<') return 0;
  const char *end = strchr(text, '>');
  if (!CHECK(end != NULL)) return 0;
  for (const char *at = text; at < end; at += 2) ++*n_indices;
  return (size_t)(end - text) + 1;
}

/* Whether a letter is a parameter: alone, outside of brackets and index lists. */
static bool is_param(const char *text, const char *at) {
  static const char names[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  if (at > text && strchr(names, at[-1])) return false;
  return !(at[1] && strchr(names, at[1]));
}

/* The set of parameters that the body of a template reads. */
static uint32_t params_read(const char *text) {
  uint32_t read = 0, in_list = 0;
  for (const char *at = text; *at; at++) {
    if (*at == '[' || strncmp(at, "sum(", 4) == 0 || strncmp(at, "eps(", 4) == 0 ||
        strncmp(at, "delta(", 6) == 0)
      in_list = 1;
    if (!in_list && *at >= 'a' && *at <= 'e' && is_param(text, at)) read |= 1u << (*at - 'a');
    if (in_list && (*at == ']' || *at == ')')) in_list = 0;
  }
  return read;
}

/* A template names every axis of the result and reads every parameter. Tests of ir/ein check that
 * its text can be parsed. */
static void check_template(const Builtin *row, const Sig *sig) {
  Bindings none = {0};
  SigAxis axes[MAX_ORDER];
  uint32_t n_axes = sig_result_axes(sig, &none, 0, axes), n_named, n_dims = 0;
  for (uint32_t i = 0; i < n_axes; i++) n_dims += axes[i].kind == 'd';
  const char *body = row->text + prefix_len(row->text, &n_named);
  if (row->lowering == LOWER_EIN || n_named > 0) CHECK_EQ(n_named, n_dims);
  CHECK(brackets_balance(body));
  CHECK_EQ(params_read(body), (1u << sig_param_count(sig)) - 1);
}

static void check_row(const Builtin *row) {
  const char *error = NULL;
  const Sig *sig = sig_parse(cx, row->sig, &error);
  if (!CHECK(sig != NULL)) {
    fprintf(stderr, "  %s\n", error);
    return;
  }
  CHECK_EQ(sig_result_count(sig), 1);
  CHECK(sig_param_count(sig) <= MAX_ARGS && !sig_is_variadic(sig));
  CHECK(*row->name != '\0' && *row->meaning != '\0');
  CHECK_EQ(*row->text == '\0', row->lowering == LOWER_OTHER);
  if (row->lowering == LOWER_EIN || row->lowering == LOWER_DERIV) check_template(row, sig);
  if (row->lowering == LOWER_FOLD) CHECK_EQ(sig_param_count(sig), 1);
}

static void every_row_is_well_formed(void) {
  for (uint32_t i = 0; i < BI_COUNT; i++) {
    const Builtin *row = builtin_row((BuiltinId)i);
    uint64_t n_failed = test_state.n_failed;
    CHECK_EQ(row->id, i);
    check_row(row);
    if (test_state.n_failed > n_failed)
      fprintf(stderr, "  row %u: %s : %s\n", (unsigned)i, row->name, row->sig);
  }
}

static void rows_of_one_name_are_adjacent(void) {
  uint32_t n_found = 0;
  for (uint32_t i = 0; i < BI_COUNT; i++) {
    const Builtin *row = builtin_row((BuiltinId)i);
    if (i > 0 && strcmp(builtin_row((BuiltinId)(i - 1))->name, row->name) == 0) continue;
    uint32_t n_rows;
    if (!CHECK(builtin_find(row->name, &n_rows) == row))
      fprintf(stderr, "  %s stands in two places\n", row->name);
    n_found += n_rows;
  }
  CHECK_EQ(n_found, BI_COUNT);
  uint32_t n_rows;
  CHECK(builtin_find("median", &n_rows) == NULL);
  CHECK_EQ(n_rows, 0);
}

/* --- Resolution ------------------------------------------------------------------------------- */

static const Builtin *resolve(const char *name, SigMode mode, const Type *const *args,
                              uint32_t n_args, const Type **result) {
  uint32_t n_rows, failed;
  const Builtin *rows = builtin_find(name, &n_rows);
  for (uint32_t i = 0; i < n_rows; i++) {
    const Sig *sig = builtin_sig(cx, rows[i].id);
    Bindings b;
    if (!sig_match(cx, sig, mode, args, n_args, &b, &failed)) continue;
    *result = sig_result(cx, sig, &b, 0);
    return &rows[i];
  }
  return NULL;
}

/* The result of the first row that matches exactly, else by coercion; NULL if none matches. */
static const struct {
  const char *name;
  const char *args[MAX_ARGS];
  BuiltinId id;
  const char *result;
} cases[] = {
    {"+", {"int", "int"}, BI_ADD_II, "int"},
    {"+", {"int", "real"}, BI_ADD_TT, "real"},
    {"+", {"vec3", "vec3"}, BI_ADD_TT, "vec3"},
    {"+", {"int", "vec3"}, BI_COUNT, NULL},
    {"+", {"field#2(3)[3]", "field#1(3)[3]"}, BI_ADD_FF, "field#1(3)[3]"},
    {"+", {"field#1(3)[3]", "field#2(3)[3]"}, BI_ADD_FF, "field#1(3)[3]"},
    {"+", {"field#2(3)[]", "real"}, BI_ADD_FT, "field#2(3)[]"},
    {"+", {"int", "field#2(3)[]"}, BI_ADD_TF, "field#2(3)[]"},
    {"+", {"field#2(3)[]", "field#2(2)[]"}, BI_COUNT, NULL},
    {"-", {"field#2(3)[3]", "vec3"}, BI_SUB_FT, "field#2(3)[3]"},
    {"*", {"int", "int"}, BI_MUL_II, "int"},
    {"*", {"real", "int"}, BI_MUL_RR, "real"},
    {"*", {"int", "vec2"}, BI_MUL_RT, "vec2"},
    {"*", {"mat3", "real"}, BI_MUL_TR, "mat3"},
    {"*", {"vec3", "vec3"}, BI_COUNT, NULL},
    {"*", {"int", "field#1(2)[2]"}, BI_MUL_RF, "field#1(2)[2]"},
    {"*", {"field#1(2)[]", "field#2(2)[]"}, BI_MUL_SS, "field#1(2)[]"},
    {"*", {"field#1(2)[]", "field#0(2)[2]"}, BI_MUL_SF, "field#0(2)[2]"},
    {"*", {"field#1(2)[3]", "field#2(2)[]"}, BI_MUL_FS, "field#1(2)[3]"},
    {"*", {"field#1(2)[]", "vec3"}, BI_MUL_ST, "field#1(2)[3]"},
    {"*", {"vec3", "field#1(2)[]"}, BI_MUL_TS, "field#1(2)[3]"},
    {"*", {"field#1(2)[3]", "field#2(2)[3]"}, BI_COUNT, NULL},
    {"/", {"int", "int"}, BI_DIV_II, "int"},
    {"/", {"vec3", "int"}, BI_DIV_TR, "vec3"},
    {"/", {"int", "field#2(3)[]"}, BI_DIV_TS, "field#2(3)[]"},
    {"/", {"field#2(3)[3]", "field#1(3)[]"}, BI_DIV_FS, "field#1(3)[3]"},
    {"%", {"int", "real"}, BI_COUNT, NULL},
    {"^", {"int", "int"}, BI_POW_RI, "real"},
    {"^", {"real", "real"}, BI_POW_RR, "real"},
    {"^", {"field#2(3)[]", "int"}, BI_POW_SI, "field#2(3)[]"},
    {"neg", {"int"}, BI_NEG_I, "int"},
    {"neg", {"mat2"}, BI_NEG_T, "mat2"},
    {"<", {"int", "real"}, BI_LT_RR, "bool"},
    {"==", {"string", "string"}, BI_EQ_STRINGS, "bool"},
    {"==", {"int", "real"}, BI_EQ_RR, "bool"},
    {"==", {"vec2", "vec2"}, BI_COUNT, NULL},
    {"&&", {"bool", "int"}, BI_COUNT, NULL},
    {"norm", {"int"}, BI_NORM_I, "int"},
    {"norm", {"real"}, BI_NORM_R, "real"},
    {"norm", {"mat3"}, BI_NORM_T, "real"},
    {"norm", {"field#1(3)[]"}, BI_NORM_S, "field#1(3)[]"},
    {"norm", {"field#1(3)[3]"}, BI_NORM_F, "field#1(3)[]"},
    {"•", {"mat3", "vec3"}, BI_INNER_TT, "vec3"},
    {"•", {"field#2(3)[3]", "field#1(3)[3]"}, BI_INNER_FF, "field#1(3)[]"},
    {"•", {"field#2(3)[3,2]", "vec2"}, BI_INNER_FT, "field#2(3)[3]"},
    {"•", {"vec2", "field#2(3)[3,2]"}, BI_COUNT, NULL},
    {"•", {"real", "vec3"}, BI_COUNT, NULL},
    {"⊗", {"vec2", "vec3"}, BI_OUTER_TT, "tensor[2,3]"},
    {"⊗", {"vec2", "field#0(3)[]"}, BI_OUTER_TF, "field#0(3)[2]"},
    {":", {"mat3", "mat3"}, BI_COLON_TT, "real"},
    {":", {"field#1(2)[3,3]", "mat3"}, BI_COLON_FT, "field#1(2)[]"},
    {"×", {"vec2", "vec2"}, BI_CROSS2_TT, "real"},
    {"×", {"vec3", "vec3"}, BI_CROSS3_TT, "vec3"},
    {"×", {"field#2(3)[3]", "field#1(3)[3]"}, BI_CROSS3_FF, "field#1(3)[3]"},
    {"×", {"vec4", "vec4"}, BI_COUNT, NULL},
    {"normalize", {"vec3"}, BI_NORMALIZE_T, "vec3"},
    {"normalize", {"real"}, BI_COUNT, NULL},
    {"normalize", {"field#1(2)[]"}, BI_COUNT, NULL},
    {"trace", {"mat3"}, BI_TRACE_T, "real"},
    {"trace", {"tensor[2,3]"}, BI_COUNT, NULL},
    {"trace", {"field#1(3)[2,3,3]"}, BI_TRACE_F, "field#1(3)[2]"},
    {"transpose", {"tensor[2,3]"}, BI_TRANSPOSE_T, "tensor[3,2]"},
    {"transpose", {"field#1(2)[4,3]"}, BI_TRANSPOSE_F, "field#1(2)[3,4]"},
    {"det", {"mat3"}, BI_DET3_T, "real"},
    {"det", {"mat4"}, BI_COUNT, NULL},
    {"inv", {"int"}, BI_INV1_T, "real"},
    {"inv", {"field#1(3)[2,2]"}, BI_INV2_F, "field#1(3)[2,2]"},
    {"evals", {"mat3"}, BI_EVALS3, "real[3]"},
    {"evecs", {"mat2"}, BI_EVECS2, "vec2[2]"},
    {"modulate", {"real", "real"}, BI_MODULATE_TT, "real"},
    {"modulate", {"vec3", "field#1(2)[3]"}, BI_MODULATE_TF, "field#1(2)[3]"},
    {"lerp", {"vec3", "vec3", "real"}, BI_LERP3, "vec3"},
    {"lerp", {"int", "int", "int", "real", "int"}, BI_LERP5, "real"},
    {"clamp", {"int", "int", "vec3"}, BI_CLAMP_RRT, "vec3"},
    {"clamp", {"int", "int", "real"}, BI_CLAMP_TTT, "real"},
    {"clamp", {"vec3", "vec3", "vec3"}, BI_CLAMP_TTT, "vec3"},
    {"clamp", {"image(3)[3]"}, BI_CLAMP_I, "image(3)[3]"},
    {"border", {"image(2)[3]", "vec3"}, BI_BORDER_IT, "image(2)[3]"},
    {"border", {"image(2)[]", "int"}, BI_BORDER_IT, "image(2)[]"},
    {"sqrt", {"int"}, BI_SQRT_R, "real"},
    {"sqrt", {"field#2(3)[]"}, BI_SQRT_S, "field#2(3)[]"},
    {"sqrt", {"field#2(3)[3]"}, BI_COUNT, NULL},
    {"atan2", {"int", "real"}, BI_ATAN2, "real"},
    {"max", {"int", "int"}, BI_MAX_II, "int"},
    {"max", {"int", "real"}, BI_MAX_RR, "real"},
    {"max", {"int[]"}, BI_MAX_INTS, "int"},
    {"max", {"real[4]"}, BI_MAX_EACH, "real"},
    {"⊛", {"image(3)[3]", "kernel#2"}, BI_CONVOLVE_IH, "field#2(3)[3]"},
    {"⊛", {"kernel#2", "image(3)[3]"}, BI_CONVOLVE_HI, "field#2(3)[3]"},
    {"size", {"image(2)[]"}, BI_SIZE, "int[2]"},
    {"inside", {"real", "field#0(1)[2]"}, BI_INSIDE, "bool"},
    {"inside", {"vec2", "field#0(3)[2]"}, BI_COUNT, NULL},
    {"∘", {"field#2(1)[3]", "field#1(3)[]"}, BI_COMPOSE, "field#1(3)[3]"},
    {"∇", {"field#2(3)[]"}, BI_GRADIENT, "field#1(3)[3]"},
    {"∇", {"field#2(1)[]"}, BI_GRADIENT, "field#1(1)[]"},
    {"∇", {"field(2)[]"}, BI_GRADIENT, "field(2)[2]"},
    {"∇", {"field#2(3)[3]"}, BI_COUNT, NULL},
    {"∇", {"field#0(3)[]"}, BI_GRADIENT, "?"},
    {"∇⊗", {"field#2(3)[3]"}, BI_JACOBIAN, "field#1(3)[3,3]"},
    {"∇⊗", {"field#2(3)[]"}, BI_COUNT, NULL},
    {"∇•", {"field#2(3)[3]"}, BI_DIVERGENCE, "field#1(3)[]"},
    {"∇•", {"field#1(3)[2]"}, BI_COUNT, NULL},
    {"∇×", {"field#2(3)[3]"}, BI_CURL3, "field#1(3)[3]"},
    {"∇×", {"field#2(2)[2]"}, BI_CURL2, "field#1(2)[]"},
    {"∇×", {"field#2(2)[3]"}, BI_COUNT, NULL},
    {"@", {"int", "int[]"}, BI_PREPEND, "int[]"},
    {"@", {"real[3]", "int"}, BI_APPEND, "real[]"},
    {"@", {"int[2]", "int[3]"}, BI_CONCAT, "int[]"},
    {"length", {"vec3[2]"}, BI_LENGTH, "int"},
    {"all", {"bool[]"}, BI_ALL, "bool"},
    {"mean", {"int[]"}, BI_COUNT, NULL},
    {"mean", {"int[3]"}, BI_MEAN, "real"},
    {"sum", {"real[]"}, BI_SUM_EACH, "real"},
    {"sum", {"vec3[]"}, BI_SUM_EACH, "vec3"},
    {"mean", {"tensor[2,3][4]"}, BI_MEAN, "tensor[2,3]"},
    {"sum", {"string[]"}, BI_COUNT, NULL},
    {"sphere", {"vec2", "real"}, BI_SPHERE2, "?"},
    {"numActive", {NULL}, BI_NUM_ACTIVE, "int"},
    {"real", {"int"}, BI_REAL_I, "real"},
    {"real", {"real"}, BI_COUNT, NULL},
};

static void names_resolve(void) {
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const Type *args[MAX_ARGS], *result = NULL;
    uint32_t n_args = 0;
    for (; n_args < MAX_ARGS && cases[i].args[n_args]; n_args++)
      args[n_args] = ty(cases[i].args[n_args]);
    const Builtin *row = resolve(cases[i].name, SIG_EXACT, args, n_args, &result);
    if (!row) row = resolve(cases[i].name, SIG_COERCE, args, n_args, &result);
    bool held = CHECK_EQ(row ? row->id : BI_COUNT, cases[i].id);
    held &= CHECK_STR(result ? type_text(cx, result) : NULL, cases[i].result);
    if (!held) fprintf(stderr, "  case %u: %s\n", (unsigned)i, cases[i].name);
  }
}

/* The rows of compound.def. */
static void compound_assignments_choose_from_few_rows(void) {
  static const char *const ops[] = {"+=", "-=", "*=", "/=", "%="};
  static const uint32_t counts[] = {2, 2, 3, 3, 1};
  for (size_t i = 0; i < 5; i++) {
    uint32_t n_rows;
    const BuiltinId *rows = builtin_compound(ops[i], &n_rows);
    if (!CHECK(rows != NULL)) continue;
    CHECK_EQ(n_rows, counts[i]);
    for (uint32_t r = 0; r < n_rows; r++) {
      CHECK(builtin_row(rows[r])->name[0] == ops[i][0] && builtin_row(rows[r])->name[1] == '\0');
      CHECK(r == 0 || rows[r - 1] < rows[r]);
      CHECK(strstr(builtin_row(rows[r])->sig, "field") == NULL);
    }
  }
  uint32_t n_rows;
  CHECK(builtin_compound("^=", &n_rows) == NULL);
  CHECK_EQ(n_rows, 0);
}

int main(void) {
  cx = cx_new();
  types_init(cx);
  RUN(every_row_is_well_formed);
  RUN(rows_of_one_name_are_adjacent);
  RUN(names_resolve);
  RUN(compound_assignments_choose_from_few_rows);
  cx_free(cx);
  return test_result();
}
