/* Hint: what to write instead, below the message of a syntax error: by the rows of hints.def, by
 * words of other languages (lang/foreign.def), and by what is open around the error.
 */
#include <ctype.h>
#include <string.h>

#include "frontend/base/diag.h"
#include "frontend/base/text.h"
#include "frontend/lang/builtin.h"
#include "frontend/lang/foreign.h"
#include "frontend/syntax/local.h"
#include "grammar.h"

typedef enum { ANY, TOUCHING, SPELT } Distance;
typedef struct Hint {
  const char *before, *unexpected, *expected;
  Distance distance;
  DiagId help;
  const char *argument;
} Hint;
static const Hint hints[] = {
#define HINT(before, unexpected, expected, distance, help, argument)                               \
  {before, unexpected, expected, distance, help, argument},
#include "frontend/syntax/hints.def"
};
enum { N_HINTS = sizeof hints / sizeof hints[0] };

static bool fits(const char *list, Token token) {
  if (list[0] == '\0') return true;
  const TokenRow *row = token_row(token.id);
  return row && text_has_word(list, row->spelling);
}

/* The same for the token before; "1." is a point that touches a digit. */
static bool fits_before(const char *list, const Parser *parser) {
  uint32_t start = parser->before.ident.span.start;
  const char *text = parser->cx->source->text;
  bool is_point = parser->before.id == T_SELECT && start > 0 && text[start - 1] >= '0' &&
                  text[start - 1] <= '9';
  return fits(list, parser->before) || (is_point && text_has_word(list, "1."));
}

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Do the characters of one of the words stand at the unexpected token? Names must end there. */
static bool is_spelt(const char *words, const Parser *parser) {
  const char *text = parser->cx->source->text + parser->current.ident.span.start;
  while (*words) {
    const size_t len = strcspn(words, " ");
    const bool may_go_on = !is_of_name(words[len - 1]);
    if (strncmp(text, words, len) == 0 && (may_go_on || !is_of_name(text[len]))) return true;
    words += len + strspn(words + len, " ");
  }
  return false;
}

static bool fits_unexpected(const Hint *hint, const Parser *parser) {
  if (hint->distance == SPELT) return is_spelt(hint->unexpected, parser);
  return fits(hint->unexpected, parser->current);
}

static bool fits_expected(const char *list, const bool *expected) {
  if (list[0] == '\0') return true;
  for (uint32_t i = 0; i < n_token_rows; i++)
    if (expected[i] && text_has_word(list, token_rows[i].spelling)) return true;
  return false;
}

/* ---- what stands before a bracket ------------------------------------------------------------ */

/* The word before `end`, with only white space between; empty if there is none. */
static Span word_before(const char *text, uint32_t end) {
  while (end > 0 && strchr(" \t\r\n", text[end - 1])) end--;
  uint32_t start = end;
  while (start > 0 && is_of_name(text[start - 1])) start--;
  return (Span){start, end};
}

bool is_of_condition(const Parser *parser, Token paren) {
  const char *text = parser->cx->source->text;
  const Span word = word_before(text, paren.ident.span.start);
  return word.end - word.start == 2 && strncmp(text + word.start, "if", 2) == 0;
}

static const char *word_text(const Parser *parser, uint32_t end) {
  const char *text = parser->cx->source->text;
  const Span at = word_before(text, end);
  return arena_strdup(parser->arena, text + at.start, at.end - at.start);
}

/* `sum`, `max` and the like. */
static bool is_reduction(const char *word) {
  uint32_t n_rows = 0;
  const Builtin *rows = word[0] ? builtin_find(word, &n_rows) : NULL;
  for (uint32_t i = 0; i < n_rows; i++)
    if (rows[i].lowering == LOWER_FOLD) return true;
  return false;
}

/* Does an expression go on with a brace behind the word that ends here: sum { ... }, x in {1, 2}?
 */
static bool is_before_brace(const Parser *parser, uint32_t end) {
  const char *word = word_text(parser, end);
  return text_has_word("in if else return", word) || is_reduction(word);
}

bool is_behind_operand(const Parser *parser, Token token) {
  const char *text = parser->cx->source->text;
  const uint32_t end = word_before(text, token.ident.span.start).end;
  if (end == 0 || strchr("<>=+-*/%^@&|!,:([{", text[end - 1])) return false;
  return !is_before_brace(parser, end);
}

/* For `(0, 0)` where a vector was meant: a parenthesis that does not belong to a name, condition or
 * loop. */
static bool hint_vector(Parser *parser, const bool *expected) {
  if (parser->current.id != T_COMMA || parser->open.len == 0) return false;
  const Token paren = vec_last(&parser->open);
  const bool is_list = paren.id == T_LPAREN && is_expected(expected, T_RPAREN);
  if (!is_list || is_behind_operand(parser, paren) || is_of_condition(parser, paren)) return false;
  diag_note(parser->cx, SPAN_NONE, H_WRITE, d_text("[a, b] for a vector"));
  return true;
}

/* For `sum(k*k | k in 0..3)`. */
static bool hint_comprehension(Parser *parser, const bool *expected) {
  if (parser->current.id != T_BAR || parser->open.len == 0) return false;
  const Token paren = vec_last(&parser->open);
  if (paren.id != T_LPAREN || !is_expected(expected, T_RPAREN)) return false;
  const char *word = word_text(parser, paren.ident.span.start);
  if (!is_reduction(word)) return false;
  const char *instead = text_format(parser->arena, "braces: %s { e | x in s }", word);
  diag_note(parser->cx, SPAN_NONE, H_WRITE, d_text(instead));
  return true;
}

