/* Lines: the items between two breaks, with their indentation. A line that continues a statement is
 * aligned with the text behind the open bracket, or with the value that the statement gives; but if
 * the bracket or `=` ends its line, it is indented by one step.
 */
#include <string.h>

#include "frontend/base/text.h"
#include "frontend/base/utf8.h"
#include "frontend/format/local.h"

typedef struct Bracket {
  int line;
  uint32_t byte, column; /* of what is behind it */
  uint32_t indent;       /* of its line */
  bool is_hanging;       /* nothing is behind it on its line */
} Bracket;

typedef struct Block {
  uint32_t content, closing; /* columns */
} Block;

typedef struct Layout {
  Format *format;
  VEC(Bracket) brackets; /* open ones of the statement */
  VEC(Block) blocks;
  uint32_t statement; /* its column */
  Bracket value;      /* what the statement gives; line is NO_BRACKET where there is none */
} Layout;

typedef struct Code {
  Text text;
  uint32_t width; /* of its last line */
} Code;

enum { FEW_COLUMNS = 40 }; /* lines are broken behind this column if possible */

uint32_t text_width(const char *text) {
  const char *end = strrchr(text, '\n');
  if (end) text = end + 1;
  return utf8_display_width(text, strlen(text));
}

/* The innermost block; outside all blocks, one without indentation. */
static Block block_around(const Layout *layout) {
  return layout->blocks.len > 0 ? vec_last(&layout->blocks) : (Block){0, 0};
}

static uint32_t content_column(const Layout *layout) { return block_around(layout).content; }

/* ---- where lines begin ---------------------------------------------------------------------- */

static void stand_under(Line *line, const Bracket *bracket, uint32_t less) {
  line->under = bracket->line;
  line->bracket = bracket->byte;
  line->indent = bracket->column - (less < bracket->column ? less : 0);
}

static uint32_t width_of(const Format *format, const Item *item) {
  uint32_t len;
  const char *text = item_text(format, item, &len);
  return utf8_display_width(text, len);
}

/* Aligns operands, with operators to the left of them. */
static void go_on(const Layout *layout, const Item *item, Line *line) {
  const Bracket *value = &layout->value;
  line->indent = layout->statement + STEP;
  if (layout->brackets.len > 0) {
    const Bracket *bracket = &vec_last(&layout->brackets);
    const bool is_end = item_closes(item);
    if (bracket->is_hanging) line->indent = bracket->indent + (is_end ? 0 : STEP);
    else stand_under(line, bracket, is_end ? 1 : 0);
  } else if (value->line != NO_BRACKET && value->is_hanging) {
    if (item->marks & MARK_INFIX) line->indent += STEP;
  } else if (value->line != NO_BRACKET) {
    const uint32_t outdent = item->marks & MARK_INFIX ? width_of(layout->format, item) + 1 : 0;
    stand_under(line, value, outdent);
  }
}

static bool begins_statement(const Layout *layout, uint32_t i) {
  const Item *item = &layout->format->items[i], *before = token_before(layout->format, i);
  return !before || before->lexeme.class == LEX_VERSION || item_is(before, ";") ||
         before->marks & MARK_BLOCK || item->marks & MARK_LOOSE;
}

static void begin_statement(Layout *layout, const Item *item) {
  if (item->marks & MARK_LOOSE) layout->statement += item->before == BREAK_NONE ? 0 : STEP;
  else layout->statement = content_column(layout);
  layout->value.line = NO_BRACKET;
  layout->brackets.len = 0;
}

static void begin_line(Layout *layout, uint32_t i, Line *line) {
  const Item *item = &layout->format->items[i];
  const bool is_block_end = item->marks & MARK_BLOCK && item_closes(item);
  const bool goes_on = item->marks & MARK_BLOCK;
  line->under = NO_BRACKET;
  if (is_block_end) line->indent = block_around(layout).closing;
  else if (item_is_comment(item) && begins_statement(layout, i))
    line->indent = content_column(layout);
  else if (begins_statement(layout, i) || goes_on) line->indent = layout->statement;
  else go_on(layout, item, line);
}

