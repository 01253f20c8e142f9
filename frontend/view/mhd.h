/* Mhd: libmicrohttpd, loaded when a view begins: the compiler is not linked with it, and starts as
 * fast as without.
 */
#pragma once

#include <microhttpd.h>

typedef struct Mhd {
#define CALL(name) __typeof__(&name) name; /* NOLINT(bugprone-macro-parentheses) */
#include "frontend/view/mhd_calls.def"
} Mhd;

/* NULL with *why: it is not there. It stays until the process ends. */
const Mhd *mhd_load(const char **why);
