/* Stream: the tokens as the grammar gets them. Recognises keywords and operators, and after a
 * syntax error skips to the end of the broken construct; Note [Skipping].
 */
#include <string.h>

#include "frontend/base/text.h"
#include "frontend/syntax/local.h"
#include "grammar.h"

/* `ofield#2`: a type of a development branch, and no name of a variable. */
static bool is_ofield(const Parser *parser, Token token) {
  if (strcmp(token.ident.name->text, "ofield") != 0) return false;
  const char *next = parser->cx->source->text + token.ident.span.end;
  return next[strspn(next, " \t")] == '#';
}

static Token read_token(Parser *parser) {
  if (parser->has_pending) {
    parser->has_pending = false;
    return parser->pending;
  }
  Token token = lexer_next(parser);
  const TokenRow *row = NULL;
  if (token.id == T_ID) row = keyword_row(token.ident.name->text, parser->version);
  else if (token.id != 0 && !token.ident.name) row = token_row(token.id);
  if (token.id == T_ID && is_ofield(parser, token)) token.id = T_OFIELD;
  if (!row) return token;
  token.id = row->id;
  token.ident.name = name_from(parser->cx->names, row->spelling);
  /* Version 1.0 has ranges only between bounds of the creation. */
  if (token.id == T_RANGE && parser->version == AST_V1) token.id = T_BOUNDS;
  return token;
}

static void unread_token(Parser *parser, Token token) {
  parser->pending = token;
  parser->has_pending = true;
}

/* Behind these tokens a brace opens a block; otherwise it belongs to an expression, a type or the
 * creation. */
static bool opens_block(int before) {
  switch (before) {
  case 0:
  case T_RPAREN:
  case T_ELSE:
  case T_SEMICOLON:
  case T_LBRACE:
  case T_RBRACE:
  case T_INITIALIZE:
  case T_START:
  case T_UPDATE:
  case T_STABILIZE:
  case T_GLOBAL: return true;
  default: return false; /* operators, names, brackets: all inside expressions or types */
  }
}

static bool is_in_block(const Parser *parser) {
  return parser->braces.len == 0 || !vec_last(&parser->braces);
}

int closing_bracket(int id) {
  switch (id) {
  case T_LPAREN: return T_RPAREN;
  case T_LBRACKET: return T_RBRACKET;
  case T_LBRACE: return T_RBRACE;
  default: return 0; /* opens nothing */
  }
}

/* A closing bracket closes the last open one, whether it fits or not: that is up to the grammar. */
static void count_brackets(Parser *parser, Token token) {
  bool closes = token.id == T_RPAREN || token.id == T_RBRACKET || token.id == T_RBRACE;
  if (closing_bracket(token.id)) vec_push(parser->arena, &parser->open, token);
  else if (closes && parser->open.len > 0) parser->open.len--;
}

/* After skipping only the n_braces blocks around are open. */
static void forget_brackets(Parser *parser, uint32_t n_braces) {
  uint32_t kept = 0, n_found = 0;
  while (kept < parser->open.len && n_found < n_braces)
    n_found += parser->open.data[kept++].id == T_LBRACE;
  parser->open.len = kept;
}

/* `update {`, `strand S`: a word is a title if a brace or a name follows it. */
static void see_title(Parser *parser, Token token) {
  const bool is_first = parser->before.ident.span.start == parser->opening.ident.span.start;
  if (token.id == T_SEMICOLON || token.id == T_RBRACE) parser->titled = (Token){0};
  if (!is_first || (token.id != T_LBRACE && token.id != T_ID)) return;
  parser->titled = parser->opening;
  parser->n_titled = token.id == T_LBRACE ? parser->braces.len + 1 : 0;
}

/* Remembers a token that the grammar has taken. */
static void take(Parser *parser, Token token) {
  count_brackets(parser, token);
  see_title(parser, token);
  if (token.id == T_FUNCTION || token.id == T_STRAND)
    parser->is_in_function = token.id == T_FUNCTION;
  if (token.id == T_LBRACE) {
    bool is_block = is_in_block(parser) && opens_block(parser->before.id);
    vec_push(parser->arena, &parser->braces, !is_block);
  }
  bool was_in_block = is_in_block(parser);
  if (token.id == T_RBRACE && parser->braces.len > 0) parser->braces.len--;
  bool is_end =
      token.id == T_SEMICOLON || ((token.id == T_LBRACE || token.id == T_RBRACE) && was_in_block);
  if (is_end) {
    parser->is_suspect = false;
    parser->opening = (Token){0};
  } else if (!parser->opening.ident.name) {
    parser->opening = token;
  }
  parser->before = token;
}

