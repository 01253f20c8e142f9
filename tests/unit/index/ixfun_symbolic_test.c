/* Index functions of unknown sizes: offsets and strides as polynomials (ixfun_symbolic.txt), then
 * with random values against their definition; addresses as code; hoisting. */
#include <stdlib.h>

#include "ir/index/addr.h"
#include "tests/unit/index/ixfun_construct.h"
#include "tests/unit/test.h"
#include "tests/unit/vectors.h"

enum { MAX_UNKNOWNS = 8, N_TRIES = 20 };

static Cx *cx;
static uint32_t random_state = 7;

static uint32_t random_below(uint32_t n) {
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 8) % n;
}

/* ---- values ---------------------------------------------------------------------------------- */

typedef struct Values {
  uint32_t n;
  PolySubst map[MAX_UNKNOWNS];
} Values;

static bool value_of(void *context, const PolyAtom *unknown, int64_t *value) {
  const Values *v = context;
  for (uint32_t i = 0; i < v->n; i++)
    if (v->map[i].name == unknown->name) return poly_is_const(v->map[i].value, value);
  return false;
}

static int64_t value(Values *v, Poly p) {
  int64_t value = INT64_MIN;
  CHECK(poly_eval(p, value_of, v, &value));
  return value;
}

static Values random_values(const Construct *c) {
  Values v = {0};
  for (uint32_t i = 0; i < c->declared.len; i++) {
    const Unknown *u = &c->declared.data[i];
    int64_t least = value(&v, u->least), room = 6;
    if (u->has_below) room = value(&v, u->below) - least;
    Poly chosen = poly_const(least + random_below((uint32_t)room));
    v.map[v.n++] = (PolySubst){.name = u->name, .value = chosen};
  }
  return v;
}

/* ---- the table ------------------------------------------------------------------------------- */

static Extents list_of(Construct *c, const char *text) {
  construct_start(c, text);
  need(c, "[");
  return read_list(c, "]");
}

static void check_values(const Ixfun *f, Values *v, Poly offset, Extents strides) {
  const Ixfun *known = ixfun_substitute(cx->arena, f, v->map, v->n);
  Extents shape = ixfun_shape(cx->arena, known);
  CHECK_STR(ixfun_check(cx->arena, known), NULL);
  if (!CHECK_EQ(shape.rank, strides.rank)) return;
  for (int64_t p = 0; p < extents_size(cx->arena, shape).constant; p++) {
    const Poly *idx = extents_unflat(cx->arena, shape, poly_const(p));
    Poly found, address;
    int64_t want = value(v, offset);
    for (uint32_t k = 0; k < strides.rank; k++) want += idx[k].constant * value(v, strides.len[k]);
    CHECK(ixfun_index(cx->arena, known, idx, shape.rank, 1, &found));
    CHECK_EQ(found.constant, want);
    CHECK(ixfun_address(cx->arena, f, idx, shape.rank, &address));
    CHECK_EQ(value(v, address), want);
  }
}

static void check_row(char **column) {
  Construct c = {.cx = cx};
  construct_declare(&c, column[1]);
  CHECK_STR(c.poly.error, NULL);
  const Ixfun *f = construct(&c, column[2]);
  CHECK_STR(c.poly.error, NULL);
  if (!CHECK(f != NULL) || !CHECK_EQ(f->n_lmads, 1)) return;
  CHECK_STR(ixfun_check(cx->arena, f), NULL);
  Extents shape = list_of(&c, column[3]), strides = list_of(&c, column[5]);
  construct_start(&c, column[4]);
  Poly offset = poly_read(&c.poly);
  CHECK(extents_eq(ixfun_shape(cx->arena, f), shape));
  CHECK_STR(poly_text(cx->arena, f->lmads[0].offset), poly_text(cx->arena, offset));
  if (!CHECK_EQ(strides.rank, ixfun_rank(f))) return;
  for (uint32_t k = 0; k < strides.rank; k++) {
    const LmadDim *dim = &f->lmads[0].dims[f->lmads[0].perm[k]];
    CHECK_STR(poly_text(cx->arena, dim->stride), poly_text(cx->arena, strides.len[k]));
    CHECK(dim->mono != MONO_UNKNOWN);
  }
  for (int i = 0; i < N_TRIES; i++) {
    Values v = random_values(&c);
    check_values(f, &v, offset, strides);
  }
}

