/* Diag printing: errors, then warnings, sorted by position, each as the one line that scripts read,
 * then for people the source line, carets under the exact characters, and the notes and helps.
 *
 *   [ridge.diderot:14.12-13] Error: '∇' needs a field with a derivative: field#0(3)[] has none
 *     14 |   vec3 g = ∇F(pos);
 *        |            ^~
 *
 * Columns of the one-line form count characters; carets stand under terminal columns.
 */
#include <stdlib.h>
#include <string.h>

#include "frontend/base/local.h"
#include "frontend/base/utf8.h"

enum { MAX_EXCERPT_BYTES = 400 }; /* longer lines are not shown */

typedef struct Printer {
  FILE *out;
  const Source *source; /* NULL when none could be read */
  int gutter;           /* digits of the largest line number */
} Printer;

static const char *severity_title(Severity severity) {
  switch (severity) {
  case SEV_ERROR: return "Error";
  case SEV_WARNING: return "Warning";
  case SEV_REMARK: return "Remark";
  case SEV_NOTE: return "Note";
  case SEV_HELP: return "Help";
  }
  return "";
}

/* First and last character of a span; an empty one means the character it stands before. */
static Position first_position(const Source *s, Span span) {
  return source_position(s, span.start);
}

static Position last_position(const Source *s, Span span) {
  if (span.end <= span.start) return source_position(s, span.start);
  uint32_t last = span.end - 1;
  while (last > span.start && (s->text[last] & 0xC0) == 0x80) last--;
  return source_position(s, last);
}

/* Control characters and invalid bytes are shown as U+FFFD, so that neither source text nor a word
 * of the command line can steer the terminal; it is one column wide, as utf8_display_width counts
 * them. */
static void print_bytes(FILE *out, const char *text, size_t len) {
  uint32_t n_bytes;
  for (size_t i = 0; i < len; i += n_bytes) {
    const uint32_t c = utf8_decode(text + i, len - i, &n_bytes);
    const bool is_control = (c < 0x20 && c != '\t') || (c >= 0x7F && c < 0xA0);
    if (is_control || c == UTF8_INVALID) fputs("\xEF\xBF\xBD", out);
    else fwrite(text + i, 1, n_bytes, out);
  }
}

static void print_clean(FILE *out, const char *text) { print_bytes(out, text, strlen(text)); }

static void print_line_form(const Printer *p, const DiagMessage *message) {
  const Source *s = p->source;
  if (s && span_is_none(message->span)) {
    fputc('[', p->out);
    print_clean(p->out, s->path);
    fputs("] ", p->out);
  } else if (s) {
    Position first = first_position(s, message->span), last = last_position(s, message->span);
    fputc('[', p->out);
    print_clean(p->out, s->path);
    fprintf(p->out, ":%u.%u-", first.line, first.column);
    if (last.line != first.line) fprintf(p->out, "%u.", last.line);
    fprintf(p->out, "%u] ", last.column);
  }
  fprintf(p->out, "%s: ", severity_title(message->severity));
  print_clean(p->out, message->text);
  if (message->name) fprintf(p->out, " [%s]", message->name);
  fputc('\n', p->out);
}

/* Carets under bytes [start, end) of a line. Tabs are copied, so the terminal moves both lines
 * alike, whatever its tab stops are. */
static void print_carets(FILE *out, const char *text, uint32_t start, uint32_t end) {
  bool is_marked = false;
  for (uint32_t i = 0, n_bytes; i < end; i += n_bytes) {
    bool is_inside = i >= start;
    utf8_decode(text + i, end - i, &n_bytes);
    if (text[i] == '\t' && (!is_inside || is_marked)) {
      fputc('\t', out);
      continue;
    }
    uint32_t width = utf8_display_width(text + i, n_bytes);
    for (uint32_t column = 0; column < width; column++) {
      fputc(!is_inside ? ' ' : is_marked ? '~' : '^', out);
      is_marked |= is_inside;
    }
  }
  if (!is_marked) fputc('^', out);
  fputc('\n', out);
}

