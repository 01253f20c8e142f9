/* tree_verify: what every tree program keeps. A variable is declared once, in a scope around each
 * of its uses; only mutable ones are assigned; types agree; a LEAVE has the arity of its function
 * and is the last statement of its block; control does not fall off a function's end.
 */
#include "frontend/base/map.h"
#include "frontend/base/panic.h"
#include "ir/tree/tree.h"

typedef struct Verify {
  Cx *cx;
  const TreeProgram *program;
  const TreeFunc *fn;
  VEC(TreeVar *) visible; /* in scope here, outermost first */
  Map *named;             /* Name to the visible variable of that name, or to NULL */
} Verify;

static void verify_block(Verify *v, const TreeStmtVec *stmts);
static void verify_open_block(Verify *v, const TreeStmtVec *stmts);

static const Name *name_of(const Verify *v, const TreeVar *var) {
  return name_from(v->cx->names, var->name);
}

static void declare(Verify *v, TreeVar *var) {
  if (map_get(v->named, name_of(v, var)))
    BUG(v->cx, "%s: %s is declared twice", v->fn->name, var->name);
  map_put(v->named, name_of(v, var), var);
  vec_push(v->cx->scratch, &v->visible, var);
}

/* Ends the scopes that began when `outside` variables were visible. */
static void forget(Verify *v, uint32_t outside) {
  while (v->visible.len > outside)
    map_put(v->named, name_of(v, v->visible.data[--v->visible.len]), NULL);
}

static bool is_visible(const Verify *v, const TreeVar *var) {
  return map_get(v->named, name_of(v, var)) == var;
}

static void verify_var(Verify *v, const TreeVar *var) {
  if (!is_visible(v, var)) BUG(v->cx, "%s: %s is used outside its scope", v->fn->name, var->name);
}

/* ---- expressions ----------------------------------------------------------------------------- */

static void verify_signature(Verify *v, const TreeExpr *expr) {
  const Sig *sig = op_sig(v->cx, expr->op);
  ArenaMark mark = arena_mark(v->cx->scratch);
  const Type **types = NEWN(v->cx->scratch, const Type *, expr->args.len);
  for (uint32_t i = 0; i < expr->args.len; i++) types[i] = expr->args.data[i]->ty;
  Bindings bindings;
  uint32_t failed;
  bool fits = sig_match(v->cx, sig, SIG_EXACT, types, expr->args.len, &bindings, &failed) &&
              (!expr->ty || sig_match_result(v->cx, sig, &bindings, 0, expr->ty));
  if (!fits) BUG(v->cx, "%s: %s does not fit its signature", v->fn->name, op_text(expr->op));
  arena_reset(v->cx->scratch, mark);
}

/* Args from first on are the parts of whole elements of a sequence type. */
static bool are_elements(const Verify *v, const Type *seq, const TreeExpr *expr, uint32_t first) {
  const Type *part = tree_component_type(v->cx, type_elem(seq));
  uint32_t n_parts = tree_component_count(type_elem(seq));
  for (uint32_t i = first; i < expr->args.len; i++)
    if (expr->args.data[i]->ty != part) return false;
  return (expr->args.len - first) % n_parts == 0;
}

/* The type of an element of a nested sequence; NULL if there are too many indices. */
static const Type *indexed(const Verify *v, const TreeExpr *expr) {
  const Type *elem = expr->args.len > 1 ? expr->args.data[0]->ty : NULL;
  for (uint32_t i = 1; elem && i < expr->args.len; i++) {
    bool is_int = expr->args.data[i]->ty == type_int(v->cx);
    bool is_seq = i == 1 ? type_is(elem, TY_SEQ) : type_is_fixed_seq(elem);
    elem = is_int && is_seq ? type_elem(elem) : NULL;
  }
  return elem;
}

static bool is_part_of(const Verify *v, const TreeExpr *expr) {
  const Type *elem = indexed(v, expr);
  return elem && !type_is_fixed_seq(elem) && expr->ty == tree_component_type(v->cx, elem) &&
         expr->attr.i >= 0 && expr->attr.i < tree_component_count(elem);
}

