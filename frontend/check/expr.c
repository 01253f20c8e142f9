/* Expressions: the dispatcher, names, operators and conditionals. Every function returns a typed
 * node; one of type TY_ERROR when it has reported a mistake. Next: the other expr_*.c.
 */
#include <string.h>

#include "frontend/base/text.h"
#include "frontend/check/local.h"
#include "frontend/lang/foreign.h"

bool is_error(const TExpr *expr) { return type_is(expr->ty, TY_ERROR); }

bool is_value_or_error(const Type *ty) { return type_is(ty, TY_ERROR) || type_is_value(ty); }

bool is_from_no_file(const Type *ty) {
  if (!type_is_dynamic_seq(ty)) return false;
  while (type_is(ty, TY_SEQ)) ty = type_elem(ty);
  return type_is(ty, TY_STRING);
}

bool is_abstract(const Type *ty) {
  return type_is(ty, TY_FIELD) || type_is(ty, TY_IMAGE) || type_is(ty, TY_KERNEL);
}

TExpr *error_expr(Check *ck, Span span) {
  return texpr_new(ck->arena, TE_CONST, type_error(ck->cx), span);
}

TExpr *const_expr(Check *ck, Const *value, Span span) {
  TExpr *expr = texpr_new(ck->arena, TE_CONST, value->ty, span);
  expr->u.value = value;
  return expr;
}

TExpr *var_expr(Check *ck, TVar *var, Span span) {
  TExpr *expr = texpr_new(ck->arena, TE_VAR, var->ty, span);
  expr->u.var = var;
  return expr;
}

void note_use(Check *ck, const TVar *var) {
  map_put(ck->used, var, ck);
  note_depth(ck, var->depth);
}

TExpr *check_expr_as(Check *ck, const Ast *node, const Type *ty, const char *what) {
  return coerce_or_report(ck, check_expr(ck, node, ty), ty, what);
}

/* ---- names ---------------------------------------------------------------------------------- */

bool hint_foreign(Check *ck, const Name *name, ForeignPlace place) {
  const ForeignPlace own = foreign_place(name->text, name->len);
  const bool is_free = own == FOREIGN_ANYWHERE || own == FOREIGN_BEGINS;
  const char *instead = is_free || own == place ? foreign_word(name->text, name->len) : NULL;
  if (instead) diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text(instead));
  return instead != NULL;
}

bool was_unknown(Check *ck, const Name *name) {
  const bool was = map_has(ck->unknown, name);
  if (!was && !ck->is_quiet) map_put(ck->unknown, name, ck);
  return was;
}

/* m', where m is declared. */
static bool hint_transposed(Check *ck, const Name *name) {
  if (name->len < 2 || name->text[name->len - 1] != '\'') return false;
  const char *base = arena_strdup(ck->arena, name->text, name->len - 1);
  const Symbol *symbol = scope_find(ck->scope, name_from(ck->cx->names, base));
  const Type *ty = symbol && symbol->var ? symbol->var->ty : NULL;
  if (!ty || !type_is(ty, TY_TENSOR) || type_shape(ty)->order != 2) return false;
  diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text(text_format(ck->arena, "transpose(%s)", base)));
  return true;
}

static void report_unknown_name(Check *ck, Ident name) {
  if (was_unknown(ck, name.name)) return;
  Nearest nearest = nearest_to(name.name);
  diag(ck->cx, name.span, E_UNDECLARED_VARIABLE, d_name(name.name));
  if (note_declared_below(ck, name) || hint_foreign(ck, name.name, FOREIGN_ANYWHERE)) return;
  if (hint_transposed(ck, name.name)) return;
  nearest_offer_variables(&nearest, ck->scope);
  for (uint32_t i = 0; i < kernel_count(); i++) nearest_offer(&nearest, kernel_at(i)->name);
  if (nearest.best)
    diag_note(ck->cx, SPAN_NONE, H_DID_YOU_MEAN, d_name(name_from(ck->cx->names, nearest.best)));
}

static TExpr *kernel_expr(Check *ck, const Kernel *kernel, Span span) {
  TExpr *expr = texpr_new(ck->arena, TE_KERNEL, type_kernel(ck->cx, kernel->continuity), span);
  note_kernel(ck, kernel, span);
  expr->u.kernel = kernel;
  return expr;
}

/* mean { p.x | p in s } for p in s.all */
static void report_strand_as_value(Check *ck, Ident name) {
  diag(ck->cx, name.span, E_STRAND_AS_VALUE, d_name(name.name));
  if (!has_right(ck, MAY_REDUCE)) return;
  const char *set = text_format(ck->arena, "%s.all for all strands", name.name->text);
  diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text(set));
}

