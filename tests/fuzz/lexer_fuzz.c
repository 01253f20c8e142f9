/* Fuzz target: the tokens of any text. Their spans are in order, begin and end at characters, and
 * lie in the text. Without errors, only blanks and comments are between them; and the same tokens
 * are read again if they are written one to a line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/base/diag.h"
#include "frontend/base/text.h"
#include "frontend/syntax/local.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Tokens {
  Cx *cx;
  uint32_t start; /* of the first line behind the version */
  VEC(Token) all;
} Tokens;

static void find(const char *what) {
  fprintf(stderr, "%s\n", what);
  abort();
}

static bool is_boundary(const Source *source, uint32_t at) {
  return at == source->len || ((unsigned char)source->text[at] & 0xc0) != 0x80;
}

static Tokens read_tokens(const char *text, size_t len) {
  Tokens tokens = {.cx = cx_new()};
  Cx *cx = tokens.cx;
  cx->source = source_from_text(cx->arena, "fuzz.diderot", text, len);
  Parser parser = {.cx = cx, .arena = cx->arena, .stopped_at = UINT32_MAX};
  if (!version_find(&parser)) return tokens;
  tokens.start = parser.start;
  lexer_open(&parser);
  uint32_t end = parser.start;
  for (;;) {
    const Token token = lexer_next(&parser);
    if (token.id == 0) break;
    const Span span = token.ident.span;
    if (span.start < end || span.end <= span.start || span.end > cx->source->len)
      find("spans do not go forward");
    if (!is_boundary(cx->source, span.start) || !is_boundary(cx->source, span.end))
      find("a token ends within a character");
    end = span.end;
    vec_push(cx->arena, &tokens.all, token);
  }
  lexer_close(&parser);
  return tokens;
}

static bool begins_with(const char *at, const char *end, const char *two) {
  return end - at >= 2 && memcmp(at, two, 2) == 0;
}

/* Behind white space and comments. */
static const char *skip_blank(const char *at, const char *end) {
  for (;;) {
    const char *before = at;
    while (at < end && strchr(" \t\n\v\f\r", *at) && *at) at++;
    if (begins_with(at, end, "//"))
      while (at < end && *at != '\n') at++;
    if (begins_with(at, end, "/*")) {
      for (at += 2; end - at >= 2 && !begins_with(at, end, "*/");) at++;
      at += 2;
    }
    if (at == before) return at;
  }
}

static void check_gaps(const Tokens *tokens) {
  const Source *source = tokens->cx->source;
  const char *at = source->text + tokens->start;
  for (uint32_t i = 0; i <= tokens->all.len; i++) {
    const bool is_last = i == tokens->all.len;
    const Span span = is_last ? (Span){source->len, source->len} : tokens->all.data[i].ident.span;
    const char *next = source->text + span.start;
    if (skip_blank(at, next) != next) find("text is left out without a word");
    at = source->text + span.end;
  }
}

static void check_again(const Tokens *tokens) {
  const Source *source = tokens->cx->source;
  Text text = text_new(tokens->cx->arena);
  text_add_n(&text, source->text, tokens->start);
  for (uint32_t i = 0; i < tokens->all.len; i++) {
    const Span span = tokens->all.data[i].ident.span;
    text_add(&text, "\n");
    text_add_n(&text, source->text + span.start, span.end - span.start);
  }
  text_add(&text, "\n"); /* no file without a byte is a program */
  Tokens again = read_tokens(text_str(&text), text.len);
  if (diag_error_count(again.cx) > 0 || again.all.len != tokens->all.len)
    find("tokens are not read again");
  for (uint32_t i = 0; i < tokens->all.len; i++) {
    const Token a = tokens->all.data[i], b = again.all.data[i];
    const char *name_a = a.ident.name ? a.ident.name->text : "";
    const char *name_b = b.ident.name ? b.ident.name->text : "";
    if (a.id != b.id || strcmp(name_a, name_b) != 0) find("a token is another one when read again");
  }
  cx_free(again.cx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const Tokens tokens = read_tokens((const char *)data, size);
  if (diag_error_count(tokens.cx) == 0) {
    check_gaps(&tokens);
    check_again(&tokens);
  }
  cx_free(tokens.cx);
  return 0;
}