static bool is_copy_of(const Verify *v, const TreeExpr *expr) {
  return type_is_fixed_seq(expr->ty) && indexed(v, expr) == expr->ty;
}

static bool is_literal(const Verify *v, const TreeExpr *expr) {
  if (!type_is_fixed_seq(expr->ty))
    return type_is(expr->ty, TY_SEQ) && are_elements(v, expr->ty, expr, 0);
  bool fits = expr->args.len == seq_n_scalars(expr->ty);
  for (uint32_t i = 0; i < expr->args.len; i++)
    fits &= expr->args.data[i]->ty == seq_scalar(v->cx, expr->ty);
  return fits;
}

static bool is_ball(const Verify *v, const TreeExpr *expr) {
  for (uint32_t i = 0; i < expr->args.len; i++)
    if (expr->args.data[i]->ty != type_real(v->cx)) return false;
  return expr->args.len >= 2 && expr->args.len <= 4 && type_is_dynamic_seq(expr->ty);
}

/* The type of component i of the strand's parameters. */
static const Type *param_type(const Verify *v, uint32_t i) {
  const Module *m = v->program->module;
  uint32_t k = 0;
  for (; i >= tree_component_count(m->params.data[k].ty); k++)
    i -= tree_component_count(m->params.data[k].ty);
  return tree_component_type(v->cx, m->params.data[k].ty);
}

static bool are_params(const Verify *v, const TreeExpr *expr) {
  for (uint32_t i = 0; i < v->program->n_params; i++)
    if (i >= expr->args.len || expr->args.data[i]->ty != param_type(v, i)) return false;
  return expr->args.len == v->program->n_params;
}

static bool is_state_of(const Verify *v, const TreeExpr *expr) {
  const Type *ty = v->program->module->state.data[expr->attr.var.index].ty;
  return expr->args.len == 1 && type_is(expr->args.data[0]->ty, TY_STRAND) &&
         expr->ty == tree_component_type(v->cx, ty);
}

/* Whether the operand of a print or trace is a scalar or a dynamic sequence. */
static bool is_record(const TreeExpr *expr) {
  bool fits = expr->ty == NULL;
  for (uint32_t i = 0; i < expr->args.len; i++) {
    const Type *ty = expr->args.data[i]->ty;
    fits &= type_is(ty, TY_BOOL) || type_is(ty, TY_INT) || type_is(ty, TY_STRING) ||
            type_is_real(ty) || type_is_dynamic_seq(ty);
  }
  return fits;
}

/* The ops on sequences and strands, whose operands are parts. */
static void verify_parts(Verify *v, const TreeExpr *expr) {
  bool fits = false;
  switch (expr->op) {
  case OP_SEQ: fits = is_literal(v, expr); break;
  case OP_SEQ_INDEX: fits = is_part_of(v, expr); break;
  case OP_SEQ_COPY: fits = is_copy_of(v, expr); break;
  case OP_SEQ_APPEND:
  case OP_SEQ_PREPEND:
    fits = expr->args.len > 1 && type_is_dynamic_seq(expr->ty) &&
           expr->args.data[0]->ty == expr->ty && are_elements(v, expr->ty, expr, 1);
    break;
  case OP_SPHERE: fits = is_ball(v, expr); break;
  case OP_NEW_STRAND: fits = are_params(v, expr); break;
  case OP_TRACE: fits = is_record(expr); break;
  case OP_STRAND_STATE: fits = is_state_of(v, expr); break;
  default: /* eigensystems: reals alone */
    fits = type_is(expr->ty, TY_SEQ);
    for (uint32_t i = 0; i < expr->args.len; i++) fits &= type_is_real(expr->args.data[i]->ty);
  }
  if (!fits) BUG(v->cx, "%s: %s does not fit its operands", v->fn->name, op_text(expr->op));
}

static void verify_call(Verify *v, const TreeExpr *expr) {
  const TreeFunc *callee = expr->callee;
  if (!callee || expr->args.len != callee->params.len)
    BUG(v->cx, "%s: a call does not fit its function", v->fn->name);
  for (uint32_t i = 0; i < expr->args.len; i++)
    if (callee->params.data[i]->ty != expr->args.data[i]->ty)
      BUG(v->cx, "%s: argument %u of %s has another type", v->fn->name, i, callee->name);
}

