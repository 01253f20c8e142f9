/* Syntax errors: one message per mistake, at the right place, with the right help. */
#include "frontend/base/text.h"
#include "tests/unit/syntax/support.h"

typedef enum { GLOBAL, STATEMENT, WHOLE } Place;

/* Puts the mistake into its place in an otherwise valid program. */
static Parsed parse_mistake(Place place, AstVersion version, const char *mistake) {
  Cx *cx = cx_new();
  const char *head = version == AST_V1 ? "#version 1.0\n" : "#version 2.0\n";
  const char *creation = version == AST_V1 ? "initially [ s(i) | i in 0..2 ];\n"
                                           : "create_array { s(i) | i in 0..2 }\n";
  const char *text = text_format(
      cx->arena, "%s%s\nstrand s (int i) {\n output int x = i;\n update {\n%s\nstabilize; }\n}\n%s",
      head, place == GLOBAL ? mistake : "", place == STATEMENT ? mistake : "", creation);
  if (place == WHOLE) text = text_format(cx->arena, "%s%s", head, mistake);
  Parsed parsed = parse_text(text);
  cx_free(cx);
  return parsed;
}

typedef struct Mistake {
  Place place;
  AstVersion version;
  const char *text;
  uint32_t n_errors;
  const char *says; /* part of the messages */
} Mistake;

