/* Parse: from the text of a program to its syntax tree; the interface of this component.
 * Pipeline: text -> **lexer, grammar** -> Ast -> check. Next: ast.h for the result.
 */
#pragma once

#include "frontend/syntax/ast.h"

/* Parses cx->source and returns its PROGRAM node, or NULL after at least one reported error.
 * Recovers after each error, so that several are found. Errors: lexical, version (none, 1.0
 * or 2.0), syntax, nesting deeper than AST_MAX_DEPTH. An INT that does not fit is left to check. */
const Ast *parse(Cx *cx);
/* The same for editors: for a program with errors, a PROGRAM without the parts that could not be
 * read, in which the strand and the creation may be replaced by empty ones, or NULL. *is_whole: no
 * error was reported. */
const Ast *parse_partly(Cx *cx, bool *is_whole);

/* The keyword of the version most like a name, among those that begin types, statements,
 * declarations and parts of the program; NULL if none is similar. For names read as types. */
const char *keyword_like(AstVersion version, const Name *name);
