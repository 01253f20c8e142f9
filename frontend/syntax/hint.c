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

typedef enum { ANY, TOUCHING, PREFIX, SPELT, LAST } Distance;
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
static bool fits_before(const Hint *hint, const Parser *parser) {
  const Ident before = parser->before.ident;
  if (hint->distance == PREFIX)
    return parser->before.id == T_ID && text_has_word(hint->before, before.name->text);
  uint32_t start = before.span.start;
  const char *text = parser->cx->source->text;
  bool is_point = parser->before.id == T_SELECT && start > 0 && text[start - 1] >= '0' &&
                  text[start - 1] <= '9';
  return fits(hint->before, parser->before) || (is_point && text_has_word(hint->before, "1."));
}

static bool is_of_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The characters of a name from here on: also of λ, m' and the like. */
static size_t name_length(const char *text) {
  size_t len = 0;
  while (is_of_name(text[len]) || text[len] == '\'' || (unsigned char)text[len] >= 0x80) len++;
  return len;
}

static bool is_end_of_line(const char *text) {
  return strchr("\r\n", text[strspn(text, " \t")]) != NULL; /* or at its NUL */
}

/* Do the characters of one of the words stand at the unexpected token? Names must end there. */
static bool is_spelt(const char *words, bool is_last, const Parser *parser) {
  const char *text = parser->cx->source->text + parser->current.ident.span.start;
  while (*words) {
    const size_t len = strcspn(words, " ");
    const bool may_go_on = !is_of_name(words[len - 1]);
    if (strncmp(text, words, len) == 0 && (may_go_on || !is_of_name(text[len])))
      return !is_last || is_end_of_line(text + len);
    words += len + strspn(words + len, " ");
  }
  return false;
}