static TExpr *check_id(Check *ck, const AstId *node) {
  Ident name = node->name;
  const Symbol *symbol = find_name(ck, name);
  if (symbol && symbol->var) {
    note_use(ck, symbol->var);
    if (symbol->var->fun) {
      diag(ck->cx, name.span, E_NOT_SUPPORTED,
           d_text("a field that reduces a sequence, but for its value at a position"));
      return error_expr(ck, name.span);
    }
    return var_expr(ck, symbol->var, node->head.span);
  }
  const Kernel *kernel = kernel_find(name.name->text);
  if (kernel) return kernel_expr(ck, kernel, node->head.span);
  const bool is_strand = symbol && !symbol->fun;
  if (is_strand && was_unknown(ck, name.name)) return error_expr(ck, node->head.span);
  if (is_strand) report_strand_as_value(ck, name);
  else if (symbol || is_basis_function(name.name->text))
    diag(ck->cx, name.span, E_FUNCTION_AS_VALUE, d_name(name.name));
  else report_unknown_name(ck, name);
  return error_expr(ck, node->head.span);
}

/* ---- operators ------------------------------------------------------------------------------ */

/* An undeclared name where a kernel is expected. */
static bool is_no_kernel(const Check *ck, const Ast *node) {
  if (node->kind != AST_ID) return false;
  const Name *name = ast_as_id(node)->name.name;
  const bool is_foreign = foreign_word(name->text, name->len) != NULL;
  return !is_foreign && !scope_find(ck->scope, name) && !kernel_find(name->text) &&
         !is_basis_function(name->text);
}

/* Is the node a global, local or parameter of an image type? */
static bool is_image(const Check *ck, const Ast *node) {
  if (node->kind != AST_ID) return false;
  const Symbol *symbol = scope_find(ck->scope, ast_as_id(node)->name.name);
  return symbol && symbol->var && type_is(symbol->var->ty, TY_IMAGE);
}

/* The operand of ⊛ that is an undeclared name beside an image: img ⊛ cubic, cubic ⊛ img. */
static const Ast *find_no_kernel(const Check *ck, const AstBinary *node) {
  if (is_no_kernel(ck, node->right)) return node->right;
  return is_no_kernel(ck, node->left) && is_image(ck, node->right) ? node->left : NULL;
}

/* sin^2(x), which is sin^(2(x)). */
static bool is_power_of_function(const Check *ck, const AstBinary *node) {
  if (strcmp(node->op.name->text, "^") != 0 || node->right->kind != AST_CALL) return false;
  return ast_as_call(node->right)->callee->kind == AST_INT && is_function_name(ck, node->left);
}

static TExpr *refuse_power_of_function(Check *ck, const AstBinary *node) {
  const Ident name = ast_as_id(node->left)->name;
  const char *power = ast_as_int(ast_as_call(node->right)->callee)->digits->text;
  diag(ck->cx, name.span, E_FUNCTION_AS_VALUE, d_name(name.name));
  diag_note(ck->cx, SPAN_NONE, H_WRITE,
            d_text(text_format(ck->arena, "%s(...)^%s", name.name->text, power)));
  return error_expr(ck, node->head.span);
}

static TExpr *check_binary(Check *ck, const AstBinary *node, const Type *want) {
  const Ast *sides[] = {node->left, node->right};
  const char *op = node->op.name->text;
  if (is_power_of_function(ck, node)) return refuse_power_of_function(ck, node);
  const Ast *no_kernel = strcmp(op, "⊛") == 0 ? find_no_kernel(ck, node) : NULL;
  if (no_kernel) {
    report_no_kernel(ck, ast_as_id(no_kernel)->name);
    return error_expr(ck, node->head.span);
  }
  TExpr *typed[2];
  uint32_t first = needs_context(node->left) ? 1 : 0, second = 1 - first;
  typed[first] = check_expr(ck, sides[first], expected_operand(ck->cx, op, first, want));
  const Type *expected = expected_operand(ck->cx, op, second, want);
  if (!expected) expected = expected_beside(ck->cx, op, typed[first]->ty);
  typed[second] = check_expr(ck, sides[second], expected);
  TExprVec args = {0};
  vec_push(ck->arena, &args, typed[0]);
  vec_push(ck->arena, &args, typed[1]);
  if (!check_axes_of_kernel(ck, op, typed[0], typed[1])) return error_expr(ck, node->head.span);
  return resolve_builtin(ck, op, node->head.span, args);
}

