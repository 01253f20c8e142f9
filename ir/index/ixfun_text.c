/* Index functions as text, both ways (doc/ir.md).
 *
 *   ixfun = "<" [ range { "," range } "|" ] lmad { "then" lmad } "of" "[" [ polys ] "]" ">"
 *   range = number "<=" name [ "<" poly ]
 *   lmad  = poly "[" [ dim { "," dim } ] "]" [ "perm" number { number } ]
 *   dim   = poly ":" poly [ "@" poly ]                     length, stride, rotation
 *
 * A range may mention the names before it.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "frontend/base/vec.h"
#include "ir/index/ixfun_local.h"

/* ---- out ------------------------------------------------------------------------------------- */

typedef struct Ranges {
  Text *text;
  VEC(const Name *) printed;
} Ranges;

/* Prints a range after the ranges that it mentions. */
static void print_range(void *context, const PolyAtom *unknown) {
  Ranges *r = context;
  if (!unknown->has_least) return;
  for (uint32_t i = 0; i < r->printed.len; i++)
    if (r->printed.data[i] == unknown->name) return;
  if (unknown->below) poly_visit_unknowns(*unknown->below, print_range, r);
  text_addf(r->text, "%s%" PRId64 " <= %s", r->printed.len > 0 ? ", " : "", unknown->least,
            unknown->name->text);
  vec_push(r->text->arena, &r->printed, unknown->name);
  if (!unknown->below) return;
  text_add(r->text, " < ");
  poly_print(r->text, *unknown->below);
}

static void print_ranges(void *context, Poly coefficient) {
  poly_visit_unknowns(coefficient, print_range, context);
}

static void print_lmad(Text *t, const Lmad *l) {
  poly_print(t, l->offset);
  text_add(t, " [");
  for (uint32_t d = 0; d < l->rank; d++) {
    if (d > 0) text_add(t, ", ");
    poly_print(t, l->dims[d].len);
    text_add(t, " : ");
    poly_print(t, l->dims[d].stride);
    if (!lmad_is_rotated(&l->dims[d])) continue;
    text_add(t, " @ ");
    poly_print(t, l->dims[d].rotate);
  }
  text_add(t, "]");
  if (lmad_is_identity(l)) return;
  text_add(t, " perm");
  for (uint32_t k = 0; k < l->rank; k++) text_addf(t, " %" PRIu32, l->perm[k]);
}

const char *ixfun_print(Arena *a, const Ixfun *f) {
  Text t = text_new(a);
  Ranges ranges = {.text = &t};
  text_add(&t, "<");
  ixfun_fold(f, print_ranges, &ranges);
  if (ranges.printed.len > 0) text_add(&t, " | ");
  for (uint32_t i = 0; i < f->n_lmads; i++) {
    if (i > 0) text_add(&t, " then ");
    print_lmad(&t, &f->lmads[i]);
  }
  text_add(&t, " of [");
  for (uint32_t k = 0; k < f->base.rank; k++) {
    if (k > 0) text_add(&t, ", ");
    poly_print(&t, f->base.len[k]);
  }
  text_add(&t, "]>");
  return text_str(&t);
}

/* ---- in -------------------------------------------------------------------------------------- */

typedef struct Reader {
  PolyReader poly;
  VEC(PolySubst) ranged; /* the unknowns whose range was read */
} Reader;

static bool unknown_of(void *context, const Name *name, Poly *value) {
  Reader *r = context;
  for (uint32_t i = 0; i < r->ranged.len; i++)
    if (r->ranged.data[i].name == name) {
      *value = r->ranged.data[i].value;
      return true;
    }
  *value = poly_unknown(r->poly.cx->arena, name);
  return true;
}

static void skip_blank(Reader *r) {
  while (*r->poly.pos == ' ') r->poly.pos++;
}

static bool read_mark(Reader *r, const char *mark) {
  skip_blank(r);
  size_t len = strlen(mark);
  if (r->poly.error || strncmp(r->poly.pos, mark, len) != 0) return false;
  if (isalpha((unsigned char)mark[0]) && isalnum((unsigned char)r->poly.pos[len])) return false;
  r->poly.pos += len;
  return true;
}

static void expect(Reader *r, const char *mark, const char *why) {
  if (!read_mark(r, mark) && !r->poly.error) r->poly.error = why;
}

