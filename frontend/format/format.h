/* Format: the text of a program in the one style of doc/diderotc.md. Tokens and comments and their
 * order do not change, only the white space between them; so the meaning cannot change.
 * Pipeline: tokens and Ast -> **marks, breaks, lines, columns** -> text. Next: local.h.
 */
#pragma once

#include "frontend/base/cx.h"

/* The text of cx->source, formatted; NULL after at least one reported error. Formatting again gives
 * the same text. */
const char *format(Cx *cx);
