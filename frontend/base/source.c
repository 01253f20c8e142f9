#include "frontend/base/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "frontend/base/text.h"
#include "frontend/base/utf8.h"
#include "frontend/base/vec.h"

enum { MAX_SOURCE_BYTES = 1 << 30 }; /* offsets are 32-bit; a program is far smaller */

static const char *copy_error(Arena *a) {
  const char *reason = strerror(errno);
  return arena_strdup(a, reason, strlen(reason));
}

/* Reads in chunks, so that pipes work too; NULL when all is read, else the reason. */
static const char *read_all(Arena *a, FILE *file, Text *text) {
  char chunk[4096];
  size_t n;
  while ((n = fread(chunk, 1, sizeof chunk, file)) > 0) {
    text_add_n(text, chunk, n);
    if (text->len > MAX_SOURCE_BYTES) return "file is larger than 1 GiB";
  }
  return ferror(file) ? copy_error(a) : NULL;
}

Source *source_read(Arena *a, const char *path, const char **error) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    *error = copy_error(a);
    return NULL;
  }
  Text text = text_new(a);
  *error = read_all(a, file, &text);
  fclose(file);
  return *error ? NULL : source_from_text(a, path, text_str(&text), text.len);
}

Source *source_from_text(Arena *a, const char *path, const char *text, size_t len) {
  static const char byte_order_mark[] = "\xEF\xBB\xBF";
  if (len >= 3 && memcmp(text, byte_order_mark, 3) == 0) {
    text += 3;
    len -= 3;
  }
  VEC(uint32_t) starts = {0};
  vec_push(a, &starts, 0);
  for (uint32_t i = 0; i < len; i++)
    if (text[i] == '\n') vec_push(a, &starts, i + 1);

  Source *s = NEW(a, Source);
  *s = (Source){
      .path = arena_strdup(a, path, strlen(path)),
      .text = arena_strdup(a, text, len),
      .len = (uint32_t)len,
      .line_starts = starts.data,
      .n_lines = starts.len,
  };
  return s;
}

/* Number of the line, from 0, that holds the offset: the last one that starts at or before it. */
static uint32_t line_index(const Source *s, uint32_t offset) {
  uint32_t first = 0, end = s->n_lines;
  while (end - first > 1) {
    uint32_t middle = first + (end - first) / 2;
    if (s->line_starts[middle] <= offset) first = middle;
    else end = middle;
  }
  return first;
}

Position source_position(const Source *s, uint32_t offset) {
  if (offset > s->len) offset = s->len;
  uint32_t line = line_index(s, offset);
  uint32_t start = s->line_starts[line];
  return (Position){line + 1, utf8_count(s->text + start, offset - start) + 1};
}

uint32_t source_line_number(const Source *s, uint32_t offset) {
  return line_index(s, offset < s->len ? offset : s->len) + 1;
}

const char *source_line(const Source *s, uint32_t line, uint32_t *len) {
  uint32_t start = s->line_starts[line - 1];
  uint32_t end = line < s->n_lines ? s->line_starts[line] - 1 : s->len;
  if (end > start && s->text[end - 1] == '\r') end--;
  *len = end - start;
  return s->text + start;
}

Span span_join(Span a, Span b) {
  if (span_is_none(a)) return b;
  if (span_is_none(b)) return a;
  return (Span){a.start < b.start ? a.start : b.start, a.end > b.end ? a.end : b.end};
}

bool span_is_none(Span s) { return s.start == UINT32_MAX; }
