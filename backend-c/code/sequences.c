/* sequences: operations on sequences, and constant ones. Their types: types/sequences.c. Next:
 * sequence_owner.c, for the memory of dynamic ones.
 */
#include "backend-c/code/local.h"
#include "backend-c/types/address.h"
#include "ir/core/memory.h"

/* ---- elements -------------------------------------------------------------------------------- */

static CExpr *pool(Gen *gen) { return c_name(gen->cx, "pool"); }

static bool is_literal_below(const TreeExpr *idx, uint64_t length) {
  return idx->kind == TX_OP && idx->op == OP_CONST_INT && idx->attr.i >= 0 &&
         (uint64_t)idx->attr.i < length;
}

/* An index clamped to the length. */
static Poly index_of(Gen *gen, Address *address, const TreeExpr *idx, uint64_t length) {
  Cx *cx = gen->cx;
  if (is_literal_below(idx, length)) return poly_const(idx->attr.i);
  CExpr *clamped = c_call2(cx, "ddr_seq_index", gen_expr(gen, idx), c_int(cx, (int64_t)length));
  return address_index(address, clamped, poly_const((int64_t)length));
}

/* The position of a scalar in the array of a sequence: indices, leading to a value of type `at`. */
typedef struct Place {
  const Ixfun *all; /* of the scalars of the array */
  Poly *idx;
  uint32_t n; /* indices so far */
  const Type *at;
  Address address;
} Place;

static Place place_open(Gen *gen, const Type *seq) {
  Place place = {.all = memory_of_value(gen->cx->arena, seq), .at = seq};
  place.idx = NEWN(gen->cx->arena, Poly, ixfun_rank(place.all) + 1);
  address_open(&place.address, gen->cx);
  return place;
}

static void place_go(Place *place, Poly idx) {
  place->idx[place->n++] = idx;
  place->at = type_elem(place->at);
}

/* The number of the scalar: component `part` of the value, or the first scalar of a sequence. */
static CExpr *place_number(Place *place, int64_t part) {
  const uint32_t rank = ixfun_rank(place->all);
  while (place->n < rank) place->idx[place->n++] = poly_const(0);
  if (tree_component_count(place->at) > 1) place->idx[rank - 1] = poly_const(part);
  return address_at(&place->address, place->all, place->idx, rank);
}

/* The number of component `part` of the element at indices [first, ..). */
static CExpr *place_in(Gen *gen, const TreeExpr *expr, const Type *seq, uint32_t first,
                       int64_t part) {
  Place place = place_open(gen, seq);
  for (uint32_t i = first; i < expr->args.len; i++) {
    const uint64_t length = type_seq_len(place.at);
    if (length == 0) return c_int(gen->cx, 0); /* C needs at least one element */
    place_go(&place, index_of(gen, &place.address, expr->args.data[i], length));
  }
  return place_number(&place, part);
}

/* The array that indices [*first, ..) apply to, and its type. */
static CExpr *array_of(Gen *gen, const TreeExpr *expr, const Type **seq, uint32_t *first) {
  Cx *cx = gen->cx;
  CExpr *array = gen_expr(gen, expr->args.data[0]);
  *seq = expr->args.data[0]->ty;
  *first = 1;
  if (type_is_dynamic_seq(*seq)) {
    *seq = type_elem(*seq);
    *first = 2;
    CExprVec args = {0};
    c_push(cx, &args, c_name(cx, gen_type(gen, *seq)));
    c_push(cx, &args, array);
    c_push(cx, &args, gen_expr(gen, expr->args.data[1]));
    array = c_call(cx, "DDR_ELEMENT", args);
  }
  return array;
}

/* ---- elements that are picked ---------------------------------------------------------------- */

enum { MOST_PICKED = 4 };

static bool is_picked(const Gen *gen, const TreeExpr *expr) {
  const TreeExpr *seq = expr->args.data[0], *idx = expr->args.data[1];
  if (!gen->how->picks_elements || expr->args.len != 2) return false;
  const uint64_t length = type_seq_len(seq->ty);
  return seq->kind == TX_VAR && idx->kind == TX_VAR && length > 0 && length <= MOST_PICKED;
}

