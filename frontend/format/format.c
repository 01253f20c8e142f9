/* Format: the order of work, and a check that the result is the same program. */
#include "frontend/format/format.h"

#include <string.h>

#include "frontend/base/diag.h"
#include "frontend/base/panic.h"
#include "frontend/base/text.h"
#include "frontend/base/utf8.h"
#include "frontend/format/local.h"
#include "frontend/syntax/parse.h"

const char *item_text(const Format *format, const Item *item, uint32_t *len) {
  const Span span = item->lexeme.span;
  *len = span.end - span.start;
  return format->cx->source->text + span.start;
}

bool item_is(const Item *item, const char *word) { return lexeme_is(&item->lexeme, word); }
bool item_is_comment(const Item *item) { return lexeme_is_comment(&item->lexeme); }
bool item_opens(const Item *item) { return lexeme_opens(&item->lexeme); }
bool item_closes(const Item *item) { return lexeme_closes(&item->lexeme); }

const Item *token_before(const Format *format, uint32_t i) {
  while (i > 0 && item_is_comment(&format->items[i - 1])) i--;
  return i > 0 ? &format->items[i - 1] : NULL;
}

/* The column behind a text that begins in `column`. */
static uint32_t column_behind(const char *text, uint32_t len, uint32_t column) {
  for (const char *end; (end = memchr(text, '\n', len)); text = end + 1, column = 0)
    len -= (uint32_t)(end + 1 - text);
  return column + utf8_count(text, len);
}

static void take_items(Format *format, const LexemeList *lexemes) {
  const char *text = format->cx->source->text;
  format->items = NEWN(format->arena, Item, lexemes->len);
  format->n_items = lexemes->len;
  uint32_t at = 0, column = 0;
  for (uint32_t i = 0; i < lexemes->len; i++) {
    Item *item = &format->items[i];
    item->lexeme = lexemes->data[i];
    const Span span = item->lexeme.span;
    item->column = column_behind(text + at, span.start - at, column);
    column = column_behind(text + span.start, span.end - span.start, item->column);
    for (; at < span.start; at++) item->n_newlines += text[at] == '\n';
    at = span.end;
  }
}

static const char *joined_lines(const Format *format) {
  Text text = text_new(format->arena);
  for (uint32_t i = 0; i < format->lines.len; i++) {
    const Line *line = &format->lines.data[i];
    if (line->is_blank_before && i > 0) text_add(&text, "\n");
    text_addf(&text, "%*s%s\n", *line->code ? (int)line->indent : 0, "", line->code);
  }
  return text_str(&text);
}

/* Compares comments without white space, as their lines may move. */
static bool is_same_text(const char *a, uint32_t a_len, const char *b, uint32_t b_len) {
  static const char white[] = " \t\r\n";
  const char *a_end = a + a_len, *b_end = b + b_len;
  for (;;) {
    while (a < a_end && strchr(white, *a)) a++;
    while (b < b_end && strchr(white, *b)) b++;
    if (a == a_end || b == b_end) return a == a_end && b == b_end;
    if (*a++ != *b++) return false;
  }
}

static bool is_same_item(const Cx *cx, const Item *item, const Cx *new_cx, const Lexeme *lexeme) {
  const char *old = cx->source->text + item->lexeme.span.start;
  const char *new = new_cx->source->text + lexeme->span.start;
  const uint32_t old_len = item->lexeme.span.end - item->lexeme.span.start;
  const uint32_t new_len = lexeme->span.end - lexeme->span.start;
  if (item->lexeme.class != lexeme->class) return false;
  if (item_is_comment(item)) return is_same_text(old, old_len, new, new_len);
  return old_len == new_len && memcmp(old, new, old_len) == 0;
}

/* The grammar only sees tokens: equal tokens are the same program. */
static void check_result(const Format *format, const char *result) {
  Cx *cx = cx_new();
  cx->source = source_from_text(cx->arena, format->cx->source->path, result, strlen(result));
  const LexemeList lexemes = lex(cx);
  bool is_same = lexemes.len == format->n_items;
  for (uint32_t i = 0; i < lexemes.len && is_same; i++)
    is_same = is_same_item(format->cx, &format->items[i], cx, &lexemes.data[i]);
  cx_free(cx);
  if (!is_same) BUG(format->cx, "formatting has changed the program");
}

const char *format(Cx *cx) {
  const Source *source = cx->source;
  const char *nul = memchr(source->text, '\0', source->len);
  if (nul) {
    const uint32_t at = (uint32_t)(nul - source->text);
    diag(cx, (Span){at, at + 1}, E_NOT_MADE, d_text("formatted program"), d_text("NUL byte here"));
    return NULL;
  }
  const Ast *program = parse(cx);
  if (!program) return NULL;
  Format format = {.cx = cx, .arena = cx->arena};
  const LexemeList lexemes = lex(cx);
  take_items(&format, &lexemes);
  find_marks(&format, program);
  find_breaks(&format);
  make_lines(&format);
  align_columns(&format);
  const char *result = joined_lines(&format);
  check_result(&format, result);
  return result;
}