/* One line of the source with carets under the part of it that the span covers. */
static void print_marked_line(const Printer *p, uint32_t line, Span span) {
  uint32_t len;
  const char *text = source_line(p->source, line, &len);
  if (len > MAX_EXCERPT_BYTES) return;
  uint32_t line_start = p->source->line_starts[line - 1];
  uint32_t start = span.start > line_start ? span.start - line_start : 0;
  uint32_t end = span.end - line_start < len ? span.end - line_start : len;
  if (span.start < line_start) /* inside a span of several lines: leave out the indentation */
    while (start < end && (text[start] == ' ' || text[start] == '\t')) start++;

  fprintf(p->out, " %*u | ", p->gutter, line);
  print_bytes(p->out, text, len);
  fprintf(p->out, "\n %*s | ", p->gutter, "");
  print_carets(p->out, text, start < len ? start : len, end);
}

static void print_excerpt(const Printer *p, Span span) {
  if (!p->source || p->source->len == 0 || span_is_none(span)) return;
  uint32_t first = first_position(p->source, span).line;
  uint32_t last = last_position(p->source, span).line;
  print_marked_line(p, first, span);
  if (last == first) return;
  if (last > first + 1) fprintf(p->out, " %*s |\n", p->gutter, "...");
  print_marked_line(p, last, span);
}

static void print_message(const Printer *p, const DiagMessage *message) {
  bool is_help = message->severity == SEV_HELP && span_is_none(message->span);
  if (is_help) {
    fputs("help: ", p->out);
    print_clean(p->out, message->text);
    fputc('\n', p->out);
  } else {
    print_line_form(p, message);
  }
  print_excerpt(p, message->span);
  for (const DiagMessage *note = message->notes; note; note = note->next) print_message(p, note);
}

typedef struct Ordered {
  const DiagMessage *message;
  uint32_t order; /* of reporting; keeps the sort stable */
} Ordered;

/* Errors come first. */
static int compare_positions(const void *left, const void *right) {
  const Ordered *a = left, *b = right;
  const bool is_error_a = a->message->severity == SEV_ERROR;
  const bool is_error_b = b->message->severity == SEV_ERROR;
  if (is_error_a != is_error_b) return is_error_a ? -1 : 1;
  uint32_t start_a = a->message->span.start, start_b = b->message->span.start;
  if (start_a != start_b) return start_a < start_b ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

static int digit_count(uint32_t number) {
  int digits = 1;
  for (; number >= 10; number /= 10) digits++;
  return digits;
}

/* All messages by position, those without one last; *n of them. */
static const DiagMessage **sorted_messages(const Cx *cx, uint32_t *n) {
  const DiagList *list = cx->diags;
  *n = list->messages.len;
  Ordered *ordered = NEWN(cx->arena, Ordered, *n);
  const DiagMessage **sorted = NEWN(cx->arena, const DiagMessage *, *n);
  for (uint32_t i = 0; i < *n; i++) ordered[i] = (Ordered){list->messages.data[i], i};
  if (*n > 0) qsort(ordered, *n, sizeof *ordered, compare_positions);
  for (uint32_t i = 0; i < *n; i++) sorted[i] = ordered[i].message;
  return sorted;
}

static void print_text(const Cx *cx, FILE *out, bool is_plain) {
  int digits = cx->source ? digit_count(cx->source->n_lines) : 1;
  Printer p = {.out = out, .source = cx->source, .gutter = digits < 3 ? 3 : digits};
  uint32_t n;
  const DiagMessage **messages = sorted_messages(cx, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (is_plain) print_line_form(&p, messages[i]);
    else print_message(&p, messages[i]);
  }
}

const char *diag_lines(const Cx *cx, DiagStyle style) {
  Text lines = text_new(cx->arena);
  uint32_t n;
  const DiagMessage **messages = sorted_messages(cx, &n);
  for (uint32_t i = 0; i < n; i++) {
    Json json = json_new(cx->arena);
    json.is_flat = true;
    if (style == DIAG_SARIF) diag_sarif_add(&json, cx, messages[i]);
    else diag_json_add(&json, cx, messages[i]);
    text_add(&lines, text_str(&json.out));
  }
  return text_str(&lines);
}

void diag_print_all(const Cx *cx, FILE *out, DiagStyle style) {
  if (style == DIAG_JSON || style == DIAG_SARIF) fputs(diag_lines(cx, style), out);
  else print_text(cx, out, style == DIAG_PLAIN);
}

FILE *diag_stream(DiagStyle style) {
  return style == DIAG_JSON || style == DIAG_SARIF ? stdout : stderr;
}
