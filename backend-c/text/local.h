/* What the files of this folder share. */
#pragma once

#include "backend-c/text/cexpr.h"

/* literal.c */
CExpr *c_literal(Cx *cx, const char *text); /* a number or string as it is written */