static bool fits_unexpected(const Hint *hint, const Parser *parser) {
  if (hint->distance >= SPELT) return is_spelt(hint->unexpected, hint->distance == LAST, parser);
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
  const ForeignPlace place = foreign_place(text + word.start, len);
  const bool is_name = place == FOREIGN_BEGINS || place == FOREIGN_CALLED;
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

/* `pass;`, `do {`, `end`; in `end = 1;` and `x = end;` the word is a name. */
static bool is_statement(const Parser *parser, Token token) {
  const char next = *behind(parser, token);
  const bool is_first =
      parser->opening.id == 0 || token.ident.span.start == parser->opening.ident.span.start;
  return is_first && (strchr(";{}(", next) || isalpha((unsigned char)next));
}

/* A declaration is being read. */
static bool is_declaration(const Parser *parser) {
  const TokenRow *row = token_row(parser->opening.id);
  return row && row->id != T_ID && (row->id == T_OUTPUT || (row->roles & (ROLE_TYPE | ROLE_DECL)));
}

/* The type of a declaration ends before the token: `real step 0.1;` is about a name of the program.
 */
static bool is_behind_type(const Parser *parser, Token token) {
  const char *text = parser->cx->source->text;
  const uint32_t start = parser->opening.ident.span.start, end = token.ident.span.start;
  if (!is_declaration(parser) || memchr(text + start, '=', end - start)) return false;
  const TokenRow *row = keyword_row(word_text(parser, end), parser->version);
  return (row && (row->roles & ROLE_TYPE)) || text[word_before(text, end).end - 1] == ']';
}

/* Does the word stand where it has the meaning that it has elsewhere? */
static bool is_in_place(const Parser *parser, Token token) {
  const Name *name = token.ident.name;
  if (is_behind_type(parser, token)) return false;
  switch (foreign_place(name->text, name->len)) {
  case FOREIGN_BEGINS: return begins_construct(parser, token);
  case FOREIGN_STATEMENT: return is_statement(parser, token);
  case FOREIGN_CALLED: return *behind(parser, token) == '(';
  default: return true;
  }
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
  if (!is_in_place(parser, token)) return false;
  const char *instead = foreign_word(name->text, name->len);
  if (instead) diag_note(parser->cx, token.ident.span, H_WRITE, d_text(instead));
  return instead != NULL;
}

/* ---- by what is around the error ------------------------------------------------------------ */

/* The innermost open bracket; 0 if there is none. */
static int innermost(const Parser *parser) {
  return parser->open.len > 0 ? vec_last(&parser->open).id : 0;
}

/* More of the line follows the token. */
static bool is_amid_line(const Parser *parser, Token token) {
  return !is_end_of_line(parser->cx->source->text + token.ident.span.end);
}

/* Whether the name ends an int of another language: in `0xFF`, `10L`; not in `3x3`. */
static bool is_end_of_int(const Parser *parser, Token number, Token name) {
  const Span digits = number.ident.span;
  const bool is_zero =
      digits.end - digits.start == 1 && parser->cx->source->text[digits.start] == '0';
  const char *text = name.ident.name->text;
  return foreign_ends_int(text) && (is_zero || strspn(text, "lLuU") > 0);
}

/* Of `2x`, `2π`, `0xFF` and `tensor[3x3]`. */
static const char *behind_number(const Parser *parser, const bool *expected) {
  const Token before = parser->before, token = parser->current;
  const char *text = parser->cx->source->text + token.ident.span.start;
  const bool is_number = before.id == T_INT || before.id == T_REAL;
  const bool is_factor = token.id == T_ID || (token.id == T_REAL && !isdigit((unsigned char)*text));
  if (!is_number || !is_factor || before.ident.span.end != token.ident.span.start) return NULL;
  if (before.id == T_INT && token.id == T_ID) {
    if (is_end_of_int(parser, before, token)) return "ints as decimal digits alone, as in 255";
    if (text[0] == 'x' && isdigit((unsigned char)text[1]) && is_expected(expected, T_COMMA))
      return "',' between lengths, as in tensor[3,3]";
  }
  if (token.id == T_ID && foreign_ends_number(token.ident.name->text)) return NULL;
  return is_expected(expected, T_PLUS) ? "the operator of a product, as in 2*x" : NULL;
}

/* `foreach (int i = 0; ...)`, `foreach (int i in s, int j in t)`. */
static const char *in_foreach(const Parser *parser, const bool *expected) {
  const int before = parser->before.id, id = parser->current.id;
  if (parser->opening.id != T_FOREACH || innermost(parser) != T_LPAREN) return NULL;
  if (before == T_ID && id == T_ASSIGN && is_expected(expected, T_IN))
    return "foreach (int i in 0..9) { ... }";
  const uint32_t paren = vec_last(&parser->open).ident.span.start;
  const bool is_header = strcmp(word_text(parser, paren), "foreach") == 0;
  return is_header && id == T_COMMA ? "one loop inside the other: each has one variable" : NULL;
}

/* Whether an iterator stands between the innermost bracket and the unexpected token. */
static bool is_in_iterator(const Parser *parser) {
  if (parser->braces.len == 0 || !vec_last(&parser->braces)) return false; /* a block */
  const char *text = parser->cx->source->text;
  const char *in = strstr(text + vec_last(&parser->open).ident.span.end, " in ");
  return in && in < text + parser->current.ident.span.start;
}

/* Whether another iterator follows, as in `{ e | i in s, j in t }`, maybe with a type, not in
 * `{ e | i in s, i > 2 }`. */
static bool is_before_iterator(const Parser *parser) {
  const char *text = behind(parser, parser->current);
  for (size_t len; (len = name_length(text)) > 0; text += strspn(text, " \t\r\n[]")) {
    if (len == 2 && strncmp(text, "in", 2) == 0) return true;
    text += len;
  }
  return false;
}

/* `image(3) v`, `int[] a = [k | k in s]`, `sum { e | i in s, j in t }`, `[1, 2; 3, 4]`,
 * `field#2(3)[][2] f`. */
static const char *at_bracket(const Parser *parser, const bool *expected) {
  const int before = parser->before.id, id = parser->current.id, open = innermost(parser);
  const bool is_of_fields = parser->opening.id == T_FIELD || parser->opening.id == T_IMAGE;
  if (before == T_RPAREN && id == T_ID && is_expected(expected, T_LBRACKET) &&
      !is_expected(expected, T_PLUS))
    return "the shape of a value behind the dimension: [] for numbers, [3] for vectors";
  if (before == T_RBRACKET && id == T_LBRACKET && is_of_fields)
    return "a declaration for each: there are no sequences of fields or images";
  if (open == T_LBRACKET && id == T_BAR && is_expected(expected, T_RBRACKET))
    return "braces: { e | x in s }";
  if (open == T_LBRACE && id == T_COMMA && is_in_iterator(parser))
    return is_before_iterator(parser)
               ? "one iterator: sum { sum { e | j in t } | i in s }"
               : "a value for the others, as in sum { e if c else 0 | x in s }";
  if (id != T_SEMICOLON || !is_expected(expected, T_COMMA) ||
      !is_amid_line(parser, parser->current))
    return NULL;
  if (open == T_LBRACKET) return "[[a, b], [c, d]] for a matrix";
  return open == T_LBRACE ? "',' between values" : NULL;
}

/* `x = i // 2;`: one operand and a semicolon are all that the comment contains. */
static bool is_cut_quotient(const Parser *parser) {
  const char *text = parser->cx->source->text + parser->before.ident.span.end;
  text += strspn(text, " \t");
  if (strncmp(text, "//", 2) != 0) return false;
  text += 2 + strspn(text + 2, " \t");
  const char *operand = text;
  while (is_of_name(*text) || *text == '.') text++;
  if (text == operand || *text != ';') return false;
  text += 1 + strspn(text + 1, " \t\r");
  return *text == '\n' || *text == '\0';
}

/* `return;`, `input real x "text"`, `real output x`, `x = 1,5;`, `x = i // 2;`. */
static const char *in_statement(const Parser *parser, const bool *expected) {
  const int before = parser->before.id, id = parser->current.id;
  if (before == T_RETURN && id == T_SEMICOLON)
    return parser->is_in_function ? "a value: functions return one"
                                  : "continue, stabilize or die, which end methods early";
  if (parser->opening.id == T_INPUT && before == T_ID && id == T_STRING &&
      is_expected(expected, T_LPAREN))
    return "the description in parentheses";
  if (id == T_OUTPUT && is_behind_type(parser, parser->current) &&
      isalpha((unsigned char)*behind(parser, parser->current)))
    return parser->braces.len > 0 ? "output before the type" : "outputs as variables of the strand";
  const Span sign = parser->current.ident.span;
  if (before == T_INT && id == T_COMMA && parser->before.ident.span.end == sign.start &&
      isdigit((unsigned char)parser->cx->source->text[sign.end]) &&
      is_expected(expected, T_SEMICOLON))
    return "a point for decimals, as in 1.5";
  if (!parser->lacks_end) return NULL;
  return is_cut_quotient(parser) ? "a/b for a quotient: '//' begins a comment" : NULL;
}

static bool hint_by_context(Parser *parser, const bool *expected) {
  const char *(*const contexts[])(const Parser *, const bool *) = {behind_number, in_foreach,
                                                                   at_bracket, in_statement};
  for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++) {
    const char *instead = contexts[i](parser, expected);
    if (!instead) continue;
    diag_note(parser->cx, SPAN_NONE, H_WRITE, d_text(instead));
    return true;
  }
  return false;
}

