/* Forms that only one version of the language has. The grammar accepts them in both, so that a form
 * of the other version gives one message, which says how to write it in this one.
 */
#include "frontend/base/diag.h"
#include "frontend/syntax/local.h"

typedef struct FormRow {
  AstVersion version;
  const char *what, *instead;
} FormRow;
static const FormRow form_rows[] = {
#define FORM(id, version, what, instead) [FORM_##id] = {version, what, instead},
#include "frontend/syntax/forms.def"
};

void form_used(Parser *parser, Span span, FormId form) {
  const FormRow *row = &form_rows[form];
  if (row->version == parser->version) return;
  if (span.start == span.end) span = parser->current.ident.span;
  DiagId id = row->version == AST_V1 ? E_SYNTAX_V1_FORM : E_SYNTAX_V2_FORM;
  if (!parser->is_suspect) {
    diag(parser->cx, span, id, d_text(row->what), d_text(row->instead));
    if (parser->version == AST_V1) diag_note(parser->cx, SPAN_NONE, H_VERSION_LINE);
  }
  parser->is_suspect = true;
  parser->has_failed = true;
  parser->failed_at = span.start;
}

static bool is_tensor_or_basic(const Ast *type) {
  return type->kind == AST_TYPE_BASIC || type->kind == AST_TYPE_TENSOR ||
         type->kind == AST_TYPE_NAMED;
}

const Ast *form_dim(Parser *parser, const Ast *dim) {
  if (dim->kind != AST_INT) form_used(parser, dim->span, FORM_DIM_EXPR);
  return dim;
}

const Ast *form_param_type(Parser *parser, const Ast *type) {
  if (!is_tensor_or_basic(type)) form_used(parser, type->span, FORM_PARAM_TYPE);
  return type;
}

const Ast *form_result_type(Parser *parser, const Ast *type) {
  if (!is_tensor_or_basic(type) && type->kind != AST_TYPE_SEQ)
    form_used(parser, type->span, FORM_RESULT_TYPE);
  return type;
}

const Ast *form_input_type(Parser *parser, const Ast *type) {
  if (type->kind == AST_TYPE_FIELD || type->kind == AST_TYPE_KERNEL)
    form_used(parser, type->span, FORM_INPUT_TYPE);
  return type;
}

static bool is_literal(const Ast *value);

static bool are_literals(AstList list) {
  for (uint32_t i = 0; i < list.len; i++)
    if (!is_literal(list.data[i])) return false;
  return list.len > 0;
}

/* What version 1.0 allows as the default of an input. */
static bool is_literal(const Ast *value) {
  switch (value->kind) {
  case AST_INT:
  case AST_REAL:
  case AST_STRING:
  case AST_BOOL:
  case AST_IDENTITY:
  case AST_ZEROS:
  case AST_LOAD_IMAGE:
  case AST_LOAD_SEQ: return true;
  case AST_UNARY: {
    const Ast *operand = ast_as_unary(value)->operand;
    bool is_minus = ast_as_unary(value)->op.name->text[0] == '-';
    return is_minus && (operand->kind == AST_INT || operand->kind == AST_REAL);
  }
  case AST_TENSOR: return are_literals(ast_as_tensor(value)->elems);
  case AST_SEQUENCE: return are_literals(ast_as_sequence(value)->elems);
  default: return false; /* all other expressions must be computed, so they are no literals */
  }
}

/* load_image("..."): the checker says how to write it here. */
static bool is_foreign_call(const Ast *value) {
  if (value->kind != AST_CALL || ast_as_call(value)->callee->kind != AST_ID) return false;
  const Name *callee = ast_as_id(ast_as_call(value)->callee)->name.name;
  return keyword_row(callee->text, AST_V2) != NULL;
}

const Ast *form_default(Parser *parser, const Ast *value) {
  bool is_deep = value->depth > AST_MAX_DEPTH; /* reported by parse; do not walk it */
  if (!is_deep && !is_literal(value) && !is_foreign_call(value))
    form_used(parser, value->span, FORM_DEFAULT_EXPR);
  return value;
}

const Ast *form_file(Parser *parser, const Ast *file) {
  if (file->kind != AST_STRING) form_used(parser, file->span, FORM_FILE_EXPR);
  return file;
}