/* The number of open braces around the broken construct: those up to the innermost block, but none
 * behind a parenthesis that is still open, as in `if ((x > 1) {`. */
static uint32_t blocks_around(const Parser *parser) {
  uint32_t n_open = parser->braces.len;
  bool is_behind = false; /* an open parenthesis or bracket */
  for (uint32_t i = 0; i < parser->open.len; i++) {
    is_behind |= parser->open.data[i].id != T_LBRACE;
    n_open -= is_behind && parser->open.data[i].id == T_LBRACE && n_open > 0;
  }
  while (n_open > 0 && parser->braces.data[n_open - 1]) n_open--;
  return n_open;
}

/* True when the closing brace belongs to the block around the broken construct. A brace that the
 * grammar refused once is skipped the second time. */
static bool closes_outer(Parser *parser, Token brace, uint32_t outer) {
  bool is_inner = parser->braces.len > outer;
  bool was_refused = parser->stopped_at == brace.ident.span.start;
  if (is_inner || outer == 0 || was_refused) return false;
  parser->stopped_at = brace.ident.span.start;
  return true;
}

static bool is_before_more(Parser *parser, Token token) {
  Token next = read_token(parser);
  unread_token(parser, next);
  const Source *source = parser->cx->source;
  return source_line_number(source, token.ident.span.start) ==
         source_line_number(source, next.ident.span.start);
}

/* The `;` of `for (i = 0; i < n; i += 1)`: inside brackets that were skipped, or those of a loop, a
 * function or a strand, with more behind it on its line. Also that of `{1; 2}`. */
static bool is_inner_semicolon(Parser *parser, Token token) {
  if (parser->open.len == 0) return false;
  const Token open = vec_last(&parser->open);
  if (open.id == T_LBRACE) return !is_in_block(parser) && is_before_more(parser, token);
  if (open.id != T_LPAREN) return false;
  const bool was_skipped = open.ident.span.start >= parser->current.ident.span.start;
  const int first = parser->broken.id;
  const bool is_in_header = first == T_FOREACH || first == T_FUNCTION || first == T_STRAND;
  return (was_skipped || is_in_header) && is_before_more(parser, token);
}

/* The unexpected `;` of `if (x > 1); {`: the block behind it is still that of the statement. */
static bool is_before_block(Parser *parser, Token token) {
  if (token.ident.span.start != parser->current.ident.span.start) return false;
  Token next = read_token(parser);
  unread_token(parser, next);
  return next.id == T_LBRACE;
}

/* `while = 3`: the word is a name of the program. */
static bool is_assigned(const Parser *parser, Token word) {
  const char *next = parser->cx->source->text + word.ident.span.end;
  next += strspn(next, " \t\r\n");
  return next[strspn(next, "+-*/%")] == '=';
}

/* `do { ... } while (x < 3);`, `struct { ... } q;`: the construct goes on behind its brace. */
static bool goes_on(const Parser *parser, Token brace, Token next) {
  const Source *source = parser->cx->source;
  if (parser->broken.id != T_ID || next.id != T_ID ||
      source_line_number(source, brace.ident.span.start) !=
          source_line_number(source, next.ident.span.start))
    return false;
  const char *first = parser->broken.ident.name->text;
  if (text_has_word("struct class", first)) return true;
  return text_has_word("do repeat loop try catch", first) && !is_assigned(parser, next) &&
         text_has_word("while until catch", next.ident.name->text);
}

/* True when the token, already taken, ends the construct that lies in `outer` open braces. */
static bool ends_skipping(Parser *parser, Token token, uint32_t outer, bool was_in_block) {
  if (token.id == T_SEMICOLON)
    return (parser->braces.len <= outer || !was_in_block) && !is_inner_semicolon(parser, token) &&
           !is_before_block(parser, token);
  if (token.id != T_RBRACE || parser->braces.len > outer || !was_in_block) return false;
  Token next = read_token(parser);
  if (next.id == T_SEMICOLON) return true; /* the optional one */
  unread_token(parser, next);
  return next.id != T_ELSE && !goes_on(parser, token, next);
}

