/* Columns: what is aligned on neighbouring lines. Names of declarations and their `=` are aligned
 * if the author has aligned them, descriptions of inputs always; comments behind code are in one
 * column of the whole file if there is room.
 */
#include <string.h>

#include "frontend/base/text.h"
#include "frontend/base/utf8.h"
#include "frontend/format/local.h"

enum { COMMENT_GAP = 3 };

static uint32_t width_before(const Line *line, PlaceId id) {
  return line->indent + utf8_display_width(line->code, line->places[id].byte);
}

/* Also moves the lines that are aligned with a bracket behind the byte. */
static void move_lines_under(Format *format, int self, uint32_t byte, uint32_t n) {
  for (uint32_t i = (uint32_t)self + 1; i < format->lines.len; i++) {
    Line *other = &format->lines.data[i];
    if (other->under == NO_BRACKET && !other->is_comment) break;
    if (other->under != self || other->bracket < byte) continue;
    other->indent += n;
    other->bracket += n;
  }
}

static void pad_to(Format *format, Line *line, PlaceId id, uint32_t column) {
  const uint32_t byte = line->places[id].byte, width = width_before(line, id);
  if (width >= column) return;
  const uint32_t n = column - width;
  line->code =
      text_format(format->arena, "%.*s%*s%s", (int)byte, line->code, (int)n, "", line->code + byte);
  for (int other = 0; other < PLACE_COUNT; other++)
    if (line->places[other].byte >= byte) line->places[other].byte += n;
  move_lines_under(format, (int)(line - format->lines.data), byte, n);
}

static bool are_neighbours(const Format *format, uint32_t i, PlaceId id) {
  const Line *lines = format->lines.data;
  return i > 0 && i < format->lines.len && !lines[i].is_blank_before && lines[i].places[id].byte &&
         lines[i - 1].places[id].byte && lines[i].indent == lines[i - 1].indent;
}

/* Whether line i is aligned with the one before it. */
static bool are_below(const Format *format, uint32_t i, PlaceId id) {
  const Line *lines = format->lines.data;
  return are_neighbours(format, i, id) &&
         lines[i].places[id].column == lines[i - 1].places[id].column;
}

/* The column that the widest line needs. */
static uint32_t column_needed(const Format *format, uint32_t first, uint32_t end, PlaceId id) {
  uint32_t column = 0;
  for (uint32_t i = first; i < end; i++) {
    const uint32_t width = width_before(&format->lines.data[i], id);
    if (width > column) column = width;
  }
  return column;
}

static void align_as_written(Format *format, PlaceId id) {
  for (uint32_t first = 0, end; first < format->lines.len; first = end) {
    for (end = first + 1; are_below(format, end, id);) end++;
    const uint32_t column = end > first + 1 ? column_needed(format, first, end, id) : 0;
    for (uint32_t i = first; i < end && column > 0; i++)
      pad_to(format, &format->lines.data[i], id, column);
  }
}

/* ---- descriptions --------------------------------------------------------------------------- */

/* The column where most of them are already, or were before longer names moved them; else 0. */
static uint32_t column_of_most(const Format *format, uint32_t first, uint32_t end) {
  const Line *lines = format->lines.data;
  for (uint32_t i = first; i < end; i++) {
    const uint32_t column = lines[i].places[PLACE_DESCRIPTION].column;
    uint32_t n_there = 0;
    for (uint32_t k = first; k < end; k++)
      n_there += lines[k].places[PLACE_DESCRIPTION].column == column &&
                 width_before(&lines[k], PLACE_DESCRIPTION) <= column;
    if (2 * n_there > end - first) return column;
  }
  return 0;
}

static void align_descriptions(Format *format, uint32_t first, uint32_t end) {
  const PlaceId id = PLACE_DESCRIPTION;
  const uint32_t most = column_of_most(format, first, end);
  const uint32_t needed = column_needed(format, first, end, id);
  for (uint32_t i = first; i < end; i++) {
    Line *line = &format->lines.data[i];
    const bool is_pair = are_below(format, i, id) || are_below(format, i + 1, id);
    uint32_t column = most ? most : needed;
    if (most && is_pair) column = line->places[id].column;
    pad_to(format, line, id, column);
  }
}

/* ---- comments ------------------------------------------------------------------------------- */

static void place_comment(Format *format, Line *line) {
  const uint32_t width = line->indent + text_width(line->code);
  uint32_t column = width < COMMENT_COLUMN ? COMMENT_COLUMN : width + COMMENT_GAP;
  if (column + text_width(line->comment) > MAX_WIDTH) column = width + COMMENT_GAP;
  line->code =
      text_format(format->arena, "%s%*s%s", line->code, (int)(column - width), "", line->comment);
}

void align_columns(Format *format) {
  align_as_written(format, PLACE_NAME);
  align_as_written(format, PLACE_SIGN);
  for (uint32_t first = 0, end; first < format->lines.len; first = end) {
    for (end = first + 1; are_neighbours(format, end, PLACE_DESCRIPTION);) end++;
    if (end > first + 1) align_descriptions(format, first, end);
  }
  for (uint32_t i = 0; i < format->lines.len; i++)
    if (format->lines.data[i].comment) place_comment(format, &format->lines.data[i]);
}
