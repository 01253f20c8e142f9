/* Panic: failures that are not the user's. BUG is ours: it names the running pass, writes the
 * state of the compilation to a file and exits with 70, or escapes. LIMIT is a known gap: one clear
 * line with the source position, exit with 1. Neither returns.
 */
#pragma once

#include <setjmp.h>

#include "frontend/base/cx.h"
#include "frontend/base/text.h"

/* Where BUG jumps to instead of ending the process, if cx->escape is set. All results must then be
 * discarded, together with the Cx. */
typedef struct Escape {
  jmp_buf place;
} Escape;

/* cx may be NULL where no compilation is at hand (base/). */
_Noreturn void panic_bug(Cx *cx, const char *file, int line, const char *format, ...)
    TEXT_FORMAT(4, 5);
/* The system has no memory left: one line, exit with 1. */
_Noreturn void panic_out_of_memory(size_t n_bytes);
/* Prints [FILE:LINE.COL-COL2] Error: not supported yet: TEXT, among the messages collected so
 * far. */
_Noreturn void panic_limit(Cx *cx, Span span, const char *format, ...) TEXT_FORMAT(3, 4);

/* Only the reports, without ending: of a bug by a line on stderr, of a limit by a message. */
void panic_say_bug(const Cx *cx, const char *file, int line, const char *format, va_list args)
    TEXT_FORMAT(4, 0);
void panic_say_limit(Cx *cx, Span span, const char *format, va_list args) TEXT_FORMAT(3, 0);

/* The name of the source file without its folder: the compiler's bytes must not depend on where it
 * was built. */
#if defined(__FILE_NAME__)
#define PANIC_FILE __FILE_NAME__
#else
#define PANIC_FILE __FILE__
#endif
#define BUG(cx, ...) panic_bug((cx), PANIC_FILE, __LINE__, __VA_ARGS__)
#define LIMIT(cx, span, ...) panic_limit((cx), (span), __VA_ARGS__)
#define ASSERT(cx, cond) ((cond) ? (void)0 : BUG((cx), "assertion failed: %s", #cond))
#define UNREACHABLE(cx) BUG((cx), "unreachable code reached")
