/* Polynomials: random expressions against their values, normal forms, overflow, bounds, text.
 */
#include "ir/index/poly.h"

#include "tests/unit/test.h"

enum { N_NAMES = 5, N_TRIES = 20000, N_POINTS = 12 };

static Cx *cx;
static uint64_t random_state = 3;

static int64_t random_between(int64_t least, int64_t most) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return least + (int64_t)((random_state >> 33) % (uint64_t)(most - least + 1));
}

/* ---- unknowns -------------------------------------------------------------------------------- */

/* x is any integer, n >= 1, 0 <= i < n, m >= 3, s >= -4. */

typedef struct Point {
  int64_t x, n, i, m, s;
} Point;

static Point random_point(void) {
  Point p = {.x = random_between(-9, 9), .n = random_between(1, 7), .m = random_between(3, 8)};
  p.i = random_between(0, p.n - 1);
  p.s = random_between(-4, 4);
  return p;
}

static Poly named(const char *name) {
  Arena *a = cx->arena;
  const Name *interned = name_from(cx->names, name);
  if (*name == 'n') return poly_extent(a, interned);
  if (*name == 's') return poly_ranged(a, interned, -4, NULL);
  if (*name == 'm') return poly_ranged(a, interned, 3, NULL);
  return *name == 'i' ? poly_index(a, interned, named("n")) : poly_unknown(a, interned);
}

static bool value_at(void *context, const PolyAtom *unknown, int64_t *value) {
  const Point *p = context;
  char c = unknown->name->text[0];
  *value = c == 'x' ? p->x : c == 'n' ? p->n : c == 'i' ? p->i : c == 'm' ? p->m : p->s;
  return true;
}

/* --- random expressions, built and evaluated side by side ------------------------------------- */

typedef struct Both {
  Poly poly;
  int64_t at[N_POINTS]; /* the value at each point */
  bool is_whole;        /* no division by 0 */
} Both;

static Point points[N_POINTS];

/* Values are far below 2^53. */
static int64_t floor_div(int64_t x, int64_t y) { return (int64_t)floor((double)x / (double)y); }

static Both leaf(void) {
  Both b = {.is_whole = true};
  int64_t kind = random_between(0, 6), constant = random_between(-5, 5);
  static const char *const names[N_NAMES] = {"x", "n", "i", "m", "s"};
  b.poly = kind < N_NAMES ? named(names[kind]) : poly_const(constant);
  for (int p = 0; p < N_POINTS; p++) {
    const int64_t of[N_NAMES] = {points[p].x, points[p].n, points[p].i, points[p].m, points[p].s};
    b.at[p] = kind < N_NAMES ? of[kind] : constant;
  }
  return b;
}

static Both random_expr(int depth) {
  if (depth == 0 || random_between(0, 3) == 0) return leaf();
  Both l = random_expr(depth - 1), r = random_expr(depth - 1), b = {0};
  Arena *a = cx->arena;
  int64_t op = random_between(0, 5);
  bool divides = op >= 4;
  b.is_whole = l.is_whole && r.is_whole;
  for (int p = 0; p < N_POINTS && divides; p++) b.is_whole = b.is_whole && r.at[p] != 0;
  if (divides && !b.is_whole) return l;
  for (int p = 0; p < N_POINTS; p++) {
    int64_t x = l.at[p], y = r.at[p];
    b.at[p] = op <= 1   ? x + y
              : op == 2 ? x - y
              : op == 3 ? x * y
              : op == 4 ? floor_div(x, y)
                        : x - y * floor_div(x, y);
  }
  b.poly = op <= 1   ? poly_add(a, l.poly, r.poly)
           : op == 2 ? poly_sub(a, l.poly, r.poly)
           : op == 3 ? poly_mul(a, l.poly, r.poly)
           : op == 4 ? poly_floordiv(a, l.poly, r.poly)
                     : poly_mod(a, l.poly, r.poly);
  return b;
}

