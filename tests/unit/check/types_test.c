/* Types of expressions: every row declares a local variable of the type that the expression must
 * have, without a conversion, or must fail. Rules: doc/language.md. */
#include "frontend/base/diag.h"
#include "frontend/base/text.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parse.h"
#include "tests/unit/test.h"

static const char globals[] = "input image(3)[] img;\n"
                              "input image(2)[2] flow;\n"
                              "field#2(3)[] F = bspln3 ⊛ img;\n"
                              "field#1(3)[] G = img ⊛ ctmr;\n"
                              "field#1(2)[2] V = ctmr ⊛ flow;\n"
                              "field(1)[] L(t) = t*t;\n"
                              "function real f (real a, vec3 p) = a + |p|;\n";

/* The expression initialises a variable of type ty without a conversion; without ty it is one
 * error. */
static void expect(const char *expr, const char *ty) {
  Cx *cx = cx_new();
  types_init(cx);
  const char *text = text_format(
      cx->arena,
      "#version 2.0\n%sstrand s (int i) {\n  output vec2 pos = [i, i];\n  real x = 1;\n  vec2 v = "
      "[1, 2];\n"
      "  vec3 w = [1, 2, 3];\n  mat2 m = identity[2];\n  mat3 n = identity[3];\n  int[] q = {1};\n"
      "  update {\n    %s%s%s;\n    stabilize;\n  }\n}\ncreate_array { s(i) | i in 0..1 }\n",
      globals, ty ? ty : "print(", ty ? " local = " : "",
      ty ? expr : text_format(cx->arena, "%s)", expr));
  cx->source = source_from_text(cx->arena, "types.diderot", text, strlen(text));
  const Ast *ast = parse(cx);
  TProgram *program = ast ? check(cx, ast, NULL) : NULL;
  bool is_good = ty ? program != NULL : program == NULL && diag_error_count(cx) == 1;
  if (program) is_good = is_good && program->strand->update->body.data[0]->expr->kind != TE_COERCE;
  if (!CHECK(is_good)) {
    fprintf(stderr, "%s local = %s\n", ty ? ty : "(one error)", expr);
    diag_print_all(cx, stderr, DIAG_PLAIN);
  }
  cx_free(cx);
}

