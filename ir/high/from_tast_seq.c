/* From_tast, sequences: literals, ranges, elements, comprehensions, conversions, and what loops run
 * over. A comprehension is a loop that appends; where only its elements matter, as in a reduction,
 * they are computed one by one and no sequence is made. Next: from_tast_fold.c.
 */
#include "ir/high/local.h"

/* ---- ops ------------------------------------------------------------------------------------- */

Value *build_seq(Body *body, const Type *ty, Value *const *elems, uint32_t n_elems) {
  return build_typed(&body->b, OP_SEQ, ATTR_EMPTY, ty, elems, n_elems);
}

Value *build_element(Body *body, Value *seq, Value *index) {
  Value *args[] = {seq, index};
  return build_typed(&body->b, OP_SEQ_INDEX, ATTR_EMPTY, type_elem(seq->ty), args, 2);
}

Value *build_length(Body *body, Value *seq) {
  if (type_is_dynamic_seq(seq->ty)) return build_op1(&body->b, OP_SEQ_LEN, seq);
  return build_int(&body->b, (int64_t)type_seq_len(seq->ty));
}

/* Element by element; the lengths are in the types and alike. */
static Value *coerce_elements(Body *body, Value *seq, const Type *elem) {
  ValueVec elems = {0};
  for (uint64_t i = 0; i < type_seq_len(seq->ty); i++) {
    Value *old = build_element(body, seq, build_int(&body->b, (int64_t)i));
    vec_push(body->cx->arena, &elems, coerce_value(body, old, elem));
  }
  return build_seq(body, type_seq(body->cx, elem, elems.len), elems.data, elems.len);
}

Value *coerce_value(Body *body, Value *value, const Type *ty) {
  if (value_is(value, TY_INT) && type_is_real(ty)) return build_op1(&body->b, OP_I2R, value);
  if (!value_is(value, TY_SEQ)) return value; /* a field of weaker continuity is the same field */
  if (type_elem(value->ty) != type_elem(ty)) value = coerce_elements(body, value, type_elem(ty));
  if (value->ty == ty) return value;
  return build_op1(&body->b, OP_SEQ_DYNAMIC, value);
}

/* ---- domains: what loops run over ------------------------------------------------------------ */

/* Sees through what only changes elements. */
static const TExpr *inner_source(const TExpr *source) {
  if (source->kind == TE_MAP && !expr_prints(source->args.data[0])) return source->args.data[1];
  if (source->kind == TE_COERCE) return source->args.data[0];
  return NULL;
}

Domain domain_open(Body *body, const TExpr *source) {
  Domain domain = {.source = source, .base = source};
  Builder *b = &body->b;
  if (source->kind == TE_RANGE) {
    domain.lo = lower_expr(body, source->args.data[0]);
    domain.hi = lower_expr(body, source->args.data[1]);
    return domain;
  }
  if (source->kind == TE_STRAND_SET) return domain;
  domain.seq = lower_expr(body, source);
  b->span = source->span;
  domain.lo = build_int(b, 0);
  Value *one = build_int(b, 1);
  domain.hi = build_op2(b, OP_ISUB, build_length(body, domain.seq), one);
  return domain;
}

const TExpr *domain_base(const TExpr *source) {
  const TExpr *base = source->kind == TE_MAP ? source->args.data[1] : source;
  for (const TExpr *inner; (inner = inner_source(base)) != NULL;) base = inner;
  return base;
}

Domain domain_open_lazy(Body *body, const TExpr *source) {
  Domain domain = domain_open(body, domain_base(source));
  domain.source = source;
  return domain;
}

static Value *element_of(Body *body, const Domain *domain, const TExpr *source, Value *index) {
  if (source == domain->base) return domain->seq ? build_element(body, domain->seq, index) : index;
  if (source->kind == TE_COERCE) {
    Value *element = element_of(body, domain, source->args.data[0], index);
    return coerce_value(body, element, type_elem(source->ty));
  }
  body_set(body, source->u.var, element_of(body, domain, source->args.data[1], index));
  Value *element = lower_expr(body, source->args.data[0]);
  body_set(body, source->u.var, NULL);
  return element;
}

Value *domain_element(Body *body, const Domain *domain, Value *index) {
  return element_of(body, domain, domain->source, index);
}

/* ---- loops of expressions -------------------------------------------------------------------- */

/* Continues in the body of a loop; returns the value that is carried, there. */
static Value *loop_begin(Body *body, Loop *loop, const Domain *domain, Value *initial) {
  loop->head = body->b;
  loop->domain = domain;
  loop->initial = initial;
  loop->body = block_new(body->b.fn);
  loop->index = block_add_param(loop->body, type_int(body->cx), NULL);
  Value *carried = block_add_param(loop->body, initial->ty, NULL);
  body_enter(body, loop->body);
  return carried;
}

/* Continues after the loop; returns the value that is carried, there. */
static Value *loop_end(Body *body, Loop *loop, Value *carried) {
  Block *after = block_new(body->b.fn);
  build_next(&body->b, &carried, 1);
  Value *result = block_add_param(after, loop->initial->ty, NULL);
  build_foreach(&loop->head, loop->domain->lo, loop->domain->hi, loop->body, after, &loop->initial,
                1);
  Span span = loop->head.span;
  body_enter(body, after);
  body->b.span = span;
  return result;
}

/* ---- expressions ----------------------------------------------------------------------------- */

static Value *lower_literal(Body *body, const TExpr *expr) {
  ValueVec elems = {0};
  for (uint32_t i = 0; i < expr->args.len; i++)
    vec_push(body->cx->arena, &elems, lower_expr(body, expr->args.data[i]));
  body->b.span = expr->span;
  return build_seq(body, expr->ty, elems.data, elems.len);
}

static Value *lower_map(Body *body, const TExpr *expr) {
  const Domain domain = domain_open_lazy(body, expr);
  Loop loop;
  body->b.span = expr->span;
  Value *so_far = loop_begin(body, &loop, &domain, build_seq(body, expr->ty, NULL, 0));
  Value *args[] = {so_far, domain_element(body, &domain, loop.index)};
  body->b.span = expr->span;
  return loop_end(body, &loop, build_typed(&body->b, OP_SEQ_APPEND, ATTR_EMPTY, expr->ty, args, 2));
}

static Value *lower_binary(Body *body, const TExpr *expr, OpId op) {
  Value *args[] = {lower_expr(body, expr->args.data[0]), lower_expr(body, expr->args.data[1])};
  body->b.span = expr->span;
  return build_typed(&body->b, op, ATTR_EMPTY, expr->ty, args, 2);
}

Value *lower_seq(Body *body, const TExpr *expr) {
  switch (expr->kind) {
  case TE_SEQ: return lower_literal(body, expr);
  case TE_MAP: return lower_map(body, expr);
  case TE_RANGE: return lower_binary(body, expr, OP_SEQ_RANGE);
  case TE_INDEX: return lower_binary(body, expr, OP_SEQ_INDEX);
  default: UNREACHABLE(body->cx); /* no sequence */
  }
}
