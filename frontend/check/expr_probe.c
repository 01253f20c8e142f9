/* Probes: a field applied to a position, to one position per variable, or, by inst, to every
 * position of a sequence.
 *
 * The value and the derivatives of a field of several variables at a, b, ... are those of the field
 * t -> e(a + t, b + t, ...)  at t = 0. A component of a vector moves along its own axis, a scalar
 * along all axes, a fixed variable along none.
 */
#include <string.h>

#include "frontend/check/local.h"

/* ---- one position --------------------------------------------------------------------------- */

static TExpr *probe_expr(Check *ck, TExpr *field, TExpr *pos, Span span) {
  const Type *ty = type_tensor(ck->cx, *type_shape(field->ty));
  TExpr *expr = texpr_new(ck->arena, TE_PROBE, ty, span);
  vec_push(ck->arena, &expr->args, field);
  vec_push(ck->arena, &expr->args, pos);
  return expr;
}

static TExpr *probe(Check *ck, TExpr *field, TExpr *pos, Span span) {
  if (is_error(field) || is_error(pos)) return error_expr(ck, span);
  const Type *pos_ty = type_vec(ck->cx, type_dim(field->ty));
  if (!type_coerces(pos->ty, pos_ty)) {
    diag(ck->cx, pos->span, E_PROBE_POSITION, d_int(type_dim(field->ty)), d_type(ck->cx, pos->ty));
    return error_expr(ck, span);
  }
  return probe_expr(ck, field, coerce(ck, pos, pos_ty), span);
}

/* The field that gives want at a position of that type, for loads inside the probed expression. */
static const Type *probed_type(Check *ck, const TExpr *pos, const Type *want) {
  if (!pos || !want || !type_is(want, TY_TENSOR) || !type_is(pos->ty, TY_TENSOR)) return NULL;
  const Shape *shape = type_shape(pos->ty);
  uint32_t dim = shape->order == 0 ? 1 : shape->dims[0];
  if (shape->order > 1 || dim > 3) return NULL;
  return type_field(ck->cx, CONTINUITY_INF, dim, *type_shape(want));
}

/* ---- several variables ---------------------------------------------------------------------- */

static bool same_variables(const TVarVec *a, const TVarVec *b) {
  if (a == b) return true;
  if (!a || !b || a->len != b->len) return false;
  for (uint32_t i = 0; i < a->len; i++)
    if (a->data[i]->ty != b->data[i]->ty) return false;
  return true;
}

static void report_variables(Check *ck, Span span, const TVarVec *variables) {
  const uint32_t n = variables ? variables->len : 1;
  diag(ck->cx, span, E_FIELD_VARIABLES, d_int(n), d_text(n == 1 ? "" : "s"));
}

/* A field of one variable that is fixed counts, too: its variable cannot be the position. */
static bool is_of_several(const TExpr *field) {
  return field->kind == TE_FORMULA &&
         (field->u.params.len > 1 || field->u.params.data[0]->is_fixed);
}

bool field_variables(Check *ck, const TExpr *field, const TVarVec **variables) {
  *variables = NULL;
  if (!type_is(field->ty, TY_FIELD)) return true;
  if (field->kind == TE_VAR) *variables = field->u.var->variables;
  if (is_of_several(field)) *variables = &field->u.params;
  const TExpr *first = NULL;
  for (uint32_t i = 0; i < field->args.len && field->kind != TE_FORMULA; i++) {
    const TVarVec *of_arg;
    const TExpr *arg = field->args.data[i];
    if (!type_is(arg->ty, TY_FIELD)) continue;
    if (!field_variables(ck, arg, &of_arg)) return false;
    if (!first) *variables = of_arg;
    else if (!same_variables(*variables, of_arg)) {
      report_variables(ck, arg->span, of_arg);
      return false;
    }
    first = arg;
  }
  return true;
}

bool check_one_variable(Check *ck, const TExpr *field) {
  const TVarVec *variables;
  if (!field_variables(ck, field, &variables)) return false;
  if (variables) report_variables(ck, field->span, variables);
  return !variables;
}

/* The variable plus t: along its own axes, along all, or not at all. */
static TExpr *moved(Check *ck, TVar *variable, const TVar *from, TVar *t, Span span) {
  TExpr *value = var_expr(ck, variable, span), *shift = var_expr(ck, t, span);
  TExprVec args = {0};
  if (from->is_fixed) return value;
  if (variable->ty != t->ty) {
    vec_push(ck->arena, &args, shift);
    vec_push(ck->arena, &args, const_expr(ck, const_from_reals(ck, t->ty, 1), span));
    shift = resolve_builtin(ck, "•", span, args);
    args = (TExprVec){0};
  }
  vec_push(ck->arena, &args, value);
  vec_push(ck->arena, &args, shift);
  return resolve_builtin(ck, "+", span, args);
}

