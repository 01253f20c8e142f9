/* The first line: byte-order mark and version directive; and texts that are no programs at all.
 *
 * The directive belongs at the start of the file. One behind white space and comments is reported,
 * but still obeyed, so that there is only one message.
 */
#include <ctype.h>
#include <string.h>

#include "frontend/base/diag.h"
#include "frontend/base/nearest.h"
#include "frontend/base/text.h"
#include "frontend/base/utf8.h"
#include "frontend/syntax/local.h"

#define BYTE_ORDER_MARK 0xFEFF
static const char directive[] = "#version";
enum { DIRECTIVE_LEN = sizeof directive - 1 };

static bool starts_with(const Source *source, uint32_t at, const char *word) {
  size_t len = strlen(word);
  return source->len - at >= len && memcmp(source->text + at, word, len) == 0;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

static uint32_t skip_blanks(const Source *source, uint32_t at) {
  while (at < source->len && is_blank(source->text[at])) at++;
  return at;
}

static uint32_t skip_digits(const Source *source, uint32_t at) {
  while (at < source->len && source->text[at] >= '0' && source->text[at] <= '9') at++;
  return at;
}

/* The place behind the comment that begins at `at`; `at` itself if no closed comment does. */
static uint32_t skip_comment(const Source *source, uint32_t at) {
  bool is_line = starts_with(source, at, "//");
  if (!is_line && !starts_with(source, at, "/*")) return at;
  const char *end = is_line ? "\n" : "*/";
  for (uint32_t i = at + 2; i < source->len; i++)
    if (starts_with(source, i, end)) return is_line ? i : i + 2;
  return is_line ? source->len : at;
}

/* The first place that is neither white space nor comment. */
static uint32_t skip_space(const Source *source, uint32_t at) {
  for (;;) {
    uint32_t next = skip_comment(source, skip_blanks(source, at));
    while (next < source->len && source->text[next] == '\n') next++;
    if (next == at) return at;
    at = next;
  }
}

static uint32_t line_end(const Source *source, uint32_t at) {
  while (at < source->len && source->text[at] != '\n') at++;
  return at;
}

/* Only white space and comments may follow the number on its line. */
static bool is_line_done(const Source *source, uint32_t at) {
  uint32_t end = line_end(source, at);
  while (at < end) {
    uint32_t next = skip_comment(source, skip_blanks(source, at));
    if (next == at) return starts_with(source, at, "/*"); /* the lexer reports it as open */
    at = next;
  }
  return true;
}

/* The number as messages say it: "2.0" for 2. */
static const char *number_text(Arena *a, const char *digits, uint32_t len) {
  return text_format(a, memchr(digits, '.', len) ? "%.*s" : "%.*s.0", (int)len, digits);
}

/* As old editors wrote them: the line of the directive then reaches to the end of the file. */
static bool has_only_returns(const Source *source) {
  return memchr(source->text, '\r', source->len) && !memchr(source->text, '\n', source->len);
}

/* The directive whose '#' stands at `at`: sets version and start. */
static bool read_directive(Parser *parser, uint32_t at) {
  const Source *source = parser->cx->source;
  uint32_t number = skip_blanks(source, at + DIRECTIVE_LEN);
  uint32_t end = skip_digits(source, number);
  bool is_well_formed = number > at + DIRECTIVE_LEN && end > number;
  if (is_well_formed && starts_with(source, end, ".")) {
    uint32_t minor = end + 1;
    end = skip_digits(source, minor);
    is_well_formed = end > minor;
  }
  if (!is_well_formed || !is_line_done(source, end)) {
    diag(parser->cx, (Span){at, line_end(source, at)}, E_VERSION_MALFORMED);
    return false;
  }
  const char *text = number_text(parser->arena, source->text + number, end - number);
  bool is_first = strcmp(text, "1.0") == 0;
  if (!is_first && strcmp(text, "2.0") != 0) {
    diag(parser->cx, (Span){at, end}, E_VERSION_UNKNOWN, d_text(text));
    if (*text == '3') diag_note(parser->cx, SPAN_NONE, H_DIALECT, d_text("version 3.0"));
    return false;
  }
  parser->version = is_first ? AST_V1 : AST_V2;
  parser->has_directive = true;
  parser->start = end;
  return true;
}

static bool is_like_version(const char *text, uint32_t len) {
  static const char version[] = "version";
  char word[sizeof version + 2] = "";
  if (len > sizeof word - 1) return false;
  for (uint32_t i = 0; i < len; i++) word[i] = (char)tolower((unsigned char)text[i]);
  return edit_distance(word, version) <= 2;
}

/* Is this the directive with a wrong letter or blank: "# version 2", "#Version 2.0", "version 2.0"?
 * No program begins with '#', nor with the word and a number; but "# Example 2" is a comment. */
static bool is_nearly_directive(const Source *source, uint32_t at) {
  uint32_t word = starts_with(source, at, "#") ? skip_blanks(source, at + 1) : at;
  uint32_t end = word;
  while (end < source->len && isalpha((unsigned char)source->text[end])) end++;
  uint32_t number = skip_blanks(source, end);
  return skip_digits(source, number) > number && is_like_version(source->text + word, end - word);
}

/* One message for a file in another encoding, not one per character. */
static bool is_valid_utf8(Parser *parser) {
  const Source *source = parser->cx->source;
  uint32_t n_bytes;
  for (uint32_t at = 0; at < source->len; at += n_bytes) {
    if (utf8_decode(source->text + at, source->len - at, &n_bytes) != UTF8_INVALID) continue;
    unsigned byte = (unsigned char)source->text[at];
    diag(parser->cx, (Span){at, at + 1}, E_INVALID_UTF8,
         d_text(text_format(parser->arena, "0x%02X", byte)));
    return false;
  }
  return true;
}

bool version_find(Parser *parser) {
  Cx *cx = parser->cx;
  const Source *source = cx->source;
  if (!is_valid_utf8(parser)) return false;
  uint32_t n_bytes = 0;
  uint32_t first = source->len > 0 ? utf8_decode(source->text, source->len, &n_bytes) : 0;
  parser->start = first == BYTE_ORDER_MARK ? n_bytes : 0;
  if (parser->start == source->len) {
    diag(cx, SPAN_NONE, E_SOURCE_EMPTY);
    return false;
  }
  const bool is_first = starts_with(source, parser->start, directive);
  if (is_first && has_only_returns(source)) {
    diag(cx, SPAN_NONE, E_LINE_ENDS);
    return false;
  }
  if (is_first) return read_directive(parser, parser->start);
  uint32_t at = skip_space(source, parser->start);
  if (!starts_with(source, at, directive) && is_nearly_directive(source, at)) {
    diag(cx, (Span){at, line_end(source, at)}, E_VERSION_MALFORMED);
    return false;
  }
  if (starts_with(source, at, directive)) {
    diag(cx, (Span){at, at + DIRECTIVE_LEN}, E_VERSION_PLACE);
    return read_directive(parser, at);
  }
  parser->version = AST_V1;
  return true;
}
