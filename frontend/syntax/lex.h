/* Lex: the tokens and comments of a program with their places, for the formatter and the language
 * server. Independent of the grammar: programs with syntax errors have tokens, too.
 */
#pragma once

#include "frontend/base/cx.h"
#include "frontend/base/vec.h"
#include "frontend/syntax/token_roles.h"

typedef enum {
  LEX_VERSION, /* #version and its number, at the beginning of the text */
  LEX_KEYWORD,
  LEX_OPERATOR, /* brackets and separators, too */
  LEX_NAME,
  LEX_INT,
  LEX_REAL,
  LEX_STRING,
  LEX_LINE_COMMENT,
  LEX_BLOCK_COMMENT,
} LexClass;

typedef struct Lexeme {
  LexClass class;
  unsigned roles;   /* of its row in tokens.def */
  const Name *name; /* a name; a keyword or an operator by its row; NULL for the others */
  Span span;
} Lexeme;
typedef VEC(Lexeme) LexemeList;

/* All lexemes of cx->source, in order. Lexical errors are reported, and left out. */
LexemeList lex(Cx *cx);
bool lexeme_is(const Lexeme *lexeme, const char *word); /* a keyword or operator so spelled */
bool lexeme_is_comment(const Lexeme *lexeme);
bool lexeme_opens(const Lexeme *lexeme); /* a bracket of any kind */
bool lexeme_closes(const Lexeme *lexeme);
