/* From_tast, choices: conditional expressions, && and ||. If both arms are cheap and pure, both are
 * computed and one is selected; otherwise arms become blocks.
 *
 * In a field function both arms are fields, and the condition may depend on the position. Such a
 * condition is a scalar field, 1 where it is true and 0 elsewhere. The ops choose_lt and the like
 * make it from a comparison, and select one of two fields by it (doc/language.md, "Closed forms").
 * A condition that does not depend on the position selects by OP_CHOOSE.
 */
#include "ir/high/local.h"

/* ---- blocks ---------------------------------------------------------------------------------- */

static Block *lower_choice_arm(Body *body, const TExpr *expr, Value **value) {
  Block *arm = block_new(body->b.fn);
  body_enter(body, arm);
  *value = expr ? lower_expr(body, expr) : NULL;
  return arm;
}

/* One value of two expressions; a NULL expression stands for the condition itself. */
static Value *choose_by_branch(Body *body, Value *cond, const TExpr *if_true,
                               const TExpr *if_false) {
  Span span = body->b.span;
  Builder head = body->b;
  Value *true_value, *false_value;
  Block *true_arm = lower_choice_arm(body, if_true, &true_value);
  Builder true_end = body->b;
  Block *false_arm = lower_choice_arm(body, if_false, &false_value);
  Builder false_end = body->b;
  if (!true_value) true_value = build_bool(&true_end, true);
  if (!false_value) false_value = build_bool(&false_end, false);

  Block *merge = block_new(head.fn);
  Value *result = block_add_param(merge, true_value->ty, NULL);
  build_branch(&head, cond, true_arm, false_arm, merge);
  build_jump(&true_end, merge, &true_value, 1);
  build_jump(&false_end, merge, &false_value, 1);
  body_enter(body, merge);
  body->b.span = span;
  return result;
}

/* ---- what is true at some positions ---------------------------------------------------------- */

/* A value as a field over the domain of the field function. */
static Value *lift(Body *body, Value *value) {
  Builder *b = &body->b;
  Value *choice[] = {value, build_real(b, 1), build_real(b, 0)};
  switch (type_kind(value->ty)) {
  case TY_FIELD: return value;
  case TY_BOOL: value = build_op(b, OP_SELECT, ATTR_EMPTY, choice, 3); break;
  case TY_INT: value = build_op1(b, OP_I2R, value); break; /* a conversion to real follows */
  case TY_TENSOR: break;
  default: BUG(b->cx, "a %s depends on the position", type_text(b->cx, value->ty)); /* formula.c */
  }
  return constant_field(body, value, body->position);
}

/* if_true where a op b, else if_false. */
static Value *choose_by_op(Body *body, OpId op, Value *a, Value *b, Value *if_true,
                           Value *if_false) {
  Value *args[] = {lift(body, a), lift(body, b), lift(body, if_true), lift(body, if_false)};
  return build_op(&body->b, op, ATTR_EMPTY, args, 4);
}

static Value *choose_by_truth(Body *body, Value *truth, Value *if_true, Value *if_false) {
  return choose_by_op(body, OP_CHOOSE_LT, build_real(&body->b, 0.5), truth, if_true, if_false);
}

static bool is_field(const Value *value) { return value_is(value, TY_FIELD); }

static Value *opposite(Body *body, Value *truth) {
  return choose_by_truth(body, truth, build_bool(&body->b, false), build_bool(&body->b, true));
}

