/* String literals: from the text between quotes to the bytes they mean. */
#include <string.h>

#include "frontend/base/diag.h"
#include "frontend/base/text.h"
#include "frontend/base/utf8.h"
#include "frontend/syntax/local.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* \ddd, decimal. text stands behind the backslash; false when it is no such escape. */
static bool decimal_code(const char *text, size_t len, unsigned *code) {
  if (len < 3 || !is_digit(text[0]) || !is_digit(text[1]) || !is_digit(text[2])) return false;
  *code = 100u * (unsigned)(text[0] - '0') + 10u * (unsigned)(text[1] - '0') +
          (unsigned)(text[2] - '0');
  return true;
}

static bool letter_code(char letter, unsigned *code) {
  static const char letters[] = "abfnrtv\\\"";
  static const char codes[] = "\a\b\f\n\r\t\v\\\"";
  const char *found = letter ? strchr(letters, letter) : NULL;
  if (found) *code = (unsigned char)codes[found - letters];
  return found != NULL;
}

/* Adds what the escape at text means; gives the bytes it takes. span: where it stands. */
static uint32_t add_escape(Parser *parser, Text *out, const char *text, size_t len,
                           uint32_t offset) {
  unsigned code = 0;
  uint32_t n_bytes = 2;
  DiagId error = DIAG_COUNT;
  if (decimal_code(text + 1, len - 1, &code)) {
    n_bytes = 4;
    if (code > UINT8_MAX) error = E_STRING_CODE;
  } else if (!letter_code(text[1], &code)) {
    utf8_decode(text + 1, len - 1, &n_bytes);
    n_bytes++;
    error = E_STRING_ESCAPE;
  }
  if (error != DIAG_COUNT) {
    const char *escape = arena_strdup(parser->arena, text, n_bytes);
    diag(parser->cx, (Span){offset, offset + n_bytes}, error, d_text(escape));
    return n_bytes;
  }
  char byte = (char)(unsigned char)code;
  text_add_n(out, &byte, 1);
  return n_bytes;
}

/* The Name of the string; text is the literal with its quotes, as the lexer matched it at span. */
const Name *lexer_string(Parser *parser, const char *text, Span span) {
  Text out = text_new(parser->arena);
  uint32_t len = span.end - span.start - 1; /* without the closing quote */
  for (uint32_t i = 1; i < len;) {
    uint32_t n_bytes;
    uint32_t code = utf8_decode(text + i, len - i, &n_bytes);
    uint32_t offset = span.start + i;
    if (code == '\\') n_bytes = add_escape(parser, &out, text + i, len - i, offset);
    else if (code < ' ' || code > '~')
      diag(parser->cx, (Span){offset, offset + n_bytes}, E_STRING_CHARACTER);
    else text_add_n(&out, text + i, n_bytes);
    i += n_bytes;
  }
  return name_intern(parser->cx->names, text_str(&out), out.len);
}