static void read_range(Reader *r) {
  Arena *a = r->poly.cx->arena;
  Poly least = poly_read(&r->poly), below = {0};
  expect(r, "<=", "expected '<='");
  Poly unknown = poly_read(&r->poly);
  bool has_below = read_mark(r, "<");
  if (has_below) below = poly_read(&r->poly);
  if (r->poly.error) return;
  const PolyAtom *atom = unknown.n_terms == 1 ? unknown.terms[0].powers[0].atom : NULL;
  if (!atom || !poly_eq(unknown, poly_from_atom(a, atom)) || atom->kind != POLY_UNKNOWN ||
      atom->has_least || !poly_is_const(least, NULL)) {
    r->poly.error = "expected a range: number <= name < bound";
    return;
  }
  Poly value = poly_ranged(a, atom->name, least.constant, has_below ? &below : NULL);
  vec_push(a, &r->ranged, ((PolySubst){.name = atom->name, .value = value}));
}

/* Ranges come before a bar; text without ranges has no bar. */
static void read_ranges(Reader *r) {
  size_t to_bar = strcspn(r->poly.pos, "|[");
  if (r->poly.pos[to_bar] != '|') return;
  do read_range(r);
  while (read_mark(r, ","));
  expect(r, "|", "expected '|'");
}

static uint32_t read_order(Reader *r) {
  skip_blank(r);
  uint32_t value = 0;
  if (!isdigit((unsigned char)*r->poly.pos)) r->poly.error = "expected the number of a dim";
  for (; isdigit((unsigned char)*r->poly.pos); r->poly.pos++)
    value = value > UINT32_MAX / 16 ? UINT32_MAX : value * 10 + (uint32_t)(*r->poly.pos - '0');
  return value;
}

static Lmad read_lmad(Reader *r) {
  Arena *a = r->poly.cx->arena;
  VEC(LmadDim) dims = {0};
  Poly offset = poly_read(&r->poly);
  expect(r, "[", "expected '['");
  while (!r->poly.error && !read_mark(r, "]")) {
    LmadDim dim = {0};
    if (dims.len > 0) expect(r, ",", "expected ',' or ']'");
    dim.len = poly_read(&r->poly);
    expect(r, ":", "expected ':' and a stride");
    dim.stride = poly_read(&r->poly);
    if (read_mark(r, "@")) dim.rotate = poly_read(&r->poly);
    vec_push(a, &dims, dim);
  }
  uint32_t *perm = NEWN(a, uint32_t, dims.len);
  bool has_perm = read_mark(r, "perm");
  for (uint32_t k = 0; k < dims.len; k++) perm[k] = has_perm && !r->poly.error ? read_order(r) : k;
  return lmad_new(a, offset, dims.data, perm, dims.len);
}

static Extents read_base(Reader *r) {
  Arena *a = r->poly.cx->arena;
  VEC(Poly) base = {0};
  expect(r, "of", "expected 'of'");
  expect(r, "[", "expected '['");
  while (!r->poly.error && !read_mark(r, "]")) {
    if (base.len > 0) expect(r, ",", "expected ',' or ']'");
    Poly len = poly_read(&r->poly);
    vec_push(a, &base, len);
  }
  return (Extents){.rank = base.len, .len = base.data};
}

const Ixfun *ixfun_parse(Cx *cx, const char **text, const char **error) {
  Reader r = {.poly = {.cx = cx, .pos = *text, .unknown_of = unknown_of}};
  r.poly.context = &r;
  VEC(Lmad) lmads = {0};
  expect(&r, "<", "expected '<'");
  read_ranges(&r);
  do {
    Lmad l = read_lmad(&r);
    vec_push(cx->arena, &lmads, l);
  } while (read_mark(&r, "then"));
  Extents base = read_base(&r);
  expect(&r, ">", "expected '>'");
  *error = r.poly.error;
  for (uint32_t i = 0; i < lmads.len && !*error; i++)
    if (!ix_is_permutation(cx->arena, lmads.data[i].perm, lmads.data[i].rank))
      *error = "the order of the axes is no permutation";
  if (*error) return NULL;
  const Ixfun *f = ixfun_new(cx->arena, lmads.data, lmads.len, base);
  *error = ixfun_check(cx->arena, f);
  if (*error) return NULL;
  *text = r.poly.pos;
  return f;
}
