/* Breaks: where lines end. Statements and declarations have lines of their own; within them, line
 * ends of the author are kept. Several empty lines become one.
 */
#include "frontend/format/local.h"

/* Behind these a statement, a declaration or a part of the program begins. */
static bool ends_statement(const Item *before) {
  if (!before || before->lexeme.class == LEX_VERSION) return true;
  return item_is(before, ";") || (before->marks & MARK_BLOCK);
}

/* Items that continue a statement in spite of that. */
static bool goes_on(const Item *item, const Item *before) {
  return item_is(item, ";") || (item_is(item, "else") && before && before->marks & MARK_BLOCK);
}

static Break as_written(const Item *item, Break most) {
  const Break written = item->n_newlines == 0   ? BREAK_NONE
                        : item->n_newlines == 1 ? BREAK_LINE
                                                : BREAK_BLANK;
  return written < most ? written : most;
}

static bool is_block_open(const Item *item) {
  return item && item->marks & MARK_BLOCK && item_opens(item);
}

/* No empty line behind an opening brace. */
static Break of_statement(const Format *format, uint32_t i) {
  const Item *item = &format->items[i];
  if (i > 0 && is_block_open(&format->items[i - 1])) return BREAK_LINE;
  const Break written = as_written(item, BREAK_BLANK);
  return written < BREAK_LINE ? BREAK_LINE : written;
}

static Break of_comment(const Format *format, uint32_t i) {
  const Item *item = &format->items[i];
  if (item->n_newlines == 0) return BREAK_NONE;
  const bool is_between = ends_statement(token_before(format, i));
  return is_between ? of_statement(format, i) : BREAK_LINE;
}

/* A comment opens the line of a statement. */
static bool follows_comment(const Format *format, uint32_t i) {
  const Item *item = &format->items[i];
  return i > 0 && item->n_newlines == 0 && item_is_comment(item - 1) &&
         item[-1].before != BREAK_NONE;
}

static Break of_token(const Format *format, uint32_t i) {
  const Item *item = &format->items[i], *before = token_before(format, i);
  const bool closes_block = item->marks & MARK_BLOCK && item_closes(item);
  if (closes_block) return is_block_open(&format->items[i - 1]) ? BREAK_NONE : BREAK_LINE;
  if (goes_on(item, before)) return BREAK_NONE;
  if (ends_statement(before))
    return follows_comment(format, i) ? BREAK_NONE : of_statement(format, i);
  if (is_block_open(item)) return BREAK_NONE;
  return as_written(item, BREAK_LINE);
}

void find_breaks(Format *format) {
  for (uint32_t i = 0; i < format->n_items; i++) {
    Item *item = &format->items[i];
    item->before = item_is_comment(item) ? of_comment(format, i) : of_token(format, i);
    const bool must = i > 0 && item[-1].lexeme.class == LEX_LINE_COMMENT;
    if (must && item->before == BREAK_NONE) item->before = BREAK_LINE;
  }
  if (format->n_items > 0) format->items[0].before = BREAK_LINE;
}