static void verify_expr(Verify *v, const TreeExpr *expr) {
  if (expr->kind == TX_VAR) {
    verify_var(v, expr->var);
    return;
  }
  for (uint32_t i = 0; i < expr->args.len; i++) verify_expr(v, expr->args.data[i]);
  if (!(op_levels(expr->op) & LEVEL_LOW))
    BUG(v->cx, "%s: %s is no op of this level", v->fn->name, op_text(expr->op));
  if (expr->op == OP_CALL) verify_call(v, expr);
  else if (op_is_special(expr->op)) verify_parts(v, expr);
  else verify_signature(v, expr);
}

static void verify_typed(Verify *v, const TreeExpr *expr, const Type *ty) {
  verify_expr(v, expr);
  if (expr->ty != ty)
    BUG(v->cx, "%s: %s where %s is wanted", v->fn->name, type_text(v->cx, expr->ty),
        type_text(v->cx, ty));
}

/* ---- statements ------------------------------------------------------------------------------ */

static void verify_declare(Verify *v, const TreeStmt *stmt) {
  if (stmt->expr) verify_typed(v, stmt->expr, stmt->var->ty);
  else if (!stmt->var->is_mutable) BUG(v->cx, "%s: a constant without a value", stmt->var->name);
  declare(v, stmt->var);
}

static void verify_assign(Verify *v, const TreeStmt *stmt) {
  verify_var(v, stmt->var);
  verify_typed(v, stmt->expr, stmt->var->ty);
  if (!stmt->var->is_mutable) BUG(v->cx, "%s: %s is constant", v->fn->name, stmt->var->name);
}

static void verify_call_stmt(Verify *v, const TreeStmt *stmt) {
  verify_expr(v, stmt->expr);
  if (stmt->vars.len != stmt->expr->callee->n_results)
    BUG(v->cx, "%s: a call has %u results", v->fn->name, stmt->expr->callee->n_results);
  for (uint32_t i = 0; i < stmt->vars.len; i++)
    if (stmt->vars.data[i]) declare(v, stmt->vars.data[i]);
}

static void verify_for(Verify *v, const TreeStmt *stmt) {
  verify_typed(v, stmt->expr, type_int(v->cx));
  verify_typed(v, stmt->limit, type_int(v->cx));
  uint32_t outside = v->visible.len;
  declare(v, stmt->var);
  verify_block(v, &stmt->body);
  forget(v, outside);
}

/* The body of a reduction assigns no variables from outside. */
static void verify_assigns_own(Verify *v, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (stmt->kind == TT_LEAVE) BUG(v->cx, "%s: a reduction leaves", v->fn->name);
    if (stmt->kind == TT_ASSIGN && is_visible(v, stmt->var))
      BUG(v->cx, "%s: a reduction assigns %s, which is not its own", v->fn->name, stmt->var->name);
    verify_assigns_own(v, &stmt->body);
    verify_assigns_own(v, &stmt->else_body);
  }
}

static void verify_results(Verify *v, const TreeStmt *stmt) {
  const uint32_t n = stmt->reduce.n_kinds, n_of_set = n > 1 ? 3 + stmt->values.len : 1;
  if (stmt->vars.len != n + (stmt->reduce.over == OVER_RANGE ? n : n_of_set))
    BUG(v->cx, "%s: %u reductions with %u variables", v->fn->name, n, stmt->vars.len);
  for (uint32_t i = 0; i < n; i++)
    if (stmt->columns[i] >= stmt->values.len ||
        !reduction_takes(stmt->reduce.kinds[i], stmt->vars.data[i]->ty))
      BUG(v->cx, "%s: a %s of the wrong type", v->fn->name, reduction_text(stmt->reduce.kinds[i]));
}

