/* Edits: formatting, as an edit of the lines that differ. */
#include <setjmp.h>
#include <string.h>

#include "frontend/base/panic.h"
#include "frontend/format/format.h"
#include "frontend/server/local.h"

/* The formatted text, made in cx; NULL if the program has syntax errors. */
static const char *formatted(Cx *cx, const Source *source) {
  Escape escape;
  cx->source = source;
  cx->escape = &escape;
  const char *text = NULL;
  if (setjmp(escape.place) == 0) text = format(cx);
  cx->escape = NULL;
  return text;
}

/* The bytes of the whole lines with which both texts begin. */
static uint32_t common_begin(const char *a, const char *b) {
  uint32_t at = 0, line = 0;
  for (; a[at] && a[at] == b[at]; at++)
    if (a[at] == '\n') line = at + 1;
  return line;
}

static uint32_t common_end(const char *a, uint32_t n_a, const char *b, uint32_t n_b) {
  uint32_t n = 0, lines = 0;
  while (n < n_a && n < n_b && a[n_a - 1 - n] == b[n_b - 1 - n]) {
    if (a[n_a - 1 - n] == '\n') lines = n;
    n++;
  }
  return lines;
}

void handle_formatting(Request *request) {
  const Source *source = request->document->source;
  Cx *cx = cx_new();
  const char *text = formatted(cx, source);
  if (text) {
    const uint32_t begin = common_begin(source->text, text), len = (uint32_t)strlen(text);
    const uint32_t end =
        common_end(source->text + begin, source->len - begin, text + begin, len - begin);
    const Span span = {begin, source->len - end};
    const char *new_text = arena_strdup(request->arena, text + begin, len - begin - end);
    const bool is_same = span.start == span.end && !*new_text;
    request->result = is_same
                          ? json_array()
                          : json_pack("[o]", edit_json(request->server, source, span, new_text));
  } else {
    request_fail(request, ERROR_FAILED, "the program has syntax errors");
  }
  cx->escape = NULL;
  cx_free(cx);
}