/* True if the token certainly begins a part of the program: outside all braces, behind the
 * unexpected token. */
static bool starts_part(const Parser *parser, Token token) {
  const TokenRow *row = token_row(token.id);
  bool is_first = token.ident.span.start == parser->current.ident.span.start;
  return row && !is_first && parser->braces.len == 0 && (row->roles & (ROLE_PART | ROLE_DECL));
}

/* `if (x > { a = 1;`, `updat {`: a brace taken for that of a sequence opens a block, if such tokens
 * follow or it is behind the first name of a line. */
static void see_block(Parser *parser) {
  const TokenRow *row = token_row(parser->current.id);
  if (is_in_block(parser)) return;
  const bool is_titled = parser->titled.id == T_ID && parser->n_titled == parser->braces.len;
  const bool is_stmt = row && (row->roles == ROLE_STMT || (row->roles & ROLE_ASSIGN));
  if (is_titled || is_stmt) vec_last(&parser->braces) = false;
}

/* Leaves out the rest of the construct, beginning with the unexpected token. */
static Token skip(Parser *parser) {
  uint32_t outer = blocks_around(parser);
  uint32_t n_before = parser->braces.len;
  see_block(parser);
  parser->broken = parser->opening;
  Token token = parser->current;
  Token skipped = {T_SKIPPED, token.ident};
  if (parser->lacks_end) unread_token(parser, token);
  for (; !parser->lacks_end; token = read_token(parser)) {
    bool is_new_block = token.id == T_SEMICOLON && parser->braces.len > n_before;
    if (is_new_block) vec_last(&parser->braces) = false; /* whatever came before its brace */
    bool was_in_block = is_in_block(parser);
    if (token.id == 0 || starts_part(parser, token) ||
        (token.id == T_RBRACE && closes_outer(parser, token, outer))) {
      unread_token(parser, token);
      break;
    }
    misnamed_see_skipped(parser, token);
    take(parser, token);
    if (parser->braces.len < n_before) n_before = parser->braces.len;
    if (ends_skipping(parser, token, outer, was_in_block)) break;
  }
  if (parser->braces.len > outer) parser->braces.len = outer;
  forget_brackets(parser, parser->braces.len);
  skipped.ident.span.end = skipped.ident.span.start;
  parser->is_suspect = parser->lacks_end = false;
  parser->opening = parser->titled = (Token){0};
  return skipped;
}

Token stream_next(Parser *parser) {
  if (parser->is_skipping) {
    parser->is_skipping = false;
    parser->current = skip(parser);
    return parser->current;
  }
  parser->is_resumed = parser->current.id == T_SKIPPED;
  if (parser->current.id != 0 && !parser->is_resumed) take(parser, parser->current);
  parser->current = read_token(parser);
  return parser->current;
}

/* Note [Skipping]
 *
 * One mistake should give one message, so after a syntax error the parser must resume at a place
 * where a new construct certainly begins. Bison on its own would drop tokens until one fits, and
 * resume at the first `;` or `}`, even inside braces that it has not seen because of the error. So
 * the stream drops tokens instead, from the unexpected one on:
 *
 *   x = (1 + ;  y = 2;              up to the `;`
 *   if (x > { a = 1; } else { }     up to the `}` of a block opened on the way, and its else
 *   { x = 1 + }                     not the `}` of the block around, which comes next
 *   if ((x > 1) { a = 1; }          the same, as blocks are not in parentheses
 *   x = {1, 2 3};                   braces of expressions do not count
 *   for (i = 0; i < 9; i += 1) {}   nor a `;` in skipped brackets within a line
 *   x = {1; 2};                     the same
 *   if (x > 1); { a = 1; } else {}  nor an unexpected `;` before a brace
 *   do { a = 1; } while (a < 3);    nor a brace behind which the construct goes on
 *   real x = (1 strand s (...)      nothing that begins a part of the program
 *   x = 1                           nothing, if only the `;` is missing at the end of a line
 *
 * The grammar gets one SKIPPED for all of them. Its rules `error SKIPPED` are where a
 * declaration, a statement, a method or a part of the program may stand. braces tells blocks from
 * expressions by the token before `{`; a wrong guess gives a second message at worst. If a brace is
 * missing in the file, tokens at a wrong depth are not reported (is_echo in report.c).
 */