/* For `if (x > 1) then {`, where a sequence is read instead of a block. */
static bool hint_before_brace(Parser *parser) {
  if (parser->open.len == 0 || vec_last(&parser->open).id != T_LBRACE) return false;
  const char *text = parser->cx->source->text;
  const Span word = word_before(text, vec_last(&parser->open).ident.span.start);
  const size_t len = word.end - word.start;
  const bool is_name = foreign_begins(text + word.start, len);
  const char *instead = is_name ? NULL : foreign_word(text + word.start, len);
  if (instead) diag_note(parser->cx, word, H_WRITE, d_text(instead));
  return instead != NULL;
}

/* ---- hints ----------------------------------------------------------------------------------- */

/* For `const int N = 3;` in version 1.0, where the error comes only after the word. */
static bool hint_version(Parser *parser, Token token) {
  const TokenRow *row = foreign_keyword(parser, token);
  if (!row) return false;
  const char *text = text_format(parser->arena, "%s, as '%s' belongs to version %s", row->other,
                                 row->spelling, parser->version == AST_V1 ? "2.0" : "1.0");
  diag_note(parser->cx, token.ident.span, H_WRITE, d_text(text));
  return true;
}

/* What follows a token in the text. */
static const char *behind(const Parser *parser, Token token) {
  const char *next = parser->cx->source->text + token.ident.span.end;
  return next + strspn(next, " \t\r\n");
}

/* `out real x`, `init {`; in `x = out y;` and `out + 1` the word is a name. */
static bool begins_construct(const Parser *parser, Token token) {
  const char *next = behind(parser, token);
  const bool is_first = token.ident.span.start == parser->opening.ident.span.start;
  return is_first && (*next == '{' || isalpha((unsigned char)*next));
}

/* Of `sum(x for x in s)`; at its beginning, a statement is meant to be a loop, and so is
 * `else for (...)`. */
static bool is_for_in_expression(const Parser *parser, Token token) {
  const bool is_first = token.ident.span.start == parser->opening.ident.span.start;
  return !is_first && *behind(parser, token) != '(' && strcmp(token.ident.name->text, "for") == 0;
}

/* For `not x`, `a and b`, `while (x)`: the word is read as a name. */
static bool hint_foreign(Parser *parser, Token token) {
  if (token.id != T_ID) return false;
  const Name *name = token.ident.name;
  if (is_for_in_expression(parser, token)) {
    diag_note(parser->cx, token.ident.span, H_WRITE,
              d_text("'|' before the iterator: { x^2 | x in s }"));
    return true;
  }
  if (foreign_begins(name->text, name->len) && !begins_construct(parser, token)) return false;
  const char *instead = foreign_word(name->text, name->len);
  if (instead) diag_note(parser->cx, token.ident.span, H_WRITE, d_text(instead));
  return instead != NULL;
}

/* Of `2x`; of shapes such as `tensor[3x3]` there are no products. */
static bool is_factor_behind_number(const Parser *parser, const bool *expected) {
  const int before = parser->before.id;
  const Token token = parser->current;
  if ((before != T_INT && before != T_REAL) || token.id != T_ID) return false;
  const bool is_touching = parser->before.ident.span.end == token.ident.span.start;
  return is_touching && is_expected(expected, T_PLUS) &&
         !foreign_ends_number(token.ident.name->text);
}

/* Hints that depend on the context: `foreach (int i = 0; ...)`, `return;`. */
static bool hint_by_context(Parser *parser, const bool *expected) {
  const int before = parser->before.id, id = parser->current.id;
  const char *instead = NULL;
  if (parser->opening.id == T_FOREACH && before == T_ID && id == T_ASSIGN &&
      is_expected(expected, T_IN))
    instead = "foreach (int i in 0..9) { ... }";
  if (before == T_RPAREN && id == T_ID && is_expected(expected, T_LBRACKET) &&
      !is_expected(expected, T_PLUS))
    instead = "the shape of a value behind the dimension: [] for numbers, [3] for vectors";
  if (before == T_RETURN && id == T_SEMICOLON)
    instead = parser->is_in_function ? "a value: functions return one"
                                     : "continue, stabilize or die, which end methods early";
  if (is_factor_behind_number(parser, expected)) instead = "the operator of a product, as in 2*x";
  if (instead) diag_note(parser->cx, SPAN_NONE, H_WRITE, d_text(instead));
  return instead != NULL;
}

void hint_give(Parser *parser, const bool *expected) {
  if (hint_version(parser, parser->before) || hint_version(parser, parser->opening)) return;
  if (parser->lacks_end) {
    uint32_t line = source_line_number(parser->cx->source, parser->before.ident.span.end);
    diag_note(parser->cx, SPAN_NONE, H_SEMICOLON, d_int(line));
    return;
  }
  if (hint_foreign(parser, parser->current) || hint_foreign(parser, parser->before)) return;
  if (hint_before_brace(parser) || hint_vector(parser, expected)) return;
  if (hint_comprehension(parser, expected)) return;
  if (hint_by_context(parser, expected)) return;
  Span before = parser->before.ident.span;
  Span current = parser->current.ident.span;
  for (uint32_t i = 0; i < N_HINTS; i++) {
    const Hint *hint = &hints[i];
    if (!fits_before(hint->before, parser) || !fits_unexpected(hint, parser)) continue;
    if (!fits_expected(hint->expected, expected)) continue;
    if (hint->distance == TOUCHING && before.end != current.start) continue;
    if (hint->argument[0] == '\0') diag_note(parser->cx, SPAN_NONE, hint->help);
    else diag_note(parser->cx, SPAN_NONE, hint->help, d_text(hint->argument));
    return;
  }
  misnamed_hint(parser, expected);
}
