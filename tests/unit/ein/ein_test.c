/* Einstein expressions: every template of builtins.def against plain loops at several ranks and
 * dimensions, derivatives against central differences and closed forms, text, checks. */
#include "ir/ein/ein.h"

#include "frontend/base/text.h"
#include "frontend/lang/builtin.h"
#include "tests/unit/ein/ein_oracle.h"
#include "tests/unit/test.h"

/* ---- random operands ------------------------------------------------------------------------- */

static uint32_t random_state = 12345;

/* In (0.1, 0.9): inside the domain of every function, away from poles. */
static double random_real(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return 0.1 + 0.8 * (random_state >> 8) / 16777216.0;
}

static Tensor random_tensor(Shape shape) {
  Tensor t = {.shape = shape, .n = (uint32_t)shape_size(&shape)};
  for (uint32_t i = 0; i < t.n; i++) t.at[i] = random_real();
  return t;
}

static void eval_all(const Ein *ein, const Tensor *args, Tensor *out) {
  const double *operands[8] = {NULL};
  Shape shapes[8];
  for (uint32_t i = 0; i < ein->n_params; i++) {
    operands[i] = args[i].at;
    shapes[i] = args[i].shape;
  }
  out->shape = ein_shape(ein);
  out->n = (uint32_t)shape_size(&out->shape);
  for (uint32_t i = 0; i < out->n; i++) {
    uint32_t component[MAX_ORDER] = {0}, rest = i;
    for (uint32_t axis = out->shape.order; axis-- > 0; rest /= out->shape.dims[axis])
      component[axis] = rest % out->shape.dims[axis];
    out->at[i] = ein_eval(ein, operands, shapes, component);
  }
}

/* ---- every template -------------------------------------------------------------------------- */

/* One assignment to the variables of signatures. */
static Bindings bindings_of(uint32_t choice) {
  static const uint32_t dims[3][4] = {{1, 1, 2, 1}, {2, 3, 2, 3}, {3, 2, 3, 2}}; /* d e m n */
  static const uint32_t runs[3][2][3] = {{{0}, {1, 2}}, {{1, 3}, {0}}, {{2, 2, 3}, {1, 2}}};
  Bindings b = {.bound_dims = UINT32_MAX, .bound_shapes = UINT32_MAX, .bound_conts = UINT32_MAX};
  for (uint32_t i = 0; i < 26; i++) b.conts[i] = 2;
  const char *letters = "demn";
  for (uint32_t i = 0; i < 4; i++) b.dims[letters[i] - 'a'] = dims[choice / 3][i];
  b.shapes[SIG_RUN('s')] = shape_of(runs[choice % 3][0][0], runs[choice % 3][0] + 1);
  b.shapes[SIG_RUN('t')] = shape_of(runs[choice % 3][1][0], runs[choice % 3][1] + 1);
  return b;
}

typedef struct Row {
  const Builtin *builtin;
  const Sig *sig;
  Bindings bindings;
  const Type *types[8];
  uint32_t n_args, dim;
} Row;

/* Chooses argument types, and matches them again as the checker would. */
static bool choose(Cx *cx, const Builtin *builtin, uint32_t choice, Row *row) {
  Bindings b = bindings_of(choice);
  uint32_t failed;
  *row = (Row){.builtin = builtin, .sig = builtin_sig(cx, builtin->id)};
  row->n_args = sig_param_count(row->sig);
  for (uint32_t i = 0; i < row->n_args; i++) {
    row->types[i] = sig_param(cx, row->sig, &b, i);
    if (type_is(row->types[i], TY_ERROR)) return false;
  }
  if (builtin->lowering == LOWER_DERIV) row->dim = type_dim(row->types[0]);
  return sig_match(cx, row->sig, SIG_EXACT, row->types, row->n_args, &row->bindings, &failed);
}

