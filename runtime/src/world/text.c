/* text.c: growable text, and the values of print statements in their fixed formats.
 *
 * Running out of memory marks the text as short.
 * Read next: prints.c.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

#if defined(DDR_SMALL_SIZES)
enum { FIRST_CAPACITY = 2 };
#else
enum { FIRST_CAPACITY = 256 };
#endif

static bool text_reserve(ddr_text *text, size_t n) {
  if (n < text->capacity - text->len) return true;
  size_t capacity = text->capacity ? text->capacity : FIRST_CAPACITY;
  while (capacity - text->len <= n) {
    if (capacity > SIZE_MAX / 2) return false;
    capacity *= 2;
  }
  char *chars = realloc(text->chars, capacity);
  if (!chars) return false;
  text->chars = chars;
  text->capacity = capacity;
  return true;
}

void ddr_text_append(ddr_text *text, const char *chars, size_t n) {
  if (!text_reserve(text, n)) {
    text->is_short = true;
    return;
  }
  memcpy(text->chars + text->len, chars, n);
  text->len += n;
  text->chars[text->len] = '\0';
}

void ddr_text_json(ddr_text *text, const char *string) {
  ddr_text_append(text, "\"", 1);
  for (; *string; string++) {
    const unsigned char c = (unsigned char)*string;
    char escaped[8];
    if (c == '"' || c == '\\') ddr_text_append(text, "\\", 1);
    if (c >= ' ' && c != 0x7f) {
      ddr_text_append(text, string, 1);
      continue;
    }
    const int n = snprintf(escaped, sizeof escaped, "\\u%04x", c);
    ddr_text_append(text, escaped, (size_t)n);
  }
  ddr_text_append(text, "\"", 1);
}

void ddr_text_clear(ddr_text *text) {
  free(text->chars);
  text->chars = NULL;
  text->len = text->capacity = text->n_held = 0;
  text->is_short = false;
}

char *ddr_format(const char *format, ...) {
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *chars = n < 0 ? NULL : malloc((size_t)n + 1);
  if (!chars) return NULL;
  va_start(args, format);
  vsnprintf(chars, (size_t)n + 1, format, args);
  va_end(args);
  return chars;
}

void ddr_put_string(ddr_text *text, const char *string) {
  ddr_text_append(text, string, strlen(string));
}

void ddr_put_bool(ddr_text *text, bool value) { ddr_put_string(text, value ? "true" : "false"); }

void ddr_put_int(ddr_text *text, int64_t value) {
  char digits[32];
  snprintf(digits, sizeof digits, "%" PRId64, value);
  ddr_put_string(text, digits);
}

/* NaN has no sign in the language, though C may print one. */
static void put_digits(ddr_text *text, double value, int n_digits) {
  char digits[48];
  snprintf(digits, sizeof digits, "%.*g", n_digits, value);
  ddr_put_string(text, isnan(value) ? "nan" : digits);
}

void ddr_put_float(ddr_text *text, float value) { put_digits(text, (double)value, 9); }

void ddr_put_double(ddr_text *text, double value) { put_digits(text, value, 17); }
