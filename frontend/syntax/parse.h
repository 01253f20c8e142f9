/* Parse: from the text of a program to its syntax tree; the only door into this component.
 * Pipeline: text -> **lexer, grammar** -> Ast -> check. Next: ast.h for the result.
 */
#pragma once

#include "frontend/syntax/ast.h"

/* Parses cx->source and returns its PROGRAM node, or NULL after at least one reported error.
 * Recovers after each error, so that several are found. Errors: lexical, version (language.md 1.2),
 * syntax, nesting deeper than AST_MAX_DEPTH. An INT that does not fit is left to check. */
const Ast *parse(Cx *cx);

/* The keyword of the version that a name is most like, of those that begin types, statements,
 * declarations and parts of the program; NULL when none is near. For names read as types. */
const char *keyword_like(AstVersion version, const Name *name);
