/* Report: the message of a syntax error: what was found, what was expected, and a hint. */
#include <ctype.h>
#include <string.h>

#include "frontend/base/diag.h"
#include "frontend/base/text.h"
#include "frontend/lang/builtin.h"
#include "frontend/lang/foreign.h"
#include "frontend/syntax/local.h"
#include "grammar.h"

/* A group of tokens that messages call by one name. It is expected as a whole when one token is
 * expected that only it has. */
typedef struct Group {
  unsigned role;
  int witness;
  const char *name;
} Group;
static const Group groups[] = {
    {ROLE_DECL, T_FUNCTION, "a declaration"}, {ROLE_STMT, T_RETURN, "a statement"},
    {ROLE_EXPR, T_INT, "an expression"},      {ROLE_TYPE, T_BOOL, "a type"},
    {ROLE_INFIX, T_PLUS, "an operator"},      {ROLE_ASSIGN, T_ADD_ASSIGN, "an assignment"},
};
enum { N_GROUPS = sizeof groups / sizeof groups[0] };

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

bool is_expected(const bool *expected, int id) {
  const TokenRow *row = token_row(id);
  return row && expected[row - token_rows];
}

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

/* The token as messages quote it: "'foreach'", "name 'x'", "the end of the file". */
static const char *token_text(const Parser *parser, Token token) {
  const Name *name = token.ident.name;
  switch (token.id) {
  case 0: return "end of file";
  case T_ID: return text_format(parser->arena, "name '%s'", name->text);
  case T_INT:
  case T_REAL: {
    Span span = token.ident.span;
    return text_format(parser->arena, "number '%.*s'", (int)(span.end - span.start),
                       parser->cx->source->text + span.start);
  }
  case T_STRING: return "string";
  default: return token_row(token.id)->display;
  }
}

/* True for tokens that the grammar accepts only to report that they belong to the other version. */
static bool is_foreign(const Parser *parser, const TokenRow *row, const bool *expected) {
  if (row->id == T_SKIPPED) return true;
  if (row->versions && !(row->versions & 1u << parser->version)) return true;
  bool is_sequence_type = is_expected(expected, T_LBRACKET) && is_expected(expected, T_LBRACE);
  return is_sequence_type && row->id == (parser->version == AST_V1 ? T_LBRACKET : T_LBRACE);
}

/* What could stand here: groups first, then single tokens that no group covers; "" for nothing. */
static const char *expected_text(const Parser *parser, const bool *expected) {
  VEC(const char *) parts = {0};
  unsigned covered = 0;
  for (uint32_t g = 0; g < N_GROUPS; g++) {
    bool is_part = is_expected(expected, groups[g].witness) && !(covered & groups[g].role);
    if (!is_part) continue;
    covered |= groups[g].role;
    if (groups[g].role & (ROLE_DECL | ROLE_STMT)) covered |= ROLE_TYPE;
    if (groups[g].role & ROLE_INFIX) covered |= ROLE_SUFFIX;
    vec_push(parser->arena, &parts, groups[g].name);
  }
  for (uint32_t i = 0; i < n_token_rows; i++) {
    const TokenRow *row = &token_rows[i];
    if (!expected[i] || is_foreign(parser, row, expected) || (row->roles & covered)) continue;
    vec_push(parser->arena, &parts, row->display);
  }
  Text text = text_new(parser->arena);
  for (uint32_t i = 0; i < parts.len; i++) {
    if (i > 0) text_add(&text, i + 1 < parts.len ? ", " : " or ");
    text_add(&text, parts.data[i]);
  }
  return text_str(&text);
}

/* ---- what stands before a bracket ------------------------------------------------------------ */

/* The word before `end`, with only white space between; empty if there is none. */
static Span word_before(const char *text, uint32_t end) {
  while (end > 0 && strchr(" \t\r\n", text[end - 1])) end--;
  uint32_t start = end;
  while (start > 0 && is_of_name(text[start - 1])) start--;
  return (Span){start, end};
}

