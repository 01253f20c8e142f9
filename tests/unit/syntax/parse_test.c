/* Trees: precedence and grouping, literals, spans, the version directive, depth. */
#include "frontend/base/text.h"
#include "tests/unit/syntax/support.h"

#define TAIL                                                                                       \
  "strand s (int i) { output int x = i; update { stabilize; } }\n"                                 \
  "create_array { s(i) | i in 0..2 }\n"
#define TAIL_1                                                                                     \
  "strand s (int i) { output int x = i; update { stabilize; } }\n"                                 \
  "initially [ s(i) | i in 0..2 ];\n"

/* The initial value of the first global. */
static const Ast *first_value(const Parsed *parsed) {
  if (!CHECK(parsed->program != NULL)) return NULL;
  return ast_as_var(ast_as_program(parsed->program)->globals.data[0])->init;
}

/* Checks how an expression is grouped; NULL: it must not parse. */
static void check_expr(AstVersion version, const char *expr, const char *want) {
  char text[1024];
  const char *head = version == AST_V1 ? "#version 1.0" : "#version 2.0";
  snprintf(text, sizeof text, "%s\nreal v = %s;\n%s", head, expr,
           version == AST_V1 ? TAIL_1 : TAIL);
  Parsed parsed = parse_text(text);
  if (!want) CHECK(parsed.program == NULL);
  else if (!parsed.program) CHECK_STR(messages(&parsed), want);
  else {
    char line[1024];
    snprintf(line, sizeof line, "%s\n", want);
    CHECK_STR(tree_text(&parsed, first_value(&parsed)), line);
  }
  cx_free(parsed.cx);
}

typedef struct ExprCase {
  const char *expr, *want;
} ExprCase;

static void check_exprs(AstVersion version, const ExprCase *cases, size_t n) {
  for (size_t i = 0; i < n; i++) check_expr(version, cases[i].expr, cases[i].want);
}
#define CHECK_EXPRS(version, cases) check_exprs(version, cases, sizeof cases / sizeof cases[0])

/* Every level against its neighbours, and associativity within a level. */
static void operators_bind_as_the_table_says(void) {
  static const ExprCase cases[] = {
      {"a if p else b if q else c", "(cond a p (cond b q c))"},
      {"a..b if p else c..d", "(cond (a .. b) p (c .. d))"},
      {"a || b .. c || d", "((a || b) .. (c || d))"},
      {"a..b..c", NULL},
      {"a || b || c", "(a || (b || c))"},
      {"a && b || c && d", "((a && b) || (c && d))"},
      {"a && b && c", "(a && (b && c))"},
      {"a < b && b >= c", "((a < b) && (b >= c))"},
      {"a < b == c", "((a < b) == c)"},
      {"a + b < c - d", "((a + b) < (c - d))"},
      {"a @ b + c - d", "(((a @ b) + c) - d)"},
      {"a - b * c", "(a - (b * c))"},
      {"n⊗n•f", "((n ⊗ n) • f)"},
      {"n⊗n⋅f", "((n ⊗ n) • f)"},
      {"a / b % c × d ⊛ e : f", "(((((a / b) % c) × d) ⊛ e) : f)"},
      {"F∘G∘H * k", "(((F ∘ G) ∘ H) * k)"},
      {"-F∘G", "((- F) ∘ G)"},
      {"-a*b", "((- a) * b)"},
      {"a * -b", "(a * (- b))"},
      {"!a == b", "((! a) == b)"},
      {"!!a", "(! (! a))"},
      {"-x^2", "(- (x ^ 2))"},
      {"a^b^c", "(a ^ (b ^ c))"},
      {"2.0^-1.0", NULL},
      {"2.0^(-1)", "(2.0 ^ (- 1))"},
      {"x.y^2", "((select x y) ^ 2)"},
      {"∇F(x)", "(call (∇ F) x)"},
      {"∇⊗∇F(x)", "(call (∇⊗ (∇ F)) x)"},
      {"∇V[0]", "(index (∇ V) 0)"},
      {"∇sin(F)", "(call (∇ sin) F)"},
      {"∇(sin(F))", "(∇ (call sin F))"},
      {"∇⋅V + ∇•V", "((∇• V) + (∇• V))"},
      {"∇×V(x)", "(call (∇× V) x)"},
      {"∇ F", "(∇ F)"},
      {"∇ ⊗ F", NULL},
      {"(a - b) - (c - d)", "((a - b) - (c - d))"},
      {"| |x| - 1|", "(norm ((norm x) - 1))"},
      {"|a|*|b|", "((norm a) * (norm b))"},
      {"||x| - 1|", NULL},
      {"f(a)(b)[c].d", "(select (index (call (call f a) b) c) d)"},
      {"t[:,1,:]", "(index t (whole) 1 (whole))"},
      {"t[a:b]", "(index t (a : b))"},
      {"sum { e | x in s } + 1", "((call sum (comprehend e (iterator x s))) + 1)"},
      {"{ |v| | v in s }", "(comprehend (norm v) (iterator v s))"},
      {"{{1,2},{3}}", "(sequence (sequence 1 2) (sequence 3))"},
      {"{}", "(sequence)"},
      {"nan[3]", "(nan (shape 3))"},
      {"nan", "(nan -)"},
      {"-nan", "(- (nan -))"},
      {"identity[3]•zeros[3,3]", "((identity 3) • (zeros (shape 3 3)))"},
      {"(identity[3])[0,0]", "(index (identity 3) 0 0)"},
      {"identity[3][0,0]", NULL},
      {"real(n)/2", "((to_real n) / 2)"},
      {"h#2 ⊛ load_image(\"a\")", "((kernel_as h 2) ⊛ (load_image \"a\"))"},
      {"load_sequence(\"a\")", "(load_seq \"a\")"},
      {"s{0}", NULL},
      {"max{ e | x in s }[0]", NULL},
      {"f()", "(call f)"},
      {"+a", NULL},
  };
  CHECK_EXPRS(AST_V2, cases);
}