Value *lower_truth(Body *body, OpId op, Value *const *args) {
  Value *yes = build_real(&body->b, 1), *no = build_real(&body->b, 0);
  switch (op) {
  case OP_RLT: return choose_by_op(body, OP_CHOOSE_LT, args[0], args[1], yes, no);
  case OP_RGT: return choose_by_op(body, OP_CHOOSE_LT, args[1], args[0], yes, no);
  case OP_RLE: return choose_by_op(body, OP_CHOOSE_LE, args[0], args[1], yes, no);
  case OP_RGE: return choose_by_op(body, OP_CHOOSE_LE, args[1], args[0], yes, no);
  case OP_REQ: return choose_by_op(body, OP_CHOOSE_EQ, args[0], args[1], yes, no);
  case OP_RNE: return choose_by_op(body, OP_CHOOSE_EQ, args[0], args[1], no, yes);
  case OP_BEQ: return choose_by_truth(body, args[0], args[1], opposite(body, args[1]));
  case OP_BNE: return choose_by_truth(body, args[0], opposite(body, args[1]), args[1]);
  case OP_NOT: return opposite(body, args[0]);
  default: return NULL; /* gives no bool */
  }
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* A field function has no blocks: its value at a position is computed later. */
static bool is_computed_anyway(const Body *body, const TExpr *expr) {
  if (body->position) return true;
  return expr_is_cheap(expr) && !(body->cx->is_checked && expr_may_divide_by_zero(expr));
}

/* An expression that is computed whether it is chosen or not. In a field function its divisors and
 * indices are not checked: what is not chosen is no mistake. */
static Value *lower_anyway(Body *body, const TExpr *expr) {
  const bool was_unchecked = body->b.is_unchecked;
  body->b.is_unchecked |= body->position != NULL;
  Value *value = lower_expr(body, expr);
  body->b.is_unchecked = was_unchecked;
  return value;
}

/* Chooses one of two fields. A field is not a value, so the arms meet like those of an expanded
 * function. */
static Value *choose_field(Body *body, Value *cond, const TExpr *expr) {
  Builder head = body->b, ends[2];
  uint32_t first_block = head.fn->next_block;
  Block *arms[2];
  Value *fields[2];
  body->n_quiet++;
  for (uint32_t i = 0; i < 2; i++) {
    arms[i] = lower_choice_arm(body, expr->args.data[i + 1], &fields[i]);
    ends[i] = body->b;
  }
  body->n_quiet--;
  Block *merge = block_new(head.fn);
  build_branch(&head, cond, arms[0], arms[1], merge);
  body->b.span = expr->span;
  return meet_abstract(body, cond, fields, ends, merge, first_block);
}

Value *lower_cond(Body *body, const TExpr *expr) {
  const TExpr *if_true = expr->args.data[1], *if_false = expr->args.data[2];
  Value *cond = lower_expr(body, expr->args.data[0]);
  record_branch(body, expr->args.data[0], cond);
  body->b.span = expr->span;
  if (type_is(expr->ty, TY_FIELD) && !body->position) return choose_field(body, cond, expr);
  if (!is_computed_anyway(body, if_true) || !is_computed_anyway(body, if_false))
    return choose_by_branch(body, cond, if_true, if_false);

  Value *args[] = {cond, lower_anyway(body, if_true), lower_anyway(body, if_false)};
  body->b.span = expr->span;
  if (type_is(expr->ty, TY_FIELD)) return build_either(body, cond, args[1], args[2]);
  if (is_field(cond) || is_field(args[1]) || is_field(args[2]))
    return choose_by_truth(body, cond, args[1], args[2]);
  return build_op(&body->b, OP_SELECT, ATTR_EMPTY, args, 3);
}

Value *lower_logic(Body *body, const TExpr *expr) {
  bool is_and = expr->kind == TE_AND;
  const TExpr *second = expr->args.data[1];
  Value *first = lower_expr(body, expr->args.data[0]);
  body->b.span = expr->span;
  if (!is_computed_anyway(body, second))
    return choose_by_branch(body, first, is_and ? second : NULL, is_and ? NULL : second);
  Value *other = lower_anyway(body, second);
  body->b.span = expr->span;
  if (is_field(first) || is_field(other)) {
    Value *known = build_bool(&body->b, !is_and);
    return choose_by_truth(body, first, is_and ? other : known, is_and ? known : other);
  }
  return build_op2(&body->b, is_and ? OP_BAND : OP_BOR, first, other);
}
