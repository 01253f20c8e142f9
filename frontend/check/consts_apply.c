/* Builtins applied to constants: exact integers, comparisons, logic. Rows are identified by their
 * name in programs and the types of their arguments. Next: consts_tensor.c for reals.
 */
#include <string.h>

#include "frontend/check/local.h"

/* ---- integers ------------------------------------------------------------------------------- */

typedef enum { INT_FITS, INT_OVERFLOWS, INT_DIVIDES_BY_ZERO } IntOutcome;
typedef IntOutcome IntOp(int64_t a, int64_t b, int64_t *result);

static IntOutcome int_add(int64_t a, int64_t b, int64_t *result) {
  if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) return INT_OVERFLOWS;
  *result = a + b;
  return INT_FITS;
}

static IntOutcome int_sub(int64_t a, int64_t b, int64_t *result) {
  if (b > 0 ? a < INT64_MIN + b : a > INT64_MAX + b) return INT_OVERFLOWS;
  *result = a - b;
  return INT_FITS;
}

static bool product_overflows(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return false;
  if (a > 0) return b > 0 ? a > INT64_MAX / b : b < INT64_MIN / a;
  return b > 0 ? a < INT64_MIN / b : b < INT64_MAX / a;
}

static IntOutcome int_mul(int64_t a, int64_t b, int64_t *result) {
  if (product_overflows(a, b)) return INT_OVERFLOWS;
  *result = a * b;
  return INT_FITS;
}

static IntOutcome int_div(int64_t a, int64_t b, int64_t *result) {
  if (b == 0) return INT_DIVIDES_BY_ZERO;
  if (a == INT64_MIN && b == -1) return INT_OVERFLOWS;
  *result = a / b;
  return INT_FITS;
}

static IntOutcome int_rem(int64_t a, int64_t b, int64_t *result) {
  if (b == 0) return INT_DIVIDES_BY_ZERO;
  *result = b == -1 ? 0 : a % b;
  return INT_FITS;
}

static IntOutcome int_min(int64_t a, int64_t b, int64_t *result) {
  *result = a < b ? a : b;
  return INT_FITS;
}

static IntOutcome int_max(int64_t a, int64_t b, int64_t *result) {
  *result = a > b ? a : b;
  return INT_FITS;
}

/* The unary ones ignore b. */
static IntOutcome int_neg(int64_t a, int64_t b, int64_t *result) {
  (void)b;
  return int_sub(0, a, result);
}

static IntOutcome int_abs(int64_t a, int64_t b, int64_t *result) {
  (void)b;
  if (a < 0) return int_sub(0, a, result);
  *result = a;
  return INT_FITS;
}

static const struct {
  const char *name;
  uint32_t n_args;
  IntOp *op;
} int_ops[] = {
    {"+", 2, int_add},   {"-", 2, int_sub},   {"*", 2, int_mul},
    {"/", 2, int_div},   {"%", 2, int_rem},   {"min", 2, int_min},
    {"max", 2, int_max}, {"neg", 1, int_neg}, {"norm", 1, int_abs},
};

static ConstStatus int_mistake(Check *ck, const TExpr *call, IntOutcome outcome) {
  DiagId id = outcome == INT_OVERFLOWS ? E_CONSTANT_OVERFLOW : E_CONSTANT_DIVISION;
  if (!ck->is_quiet) diag(ck->cx, call->span, id);
  return CONST_BAD;
}

static ConstStatus apply_int(Check *ck, const TExpr *call, Const **args, Const **value) {
  const char *name = call->u.builtin.row->name;
  for (size_t i = 0; i < sizeof int_ops / sizeof *int_ops; i++) {
    if (strcmp(name, int_ops[i].name) != 0 || call->args.len != int_ops[i].n_args) continue;
    if (!type_is(args[0]->ty, TY_INT)) return CONST_NOT;
    int64_t result = 0;
    IntOutcome outcome =
        int_ops[i].op(args[0]->i, int_ops[i].n_args == 2 ? args[1]->i : 0, &result);
    if (outcome == INT_FITS && !int_in_range(ck->cx, result)) outcome = INT_OVERFLOWS;
    if (outcome != INT_FITS) return int_mistake(ck, call, outcome);
    *value = const_from_int(ck, result);
    return CONST_KNOWN;
  }
  return CONST_NOT;
}

/* ---- comparisons ---------------------------------------------------------------------------- */

typedef struct Order {
  bool less, equal, greater; /* all false if an operand is NaN */
} Order;

#define ORDER(a, b) ((Order){(a) < (b), (a) == (b), (a) > (b)})

static Order order_of(const Const *a, const Const *b) {
  switch (type_kind(a->ty)) {
  case TY_BOOL: return ORDER(a->b, b->b);
  case TY_INT: return ORDER(a->i, b->i);
  case TY_STRING: return ORDER(strcmp(a->s, b->s), 0);
  default: return ORDER(a->reals[0].value, b->reals[0].value); /* the one kind left: real */
  }
}

static ConstStatus apply_bool(Check *ck, const TExpr *call, Const **args, Const **value) {
  const char *name = call->u.builtin.row->name;
  Const *result = const_new(ck, type_bool(ck->cx));
  *value = result;
  if (strcmp(name, "!") == 0) {
    result->b = !args[0]->b;
    return CONST_KNOWN;
  }
  if (call->args.len != 2) return CONST_NOT;
  Order order = order_of(args[0], args[1]);
  if (strcmp(name, "<") == 0) result->b = order.less;
  else if (strcmp(name, "<=") == 0) result->b = order.less || order.equal;
  else if (strcmp(name, ">") == 0) result->b = order.greater;
  else if (strcmp(name, ">=") == 0) result->b = order.greater || order.equal;
  else if (strcmp(name, "==") == 0) result->b = order.equal;
  else if (strcmp(name, "!=") == 0) result->b = !order.equal;
  else return CONST_NOT;
  return CONST_KNOWN;
}

ConstStatus const_apply(Check *ck, const TExpr *call, Const **args, Const **value) {
  switch (type_kind(call->ty)) {
  case TY_INT: return call->args.len > 0 ? apply_int(ck, call, args, value) : CONST_NOT;
  case TY_BOOL: return call->args.len > 0 ? apply_bool(ck, call, args, value) : CONST_NOT;
  case TY_TENSOR:
    *value = const_apply_tensor(ck, call, args);
    return *value ? CONST_KNOWN : CONST_NOT;
  default: return CONST_NOT; /* constants have no other types */
  }
}
