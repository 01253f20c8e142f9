/* Literals, and the keywords that stand for constant tensors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/check/local.h"

enum { MAX_IDENTITY = 64 }; /* its square is the most components a tensor has */

/* The largest int, and one more for a literal under a minus. */
static uint64_t int_limit(const Cx *cx) { return cx->is_long_int ? INT64_MAX : INT32_MAX; }

static TExpr *out_of_range(Check *ck, const AstInt *node, Span span) {
  diag(ck->cx, node->head.span, E_INT_RANGE, d_text(node->digits->text));
  return error_expr(ck, span);
}

static TExpr *check_int(Check *ck, const AstInt *node) {
  Span span = node->head.span;
  if (node->overflow || node->value > int_limit(ck->cx)) return out_of_range(ck, node, span);
  return const_expr(ck, const_from_int(ck, (int64_t)node->value), span);
}

TExpr *check_negated_int(Check *ck, const Ast *literal, Span span) {
  const AstInt *node = ast_as_int(literal);
  if (node->overflow || node->value > int_limit(ck->cx) + 1) return out_of_range(ck, node, span);
  /* -(2^63) has no positive counterpart to negate */
  int64_t value = node->value > INT64_MAX ? INT64_MIN : -(int64_t)node->value;
  return const_expr(ck, const_from_int(ck, value), span);
}

/* Digits as written are kept: the value is rounded once, to the run-time precision. */
static TExpr *check_real(Check *ck, const AstReal *node) {
  const char *digits = node->digits->text;
  bool is_infinite = strcmp(digits, "inf") == 0;
  double rounded = is_infinite ? (double)INFINITY : strtod(digits, NULL);
  Const *value = const_from_reals(ck, type_real(ck->cx), rounded);
  value->reals[0].digits = is_infinite ? NULL : digits;
  return const_expr(ck, value, node->head.span);
}

static TExpr *check_string(Check *ck, const AstString *node) {
  Const *value = const_new(ck, type_string(ck->cx));
  value->s = node->text->text;
  return const_expr(ck, value, node->head.span);
}

static TExpr *check_bool_literal(Check *ck, const AstBool *node) {
  Const *value = const_new(ck, type_bool(ck->cx));
  value->b = node->value;
  return const_expr(ck, value, node->head.span);
}

static TExpr *check_identity(Check *ck, const AstIdentity *node) {
  uint32_t dim = check_tensor_dim(ck, node->dim);
  if (dim == 0) return error_expr(ck, node->head.span);
  if (dim > MAX_IDENTITY) {
    diag(ck->cx, node->head.span, E_NOT_SUPPORTED, d_text("an identity matrix of that size"));
    return error_expr(ck, node->head.span);
  }
  const Type *ty = type_tensor(ck->cx, shape_of(2, (uint32_t[]){dim, dim}));
  Const *value = const_from_reals(ck, ty, 0);
  for (uint32_t i = 0; i < dim; i++) value->reals[i * dim + i].value = 1;
  return const_expr(ck, value, node->head.span);
}

/* A tensor of the shape written, filled with one value; a scalar when there is no shape. */
static TExpr *check_filled(Check *ck, const Ast *written, double fill, Span span) {
  Shape shape = {0};
  if (written && !check_shape(ck, written, &shape)) return error_expr(ck, span);
  return const_expr(ck, const_from_reals(ck, type_tensor(ck->cx, shape), fill), span);
}

TExpr *check_literal(Check *ck, const Ast *node) {
  switch (node->kind) {
  case AST_INT: return check_int(ck, ast_as_int(node));
  case AST_REAL: return check_real(ck, ast_as_real(node));
  case AST_STRING: return check_string(ck, ast_as_string(node));
  case AST_BOOL: return check_bool_literal(ck, ast_as_bool(node));
  case AST_IDENTITY: return check_identity(ck, ast_as_identity(node));
  case AST_ZEROS: return check_filled(ck, ast_as_zeros(node)->shape, 0, node->span);
  case AST_NAN: return check_filled(ck, ast_as_nan(node)->shape, (double)NAN, node->span);
  default: UNREACHABLE(ck->cx); /* check_expr handles all other expressions */
  }
}