/* How values of the type that ends here are put together; NULL if it has one value. */
static const char *aggregate_of(const Parser *parser, uint32_t end) {
  const char *text = parser->cx->source->text;
  const uint32_t close = word_before(text, end).end;
  uint32_t open = close;
  if (close > 0 && text[close - 1] == ']')
    while (open > 1 && text[open - 1] != '[') open--;
  const uint32_t word_end = word_before(text, open < close ? open - 1 : close).end;
  if (word_end > 0 && text[word_end - 1] == ')') return NULL; /* of a field or an image */
  const char *word = word_text(parser, word_end);
  const bool is_tensor = strcmp(word, "tensor") == 0;
  if (open < close && !is_tensor) return "{a, b} for a sequence";
  const bool has_rows = is_tensor && memchr(text + open, ',', close - open);
  if (has_rows || text_has_word("mat2 mat3 mat4", word)) return "[[a, b], [c, d]] for a matrix";
  return is_tensor || text_has_word("vec2 vec3 vec4", word) ? "[a, b] for a vector" : NULL;
}

/* For `vec2 v = 1, 2;`, in the order of the text; NULL for `vec2 v = [1, 2], w = [3, 4];`. */
static const char *value_of_several(const Parser *parser) {
  const char *text = parser->cx->source->text;
  const uint32_t start = parser->opening.ident.span.start;
  const char *sign = memchr(text + start, '=', parser->current.ident.span.start - start);
  if (!sign || parser->before.id == T_RBRACKET || parser->before.id == T_RBRACE) return NULL;
  const char *next = behind(parser, parser->current);
  const char *end = next + name_length(next);
  if (!isdigit((unsigned char)*next) && end > next && end[strspn(end, " \t")] == '=') return NULL;
  const uint32_t name = word_before(text, (uint32_t)(sign - text)).start;
  return aggregate_of(parser, name);
}

