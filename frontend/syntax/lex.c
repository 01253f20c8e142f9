/* Lex: the stream that the grammar gets, and what is between its tokens. */
#include "frontend/syntax/lex.h"

#include <string.h>

#include "frontend/syntax/local.h"
#include "grammar.h"

static LexClass class_of(const Token *token) {
  switch (token->id) {
  case T_ID:
  case T_OFIELD: return LEX_NAME;
  case T_INT: return LEX_INT;
  case T_REAL: return LEX_REAL;
  case T_STRING: return LEX_STRING;
  default: break; /* a keyword or an operator, told apart below */
  }
  const char c = token->ident.name->text[0];
  return c >= 'a' && c <= 'z' ? LEX_KEYWORD : LEX_OPERATOR;
}

static uint32_t comment_end(const Source *source, uint32_t at, const char *closing) {
  const size_t len = strlen(closing);
  for (uint32_t end = at + 2; end + len <= source->len; end++)
    if (memcmp(source->text + end, closing, len) == 0) return end;
  return source->len;
}

static void add_comments(Cx *cx, LexemeList *list, uint32_t at, uint32_t end) {
  const Source *source = cx->source;
  while (at + 1 < end) {
    const char *text = source->text + at;
    const bool is_line = text[0] == '/' && text[1] == '/';
    if (!is_line && (text[0] != '/' || text[1] != '*')) {
      at++;
      continue;
    }
    uint32_t stop = comment_end(source, at, is_line ? "\n" : "*/");
    if (!is_line && stop < source->len) stop += 2;
    const Lexeme comment = {is_line ? LEX_LINE_COMMENT : LEX_BLOCK_COMMENT, 0, NULL, {at, stop}};
    vec_push(cx->arena, list, comment);
    at = stop;
  }
}

LexemeList lex(Cx *cx) {
  Parser parser = {.cx = cx, .arena = cx->arena, .stopped_at = UINT32_MAX};
  LexemeList list = {0};
  if (!version_find(&parser)) return list;
  uint32_t at = parser.start;
  const bool is_first = at > 0 && cx->source->text[0] == '#';
  const Lexeme version = {LEX_VERSION, 0, NULL, {0, at}};
  if (is_first) vec_push(cx->arena, &list, version);
  lexer_open(&parser);
  for (Token token; (token = stream_next(&parser)).id != 0; at = token.ident.span.end) {
    const LexClass class = class_of(&token);
    const bool is_named = class != LEX_INT && class != LEX_REAL && class != LEX_STRING;
    const Lexeme lexeme = {class, token_row(token.id)->roles, is_named ? token.ident.name : NULL,
                           token.ident.span};
    add_comments(cx, &list, at, token.ident.span.start);
    vec_push(cx->arena, &list, lexeme);
  }
  add_comments(cx, &list, at, cx->source->len);
  lexer_close(&parser);
  return list;
}

bool lexeme_is(const Lexeme *lexeme, const char *word) {
  const bool is_spelled = lexeme->class == LEX_KEYWORD || lexeme->class == LEX_OPERATOR;
  return is_spelled && strcmp(lexeme->name->text, word) == 0;
}

bool lexeme_opens(const Lexeme *lexeme) {
  return lexeme_is(lexeme, "(") || lexeme_is(lexeme, "[") || lexeme_is(lexeme, "{");
}

bool lexeme_closes(const Lexeme *lexeme) {
  return lexeme_is(lexeme, ")") || lexeme_is(lexeme, "]") || lexeme_is(lexeme, "}");
}

bool lexeme_is_comment(const Lexeme *lexeme) {
  return lexeme->class == LEX_LINE_COMMENT || lexeme->class == LEX_BLOCK_COMMENT;
}
