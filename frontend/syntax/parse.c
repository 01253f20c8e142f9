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

const Ast *parse(Cx *cx) {
  Parser parser = {.cx = cx, .arena = cx->arena, .stopped_at = UINT32_MAX};
  uint32_t n_before = diag_error_count(cx);
  if (!version_find(&parser)) return NULL;
  lexer_open(&parser);
  grammar_parse(&parser);
  lexer_close(&parser);
  bool is_good = !parser.has_failed && diag_error_count(cx) == n_before;
  if (is_good) is_good = check_depth(&parser);
  if (!parser.has_directive) diag(cx, SPAN_NONE, W_NO_VERSION); /* which may count as an error */
  return is_good ? parser.program : NULL;
}