static void check_row(Cx *cx, const Row *row) {
  Tensor args[8], found, want;
  Shape shapes[8];
  for (uint32_t i = 0; i < row->n_args; i++) {
    Shape shape = *type_shape(row->types[i]);
    args[i] = random_tensor(i == 0 && row->dim > 1 ? shape_append(shape, row->dim) : shape);
    shapes[i] = args[i].shape;
  }
  const Ein *ein = ein_from_template(cx, row->builtin->text, row->sig, &row->bindings, row->dim);
  const Shape *shape = type_shape(sig_result(cx, row->sig, &row->bindings, 0));
  Shape ein_result = ein_shape(ein);
  CHECK(shape_eq(&ein_result, shape));
  CHECK_STR(ein_check(cx, ein, shapes), NULL);

  eval_all(ein, args, &found);
  want = (Tensor){.shape = *shape, .n = (uint32_t)shape_size(shape)};
  Application x = {.args = args, .n_args = row->n_args, .dim = row->dim, .out = &want};
  const Oracle *oracle = oracle_find(row->builtin->name);
  if (!CHECK(oracle != NULL)) return;
  oracle->apply(&x);
  bool held = true;
  for (uint32_t i = 0; i < want.n; i++)
    held &= CHECK_NEAR(found.at[i], want.at[i], 1e-11 * (1 + fabs(want.at[i])));
  if (!held) fprintf(stderr, "  %s of %s\n", row->builtin->sig, row->builtin->text);

  const char *text = ein_print(cx, ein), *pos = text, *error;
  const Ein *again = ein_parse(cx, &pos, &error);
  if (!CHECK_STR(error, NULL)) return;
  CHECK(again->body == ein->body);
  CHECK_STR(ein_print(cx, again), text);
}

static void every_template_agrees_with_loops(void) {
  Cx *cx = cx_new();
  types_init(cx);
  for (uint32_t id = 0; id < BI_COUNT; id++) {
    const Builtin *builtin = builtin_row((BuiltinId)id);
    if (builtin->lowering != LOWER_EIN && builtin->lowering != LOWER_DERIV) continue;
    uint32_t n_checked = 0;
    for (uint32_t choice = 0; choice < 9; choice++) {
      Row row;
      if (!choose(cx, builtin, choice, &row)) continue;
      check_row(cx, &row);
      n_checked++;
    }
    if (!CHECK(n_checked > 0)) fprintf(stderr, "  no instance of %s\n", builtin->sig);
  }
  cx_free(cx);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void text_round_trips(void) {
  static const char *texts[] = {
      "<i:3,j:3 | sum(k:3) $0[i,k] * $1[k,j]>",
      "<$0>",
      "<i:2 | -$0[i]>",
      "<1/2 * $0 / $1 - 3 + pow($0, -2)>",
      "<$0 * ($1 * $2) - ($0 - $1 - ($2 - $0))>",
      "<(sum(i:2,j:3) $0[i,j]) * $1>",
      "<sqrt(sum(i:3) $0[i] * $0[i])>",
      "<i:3 | sum(j:3,k:3) eps(i,j,k) * $0[j] * $1[k]>",
      "<i:2,j:2 | delta(i,j) * $0 + $1[0,1]>",
      "<clamp(-1/3, 1, $0) / max($0, $1) / (2 * $0)>",
      "<i:2,j:2,k:2,l:2,m:2,n:2,i1:2 | $0[i,j,k,l,m,n,i1]>",
      "<-(sum(i:2) $0[i]) + 1000000000000 * $1>",
      "<$0 / 1/2>",
  };
  Cx *cx = cx_new();
  types_init(cx);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *pos = texts[i], *error;
    const Ein *ein = ein_parse(cx, &pos, &error);
    if (!CHECK_STR(error, NULL)) continue;
    CHECK(*pos == '\0');
    CHECK_STR(ein_print(cx, ein), texts[i]);
  }
  cx_free(cx);
}

static const Ein *parse(Cx *cx, const char *text) {
  const char *error;
  const Ein *ein = ein_parse(cx, &text, &error);
  CHECK_STR(error, NULL);
  return ein;
}

static void folds(void) {
  static const char *pairs[][2] = {
      {"<0 * $0 + 1 * $1>", "<$1>"},
      {"<$0 - 0 + 0 / $1>", "<$0>"},
      {"<0 - $0>", "<-$0>"},
      {"<-(-$0) * -$1>", "<-($0 * $1)>"},
      {"<$0 * 2 * 3 / 1>", "<3 * (2 * $0)>"},
      {"<$0 - -$1>", "<$0 + $1>"},
      {"<1/2 + 1/3 - 1/6>", "<2/3>"},
      {"<pow($0, 1) + pow($0, 0) - 1>", "<$0 + 1 - 1>"},
      {"<sum(i:3) 2 * $0>", "<3 * (2 * $0)>"},
      {"<sum(i:3) 5000000000>", "<3 * 5000000000>"}, /* too large to fold */
      {"<delta(1,1) + delta(0,1) + eps(0,1,2) + eps(1,0) + eps(2,2,0)>", "<1>"},
  };
  Cx *cx = cx_new();
  types_init(cx);
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const Ein *found = parse(cx, pairs[i][0]), *want = parse(cx, pairs[i][1]);
    if (found && want) CHECK_STR(ein_print(cx, found), ein_print(cx, want));
  }
  CHECK(ein_eq(parse(cx, "<i:2 | $0[i] * $1>"), parse(cx, "< i:2|$0[i]*$1 >")));
  CHECK(!ein_eq(parse(cx, "<i:2 | $0[i] * $1>"), parse(cx, "<i:3 | $0[i] * $1>")));
  cx_free(cx);
}

