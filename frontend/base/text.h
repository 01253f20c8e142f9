/* Text: string builder in an arena, and numbers as text. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>

#include "frontend/base/arena.h"

typedef struct Text {
  Arena *arena;
  char *data; /* NUL-terminated once anything was added; use text_str */
  size_t len, cap;
} Text;

#if defined(__GNUC__)
#define TEXT_FORMAT(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define TEXT_FORMAT(fmt, args)
#endif

Text text_new(Arena *a);
void text_add(Text *t, const char *s);
void text_add_n(Text *t, const char *s, size_t len);
void text_addf(Text *t, const char *format, ...) TEXT_FORMAT(2, 3);
void text_add_va(Text *t, const char *format, va_list args) TEXT_FORMAT(2, 0);
const char *text_str(const Text *t); /* "" when empty */

/* Formatted copy in the arena. */
const char *text_format(Arena *a, const char *format, ...) TEXT_FORMAT(2, 3);
/* True when word is one of the words of the list, which are separated by spaces. */
bool text_has_word(const char *list, const char *word);
/* The lines of text that begin with `begin`, each with its line end. */
const char *text_lines_with(Arena *a, const char *text, const char *begin);
/* Shortest decimal text that strtod reads back as the same double: "0.1", "1e-06", "inf", "-inf",
 * "nan", "-0". Integral values have no point: "3". */
const char *text_from_real(Arena *a, double value);
