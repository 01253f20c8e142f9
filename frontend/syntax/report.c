/* Report: the message of a syntax error: what was found, what was expected. Next: hint.c. */
#include <string.h>

#include "frontend/base/diag.h"
#include "frontend/base/text.h"
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
    {ROLE_EXPR, T_REAL, "an expression"},     {ROLE_TYPE, T_BOOL, "a type"},
    {ROLE_INFIX, T_PLUS, "an operator"},      {ROLE_ASSIGN, T_ADD_ASSIGN, "an assignment"},
};
enum { N_GROUPS = sizeof groups / sizeof groups[0] };

bool is_expected(const bool *expected, int id) {
  const TokenRow *row = token_row(id);
  return row && expected[row - token_rows];
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

const TokenRow *foreign_keyword(const Parser *parser, Token token) {
  AstVersion other = parser->version == AST_V1 ? AST_V2 : AST_V1;
  return token.id == T_ID ? keyword_row(token.ident.name->text, other) : NULL;
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
  hint_give(parser, expected);
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