static void verify_reduce(Verify *v, const TreeStmt *stmt) {
  bool is_range = stmt->reduce.over == OVER_RANGE;
  if (is_range) {
    verify_typed(v, stmt->expr, type_int(v->cx));
    verify_typed(v, stmt->limit, type_int(v->cx));
  }
  if (!type_is(stmt->var->ty, is_range ? TY_INT : TY_STRAND))
    BUG(v->cx, "%s: a reduction over %s", v->fn->name, type_text(v->cx, stmt->var->ty));
  verify_results(v, stmt);
  uint32_t outside = v->visible.len;
  verify_assigns_own(v, &stmt->body);
  declare(v, stmt->var);
  verify_open_block(v, &stmt->body);
  for (uint32_t i = 0; i < stmt->reduce.n_kinds; i++)
    verify_typed(v, stmt->values.data[stmt->columns[i]], stmt->vars.data[i]->ty);
  forget(v, outside);
  for (uint32_t i = 0; i < stmt->vars.len; i++) declare(v, stmt->vars.data[i]);
}

static uint32_t leave_arity(const Verify *v) {
  switch (v->fn->kind) {
  case FN_USER:
  case FN_SAMPLING: return v->fn->n_results;
  case FN_BOUNDS: return 2 * v->program->module->n_iters;
  case FN_ARGS: return v->program->n_params;
  case FN_CREATE:
  case FN_START:
  case FN_UPDATE:
  case FN_STABILIZE: return v->program->n_components;
  case FN_GLOBALS:
  case FN_GLOBAL_START:
  case FN_GLOBAL_UPDATE: return 0;
  }
  return 0;
}

static const Type *leave_type(const Verify *v, uint32_t i) {
  if (v->fn->kind == FN_USER || v->fn->kind == FN_SAMPLING) return v->fn->result;
  if (v->fn->kind == FN_BOUNDS) return type_int(v->cx);
  if (v->fn->kind == FN_ARGS) return param_type(v, i);
  const StateComponent *component = &v->program->components[i];
  return tree_component_type(v->cx, v->program->module->state.data[component->var].ty);
}

static void verify_leave(Verify *v, const TreeStmt *stmt) {
  if (stmt->values.len != leave_arity(v))
    BUG(v->cx, "%s: leaves with %u values, not %u", v->fn->name, stmt->values.len, leave_arity(v));
  for (uint32_t i = 0; i < stmt->values.len; i++) {
    const TreeExpr *value = stmt->values.data[i];
    if (value) verify_typed(v, value, leave_type(v, i));
    else if (!func_is_method(v->fn->kind)) BUG(v->cx, "%s: a value is missing", v->fn->name);
  }
}

static void verify_stmt(Verify *v, const TreeStmt *stmt) {
  switch (stmt->kind) {
  case TT_DECLARE: verify_declare(v, stmt); return;
  case TT_ASSIGN: verify_assign(v, stmt); return;
  case TT_EFFECT: verify_expr(v, stmt->expr); return;
  case TT_CALL: verify_call_stmt(v, stmt); return;
  case TT_IF:
    verify_typed(v, stmt->expr, type_bool(v->cx));
    verify_block(v, &stmt->body);
    verify_block(v, &stmt->else_body);
    return;
  case TT_FOR: verify_for(v, stmt); return;
  case TT_REDUCE: verify_reduce(v, stmt); return;
  case TT_LEAVE: verify_leave(v, stmt); return;
  }
}

/* Its declarations stay visible afterwards. */
static void verify_open_block(Verify *v, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    verify_stmt(v, stmts->data[i]);
    if (stmts->data[i]->kind == TT_LEAVE && i + 1 < stmts->len)
      BUG(v->cx, "%s: statements after a leave", v->fn->name);
  }
}

static void verify_block(Verify *v, const TreeStmtVec *stmts) {
  uint32_t outside = v->visible.len;
  verify_open_block(v, stmts);
  forget(v, outside);
}

void tree_verify(Cx *cx, const TreeProgram *program) {
  for (uint32_t i = 0; i < program->funcs.len; i++) {
    Verify v = {
        .cx = cx, .program = program, .fn = program->funcs.data[i], .named = map_new(cx->scratch)};
    for (uint32_t k = 0; k < v.fn->params.len; k++)
      if (v.fn->params.data[k]) declare(&v, v.fn->params.data[k]);
    verify_block(&v, &v.fn->body);
    if (!tree_always_leaves(&v.fn->body)) BUG(cx, "%s: control falls off its end", v.fn->name);
  }
}