static void bad_text_is_an_error(void) {
  static const char *texts[] = {
      "",
      "<",
      "<$0",
      "<$>",
      "<$0[>",
      "<$0[i]>",
      "<i:1 | $0>",
      "<j:2 | 1>",
      "<i:2 $0[i]>",
      "<sum(i) $0[i]>",
      "<sum(q:2) $0[q]>",
      "<1/0>",
      "<pow($0)>",
      "<clamp(1, 2)>",
      "<floor($0)>",
      "<eps(0)>",
      "<delta(0,1,2)>",
      "<99999999999999999999>",
      "<$0 $1>",
      "<i999:2 | 1>",
      "<exp()>",
      "<--->",
      "<-(q)>",
      "<-($0>",
      "<2 * -(exp(q))>",
      "<a>",
      "<$99999999999>",
  };
  Cx *cx = cx_new();
  types_init(cx);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *pos = texts[i], *error = NULL;
    if (!CHECK(ein_parse(cx, &pos, &error) == NULL && error != NULL))
      fprintf(stderr, "  %s\n", texts[i]);
  }
  cx_free(cx);
}

/* Reads n nested pieces, or n pieces one after another. */
static bool reads_nested(const char *before, const char *after, int n) {
  Cx *cx = cx_new();
  types_init(cx);
  Text text = text_new(cx->arena);
  text_add(&text, "<");
  for (int i = 0; i < n; i++) text_add(&text, before);
  text_add(&text, "$0");
  for (int i = 0; i < n; i++) text_add(&text, after);
  text_add(&text, ">");
  const char *pos = text_str(&text), *error = NULL;
  const Ein *ein = ein_parse(cx, &pos, &error);
  CHECK(ein ? error == NULL : strcmp(error, "nested too deeply") == 0);
  if (ein) CHECK(ein_eq(ein, parse(cx, ein_print(cx, ein))));
  cx_free(cx);
  return ein != NULL;
}

static void deep_text_is_an_error(void) {
  static const char *const pieces[][2] = {{"-", ""},     {"(", ")"},    {"exp(", ")"},
                                          {"", " + $1"}, {"$0 * ", ""}, {"", " * $1"}};
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
    CHECK(reads_nested(pieces[i][0], pieces[i][1], 900));
    CHECK(!reads_nested(pieces[i][0], pieces[i][1], 1100));
    CHECK(!reads_nested(pieces[i][0], pieces[i][1], 100000));
  }
}

static void check_finds_what_is_wrong(void) {
  static const struct {
    const char *text;
    uint32_t dims[2][3]; /* order, then lengths, of $0 and $1 */
    bool is_good;
  } cases[] = {
      {"<i:3 | $0[i] * $1>", {{1, 3}, {0}}, true},
      {"<i:2 | $0[i] * $1>", {{1, 3}, {0}}, true}, /* part of an axis */
      {"<i:3 | $0[i] * $1>", {{1, 2}, {0}}, false},
      {"<i:3 | $0[i] * $1>", {{0}, {0}}, false},
      {"<$0[2] * $1>", {{1, 3}, {0}}, true},
      {"<$0[3] * $1>", {{1, 3}, {0}}, false},
      {"<i:3 | eps(i,0) * $0 * $1>", {{0}, {0}}, false},
      {"<(sum(i:2) $0[i]) * (sum(i:3) $0[i]) * $1>", {{1, 3}, {0}}, false}, /* two ranges */
  };
  Cx *cx = cx_new();
  types_init(cx);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Shape shapes[2];
    for (uint32_t k = 0; k < 2; k++)
      shapes[k] = shape_of(cases[i].dims[k][0], cases[i].dims[k] + 1);
    const char *error = ein_check(cx, parse(cx, cases[i].text), shapes);
    if (!CHECK((error == NULL) == cases[i].is_good))
      fprintf(stderr, "  %s: %s\n", cases[i].text, error ? error : "accepted");
  }
  Ein loose = *parse(cx, "<i:2 | $0[i]>");
  loose.body = ein_param(cx, 0, (EinIdx[]){ein_var(1)}, 1);
  CHECK(ein_check(cx, &loose, (Shape[]){{.order = 1, .dims = {2}}}) != NULL);
  cx_free(cx);
}

/* ---- derivatives ----------------------------------------------------------------------------- */

