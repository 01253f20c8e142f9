/* Types as written (doc/language.md, "Types") to types; their dimensions are constant expressions.
 */
#include <string.h>

#include "frontend/base/text.h"
#include "frontend/check/local.h"
#include "frontend/syntax/parse.h"

static const Type *basic_type(Check *ck, const Ident *name) {
  Cx *cx = ck->cx;
  const char *at = name->name->text;
  const Type *ty = type_parse(cx, &at); /* each type keyword alone is a type */
  ASSERT(cx, ty != NULL);
  return ty;
}

static const Type *named_type(Check *ck, const Ident *name) {
  if (ck->strand_ty && type_strand_name(ck->strand_ty) == name->name) {
    note_strand(ck, *name);
    return ck->strand_ty;
  }
  ck->is_target_unknown = true; /* `total total = 1;` may have been meant as an assignment */
  if (was_unknown(ck, name->name)) return type_error(ck->cx);
  diag(ck->cx, name->span, E_UNKNOWN_TYPE, d_name(name->name));
  if (ck->program->strand && ck->program->strand->name == name->name) {
    diag_note(ck->cx, SPAN_NONE, H_STRAND_IN_STATE);
    return type_error(ck->cx);
  }
  const char *meant = keyword_like(ck->source->version, name->name);
  if (hint_foreign(ck, name->name, FOREIGN_ANYWHERE) || hint_tensor_type(ck, name->name))
    return type_error(ck->cx);
  if (meant) diag_note(ck->cx, SPAN_NONE, H_DID_YOU_MEAN, d_name(name_from(ck->cx->names, meant)));
  return type_error(ck->cx);
}

uint32_t check_continuity(const Ast *node) {
  uint64_t value = ast_as_int(node)->value;
  return value < CONTINUITY_INF ? (uint32_t)value : CONTINUITY_INF - 1;
}

/* More components in one tensor are certainly a mistake, and would not fit into registers. Fewer
 * axes than MAX_ORDER can have that many. */
#define MAX_COMPONENTS 4096

static void report_large_tensor(Check *ck, Span span) {
  const char *what = text_format(ck->arena, "a tensor of more than %d components", MAX_COMPONENTS);
  diag(ck->cx, span, E_NOT_SUPPORTED, d_text(what));
}

const Type *check_size(Check *ck, const Type *ty, Span span) {
  const bool has_shape = type_is(ty, TY_TENSOR) || type_is(ty, TY_FIELD);
  const bool is_large =
      type_is(ty, TY_ERROR) || (has_shape && shape_size(type_shape(ty)) > MAX_COMPONENTS);
  if (is_large) report_large_tensor(ck, span);
  return is_large ? type_error(ck->cx) : ty;
}

uint32_t check_tensor_dim(Check *ck, const Ast *node) {
  int64_t dim;
  if (!const_int(ck, node, E_DIMENSION_NOT_CONSTANT, &dim)) return 0;
  if (dim < 2) {
    diag(ck->cx, node->span, E_TENSOR_DIMENSION, d_int(dim));
    return 0;
  }
  return dim < UINT32_MAX ? (uint32_t)dim : UINT32_MAX;
}

bool check_shape(Check *ck, const Ast *node, Shape *shape) {
  const AstList *dims = &ast_as_shape(node)->dims;
  uint64_t size = 1;
  bool is_good = true;
  *shape = (Shape){0};
  for (uint32_t i = 0; i < dims->len; i++) {
    uint32_t dim = check_tensor_dim(ck, dims->data[i]);
    is_good = is_good && dim != 0;
    if (!is_good) continue; /* the other dimensions are still checked */
    size *= dim;
    is_good = size <= MAX_COMPONENTS;
    if (is_good) *shape = shape_append(*shape, dim);
    else report_large_tensor(ck, node->span);
  }
  return is_good;
}

/* 0 after a message. */
static uint32_t space_dim(Check *ck, const Ast *node) {
  int64_t dim;
  if (!const_int(ck, node, E_DIMENSION_NOT_CONSTANT, &dim)) return 0;
  if (dim >= 1 && dim <= 3) return (uint32_t)dim;
  diag(ck->cx, node->span, E_SPACE_DIMENSION, d_int(dim));
  return 0;
}

static const Type *image_type(Check *ck, const AstTypeImage *node) {
  Shape shape;
  uint32_t dim = space_dim(ck, node->dim);
  bool has_shape = check_shape(ck, node->shape, &shape);
  return dim && has_shape ? type_image(ck->cx, dim, shape) : type_error(ck->cx);
}

static const Type *field_type(Check *ck, const AstTypeField *node) {
  Shape shape;
  uint32_t dim = space_dim(ck, node->dim);
  bool has_shape = check_shape(ck, node->shape, &shape);
  uint32_t continuity = node->continuity ? check_continuity(node->continuity) : CONTINUITY_INF;
  return dim && has_shape ? type_field(ck->cx, continuity, dim, shape) : type_error(ck->cx);
}

