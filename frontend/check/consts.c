/* Constant expressions, folded on the typed tree. Integers are exact; overflow,
 * division by zero and indices out of range are mistakes. Reals are folded in double; a single
 * literal keeps its digits. Next: consts_apply.c and consts_tensor.c for the builtins.
 */
#include <string.h>

#include "frontend/check/local.h"

/* ---- values --------------------------------------------------------------------------------- */

Const *const_new(Check *ck, const Type *ty) {
  Const *value = NEW(ck->arena, Const);
  value->ty = ty;
  return value;
}

Const *const_from_int(Check *ck, int64_t number) {
  Const *value = const_new(ck, type_int(ck->cx));
  value->i = number;
  return value;
}

Const *const_from_reals(Check *ck, const Type *ty, double fill) {
  Const *value = const_new(ck, ty);
  uint64_t size = shape_size(type_shape(ty));
  value->reals = NEWN(ck->arena, RealConst, size);
  for (uint64_t i = 0; i < size; i++) value->reals[i].value = fill;
  return value;
}

bool int_in_range(const Cx *cx, int64_t value) {
  return cx->is_long_int || (value >= INT32_MIN && value <= INT32_MAX);
}

/* ---- folding -------------------------------------------------------------------------------- */

/* The worse of two outcomes: a mistake is worse than an unknown value. */
static ConstStatus worse(ConstStatus a, ConstStatus b) { return a > b ? a : b; }

static ConstStatus args_values(Check *ck, const TExpr *expr, Const **values) {
  ConstStatus status = CONST_KNOWN;
  for (uint32_t i = 0; i < expr->args.len; i++)
    status = worse(status, const_value(ck, expr->args.data[i], &values[i]));
  return status;
}

static ConstStatus var_value(const TVar *var, Const **value) {
  if (var->kind != TV_CONST) return CONST_NOT;
  *value = var->value;
  return var->value ? CONST_KNOWN : CONST_BAD; /* its own mistake was reported */
}

static Const *stack_tensors(Check *ck, const TExpr *expr, Const **elems) {
  Const *whole = const_from_reals(ck, expr->ty, 0);
  uint64_t size = shape_size(type_shape(elems[0]->ty));
  for (uint32_t i = 0; i < expr->args.len; i++)
    memcpy(whole->reals + i * size, elems[i]->reals, size * sizeof *whole->reals);
  return whole;
}

static Const *list_elements(Check *ck, const TExpr *expr, Const **elems) {
  Const *seq = const_new(ck, expr->ty);
  seq->elems = elems;
  seq->n_elems = expr->args.len;
  return seq;
}

/* Components of a tensor whose index agrees with the fixed axes, in order. */
static Const *slice_tensor(Check *ck, const TExpr *expr, const Const *base) {
  Const *slice = const_from_reals(ck, expr->ty, 0);
  const Shape *shape = type_shape(base->ty);
  uint64_t size = shape_size(shape), n_kept = 0;
  for (uint64_t at = 0; at < size; at++) {
    bool is_kept = true;
    uint64_t rest = at;
    for (uint32_t axis = shape->order; axis-- > 0; rest /= shape->dims[axis]) {
      uint32_t fixed = expr->u.axes[axis];
      is_kept = is_kept && (fixed == SLICE_ALL || fixed == rest % shape->dims[axis]);
    }
    if (is_kept) slice->reals[n_kept++] = base->reals[at];
  }
  return slice;
}

static ConstStatus index_value(Check *ck, const TExpr *expr, Const **parts, Const **value) {
  const Const *seq = parts[0];
  int64_t idx = parts[1]->i;
  if (idx < 0 || (uint64_t)idx >= seq->n_elems) {
    if (!ck->is_quiet)
      diag(ck->cx, expr->span, E_INDEX_RANGE, d_int(idx), d_int((int64_t)seq->n_elems - 1));
    return CONST_BAD;
  }
  *value = seq->elems[idx];
  return CONST_KNOWN;
}

