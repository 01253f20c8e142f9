/* Einstein expressions as scalar arithmetic, one expression per component of the result.
 *
 *   <i:3 | sum(j:3) delta(i,j) * $0[j]>   =>   the three parts of $0
 *
 * The index functions of access.c give the places of the parts. Numbers are folded while the tree
 * is walked, so structural zeros of delta and epsilon never become instructions. Sums run in
 * increasing index order. Equal subexpressions of different components are merged by value
 * numbering afterwards.
 */
#include "ir/mid-to-low/local.h"

/* A scalar under construction: an exact number, or a value with a pending sign. */
typedef struct Term {
  Value *v; /* NULL: the number num */
  bool is_negative;
  Rational num;
} Term;

/* The components that one operand's occurrence reads. */
typedef struct Read {
  Value **block;
  Access access; /* by all indices */
} Read;

typedef struct Walk {
  Lower *lower;
  const Map *reads;    /* EinExpr to Read: occurrences of operands */
  const uint32_t *env; /* value of each index; 0 for indices that are not bound here */
  bool is_fused;       /* in a sum: products are added by fma */
} Walk;

static Term walk(const Walk *w, const EinExpr *e);

static Term term_num(Rational num) { return (Term){.num = num}; }

static Term term_value(Value *v) { return (Term){.v = v}; }

static bool is_num(Term t, int64_t value) {
  return t.v == NULL && rational_eq(t.num, rational(value, 1));
}

static Term negate(Term t) {
  if (t.v == NULL) return term_num(rational_neg(t.num));
  t.is_negative = !t.is_negative;
  return t;
}

/* The term as a value, its sign applied. */
static Value *force(Lower *lower, Term t) {
  if (t.v == NULL) return build_real(&lower->b, rational_to_double(t.num));
  return t.is_negative ? build_op1(&lower->b, OP_RNEG, t.v) : t.v;
}

static Term add(Lower *lower, Term a, Term b) {
  if (a.v == NULL && b.v == NULL) return term_num(rational_add(a.num, b.num));
  if (is_num(a, 0)) return b;
  if (is_num(b, 0)) return a;
  if (b.v != NULL && b.is_negative) {
    return term_value(build_op2(&lower->b, OP_RSUB, force(lower, a), b.v));
  }
  if (a.v != NULL && a.is_negative) {
    return term_value(build_op2(&lower->b, OP_RSUB, force(lower, b), a.v));
  }
  return term_value(build_op2(&lower->b, OP_RADD, force(lower, a), force(lower, b)));
}

/* A product or quotient; its sign is kept apart. */
static Term signed_op(Lower *lower, OpId op, Term a, Term b) {
  const bool is_negative = a.is_negative != b.is_negative;
  a.is_negative = b.is_negative = false;
  Term result = term_value(build_op2(&lower->b, op, force(lower, a), force(lower, b)));
  result.is_negative = is_negative;
  return result;
}

static Term mul(Lower *lower, Term a, Term b) {
  if (a.v == NULL && b.v == NULL) return term_num(rational_mul(a.num, b.num));
  if (is_num(a, 0) || is_num(b, 0)) return term_num(rational(0, 1));
  if (is_num(a, 1)) return b;
  if (is_num(b, 1)) return a;
  if (is_num(a, -1)) return negate(b);
  if (is_num(b, -1)) return negate(a);
  return signed_op(lower, OP_RMUL, a, b);
}

static Term divide(Lower *lower, Term a, Term b) {
  if (is_num(a, 0)) return a;
  if (is_num(b, 1)) return a;
  if (a.v == NULL && b.v == NULL && !rational_is_zero(b.num)) {
    return term_num(rational_div(a.num, b.num));
  }
  return signed_op(lower, OP_RDIV, a, b);
}

/* x^n by repeated squaring, which decides how it is rounded: even n (x^(n/2))^2, odd n x*x^(n-1).
 */
