/* Differential operators, and kernels with another continuity. */
#include <string.h>

#include "frontend/check/local.h"

/* What an operator requires of its operand, for the message. */
static const struct {
  const char *op, *needs;
} needs[] = {
    {"∇", "a scalar field"},
    {"∇⊗", "a vector or tensor field"},
    {"∇•", "a field whose last axis is as long as its space has dimensions"},
    {"∇×", "a field of 2-vectors over the plane or of 3-vectors over space"},
};

static const char *needs_of(const char *op) {
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
    if (strcmp(op, needs[i].op) == 0) return needs[i].needs;
  return "a field";
}

static bool any_row_fits(Check *ck, const char *op, const Type *operand) {
  uint32_t n_rows, failed;
  const Builtin *rows = builtin_find(op, &n_rows);
  Bindings bindings;
  ASSERT(ck->cx, rows != NULL);
  for (uint32_t i = 0; i < n_rows; i++) {
    const Sig *sig = builtin_sig(ck->cx, rows[i].id);
    if (sig_match(ck->cx, sig, SIG_EXACT, &operand, 1, &bindings, &failed)) return true;
  }
  return false;
}

/* ∇exp(F) is (∇exp)(F). */
bool is_function_name(const Check *ck, const Ast *node) {
  if (node->kind != AST_ID) return false;
  const Name *name = ast_as_id(node)->name.name;
  const Symbol *symbol = scope_find(ck->scope, name);
  return symbol ? symbol->fun != NULL : !kernel_find(name->text) && is_basis_function(name->text);
}

static TExpr *refuse_function(Check *ck, const char *op, Ident name) {
  const char *instead = text_format(ck->arena, "%s(%s(...))", op, name.name->text);
  diag(ck->cx, name.span, E_FUNCTION_AS_VALUE, d_name(name.name));
  diag_note(ck->cx, SPAN_NONE, H_WRITE, d_text(instead));
  return error_expr(ck, name.span);
}

static uint32_t count_derivatives(const Ast *node) {
  if (node->kind != AST_UNARY) return 0;
  const AstUnary *unary = ast_as_unary(node);
  const bool is_derivative = strncmp(unary->op.name->text, "∇", strlen("∇")) == 0;
  return (uint32_t)is_derivative + count_derivatives(unary->operand);
}

TExpr *check_differential(Check *ck, const AstUnary *node, const Type *want) {
  const char *op = node->op.name->text;
  Span span = node->head.span;
  if (is_function_name(ck, node->operand))
    return refuse_function(ck, op, ast_as_id(node->operand)->name);
  ck->derivatives++;
  TExpr *field = check_expr(ck, node->operand, expected_operand(ck->cx, op, 0, want));
  ck->derivatives--;
  if (is_error(field)) return error_expr(ck, span);
  if (!any_row_fits(ck, op, field->ty)) {
    diag(ck->cx, span, E_NOT_DIFFERENTIABLE, d_text(op), d_text(needs_of(op)),
         d_type(ck->cx, field->ty));
    hint_derivative(ck, op, field);
    return error_expr(ck, span);
  }
  if (type_continuity(field->ty) == 0) {
    diag(ck->cx, span, E_FIELD_NOT_CONTINUOUS, d_text(op), d_type(ck->cx, field->ty));
    suggest_kernels(ck, ck->derivatives + 1 + count_derivatives(node->operand));
    return error_expr(ck, span);
  }
  return resolve_unary(ck, op, span, field);
}

/* ---- h#k ------------------------------------------------------------------------------------ */

static const TExpr *kernel_origin(const TExpr *expr);

static uint32_t count_returns(const TStmt *stmt) {
  if (!stmt) return 0;
  uint32_t n = stmt->kind == TS_RETURN;
  for (uint32_t i = 0; i < stmt->body.len; i++) n += count_returns(stmt->body.data[i]);
  return n + count_returns(stmt->then_stmt) + count_returns(stmt->else_stmt);
}

/* The value of a call: that of the function's only `return`, which may be a parameter. NULL if
 * there are several, or if it is inside a statement. */
static const TExpr *given_by_call(const TExpr *call) {
  const TStmt *body = call->u.fun->body;
  if (!body || body->body.len == 0 || count_returns(body) != 1) return NULL;
  const TStmt *last = vec_last(&body->body);
  if (last->kind != TS_RETURN) return NULL;
  const TExpr *given = kernel_origin(last->expr);
  if (given->kind != TE_VAR || given->u.var->kind != TV_FUN_PARAM) return given;
  return kernel_origin(call->args.data[given->u.var->index]);
}

/* Where a kernel comes from: TE_KERNEL, or a parameter, or a call. Kernels are never assigned: a
 * variable is the kernel it was defined as, if that is known. */
static const TExpr *kernel_origin(const TExpr *expr) {
  const TExpr *from = NULL;
  if (expr->kind == TE_COERCE) from = expr->args.data[0];
  else if (expr->kind == TE_VAR) from = expr->u.var->init;
  else if (expr->kind == TE_CALL) from = given_by_call(expr);
  return from ? kernel_origin(from) : expr;
}

