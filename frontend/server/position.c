/* Positions: lines from 0, columns in units of UTF-16 or UTF-8, whichever the client has chosen. */
#include <string.h>

#include "frontend/base/utf8.h"
#include "frontend/server/local.h"

/* The bytes of n units from the text on, to the end of the line at most, never within a character.
 */
static uint32_t bytes_of_units(const char *text, uint32_t len, json_int_t n, bool is_utf8) {
  uint32_t at = 0;
  while (at < len && n > 0) {
    uint32_t n_bytes;
    utf8_decode(text + at, len - at, &n_bytes);
    n -= is_utf8 ? n_bytes : utf8_count16(text + at, n_bytes);
    if (n >= 0) at += n_bytes;
  }
  return at;
}

bool find_offset(const Server *server, const Source *source, const json_t *position,
                 uint32_t *offset) {
  const json_t *line_json = json_object_get(position, "line");
  const json_t *unit_json = json_object_get(position, "character");
  const json_int_t line = json_integer_value(line_json), unit = json_integer_value(unit_json);
  if (!json_is_integer(line_json) || !json_is_integer(unit_json) || line < 0 || unit < 0)
    return false;
  *offset = source->len;
  if (line >= source->n_lines)
    return line == source->n_lines && unit == 0; /* behind the last line */
  uint32_t len;
  const char *text = source_line(source, (uint32_t)line + 1, &len);
  *offset = source->line_starts[line] + bytes_of_units(text, len, unit, server->is_utf8);
  return true;
}

bool find_span(const Server *server, const Source *source, const json_t *range, Span *span) {
  Span found;
  if (!find_offset(server, source, json_object_get(range, "start"), &found.start) ||
      !find_offset(server, source, json_object_get(range, "end"), &found.end) ||
      found.end < found.start)
    return false;
  *span = found;
  return true;
}

static uint32_t units(const Server *server, const char *text, uint32_t n_bytes) {
  return server->is_utf8 ? n_bytes : utf8_count16(text, n_bytes);
}

/* Most places are near the last one, so counting continues from there within a line. */
void place_of_offset(const Server *server, const Source *source, uint32_t offset,
                     PlaceCache *place) {
  if (offset > source->len) offset = source->len;
  const char *text = source->text;
  PlaceCache *known = server->place;
  const uint32_t line = source_line_number(source, offset) - 1, start = source->line_starts[line];
  if (known->source != source || known->line != line ||
      (offset < known->offset && offset - start < known->offset - offset))
    *known = (PlaceCache){source, line, start, 0};
  if (offset < known->offset) known->unit -= units(server, text + offset, known->offset - offset);
  else known->unit += units(server, text + known->offset, offset - known->offset);
  known->offset = offset;
  *place = *known;
}

json_t *position_json(const Server *server, const Source *source, uint32_t offset) {
  PlaceCache place;
  place_of_offset(server, source, offset, &place);
  return json_pack("{s:i, s:i}", "line", (int)place.line, "character", (int)place.unit);
}

json_t *range_json(const Server *server, const Source *source, Span span) {
  if (span_is_none(span)) span = (Span){0, 0};
  return json_pack("{s:o, s:o}", "start", position_json(server, source, span.start), "end",
                   position_json(server, source, span.end));
}

json_t *edit_json(const Server *server, const Source *source, Span span, const char *text) {
  return json_pack("{s:o, s:s}", "range", range_json(server, source, span), "newText", text);
}

json_t *location_json(const Request *request, Span span) {
  const Document *document = request->document;
  return json_pack("{s:s, s:o}", "uri", document->uri, "range",
                   range_json(request->server, document->source, span));
}
