/* Emit: statements, declarations and tables as text. emit.c is the only file of this back end that
 * writes characters: all others pass names and trees (cexpr.h) to it.
 *
 * The layout is that of clang-format with the project's style and no column limit.
 */
#pragma once

#include "backend-c/text/cexpr.h"

typedef struct Emit {
  Cx *cx;
  Text out;
  uint32_t depth;
  uint32_t line;        /* of the source, announced last; 0: none yet */
  bool with_line_marks; /* #line directives instead of comments */
} Emit;

typedef struct CParam {
  const char *type; /* a pointer type ends in '*' */
  const char *name;
} CParam;
typedef VEC(CParam) CParamVec;

typedef struct CFunc {
  const char *qualifiers; /* "static", "static inline", "" */
  const char *result;
  const char *name;
  CParamVec params;
} CFunc;

void em_param(Cx *cx, CFunc *fn, const char *type, const char *name); /* adds the last one */

void em_define(Emit *em, const char *macro);
void em_constants(Emit *em, const char *names);       /* "A, B" are 0 and 1 */
void em_include(Emit *em, const char *header);        /* "ddr/scalar.h" */
void em_include_system(Emit *em, const char *header); /* <string.h> */
void em_pragma(Emit *em, const char *words);
void em_blank(Emit *em);
void em_comment(Emit *em, const char *text);
/* The path as given; of an absolute path only the name, so that generated files do not depend on
 * the folder. */
const char *em_source_path(const Emit *em);
/* Announces the source line of the following code; returns true if it is another line. */
bool em_source(Emit *em, Span span);

/* The frame of a header. */
void em_open_guard(Emit *em, const char *macro); /* #ifndef, #define */
void em_close_guard(Emit *em);
void em_open_c_linkage(Emit *em); /* extern "C" for C++ */
void em_close_c_linkage(Emit *em);

void em_open_struct(Emit *em, const char *tag);
void em_open_typedef(Emit *em, const char *tag); /* of a struct, closed with its name */
void em_close_typedef(Emit *em, const char *name);
void em_typedef_struct(Emit *em, const char *tag, const char *name); /* of an incomplete one */
void em_field(Emit *em, const char *type, const char *name, uint32_t count); /* array above 1 */
void em_field_array(Emit *em, const char *type, const char *name, uint64_t count);
void em_open_func(Emit *em, const CFunc *fn);
void em_prototype(Emit *em, const CFunc *fn);
void em_extern(Emit *em, const char *type, const char *name);
void em_open_if(Emit *em, const CExpr *cond);
void em_else(Emit *em);
void em_else_if(Emit *em, const CExpr *cond);
void em_open_block(Emit *em);
void em_open_while(Emit *em, const CExpr *cond);
/* for (TYPE NAME = from; NAME OP limit; NAME++) */
void em_open_for(Emit *em, CParam idx, const CExpr *from, const char *op, const CExpr *limit);
/* for (TYPE NAME = from; NAME OP limit; NAME += by) */
void em_open_for_by(Emit *em, CParam idx, const CExpr *from, const char *op, const CExpr *limit,
                    const char *by);
void em_open_do(Emit *em);
void em_close_do(Emit *em, const CExpr *cond);                         /* } while (cond); */
void em_open_each(Emit *em, const char *macro, const char *idx);       /* MACRO(idx) { */
void em_open_argument(Emit *em, const char *macro, const char *first); /* MACRO(first, { */
void em_close_argument(Emit *em);                                      /* }); */
void em_close(Emit *em); /* function, if, while, for */
void em_close_struct(Emit *em);

void em_declare(Emit *em, const char *type, const char *name, const CExpr *init); /* or NULL */
void em_declare_const(Emit *em, const char *type, const char *name, const CExpr *init);
void em_declare_array(Emit *em, const char *type, const char *name, uint32_t count);
void em_declare_array_of(Emit *em, const char *type, const char *name, const char *count);
void em_declare_list(Emit *em, const char *type, const char *name, CExprVec values);
void em_declare_zero(Emit *em, const char *type, const char *name); /* {0} */
void em_assign(Emit *em, const CExpr *dst, const CExpr *src);
void em_expr(Emit *em, const CExpr *expr);
void em_return(Emit *em, const CExpr *value); /* or NULL */
void em_continue(Emit *em);
void em_break(Emit *em);
void em_unused(Emit *em, const char *name);

/* TYPE NAME = { .member = value, ... }; a table of rows has name[]. */
void em_open_record(Emit *em, const char *type, const char *name);
void em_open_table(Emit *em, const char *type, const char *name);
void em_open_row(Emit *em);
void em_close_row(Emit *em);
void em_close_table(Emit *em);                 /* record or table */
void em_element(Emit *em, const CExpr *value); /* of a table of scalars */
void em_member(Emit *em, const char *member, const CExpr *value);
