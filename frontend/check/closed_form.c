/* Fields given by a closed form over variables, in the syntax of a development branch of Diderot:
 *
 *   cfexp(e, v, ...)    e as a function of the globals v, ...; other globals that e reads are
 *                       replaced by their definitions if these depend on v, ...
 *   poly(v, ..., e)     the same
 *   expression(e, v, ...), setDiffVar(F, v)   the same with fixed variables; one of them moves
 *   ofield#k(d, ...)[s] F(T a, ...)(U b, ...) = e      moving variables, then fixed ones
 *
 * Each is a TE_FORMULA; expr_probe.c says what fields of several variables are.
 */
#include <string.h>

#include "frontend/check/local.h"

static TExpr *formula_expr(Check *ck, TExpr *value, TVarVec params, uint32_t dim, Span span) {
  uint32_t continuity;
  if (!check_formula_value(ck, value, &continuity)) return error_expr(ck, span);
  const Type *ty = type_field(ck->cx, continuity, dim, *type_shape(value->ty));
  TExpr *expr = texpr_new(ck->arena, TE_FORMULA, ty, span);
  expr->u.params = params;
  vec_push(ck->arena, &expr->args, value);
  return expr;
}

/* ---- the space ------------------------------------------------------------------------------ */

/* The dimension of positions of that type; 0 if it is no type of positions. */
static uint32_t position_dim(const Type *ty) {
  if (!type_is(ty, TY_TENSOR)) return 0;
  const Shape *shape = type_shape(ty);
  if (shape->order == 0) return 1;
  return shape->order == 1 && shape->dims[0] <= 3 ? shape->dims[0] : 0;
}

/* The dimension of the field's domain: that of the vectors among the variables, or else of the type
 * wanted; scalars vary along all axes. 0 after a message. */
static uint32_t space_of(Check *ck, const TVarVec *params, const Type *want, Span span) {
  uint32_t dim = 1;
  for (uint32_t i = 0; i < params->len; i++) {
    const uint32_t own = position_dim(params->data[i]->ty);
    if (params->data[i]->is_fixed || own == 1) continue;
    if (dim != 1 && dim != own) {
      diag(ck->cx, span, E_FORMULA_SPACE, d_int(dim), d_int(own));
      return 0;
    }
    dim = own;
  }
  const bool is_open = dim == 1 && params->len > 1 && want && type_is(want, TY_FIELD);
  return is_open ? type_dim(want) : dim;
}

/* ---- cfexp and poly -------------------------------------------------------------------------- */

typedef struct Opening {
  TVarVec variables, params; /* each variable becomes the parameter of the same number */
  Map *unchanged;            /* globals that depend on none of them */
} Opening;

static TExpr *open_global(Substitution *sub, TExpr *expr) {
  Opening *opening = sub->context;
  TVar *var = expr->u.var;
  const bool has_definition = var->kind == TV_GLOBAL && var->init && !is_abstract(var->ty);
  if (!has_definition || map_has(opening->unchanged, var)) return expr;
  TExpr *definition = substitute(sub, var->init);
  if (definition == var->init) {
    map_put(opening->unchanged, var, sub);
    return expr;
  }
  vec_push(sub->ck->arena, &sub->ck->opened, var_expr(sub->ck, var, sub->span));
  return definition;
}

/* The parameter that a variable has become, or NULL. */
static TExpr *param_of(const Substitution *sub, const TExpr *expr) {
  const Opening *opening = sub->context;
  for (uint32_t i = 0; i < opening->variables.len; i++)
    if (opening->variables.data[i] == expr->u.var)
      return var_expr(sub->ck, opening->params.data[i], expr->span);
  return NULL;
}

static TExpr *open(Substitution *sub, TExpr *expr) {
  if (expr->kind != TE_VAR) return NULL;
  TExpr *param = param_of(sub, expr);
  return param ? param : open_global(sub, expr);
}

/* A global real or vector by its name; NULL after a message. */
static TVar *check_variable(Check *ck, const Ast *node) {
  const TExpr *expr = check_expr(ck, node, NULL);
  if (is_error(expr)) return NULL;
  TVar *var = expr->kind == TE_VAR ? expr->u.var : NULL;
  const bool is_global = var && (var->kind == TV_GLOBAL || var->kind == TV_INPUT);
  if (is_global && position_dim(var->ty) > 0) return var;
  diag(ck->cx, node->span, E_FORMULA_VARIABLE);
  return NULL;
}

static bool add_variable(Check *ck, Opening *opening, const Ast *node, bool is_fixed) {
  TVar *var = check_variable(ck, node);
  if (!var) return false;
  TVar *param = new_var(ck, TV_FUN_PARAM, (Ident){var->name, node->span}, var->ty);
  param->is_fixed = is_fixed;
  vec_push(ck->arena, &opening->variables, var);
  vec_push(ck->arena, &opening->params, param);
  return true;
}

/* The value of the form, a tensor. */
static TExpr *check_form_value(Check *ck, const Ast *node, const Type *want) {
  const bool has_shape = want && type_is(want, TY_FIELD);
  const Type *ty = has_shape ? type_tensor(ck->cx, *type_shape(want)) : type_real(ck->cx);
  TExpr *value = check_expr(ck, node, ty);
  if (is_error(value) || type_is(value->ty, TY_TENSOR)) return value;
  return coerce_or_report(ck, value, ty, "a closed form");
}

