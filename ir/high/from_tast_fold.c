/* From_tast, reductions: sum, product, mean, variance, max, min, all, exists. One REDUCE over what
 * the elements are computed from, ints or strands; its body gives an element.
 */
#include "ir/high/local.h"

static Value *build_first_param(Body *body, Block *blk, bool is_set) {
  if (!is_set) return block_add_param(blk, type_int(body->cx), NULL);
  return block_add_param(blk, type_strand(body->cx, body->unit->program->strand->name), NULL);
}

static ReduceOver over_of(const TExpr *base) {
  static const ReduceOver overs[] = {
      [SET_ALL] = OVER_ALL, [SET_ACTIVE] = OVER_ACTIVE, [SET_STABLE] = OVER_STABLE};
  return base->kind == TE_STRAND_SET ? overs[base->u.set] : OVER_RANGE;
}

/* The body of a variance over a range is run twice, which must not be visible: if it prints, a
 * sequence of the elements is made first. Over a set of strands a back end computes values once. */
static Domain open_elements(Body *body, Reduction kind, const TExpr *source) {
  bool is_set = domain_base(source)->kind == TE_STRAND_SET;
  bool is_made = kind == REDUCE_VARIANCE && !is_set && expr_prints(source);
  return is_made ? domain_open(body, source) : domain_open_lazy(body, source);
}

Value *lower_fold(Body *body, const TExpr *expr) {
  Reduction kind = reduction_find(expr->u.builtin.row->text);
  if (kind == REDUCE_COUNT) BUG(body->cx, "'%s' is no reduction", expr->u.builtin.row->text);
  const Domain domain = open_elements(body, kind, expr->args.data[0]);
  const Reduce reduce = {over_of(domain.base), 1, &kind};
  body->b.span = expr->span;
  Builder head = body->b;
  Block *elements = block_new(head.fn);
  Value *index = build_first_param(body, elements, reduce.over != OVER_RANGE);
  body_enter(body, elements);
  const bool is_quiet = reduce.over != OVER_RANGE || kind == REDUCE_VARIANCE;
  body->n_quiet += is_quiet;
  Value *element = domain_element(body, &domain, index);
  body->n_quiet -= is_quiet;
  body->b.span = expr->span;
  build_next(&body->b, &element, 1);
  Block *after = block_new(head.fn);
  Value *result = block_add_param(after, element->ty, NULL);
  build_reduce(&head, reduce, domain.lo, domain.hi, elements, after);
  body_enter(body, after);
  return result;
}