/* ---- what is on them ------------------------------------------------------------------------ */

static void open_or_close(Layout *layout, const Item *item, Bracket here) {
  if (item->marks & MARK_BLOCK && item_opens(item)) {
    const Block block = {layout->statement + STEP, layout->statement};
    vec_push(layout->format->arena, &layout->blocks, block);
  } else if (item->marks & MARK_BLOCK) {
    layout->statement = block_around(layout).closing;
    if (layout->blocks.len > 0) layout->blocks.len--;
  } else if (item_opens(item)) {
    vec_push(layout->format->arena, &layout->brackets, here);
  } else if (item_closes(item) && layout->brackets.len > 0) {
    layout->brackets.len--;
  }
}

/* Whether a value follows: the `=` of a definition or assignment, or `return`. */
static bool gives_value(const Layout *layout, const Item *item) {
  const bool is_sign = item->lexeme.class == LEX_OPERATOR && item->lexeme.roles & ROLE_ASSIGN;
  return layout->brackets.len == 0 && layout->value.line == NO_BRACKET &&
         (is_sign || item_is(item, "return"));
}

static void see_item(Layout *layout, uint32_t i, uint32_t end, const Line *line, const Code *code) {
  const Item *item = &layout->format->items[i];
  const bool is_last = i + 1 >= end || item_is_comment(item + 1);
  const bool has_space = !is_last && is_spaced(layout->format, item, item + 1);
  const Bracket here = {(int)layout->format->lines.len, (uint32_t)code->text.len + has_space,
                        line->indent + code->width + has_space, line->indent, is_last};
  if (gives_value(layout, item)) layout->value = here;
  open_or_close(layout, item, here);
}

/* Moves a comment of several lines as a whole. A tab goes to the next multiple of 8 columns. */
static const char *shifted(const Format *format, const Item *item, uint32_t indent) {
  uint32_t len;
  const char *text = item_text(format, item, &len), *end = text + len;
  Text out = text_new(format->arena);
  for (bool is_first = true; text <= end; is_first = false) {
    const char *stop = memchr(text, '\n', (size_t)(end - text));
    const char *next = stop ? stop + 1 : end + 1;
    if (!stop) stop = end;
    uint32_t blanks = 0;
    for (; !is_first && text < stop && (*text == ' ' || *text == '\t'); text++)
      blanks = *text == '\t' ? (blanks / 8 + 1) * 8 : blanks + 1;
    while (stop > text && strchr(" \t\r", stop[-1])) stop--;
    const uint32_t moved = blanks + indent > item->column ? blanks + indent - item->column : 0;
    if (!is_first) text_addf(&out, "\n%*s", stop > text ? (int)moved : 0, "");
    text_add_n(&out, text, (size_t)(stop - text));
    text = next;
  }
  return text_str(&out);
}

static Code code_new(const Format *format) { return (Code){.text = text_new(format->arena)}; }

static void add_item(const Format *format, uint32_t i, uint32_t first, Code *code) {
  const Item *item = &format->items[i];
  const bool has_space = i > first && is_spaced(format, item - 1, item);
  uint32_t len;
  const char *text = item_text(format, item, &len);
  text_add_n(&code->text, " ", has_space);
  text_add_n(&code->text, text, len);
  for (const char *end; (end = memchr(text, '\n', len)); text = end + 1) {
    len -= (uint32_t)(end + 1 - text);
    code->width = 0;
  }
  code->width += has_space + utf8_display_width(text, len);
}

static void see_place(const Layout *layout, const Item *item, uint32_t byte, Line *line) {
  PlaceId id = PLACE_COUNT;
  const bool is_value = layout->brackets.len == 0 && item_is(item, "=");
  if (item->marks & MARK_DESCRIPTION) id = PLACE_DESCRIPTION;
  else if (item->marks & MARK_DECLARED) id = PLACE_NAME;
  else if (is_value && line->places[PLACE_NAME].byte && !line->places[PLACE_DESCRIPTION].byte)
    id = PLACE_SIGN;
  if (id == PLACE_COUNT) return;
  line->places[id] = (Place){byte, item->column};
}

