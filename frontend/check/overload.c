/* Overload resolution for builtins (doc/language.md, "Conversions and overloads"): in table order,
 * first a row that the argument types match exactly, then one to which they can be converted. If
 * none fits, the message lists the candidates and why each failed.
 */
#include <string.h>

#include "frontend/check/local.h"

typedef struct Choice {
  const Builtin *row;
  Bindings *bindings;
} Choice;

const Type **argument_type_list(Check *ck, const TExprVec *args) {
  const Type **types = NEWN(ck->arena, const Type *, args->len + 1);
  for (uint32_t i = 0; i < args->len; i++) types[i] = args->data[i]->ty;
  return types;
}

const char *argument_types(Check *ck, const TExprVec *args) {
  Text text = text_new(ck->arena);
  for (uint32_t i = 0; i < args->len; i++) {
    text_add(&text, i > 0 ? ", " : "");
    text_add(&text, type_text(ck->cx, args->data[i]->ty));
  }
  return text_str(&text);
}

static bool row_fits(Check *ck, const Builtin *row, SigMode mode, const TExprVec *args,
                     Bindings *bindings) {
  uint32_t failed;
  return sig_match(ck->cx, builtin_sig(ck->cx, row->id), mode, argument_type_list(ck, args),
                   args->len, bindings, &failed);
}

static TExpr *apply(Check *ck, Choice choice, Span span, TExprVec args) {
  const Sig *sig = builtin_sig(ck->cx, choice.row->id);
  const Type *result = sig_result(ck->cx, sig, choice.bindings, 0);
  bool is_query = strcmp(choice.row->name, "sphere") == 0; /* its caller knows the strand */
  if (!is_query && type_is(check_size(ck, result, span), TY_ERROR)) return error_expr(ck, span);
  TExpr *call = texpr_new(ck->arena, TE_BUILTIN, result, span);
  for (uint32_t i = 0; i < args.len; i++)
    args.data[i] = coerce(ck, args.data[i], sig_param(ck->cx, sig, choice.bindings, i));
  for (uint32_t i = 0; choice.row->lowering == LOWER_OP && i < args.len; i++)
    if (!check_one_variable(ck, args.data[i])) return error_expr(ck, span);
  call->args = args;
  call->u.builtin.row = choice.row;
  call->u.builtin.bindings = choice.bindings;
  return call;
}

static bool any_error(const TExprVec *args) {
  for (uint32_t i = 0; i < args->len; i++)
    if (is_error(args->data[i])) return true;
  return false;
}

/* Inner, outer and colon product: their operands are never converted. */
static bool is_tensor_product(const char *name) {
  return strcmp(name, "•") == 0 || strcmp(name, "⊗") == 0 || strcmp(name, ":") == 0;
}

/* ---- messages ------------------------------------------------------------------------------- */

static const char *why_not(Check *ck, const Builtin *row, const TExprVec *args) {
  Cx *cx = ck->cx;
  const Sig *sig = builtin_sig(cx, row->id);
  Bindings bindings;
  uint32_t failed;
  sig_match(cx, sig, SIG_COERCE, argument_type_list(ck, args), args->len, &bindings, &failed);
  if (failed < args->len) {
    const char *found = type_text(cx, args->data[failed]->ty);
    const Type *want = sig_param(cx, sig, &bindings, failed);
    if (type_is(want, TY_ERROR)) /* still open */
      return text_format(ck->arena, "argument %u is %s", failed + 1, found);
    return text_format(ck->arena, "argument %u is %s, not %s", failed + 1, found,
                       type_text(cx, want));
  }
  uint32_t n_params = sig_param_count(sig);
  return text_format(ck->arena, "it takes %u argument%s", n_params, n_params == 1 ? "" : "s");
}

static const char *spelled(const char *name) {
  if (strcmp(name, "norm") == 0) return "|…|";
  return strcmp(name, "neg") == 0 ? "-" : name;
}

/* Whether the message lists a row: with a field among the arguments only rows with fields,
 * otherwise only the others. */
static bool is_of_interest(const Builtin *row, const TExprVec *args) {
  bool has_field = false;
  for (uint32_t i = 0; i < args->len; i++)
    has_field = has_field || type_is(args->data[i]->ty, TY_FIELD);
  return has_field == (strstr(row->sig, "field#") != NULL);
}

static void list_candidates(Check *ck, const Builtin *rows, uint32_t n_rows, const TExprVec *args) {
  bool any_interest = false;
  for (uint32_t i = 0; i < n_rows; i++)
    any_interest = any_interest || is_of_interest(&rows[i], args);
  for (uint32_t i = 0; i < n_rows; i++)
    if (!any_interest || is_of_interest(&rows[i], args))
      diag_note(ck->cx, SPAN_NONE, N_CANDIDATE, d_text(rows[i].sig),
                d_text(why_not(ck, &rows[i], args)));
}

