#include "frontend/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/base/panic.h"

#ifdef DDR_SMALL_SIZES
enum { FIRST_CAP = 1 };
#else
enum { FIRST_CAP = 64 };
#endif

Text text_new(Arena *a) { return (Text){.arena = a}; }

/* Makes room for extra bytes and the closing NUL. */
static void reserve(Text *t, size_t extra) {
  if (t->cap - t->len > extra) return;
  if (extra >= SIZE_MAX / 2 - t->len) panic_out_of_memory(extra);
  size_t cap = t->cap == 0 ? FIRST_CAP : t->cap;
  while (cap - t->len <= extra) cap *= 2;
  char *data = arena_alloc(t->arena, cap);
  if (t->len > 0) memcpy(data, t->data, t->len);
  t->data = data;
  t->cap = cap;
}

void text_add_n(Text *t, const char *s, size_t len) {
  reserve(t, len);
  if (len > 0) memcpy(t->data + t->len, s, len);
  t->len += len;
  t->data[t->len] = '\0';
}

void text_add(Text *t, const char *s) { text_add_n(t, s, strlen(s)); }

void text_add_va(Text *t, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  if (n < 0) BUG(NULL, "format '%s' fails", format);
  reserve(t, (size_t)n);
  vsnprintf(t->data + t->len, (size_t)n + 1, format, again);
  t->len += (size_t)n;
  va_end(again);
}

void text_addf(Text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_add_va(t, format, args);
  va_end(args);
}

const char *text_str(const Text *t) { return t->data ? t->data : ""; }

const char *text_format(Arena *a, const char *format, ...) {
  Text t = text_new(a);
  va_list args;
  va_start(args, format);
  text_add_va(&t, format, args);
  va_end(args);
  return text_str(&t);
}

/* More digits are not always more characters ("2e+01", "20"), so this takes the shortest text of
 * all precisions. */
const char *text_from_real(Arena *a, double value) {
  if (isnan(value)) return "nan";
  if (isinf(value)) return value > 0 ? "inf" : "-inf";
  char best[40] = "", text[40];
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    bool is_shorter = best[0] == '\0' || strlen(text) < strlen(best);
    if (is_shorter && strtod(text, NULL) == value) memcpy(best, text, sizeof best);
  }
  return arena_strdup(a, best, strlen(best));
}

bool text_has_word(const char *list, const char *word) {
  const size_t len = strlen(word);
  for (const char *at = list; len > 0 && (at = strstr(at, word)) != NULL; at += len) {
    const bool starts = at == list || at[-1] == ' ';
    if (starts && (at[len] == ' ' || at[len] == '\0')) return true;
  }
  return false;
}

const char *text_lines_with(Arena *a, const char *text, const char *begin) {
  Text lines = text_new(a);
  while (*text) {
    const size_t n = strcspn(text, "\n");
    if (strncmp(text, begin, strlen(begin)) == 0) text_addf(&lines, "%.*s\n", (int)n, text);
    text += n + (text[n] == '\n');
  }
  return text_str(&lines);
}