/* The component of element k. */
static CExpr *element_at(Gen *gen, const TreeExpr *expr, uint64_t k) {
  const TreeExpr *seq = expr->args.data[0];
  CExpr *array = gen_expr(gen, seq);
  Place place = place_open(gen, seq->ty);
  place_go(&place, poly_const((int64_t)k));
  return c_index(gen->cx, c_dot(gen->cx, array, "v"), place_number(&place, expr->attr.i));
}

/* k <= 0 ? e.v[0] : k == 1 ? e.v[1] : e.v[2] */
static CExpr *pick(Gen *gen, const TreeExpr *expr) {
  Cx *cx = gen->cx;
  const uint64_t length = type_seq_len(expr->args.data[0]->ty);
  CExpr *result = element_at(gen, expr, length - 1);
  for (uint64_t k = length - 1; k-- > 0;) {
    CExpr *idx = gen_expr(gen, expr->args.data[1]);
    CExpr *is_it = c_binary(cx, k == 0 ? "<=" : "==", idx, c_int(cx, (int64_t)k));
    result = c_cond(cx, is_it, element_at(gen, expr, k), result);
  }
  return result;
}

static CExpr *index_fixed(Gen *gen, const TreeExpr *expr) {
  if (is_picked(gen, expr)) return pick(gen, expr);
  const Type *seq;
  uint32_t first;
  CExpr *array = array_of(gen, expr, &seq, &first);
  CExpr *place = place_in(gen, expr, seq, first, expr->attr.i);
  return c_index(gen->cx, c_dot(gen->cx, array, "v"), place);
}

CExpr *gen_place_in_fixed(Gen *gen, const TreeExpr *expr) {
  return place_in(gen, expr, expr->args.data[0]->ty, 1, expr->attr.i);
}

/* Copies a sequence out of another one. */
static CExpr *copy_inner(Gen *gen, const TreeExpr *expr) {
  const Type *seq;
  uint32_t first;
  CExpr *array = array_of(gen, expr, &seq, &first);
  if (first == expr->args.len) return array;
  CExprVec args = {0};
  c_push(gen->cx, &args, c_name(gen->cx, gen_type(gen, expr->ty)));
  c_push(gen->cx, &args, c_dot(gen->cx, array, "v"));
  c_push(gen->cx, &args, place_in(gen, expr, seq, first, 0));
  return c_call(gen->cx, "DDR_INNER", args);
}

static CExpr *index_dynamic(Gen *gen, const TreeExpr *expr) {
  Cx *cx = gen->cx;
  const Type *seq = expr->args.data[0]->ty;
  CExprVec args = {0};
  gen_args_from(gen, expr, 0, &args);
  if (type_is(expr->ty, TY_STRING)) return c_call(cx, "ddr_seq_string", args);
  if (type_is(expr->ty, TY_STRAND)) return c_call(cx, "ddr_seq_slot", args);
  c_push(cx, &args, c_int(cx, gen_parts_per_element(seq)));
  c_push(cx, &args, c_int(cx, expr->attr.i));
  if (type_is(expr->ty, TY_BOOL)) return c_call(cx, "ddr_seq_bool", args);
  return c_call(cx, type_is(expr->ty, TY_INT) ? "ddr_seq_int" : "ddr_seq_real", args);
}

/* ---- ops ------------------------------------------------------------------------------------- */

CExpr *gen_fixed_seq(Gen *gen, const Type *ty, CExprVec parts) {
  CExprVec args = {0};
  c_push(gen->cx, &args, c_name(gen->cx, gen_type(gen, ty)));
  for (uint32_t i = 0; i < parts.len; i++) c_push(gen->cx, &args, parts.data[i]);
  if (parts.len == 0) c_push(gen->cx, &args, c_int(gen->cx, 0));
  return c_call(gen->cx, "DDR_FIXED", args);
}

static CExpr *gen_literal(Gen *gen, const TreeExpr *expr) {
  CExprVec args = {0};
  if (!type_is_dynamic_seq(expr->ty)) {
    gen_args_from(gen, expr, 0, &args);
    return gen_fixed_seq(gen, expr->ty, args);
  }
  if (expr->args.len == 0) return c_call(gen->cx, "ddr_seq_empty", args);
  c_push(gen->cx, &args, pool(gen));
  c_push(gen->cx, &args, c_int(gen->cx, expr->args.len / gen_parts_per_element(expr->ty)));
  c_push(gen->cx, &args, c_name(gen->cx, gen_type(gen, gen_part_type(gen, expr->ty))));
  gen_args_from(gen, expr, 0, &args);
  return c_call(gen->cx, "DDR_LIST", args);
}

