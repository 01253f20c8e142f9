#include "frontend/base/panic.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "frontend/base/diag.h"

enum { EXIT_LIMIT = 1, EXIT_BUG = 70 };

/* The state is written once: if writing it fails, too, the second report is without it. */
static void write_state(Cx *cx) {
  static const char path[] = "diderotc-bug.ir";
  const char *(*describe)(Cx *) = cx->describe_state;
  if (!describe) return;
  cx->describe_state = NULL;
  const char *state = describe(cx);
  FILE *file = state ? fopen(path, "w") : NULL;
  if (!file) return;
  bool is_written = fputs(state, file) >= 0;
  if (fclose(file) == 0 && is_written) fprintf(stderr, "its state is in %s\n", path);
}

void panic_say_bug(const Cx *cx, const char *file, int line, const char *format, va_list args) {
  fprintf(stderr, "internal error of the compiler, at %s:%d", file, line);
  if (cx && cx->running) fprintf(stderr, " in pass %s", cx->running);
  fputs(": ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
}

void panic_say_limit(Cx *cx, Span span, const char *format, va_list args) {
  Text what = text_new(cx->arena);
  text_add_va(&what, format, args);
  diag(cx, span, E_NOT_SUPPORTED, d_text(text_str(&what)));
}

void panic_bug(Cx *cx, const char *file, int line, const char *format, ...) {
  fflush(stdout);
  va_list args;
  va_start(args, format);
  panic_say_bug(cx, file, line, format, args);
  va_end(args);
  if (cx && cx->escape) longjmp(cx->escape->place, 1);
  if (cx) write_state(cx);
  exit(EXIT_BUG);
}

void panic_limit(Cx *cx, Span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  panic_say_limit(cx, span, format, args);
  va_end(args);
  fflush(stdout);
  diag_print_all(cx, diag_stream(cx->style), cx->style);
  exit(EXIT_LIMIT);
}

void panic_out_of_memory(size_t n_bytes) {
  fprintf(stderr, "Error: out of memory: no room for %zu bytes\n", n_bytes);
  exit(EXIT_LIMIT);
}
