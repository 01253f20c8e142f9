/* Outline: the parts of a program as symbols, and what can be folded. */
#include "frontend/server/local.h"

/* Kinds of the protocol. */
enum {
  SYMBOL_CLASS = 5,
  SYMBOL_METHOD = 6,
  SYMBOL_PROPERTY = 7,
  SYMBOL_FIELD = 8,
  SYMBOL_FUNCTION = 12,
  SYMBOL_VARIABLE = 13,
  SYMBOL_CONSTANT = 14
};

typedef struct Outline {
  Request *request;
  json_t *list;
} Outline;

static json_t *add_symbol(const Outline *outline, Ident name, Span span, int kind) {
  const Server *server = outline->request->server;
  const Source *source = outline->request->document->source;
  if (name.name->len == 0 || name.span.end > source->len) return NULL;
  span = span_join(span, name.span);
  json_t *symbol = json_pack("{s:s, s:i, s:o, s:o}", "name", name.name->text, "kind", kind, "range",
                             range_json(server, source, span), "selectionRange",
                             range_json(server, source, name.span));
  json_array_append_new(outline->list, symbol);
  return symbol;
}

static void add_part(const Ast *node, void *state);

static void add_strand(const Outline *outline, const AstStrand *strand) {
  json_t *symbol = add_symbol(outline, strand->name, strand->head.span, SYMBOL_CLASS);
  if (!symbol) return;
  const Outline inside = {outline->request, json_array()};
  for (uint32_t i = 0; i < strand->state.len; i++) {
    const AstState *state = ast_as_state(strand->state.data[i]);
    add_symbol(&inside, state->name, state->head.span,
               state->is_output ? SYMBOL_PROPERTY : SYMBOL_FIELD);
  }
  for (uint32_t i = 0; i < strand->methods.len; i++) {
    const AstMethod *method = ast_as_method(strand->methods.data[i]);
    add_symbol(&inside, method->name, method->head.span, SYMBOL_METHOD);
  }
  json_object_set_new(symbol, "children", inside.list);
}

static void add_part(const Ast *node, void *state) {
  const Outline *outline = state;
  switch (node->kind) {
  case AST_CONST: add_symbol(outline, ast_as_const(node)->name, node->span, SYMBOL_CONSTANT); break;
  case AST_INPUT: add_symbol(outline, ast_as_input(node)->name, node->span, SYMBOL_PROPERTY); break;
  case AST_VAR: add_symbol(outline, ast_as_var(node)->name, node->span, SYMBOL_VARIABLE); break;
  case AST_FUNCTION:
    add_symbol(outline, ast_as_function(node)->name, node->span, SYMBOL_FUNCTION);
    break;
  case AST_FIELD_FUN:
    add_symbol(outline, ast_as_field_fun(node)->name, node->span, SYMBOL_FUNCTION);
    break;
  case AST_OFIELD_FUN:
    add_symbol(outline, ast_as_ofield_fun(node)->name, node->span, SYMBOL_FUNCTION);
    break;
  case AST_STRAND: add_strand(outline, ast_as_strand(node)); break;
  default: break; /* blocks and the creation have no name */
  }
}

void handle_document_symbol(Request *request) {
  const Analysis *analysis = request_analysis(request);
  Outline outline = {request, json_array()};
  if (analysis->program) ast_each_child(analysis->program, add_part, &outline);
  request->result = outline.list;
}

/* ---- folding -------------------------------------------------------------------------------- */

static void add_fold(Request *request, Span span, const char *kind) {
  const Source *source = request->document->source;
  const uint32_t first = source_line_number(source, span.start);
  const uint32_t last = source_line_number(source, span.end > span.start ? span.end - 1 : span.end);
  if (last <= first) return;
  json_t *fold =
      json_pack("{s:i, s:i}", "startLine", (int)first - 1, "endLine", (int)last - (*kind ? 1 : 2));
  if (*kind) json_object_set_new(fold, "kind", json_string(kind));
  if (last - first >= (*kind ? 1u : 2u)) json_array_append_new(request->result, fold);
  else json_decref(fold);
}

void handle_folding_range(Request *request) {
  const LexemeList *all = &request_analysis(request)->lexemes;
  VEC(Span) open = {0};
  request->result = json_array();
  for (uint32_t i = 0; i < all->len; i++) {
    const Lexeme *lexeme = &all->data[i];
    if (lexeme->class == LEX_BLOCK_COMMENT) add_fold(request, lexeme->span, "comment");
    if (lexeme_is(lexeme, "{")) vec_push(request->arena, &open, lexeme->span);
    if (lexeme_is(lexeme, "}") && open.len > 0)
      add_fold(request, (Span){vec_pop(&open).start, lexeme->span.end}, "");
  }
}