static const Mistake mistakes[] = {
    /* one message, and the parser recovers */
    {STATEMENT, AST_V2, "x = 1 + ; x = 2;", 1, "expected an expression"},
    {STATEMENT, AST_V2, "x = 1\nx = 2;", 1, "expected an operator or ';'"},
    {STATEMENT, AST_V2, "x = (1 + 2;", 1, "')'"},
    {STATEMENT, AST_V2, "if (x > { x = 1; } else { x = 2; } x = 3;", 1, "unexpected '='"},
    {STATEMENT, AST_V2, "if x > 1 { x = 1; }", 1, "expected '('"},
    {STATEMENT, AST_V2, "x = {1, 2 3}[0];", 1, "number '3'"},
    {STATEMENT, AST_V2, "{ x = 1 + } x = 2;", 1, "unexpected '}'"},
    {STATEMENT, AST_V2, "x = 1 + ; x = * 2; x = 3;", 2, "unexpected '*'"},
    {STATEMENT, AST_V2, "foreach (int i 0..3) { x = 1; }", 1, "expected 'in'"},
    {GLOBAL, AST_V2, "function int f (int) { return 1; } int y = 2;", 1, "expected"},
    {GLOBAL, AST_V2, "int = 3; input y; int z = 1;", 2, "unexpected '='"},
    {WHOLE, AST_V2,
     "strand s (int i { output int x = i; update { stabilize; } }\n"
     "create_array { s(i) | i in 0..2 }",
     1, "unexpected '{'"},
    {WHOLE, AST_V2,
     "strand s (int i) { output int x = ; update { stabilize } }\n"
     "create_array { s(i) | i in 0.. }",
     3, "expected ';'"},
    {WHOLE, AST_V2,
     "strand s (int i) { output int x = 1; update { stabilize; }\n"
     "create_array { s(i) | i in 0..2 }",
     1, "unexpected 'create_array'"},
    {WHOLE, AST_V2, "strand s (int i) { output int x = 1; update { stabilize; } }", 1,
     "unexpected end of file"},
    {WHOLE, AST_V2,
     "strand s (int i) { output int x = 1; update { stabilize; } } }\n"
     "create_array { s(i) | i in 0..2 }",
     1, "unexpected '}'"},
    {WHOLE, AST_V2, "", 1, "unexpected end of file"},
    /* a lexical error is not also a syntax error */
    {GLOBAL, AST_V2, "real y = 2.5 ? 3; real z = 1.0;", 1, "unexpected character '?' (U+003F)"},
    {GLOBAL, AST_V2, "real y = Δ;", 1, "unexpected character 'Δ' (U+0394)"},
    {GLOBAL, AST_V2, "string y = \"abc;\nint z = 1;", 1, "string is not closed"},
    {GLOBAL, AST_V2, "string y = \"\\999\"; int z = ;", 2, "above 255"},
    {GLOBAL, AST_V2, "int y = 1; /* open", 1, "comment opened on line 2"},
    /* errors that have a hint */
    {STATEMENT, AST_V2, "x++;", 1, "write n += 1"},
    {STATEMENT, AST_V2, "f(x);", 1, "no expression statements"},
    {STATEMENT, AST_V2, "x[0] = 1;", 1, "only whole variables"},
    {STATEMENT, AST_V2, "x[0] += 1;", 1, "only whole variables"},
    {STATEMENT, AST_V2, "p.x = 1;", 1, "only whole variables"},
    {GLOBAL, AST_V2, "real y = 1e5;", 1, "write reals"},
    {GLOBAL, AST_V2, "real y = 1.;", 1, "write reals"},
    {GLOBAL, AST_V2, "real y = .5;", 1, "write reals"},
    {GLOBAL, AST_V2, "real y = a ^ -b;", 1, "put the exponent in parentheses"},
    {GLOBAL, AST_V2, "real y = ||a| - 1|;", 1, "space between norm bars"},
    {GLOBAL, AST_V2, "real y = max { |v|| v in s };", 1, "space between norm bars"},
    {GLOBAL, AST_V2, "real y = ∇ •F;", 1, "'∇•' must be written without a space"},
    {GLOBAL, AST_V2, "real y = ∇ ⊗F;", 1, "'∇⊗' must be written without a space"},
    {GLOBAL, AST_V2, "real y = ∇ ×F;", 1, "'∇×' must be written without a space"},
    {STATEMENT, AST_V2, "foreach (int k in 0..3) x += k;", 1, "braces around the body"},
    {STATEMENT, AST_V2, "if (x = 1) stabilize;", 1, "'==' to compare"},
    {GLOBAL, AST_V2, "real y, z;", 1, "one variable per declaration"},
    {GLOBAL, AST_V2, "real y = real(3)[0];", 1, "parentheses"},
    {GLOBAL, AST_V2, "initialize { } real y;", 1, "wrong order"},
    {WHOLE, AST_V2,
     "strand s (int i) { output int x = 1; update { stabilize; } }\n"
     "update { } start { }\ncreate_array { s(i) | i in 0..2 }",
     1, "unexpected 'start'"},
    {WHOLE, AST_V2,
     "strand s (int i) { output int x = 1; update { stabilize; } }\n"
     "strand t (int i) { output int x = 1; update { stabilize; } }\n"
     "create_array { s(i) | i in 0..2 }",
     1, "wrong order"},
    {WHOLE, AST_V2,
     "strand s (int i) { output int x = 1; update { stabilize; } int y = 2; }\n"
     "create_array { s(i) | i in 0..2 }",
     1, "state variables first"},
    /* syntax of the other version */
    {WHOLE, AST_V2,
     "strand s (int i) { output int x = 1; update { stabilize; } }\n"
     "initially [ s(i) | i in 0..2 ];",
     1, "'initially' belongs to version 1.0"},
    {WHOLE, AST_V2,
     "strand s (int i) { output int x = 1; update { stabilize; } }\n"
     "global { x = 1; }\ncreate_array { s(i) | i in 0..2 }",
     1, "write update"},
    {GLOBAL, AST_V2, "int{3} y = {1, 2, 3};", 1, "write T[n]"},
    {GLOBAL, AST_V2, "int{} y = {};", 1, "write T[]"},
    {GLOBAL, AST_V2, "int y = s{1};", 1, "write s[i]"},
    {GLOBAL, AST_V2, "image(2)[] y = image(\"a\");", 1, "load_image"},
    {GLOBAL, AST_V1, "int[3] y = {1, 2, 3};", 1, "write T{n}"},
    {GLOBAL, AST_V1, "int[] y = {};", 1, "write T{}"},
    {GLOBAL, AST_V1, "int{} y = 0..3;", 1, "a..b"},
    {GLOBAL, AST_V1, "const int y = 3;", 1, "'const' belongs to version 2.0"},
    {GLOBAL, AST_V1, "int y;", 1, "an initial value"},
    {GLOBAL, AST_V1, "field(2)[] y = k ⊛ a;", 1, "field#k(d)"},
    {GLOBAL, AST_V1, "field#1(2)[] y(x) = x;", 1, "a field function"},
    {GLOBAL, AST_V1, "tensor[1+1] y = a;", 1, "an integer literal"},
    {GLOBAL, AST_V1, "input real y = 2.0*3.0;", 1, "a computed default"},
    {GLOBAL, AST_V1, "function int f (int{3} s) = 1;", 1, "a parameter of this type"},
    {GLOBAL, AST_V1, "function int f () { return 1; };", 1, "no semicolon"},
    {GLOBAL, AST_V1, "initialize { y = 3; }", 1, "'initialize' belongs to version 2.0"},
    {STATEMENT, AST_V1, "print();", 1, "print(\"\")"},
    {WHOLE, AST_V1,
     "strand s (int i) { output int x = 1; update { stabilize; } }\n"
     "create_array { s(i) | i in 0..2 }",
     1, "must be #version 2.0"},
    {WHOLE, AST_V1,
     "strand s (int i) { output int x = 1; update { stabilize; } }\n"
     "update { }\ninitially [ s(i) | i in 0..2 ];",
     1, "write global"},
};