static bool known_name(void *context, const Name *name, Poly *value) {
  (void)context;
  *value = named(name->text);
  return true;
}

static void check_expr(const Both *b) {
  const char *text = poly_text(cx->arena, b->poly);
  int64_t least, value;
  bool has_least = poly_least(cx->arena, b->poly, &least), all = true;
  for (int p = 0; p < N_POINTS; p++) {
    if (!CHECK(poly_eval(b->poly, value_at, &points[p], &value))) return;
    all &= CHECK_EQ(value, b->at[p]);
    if (has_least) all &= CHECK(b->at[p] >= least);
  }
  PolyReader r = {.cx = cx, .pos = text, .unknown_of = known_name};
  Poly again = poly_read(&r);
  all &= CHECK_STR(r.error, NULL) && CHECK_STR(poly_text(cx->arena, again), text);
  all &= CHECK(poly_eq(again, b->poly) && *r.pos == '\0');
  if (!all) fprintf(stderr, "  %s\n", text);
}

static void expressions_have_their_values(void) {
  for (int i = 0; i < (int)test_rounds(N_TRIES) && test_state.n_failed < 10; i++) {
    ArenaMark mark = arena_mark(cx->arena);
    for (int p = 0; p < N_POINTS; p++) points[p] = random_point();
    Both b = random_expr(4);
    check_expr(&b);
    Both c = random_expr(2);
    PolySubst x = {.name = name_from(cx->names, "x"), .value = c.poly};
    Poly inner = poly_substitute(cx->arena, b.poly, &x, 1);
    for (int p = 0; p < N_POINTS; p++) {
      Point moved = points[p];
      int64_t want, found;
      moved.x = c.at[p];
      if (poly_eval(b.poly, value_at, &moved, &want) &&
          CHECK(poly_eval(inner, value_at, &points[p], &found)))
        CHECK_EQ(found, want);
    }
    arena_reset(cx->arena, mark);
  }
}

/* ---- normal forms ---------------------------------------------------------------------------- */

static Poly read(const char *text) {
  PolyReader r = {.cx = cx, .pos = text, .unknown_of = known_name};
  Poly p = poly_read(&r);
  CHECK_STR(r.error, NULL);
  return p;
}

static void becomes(const char *text, const char *want) {
  CHECK_STR(poly_text(cx->arena, read(text)), want);
}

static void equal_expressions_print_alike(void) {
  becomes("(x + n)*(x - n)", "-n^2 + x^2");
  becomes("(n + 1)^3 - n^3 - 3*n^2", "3*n + 1");
  becomes("x*n*2 - n*x*2", "0");
  becomes("floordiv(6*n + 4, 3)", "2*n + 1");
  becomes("floordiv(6*n + x, 3)", "2*n + floordiv(x, 3)");
  becomes("mod(7*n + 9, 3)", "mod(n, 3)");
  becomes("floordiv(i, n)", "0");
  becomes("mod(i + 2*n, n)", "i");
  becomes("floordiv(n*m + i, n)", "m");
  becomes("mod(n^2 + x, n)", "mod(x, n)");
  becomes("mod(mod(x, 2) + 1, 2)", "mod(x + 1, 2)");
  becomes("mod(mod(x, 2), 2)", "mod(x, 2)");
  becomes("floordiv(-7, 2) + mod(-7, 2)", "-3");
  becomes("wrap(i, n)", "i");
  becomes("wrap(n + i, n)", "i");
  becomes("wrap(i + 1, n)", "wrap(i + 1, n)");
  becomes("floordiv((n + 1)*(m + 2), m + 2)", "n + 1");
}

