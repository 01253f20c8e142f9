/* Misnamed: keywords that the program uses as names, as in `real in = 1.0;`. What follows tells
 * whether a name was meant: in `foreach (int in 0..3)` only the name is missing.
 */
#include <string.h>

#include "frontend/base/diag.h"
#include "frontend/syntax/local.h"
#include "grammar.h"

/* The row of a keyword, or NULL. */
static const TokenRow *word_row(Token token) {
  const TokenRow *row = token_row(token.id);
  const bool is_word = row && row->spelling[0] >= 'a' && row->spelling[0] <= 'z';
  return is_word && row->versions ? row : NULL;
}

/* The text behind the token, possibly on another line; comments are skipped. */
static const char *text_behind(const Parser *parser, Token token) {
  const char *text = parser->cx->source->text + token.ident.span.end;
  for (const char *from = NULL; from != text;) {
    from = text;
    text = behind_text(text + strspn(text, " \t\r\n"));
  }
  return text;
}

static bool is_in(const char *text) {
  return strncmp(text, "in", 2) == 0 && strchr(" \t\r\n([{-|", text[2]) != NULL;
}

/* True behind the type of `real in 3.0;`, where no iterator can be. */
static bool is_in_declaration(const Parser *parser) {
  const TokenRow *opening = token_row(parser->opening.id);
  const int before = parser->before.id;
  if (!opening || opening->id == T_ID || before == T_BAR || before == T_COMMA) return false;
  return opening->id == T_OUTPUT || (opening->roles & (ROLE_TYPE | ROLE_DECL));
}

/* True if the keyword is followed by something that can follow a name, but not this keyword. */
static bool is_meant_as_name(const Parser *parser, Token token, const TokenRow *row) {
  const int before = parser->before.id;
  const char *next = text_behind(parser, token);
  const bool is_assigned = next[0] == '=' && next[1] != '=';
  const bool is_title = parser->opening.id == T_FUNCTION && parser->open.len == 0;
  const bool is_call = next[0] == '(' && (row->roles & ROLE_STMT) && !is_title;
  if (before == T_SELECT || before == T_NEW || before == T_STRAND) return !is_call;
  const bool is_behind_name = before == T_ID || before == T_RBRACKET || before == T_RBRACE;
  if (parser->opening.id == T_ID && is_behind_name) return is_assigned;
  if (token.id == T_IN && is_in_declaration(parser)) return true;
  switch (next[0]) {
  case ',':
  case ')': return true;
  case '=': return is_assigned;
  case '+':
  case '-':
  case '*':
  case '/':
  case '%': return next[1] == '=';
  case ';': return parser->opening.id != 0;
  case '.': return next[1] != '.' && (next[1] < '0' || next[1] > '9');
  case '(': return !is_call && parser->opening.id != 0;
  case '[': return !(row->roles & (ROLE_TYPE | ROLE_EXPR));
  default: return is_in(next);
  }
}

static bool is_misnamed(const Parser *parser, int id) {
  for (uint32_t i = 0; i < parser->misnamed.len; i++)
    if (parser->misnamed.data[i] == id) return true;
  return false;
}

static void add(Parser *parser, int id) {
  if (!is_misnamed(parser, id)) vec_push(parser->arena, &parser->misnamed, id);
}

/* `foreach (int in 0..3)`, `{s(i) | in 0..3}`. */
static bool lacks_iterator(const Parser *parser, const bool *expected) {
  const int before = parser->before.id;
  const bool is_iterator = parser->opening.id == T_FOREACH || before == T_BAR || before == T_COMMA;
  return parser->current.id == T_IN && is_iterator && is_expected(expected, T_ID) &&
         !is_expected(expected, T_BOOL) && !is_expected(expected, T_INT);
}

/* The row of the unexpected keyword that was meant for a name, or NULL. */
static const TokenRow *meant_row(const Parser *parser, const bool *expected) {
  const Token token = parser->current;
  const TokenRow *row = word_row(token);
  if (!row || !is_expected(expected, T_ID) || is_expected(expected, T_INT)) return NULL;
  return is_meant_as_name(parser, token, row) ? row : NULL;
}

/* True where a name can be used, or a statement can begin, but nothing is declared. */
static bool is_place_of_use(const Parser *parser, const bool *expected) {
  const int before = parser->before.id;
  const bool is_part = before == T_SELECT || before == T_NEW;
  return is_part || parser->opening.id == 0 || is_expected(expected, T_RETURN);
}

bool misnamed_is_used(const Parser *parser, const bool *expected) {
  if (!is_misnamed(parser, parser->current.id)) return false;
  if (is_expected(expected, T_INT)) return true;
  return is_place_of_use(parser, expected) && meant_row(parser, expected);
}

void misnamed_see(Parser *parser, const bool *expected) {
  if (is_place_of_use(parser, expected) || !meant_row(parser, expected)) return;
  add(parser, parser->current.id);
}

void misnamed_see_skipped(Parser *parser, Token token) {
  const TokenRow *row = word_row(token);
  const TokenRow *before = token_row(parser->before.id);
  if (!row || (row->roles & (ROLE_TYPE | ROLE_EXPR)) || !before) return;
  const bool is_typed = before->id != T_ID && (before->roles & ROLE_TYPE);
  /* Arguments end in other ways than variables of one declaration. */
  const bool is_next = before->id == T_COMMA && strchr("=;", text_behind(parser, token)[0]);
  if ((is_typed || is_next) && is_meant_as_name(parser, token, row)) add(parser, token.id);
}

void misnamed_hint(Parser *parser, const bool *expected) {
  const TokenRow *row = meant_row(parser, expected);
  if (row) diag_note(parser->cx, SPAN_NONE, H_KEYWORD, d_text(row->spelling));
  else if (lacks_iterator(parser, expected))
    diag_note(parser->cx, SPAN_NONE, H_WRITE, d_text("a name before 'in'"));
}