static const struct {
  const char *expr, *ty; /* ty NULL: exactly one error */
} rows[] = {
    /* arithmetic */
    {"i + 1", "int"},
    {"i + 1.0", "real"},
    {"1/2", "int"},
    {"x/2", "real"},
    {"2^3", "real"},
    {"v + v", "vec2"},
    {"2*v", "vec2"},
    {"v*2", "vec2"},
    {"v/2", "vec2"},
    {"-m", "mat2"},
    {"1 + v", NULL},
    {"v*v", NULL},
    {"v/v", NULL},
    {"i % 2", "int"},
    {"x % 2", NULL},
    {"-true", NULL},
    {"v + w", NULL},
    /* fields */
    {"F + G", "field#1(3)[]"},
    {"G - F", "field#1(3)[]"},
    {"F*G", "field#1(3)[]"},
    {"F/G", "field#1(3)[]"},
    {"2*F", "field#2(3)[]"},
    {"F + 1", "field#2(3)[]"},
    {"1/F", "field#2(3)[]"},
    {"F*w", "field#2(3)[3]"},
    {"w*F", "field#2(3)[3]"},
    {"[F, G]", "field#1(3)[2]"},
    {"[G, F]", "field#1(3)[2]"},
    {"|V|", "field#1(2)[]"},
    {"F^2", "field#2(3)[]"},
    {"F^i", NULL},
    {"sin(F)", "field#2(3)[]"},
    {"V[1]", "field#1(2)[]"},
    {"V•v", "field#1(2)[]"},
    {"V⊗V", "field#1(2)[2,2]"},
    {"V×V", "field#1(2)[]"},
    {"F + V", NULL},
    {"F•w", NULL},
    {"normalize(V)", "field#1(2)[2]"},
    {"normalize(F)", NULL},
    {"modulate(V, v)", "field#1(2)[2]"},
    {"L ∘ F", "field#2(3)[]"},
    /* derivatives and probes */
    {"∇F", "field#1(3)[3]"},
    {"∇⊗∇F", "field#0(3)[3,3]"},
    {"∇•∇F", "field#0(3)[]"},
    {"∇⊗V", "field#0(2)[2,2]"},
    {"∇×V", "field#0(2)[]"},
    {"∇•V", "field#0(2)[]"},
    {"∇L", "field(1)[]"},
    {"∇∇L(1)", "real"},
    {"∇F(w)", "vec3"},
    {"F(v)", NULL},
    {"L(i)", "real"},
    {"∇V", NULL},
    {"∇⊗F", NULL},
    {"∇⊗∇G", NULL},
    {"inside(w, F)", "bool"},
    {"inside(v, F)", NULL},
    {"tent#3 ⊛ img", "field#3(3)[]"},
    {"size(img)", "int[3]"},
    {"wrap(flow) ⊛ ctmr", "field#1(2)[2]"},
    {"border(flow, v) ⊛ ctmr", "field#1(2)[2]"},
    {"border(flow, 1)", NULL},
    /* tensors */
    {"v•v", "real"},
    {"m•v", "vec2"},
    {"v•m", "vec2"},
    {"m•m", "mat2"},
    {"m•w", NULL},
    {"v⊗w", "tensor[2,3]"},
    {"2.0⊗w", "vec3"},
    {"2⊗w", NULL},
    {"m:m", "real"},
    {"m:v", NULL},
    {"(n⊗w):n", "vec3"},
    {"w×w", "vec3"},
    {"v×w", NULL},
    {"[v, v]", "mat2"},
    {"[1, 2.0]", "vec2"},
    {"[x]", "real"},
    {"[v, 1]", NULL},
    {"n[0,:]", "vec3"},
    {"n[0,1]", "real"},
    {"n[0]", NULL},
    {"trace(m)", "real"},
    {"transpose(v⊗w)", "tensor[3,2]"},
    {"transpose(v)", NULL},
    {"det(n)", "real"},
    {"inv(x)", "real"},
    {"inv(v)", NULL},
    {"evals(n)", "real[3]"},
    {"evecs(m)", "vec2[2]"},
    {"evals(m)[0]", "real"},
    {"evecs(m)[1][0]", "real"},
    {"lerp(v, v, 1)", "vec2"},
    {"clamp(0, 1, w)", "vec3"},
    {"clamp(w, w, w)", "vec3"},
    {"clamp(v, w, w)", NULL},
    {"|w|", "real"},
    {"|i|", "int"},
    {"nan[2,2]", "mat2"},
    /* sequences */
    {"{1, 2.0}", "real[2]"},
    {"{2.0, 1}", "real[2]"},
    {"0..i", "int[]"},
    {"{ 1.0*k | k in q }", "real[]"},
    {"q @ 1", "int[]"},
    {"1 @ q", "int[]"},
    {"q @ q", "int[]"},
    {"{1} @ {2}", "int[]"},
    {"q @ 1.5", NULL},
    {"q @ {}", "int[]"},
    {"q[0]", "int"},
    {"q[x]", NULL},
    {"length({1, 2})", "int"},
    {"{ v | k in q }", "vec2[]"},
    {"{ q | k in q }", NULL},
    {"sum { 1.5*k | k in q }", "real"},
    {"sum(q)", "int"},
    {"max(q)", "int"},
    {"max(1, 2)", "int"},
    {"mean(q)", NULL},
    {"sum({v})", "vec2"},
    {"sum({true})", NULL},
    {"all { k > 1 | k in q }", "bool"},
    {"{{1, 2}, {3, 4}}", "int[2][2]"},
    {"{{1}, {2, 3}}", NULL},
    {"length(sphere(1.0))", "int"},
    {"sum { p.x | p in sphere(v, 2) }", "real"},
    /* conditionals, logic, calls */
    {"1 if i > 0 else 2.0", "real"},
    {"v if i > 0 else w", NULL},
    {"i > 1 && x < 2", "bool"},
    {"i && true", NULL},
    {"i == 1.0", "bool"},
    {"v == v", NULL},
    {"\"a\" != \"b\"", "bool"},
    {"f(1, w)", "real"},
    {"f(1, v)", NULL},
    {"f(1)", NULL},
    {"-real(i)", "real"},
    {"real(x)", NULL},
    {"numActive() + numStable()", "int"},
    {"i < 1 < 2", NULL},
};

static void expressions_have_their_types(void) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) expect(rows[i].expr, rows[i].ty);
}

int main(void) {
  RUN(expressions_have_their_types);
  return test_result();
}