static void coefficients_are_those_of_the_table(void) {
  Vector row;
  int n_rows = 0;
  FILE *file = vectors_open("tests/unit/index/ixfun_symbolic.txt");
  for (; vectors_next(file, &row); n_rows++)
    if (CHECK_EQ(row.n_fields, 6)) check_row(row.field);
  CHECK(n_rows >= 8);
  vectors_close(file);
}

/* ---- numbers worked by hand ------------------------------------------------------------------ */

static const Ixfun *made(const char *unknowns, const char *text) {
  Construct c = {.cx = cx};
  if (unknowns) construct_declare(&c, unknowns);
  const Ixfun *f = construct(&c, text);
  CHECK_STR(c.poly.error, NULL);
  CHECK(f != NULL);
  return f;
}

static int64_t offset_of(const Ixfun *f, int64_t i, int64_t j, int64_t k) {
  Poly idx[3] = {poly_const(i), poly_const(j), poly_const(k)}, offset = {0};
  CHECK(ixfun_index(cx->arena, f, idx, ixfun_rank(f), 1, &offset));
  return offset.constant;
}

static void windows_and_state_are_where_they_were_drawn(void) {
  static const int64_t plane[16] = {0, 2, 4, 6, 12, 14, 16, 18, 24, 26, 28, 30, 36, 38, 40, 42};
  const Ixfun *f = made(NULL, "iota[5,6,2] . permute[2,0,1] . slice[0:2:1, 0:4:1, 0:4:1]");
  const Ixfun *full = made(NULL, "iota[4,4,2] . permute[2,0,1]");
  for (int64_t p = 0; p < 16; p++) {
    CHECK_EQ(offset_of(f, 0, p / 4, p % 4), plane[p]);
    CHECK_EQ(offset_of(f, 1, p / 4, p % 4), plane[p] + 1);
    CHECK_EQ(offset_of(full, 0, p / 4, p % 4), 2 * p);
  }
  /* strand 4, component 2 of 5 strands with a 3-vector */
  CHECK_EQ(offset_of(made(NULL, "iota[3,32] . slice[0:3:1, 0:5:1] . permute[1,0]"), 4, 2, 0), 68);
  CHECK_EQ(offset_of(made(NULL, "iota[5,6] . slice[0:5:1, 2:3:1]"), 4, 2, 0), 28);
  CHECK_EQ(offset_of(made(NULL, "iota[2,3,4] . permute[0,2,1]"), 1, 0, 2), 20);
}

/* ---- what substitution makes known ----------------------------------------------------------- */

