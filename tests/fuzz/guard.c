#include "tests/fuzz/guard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "frontend/base/panic.h"

void __wrap_panic_bug(Cx *cx, const char *file, int line, const char *format, ...)
    TEXT_FORMAT(4, 5);
void __wrap_panic_limit(Cx *cx, Span span, const char *format, ...) TEXT_FORMAT(3, 4);
const char *__lsan_default_suppressions(void);

/* Analyses are the pass runner's own memory, which ends with the process after a LIMIT. */
const char *__lsan_default_suppressions(void) { return "leak:runner_new\n"; }

static jmp_buf way_out;
static bool is_guarded;

void __wrap_panic_bug(Cx *cx, const char *file, int line, const char *format, ...) {
  va_list args;
  va_start(args, format);
  panic_say_bug(cx, file, line, format, args);
  va_end(args);
  abort();
}

void __wrap_panic_limit(Cx *cx, Span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  panic_say_limit(cx, span, format, args);
  va_end(args);
  if (is_guarded) longjmp(way_out, 1);
  fputs("a LIMIT outside of guard()\n", stderr);
  abort();
}

bool guard(Cx *cx, GuardJob *job, void *state) {
  is_guarded = true;
  const bool is_limit = setjmp(way_out) != 0;
  if (!is_limit) job(cx, state);
  is_guarded = false;
  cx->running = NULL;
  cx->describe_state = NULL;
  cx->module = NULL;
  return !is_limit;
}