static void version_1_has_its_own_suffixes(void) {
  static const ExprCase cases[] = {
      {"s{i}", "(index s i)"},
      {"s[i]{j}", "(index (index s i) j)"},
      {"max{ e | x in s }[0]", "(index (call max (comprehend e (iterator x s))) 0)"},
      {"f(a){ e | x in s }", "(call (call f a) (comprehend e (iterator x s)))"},
      {"identity[3][0,0]", "(index (identity 3) 0 0)"},
      {"identity[3]{0}", "(index (identity 3) 0)"},
      {"load(\"a\"){0}", "(index (load_seq \"a\") 0)"},
      {"image(\"a\") ⊛ k", "((load_image \"a\") ⊛ k)"},
      {"start + mat3", "(start + mat3)"},
      {"∇⊗∇F(x)", "(call (∇⊗ (∇ F)) x)"},
      {"h#2", NULL},
      {"0..3", NULL},
      {"F∘G", NULL},
      {"{ e | x in s }", NULL},
  };
  CHECK_EXPRS(AST_V1, cases);
}

static void literals_keep_their_text(void) {
  static const ExprCase cases[] = {
      {"007", "007"},
      {"1.50e-07", "1.50e-07"},
      {"2.5E+3", "2.5E+3"},
      {"inf + ∞", "(inf + inf)"},
      {"π", "3.14159265358979323846264338327950288"},
      {"πx' + α_1", "(πx' + α_1)"},
      {"information", "information"},
      {"\"a\\\"\\\\\\n\\065\"", "\"a\\\"\\\\\\010A\""},
      {"true", "true"},
      {"1e5", NULL},
      {"1.", NULL},
      {".5", NULL},
      {"_a", NULL},
      {"δ", NULL},
      {"\"\\999\"", NULL},
      {"\"\\q\"", NULL},
      {"\"é\"", NULL},
  };
  CHECK_EXPRS(AST_V2, cases);
}

static void integers_know_when_they_overflow(void) {
  static const struct {
    const char *text;
    uint64_t value;
    bool overflow;
  } cases[] = {{"#version 2\nint v = 18446744073709551615;" TAIL, UINT64_MAX, false},
               {"#version 2\nint v = 18446744073709551616;" TAIL, 0, true},
               {"#version 2\nint v = 0012;" TAIL, 12, false}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Parsed parsed = parse_text(cases[i].text);
    const Ast *value = first_value(&parsed);
    if (value) CHECK_EQ(ast_as_int(value)->overflow, cases[i].overflow);
    if (value && !cases[i].overflow) CHECK(ast_as_int(value)->value == cases[i].value);
    cx_free(parsed.cx);
  }
}

static void strings_may_contain_any_byte(void) {
  Parsed parsed = parse_text("#version 2.0\nstring v = \"a\\000\\255\";\n" TAIL);
  const Ast *value = first_value(&parsed);
  if (value) CHECK_EQ(ast_as_string(value)->text->len, 3);
  if (value) CHECK_EQ((unsigned char)ast_as_string(value)->text->text[2], 255);
  cx_free(parsed.cx);
}

static void check_span(const Parsed *parsed, Span span, const char *want) {
  char text[256] = "";
  size_t len = span.end - span.start;
  if (CHECK(len < sizeof text)) memcpy(text, parsed->cx->source->text + span.start, len);
  CHECK_STR(text, want);
}

static void spans_cover_exactly_the_text(void) {
  Parsed parsed = parse_text("#version 2.0\n real v = (a  +  ∇F(p))⊗ b ; // x\n" TAIL);
  const Ast *product = first_value(&parsed);
  if (product) {
    check_span(&parsed, product->span, "(a  +  ∇F(p))⊗ b");
    check_span(&parsed, ast_as_binary(product)->op.span, "⊗");
    const Ast *sum = ast_as_binary(product)->left;
    check_span(&parsed, sum->span, "a  +  ∇F(p)");
    check_span(&parsed, ast_as_binary(sum)->right->span, "∇F(p)");
    const Ast *var = ast_as_program(parsed.program)->globals.data[0];
    check_span(&parsed, var->span, "real v = (a  +  ∇F(p))⊗ b ;");
    check_span(&parsed, ast_as_var(var)->name.span, "v");
    const Ast *strand = ast_as_program(parsed.program)->strand;
    check_span(&parsed, ast_as_strand(strand)->state.data[0]->span, "output int x = i;");
    check_span(&parsed, ast_as_strand(strand)->methods.data[0]->span, "update { stabilize; }");
    check_span(&parsed, ast_as_program(parsed.program)->creation->span,
               "create_array { s(i) | i in 0..2 }");
  }
  cx_free(parsed.cx);
}