static void report_no_overload(Check *ck, const char *name, Span span, const TExprVec *args) {
  Cx *cx = ck->cx;
  uint32_t n_rows;
  const Builtin *rows = builtin_find(name, &n_rows);
  const Type *first = args->len > 0 ? args->data[0]->ty : type_error(cx);
  const Type *second = args->len > 1 ? args->data[1]->ty : type_error(cx);
  if (is_tensor_product(name)) {
    diag(cx, span, E_SHAPES_COMBINED, d_type(cx, first), d_type(cx, second), d_text(name));
    advise(ck, name, args);
  } else if (strcmp(name, "⊛") == 0) {
    diag(cx, span, E_CONVOLUTION, d_type(cx, first), d_type(cx, second));
    hint_quoted_kernel(ck, args);
  } else if (strcmp(name, "normalize") == 0 && type_coerces(first, type_real(cx))) {
    diag(cx, span, E_NORMALIZE_SCALAR, d_type(cx, first));
  } else {
    diag(cx, span, E_NO_OVERLOAD, d_text(spelled(name)), d_text(argument_types(ck, args)));
    if (!advise(ck, name, args)) list_candidates(ck, rows, n_rows, args);
  }
}

/* ---- rules that signatures cannot express --------------------------------------------------- */

/* normalize of a scalar, also of a scalar field. */
static bool is_scalar_normalize(const char *name, const TExprVec *args) {
  const Type *ty = args->len == 1 ? args->data[0]->ty : NULL;
  return ty && strcmp(name, "normalize") == 0 &&
         (type_is(ty, TY_TENSOR) || type_is(ty, TY_FIELD)) && type_shape(ty)->order == 0;
}

/* The exponent of a field must be a constant int; it is replaced by its value. */
static bool check_field_power(Check *ck, const TExprVec *args) {
  TExpr *exponent = args->data[1];
  Const *value;
  ConstStatus status = CONST_NOT;
  if (type_is(exponent->ty, TY_INT)) status = const_value(ck, exponent, &value);
  if (status == CONST_NOT) diag(ck->cx, exponent->span, E_FIELD_EXPONENT);
  if (status != CONST_KNOWN) return false;
  args->data[1] = const_expr(ck, value, exponent->span);
  return true;
}

static bool special_rules_hold(Check *ck, const char *name, Span span, const TExprVec *args) {
  if (is_scalar_normalize(name, args)) {
    diag(ck->cx, span, E_NORMALIZE_SCALAR, d_type(ck->cx, args->data[0]->ty));
    return false;
  }
  if (strcmp(name, "^") == 0 && type_is(args->data[0]->ty, TY_FIELD))
    return check_field_power(ck, args);
  return true;
}

/* ---- resolution ----------------------------------------------------------------------------- */

TExpr *resolve_among(Check *ck, const BuiltinId *rows, uint32_t n_rows, Span span, TExprVec args) {
  if (any_error(&args)) return error_expr(ck, span);
  Choice choice = {.bindings = NEW(ck->arena, Bindings)};
  for (int mode = SIG_EXACT; mode <= SIG_COERCE; mode++)
    for (uint32_t i = 0; i < n_rows; i++) {
      choice.row = builtin_row(rows[i]);
      if (row_fits(ck, choice.row, (SigMode)mode, &args, choice.bindings))
        return apply(ck, choice, span, args);
    }
  return NULL;
}

TExpr *resolve_builtin(Check *ck, const char *name, Span span, TExprVec args) {
  uint32_t n_rows;
  const Builtin *rows = builtin_find(name, &n_rows);
  ASSERT(ck->cx, rows != NULL);
  if (any_error(&args) || !special_rules_hold(ck, name, span, &args)) return error_expr(ck, span);
  Choice choice = {.bindings = NEW(ck->arena, Bindings)};
  SigMode last_mode = is_tensor_product(name) ? SIG_EXACT : SIG_COERCE;
  for (int mode = SIG_EXACT; mode <= (int)last_mode; mode++)
    for (uint32_t i = 0; i < n_rows; i++) {
      choice.row = &rows[i];
      if (row_fits(ck, choice.row, (SigMode)mode, &args, choice.bindings))
        return apply(ck, choice, span, args);
    }
  report_no_overload(ck, name, span, &args);
  return error_expr(ck, span);
}

TExpr *resolve_unary(Check *ck, const char *name, Span span, TExpr *operand) {
  TExprVec args = {0};
  vec_push(ck->arena, &args, operand);
  return resolve_builtin(ck, name, span, args);
}