static void one_mistake_gives_one_message(void) {
  for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
    const Mistake *mistake = &mistakes[i];
    Parsed parsed = parse_mistake(mistake->place, mistake->version, mistake->text);
    const char *found = messages(&parsed);
    bool is_right = CHECK(parsed.program == NULL);
    is_right &= CHECK_EQ(diag_error_count(parsed.cx), mistake->n_errors);
    is_right &= CHECK(strstr(found, mistake->says) != NULL);
    if (!is_right)
      fprintf(stderr, "  %s\nsaid, without \"%s\":\n%s", mistake->text, mistake->says, found);
    cx_free(parsed.cx);
  }
}

/* Whatever its input, the parser ends, reports an error, and frees its memory. */
static void cut_programs_end(void) {
  static const char text[] =
      "#version 2.0\nconst int N = 3; input vec2[] p (\"a\\n\") = load_sequence(\"b\");\n"
      "function real f (real a) { return |a|^2 if a < 1 else sum { x | x in {1, 2} }; }\n"
      "field#2(3)[] F = bspln3 ⊛ load_image(\"c\"); initialize { x = 2; }\n"
      "strand s (int i) { output tensor[3,3] m = identity[3]; initialize { m = nan[3]; }\n"
      " update { foreach (int k in 0..N) { m += ∇⊗∇F(p)[:,k]; } new s(1); stabilize; } }\n"
      "start { print(\"x\"); } update { die; }\ncreate_array { s(i) | i in 0..2, j in q };\n";
  for (size_t len = 1; len + 2 < sizeof text; len++) {
    Parsed parsed = parse_named("t.diderot", text, len);
    bool is_cut = diag_error_count(parsed.cx) > 0;
    CHECK_EQ(parsed.program == NULL, is_cut);
    cx_free(parsed.cx);
    Parsed rest = parse_named("t.diderot", text + len, sizeof text - 1 - len);
    CHECK(rest.program == NULL && diag_error_count(rest.cx) > 0);
    cx_free(rest.cx);
  }
}

int main(void) {
  RUN(one_mistake_gives_one_message);
  RUN(cut_programs_end);
  return test_result();
}