static TExpr *make_closed(Check *ck, const Ast *value_node, Opening *opening, const Type *want,
                          Span span) {
  TExpr *value = check_form_value(ck, value_node, want);
  const uint32_t dim = space_of(ck, &opening->params, want, span);
  if (is_error(value) || dim == 0) return error_expr(ck, span);
  opening->unchanged = map_new(ck->arena);
  Substitution sub = {.ck = ck, .span = span, .replace = open, .context = opening};
  value = substitute(&sub, value);
  note_depth(ck, sub.deepest);
  if (sub.is_too_large) return error_expr(ck, span);
  return formula_expr(ck, value, opening->params, dim, span);
}

TExpr *check_closed_form(Check *ck, const AstCall *node, const Type *want) {
  const char *form = ast_as_id(node->callee)->name.name->text;
  const bool is_fixed = strcmp(form, "expression") == 0;
  const uint32_t n = node->args.len, at = strcmp(form, "poly") == 0 ? n - 1 : 0;
  Opening opening = {0};
  bool is_good = ck->place == PLACE_GLOBAL;
  if (!is_good) diag(ck->cx, node->head.span, E_FORMULA_PLACE, d_text(form));
  for (uint32_t i = 0; i < n && is_good; i++)
    if (i != at) is_good = add_variable(ck, &opening, node->args.data[i], is_fixed);
  if (!is_good) return error_expr(ck, node->head.span);
  return make_closed(ck, node->args.data[at], &opening, want, node->head.span);
}

/* ---- setDiffVar ----------------------------------------------------------------------------- */

static TExpr *find_formula(TExpr *field) {
  while (field->kind == TE_VAR || field->kind == TE_COERCE) {
    TExpr *inner = field->kind == TE_VAR ? field->u.var->init : field->args.data[0];
    if (!inner) break;
    field = inner;
  }
  return field;
}

static TExpr *rename_param(Substitution *sub, TExpr *expr) {
  if (expr->kind != TE_VAR) return NULL;
  TExpr *param = param_of(sub, expr);
  return param ? param : expr;
}

TExpr *check_moving(Check *ck, const AstCall *node, const Type *want) {
  const Span span = node->head.span;
  TExpr *formula = find_formula(check_expr(ck, node->args.data[0], want));
  const TVar *var = check_variable(ck, node->args.data[1]);
  if (!var || is_error(formula)) return error_expr(ck, span);
  Opening opening = {0};
  bool is_found = false;
  for (uint32_t i = 0; formula->kind == TE_FORMULA && i < formula->u.params.len; i++) {
    TVar *old = formula->u.params.data[i];
    TVar *param = new_var(ck, TV_FUN_PARAM, (Ident){old->name, old->span}, old->ty);
    param->is_fixed = old->is_fixed && old->name != var->name;
    is_found = is_found || old->name == var->name;
    vec_push(ck->arena, &opening.variables, old);
    vec_push(ck->arena, &opening.params, param);
  }
  if (!is_found) {
    diag(ck->cx, span, E_FORMULA_VARIABLE);
    return error_expr(ck, span);
  }
  const uint32_t dim = space_of(ck, &opening.params, want, span);
  Substitution sub = {.ck = ck, .span = span, .replace = rename_param, .context = &opening};
  TExpr *value = substitute(&sub, formula->args.data[0]);
  if (dim == 0 || sub.is_too_large) return error_expr(ck, span);
  return formula_expr(ck, value, opening.params, dim, span);
}

/* ---- ofield functions ----------------------------------------------------------------------- */

static bool add_params(Check *ck, const AstList *nodes, bool is_fixed, TVarVec *params) {
  bool is_good = true;
  for (uint32_t i = 0; i < nodes->len; i++) {
    const AstParam *node = ast_as_param(nodes->data[i]);
    TVar *param = declare_var(ck, TV_FUN_PARAM, node->name, check_type(ck, node->type));
    param->is_fixed = is_fixed;
    vec_push(ck->arena, params, param);
    if (type_is(param->ty, TY_ERROR)) is_good = false;
    else if (position_dim(param->ty) == 0) {
      diag(ck->cx, node->type->span, E_DECLARED_TYPE, d_text("a variable of a field"),
           d_type(ck->cx, param->ty));
      is_good = false;
    }
  }
  return is_good;
}

TExpr *check_ofield_formula(Check *ck, const AstOfieldFun *node, const TVar *field) {
  TVarVec params = {0};
  Scope *outside = enter_scope(ck, node->head.span);
  ck->place = PLACE_FIELD_FUNCTION;
  bool is_good = add_params(ck, &node->params, false, &params);
  is_good = add_params(ck, &node->fixed, true, &params) && is_good;
  TExpr *value = check_formula_body(ck, node->body, field);
  ck->scope = outside;
  is_good = is_good && !is_error(value) && !type_is(field->ty, TY_ERROR);
  const uint32_t dim = is_good ? space_of(ck, &params, field->ty, node->name.span) : 0;
  if (dim == 0) return error_expr(ck, node->body->span);
  return formula_expr(ck, value, params, dim, node->body->span);
}

/* ---- after the whole program ---------------------------------------------------------------- */

void check_opened(Check *ck) {
  for (uint32_t i = 0; i < ck->opened.len; i++) {
    const TExpr *expr = ck->opened.data[i];
    if (!expr->u.var->is_set_globally) continue;
    diag(ck->cx, expr->span, E_FORMULA_ASSIGNED, d_name(expr->u.var->name));
    diag_note(ck->cx, expr->u.var->span, N_DECLARED_HERE, d_name(expr->u.var->name));
  }
}
