/* Expressions about other strands: p.x, strand sets such as S.all, and spatial queries. */
#include <string.h>

#include "frontend/check/local.h"

static TVar *find_state(const Check *ck, const Name *name) {
  for (uint32_t i = 0; i < ck->state.len; i++)
    if (ck->state.data[i]->name == name) return ck->state.data[i];
  return NULL;
}

static void suggest_state(Check *ck, const Name *name) {
  Nearest nearest = nearest_to(name);
  for (uint32_t i = 0; i < ck->state.len; i++)
    nearest_offer(&nearest, ck->state.data[i]->name->text);
  if (nearest.best)
    diag_note(ck->cx, SPAN_NONE, H_DID_YOU_MEAN, d_name(name_from(ck->cx->names, nearest.best)));
}

/* ---- strand sets ---------------------------------------------------------------------------- */

static const char *const set_names[] = {
    [SET_ALL] = "all", [SET_ACTIVE] = "active", [SET_STABLE] = "stable"};

static bool find_set(const char *name, StrandSet *set) {
  for (int i = SET_ALL; i <= SET_STABLE; i++)
    if (strcmp(name, set_names[i]) == 0) {
      *set = (StrandSet)i;
      return true;
    }
  return false;
}

/* A set is only allowed in global blocks, as the source of a reduction, and outside of loops. */
static bool set_is_allowed(Check *ck, const AstSelect *node) {
  if (!has_right(ck, MAY_REDUCE)) {
    diag(ck->cx, node->head.span, E_STRAND_SET_PLACE);
  } else if (ck->reduced_set != &node->head) {
    const Name *strand = ast_as_id(node->base)->name.name;
    diag(ck->cx, node->head.span, E_STRAND_SET_USE, d_name(strand));
  } else if (ck->loop_depth > 0) {
    diag(ck->cx, node->head.span, E_REDUCTION_NESTED);
  } else {
    return true;
  }
  return false;
}

static TExpr *check_strand_set(Check *ck, const AstSelect *node) {
  StrandSet set;
  if (!find_set(node->member.name->text, &set)) {
    diag(ck->cx, node->member.span, E_UNKNOWN_STRAND_SET, d_name(node->member.name));
    return error_expr(ck, node->head.span);
  }
  if (!set_is_allowed(ck, node)) return error_expr(ck, node->head.span);
  const Type *ty = type_seq(ck->cx, ck->strand_ty, SEQ_DYNAMIC);
  TExpr *expr = texpr_new(ck->arena, TE_STRAND_SET, ty, node->head.span);
  expr->u.set = set;
  ck->program->uses_strand_sets = true;
  return expr;
}

/* ---- state of another strand ---------------------------------------------------------------- */

static bool names_strand(Check *ck, const Ast *base) {
  if (base->kind != AST_ID) return false;
  const Name *name = ast_as_id(base)->name.name;
  const Symbol *symbol = scope_find(ck->scope, name);
  if (name != ast_as_strand(ck->source->strand)->name.name || (symbol && symbol->var)) return false;
  note_strand(ck, ast_as_id(base)->name);
  return true;
}

static TExpr *select_state(Check *ck, const AstSelect *node, TExpr *strand) {
  TVar *var = find_state(ck, node->member.name);
  if (!var) {
    if (was_unknown(ck, node->member.name)) return error_expr(ck, node->head.span);
    diag(ck->cx, node->member.span, E_NO_STATE_VARIABLE, d_name(type_strand_name(strand->ty)),
         d_name(node->member.name));
    suggest_state(ck, node->member.name);
    return error_expr(ck, node->head.span);
  }
  note_use(ck, var);
  note_var(ck, var, node->member.span);
  if (has_right(ck, IS_STRAND_CODE)) var->is_shared = true;
  TExpr *expr = texpr_new(ck->arena, TE_SELECT, var->ty, node->head.span);
  expr->u.var = var;
  vec_push(ck->arena, &expr->args, strand);
  return expr;
}

TExpr *check_select(Check *ck, const AstSelect *node) {
  if (names_strand(ck, node->base)) return check_strand_set(ck, node);
  TExpr *base = check_expr(ck, node->base, NULL);
  if (type_is(base->ty, TY_STRAND)) return select_state(ck, node, base);
  if (is_error(base)) return error_expr(ck, node->head.span);
  diag(ck->cx, node->head.span, E_SELECTION_TYPE, d_name(node->member.name),
       d_type(ck->cx, base->ty));
  hint_selected(ck, base->ty, node->member.name);
  return error_expr(ck, node->head.span);
}

/* ---- spatial queries ------------------------------------------------------------------------ */

static bool is_position_type(const Type *ty) {
  return type_is(ty, TY_TENSOR) && (type_shape(ty)->order == 0 ||
                                    (type_shape(ty)->order == 1 && type_shape(ty)->dims[0] <= 3));
}

/* The state variable pos, if a query is allowed here; NULL after a message. */
static TVar *query_pos(Check *ck, Span span) {
  if (!has_right(ck, MAY_QUERY)) {
    diag(ck->cx, span, E_QUERY_PLACE);
    return NULL;
  }
  const Name *name = name_from(ck->cx->names, "pos");
  TVar *pos = find_state(ck, name);
  if (!pos) {
    if (!was_unknown(ck, name))
      diag(ck->cx, span, E_QUERY_NO_POS, d_name(type_strand_name(ck->strand_ty)));
    return NULL;
  }
  note_use(ck, pos);
  pos->is_shared = true;
  if (is_position_type(pos->ty)) return pos;
  if (!type_is(pos->ty, TY_ERROR)) diag(ck->cx, span, E_QUERY_POS_TYPE, d_type(ck->cx, pos->ty));
  return NULL;
}

static bool center_fits(Check *ck, const TExpr *center, const TVar *pos) {
  if (type_coerces(center->ty, pos->ty)) return true;
  diag(ck->cx, center->span, E_QUERY_CENTER_TYPE, d_type(ck->cx, pos->ty),
       d_type(ck->cx, center->ty));
  return false;
}

TExpr *check_sphere(Check *ck, const AstCall *node, const Type *want) {
  (void)want; /* its own type says which strands */
  TExprVec args = {0};
  for (uint32_t i = 0; i < node->args.len; i++)
    vec_push(ck->arena, &args, check_expr(ck, node->args.data[i], NULL));
  const TVar *pos = query_pos(ck, node->head.span);
  if (!pos) return error_expr(ck, node->head.span);
  if (args.len != 1 && args.len != 2) {
    diag(ck->cx, node->head.span, E_ARGUMENT_COUNT, d_name(ast_as_id(node->callee)->name.name),
         d_text("1 or 2 arguments"), d_int(args.len));
    return error_expr(ck, node->head.span);
  }
  if (args.len == 2 && !center_fits(ck, args.data[0], pos)) return error_expr(ck, node->head.span);
  TExpr *query = resolve_builtin(ck, "sphere", node->head.span, args);
  if (query->kind != TE_BUILTIN) return query; /* a row has no type for the strand either */
  query->ty = type_seq(ck->cx, ck->strand_ty, SEQ_DYNAMIC);
  ck->program->uses_queries = true;
  return query;
}