static void nest_checks(const Ast *child, void *state) {
  const Ast *parent = state;
  CHECK(child->span.start >= parent->span.start && child->span.end <= parent->span.end);
  CHECK(child->depth < parent->depth);
  ast_each_child(child, nest_checks, (void *)(uintptr_t)child);
}

static void children_lie_within_their_parents(void) {
  Parsed parsed =
      parse_text("#version 2.0\nvec2[3] v = {a, b} if -|c| < f(d, [1]) else nan[2];\n"
                 "function int g (int n) { if (n < 1) return n; else return 2; }\n" TAIL);
  if (CHECK(parsed.program != NULL))
    ast_each_child(parsed.program, nest_checks, (void *)(uintptr_t)parsed.program);
  cx_free(parsed.cx);
}

/* The tree of a program, or its message, depends on its first line. */
static void first_lines_choose_the_version(void) {
  static const struct {
    const char *text;
    int version;
  } cases[] = {
      {"#version 2.0\n" TAIL, 2},
      {"#version 2\n" TAIL, 2},
      {"#version\t2.0 \r\n" TAIL, 2},
      {"#version 2.0 // see 1.5\n" TAIL, 2},
      {"#version 2.0 /* a\n b */" TAIL, 2},
      {"#version 2.0 /* a */ // b\n" TAIL, 2},
      {"\xEF\xBB\xBF#version 2.0\n" TAIL, 2},
      {"#version 1.0\n" TAIL_1, 1},
      {"#version 1\n" TAIL_1, 1},
      {TAIL_1, 1},
      {"#version2.0\n" TAIL, 0},
      {"#version\n" TAIL, 0},
      {"#version 2.\n" TAIL, 0},
      {"#version 2.0.1\n" TAIL, 0},
      {"#version 2.0 x\n" TAIL, 0},
      {"#version 2.1\n" TAIL, 0},
      {" #version 2.0\n" TAIL, 0},
      {"\n#version 2.0\n" TAIL, 0},
      {"real v = 1.0;\n#version 2.0\n" TAIL, 0},
      {"\xEF\xBB\xBF", 0},
      {"", 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Parsed parsed = parse_text(cases[i].text);
    CHECK_EQ(parsed.program != NULL, cases[i].version != 0);
    if (parsed.program)
      CHECK_EQ(ast_as_program(parsed.program)->version, cases[i].version == 1 ? AST_V1 : AST_V2);
    else CHECK_EQ(diag_error_count(parsed.cx), 1);
    cx_free(parsed.cx);
  }
}

/* head, n times `open`, middle, n times `close`, then the rest of a program. */
static Parsed parse_nested(const char *open, const char *middle, const char *close, size_t n) {
  Cx *cx = cx_new();
  Text text = text_new(cx->arena);
  text_add(&text, "#version 2.0\nreal v = ");
  for (size_t i = 0; i < n; i++) text_add(&text, open);
  text_add(&text, middle);
  for (size_t i = 0; i < n; i++) text_add(&text, close);
  text_add(&text, ";\n" TAIL);
  Parsed parsed = parse_named("t.diderot", text_str(&text), text.len);
  cx_free(cx);
  return parsed;
}

static void deep_nesting_is_read_or_refused(void) {
  static const struct {
    const char *open, *middle, *close;
    size_t n;
    bool is_tree;
  } cases[] = {
      {"(", "1", ")", 10000, true},   {"-", "1", "", 1000, true},
      {"-", "1", "", 10000, false},   {"1+", "1", "", 1500, true},
      {"1+", "1", "", 100000, false}, {"[", "1", "]", 10000, false},
      {"f(", "1", ")", 10000, false}, {"(", "1", ")", 1000000, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Parsed parsed = parse_nested(cases[i].open, cases[i].middle, cases[i].close, cases[i].n);
    CHECK_EQ(parsed.program != NULL, cases[i].is_tree);
    if (!cases[i].is_tree) CHECK_EQ(diag_error_count(parsed.cx), 1);
    cx_free(parsed.cx);
  }
}

int main(void) {
  RUN(operators_bind_as_the_table_says);
  RUN(version_1_has_its_own_suffixes);
  RUN(literals_keep_their_text);
  RUN(integers_know_when_they_overflow);
  RUN(strings_may_contain_any_byte);
  RUN(spans_cover_exactly_the_text);
  RUN(children_lie_within_their_parents);
  RUN(first_lines_choose_the_version);
  RUN(deep_nesting_is_read_or_refused);
  return test_result();
}