static void substitution_decides_signs_and_contiguity(void) {
  Construct c = {.cx = cx};
  construct_declare(&c, "-4 <= s, 1 <= n, 1 <= P");
  const Ixfun *f = construct(&c, "iota[20] . slice[8:3:s]");
  CHECK_EQ(ixfun_monotonicity(f), MONO_UNKNOWN);
  PolySubst s = {.name = name_from(cx->names, "s"), .value = poly_const(-1)};
  const Ixfun *down = ixfun_substitute(cx->arena, f, &s, 1);
  CHECK(!ixfun_is_contiguous(f) && ixfun_is_contiguous(down));
  CHECK_EQ(ixfun_monotonicity(down), MONO_DEC);
  s.value = poly_const(0);
  CHECK_EQ(offset_of(ixfun_substitute(cx->arena, f, &s, 1), 2, 0, 0), 8);

  f = construct(&c, "iota[3,P] . slice[0:3:1, 0:n:1]");
  CHECK(!ixfun_is_contiguous(f));
  PolySubst pitch = {.name = name_from(cx->names, "P"), .value = poly_const(5)};
  PolySubst both[2] = {pitch, {.name = name_from(cx->names, "n"), .value = poly_const(5)}};
  CHECK(!ixfun_is_contiguous(ixfun_substitute(cx->arena, f, &pitch, 1)));
  CHECK(ixfun_is_linear(cx->arena, ixfun_substitute(cx->arena, f, both, 2)));

  const Ixfun *at = made("1 <= N, 0 <= i < N", "iota[9] . slice[i]");
  PolySubst N = {.name = name_from(cx->names, "N"), .value = poly_const(5)};
  CHECK_STR(ixfun_print(cx->arena, ixfun_substitute(cx->arena, at, &N, 1)),
            "<0 <= i < 5 | i [] of [9]>");

  f = construct(&c, "iota[n] . rotate[5]");
  PolySubst five = {.name = name_from(cx->names, "n"), .value = poly_const(5)};
  CHECK_EQ(ixfun_monotonicity(f), MONO_UNKNOWN);
  CHECK(ixfun_is_direct(cx->arena, ixfun_substitute(cx->arena, f, &five, 1)));
}

static void span_is_known_where_signs_are(void) {
  Construct c = {.cx = cx};
  construct_declare(&c, "-4 <= s, 1 <= n, 2 <= k");
  Poly least, greatest;
  const Ixfun *f = construct(&c, "iota[n, k] . slice[0:n:1, k - 1:k:-1] . permute[1,0]");
  CHECK(ixfun_span(cx->arena, f, &least, &greatest));
  CHECK_STR(poly_text(cx->arena, least), "0");
  CHECK_STR(poly_text(cx->arena, greatest), "k*n - 1");
  f = construct(&c, "iota[20] . slice[8:1:s]");
  CHECK(ixfun_span(cx->arena, f, &least, &greatest) && poly_is(least, 8) && poly_is(greatest, 8));
  CHECK(!ixfun_span(cx->arena, construct(&c, "iota[20] . slice[8:2:s]"), &least, &greatest));
  CHECK(
      !ixfun_span(cx->arena, construct(&c, "iota[20,n] . slice[0:0:1, 0:n:1]"), &least, &greatest));
}

static void names_change_and_are_listed(void) {
  const Ixfun *f = made("1 <= N, 0 <= i < N, 1 <= M", "iota[M, N] . slice[0:M:1, i]");
  IxUnknowns unknowns = ixfun_free_vars(cx->arena, f);
  CHECK_EQ(unknowns.n, 3); /* offset, then stride and length, then the base */
  CHECK_STR(unknowns.atoms[0]->name->text, "i");
  CHECK_STR(unknowns.atoms[1]->name->text, "N");
  CHECK_STR(unknowns.atoms[2]->name->text, "M");
  const Name *from[2] = {name_from(cx->names, "N"), name_from(cx->names, "i")};
  const Name *to[2] = {name_from(cx->names, "i"), name_from(cx->names, "N")};
  const Ixfun *swapped = ixfun_rename(cx->arena, f, from, to, 2);
  CHECK_STR(ixfun_print(cx->arena, swapped), "<1 <= i, 0 <= N < i, 1 <= M | N [M : i] of [M, i]>");
  CHECK(ixfun_eq(cx->arena, ixfun_rename(cx->arena, swapped, to, from, 2), f));
  CHECK(!ixfun_eq(cx->arena, swapped, f));
}

/* ---- the code of an access ------------------------------------------------------------------- */

static Poly address_of(const Ixfun *f) {
  static const char *const names[3] = {"i", "j", "k"};
  Poly idx[3], offset = {0};
  for (uint32_t k = 0; k < 3; k++) idx[k] = poly_unknown(cx->arena, name_from(cx->names, names[k]));
  CHECK(ixfun_address(cx->arena, f, idx, ixfun_rank(f), &offset));
  return offset;
}

