/* Assignments: which variables may be assigned where, and x op= e. */
#include <string.h>

#include "frontend/check/local.h"

/* The declaration that was probably meant; `value` is NULL where its type is not known. */
static void hint_declaration(Check *ck, const AstAssign *node, const TExpr *value) {
  if (!value || is_error(value) || strcmp(node->op.name->text, "=") != 0) return;
  const char *ty = type_text(ck->cx, value->ty);
  diag_note(ck->cx, SPAN_NONE, H_WRITE,
            d_text(text_format(ck->arena, "%s %s = ... for a new variable of type %s", ty,
                               node->name.name->text, ty)));
}

static void report_unknown_target(Check *ck, const AstAssign *node) {
  const Ident name = node->name;
  ck->is_target_unknown = true;
  const bool is_known = was_unknown(ck, name.name); /* before uses in the value */
  const TExpr *value = needs_context(node->value) ? NULL : check_expr(ck, node->value, NULL);
  if (is_known) return;
  Nearest nearest = nearest_to(name.name);
  diag(ck->cx, name.span, E_UNDECLARED_ASSIGNED, d_name(name.name));
  nearest_offer_variables(&nearest, ck->scope);
  if (nearest.best)
    diag_note(ck->cx, SPAN_NONE, H_DID_YOU_MEAN, d_name(name_from(ck->cx->names, nearest.best)));
  else hint_declaration(ck, node, value);
}

/* The name of a kind of variables that cannot be assigned, for messages; NULL for other kinds. */
static const char *unassignable(TVarKind kind) {
  switch (kind) {
  case TV_CONST: return "a constant";
  case TV_FUN_PARAM: return "a parameter";
  case TV_STRAND_PARAM: return "a strand parameter";
  case TV_ITER: return "an iteration variable";
  case TV_INPUT:
  case TV_GLOBAL:
  case TV_FIELD_FUN:
  case TV_STATE:
  case TV_LOCAL: return NULL;
  }
  return NULL;
}

static const char *abstract_plural(const Type *ty) {
  switch (type_kind(ty)) {
  case TY_FIELD: return "fields";
  case TY_IMAGE: return "images";
  case TY_KERNEL: return "kernels";
  default: return NULL; /* all other types can be assigned */
  }
}

static bool may_assign(Check *ck, const TVar *var, Ident name) {
  const char *kind = unassignable(var->kind), *plural = abstract_plural(var->ty);
  bool is_global = var->kind == TV_GLOBAL || var->kind == TV_INPUT || var->kind == TV_FIELD_FUN;
  if (kind) diag(ck->cx, name.span, E_NOT_ASSIGNABLE, d_name(name.name), d_text(kind));
  else if (plural) diag(ck->cx, name.span, E_FIELD_ASSIGNED, d_text(plural), d_name(name.name));
  else if (is_global && !has_right(ck, MAY_SET_GLOBALS))
    diag(ck->cx, name.span, E_GLOBAL_ASSIGNED, d_name(name.name));
  else return true;
  diag_note(ck->cx, var->span, N_DECLARED_HERE, d_name(name.name));
  return false;
}

static void note_assignment(const Check *ck, TVar *var) {
  if (var->kind == TV_GLOBAL || var->kind == TV_INPUT) var->is_set_globally = true;
  bool is_later =
      ck->place == PLACE_START || ck->place == PLACE_UPDATE || ck->place == PLACE_STABILIZE;
  if (var->kind == TV_STATE && is_later) var->is_varying = true;
}

/* x op e for x op= e; the operand x is not a use of the variable. */
static TExpr *check_compound(Check *ck, const AstAssign *node, TVar *var) {
  const char *op = node->op.name->text;
  uint32_t n_rows;
  const BuiltinId *rows = builtin_compound(op, &n_rows);
  TExprVec args = {0};
  vec_push(ck->arena, &args, var_expr(ck, var, node->name.span));
  vec_push(ck->arena, &args, check_expr(ck, node->value, NULL));
  TExpr *result = resolve_among(ck, rows, n_rows, node->head.span, args);
  if (!result) {
    diag(ck->cx, node->head.span, E_NO_OVERLOAD, d_text(op), d_text(argument_types(ck, &args)));
    return error_expr(ck, node->head.span);
  }
  if (type_coerces(result->ty, var->ty)) return coerce(ck, result, var->ty);
  diag(ck->cx, node->head.span, E_COMPOUND_TYPE, d_name(var->name), d_text(op),
       d_type(ck->cx, result->ty), d_name(var->name), d_type(ck->cx, var->ty));
  return error_expr(ck, node->head.span);
}

static TExpr *check_assigned_value(Check *ck, const AstAssign *node, TVar *var) {
  if (strcmp(node->op.name->text, "=") != 0) return check_compound(ck, node, var);
  return check_expr_as(ck, node->value, var->ty, "assignment");
}

TStmt *check_assign(Check *ck, const AstAssign *node) {
  const Symbol *symbol = find_name(ck, node->name);
  TVar *var = symbol ? symbol->var : NULL;
  if (!var) report_unknown_target(ck, node);
  if (!var || !may_assign(ck, var, node->name)) {
    if (var && !needs_context(node->value)) check_expr(ck, node->value, NULL);
    return tstmt_new(ck->arena, TS_BLOCK, node->head.span); /* in place of what cannot be done */
  }
  TStmt *assign = tstmt_new(ck->arena, TS_ASSIGN, node->head.span);
  assign->var = var;
  assign->expr = check_assigned_value(ck, node, var);
  note_assignment(ck, var);
  return assign;
}
