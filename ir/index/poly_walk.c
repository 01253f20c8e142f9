/* Polynomials: putting values in for unknowns, evaluating, and the unknowns met. */
#include "frontend/base/panic.h"
#include "ir/index/poly_local.h"

/* ---- substituting ---------------------------------------------------------------------------- */

/* How named unknowns are replaced; map is NULL when names change. */
typedef struct Change {
  const PolySubst *map;
  const Name *const *from, *const *to;
  uint32_t n;
} Change;

static uint32_t place_of(const Change *change, const Name *name) {
  for (uint32_t i = 0; i < change->n; i++)
    if ((change->map ? change->map[i].name : change->from[i]) == name) return i;
  return change->n;
}

static bool mentions(Poly x, const Change *change);

static bool mentions_atom(const PolyAtom *atom, const Change *change) {
  if (atom->kind != POLY_UNKNOWN)
    return mentions(atom->args[0], change) || mentions(atom->args[1], change);
  if (place_of(change, atom->name) < change->n) return true;
  return atom->below && mentions(*atom->below, change);
}

static bool mentions(Poly x, const Change *change) {
  for (uint32_t i = 0; i < x.n_terms; i++)
    for (uint32_t j = 0; j < x.terms[i].n_powers; j++)
      if (mentions_atom(x.terms[i].powers[j].atom, change)) return true;
  return false;
}

static Poly change_poly(Arena *a, Poly x, const Change *change);

static Poly change_unknown(Arena *a, const PolyAtom *atom, const Change *change) {
  uint32_t i = place_of(change, atom->name);
  if (i < change->n && change->map) return change->map[i].value;
  const Name *name = i < change->n ? change->to[i] : atom->name;
  if (!atom->has_least) return poly_unknown(a, name);
  Poly below = atom->below ? change_poly(a, *atom->below, change) : poly_const(0);
  return poly_ranged(a, name, atom->least, atom->below ? &below : NULL);
}

Poly poly_call(Arena *a, PolyAtomKind kind, Poly x, Poly y) {
  switch (kind) {
  case POLY_FLOORDIV: return poly_floordiv(a, x, y);
  case POLY_MOD: return poly_mod(a, x, y);
  case POLY_WRAP: return poly_wrap(a, x, y);
  case POLY_SUM: return poly_add(a, x, y);
  case POLY_PRODUCT: return poly_mul(a, x, y);
  case POLY_UNKNOWN: break;
  }
  UNREACHABLE(NULL);
}

static Poly change_atom(Arena *a, const PolyAtom *atom, const Change *change) {
  if (!mentions_atom(atom, change)) return poly_from_atom(a, atom);
  if (atom->kind == POLY_UNKNOWN) return change_unknown(a, atom, change);
  Poly x = change_poly(a, atom->args[0], change), y = change_poly(a, atom->args[1], change);
  return poly_call(a, atom->kind, x, y);
}

static Poly change_poly(Arena *a, Poly x, const Change *change) {
  if (!mentions(x, change)) return x;
  Poly sum = poly_const(x.constant);
  for (uint32_t i = 0; i < x.n_terms; i++) {
    Poly product = poly_const(x.terms[i].factor);
    for (uint32_t j = 0; j < x.terms[i].n_powers; j++) {
      Poly value = change_atom(a, x.terms[i].powers[j].atom, change);
      for (uint32_t k = 0; k < x.terms[i].powers[j].power; k++)
        product = poly_mul(a, product, value);
    }
    sum = poly_add(a, sum, product);
  }
  return sum;
}

Poly poly_substitute(Arena *a, Poly x, const PolySubst *map, uint32_t n_map) {
  return change_poly(a, x, &(Change){.map = map, .n = n_map});
}

Poly poly_rename(Arena *a, Poly x, const Name *const *from, const Name *const *to, uint32_t n) {
  return change_poly(a, x, &(Change){.from = from, .to = to, .n = n});
}

/* ---- evaluating ------------------------------------------------------------------------------ */

static bool eval_quotient(PolyAtomKind kind, int64_t x, int64_t y, int64_t *value) {
  Arena *none = NULL; /* constants take no memory */
  if (y == 0 || (x == INT64_MIN && y == -1)) return false;
  Poly result = kind == POLY_FLOORDIV ? poly_floordiv(none, poly_const(x), poly_const(y))
                                      : poly_mod(none, poly_const(x), poly_const(y));
  return poly_is_const(result, value);
}

static bool eval_atom(const PolyAtom *atom, PolyValueOf *value_of, void *context, int64_t *value) {
  int64_t x, y;
  if (atom->kind == POLY_UNKNOWN) return value_of(context, atom, value);
  if (!poly_eval(atom->args[0], value_of, context, &x)) return false;
  if (!poly_eval(atom->args[1], value_of, context, &y)) return false;
  switch (atom->kind) {
  case POLY_UNKNOWN: return false;
  case POLY_FLOORDIV:
  case POLY_MOD:
  case POLY_WRAP: return eval_quotient(atom->kind, x, y, value);
  case POLY_SUM: return poly_add_ints(x, y, value);
  case POLY_PRODUCT: return poly_mul_ints(x, y, value);
  }
  return false;
}

bool poly_eval(Poly x, PolyValueOf *value_of, void *context, int64_t *value) {
  int64_t sum = x.constant;
  for (uint32_t i = 0; i < x.n_terms; i++) {
    int64_t product = x.terms[i].factor, factor;
    for (uint32_t j = 0; j < x.terms[i].n_powers; j++) {
      if (!eval_atom(x.terms[i].powers[j].atom, value_of, context, &factor)) return false;
      for (uint32_t k = 0; k < x.terms[i].powers[j].power; k++)
        if (!poly_mul_ints(product, factor, &product)) return false;
    }
    if (!poly_add_ints(sum, product, &sum)) return false;
  }
  *value = sum;
  return true;
}

/* ---- unknowns -------------------------------------------------------------------------------- */

void poly_visit_unknowns(Poly x, PolyVisit *visit, void *context) {
  for (uint32_t i = 0; i < x.n_terms; i++)
    for (uint32_t j = 0; j < x.terms[i].n_powers; j++) {
      const PolyAtom *atom = x.terms[i].powers[j].atom;
      if (atom->kind == POLY_UNKNOWN) {
        visit(context, atom);
      } else {
        poly_visit_unknowns(atom->args[0], visit, context);
        poly_visit_unknowns(atom->args[1], visit, context);
      }
    }
}