enum { N_FIELDS = 3, N_DIMS = 3 };

/* Fields with known derivatives: $0 scalar, $1 a vec3, $2 a constant; polynomials of x, random
 * coefficients. value[f] holds components, slope[f] each component's derivatives. */
typedef struct Fields {
  double linear[4][N_DIMS], square[4][N_DIMS], offset[4];
} Fields;

static double field_at(const Fields *f, uint32_t c, const double *pos) {
  double value = f->offset[c];
  for (uint32_t i = 0; i < N_DIMS; i++)
    value += f->linear[c][i] * pos[i] + f->square[c][i] * pos[i] * pos[i];
  return value;
}

static double field_slope(const Fields *f, uint32_t c, const double *pos, uint32_t i) {
  return f->linear[c][i] + 2 * f->square[c][i] * pos[i];
}

static void fill_fields(const Fields *f, const double *pos, Tensor *args) {
  args[0].at[0] = field_at(f, 0, pos);
  for (uint32_t c = 0; c < 3; c++) args[1].at[c] = field_at(f, 1 + c, pos);
  for (uint32_t i = 0; i < N_DIMS; i++) {
    args[3].at[i] = field_slope(f, 0, pos, i);
    for (uint32_t c = 0; c < 3; c++) args[4].at[c * N_DIMS + i] = field_slope(f, 1 + c, pos, i);
  }
}

static Fields random_fields(void) {
  Fields f;
  for (uint32_t c = 0; c < 4; c++) {
    f.offset[c] = 0.6 * random_real(); /* the rest is below 0.46: values stay within (0,1) */
    for (uint32_t i = 0; i < N_DIMS; i++) {
      f.linear[c][i] = 0.1 * random_real();
      f.square[c][i] = 0.1 * random_real();
    }
  }
  return f;
}

static void init_args(Tensor *args) {
  Shape scalar = {0}, vec = {.order = 1, .dims = {3}}, mat = {.order = 2, .dims = {3, 3}};
  Shape shapes[5] = {scalar, vec, scalar, vec, mat};
  for (uint32_t i = 0; i < 5; i++) args[i] = random_tensor(shapes[i]);
}

static const uint32_t derivative_of[N_FIELDS] = {3, 4, NO_DERIVATIVE};

static void derivative_is_central_difference(Cx *cx, const char *text) {
  const Ein *ein = ein_with_params(cx, parse(cx, text), N_FIELDS);
  const Ein *slope = ein_derivative(cx, ein, derivative_of, N_DIMS);
  if (!CHECK(slope != NULL)) return;
  Fields fields = random_fields();
  Tensor args[5], ahead, behind, found;
  init_args(args);
  Shape shapes[5];
  for (uint32_t i = 0; i < 5; i++) shapes[i] = args[i].shape;
  CHECK_STR(ein_check(cx, ein_with_params(cx, slope, 5), shapes), NULL);

  double pos[N_DIMS] = {random_real(), random_real(), random_real()}, step = 1e-4;
  fill_fields(&fields, pos, args);
  eval_all(slope, args, &found);
  for (uint32_t i = 0; i < N_DIMS; i++) {
    double center = pos[i];
    pos[i] = center + step;
    fill_fields(&fields, pos, args);
    eval_all(ein, args, &ahead);
    pos[i] = center - step;
    fill_fields(&fields, pos, args);
    eval_all(ein, args, &behind);
    pos[i] = center;
    bool held = true;
    for (uint32_t c = 0; c < ahead.n; c++)
      held &= CHECK_NEAR(found.at[c * N_DIMS + i], (ahead.at[c] - behind.at[c]) / (2 * step), 2e-6);
    if (!held) fprintf(stderr, "  %s\n", text);
  }
}

/* A random expression of $0, $1[i] or $1[k], $2 that stays within (0,1), so within every domain. */
static void add_random(Text *t, uint32_t depth) {
  static const char *forms[] = {"sqrt(",      "exp(-1 * ",       "sin(",        "cos(",
                                "tan(1/2 * ", "asin(1/2 * ",     "1/3 * acos(", "atan(",
                                "abs(",       "1/2 * pow(",      "1/2 / (1 + ", "1/2 * min(",
                                "max(",       "clamp(1/9, 8/9, "};
  static const char *leaves[] = {"$0", "$1[i]", "$2", "$1[1]", "(sum(k:3) 1/9 * $1[k] * $0)"};
  uint32_t pick = (uint32_t)(random_real() * 1000);
  if (depth == 0) {
    text_add(t, leaves[pick % 5]);
    return;
  }
  if (pick % 3 == 0) {
    text_add(t, "1/2 * (");
    add_random(t, depth - 1);
    text_add(t, pick % 2 ? " + " : " * ");
    add_random(t, depth - 1);
    text_add(t, ")");
    return;
  }
  const char *form = forms[pick % 14];
  text_add(t, form);
  add_random(t, depth - 1);
  if (strstr(form, "pow")) text_add(t, ", 3");
  if (strstr(form, "min") || strstr(form, "max")) {
    text_add(t, ", ");
    add_random(t, depth - 1);
  }
  text_add(t, ")");
}