static TExpr *check_bool(Check *ck, const Ast *node, const char *op) {
  TExpr *expr = check_expr(ck, node, type_bool(ck->cx));
  if (is_error(expr) || type_is(expr->ty, TY_BOOL)) return expr;
  diag(ck->cx, expr->span, E_LOGIC_TYPE, d_text(op), d_type(ck->cx, expr->ty));
  if (strcmp(op, "!") == 0 && type_is(expr->ty, TY_INT))
    diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text("n == 0"));
  else hint_unfit(ck, expr, type_bool(ck->cx));
  return error_expr(ck, expr->span);
}

static TExpr *check_unary(Check *ck, const AstUnary *node, const Type *want) {
  const char *op = node->op.name->text;
  Span span = node->head.span;
  if (strcmp(op, "!") == 0) return resolve_unary(ck, op, span, check_bool(ck, node->operand, op));
  if (strcmp(op, "-") != 0) return check_differential(ck, node, want);
  if (node->operand->kind == AST_INT) return check_negated_int(ck, node->operand, span);
  const Type *expected = expected_operand(ck->cx, "neg", 0, want);
  return resolve_unary(ck, "neg", span, check_expr(ck, node->operand, expected));
}

static TExpr *check_norm(Check *ck, const AstNorm *node) {
  return resolve_unary(ck, "norm", node->head.span, check_expr(ck, node->operand, NULL));
}

/* && and ||, which evaluate their second operand only when the first leaves it open. */
static TExpr *logic_expr(Check *ck, TExprKind kind, Span span, TExpr *left, TExpr *right) {
  if (is_error(left) || is_error(right)) return error_expr(ck, span);
  TExpr *expr = texpr_new(ck->arena, kind, type_bool(ck->cx), span);
  vec_push(ck->arena, &expr->args, left);
  vec_push(ck->arena, &expr->args, right);
  return expr;
}

static TExpr *check_and(Check *ck, const AstAnd *node) {
  TExpr *left = check_bool(ck, node->left, "&&");
  return logic_expr(ck, TE_AND, node->head.span, left, check_bool(ck, node->right, "&&"));
}

static TExpr *check_or(Check *ck, const AstOr *node) {
  TExpr *left = check_bool(ck, node->left, "||");
  return logic_expr(ck, TE_OR, node->head.span, left, check_bool(ck, node->right, "||"));
}

/* ---- conditionals and conversion ------------------------------------------------------------ */

TExpr *check_condition(Check *ck, const Ast *node) {
  TExpr *cond = check_expr(ck, node, type_bool(ck->cx));
  if (is_error(cond) || type_is(cond->ty, TY_BOOL)) return cond;
  diag(ck->cx, cond->span, E_CONDITION_TYPE, d_type(ck->cx, cond->ty));
  if (type_is(cond->ty, TY_INT)) diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text("n != 0"));
  if (type_is_real(cond->ty)) diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text("x != 0"));
  return error_expr(ck, cond->span);
}

static bool may_be_chosen(const Type *ty) {
  return ty && (type_is_value(ty) || type_is(ty, TY_FIELD));
}

static TExpr *check_cond(Check *ck, const AstCond *node, const Type *want) {
  TExpr *cond = check_condition(ck, node->cond);
  const Ast *sides[] = {node->then_value, node->else_value};
  TExpr *branches[2];
  uint32_t first = needs_context(node->then_value) ? 1 : 0, second = 1 - first;
  branches[first] = check_expr(ck, sides[first], want);
  branches[second] = check_expr(ck, sides[second], want ? want : branches[first]->ty);
  if (is_error(cond) || is_error(branches[0]) || is_error(branches[1]))
    return error_expr(ck, node->head.span);
  const Type *ty = type_common(branches[0]->ty, branches[1]->ty);
  if (!may_be_chosen(ty)) {
    diag(ck->cx, node->head.span, E_BRANCH_TYPES, d_type(ck->cx, branches[0]->ty),
         d_type(ck->cx, branches[1]->ty));
    return error_expr(ck, node->head.span);
  }
  TExpr *expr = texpr_new(ck->arena, TE_COND, ty, node->head.span);
  vec_push(ck->arena, &expr->args, cond);
  for (uint32_t i = 0; i < 2; i++) vec_push(ck->arena, &expr->args, coerce(ck, branches[i], ty));
  return expr;
}

static TExpr *cond_expr(Check *ck, TExpr *cond, TExpr *if_true, TExpr *if_false, Span span) {
  TExpr *expr = texpr_new(ck->arena, TE_COND, if_true->ty, span);
  vec_push(ck->arena, &expr->args, cond);
  vec_push(ck->arena, &expr->args, if_true);
  vec_push(ck->arena, &expr->args, if_false);
  return expr;
}

static TExpr *at_most(Check *ck, TExpr *index, int64_t bound) {
  TExprVec args = {0};
  vec_push(ck->arena, &args, index);
  vec_push(ck->arena, &args, const_expr(ck, const_from_int(ck, bound), index->span));
  return resolve_builtin(ck, "<=", index->span, args);
}

