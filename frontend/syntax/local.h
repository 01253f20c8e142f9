/* What the files of frontend/syntax share: the state of one parse, and the token table.
 *
 * A token goes lexer.l -> stream.c -> grammar.y. The stream recognises keywords and operators,
 * remembers what hints need, and after a syntax error skips the rest of the broken construct (Note
 * [Skipping] in stream.c). report.c writes the messages, hint.c what to write instead, forms.c the
 * messages about forms that the version lacks; misspelt.c and misnamed.c find names meant as
 * keywords, and keywords meant as names.
 */
#pragma once

#include "frontend/syntax/ast.h"
#include "frontend/syntax/token_roles.h"

typedef struct Token {
  int id; /* T_... of grammar.h; 0 is the end of the file */
  Ident ident;
} Token;

/* A word of the program and the method that it names. */
typedef struct MethodWord {
  AstMethodKind kind;
  Ident name;
} MethodWord;

typedef struct Parser {
  Cx *cx;
  Arena *arena;
  AstVersion version;
  uint32_t start;     /* byte offset behind byte-order mark and version directive */
  bool has_directive; /* somewhere; a misplaced one is reported */
  void *scanner;      /* flex */
  const char *buffer; /* what flex scans; spans count from here */
  const Ast *program; /* the result; NULL until the grammar has accepted */

  Token before, current; /* the last two tokens given to the grammar */
  Token opening;         /* first token of the current declaration or statement */
  Token titled;          /* the last `opening` that a name or a brace followed: a keyword, or a
                          * misspelt one */
  uint32_t n_titled;     /* number of open braces with that one; 0: it was a name */
  Token pending;         /* read too far while skipping; given next */
  bool has_pending;
  bool is_skipping;    /* current was an error: skip before giving the next token */
  Token broken;        /* ... and this is the first token of what is skipped */
  bool lacks_end;      /* ... but skip nothing: only a `;` was missing before current */
  bool is_in_function; /* the last function or strand to begin was a function */
  bool is_resumed;     /* current follows skipped text: unexpected, it only echoes that error */
  bool is_suspect;     /* a lexical error lies in this statement; its syntax errors are echoes */
  uint32_t suspect_at; /* offset of the last invalid character */
  bool has_failed;     /* a syntax error was reported; an early end of file is its echo */
  bool is_lost;        /* an error cost a brace: what follows is read at a wrong depth */
  uint32_t failed_at;  /* offset of the last error that was reported */
  uint32_t stopped_at; /* closing brace at which skipping stopped last */
  VEC(int) misnamed;   /* keywords that were declared as names: their uses are echoes */
  VEC(bool) braces;    /* the open ones; true for those of expressions */
  VEC(Token) open;     /* every ( [ { that is not closed yet */
} Parser;

/* Version directive (version.c): sets version and start; false if the text is not a program. */
bool version_find(Parser *parser);

/* Lexer (lexer.l) and stream (stream.c). */
void lexer_open(Parser *parser);
void lexer_close(Parser *parser);
Token lexer_next(Parser *parser);
Token stream_next(Parser *parser);
/* The bracket that closes the one given; 0 when it opens none. */
int closing_bracket(int id);
const Name *lexer_string(Parser *parser, const char *text, Span span); /* string.c */

/* Token table (tokens.c). */
typedef struct TokenRow {
  int id;
  const char *spelling; /* "foreach", "⊗"; "ID" for classes */
  const char *display;  /* "'foreach'", "a name" */
  const char *other;    /* how the other version says it, or "" */
  unsigned versions;    /* bit 1 << AST_V1, 1 << AST_V2 */
  unsigned roles;
} TokenRow;
extern const TokenRow token_rows[];
extern const uint32_t n_token_rows;
const TokenRow *token_row(int id); /* NULL for the end of the file */
/* The keyword row so spelled in that version, or NULL. */
const TokenRow *keyword_row(const char *spelling, AstVersion version);

/* Messages (report.c). At each syntax error report_is_due says whether it is more than an echo of
 * an earlier one; expected[i] tells whether token_rows[i] could stand here. */
bool report_is_due(Parser *parser);
void report_unexpected(Parser *parser, const bool *expected);
void report_depth(Parser *parser, Span span);
/* A string that does not end on its line; unless a quotation mark too many was reported there. */
void report_open_string(Parser *parser, Span span);
/* Sets *name to a name that is probably the cause of the error, because it is nearly a keyword, and
 * returns that keyword (misspelt.c); NULL if there is none. */
const TokenRow *misspelt_keyword(const Parser *parser, const bool *expected, Ident *name);
bool is_expected(const bool *expected, int id); /* a token */
/* The row of a token that is a keyword of the other version and a plain name in this one; or NULL.
 */
const TokenRow *foreign_keyword(const Parser *parser, Token token);
/* The end of the comment or string that begins at `text`; `text` where none begins. */
const char *behind_text(const char *text);

/* What to write instead, below the message (hint.c). */
void hint_give(Parser *parser, const bool *expected);
bool is_of_condition(const Parser *parser, Token paren);   /* that of `if (...)` */
bool is_behind_operand(const Parser *parser, Token token); /* one ends before it */

/* Keywords used as names (misnamed.c). Whether the unexpected token is the use of such a keyword
 * whose declaration was reported. */
bool misnamed_is_used(const Parser *parser, const bool *expected);
/* Remembers the unexpected or skipped token, if it is declared as a name. */
void misnamed_see(Parser *parser, const bool *expected);
void misnamed_see_skipped(Parser *parser, Token token);
/* The hint for the unexpected token: it is a keyword, or a name is missing before it. */
void misnamed_hint(Parser *parser, const bool *expected);

/* What the grammar's actions make (nodes.c). */
#define NODE(Type, ...) AST_NEW(parser->arena, Type, __VA_ARGS__)
/* From the first to the last part that has any text; parts[0] stands before the rule. */
Span span_of_parts(const Span *parts, int n);
/* In place of those that could not be read: a tree of a broken program is whole, too. */
const Ast *missing_strand(Parser *parser, Span span);
const Ast *missing_creation(Parser *parser, Span span);
AstList list_of(Parser *parser, const Ast *node);
AstList list_add(Parser *parser, AstList list, const Ast *node); /* NULL adds nothing */
const Ast *int_node(Parser *parser, Ident digits); /* knows whether the value overflows */

/* Forms of one version only (forms.c): each call stands where the form was read and reports it
 * when the program has the other version. */
typedef enum {
#define FORM(id, version, what, instead) FORM_##id,
#include "frontend/syntax/forms.def"
} FormId;
void form_used(Parser *parser, Span span, FormId form);
/* Places where version 1.0 allows less; both return the node. */
const Ast *form_dim(Parser *parser, const Ast *dim);
const Ast *form_param_type(Parser *parser, const Ast *type);
const Ast *form_input_type(Parser *parser, const Ast *type);
const Ast *form_result_type(Parser *parser, const Ast *type);
const Ast *form_default(Parser *parser, const Ast *value);
const Ast *form_file(Parser *parser, const Ast *file);