/* ofield#k(d, ...)[...]: its space has the largest of the dimensions, the others are 1. */
static const Type *ofield_type(Check *ck, const AstTypeOfield *node) {
  Shape shape;
  uint32_t dim = 1;
  bool is_good = check_shape(ck, node->shape, &shape);
  for (uint32_t i = 0; i < node->dims.len; i++) {
    const uint32_t own = space_dim(ck, node->dims.data[i]);
    is_good = is_good && own != 0;
    if (is_good && own != 1 && dim != 1 && own != dim) {
      diag(ck->cx, node->dims.data[i]->span, E_FORMULA_SPACE, d_int(dim), d_int(own));
      is_good = false;
    }
    if (own > dim) dim = own;
  }
  if (is_good && node->dims.len > 1 && ck->place != PLACE_GLOBAL) {
    diag(ck->cx, node->head.span, E_FIELD_VARIABLES, d_int(node->dims.len), d_text("s"));
    is_good = false;
  }
  if (!is_good) return type_error(ck->cx);
  return type_field(ck->cx, check_continuity(node->continuity), dim, shape);
}

static void add_dim(Text *text, uint64_t dim) {
  text_addf(text, "%s%llu", text->len > 0 ? ", " : "", (unsigned long long)dim);
}

void check_spaces(Check *ck, const Ast *type, TVar *field) {
  if (type->kind != AST_TYPE_OFIELD || type_is(field->ty, TY_ERROR) || is_error(field->init))
    return;
  const AstList *dims = &ast_as_type_ofield(type)->dims;
  if (dims->len == 1) return;
  Text declared = text_new(ck->arena), found = text_new(ck->arena);
  for (uint32_t i = 0; i < dims->len; i++) add_dim(&declared, space_dim(ck, dims->data[i]));
  const TVarVec *variables = field->variables;
  if (!variables) add_dim(&found, type_dim(field->init->ty));
  for (uint32_t i = 0; variables && i < variables->len; i++)
    add_dim(&found, shape_size(type_shape(variables->data[i]->ty)));
  if (strcmp(text_str(&declared), text_str(&found)) == 0) return;
  diag(ck->cx, type->span, E_FIELD_SPACES, d_text(text_str(&declared)), d_text(text_str(&found)));
  field->ty = type_error(ck->cx);
}

static const Type *tensor_type(Check *ck, const AstTypeTensor *node) {
  Shape shape;
  return check_shape(ck, node->shape, &shape) ? type_tensor(ck->cx, shape) : type_error(ck->cx);
}

/* ---- sequences ------------------------------------------------------------------------------ */

/* Value types with strands allowed at the leaves; dynamic sequences only of fixed-size ones. */
static bool may_be_element(const Type *elem, uint64_t len) {
  while (type_is(elem, TY_SEQ)) {
    if (len == SEQ_DYNAMIC && type_is_dynamic_seq(elem)) return false;
    elem = type_elem(elem);
  }
  return type_is(elem, TY_STRAND) || type_is_value(elem);
}

static bool seq_len(Check *ck, const Ast *node, uint64_t *len) {
  int64_t value;
  *len = SEQ_DYNAMIC;
  if (!node) return true;
  if (!const_int(ck, node, E_DIMENSION_NOT_CONSTANT, &value)) return false;
  if (value < 0) diag(ck->cx, node->span, E_SEQUENCE_LENGTH, d_int(value));
  *len = (uint64_t)value;
  return value >= 0;
}

static const Type *seq_type(Check *ck, const AstTypeSeq *node) {
  uint64_t len;
  const Type *elem = check_type(ck, node->elem);
  if (!seq_len(ck, node->length, &len) || type_is(elem, TY_ERROR)) return type_error(ck->cx);
  if (may_be_element(elem, len)) return type_seq(ck->cx, elem, len);
  diag(ck->cx, node->elem->span, E_SEQUENCE_ELEMENT, d_type(ck->cx, elem));
  return type_error(ck->cx);
}

const Type *check_type(Check *ck, const Ast *node) {
  switch (node->kind) {
  case AST_TYPE_BASIC: return basic_type(ck, &ast_as_type_basic(node)->name);
  case AST_TYPE_NAMED: return named_type(ck, &ast_as_type_named(node)->name);
  case AST_TYPE_TENSOR: return tensor_type(ck, ast_as_type_tensor(node));
  case AST_TYPE_SEQ: return seq_type(ck, ast_as_type_seq(node));
  case AST_TYPE_IMAGE: return image_type(ck, ast_as_type_image(node));
  case AST_TYPE_FIELD: return field_type(ck, ast_as_type_field(node));
  case AST_TYPE_OFIELD: return ofield_type(ck, ast_as_type_ofield(node));
  case AST_TYPE_KERNEL:
    return type_kernel(ck->cx, check_continuity(ast_as_type_kernel(node)->continuity));
  default: UNREACHABLE(ck->cx); /* the grammar makes no other kinds of types */
  }
}