static Term power(Lower *lower, Term x, int64_t n) {
  if (n < 0) return divide(lower, term_num(rational(1, 1)), power(lower, x, -n));
  if (n == 0) return term_num(rational(1, 1));
  if (n == 1) return x;
  if (n % 2 != 0) return mul(lower, x, power(lower, x, n - 1));
  const Term half = power(lower, x, n / 2);
  return mul(lower, half, half);
}

static uint32_t index_value(const Walk *w, EinIdx idx) {
  return idx.is_const ? idx.value : w->env[idx.value];
}

static Term walk_param(const Walk *w, const EinExpr *e) {
  const Read *read = map_get(w->reads, e);
  return term_value(read->block[access_number(w->lower->cx, &read->access, w->env)]);
}

static Term walk_eps(const Walk *w, const EinExpr *e) {
  int64_t sign = 1;
  for (uint32_t a = 0; a < e->n_idx; a++) {
    for (uint32_t b = a + 1; b < e->n_idx; b++) {
      const uint32_t i = index_value(w, e->idx[a]), j = index_value(w, e->idx[b]);
      if (i == j) return term_num(rational(0, 1));
      if (i > j) sign = -sign;
    }
  }
  return term_num(rational(sign, 1));
}

static bool has_eps(const EinExpr *e) {
  if (e->kind == EIN_EPS) return true;
  for (uint32_t i = 0; i < e->n_args; i++)
    if (has_eps(e->args[i])) return true;
  return false;
}

/* total + left * right, rounded once. */
static Term add_product(Lower *lower, Term total, Term left, Term right) {
  const bool is_product = left.v != NULL && right.v != NULL;
  if (!is_product || is_num(total, 0)) return add(lower, total, mul(lower, left, right));
  left.is_negative = left.is_negative != right.is_negative;
  Value *args[] = {force(lower, left), right.v, force(lower, total)};
  return term_value(build_op(&lower->b, OP_RFMA, ATTR_EMPTY, args, 3));
}

static Term add_summand(const Walk *w, Term total, const EinExpr *e);

/* Adds all summands of nested sums, one after another. */
static Term add_sum(const Walk *w, Term total, const EinExpr *e) {
  uint32_t env[EIN_MAX_INDICES];
  for (uint32_t k = 0; k < EIN_MAX_INDICES; k++) env[k] = w->env[k];
  const Walk inner = {.lower = w->lower, .reads = w->reads, .env = env, .is_fused = w->is_fused};
  for (uint32_t i = 0; i < e->range; i++) {
    env[e->var] = i;
    total = add_summand(&inner, total, e->args[0]);
  }
  return total;
}

static Term add_summand(const Walk *w, Term total, const EinExpr *e) {
  if (e->kind == EIN_SUM) return add_sum(w, total, e);
  if (e->kind != EIN_MUL || !w->is_fused) return add(w->lower, total, walk(w, e));
  const Term left = walk(w, e->args[0]);
  return is_num(left, 0) ? total : add_product(w->lower, total, left, walk(w, e->args[1]));
}

/* Products are added by fma, but not in sums with epsilon, where terms of both signs must cancel
 * exactly: u × u is 0. */
static Term walk_sum(const Walk *w, const EinExpr *e) {
  Walk inner = *w;
  inner.is_fused = !has_eps(e->args[0]);
  return add_sum(&inner, term_num(rational(0, 1)), e);
}

static Term walk_fn(const Walk *w, const EinExpr *e) {
  Value **args = NEWN(w->lower->cx->scratch, Value *, e->n_args);
  for (uint32_t k = 0; k < e->n_args; k++) args[k] = force(w->lower, walk(w, e->args[k]));
  return term_value(build_op(&w->lower->b, e->fn, ATTR_EMPTY, args, e->n_args));
}

static Term walk_product(const Walk *w, const EinExpr *e) {
  const Term left = walk(w, e->args[0]);
  return is_num(left, 0) ? left : mul(w->lower, left, walk(w, e->args[1]));
}

/* The instructions of the right operand come first. The order is fixed here, because C does not fix
 * that of arguments. */