static ConstStatus quiet_value(Check *ck, const TExpr *expr, Const **value) {
  bool was_quiet = ck->is_quiet;
  ck->is_quiet = true;
  ConstStatus status = const_value(ck, expr, value);
  ck->is_quiet = was_quiet;
  return status;
}

/* Whether an operand that is not evaluated is constant. */
static ConstStatus unevaluated(Check *ck, const TExpr *expr) {
  Const *ignored;
  return quiet_value(ck, expr, &ignored) == CONST_NOT ? CONST_NOT : CONST_KNOWN;
}

static ConstStatus cond_value(Check *ck, const TExpr *expr, Const **value) {
  Const *cond;
  ConstStatus status = const_value(ck, expr->args.data[0], &cond);
  if (status != CONST_KNOWN) return status;
  const TExpr *chosen = expr->args.data[cond->b ? 1 : 2];
  const TExpr *other = expr->args.data[cond->b ? 2 : 1];
  return worse(const_value(ck, chosen, value), unevaluated(ck, other));
}

static ConstStatus logic_value(Check *ck, const TExpr *expr, Const **value) {
  ConstStatus status = const_value(ck, expr->args.data[0], value);
  if (status != CONST_KNOWN) return status;
  bool is_decided = (*value)->b == (expr->kind == TE_OR);
  return is_decided ? unevaluated(ck, expr->args.data[1])
                    : const_value(ck, expr->args.data[1], value);
}

/* Kinds whose value depends on the values of all their arguments. */
static ConstStatus strict_value(Check *ck, const TExpr *expr, Const **value) {
  Const **args = NEWN(ck->arena, Const *, expr->args.len + 1);
  ConstStatus status = args_values(ck, expr, args);
  if (status != CONST_KNOWN) return status;
  switch (expr->kind) {
  case TE_BUILTIN: return const_apply(ck, expr, args, value);
  case TE_COERCE: *value = const_coerce(ck, args[0], expr->ty); break;
  case TE_TENSOR: *value = stack_tensors(ck, expr, args); break;
  case TE_SEQ: *value = list_elements(ck, expr, args); break;
  case TE_SLICE: *value = slice_tensor(ck, expr, args[0]); break;
  case TE_INDEX: return index_value(ck, expr, args, value);
  default: UNREACHABLE(ck->cx);
  }
  return CONST_KNOWN;
}

ConstStatus const_value(Check *ck, const TExpr *expr, Const **value) {
  *value = NULL;
  if (is_error(expr)) return CONST_BAD;
  switch (expr->kind) {
  case TE_CONST: *value = expr->u.value; return CONST_KNOWN;
  case TE_VAR: return var_value(expr->u.var, value);
  case TE_COND: return cond_value(ck, expr, value);
  case TE_AND:
  case TE_OR: return logic_value(ck, expr, value);
  case TE_BUILTIN:
  case TE_COERCE:
  case TE_TENSOR:
  case TE_SEQ:
  case TE_SLICE:
  case TE_INDEX: return type_is_value(expr->ty) ? strict_value(ck, expr, value) : CONST_NOT;
  default: return CONST_NOT; /* calls, probes, loops, loads, strands: never constant */
  }
}

Const *const_value_if_known(Check *ck, const TExpr *expr) {
  Const *value;
  return quiet_value(ck, expr, &value) == CONST_KNOWN ? value : NULL;
}

const Const *const_of(Check *ck, const Ast *node, const Type *ty, DiagId not_constant) {
  const TExpr *expr = check_expr(ck, node, ty);
  Const *value = NULL;
  if (is_error(expr)) return NULL;
  ConstStatus status = CONST_NOT;
  if (expr->ty == ty) status = const_value(ck, expr, &value);
  if (status == CONST_NOT) diag(ck->cx, node->span, not_constant);
  return status == CONST_KNOWN ? value : NULL;
}

bool const_int(Check *ck, const Ast *node, DiagId not_constant, int64_t *number) {
  const Const *value = const_of(ck, node, type_int(ck->cx), not_constant);
  if (value) *number = value->i;
  return value != NULL;
}