static void what_would_overflow_is_kept(void) {
  becomes("9223372036854775807 + 1", "add(1, 9223372036854775807)");
  becomes("1 + 9223372036854775807", "add(1, 9223372036854775807)");
  becomes("-9223372036854775808 - 1", "add(-9223372036854775808, -1)");
  becomes("9223372036854775807*x*2", "mul(9223372036854775807*x, 2)");
  becomes("-(-9223372036854775808)", "mul(-9223372036854775808, -1)");
  becomes("floordiv(-9223372036854775808, -1)", "floordiv(-9223372036854775808, -1)");
  becomes("mod(-9223372036854775808, 3)", "1");
  becomes("floordiv(-9223372036854775808, 3)", "-3074457345618258603");
  becomes("mod(x, 0)", "mod(x, 0)");
  int64_t value;
  Point p = {.x = 2};
  CHECK(!poly_eval(read("9223372036854775807 + x"), value_at, &p, &value));
  CHECK(!poly_eval(read("x*9223372036854775807"), value_at, &p, &value));
  CHECK(!poly_eval(read("mod(x, 0)"), value_at, &p, &value));
  /* with values substituted that fit again */
  PolySubst x = {.name = name_from(cx->names, "x"), .value = poly_const(-1)};
  Poly sum = poly_substitute(cx->arena, read("add(9223372036854775807, 3 + x)"), &x, 1);
  CHECK_STR(poly_text(cx->arena, sum), "add(2, 9223372036854775807)");
  x.value = poly_const(-5);
  sum = poly_substitute(cx->arena, read("add(9223372036854775807, 3 + x)"), &x, 1);
  CHECK(poly_is(sum, INT64_MAX - 2));
}

static void refuses(const char *text, const char *why) {
  PolyReader r = {.cx = cx, .pos = text, .unknown_of = known_name};
  poly_read(&r);
  CHECK_STR(r.error, why);
}

static void bad_text_is_refused(void) {
  char deep[512];
  memset(deep, '(', sizeof deep - 1);
  deep[sizeof deep - 1] = '\0';
  refuses(deep, "too many parentheses in each other");
  refuses("n^17", "expected a power from 1 to 16");
  refuses("n^", "expected a power from 1 to 16");
  refuses("n + ", "expected a number, a name or '('");
  refuses("(n", "expected ')'");
  refuses("mod(n)", "expected ','");
  refuses("mod(n, 2", "expected ')'");
  refuses("rest(n, 2)", "no such function");
  refuses("9223372036854775808", "a number is too large");
}

/* ---- signs ----------------------------------------------------------------------------------- */

static void has_least(const char *text, int64_t want) {
  int64_t least = INT64_MIN;
  CHECK(poly_least(cx->arena, read(text), &least));
  if (!CHECK_EQ(least, want)) fprintf(stderr, "  in %s\n", text);
}

static void signs_are_proved(void) {
  has_least("n - 1 - i", 0);
  has_least("2*n*m", 6);
  has_least("m*n - m*i", 3);
  has_least("n*m - n - i", 2);
  has_least("32*floordiv(n + 31, 32)", 32);
  has_least("mod(x, m)", 0);
  has_least("m - mod(x, m)", 1);
  has_least("n^2 - 1", 0);
  int64_t least;
  CHECK(!poly_least(cx->arena, read("x"), &least));
  CHECK(!poly_least(cx->arena, read("m - n"), &least));
  CHECK(!poly_least(cx->arena, read("s*n - s - s*i"), &least));
  CHECK(!poly_least(cx->arena, read("mod(m, x)"), &least));
  CHECK(poly_is_less(cx->arena, read("i"), read("n")));
  CHECK(!poly_is_less(cx->arena, read("n"), read("n")));
}

int main(void) {
  cx = cx_new();
  (void)name_from(cx->names, "x"), (void)name_from(cx->names, "n");
  (void)name_from(cx->names, "i"), (void)name_from(cx->names, "m");
  (void)name_from(cx->names, "s");
  RUN(expressions_have_their_values);
  RUN(equal_expressions_print_alike);
  RUN(what_would_overflow_is_kept);
  RUN(bad_text_is_refused);
  RUN(signs_are_proved);
  cx_free(cx);
  return test_result();
}