static Term walk_operands(const Walk *w, const EinExpr *e) {
  const Term right = walk(w, e->args[1]), left = walk(w, e->args[0]);
  if (e->kind == EIN_DIV) return divide(w->lower, left, right);
  return add(w->lower, left, e->kind == EIN_SUB ? negate(right) : right);
}

static Term walk(const Walk *w, const EinExpr *e) {
  Lower *lower = w->lower;
  switch (e->kind) {
  case EIN_NUM: return term_num(e->num);
  case EIN_PARAM: return walk_param(w, e);
  case EIN_DELTA:
    return term_num(rational(index_value(w, e->idx[0]) == index_value(w, e->idx[1]), 1));
  case EIN_EPS: return walk_eps(w, e);
  case EIN_SUM: return walk_sum(w, e);
  case EIN_ADD:
  case EIN_SUB:
  case EIN_DIV: return walk_operands(w, e);
  case EIN_MUL: return walk_product(w, e);
  case EIN_NEG: return negate(walk(w, e->args[0]));
  case EIN_POW: return power(lower, walk(w, e->args[0]), e->exponent);
  case EIN_FN: return walk_fn(w, e);
  }
  UNREACHABLE(lower->cx);
}

/* Counts through the components of a shape in row-major order. */
static void next_component(const Ein *ein, uint32_t *env) {
  for (uint32_t axis = ein->n_free; axis-- > 0;) {
    if (++env[axis] < ein->ranges[axis]) return;
    env[axis] = 0;
  }
}

/* ---- operands -------------------------------------------------------------------------------- */

static void find_ranges(const EinExpr *e, uint32_t *ranges) {
  if (e->kind == EIN_SUM) ranges[e->var] = e->range;
  for (uint32_t i = 0; i < e->n_args; i++) find_ranges(e->args[i], ranges);
}

typedef struct Reads {
  Lower *lower;
  const Inst *inst;
  uint32_t ranges[EIN_MAX_INDICES];
  Map *found;
} Reads;

static Tensor view_of(Reads *reads, const EinExpr *param) {
  const Tensor operand = tensor_of(reads->lower, reads->inst->args[param->param]);
  const Ein *ein = reads->inst->attr.ein;
  return (Tensor){operand.block,
                  access_path(reads->lower, operand.at, param, reads->ranges, ein->n_indices)};
}

static void find_reads(Reads *reads, const EinExpr *e) {
  for (uint32_t i = 0; i < e->n_args; i++) find_reads(reads, e->args[i]);
  if (e->kind != EIN_PARAM || map_has(reads->found, e)) return;
  const Tensor view = view_of(reads, e);
  note_param(reads->lower, reads->inst, e, view, reads->ranges);
  Read *read = NEW(reads->lower->cx->scratch, Read);
  *read = (Read){.block = view.block, .access = access_new(view.at)};
  map_put(reads->found, e, read);
}

void lower_ein(Lower *lower, const Inst *inst) {
  const Ein *ein = inst->attr.ein;
  Reads reads = {.lower = lower, .inst = inst};
  for (uint32_t k = 0; k < ein->n_free; k++) reads.ranges[k] = ein->ranges[k];
  find_ranges(ein->body, reads.ranges);
  if (ein->body->kind == EIN_PARAM) {
    const Tensor view = view_of(&reads, ein->body);
    note_param(lower, inst, ein->body, view, reads.ranges);
    tensor_set(lower, inst->results[0], view);
    return;
  }
  reads.found = map_new(lower->cx->scratch);
  find_reads(&reads, ein->body);
  const Parts parts = parts_room(lower, inst->results[0]);
  uint32_t env[EIN_MAX_INDICES] = {0};
  const Walk w = {.lower = lower, .reads = reads.found, .env = env};
  for (uint32_t i = 0; i < parts.n; i++) {
    parts.v[i] = force(lower, walk(&w, ein->body));
    next_component(ein, env);
  }
  parts_set(lower, inst->results[0], parts);
}