static CExpr *gen_dynamic(Gen *gen, const TreeExpr *expr, const char *fn) {
  const Type *seq = expr->args.data[0]->ty;
  CExprVec args = {0};
  if (type_seq_len(seq) == 0) return c_call(gen->cx, "ddr_seq_empty", args);
  c_push(gen->cx, &args, pool(gen));
  c_push(gen->cx, &args, gen_element_size(gen, seq));
  c_push(gen->cx, &args, c_int(gen->cx, (int64_t)type_seq_len(seq)));
  c_push(gen->cx, &args, c_dot(gen->cx, gen_expr(gen, expr->args.data[0]), "v"));
  return c_call(gen->cx, fn, args);
}

/* A sequence with one element more: fn(pool, seq, part type, parts...). */
static CExpr *gen_longer(Gen *gen, const TreeExpr *expr, const char *fn) {
  CExprVec args = {0};
  c_push(gen->cx, &args, pool(gen));
  c_push(gen->cx, &args, gen_expr(gen, expr->args.data[0]));
  c_push(gen->cx, &args, c_name(gen->cx, gen_type(gen, gen_part_type(gen, expr->ty))));
  gen_args_from(gen, expr, 1, &args);
  return c_call(gen->cx, fn, args);
}

CExpr *gen_seq_op(Gen *gen, const TreeExpr *expr, const char *fn) {
  CExprVec args = {0};
  switch (expr->op) {
  case OP_SEQ: return gen_literal(gen, expr);
  case OP_SEQ_INDEX:
    if (type_is_dynamic_seq(expr->args.data[0]->ty) && expr->args.len == 2)
      return index_dynamic(gen, expr);
    return index_fixed(gen, expr);
  case OP_SEQ_COPY: return copy_inner(gen, expr);
  case OP_SEQ_DYNAMIC: return gen_dynamic(gen, expr, fn);
  case OP_SEQ_APPEND:
  case OP_SEQ_PREPEND: return gen_longer(gen, expr, fn);
  case OP_SEQ_CONCAT:
    c_push(gen->cx, &args, pool(gen));
    gen_args_from(gen, expr, 0, &args);
    c_push(gen->cx, &args, gen_element_size(gen, expr->ty));
    return c_call(gen->cx, fn, args);
  case OP_SEQ_RANGE:
    c_push(gen->cx, &args, pool(gen));
    c_push(gen->cx, &args, gen_element_size(gen, expr->ty));
    gen_args_from(gen, expr, 0, &args);
    return c_call(gen->cx, fn, args);
  /* All others are above. */
  default: BUG(gen->cx, "op %s is not about sequences", op_text(expr->op));
  }
}

/* ---- constants ------------------------------------------------------------------------------- */

CExpr *gen_scalar_constant(Gen *gen, const Const *value, uint64_t k) {
  Cx *cx = gen->cx;
  switch (type_kind(value->ty)) {
  case TY_BOOL: return c_bool(cx, value->b);
  case TY_INT: return c_int(cx, value->i);
  case TY_STRING: return c_string(cx, value->s);
  case TY_TENSOR: return c_real(cx, value->reals[k]);
  /* Other types have no constants. */
  default: BUG(cx, "a constant of type %s", type_text(cx, value->ty));
  }
}

static void push_parts(Gen *gen, const Const *elem, CExprVec *parts) {
  for (uint64_t i = 0; type_is(elem->ty, TY_SEQ) && i < elem->n_elems; i++)
    push_parts(gen, elem->elems[i], parts);
  if (type_is(elem->ty, TY_SEQ)) return;
  for (uint32_t k = 0; k < tree_component_count(elem->ty); k++)
    c_push(gen->cx, parts, gen_scalar_constant(gen, elem, k));
}

CExpr *gen_seq_constant(Gen *gen, const Const *value) {
  CExprVec parts = {0};
  push_parts(gen, value, &parts);
  return gen_fixed_seq(gen, value->ty, parts);
}

CExpr *gen_seq_elements(Gen *gen, const Const *value) {
  CExprVec args = {0};
  c_push(gen->cx, &args, c_name(gen->cx, gen_type(gen, gen_scalar_type(gen, value->ty))));
  push_parts(gen, value, &args);
  return c_call(gen->cx, "DDR_ELEMENTS", args);
}
