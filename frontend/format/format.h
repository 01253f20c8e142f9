/* Format: the text of a program in the one style, doc/diderotc.md. Tokens and comments stay what
 * they are and where they are; only the white space between them changes, so the meaning cannot.
 * Pipeline: tokens and Ast -> **marks, breaks, lines, columns** -> text. Next: local.h.
 */
#pragma once

#include "frontend/base/cx.h"

/* The text of cx->source, formatted; NULL after at least one reported error. Formatted text is
 * given back as it is. */
const char *format(Cx *cx);
