/* Einstein expressions: nodes are made here and nowhere else, so that they are unique and folded.
 *
 * Invariant: numbers are folded, a product has its number first, no node is a sum with or a product
 * by 0 or 1, signs stand outside products. Folding stops before a fraction could overflow.
 * Next: ein_template.c (from builtins.def), ein_text.c, ein_derivative.c, ein_verify.c.
 */
#include "ir/ein/ein.h"

#include <string.h>

#include "frontend/base/panic.h"

/* ---- hash consing ---------------------------------------------------------------------------- */

typedef struct EinTable {
  const EinExpr **slots; /* open addressing; n_slots is a power of two */
  uint32_t n_slots, n_used;
} EinTable;

#ifdef DDR_SMALL_SIZES
enum { FIRST_SLOTS = 2 };
#else
enum { FIRST_SLOTS = 256 };
#endif

static uint32_t mix(uint32_t hash, uint64_t value) {
  uint64_t x = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(x ^ x >> 32);
}

static uint32_t idx_key(EinIdx i) { return i.value * 2 + i.is_const; }

static uint32_t hash_node(const EinExpr *e) {
  uint32_t hash = mix(1, e->kind);
  for (uint32_t i = 0; i < e->n_idx; i++) hash = mix(hash, idx_key(e->idx[i]));
  for (uint32_t i = 0; i < e->n_args; i++) hash = mix(hash, e->args[i]->hash);
  hash = mix(mix(hash, (uint64_t)e->num.num), (uint64_t)e->num.den);
  hash = mix(mix(hash, e->param), (uint64_t)e->var << 32 | e->range);
  return mix(mix(hash, (uint64_t)e->exponent), e->fn);
}

static bool same_node(const EinExpr *a, const EinExpr *b) {
  if (a->hash != b->hash || a->kind != b->kind || a->n_idx != b->n_idx || a->n_args != b->n_args)
    return false;
  for (uint32_t i = 0; i < a->n_idx; i++)
    if (idx_key(a->idx[i]) != idx_key(b->idx[i])) return false;
  for (uint32_t i = 0; i < a->n_args; i++)
    if (a->args[i] != b->args[i]) return false;
  return rational_eq(a->num, b->num) && a->param == b->param && a->var == b->var &&
         a->range == b->range && a->exponent == b->exponent && a->fn == b->fn;
}

static uint32_t find_slot(const EinTable *table, const EinExpr *e) {
  uint32_t i = e->hash & (table->n_slots - 1);
  while (table->slots[i] && !same_node(table->slots[i], e)) i = (i + 1) & (table->n_slots - 1);
  return i;
}

static void grow(Cx *cx, EinTable *table) {
  EinTable old = *table;
  table->n_slots = old.n_slots ? old.n_slots * 2 : FIRST_SLOTS;
  table->slots = NEWN(cx->arena, const EinExpr *, table->n_slots);
  for (uint32_t i = 0; i < old.n_slots; i++)
    if (old.slots[i]) table->slots[find_slot(table, old.slots[i])] = old.slots[i];
}

static uint64_t mentions_of(const EinExpr *e) {
  uint64_t set = 0;
  for (uint32_t i = 0; i < e->n_idx; i++)
    if (!e->idx[i].is_const) set |= UINT64_C(1) << e->idx[i].value;
  for (uint32_t i = 0; i < e->n_args; i++) set |= e->args[i]->mentions;
  return e->kind == EIN_SUM ? set & ~(UINT64_C(1) << e->var) : set;
}

static uint32_t depth_of(const EinExpr *e) {
  uint32_t depth = 0;
  for (uint32_t i = 0; i < e->n_args; i++)
    if (depth < e->args[i]->depth) depth = e->args[i]->depth;
  return depth + 1;
}