typedef struct Closing {
  const TVarVec *variables; /* of the probe */
  TVar *t;
  const TExpr *formula; /* the one around, else NULL */
} Closing;

static TExpr *close_formula(Substitution *sub, TExpr *expr) {
  Closing *closing = sub->context;
  Check *ck = sub->ck;
  TExpr *copy = NEW(ck->arena, TExpr);
  *copy = *expr;
  copy->args = (TExprVec){0};
  copy->u.params = (TVarVec){0};
  vec_push(ck->arena, &copy->u.params, closing->t);
  closing->formula = expr;
  vec_push(ck->arena, &copy->args, substitute(sub, expr->args.data[0]));
  closing->formula = NULL;
  return copy;
}

/* The value that the probe has for a variable of the enclosing formula. */
static TExpr *close_param(Substitution *sub, const TExpr *expr) {
  const Closing *closing = sub->context;
  const TVarVec *params = &closing->formula->u.params;
  for (uint32_t i = 0; i < params->len; i++)
    if (params->data[i] == expr->u.var)
      return moved(sub->ck, closing->variables->data[i], params->data[i], closing->t, expr->span);
  return NULL;
}

static TExpr *close(Substitution *sub, TExpr *expr) {
  const Closing *closing = sub->context;
  if (is_of_several(expr)) return close_formula(sub, expr);
  if (expr->kind != TE_VAR) return NULL;
  if (expr->u.var->variables) return substitute(sub, expr->u.var->init);
  return closing->formula ? close_param(sub, expr) : expr;
}

static bool bind_variables(Check *ck, const TVarVec *variables, TExprVec values, TExpr *expr) {
  for (uint32_t i = 0; i < variables->len; i++) {
    const TVar *from = variables->data[i];
    const char *what = text_format(ck->arena, "position '%s'", from->name->text);
    TExpr *value = coerce_or_report(ck, values.data[i], from->ty, what);
    if (is_error(value)) return false;
    TVar *bound = new_var(ck, TV_FUN_PARAM, (Ident){from->name, from->span}, from->ty);
    vec_push(ck->arena, &expr->args, value);
    vec_push(ck->arena, &expr->u.params, bound);
  }
  return true;
}

static TExpr *probe_at_all(Check *ck, TExpr *field, const TVarVec *variables, TExprVec values,
                           Span span) {
  const Type *pos_ty = type_vec(ck->cx, type_dim(field->ty));
  TExpr *expr = probe_expr(ck, field, const_expr(ck, const_from_reals(ck, pos_ty, 0), span), span);
  if (!bind_variables(ck, variables, values, expr)) return error_expr(ck, span);
  Ident t = {name_from(ck->cx->names, "t"), span};
  Closing closing = {&expr->u.params, new_var(ck, TV_FUN_PARAM, t, pos_ty), NULL};
  Substitution sub = {.ck = ck, .span = span, .replace = close, .context = &closing};
  expr->args.data[0] = substitute(&sub, field);
  note_depth(ck, sub.deepest);
  return sub.is_too_large ? error_expr(ck, span) : expr;
}

/* ---- as many positions as the field has variables -------------------------------------------- */

static TExpr *probe_sequence(Check *ck, TExpr *field, TExpr *positions, Span span) {
  Ident name = {name_from(ck->cx->names, "x"), span};
  TVar *each = new_var(ck, TV_ITER, name, type_elem(positions->ty));
  TExpr *value = probe(ck, field, var_expr(ck, each, positions->span), span);
  if (is_error(value)) return value;
  TExpr *map = texpr_new(ck->arena, TE_MAP, type_seq(ck->cx, value->ty, SEQ_DYNAMIC), span);
  map->u.var = each;
  vec_push(ck->arena, &map->args, value);
  vec_push(ck->arena, &map->args, positions);
  return map;
}

static const Name *field_name(Check *ck, const Ast *node) {
  return node->kind == AST_ID ? ast_as_id(node)->name.name : name_from(ck->cx->names, "field");
}

static bool any_error(const TExprVec *args) {
  for (uint32_t i = 0; i < args->len; i++)
    if (is_error(args->data[i])) return true;
  return false;
}

/* Position i. If it is not needed after an error, it is still checked for mistakes in it. */
static TExpr *check_position(Check *ck, const AstList *positions, uint32_t i) {
  const Ast *node = positions->data[i];
  if (positions->len > 1 && needs_context(node)) return error_expr(ck, node->span);
  return check_expr(ck, node, NULL);
}

