/* Misspelt: keywords with a wrong letter, which the grammar takes for names. The error is detected
 * at such a name or later: `updat {` begins a sequence, `stran S (` a function.
 */
#include "frontend/base/nearest.h"
#include "frontend/lang/foreign.h"
#include "frontend/syntax/local.h"
#include "frontend/syntax/parse.h"
#include "grammar.h"

/* Words that begin a construct; the others stand in expressions, where names are more likely. */
static bool is_title(const TokenRow *row) { return row->roles != ROLE_EXPR && row->id != T_IN; }

/* A word of the other version or of another language has messages of its own. */
static bool is_known(AstVersion version, const Name *name) {
  const AstVersion other = version == AST_V1 ? AST_V2 : AST_V1;
  return keyword_row(name->text, other) || foreign_word(name->text, name->len);
}

/* The keyword most like the name among those expected; expected is NULL when any may be. */
static const TokenRow *nearest_keyword(AstVersion version, const Name *name, const bool *expected) {
  if (is_known(version, name)) return NULL;
  Nearest nearest = nearest_to(name);
  for (uint32_t i = 0; i < n_token_rows; i++) {
    const TokenRow *row = &token_rows[i];
    const bool is_keyword = (row->versions & 1u << version) && row->spelling[0] >= 'a' &&
                            row->spelling[0] <= 'z' && is_title(row);
    if (is_keyword && (!expected || expected[i])) nearest_offer(&nearest, row->spelling);
  }
  return nearest.best ? keyword_row(nearest.best, version) : NULL;
}

const char *keyword_like(AstVersion version, const Name *name) {
  const TokenRow *row = nearest_keyword(version, name, NULL);
  return row ? row->spelling : NULL;
}

const TokenRow *misspelt_keyword(const Parser *parser, const bool *expected, Ident *name) {
  const bool is_opening = parser->before.ident.span.start == parser->opening.ident.span.start;
  const struct {
    Token token;
    const bool *expected;
  } suspects[] = {{parser->current, expected},
                  {is_opening ? parser->before : (Token){0}, NULL},
                  {parser->titled, NULL}};
  for (int i = 0; i < 3; i++) {
    const Token token = suspects[i].token;
    if (token.id != T_ID) continue;
    const TokenRow *row = nearest_keyword(parser->version, token.ident.name, suspects[i].expected);
    *name = token.ident;
    if (row) return row;
  }
  return NULL;
}