static void check_code(const char *unknowns, const char *text, const char *want) {
  Poly address = address_of(made(unknowns, text));
  CHECK_STR(addr_print(cx->arena, addr_from_poly(cx->arena, address)), want);
}

static void addresses_are_short_code(void) {
  check_code(NULL, "iota[]", "0");
  check_code(NULL, "iota[5]", "i");
  check_code(NULL, "iota[3,4]", "4 * i + j");
  check_code(NULL, "iota[3,4] . permute[1,0]", "i + 4 * j");
  check_code(NULL, "iota[3,4] . slice[1, 0:4:1]", "i + 4");
  check_code(NULL, "iota[5] . slice[4:5:-1]", "-i + 4");
  check_code(NULL, "iota[3] . repeat[[2]; []]", "j");
  check_code(NULL, "iota[5] . rotate[2]", "i + 2 < 5 ? i + 2 : i + 2 - 5");
  check_code(NULL, "iota[5,3] . rotate[2,0]", "j + 3 * (i + 2 < 5 ? i + 2 : i + 2 - 5)");
  check_code(NULL, "iota[2,3] . permute[1,0] . reshape[6]", "i / 2 + 3 * (i % 2)");
  check_code(NULL, "iota[6] . rotate[4] . slice[0:4:1]", "i + 4 < 6 ? i + 4 : i + 4 - 6");
  check_code("1 <= N1, 1 <= N2", "iota[N2, N1, 2] . permute[2,0,1]", "2 * (N1 * j) + i + 2 * k");
  check_code("-9 <= x, 1 <= n", "iota[n] . offset_index(floordiv(x, 2))", "i + floordiv(x, 2)");
  check_code("-9 <= x, 1 <= n", "iota[n] . offset_index(mod(x, n))", "i + mod(x, n)");
  check_code("0 <= x, 1 <= n", "iota[n] . offset_index(mod(x, n))", "i + x % n");
  check_code("1 <= n, 0 <= t", "iota[2, n] . rotate[t, 0] . slice[1, 0:n:1]",
             "n * ((t + 1) % 2) + i");
}

static void parts_of_an_address_move_out_of_loops(void) {
  Arena *a = cx->arena;
  const Name *loops[2] = {name_from(cx->names, "i"), name_from(cx->names, "j")};
  const Ixfun *f =
      made("1 <= N, 1 <= P, 0 <= x < N, 4 <= H", "iota[H, N, P + 3] . slice[0:4:1, x, 0:P:1]");
  Poly address = address_of(f);
  static const char *const parts[3] = {"P * x + 3 * x", "(N * P + 3 * N) * i", "j"};
  for (uint32_t level = 0; level <= 2; level++)
    CHECK_STR(addr_print(a, addr_at_level(a, address, loops, 2, level)), parts[level]);
  Poly wrapped = address_of(made(NULL, "iota[4,5] . rotate[0,2]"));
  CHECK_STR(addr_print(a, addr_at_level(a, wrapped, loops, 2, 0)), "0");
  CHECK_STR(addr_print(a, addr_at_level(a, wrapped, loops, 2, 1)), "5 * i");
  CHECK_STR(addr_print(a, addr_at_level(a, wrapped, loops, 2, 2)), "j + 2 < 5 ? j + 2 : j + 2 - 5");
}

int main(void) {
  cx = cx_new();
  RUN(coefficients_are_those_of_the_table);
  RUN(windows_and_state_are_where_they_were_drawn);
  RUN(substitution_decides_signs_and_contiguity);
  RUN(span_is_known_where_signs_are);
  RUN(names_change_and_are_listed);
  RUN(addresses_are_short_code);
  RUN(parts_of_an_address_move_out_of_loops);
  cx_free(cx);
  return test_result();
}