/* A field with a reduction, which has values but no derivatives; NULL for any other. */
static TVar *reduced_field(Check *ck, const Ast *callee) {
  if (callee->kind != AST_ID) return NULL;
  const Symbol *symbol = scope_find(ck->scope, ast_as_id(callee)->name.name);
  return symbol && symbol->var && symbol->var->fun ? symbol->var : NULL;
}

static TExpr *call_reduced(Check *ck, TVar *var, TExpr *pos, Span span) {
  if (is_error(pos)) return error_expr(ck, span);
  const Type *pos_ty = var->fun_param->ty;
  note_use(ck, var);
  if (!type_coerces(pos->ty, pos_ty)) {
    diag(ck->cx, pos->span, E_PROBE_POSITION, d_int(type_dim(var->ty)), d_type(ck->cx, pos->ty));
    return error_expr(ck, span);
  }
  TExpr *call = texpr_new(ck->arena, TE_CALL, var->fun->result, span);
  call->u.fun = var->fun;
  vec_push(ck->arena, &call->args, coerce(ck, pos, pos_ty));
  return call;
}

/* Whether sequences of positions are taken is up to the form of the probe. */
static TExpr *probe_field(Check *ck, const Ast *callee, const AstList *positions, Span span,
                          const Type *want, bool takes_sequence) {
  TExprVec values = {0};
  for (uint32_t i = 0; i < positions->len; i++)
    vec_push(ck->arena, &values, check_position(ck, positions, i));
  const TVarVec *variables;
  TExpr *first = values.len == 1 ? values.data[0] : NULL;
  TVar *reduced = reduced_field(ck, callee);
  if (first && reduced) return call_reduced(ck, reduced, first, span);
  TExpr *field = check_expr(ck, callee, probed_type(ck, first, want));
  if (is_error(field)) return error_expr(ck, span);
  if (!type_is(field->ty, TY_FIELD)) {
    diag(ck->cx, callee->span, E_NOT_APPLICABLE, d_type(ck->cx, field->ty));
    hint_applied(ck, field, &values);
    return error_expr(ck, span);
  }
  if (!field_variables(ck, field, &variables)) return error_expr(ck, span);
  const uint32_t n = variables ? variables->len : 1;
  if (values.len != n) {
    const char *count = text_format(ck->arena, "%u argument%s", n, n == 1 ? "" : "s");
    diag(ck->cx, span, E_ARGUMENT_COUNT, d_name(field_name(ck, callee)), d_text(count),
         d_int(values.len));
    if (!variables && values.len > 1)
      diag_note(ck->cx, SPAN_NONE, H_WRITE,
                d_text(type_dim(field->ty) == 1 ? "F(x): a position is one real"
                                                : "F([x, y, ...]): a position is one vector"));
    return error_expr(ck, span);
  }
  if (any_error(&values)) return error_expr(ck, span);
  if (variables) return probe_at_all(ck, field, variables, values, span);
  if (!first) UNREACHABLE(ck->cx); /* one argument: it was counted */
  bool is_sequence = takes_sequence && type_is(first->ty, TY_SEQ);
  return is_sequence ? probe_sequence(ck, field, first, span) : probe(ck, field, first, span);
}

TExpr *check_probe(Check *ck, const AstCall *node, const Type *want) {
  return probe_field(ck, node->callee, &node->args, node->head.span, want, false);
}

/* ---- inst, SUM, MAX, MIN -------------------------------------------------------------------- */

TExpr *check_inst(Check *ck, const AstCall *node, const Type *want) {
  AstList positions = {node->args.data + 1, node->args.len - 1, 0};
  return probe_field(ck, node->args.data[0], &positions, node->head.span, want, true);
}

/* SUM(F, s) and SUM(inst(F, s)): the reduction is called as the form, in small letters. */
TExpr *check_reduced_probe(Check *ck, const AstCall *node, const Type *want) {
  (void)want; /* the type of an element, not of the field's */
  const char *form = ast_as_id(node->callee)->name.name->text;
  const char *name = form[0] == 'S' ? "sum" : strcmp(form, "MAX") == 0 ? "max" : "min";
  TExprVec args = {0};
  TExpr *values =
      node->args.len == 1 ? check_expr(ck, node->args.data[0], NULL) : check_inst(ck, node, NULL);
  if (!is_error(values) && !type_is(values->ty, TY_SEQ)) {
    diag(ck->cx, values->span, E_NOT_A_SEQUENCE, d_type(ck->cx, values->ty));
    return error_expr(ck, node->head.span);
  }
  vec_push(ck->arena, &args, values);
  return resolve_builtin(ck, name, node->head.span, args);
}
