/* What the files of the formatter share.
 *
 *   marks.c    the roles of tokens in the tree: blocks, prefix operators, bars of norms, ...
 *   breaks.c   where lines end, by the structure and by the author's line ends
 *   spaces.c   whether there is a space between two tokens of a line
 *   lines.c    lines with their indentation; long ones are broken
 *   columns.c  alignment of names, descriptions and comments
 *
 * The layout of a line depends on its items and on the lines around it, never on its former columns
 * alone: formatted text does not change (unit.format.programs).
 */
#pragma once

#include "frontend/format/format.h"
#include "frontend/syntax/ast.h"
#include "frontend/syntax/lex.h"

enum {
  STEP = 3,            /* columns of an indentation */
  MAX_WIDTH = 104,     /* longer lines are broken where they can be */
  COMMENT_COLUMN = 49, /* of comments behind code */
  NO_BRACKET = -1
};

typedef enum {
  MARK_BLOCK = 1,       /* brace of statements, opening or closing */
  MARK_SPACED = 2,      /* bracket of a comprehension or creation */
  MARK_PREFIX = 4,      /* operator before its operand */
  MARK_NORM_OPEN = 8,   /* bar */
  MARK_NORM_CLOSE = 16, /* bar */
  MARK_TIGHT = 32,      /* operator or comma without spaces */
  MARK_PARAMS = 64,     /* parenthesis behind the name of what is defined */
  MARK_DESCRIPTION = 128 /* parenthesis of an input's description */,
  MARK_LOOSE = 256,    /* begins a statement that is the body of another, without braces */
  MARK_DECLARED = 512, /* name in a declaration */
  MARK_INFIX = 1024    /* operator between its operands */
} Mark;

typedef enum { BREAK_NONE, BREAK_LINE, BREAK_BLANK } Break;

typedef struct Item {
  Lexeme lexeme;
  unsigned marks;
  Break before;
  uint32_t n_newlines; /* of the author, before it */
  uint32_t column;     /* where the author has it, from 0 */
  int partner;         /* of a bracket: the other one; else NO_BRACKET */
} Item;

/* What can be aligned on neighbouring lines. */
typedef enum { PLACE_NAME, PLACE_SIGN, PLACE_DESCRIPTION, PLACE_COUNT } PlaceId;
typedef struct Place {
  uint32_t byte;   /* in the code; 0: there is none */
  uint32_t column; /* where the author has put it */
} Place;

typedef struct Line {
  const char *code;    /* or a comment on lines of its own; without indentation */
  const char *comment; /* behind the code, or NULL */
  uint32_t indent;
  bool is_blank_before;
  bool is_comment;
  int under;        /* the line of the bracket that this one continues, or NO_BRACKET */
  uint32_t bracket; /* its byte there */
  Place places[PLACE_COUNT];
} Line;
typedef VEC(Line) LineList;

typedef struct Format {
  Cx *cx;
  Arena *arena;
  Item *items;
  uint32_t n_items;
  LineList lines;
} Format;

const char *item_text(const Format *format, const Item *item, uint32_t *len);
bool item_is(const Item *item, const char *word);
bool item_is_comment(const Item *item);
bool item_opens(const Item *item);  /* a bracket */
bool item_closes(const Item *item); /* a bracket */
/* The item before i that is no comment, or NULL. */
const Item *token_before(const Format *format, uint32_t i);

void find_marks(Format *format, const Ast *program);
void find_breaks(Format *format);
bool is_spaced(const Format *format, const Item *left, const Item *right);
void make_lines(Format *format);
void align_columns(Format *format);
uint32_t text_width(const char *text); /* in columns */