/* `int n = 3, m = 4;` */
static bool hint_one_variable(Parser *parser, const bool *expected) {
  const int open = innermost(parser);
  if (!is_declaration(parser) || parser->current.id != T_COMMA ||
      !is_expected(expected, T_SEMICOLON))
    return false;
  if (open == T_LPAREN || open == T_LBRACKET) return false;
  const char *value = value_of_several(parser);
  if (value) diag_note(parser->cx, SPAN_NONE, H_WRITE, d_text(value));
  else diag_note(parser->cx, SPAN_NONE, H_ONE_VARIABLE);
  return true;
}

/* `void update() {`: the word before is no type, and none is needed. Behind methods, that word is
 * the unexpected one. */
static bool hint_method(Parser *parser) {
  const Token token = parser->current;
  const bool is_first = token.id == T_ID && parser->opening.id == 0;
  const bool is_second = parser->before.ident.span.start == parser->opening.ident.span.start;
  if (!is_first && !is_second) return false;
  const char *text = parser->cx->source->text;
  const char *name = is_first ? behind(parser, token) : text + token.ident.span.start;
  size_t len = 0;
  while (is_of_name(name[len])) len++;
  const char next = name[len + strspn(name + len, " \t\r\n")];
  const char *method = arena_strdup(parser->arena, name, len);
  const bool is_method = len > 0 && text_has_word("update start stabilize initialize", method);
  if (!is_method || (next != '(' && next != '{')) return false;
  const char *instead = text_format(parser->arena, "%s { ... }, without a word before it", method);
  diag_note(parser->cx, SPAN_NONE, H_WRITE, d_text(instead));
  return true;
}

/* `struct P {`: the word is the one before the last. */
static bool hint_title(Parser *parser) {
  const Token title = parser->opening;
  const Span name = parser->before.ident.span;
  const char *text = parser->cx->source->text;
  const bool is_title = title.id == T_ID && parser->before.id == T_ID &&
                        word_before(text, name.start).start == title.ident.span.start;
  return is_title && parser->current.id == T_LBRACE && hint_foreign(parser, title);
}

static bool hint_by_row(Parser *parser, const bool *expected) {
  const bool is_touching = parser->before.ident.span.end == parser->current.ident.span.start;
  for (uint32_t i = 0; i < N_HINTS; i++) {
    const Hint *hint = &hints[i];
    if (!fits_before(hint, parser) || !fits_unexpected(hint, parser)) continue;
    if (!fits_expected(hint->expected, expected)) continue;
    if (!is_touching && (hint->distance == TOUCHING || hint->distance == PREFIX)) continue;
    if (hint->argument[0] == '\0') diag_note(parser->cx, SPAN_NONE, hint->help);
    else diag_note(parser->cx, SPAN_NONE, hint->help, d_text(hint->argument));
    return true;
  }
  return false;
}

/* `def f(x):`, `import numpy as np`: words that begin like a declaration. */
static bool hint_opening(Parser *parser) {
  const bool is_title = parser->opening.id == T_ID;
  return is_title && isalpha((unsigned char)*behind(parser, parser->opening)) &&
         hint_foreign(parser, parser->opening);
}

/* `for k = 1:3`, `while x < 3`, which begin like `real k = 1`. */
static bool hint_loop(Parser *parser) {
  return parser->opening.id == T_ID &&
         text_has_word("for while until do", parser->opening.ident.name->text) &&
         hint_opening(parser);
}

void hint_give(Parser *parser, const bool *expected) {
  if (hint_version(parser, parser->before) || hint_version(parser, parser->opening)) return;
  if (parser->lacks_end) {
    if (hint_by_context(parser, expected) || hint_loop(parser)) return;
    uint32_t line = source_line_number(parser->cx->source, parser->before.ident.span.end);
    diag_note(parser->cx, SPAN_NONE, H_SEMICOLON, d_int(line));
    return;
  }
  if (hint_method(parser)) return;
  if (hint_foreign(parser, parser->current) || hint_foreign(parser, parser->before)) return;
  if (hint_title(parser) || hint_before_brace(parser) || hint_vector(parser, expected)) return;
  if (hint_comprehension(parser, expected)) return;
  if (hint_by_context(parser, expected) || hint_one_variable(parser, expected)) return;
  if (parser->current.id == T_COLON && hint_opening(parser)) return; /* for k : s, let y: real */
  if (!hint_by_row(parser, expected) && !hint_opening(parser)) misnamed_hint(parser, expected);
}
