/* Parse: sets up lexer and grammar, runs them, and looks over the result. */
#include "frontend/syntax/parse.h"

#include "frontend/base/diag.h"
#include "frontend/syntax/local.h"
#include "grammar.h"

static void keep_deepest(const Ast *child, void *state) {
  const Ast **deepest = state;
  if (!*deepest || child->depth > (*deepest)->depth) *deepest = child;
}

/* Reports the node at which the limit is passed; goes down without recursion. */
static bool check_depth(Parser *parser) {
  const Ast *node = parser->program;
  if (node->depth <= AST_MAX_DEPTH) return true;
  for (uint32_t i = 0; i < AST_MAX_DEPTH; i++) {
    const Ast *deepest = NULL;
    ast_each_child(node, keep_deepest, &deepest);
    node = deepest;
  }
  report_depth(parser, node->span);
  return false;
}

const Ast *parse_partly(Cx *cx, bool *is_whole) {
  Parser parser = {.cx = cx, .arena = cx->arena, .stopped_at = UINT32_MAX};
  uint32_t n_before = diag_error_count(cx);
  *is_whole = false;
  if (!version_find(&parser)) return NULL;
  lexer_open(&parser);
  grammar_parse(&parser);
  lexer_close(&parser);
  if (parser.program && !check_depth(&parser)) parser.program = NULL;
  *is_whole = parser.program && !parser.has_failed && diag_error_count(cx) == n_before;
  if (!parser.has_directive) diag(cx, SPAN_NONE, W_NO_VERSION); /* which may count as an error */
  return parser.program;
}

const Ast *parse(Cx *cx) {
  bool is_whole;
  const Ast *program = parse_partly(cx, &is_whole);
  return is_whole ? program : NULL;
}