/* The end of the code: a comment at the end of the line does not belong to it. */
static uint32_t code_end(const Format *format, uint32_t first, uint32_t end) {
  if (end == first + 1 || !item_is_comment(&format->items[end - 1])) return end;
  uint32_t len;
  const char *text = item_text(format, &format->items[end - 1], &len);
  return memchr(text, '\n', len) ? end : end - 1;
}

static void add_code(Layout *layout, uint32_t first, uint32_t end, Line *line) {
  Format *format = layout->format;
  Code code = code_new(format);
  for (uint32_t i = first; i < end; i++) {
    const Item *item = &format->items[i];
    if (i > first && item->marks & MARK_LOOSE) begin_statement(layout, item);
    add_item(format, i, first, &code);
    const uint32_t len = item->lexeme.span.end - item->lexeme.span.start;
    if (i > first) see_place(layout, item, (uint32_t)code.text.len - len, line);
    see_item(layout, i, end, line, &code);
  }
  line->code = text_str(&code.text);
}

/* ---- long lines ----------------------------------------------------------------------------- */

static bool can_break(const Format *format, uint32_t i) {
  const Item *item = &format->items[i], *before = item - 1;
  if (item_is_comment(item) || item_is_comment(before)) return false;
  const bool is_word = item_is(item, "if") || item_is(item, "else");
  return (item_is(before, ",") || item->marks & MARK_INFIX || is_word) &&
         is_spaced(format, before, item);
}

/* Where to break a line that is too long: in as few brackets as possible, and as late as fits. */
static uint32_t line_end(const Format *format, uint32_t first, uint32_t end, uint32_t indent) {
  const uint32_t stop = code_end(format, first, end);
  uint32_t best = end, best_rank = UINT32_MAX, depth = 0;
  Code code = code_new(format);
  for (uint32_t i = first; i < stop; i++) {
    const Item *item = &format->items[i];
    if (item_closes(item) && depth > 0) depth--;
    if (i > first && can_break(format, i)) {
      const uint32_t rank = depth + (code.width < FEW_COLUMNS ? 1000 : 0);
      if (rank <= best_rank) best = i, best_rank = rank;
    }
    if (item_opens(item)) depth++;
    add_item(format, i, first, &code);
    if (indent + code.width > MAX_WIDTH && best < end) return best;
  }
  return end;
}

/* ---- all ------------------------------------------------------------------------------------ */

static void add_comment_line(Format *format, const Item *item, Line *line) {
  line->is_comment = true;
  line->code = shifted(format, item, line->indent);
}

/* The first line of those from one break to the next; returns where it ends. */
static uint32_t add_line(Layout *layout, uint32_t first, uint32_t end) {
  Format *format = layout->format;
  const Item *item = &format->items[first];
  Line line = {.is_blank_before = item->before == BREAK_BLANK};
  const bool begins = begins_statement(layout, first) && !item_is_comment(item);
  const bool is_part = item_is(item, "else") || (item->marks & MARK_BLOCK && item_closes(item));
  if (begins && !is_part) begin_statement(layout, item);
  else if (begins && item_is(item, "else")) layout->statement = content_column(layout);
  begin_line(layout, first, &line);
  if (!item_is(item, "input")) end = line_end(format, first, end, line.indent);
  const uint32_t stop = code_end(format, first, end);
  if (end == first + 1 && item_is_comment(item)) add_comment_line(format, item, &line);
  else add_code(layout, first, stop, &line);
  if (stop < end) line.comment = shifted(format, &format->items[stop], 0);
  vec_push(format->arena, &format->lines, line);
  return end;
}

void make_lines(Format *format) {
  Layout layout = {.format = format, .value = {.line = NO_BRACKET}};
  for (uint32_t first = 0; first < format->n_items;) {
    uint32_t end = first + 1;
    while (end < format->n_items && format->items[end].before == BREAK_NONE) end++;
    while (first < end) first = add_line(&layout, first, end);
  }
}
