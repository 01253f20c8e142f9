/* Address arithmetic: from polynomials to trees, and their text. */
#include "ir/index/addr.h"

#include <inttypes.h>

/* ---- nodes ----------------------------------------------------------------------------------- */

static const Addr *leaf(Arena *a, int64_t value) {
  Addr *addr = NEW(a, Addr);
  *addr = (Addr){.kind = ADDR_CONST, .value = value};
  return addr;
}

static const Addr *node(Arena *a, AddrKind kind, const Addr *x, const Addr *y) {
  Addr *addr = NEW(a, Addr);
  *addr = (Addr){.kind = kind, .args = {x, y}};
  return addr;
}

/* A running sum or product; NULL is an empty one. */
static const Addr *append(Arena *a, AddrKind kind, const Addr *sofar, const Addr *next) {
  return sofar ? node(a, kind, sofar, next) : next;
}

static const Addr *from_atom(Arena *a, const PolyAtom *atom) {
  if (atom->kind == POLY_UNKNOWN) {
    Addr *addr = NEW(a, Addr);
    *addr = (Addr){.kind = ADDR_NAME, .name = atom->name};
    return addr;
  }
  const Addr *x = addr_from_poly(a, atom->args[0]), *y = addr_from_poly(a, atom->args[1]);
  bool is_plain = poly_is_nonnegative(a, atom->args[0]) && poly_is_positive(a, atom->args[1]);
  switch (atom->kind) {
  case POLY_UNKNOWN: break;
  case POLY_FLOORDIV: return node(a, is_plain ? ADDR_DIV : ADDR_FLOORDIV, x, y);
  case POLY_MOD: return node(a, is_plain ? ADDR_REM : ADDR_MOD, x, y);
  case POLY_WRAP: return node(a, ADDR_WRAP, x, y);
  case POLY_SUM: return node(a, ADDR_ADD, x, y);
  case POLY_PRODUCT: return node(a, ADDR_MUL, x, y);
  }
  return leaf(a, 0);
}

/* ---- sums ------------------------------------------------------------------------------------ */

static bool fits_negated(int64_t value) { return value < 0 && value != INT64_MIN; }

/* Adds the product of factor and the atoms; the sign goes into the sum. */
static void add_product(Arena *a, const Addr **sum, int64_t factor, const Addr *rest) {
  bool is_negative = fits_negated(factor);
  int64_t size = is_negative ? -factor : factor;
  const Addr *product = size == 1 && rest ? rest : leaf(a, size);
  if (rest && size != 1) product = node(a, ADDR_MUL, product, rest);
  if (!is_negative) *sum = append(a, ADDR_ADD, *sum, product);
  else *sum = *sum ? node(a, ADDR_SUB, *sum, product) : node(a, ADDR_NEG, product, NULL);
}

static const Addr *product_of(Arena *a, const PolyTerm *term) {
  const Addr *product = NULL;
  for (uint32_t j = 0; j < term->n_powers; j++) {
    const Addr *factor = from_atom(a, term->powers[j].atom);
    for (uint32_t k = 0; k < term->powers[j].power; k++)
      product = append(a, ADDR_MUL, product, factor);
  }
  return product;
}

/* Positive terms come before negative ones. */
static void add_poly(Arena *a, const Addr **sum, Poly x) {
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < x.n_terms; i++)
      if (fits_negated(x.terms[i].factor) == (pass == 1))
        add_product(a, sum, x.terms[i].factor, product_of(a, &x.terms[i]));
  if (x.constant != 0) add_product(a, sum, x.constant, NULL);
}

const Addr *addr_from_poly(Arena *a, Poly x) {
  const Addr *sum = NULL;
  if (x.n_terms == 0) return leaf(a, x.constant);
  add_poly(a, &sum, x);
  return sum;
}

/* ---- levels ---------------------------------------------------------------------------------- */

typedef struct Search {
  const Name *const *loops;
  uint32_t n_loops, level;
} Search;

static void raise_level(void *context, const PolyAtom *unknown) {
  Search *s = context;
  for (uint32_t i = s->level; i < s->n_loops; i++)
    if (s->loops[i] == unknown->name) s->level = i + 1;
}

static uint32_t level_of(const PolyTerm *term, const Name *const *loops, uint32_t n_loops) {
  Search s = {.loops = loops, .n_loops = n_loops};
  poly_visit_unknowns((Poly){.n_terms = 1, .terms = term}, raise_level, &s);
  return s.level;
}

