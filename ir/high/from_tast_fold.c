/* From_tast, reductions: sum, product, mean, max, min, all, exists. A loop over the elements, from
 * left to right, with what is reduced so far; the value of no elements is that of language.md
 * §4.15. Over the active or stable strands it is a loop over all that skips the others.
 */
#include <math.h>
#include <string.h>

#include "ir/core/op_eval.h"
#include "ir/high/local.h"

/* What nothing reduces to, which is neutral to the op. */
static Value *neutral(Body *body, OpId op) {
  Builder *b = &body->b;
  bool is_long = eval_mode(body->cx).is_long_int;
  switch (op) {
  case OP_BAND: return build_bool(b, true);
  case OP_BOR: return build_bool(b, false);
  case OP_IADD: return build_int(b, 0);
  case OP_IMUL: return build_int(b, 1);
  case OP_IMAX: return build_int(b, is_long ? INT64_MIN : INT32_MIN);
  case OP_IMIN: return build_int(b, is_long ? INT64_MAX : INT32_MAX);
  case OP_RADD: return build_real(b, 0);
  case OP_RMUL: return build_real(b, 1);
  case OP_RMAX: return build_real(b, -INFINITY);
  case OP_RMIN: return build_real(b, INFINITY);
  default: BUG(body->cx, "%s does not reduce", op_text(op)); /* no row of builtins.def */
  }
}

/* Reals are combined by Einstein expressions at this level. */
static const EinExpr *combined_reals(Cx *cx, OpId op) {
  const EinExpr *args[] = {ein_param(cx, 0, NULL, 0), ein_param(cx, 1, NULL, 0)};
  if (op == OP_RADD) return ein_binary(cx, EIN_ADD, args[0], args[1]);
  if (op == OP_RMUL) return ein_binary(cx, EIN_MUL, args[0], args[1]);
  return ein_fn(cx, op, args, 2);
}

static Value *combine(Body *body, OpId op, Value *so_far, Value *element) {
  Value *args[] = {so_far, element};
  if (!type_is_real(element->ty)) return build_op(&body->b, op, ATTR_EMPTY, args, 2);
  const Shape *scalar = type_shape(element->ty);
  const Ein *ein = ein_new(body->cx, *scalar, 2, combined_reals(body->cx, op));
  return build_ein(&body->b, ein, args, 2);
}

static Value *build_quotient(Body *body, Value *sum, Value *n) {
  Cx *cx = body->cx;
  Value *args[] = {sum, build_op1(&body->b, OP_I2R, n)};
  const EinExpr *quotient =
      ein_binary(cx, EIN_DIV, ein_param(cx, 0, NULL, 0), ein_param(cx, 1, NULL, 0));
  return build_ein(&body->b, ein_new(cx, *type_shape(sum->ty), 2, quotient), args, 2);
}

static Value *accumulate(Body *body, OpId op, const Domain *domain, Value *index, Value *so_far) {
  Span span = body->b.span;
  Value *element = domain_element(body, domain, index);
  body->b.span = span;
  return combine(body, op, so_far, element);
}

/* if (is_member) so far and the element, else so far */
static Value *accumulate_if(Body *body, OpId op, const Loop *loop, Value *is_member,
                            Value *so_far) {
  Builder head = body->b, skip;
  Block *add = block_new(head.fn), *pass = block_new(head.fn), *merge = block_new(head.fn);
  body_enter(body, add);
  Value *sum = accumulate(body, op, loop->domain, loop->index, so_far);
  skip = build_at_end(body->cx, pass, head.span);
  build_branch(&head, is_member, add, pass, merge);
  build_jump(&body->b, merge, &sum, 1);
  build_jump(&skip, merge, &so_far, 1);
  body_enter(body, merge);
  return block_add_param(merge, so_far->ty, NULL);
}

Value *lower_fold(Body *body, const TExpr *expr) {
  const Builtin *row = expr->u.builtin.row;
  OpId op = op_find(row->text, strlen(row->text));
  const Domain domain = domain_open_lazy(body, expr->args.data[0]);
  Loop loop;
  body->b.span = expr->span;
  Value *so_far = loop_begin(body, &loop, &domain, neutral(body, op));
  bool is_set = domain.base->kind == TE_STRAND_SET;
  Value *is_member = is_set ? build_strand_is(body, domain.base->u.set, loop.index) : NULL;
  so_far = is_member ? accumulate_if(body, op, &loop, is_member, so_far)
                     : accumulate(body, op, &domain, loop.index, so_far);
  Value *result = loop_end(body, &loop, so_far);
  if (row->id != BI_MEAN) return result;
  return build_quotient(body, result, domain_length(body, &domain));
}
