/* Source: the text of one input file; converts byte offsets to lines and columns. */
#pragma once

#include <stdbool.h>

#include "frontend/base/arena.h"

/* A byte range [start, end) of the source; SPAN_NONE where there is no text to point at. */
typedef struct Span {
  uint32_t start, end;
} Span;
#define SPAN_NONE ((Span){UINT32_MAX, UINT32_MAX})

typedef struct Source {
  const char *path; /* as the user gave it */
  const char *text; /* len bytes, then a NUL that is not counted; may contain NUL bytes */
  uint32_t len;
  uint32_t *line_starts; /* byte offset of each line */
  uint32_t n_lines;
} Source;

/* Both counted from 1; column counts characters, not bytes. */
typedef struct Position {
  uint32_t line, column;
} Position;

/* Reads a whole file. On failure returns NULL and *error is the reason ("No such file or
 * directory", "file is larger than 1 GiB", ...), allocated in a. */
Source *source_read(Arena *a, const char *path, const char **error);
/* Copies the text. A leading byte-order mark is dropped: it is no part of the program. */
Source *source_from_text(Arena *a, const char *path, const char *text, size_t len);
Position source_position(const Source *s, uint32_t offset);
/* Only the number of the line, which is faster than a position. */
uint32_t source_line_number(const Source *s, uint32_t offset);
/* Text of a line (from 1) without its line end. */
const char *source_line(const Source *s, uint32_t line, uint32_t *len);
Span span_join(Span a, Span b); /* smallest span that covers both; SPAN_NONE is neutral */
bool span_is_none(Span s);