/* The term without its index, when that occurs once and alone. */
static bool without_index(Arena *a, const PolyTerm *term, const Name *index, PolyTerm *rest) {
  PolyPower *powers = NEWN(a, PolyPower, term->n_powers);
  uint32_t n = 0, n_met = 0;
  for (uint32_t j = 0; j < term->n_powers; j++) {
    const PolyAtom *atom = term->powers[j].atom;
    bool is_index = atom->kind == POLY_UNKNOWN && atom->name == index && term->powers[j].power == 1;
    n_met += is_index;
    if (!is_index) powers[n++] = term->powers[j];
  }
  *rest = (PolyTerm){.factor = term->factor, .n_powers = n, .powers = powers};
  return n_met == 1;
}

static Poly plus_term(Arena *a, Poly sum, const PolyTerm *term) {
  PolyTerm *copy = NEW(a, PolyTerm);
  *copy = *term;
  if (term->n_powers == 0) return poly_add(a, sum, poly_const(term->factor));
  return poly_add(a, sum, (Poly){.n_terms = 1, .terms = copy});
}

const Addr *addr_at_level(Arena *a, Poly x, const Name *const *loops, uint32_t n_loops,
                          uint32_t level) {
  Poly others = poly_const(level == 0 ? x.constant : 0), coefficient = poly_const(0);
  const PolyAtom *index = NULL;
  for (uint32_t i = 0; i < x.n_terms; i++) {
    const PolyTerm *term = &x.terms[i];
    PolyTerm rest;
    if (level_of(term, loops, n_loops) != level) continue;
    if (level == 0 || !without_index(a, term, loops[level - 1], &rest)) {
      others = plus_term(a, others, term);
      continue;
    }
    coefficient = plus_term(a, coefficient, &rest);
    for (uint32_t j = 0; j < term->n_powers; j++)
      if (term->powers[j].atom->name == loops[level - 1]) index = term->powers[j].atom;
  }
  if (!index) return addr_from_poly(a, others);
  const Addr *sum = NULL;
  if (coefficient.n_terms + (coefficient.constant != 0) > 1)
    sum = node(a, ADDR_MUL, addr_from_poly(a, coefficient), from_atom(a, index));
  else others = poly_add(a, others, poly_mul(a, coefficient, poly_from_atom(a, index)));
  if (!poly_is(others, 0)) add_poly(a, &sum, others);
  return sum;
}

/* ---- text ------------------------------------------------------------------------------------ */

typedef enum { PREC_CHOICE, PREC_COMPARE, PREC_SUM, PREC_PRODUCT, PREC_PRIMARY } Prec;

static void print(Text *t, const Addr *addr, Prec least);

static void print_binary(Text *t, const Addr *addr, const char *op, Prec prec, Prec least) {
  if (prec < least) text_add(t, "(");
  print(t, addr->args[0], prec);
  text_add(t, op);
  print(t, addr->args[1], prec + 1);
  if (prec < least) text_add(t, ")");
}

static void print_call(Text *t, const char *name, const Addr *addr) {
  text_addf(t, "%s(", name);
  print(t, addr->args[0], PREC_CHOICE);
  text_add(t, ", ");
  print(t, addr->args[1], PREC_CHOICE);
  text_add(t, ")");
}

static void print_wrap(Text *t, const Addr *addr, Prec least) {
  if (least > PREC_CHOICE) text_add(t, "(");
  print(t, addr->args[0], PREC_SUM);
  text_add(t, " < ");
  print(t, addr->args[1], PREC_SUM);
  text_add(t, " ? ");
  print(t, addr->args[0], PREC_SUM);
  text_add(t, " : ");
  print(t, addr->args[0], PREC_SUM);
  text_add(t, " - ");
  print(t, addr->args[1], PREC_PRODUCT);
  if (least > PREC_CHOICE) text_add(t, ")");
}

static void print(Text *t, const Addr *addr, Prec least) {
  switch (addr->kind) {
  case ADDR_CONST: text_addf(t, "%" PRId64, addr->value); return;
  case ADDR_NAME: text_add(t, addr->name->text); return;
  case ADDR_ADD: print_binary(t, addr, " + ", PREC_SUM, least); return;
  case ADDR_SUB: print_binary(t, addr, " - ", PREC_SUM, least); return;
  case ADDR_MUL: print_binary(t, addr, " * ", PREC_PRODUCT, least); return;
  case ADDR_DIV: print_binary(t, addr, " / ", PREC_PRODUCT, least); return;
  case ADDR_REM: print_binary(t, addr, " % ", PREC_PRODUCT, least); return;
  case ADDR_NEG:
    text_add(t, "-");
    print(t, addr->args[0], PREC_PRIMARY);
    return;
  case ADDR_FLOORDIV: print_call(t, "floordiv", addr); return;
  case ADDR_MOD: print_call(t, "mod", addr); return;
  case ADDR_WRAP: print_wrap(t, addr, least); return;
  }
}

const char *addr_print(Arena *a, const Addr *addr) {
  Text t = text_new(a);
  print(&t, addr, PREC_CHOICE);
  return text_str(&t);
}