/* The unique copy of a node whose arguments are unique. */
static const EinExpr *unique(Cx *cx, EinExpr node) {
  if (!cx->eins) cx->eins = NEW(cx->arena, EinTable);
  EinTable *table = cx->eins;
  if (2 * table->n_used >= table->n_slots) grow(cx, table);
  node.hash = hash_node(&node);
  uint32_t slot = find_slot(table, &node);
  if (table->slots[slot]) return table->slots[slot];

  EinExpr *copy = NEW(cx->arena, EinExpr);
  *copy = node;
  copy->mentions = mentions_of(&node);
  copy->depth = depth_of(&node);
  copy->idx = NEWN(cx->arena, EinIdx, node.n_idx);
  copy->args = NEWN(cx->arena, const EinExpr *, node.n_args);
  for (uint32_t i = 0; i < node.n_idx; i++) copy->idx[i] = node.idx[i];
  for (uint32_t i = 0; i < node.n_args; i++) copy->args[i] = node.args[i];
  table->slots[slot] = copy;
  table->n_used++;
  return copy;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

EinIdx ein_var(uint32_t index) { return (EinIdx){.value = index}; }
EinIdx ein_const(uint32_t value) { return (EinIdx){.is_const = true, .value = value}; }

static void check_indices(Cx *cx, const EinIdx *idx, uint32_t n_idx) {
  for (uint32_t i = 0; i < n_idx; i++)
    ASSERT(cx, idx[i].is_const || idx[i].value < EIN_MAX_INDICES);
}

static EinExpr node_of(EinKind kind) {
  return (EinExpr){.kind = kind, .num = {0, 1}, .fn = OP_COUNT};
}

const EinExpr *ein_num(Cx *cx, Rational value) {
  EinExpr node = node_of(EIN_NUM);
  node.num = value;
  return unique(cx, node);
}

static const EinExpr *whole(Cx *cx, int64_t value) { return ein_num(cx, rational(value, 1)); }

static const EinExpr *indexed(Cx *cx, EinExpr node, const EinIdx *idx, uint32_t n_idx) {
  EinIdx copy[MAX_ORDER + 1];
  ASSERT(cx, n_idx <= MAX_ORDER);
  check_indices(cx, idx, n_idx);
  for (uint32_t i = 0; i < n_idx; i++) copy[i] = idx[i];
  node.idx = copy;
  node.n_idx = n_idx;
  return unique(cx, node);
}

const EinExpr *ein_param(Cx *cx, uint32_t param, const EinIdx *idx, uint32_t n_idx) {
  EinExpr node = node_of(EIN_PARAM);
  node.param = param;
  return indexed(cx, node, idx, n_idx);
}

const EinExpr *ein_delta(Cx *cx, EinIdx i, EinIdx j) {
  if (idx_key(i) == idx_key(j)) return whole(cx, 1);
  if (i.is_const && j.is_const) return whole(cx, 0);
  return indexed(cx, node_of(EIN_DELTA), (EinIdx[]){i, j}, 2);
}

/* Sign of the permutation, when it is known without the values of the indices. */
const EinExpr *ein_eps(Cx *cx, const EinIdx *idx, uint32_t n_idx) {
  bool is_known = true;
  int64_t sign = 1;
  for (uint32_t i = 0; i < n_idx; i++) {
    is_known &= idx[i].is_const;
    for (uint32_t j = 0; j < i; j++) {
      if (idx_key(idx[i]) == idx_key(idx[j])) return whole(cx, 0);
      if (idx[j].value > idx[i].value) sign = -sign;
    }
  }
  return is_known ? whole(cx, sign) : indexed(cx, node_of(EIN_EPS), idx, n_idx);
}

/* ---- folding --------------------------------------------------------------------------------- */

static bool is_num(const EinExpr *e, int64_t value) {
  return e->kind == EIN_NUM && e->num.den == 1 && e->num.num == value;
}

static bool is_small(Rational r) {
  const int64_t limit = INT64_C(1) << 30;
  return r.num > -limit && r.num < limit && r.den < limit;
}

static bool can_fold(const EinExpr *a, const EinExpr *b) {
  return a->kind == EIN_NUM && b->kind == EIN_NUM && is_small(a->num) && is_small(b->num);
}

static const EinExpr *make2(Cx *cx, EinKind kind, const EinExpr *a, const EinExpr *b) {
  EinExpr node = node_of(kind);
  const EinExpr *args[] = {a, b};
  node.args = args;
  node.n_args = 2;
  return unique(cx, node);
}

static const EinExpr *make1(Cx *cx, EinExpr node, const EinExpr *a) {
  node.args = &a;
  node.n_args = 1;
  return unique(cx, node);
}

const EinExpr *ein_neg(Cx *cx, const EinExpr *a) {
  if (a->kind == EIN_NUM && a->num.num > INT64_MIN) return ein_num(cx, rational_neg(a->num));
  if (a->kind == EIN_NEG) return a->args[0];
  return make1(cx, node_of(EIN_NEG), a);
}

static const EinExpr *add(Cx *cx, const EinExpr *a, const EinExpr *b) {
  if (can_fold(a, b)) return ein_num(cx, rational_add(a->num, b->num));
  if (is_num(a, 0)) return b;
  if (is_num(b, 0)) return a;
  if (b->kind == EIN_NEG) return ein_binary(cx, EIN_SUB, a, b->args[0]);
  return make2(cx, EIN_ADD, a, b);
}

static const EinExpr *sub(Cx *cx, const EinExpr *a, const EinExpr *b) {
  if (can_fold(a, b)) return ein_num(cx, rational_sub(a->num, b->num));
  if (is_num(a, 0)) return ein_neg(cx, b);
  if (is_num(b, 0)) return a;
  if (b->kind == EIN_NEG) return ein_binary(cx, EIN_ADD, a, b->args[0]);
  return make2(cx, EIN_SUB, a, b);
}

static const EinExpr *mul(Cx *cx, const EinExpr *a, const EinExpr *b) {
  if (can_fold(a, b)) return ein_num(cx, rational_mul(a->num, b->num));
  if (is_num(a, 0) || is_num(b, 0)) return whole(cx, 0);
  if (b->kind == EIN_NUM && a->kind != EIN_NUM) return mul(cx, b, a);
  if (is_num(a, 1)) return b;
  if (is_num(a, -1)) return ein_neg(cx, b);
  if (a->kind == EIN_NEG) return ein_neg(cx, mul(cx, a->args[0], b));
  if (b->kind == EIN_NEG) return ein_neg(cx, mul(cx, a, b->args[0]));
  if (b->kind == EIN_MUL && can_fold(a, b->args[0]))
    return mul(cx, mul(cx, a, b->args[0]), b->args[1]);
  return make2(cx, EIN_MUL, a, b);
}

static const EinExpr *divide(Cx *cx, const EinExpr *a, const EinExpr *b) {
  if (is_num(b, 0)) return make2(cx, EIN_DIV, a, b);
  if (can_fold(a, b)) return ein_num(cx, rational_div(a->num, b->num));
  if (is_num(a, 0) || is_num(b, 1)) return a;
  if (is_num(b, -1)) return ein_neg(cx, a);
  if (a->kind == EIN_NEG) return ein_neg(cx, divide(cx, a->args[0], b));
  if (b->kind == EIN_NEG) return ein_neg(cx, divide(cx, a, b->args[0]));
  return make2(cx, EIN_DIV, a, b);
}

const EinExpr *ein_binary(Cx *cx, EinKind kind, const EinExpr *a, const EinExpr *b) {
  switch (kind) {
  case EIN_ADD: return add(cx, a, b);
  case EIN_SUB: return sub(cx, a, b);
  case EIN_MUL: return mul(cx, a, b);
  case EIN_DIV: return divide(cx, a, b);
  default:
    BUG(cx, "Einstein node kind %d is not binary", kind); /* the others have no two operands */
  }
}

const EinExpr *ein_sum(Cx *cx, uint32_t var, uint32_t range, const EinExpr *body) {
  ASSERT(cx, var < EIN_MAX_INDICES);
  if (!(body->mentions >> var & 1)) return mul(cx, whole(cx, range), body);
  EinExpr node = node_of(EIN_SUM);
  node.var = var;
  node.range = range;
  return make1(cx, node, body);
}

const EinExpr *ein_pow(Cx *cx, const EinExpr *a, int64_t exponent) {
  if (exponent == 0) return whole(cx, 1);
  if (exponent == 1 || is_num(a, 1)) return a;
  EinExpr node = node_of(EIN_POW);
  node.exponent = exponent;
  return make1(cx, node, a);
}

const EinExpr *ein_fn(Cx *cx, OpId fn, const EinExpr *const *args, uint32_t n_args) {
  const EinExpr *copy[EIN_MAX_ARGS];
  ASSERT(cx, n_args == ein_fn_arity(fn));
  for (uint32_t i = 0; i < n_args; i++) copy[i] = args[i];
  EinExpr node = node_of(EIN_FN);
  node.fn = fn;
  node.args = copy;
  node.n_args = n_args;
  return unique(cx, node);
}

/* ---- whole expressions ----------------------------------------------------------------------- */

Shape ein_shape(const Ein *ein) { return shape_of(ein->n_free, ein->ranges); }

bool ein_eq(const Ein *a, const Ein *b) {
  return a->body == b->body && a->n_free == b->n_free && a->n_params == b->n_params &&
         memcmp(a->ranges, b->ranges, a->n_free * sizeof *a->ranges) == 0;
}

const Ein *ein_with_params(Cx *cx, const Ein *ein, uint32_t n_params) {
  ASSERT(cx, n_params >= ein->n_params);
  Ein *copy = NEW(cx->arena, Ein);
  *copy = *ein;
  copy->n_params = n_params;
  return copy;
}
