/* From_tast, builtins: rows of builtins.def say how they are compiled; this file has the code for
 * rows that need more.
 */
#include <string.h>

#include "ir/high/local.h"

typedef struct Call {
  const TExpr *expr;
  const Builtin *row;
  Value **args;
  uint32_t n_args;
  bool has_field; /* among the arguments */
} Call;

/* ---- fields of images ------------------------------------------------------------------------ */

/* Only here it is known which kernel a function with several returns gives. After an error, any
 * kernel is used. */
static Value *lower_convolution(Body *body, Value *image, Value *kernel) {
  Attr attr = kernel->def->attr;
  const Kernel *given = attr.kernel;
  const uint32_t dim = type_dim(image->ty);
  const bool fits = kernel_has_axes(given, dim);
  if (!fits) diag(body->cx, body->b.span, E_KERNEL_AXES, d_int(dim), d_int(given->n_axes));
  attr.kernel = fits ? kernel_simplest(given) : kernel_along(given, 0);
  if (attr.kernel != given) kernel = build_typed(&body->b, OP_KERNEL, attr, kernel->ty, NULL, 0);
  return build_op2(&body->b, OP_CONVOLVE, image, kernel);
}

/* ---- EIN and DERIV --------------------------------------------------------------------------- */

static Value *lower_ein_row(Body *body, const Call *call, uint32_t derivative_dim) {
  const Sig *sig = builtin_sig(body->cx, call->row->id);
  const Ein *ein = ein_from_template(body->cx, call->row->text, sig, call->expr->u.builtin.bindings,
                                     derivative_dim);
  if (ein_is_identity(ein)) return call->args[0];
  return build_ein(&body->b, ein, call->args, call->n_args);
}

static Value *lower_deriv_row(Body *body, Call *call) {
  Value *field = call->args[0];
  call->args[0] = build_op1(&body->b, OP_DERIV, field);
  return lower_ein_row(body, call, type_dim(field->ty));
}

/* ---- powers ---------------------------------------------------------------------------------- */

static bool is_known_int(const Value *value, int64_t *known) {
  const Inst *def = value->def;
  if (!def) return false;
  if (inst_is_op(def, OP_INEG) && is_known_int(def->args[0], known)) {
    *known = -*known;
    return true;
  }
  if (!inst_is_op(def, OP_CONST_INT)) return false;
  *known = def->attr.i;
  return true;
}

/* The whole power as one Einstein expression, so that it can be differentiated. */
static Value *lower_pow_known(Body *body, Value *base, int64_t exponent) {
  const EinExpr *power = ein_pow(body->cx, ein_param(body->cx, 0, NULL, 0), exponent);
  const Shape *scalar = type_shape(type_real(body->cx));
  return build_ein(&body->b, ein_new(body->cx, *scalar, 1, power), &base, 1);
}

/* F^n, n known when the program runs: t^n at F(x). */
static Value *lower_power(Body *body, Value *base, Value *exponent) {
  const Type *ty = type_field(body->cx, CONTINUITY_INF, 1, *type_shape(type_real(body->cx)));
  Value *power = build_typed(&body->b, OP_POWER, ATTR_EMPTY, ty, &exponent, 1);
  return build_op2(&body->b, OP_COMPOSE, power, base);
}

/* ---- OP -------------------------------------------------------------------------------------- */

static bool is_field(const Value *value) { return value_is(value, TY_FIELD); }

/* In a field function: an op that is differentiable but has no Einstein expression; NULL for other
 * ops. */
static Value *lower_varying(Body *body, OpId op, Value *const *args) {
  if (op == OP_I2R) return args[0]; /* real already: see lower_cond */
  if ((op == OP_RPOWI || op == OP_RPOW) && !is_field(args[1]))
    return lower_power(body, args[0], args[1]);
  return lower_truth(body, op, args);
}

static Value *lower_op_row(Body *body, const Call *call) {
  int64_t exponent;
  const char *text = call->row->text;
  OpId op = op_find(text, strlen(text));
  ASSERT(body->cx, op < OP_COUNT);
  if (op == OP_CONVOLVE) return lower_convolution(body, call->args[0], call->args[1]);
  if (op == OP_SPHERE) return lower_sphere(body, call->expr, call->args, call->n_args);
  if (op == OP_RPOWI && is_known_int(call->args[1], &exponent))
    return lower_pow_known(body, call->args[0], exponent);
  /* coercions leave no trace here: the type is that of the operands, not of the typed tree */
  if (op == OP_COMPOSE) return build_op2(&body->b, op, call->args[0], call->args[1]);
  Value *varying = NULL;
  if (call->has_field && body->position) varying = lower_varying(body, op, call->args);
  if (varying) return varying;
  return build_typed(&body->b, op, ATTR_EMPTY, call->expr->ty, call->args, call->n_args);
}

/* ---- OTHER ----------------------------------------------------------------------------------- */

static Value *lower_other_row(Body *body, const Call *call) {
  int64_t exponent;
  switch (call->row->id) {
  case BI_CONVOLVE_HI: return lower_convolution(body, call->args[1], call->args[0]);
  case BI_POW_SI:
    if (is_known_int(call->args[1], &exponent))
      return lower_pow_known(body, call->args[0], exponent);
    return lower_power(body, call->args[0], call->args[1]);
  default: BUG(body->cx, "'%s' is a node of its own", call->row->name); /* && || .. */
  }
}

/* ---- any row --------------------------------------------------------------------------------- */

static Value *lower_row(Body *body, Call *call);

/* Argument i is one of two: the same call of each. */
static Value *lower_row_of_both(Body *body, const Call *call, uint32_t i, const Either *either) {
  Value *of[2];
  for (uint32_t k = 0; k < 2; k++) {
    Call one = *call;
    one.args = NEWN(body->cx->arena, Value *, call->n_args);
    for (uint32_t j = 0; j < call->n_args; j++) one.args[j] = call->args[j];
    one.args[i] = k == 0 ? either->first : either->second;
    of[k] = lower_row(body, &one);
  }
  return build_either(body, either->cond, of[0], of[1]);
}

static Value *lower_row(Body *body, Call *call) {
  for (uint32_t i = 0; i < call->n_args; i++) {
    const Either *either = find_either(body, call->args[i]);
    if (either) return lower_row_of_both(body, call, i, either);
  }
  switch (call->row->lowering) {
  case LOWER_EIN: return lower_ein_row(body, call, 0);
  case LOWER_DERIV: return lower_deriv_row(body, call);
  case LOWER_OP: return lower_op_row(body, call);
  case LOWER_OTHER: return lower_other_row(body, call);
  case LOWER_FOLD: break; /* has no arguments of its own to lower */
  }
  UNREACHABLE(body->cx);
}

Value *lower_builtin(Body *body, const TExpr *expr) {
  if (expr->u.builtin.row->lowering == LOWER_FOLD) return lower_fold(body, expr);
  Call call = {.expr = expr, .row = expr->u.builtin.row, .n_args = expr->args.len};
  call.args = NEWN(body->cx->arena, Value *, call.n_args);
  for (uint32_t i = 0; i < call.n_args; i++) {
    call.args[i] = lower_expr(body, expr->args.data[i]);
    call.has_field |= value_is(call.args[i], TY_FIELD);
  }
  body->b.span = expr->span;
  Value *value = lower_row(body, &call);
  if (call.row->id == BI_INSIDE)
    record_probe(body, TRACE_INSIDE, expr, expr->args.data[1], call.args[0], value);
  return value;
}