/* printIR(e, "file") is 0. It would print the compiler's form of e, for which diderotc has options.
 */
TExpr *check_print_ir(Check *ck, const AstCall *node, const Type *want) {
  (void)want;
  for (uint32_t i = 0; i < node->args.len; i++)
    if (is_error(check_expr(ck, node->args.data[i], NULL))) return error_expr(ck, node->head.span);
  diag(ck->cx, node->head.span, W_PRINTS_NOTHING);
  return const_expr(ck, const_from_int(ck, 0), node->head.span);
}

/* The values of a swap, converted to their common type; NULL after a message. */
static TExpr **swapped_values(Check *ck, const AstCall *node, const Type *want) {
  const uint32_t n = node->args.len - 1;
  TExpr **values = NEWN(ck->arena, TExpr *, n);
  const Type *ty = NULL;
  for (uint32_t i = 0; i < n; i++) {
    values[i] = check_expr(ck, node->args.data[i + 1], want);
    if (is_error(values[i])) return NULL;
    const Type *common = ty ? type_common(ty, values[i]->ty) : values[i]->ty;
    if (!may_be_chosen(common)) {
      diag(ck->cx, values[i]->span, E_BRANCH_TYPES, d_type(ck->cx, ty ? ty : values[i]->ty),
           d_type(ck->cx, values[i]->ty));
      return NULL;
    }
    ty = common;
  }
  for (uint32_t i = 0; i < n; i++) values[i] = coerce(ck, values[i], ty);
  return values;
}

/* swap(i, a, b, ...) is the i-th of them, counted from 1: a if i <= 1 else b if i <= 2 ... */
TExpr *check_swap(Check *ck, const AstCall *node, const Type *want) {
  const Ast *first = node->args.data[0];
  TExpr *index = check_expr_as(ck, first, type_int(ck->cx), "the first argument of 'swap'");
  TExpr **values = swapped_values(ck, node, want);
  if (is_error(index) || !values) return error_expr(ck, node->head.span);
  uint32_t i = node->args.len - 2;
  TExpr *chosen = values[i];
  while (i-- > 0)
    chosen = cond_expr(ck, at_most(ck, index, i + 1), values[i], chosen, node->head.span);
  return chosen;
}

static TExpr *check_to_real(Check *ck, const AstToReal *node) {
  TExpr *operand = check_expr(ck, node->operand, type_int(ck->cx));
  if (type_is(operand->ty, TY_INT)) {
    TExpr *real = convert(ck, operand, type_real(ck->cx));
    real->span = node->head.span;
    return real;
  }
  if (!is_error(operand)) diag(ck->cx, operand->span, E_REAL_ARGUMENT, d_type(ck->cx, operand->ty));
  return error_expr(ck, node->head.span);
}

static TExpr *check_kind(Check *ck, const Ast *node, const Type *want) {
  switch (node->kind) {
  case AST_ID: return check_id(ck, ast_as_id(node));
  case AST_BINARY: return check_binary(ck, ast_as_binary(node), want);
  case AST_UNARY: return check_unary(ck, ast_as_unary(node), want);
  case AST_NORM: return check_norm(ck, ast_as_norm(node));
  case AST_AND: return check_and(ck, ast_as_and(node));
  case AST_OR: return check_or(ck, ast_as_or(node));
  case AST_COND: return check_cond(ck, ast_as_cond(node), want);
  case AST_TO_REAL: return check_to_real(ck, ast_as_to_real(node));
  case AST_CALL: return check_call(ck, ast_as_call(node), want);
  case AST_SELECT: return check_select(ck, ast_as_select(node));
  case AST_INDEX: return check_index(ck, ast_as_index(node));
  case AST_TENSOR: return check_tensor(ck, ast_as_tensor(node), want);
  case AST_SEQUENCE: return check_sequence(ck, ast_as_sequence(node), want);
  case AST_RANGE: return check_range(ck, ast_as_range(node));
  case AST_COMPREHEND: return check_comprehend(ck, ast_as_comprehend(node), want);
  case AST_KERNEL_AS: return check_kernel_as(ck, ast_as_kernel_as(node));
  case AST_LOAD_IMAGE: return check_load_image(ck, ast_as_load_image(node), want);
  case AST_LOAD_SEQ: return check_load_seq(ck, ast_as_load_seq(node), want);
  default: return check_literal(ck, node); /* what is left stands for a value as it is */
  }
}

TExpr *check_expr(Check *ck, const Ast *node, const Type *want) {
  return note_expr(ck, node->span, check_kind(ck, node, want));
}