/* Is the parenthesis that of `if (...)`? */
static bool is_of_condition(const Parser *parser, Token paren) {
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

/* Does an operand end before the token? */
static bool is_behind_operand(const Parser *parser, Token token) {
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

/* The row of a token that is a keyword of the other version and a plain name in this one. */
static const TokenRow *foreign_keyword(const Parser *parser, Token token) {
  AstVersion other = parser->version == AST_V1 ? AST_V2 : AST_V1;
  return token.id == T_ID ? keyword_row(token.ident.name->text, other) : NULL;
}

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

static void give_hint(Parser *parser, const bool *expected) {
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

/* Whether the token cannot stand in a block. Blocks are long, so only then their opening brace is
 * suspected. */
static bool ends_blocks(const Parser *parser) {
  const TokenRow *row = token_row(parser->current.id);
  bool is_block = parser->braces.len > 0 && !vec_last(&parser->braces);
  return !is_block || !row || (row->roles & ROLE_PART);
}

/* A bracket of an earlier line that could have been closed here is perhaps the real mistake. */
static void note_open_bracket(Parser *parser, const bool *expected) {
  if (parser->open.len == 0) return;
  const Token open = vec_last(&parser->open);
  const Source *source = parser->cx->source;
  uint32_t line = source_line_number(source, open.ident.span.start);
  bool is_above = line < source_line_number(source, parser->current.ident.span.start);
  if (!is_above || !is_expected(expected, closing_bracket(open.id))) return;
  if (open.id == T_LBRACE && !ends_blocks(parser)) return;
  diag_note(parser->cx, open.ident.span, N_OPENED_HERE, d_text(token_row(open.id)->spelling));
}

static void report_foreign(Parser *parser, const TokenRow *row) {
  DiagId id = parser->version == AST_V1 ? E_SYNTAX_V2_FORM : E_SYNTAX_V1_FORM;
  Span span = parser->current.ident.span;
  diag(parser->cx, span, id, d_text(row->display), d_text(row->other));
  if (parser->version == AST_V1) diag_note(parser->cx, SPAN_NONE, H_VERSION_LINE);
}

/* The line ends where a `;` could stand. (Behind a block one is allowed, but not missed.) */
static bool lacks_end(const Parser *parser, const bool *expected) {
  const Source *source = parser->cx->source;
  Token before = parser->before;
  if (!is_expected(expected, T_SEMICOLON) || before.id == T_RBRACE || before.id == 0) return false;
  uint32_t line = source_line_number(source, parser->current.ident.span.start);
  return line > source_line_number(source, before.ident.span.end);
}

bool report_is_due(Parser *parser) {
  const bool is_late_end = parser->current.id == 0 && parser->has_failed;
  parser->is_skipping = true;
  parser->has_failed = true;
  return !parser->is_suspect && !parser->is_resumed && !is_late_end;
}

/* True for tokens that belong to another depth of the program: between parts, anything but a part;
 * in a block, a part; between globals, a statement or a brace. */
static bool is_at_wrong_depth(const Parser *parser, const bool *expected) {
  const TokenRow *row = token_row(parser->current.id);
  const unsigned roles = row ? row->roles : 0;
  const bool in_globals = is_expected(expected, T_FUNCTION);
  const bool in_code = is_expected(expected, T_RETURN) || is_expected(expected, T_INT);
  const bool in_parts = is_expected(expected, T_UPDATE) || is_expected(expected, T_CREATE_ARRAY);
  /* The method, not the statement. */
  if (parser->current.id == T_LBRACE && parser->before.id == T_STABILIZE) return true;
  if (in_globals) return parser->current.id == T_RBRACE || parser->current.id == T_OUTPUT;
  return in_code ? (roles & ROLE_PART) != 0 : in_parts;
}

const char *behind_text(const char *text) {
  if (strncmp(text, "//", 2) == 0) return text + strcspn(text, "\n");
  if (strncmp(text, "/*", 2) == 0) {
    const char *end = strstr(text + 2, "*/");
    return end ? end + 2 : text + strlen(text);
  }
  if (*text != '"') return text;
  for (text++; *text && *text != '\n' && *text != '"'; text++)
    if (*text == '\\' && text[1] && text[1] != '\n' && text[1] != '\r') text++;
  return *text == '"' ? text + 1 : text;
}

/* True if every brace of the file has a partner. */
static bool braces_match(const Parser *parser) {
  int depth = 0;
  const char *text = parser->cx->source->text + parser->start;
  while (*text && depth >= 0) {
    const char *behind = behind_text(text);
    depth += behind == text && *text == '{';
    depth -= behind == text && *text == '}';
    text = behind == text ? text + 1 : behind;
  }
  return depth == 0;
}

/* `update` or `strand s (...)` without its brace: everything behind it is at a wrong depth. */
static bool lacks_brace(const Parser *parser, const bool *expected) {
  const TokenRow *before = token_row(parser->before.id);
  const bool is_title =
      before && text_has_word("initialize start update stabilize global", before->spelling);
  const int opening = parser->opening.id;
  const bool is_headed = parser->before.id == T_RPAREN &&
                         (opening == T_STRAND || opening == T_FUNCTION || opening == T_FOREACH);
  return (is_title || is_headed) && is_expected(expected, T_LBRACE) && !braces_match(parser);
}

/* An earlier error may have skipped a brace. If the program then seems to continue at a wrong
 * depth, this error is an echo of that one, and so are all further ones, unless a brace is open
 * that was opened since. */
static bool is_echo(Parser *parser, const bool *expected) {
  if (diag_error_count(parser->cx) == 0 || parser->is_lost) return parser->is_lost;
  if (!is_at_wrong_depth(parser, expected) || braces_match(parser)) return false;
  const Token *open = parser->open.len > 0 ? &vec_last(&parser->open) : NULL;
  parser->is_lost = !open || open->ident.span.start <= parser->failed_at;
  return parser->is_lost;
}

/* In `if (inside(x, F) {` the brace could still begin an index of version 1.0, as in F(x){i}, so
 * the error is detected at the statement behind it. Nothing else begins a statement there. */
static bool report_block_in_condition(Parser *parser) {
  uint32_t n = parser->open.len;
  if (n < 2 || parser->open.data[n - 1].id != T_LBRACE) return false;
  const Token brace = parser->open.data[--n];
  uint32_t first = n;
  while (first > 0 && parser->open.data[first - 1].id == T_LPAREN) first--;
  if (first == n || !is_of_condition(parser, parser->open.data[first])) return false;
  if (!is_behind_operand(parser, brace)) return false;
  parser->failed_at = brace.ident.span.start;
  if (parser->braces.len > 0) vec_last(&parser->braces) = false; /* what is skipped is a block */
  diag(parser->cx, brace.ident.span, E_SYNTAX, d_text(token_text(parser, brace)),
       d_text("an operator or ')'"));
  diag_note(parser->cx, parser->open.data[n - 1].ident.span, N_OPENED_HERE, d_text("("));
  return true;
}

void report_unexpected(Parser *parser, const bool *expected) {
  Token token = parser->current;
  Span span = token.ident.span;
  if (report_block_in_condition(parser)) return;
  if (misnamed_is_used(parser, expected)) return;
  misnamed_see(parser, expected);
  const TokenRow *foreign = foreign_keyword(parser, token);
  if (foreign) {
    parser->failed_at = span.start;
    report_foreign(parser, foreign);
    return;
  }
  if (token.id == T_BOUNDS) {
    form_used(parser, span, FORM_RANGE);
    return;
  }
  Ident name;
  const TokenRow *meant = misspelt_keyword(parser, expected, &name);
  if (meant) {
    parser->failed_at = span.start;
    diag(parser->cx, name.span, E_SYNTAX_MISSPELT, d_name(name.name), d_text(meant->spelling));
    return;
  }
  parser->lacks_end = lacks_end(parser, expected);
  if (is_echo(parser, expected)) return;
  parser->failed_at = span.start;
  const char *found = token_text(parser, token);
  const char *wanted = expected_text(parser, expected);
  if (wanted[0] == '\0') diag(parser->cx, span, E_SYNTAX_AFTER_END, d_text(found));
  else diag(parser->cx, span, E_SYNTAX, d_text(found), d_text(wanted));
  const bool is_misplaced = is_at_wrong_depth(parser, expected) && !braces_match(parser);
  parser->is_lost = is_misplaced || lacks_brace(parser, expected);
  note_open_bracket(parser, expected);
  give_hint(parser, expected);
}

void report_depth(Parser *parser, Span span) {
  parser->has_failed = true;
  diag(parser->cx, span, E_NESTING_DEPTH);
}

void report_open_string(Parser *parser, Span span) {
  const Source *source = parser->cx->source;
  const bool is_echo_of_line =
      parser->has_failed &&
      source_line_number(source, parser->failed_at) == source_line_number(source, span.start);
  parser->is_suspect = true;
  if (is_echo_of_line) return;
  diag(parser->cx, span, E_STRING_OPEN);
  parser->failed_at = span.start;
  parser->is_lost = !braces_match(parser);
}