/* The kernel, or NULL if it is not known here: that of a parameter. */
static const Kernel *known_kernel(const TExpr *expr) {
  const TExpr *origin = kernel_origin(expr);
  return origin->kind == TE_KERNEL ? origin->u.kernel : NULL;
}

static TExpr *kernel_with(Check *ck, const Kernel *kernel, const Type *ty, Span span) {
  TExpr *expr = texpr_new(ck->arena, TE_KERNEL, ty, span);
  expr->u.kernel = kernel;
  return expr;
}

TExpr *check_kernel_as(Check *ck, const AstKernelAs *node) {
  Ident name = node->name;
  Span span = node->head.span;
  const Type *ty = type_kernel(ck->cx, check_continuity(node->continuity));
  const Symbol *symbol = find_name(ck, name);
  TVar *var = symbol ? symbol->var : NULL;
  if (var && type_is(var->ty, TY_ERROR)) return error_expr(ck, span);
  if (!var || !type_is(var->ty, TY_KERNEL)) {
    const Kernel *kernel = kernel_find(name.name->text);
    if (kernel) note_kernel(ck, kernel, name.span);
    if (kernel) return kernel_with(ck, kernel, ty, span);
    report_no_kernel(ck, name);
    return error_expr(ck, span);
  }
  note_use(ck, var);
  const Kernel *behind = var->init ? known_kernel(var->init) : NULL;
  if (behind) return kernel_with(ck, behind, ty, span);
  TExpr *expr = texpr_new(ck->arena, TE_COERCE, ty, span); /* a parameter */
  vec_push(ck->arena, &expr->args, var_expr(ck, var, name.span));
  return expr;
}

/* An argument of KRNS, a kernel of the language; the only argument may be a parameter. NULL after a
 * message. */
static TExpr *check_one_kernel(Check *ck, const Ast *node, bool is_only) {
  TExpr *expr = check_expr(ck, node, NULL);
  if (is_error(expr)) return NULL;
  if (!type_is(expr->ty, TY_KERNEL)) {
    diag(ck->cx, expr->span, E_TYPE_MISMATCH, d_text("an argument of 'KRNS'"),
         d_type(ck->cx, type_kernel(ck->cx, 0)), d_type(ck->cx, expr->ty));
    return NULL;
  }
  const Kernel *kernel = known_kernel(expr);
  if (kernel ? kernel->n_axes == 0 : is_only) return expr;
  diag(ck->cx, expr->span, E_NOT_SUPPORTED,
       d_text(kernel ? "'KRNS' within 'KRNS'" : "a parameter as an argument of 'KRNS'"));
  return NULL;
}

/* KRNS(h, ...): a kernel for each axis, x first. A single one is for all, and may be a parameter.
 */
TExpr *check_kernels(Check *ck, const AstCall *node, const Type *want) {
  (void)want;
  const Kernel *along[KERNEL_MAX_AXES];
  const Type *least = NULL;
  if (node->args.len > KERNEL_MAX_AXES) {
    diag(ck->cx, node->head.span, E_ARGUMENT_COUNT, d_name(ast_as_id(node->callee)->name.name),
         d_text("a kernel for each of up to 3 axes"), d_int(node->args.len));
    return error_expr(ck, node->head.span);
  }
  for (uint32_t i = 0; i < node->args.len; i++) {
    TExpr *one = check_one_kernel(ck, node->args.data[i], node->args.len == 1);
    if (!one) return error_expr(ck, node->head.span);
    if (node->args.len == 1) return one;
    along[i] = known_kernel(one);
    if (!least || type_continuity(one->ty) < type_continuity(least)) least = one->ty;
  }
  return kernel_with(ck, kernel_per_axis(ck->cx, along, node->args.len), least, node->head.span);
}

/* The parameter that a kernel is, or NULL. */
static TVar *kernel_param(const TExpr *expr) {
  const TExpr *origin = kernel_origin(expr);
  const bool is_param = origin->kind == TE_VAR && origin->u.var->kind == TV_FUN_PARAM;
  return is_param ? origin->u.var : NULL;
}

/* Whether the kernel can be used for images of dimension dim. A parameter is checked at the call.
 */
static bool check_axes(Check *ck, const TExpr *expr, uint32_t dim) {
  const Kernel *kernel = known_kernel(expr);
  TVar *param = kernel ? NULL : kernel_param(expr);
  if (param) param->image_dim = dim;
  if (!kernel || kernel_has_axes(kernel, dim)) return true;
  diag(ck->cx, expr->span, E_KERNEL_AXES, d_int(dim), d_int(kernel->n_axes));
  return false;
}

bool check_kernel_argument(Check *ck, const TVar *param, const TExpr *arg) {
  return param->image_dim == 0 || check_axes(ck, arg, param->image_dim);
}

bool check_axes_of_kernel(Check *ck, const char *op, const TExpr *left, const TExpr *right) {
  if (strcmp(op, "⊛") != 0) return true;
  const bool is_left = type_is(left->ty, TY_KERNEL);
  const TExpr *image = is_left ? right : left;
  if (!type_is(image->ty, TY_IMAGE)) return true;
  return check_axes(ck, is_left ? left : right, type_dim(image->ty));
}
