/* Exits: a method that leaves early and one whose rest is nested give the same tree, except for the
 * names of variables. The pairs are rows of exits.txt; one program surrounds their methods. */
#include <ctype.h>

#include "frontend/base/map.h"
#include "frontend/base/text.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parse.h"
#include "ir/high/from_tast.h"
#include "ir/pass/pass.h"
#include "ir/target.h"
#include "ir/tree/tree.h"
#include "tests/unit/vectors.h"

static const struct Target target = {0};

static const char *tree_of(Cx *cx, const char *function, const char *methods) {
  const char *text = text_format(cx->arena,
                                 "#version 2.0\n"
                                 "input int n = 7;\n"
                                 "input real k = 0.5;\n"
                                 "field(2)[] F(x) = 1 - x•x;\n"
                                 "function real %s\n"
                                 "strand S (int i, int j) {\n"
                                 "  vec2 p = [0.1*i, 0.2*j];\n"
                                 "  output real g = 0;\n"
                                 "  output int c = i;\n"
                                 "  output real t = 1;\n"
                                 "  %s\n"
                                 "}\n"
                                 "create_collection { S(i, j) | i in 0..20, j in 0..20 }\n",
                                 function, methods);
  cx->source = source_from_text(cx->arena, "pair.diderot", text, strlen(text));
  const Ast *ast = parse(cx);
  TProgram *program = ast ? check(cx, ast, NULL) : NULL;
  if (!CHECK(program != NULL)) {
    diag_print_all(cx, stderr, DIAG_PLAIN);
    return "";
  }
  Module *m = high_from_tast(cx, program);
  run_pipeline(cx, m, LEVEL_LOW, &target, NULL);
  TreeProgram *tree = tree_from_low(cx, m);
  tree_verify(cx, tree);
  return tree_print(cx, tree);
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static size_t word_len(const char *text) {
  size_t n = 0;
  while (is_word(text[n])) n++;
  return n;
}

/* The word that corresponds to this one on the other side; at its first occurrence, `partner`. */
static const Name *partner_of(Map *known, const Name *word, const Name *partner) {
  if (!map_has(known, word)) map_put(known, word, (void *)(uintptr_t)partner);
  return map_get(known, word);
}

/* Ops and keywords at the beginning of statements are not names. */
static bool is_fixed(const char *word, size_t n) {
  static const char *const keywords[] = {"real", "int", "bool", "const",
                                         "var",  "if",  "else", "for"};
  if (isdigit((unsigned char)*word) || strchr("(<", word[n])) return true;
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (strlen(keywords[i]) == n && strncmp(word, keywords[i], n) == 0) return true;
  return false;
}

/* Whether each name on one side corresponds to one name on the other side throughout. */
static bool are_alike(Cx *cx, const char *a, const char *b) {
  Map *to_b = map_new(cx->arena), *to_a = map_new(cx->arena);
  while (*a && *b) {
    const size_t n = word_len(a), k = word_len(b);
    if (n == 0 || k == 0) {
      if (*a++ != *b++) return false;
      continue;
    }
    if (is_fixed(a, n) || is_fixed(b, k)) {
      if (n != k || strncmp(a, b, n) != 0) return false;
    } else {
      const Name *in_a = name_from(cx->names, text_format(cx->arena, "%.*s", (int)n, a));
      const Name *in_b = name_from(cx->names, text_format(cx->arena, "%.*s", (int)k, b));
      if (partner_of(to_b, in_a, in_b) != in_b || partner_of(to_a, in_b, in_a) != in_a)
        return false;
    }
    a += n;
    b += k;
  }
  return *a == *b;
}

static void pairs_are_the_same_tree(void) {
  Vector v;
  FILE *file = vectors_open("tests/unit/low-to-tree/exits.txt");
  while (vectors_next(file, &v)) {
    Cx *cx = cx_new(), *other = cx_new();
    types_init(cx);
    types_init(other);
    const char *leaving = tree_of(cx, v.field[1], v.field[2]);
    const char *nested = tree_of(other, v.field[3], v.field[4]);
    if (!CHECK(are_alike(cx, leaving, nested)))
      fprintf(stderr, "---- leaves\n%s---- nested\n%s", leaving, nested);
    cx_free(cx);
    cx_free(other);
  }
  vectors_close(file);
}

/* The comparison must be able to tell trees apart. */
static void names_stand_for_one_name_each(void) {
  Cx *cx = cx_new();
  CHECK(are_alike(cx, "t_2 = radd(t, k)", "r = radd(x, k)"));
  CHECK(!are_alike(cx, "t_2 = radd(t, k)", "r = rmul(x, k)"));
  CHECK(!are_alike(cx, "t_2 = radd(t, k)", "r = radd(x, x)"));
  CHECK(!are_alike(cx, "t_2 = radd(t, t)", "r = radd(x, k)"));
  CHECK(!are_alike(cx, "t = radd(t, 1)", "t = radd(t, 2)"));
  CHECK(!are_alike(cx, "if t {", "if t {\n}"));
  cx_free(cx);
}

int main(void) {
  RUN(names_stand_for_one_name_each);
  RUN(pairs_are_the_same_tree);
  return test_result();
}