static void derivatives_are_central_differences(void) {
  static const char *texts[] = {
      "<$0 * $2>",
      "<i:3 | $1[i] / $0>",
      "<$2 / $0>",
      "<sum(k:3) $1[k] * $1[k]>",
      "<i:3 | $1[i] / sqrt(sum(k:3) $1[k] * $1[k])>",
      "<pow($0, -2)>",
      "<i:3 | sum(j:3,k:3) eps(i,j,k) * $1[j] * $1[k] * $0 + $1[i]>",
      "<i:3,j:3 | delta(i,j) * $0 - $1[i] * $1[j]>",
  };
  Cx *cx = cx_new();
  types_init(cx);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    derivative_is_central_difference(cx, texts[i]);
  for (uint32_t i = 0; i < 300; i++) {
    Text t = text_new(cx->arena);
    text_add(&t, "<i:3 | $0 * ");
    add_random(&t, 1 + i % 3);
    text_add(&t, ">");
    derivative_is_central_difference(cx, text_str(&t));
  }
  cx_free(cx);
}

static void derivatives_have_closed_forms(void) {
  static const struct {
    const char *text, *slope;
    uint32_t dim;
  } cases[] = {
      {"<$0>", "<i:2 | $3[i]>", 2},
      {"<$0>", "<$3>", 1},
      {"<i:3 | $1[i]>", "<i:3,j:2 | $4[i,j]>", 2},
      {"<i:3 | $2 * $1[i]>", "<i:3,j:2 | $2 * $4[i,j]>", 2},
      {"<$0 * $0>", "<i:2 | $3[i] * $0 + $0 * $3[i]>", 2},
      {"<pow($0, 3)>", "<i:2 | 3 * pow($0, 2) * $3[i]>", 2},
      {"<sqrt($0)>", "<i:2 | 1/2 / sqrt($0) * $3[i]>", 2},
      {"<cos($0)>", "<i:3 | -(sin($0) * $3[i])>", 3},
      {"<$0 / $2>", "<i:2 | $3[i] / $2>", 2},
      {"<$2 / $0>", "<i:2 | -($2 * $3[i] / ($0 * $0))>", 2},
      {"<sum(i:3) $1[i] * $2>", "<i:2 | sum(j:3) $4[j,i] * $2>", 2},
      {"<sgn($0) * $0>", "<i:2 | sgn($0) * $3[i]>", 2},
  };
  Cx *cx = cx_new();
  types_init(cx);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const Ein *ein = ein_with_params(cx, parse(cx, cases[i].text), N_FIELDS);
    const Ein *slope = ein_derivative(cx, ein, derivative_of, cases[i].dim);
    if (CHECK(slope != NULL)) CHECK_STR(ein_print(cx, slope), cases[i].slope);
  }
  const Ein *constant = ein_with_params(cx, parse(cx, "<$2 * 3 + sin($2)>"), N_FIELDS);
  CHECK(ein_derivative(cx, constant, derivative_of, 3) == NULL);
  cx_free(cx);
}

/* Every function has one partial derivative per argument of its op. */
static void functions_have_all_partials(void) {
  for (uint32_t op = 0; op < OP_COUNT; op++) {
    uint32_t arity = ein_fn_arity((OpId)op), n_params = 1;
    if (arity == 0) continue;
    for (const char *c = op_sig_text((OpId)op); *c; c++) n_params += *c == ',';
    CHECK_EQ(arity, n_params);
  }
  CHECK_EQ(ein_fn_arity(OP_RSQRT), 1);
  CHECK_EQ(ein_fn_arity(OP_RCLAMP), 3);
  CHECK_EQ(ein_fn_arity(OP_RLOG), 0);
}

int main(void) {
  RUN(every_template_agrees_with_loops);
  RUN(text_round_trips);
  RUN(folds);
  RUN(bad_text_is_an_error);
  RUN(deep_text_is_an_error);
  RUN(check_finds_what_is_wrong);
  RUN(functions_have_all_partials);
  RUN(derivatives_are_central_differences);
  RUN(derivatives_have_closed_forms);
  return test_result();
}
