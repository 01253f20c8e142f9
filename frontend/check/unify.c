/* Common types and expected types; a row per builtin that passes an expected type to its operands.
 */
#include "frontend/check/unify.h"

#include <string.h>

const Type *type_common(const Type *a, const Type *b) {
  if (type_coerces(b, a)) return a;
  return type_coerces(a, b) ? b : NULL;
}

bool needs_context(const Ast *node) {
  return node->kind == AST_LOAD_IMAGE || node->kind == AST_LOAD_SEQ ||
         (node->kind == AST_SEQUENCE && ast_as_sequence(node)->elems.len == 0);
}

/* ---- from result to operand ----------------------------------------------------------------- */

static const Type *dynamic_seq_of(Cx *cx, const Type *elem) {
  return type_is_fixed_size(elem) ? type_seq(cx, elem, SEQ_DYNAMIC) : NULL;
}

static const Type *same(Cx *cx, uint32_t idx, const Type *want) {
  (void)cx, (void)idx;
  return want;
}

static const Type *seq_of_result(Cx *cx, uint32_t idx, const Type *want) {
  (void)idx;
  return dynamic_seq_of(cx, want);
}

static const Type *seq_of_real(Cx *cx, uint32_t idx, const Type *want) {
  (void)idx, (void)want;
  return type_seq(cx, type_real(cx), SEQ_DYNAMIC);
}

/* The second argument of border is a sample. */
static const Type *border_operand(Cx *cx, uint32_t idx, const Type *want) {
  if (idx == 0 || !type_is(want, TY_IMAGE)) return want;
  return type_tensor(cx, *type_shape(want));
}

static const Type *sampled_image(Cx *cx, uint32_t idx, const Type *want) {
  (void)idx;
  if (!type_is(want, TY_FIELD)) return NULL;
  return type_image(cx, type_dim(want), *type_shape(want));
}

static const Type *field_before(Cx *cx, const Type *derivative, Shape shape) {
  return type_field(cx, CONTINUITY_INF, type_dim(derivative), shape);
}

/* A derivative adds its axis at the end; over one dimension there is none. */
static const Type *before_gradient(Cx *cx, uint32_t idx, const Type *want) {
  (void)idx;
  if (!type_is(want, TY_FIELD)) return NULL;
  Shape shape = *type_shape(want);
  if (type_dim(want) > 1) {
    if (shape.order == 0) return NULL;
    shape.order--;
  }
  return field_before(cx, want, shape);
}

static const Type *before_divergence(Cx *cx, uint32_t idx, const Type *want) {
  (void)idx;
  if (!type_is(want, TY_FIELD)) return NULL;
  return field_before(cx, want, shape_append(*type_shape(want), type_dim(want)));
}

static const Type *before_curl(Cx *cx, uint32_t idx, const Type *want) {
  (void)idx;
  if (!type_is(want, TY_FIELD) || type_dim(want) == 1) return NULL;
  uint32_t dim = type_dim(want);
  return field_before(cx, want, shape_of(1, &dim));
}

typedef const Type *Expect(Cx *cx, uint32_t idx, const Type *want);

static const struct {
  const char *builtin;
  Expect *expect;
} expectations[] = {
    {"⊛", sampled_image},       {"∇", before_gradient},
    {"∇⊗", before_gradient},    {"∇•", before_divergence},
    {"∇×", before_curl},        {"clamp", same},
    {"mirror", same},           {"wrap", same},
    {"border", border_operand}, {"@", same},
    {"sum", seq_of_result},     {"product", seq_of_result},
    {"max", seq_of_result},     {"min", seq_of_result},
    {"mean", seq_of_real},      {"all", seq_of_result},
    {"exists", seq_of_result},
};

const Type *expected_operand(Cx *cx, const char *builtin, uint32_t idx, const Type *want) {
  if (!want || type_is(want, TY_ERROR)) return want;
  for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++)
    if (strcmp(builtin, expectations[i].builtin) == 0) return expectations[i].expect(cx, idx, want);
  return type_is(want, TY_FIELD) ? want : NULL; /* field arithmetic is pointwise */
}

const Type *expected_beside(Cx *cx, const char *builtin, const Type *other) {
  if (type_is(other, TY_ERROR)) return other; /* already reported */
  if (strcmp(builtin, "@") != 0) return type_is(other, TY_FIELD) ? other : NULL;
  if (type_is(other, TY_SEQ)) return dynamic_seq_of(cx, type_elem(other));
  return dynamic_seq_of(cx, other);
}
