/* CExpr: C expressions as trees. The printer alone decides about parentheses: it emits those that C
 * needs, and those that -Wparentheses asks for. Nodes are immutable and may be shared. Next:
 * emit.h, which puts them into statements.
 */
#pragma once

#include "frontend/base/rational.h"
#include "frontend/base/text.h"
#include "frontend/base/vec.h"
#include "frontend/lang/constant.h"

typedef struct CExpr CExpr;
typedef VEC(CExpr *) CExprVec;

CExpr *c_name(Cx *cx, const char *name); /* identifier, type name, macro */
CExpr *c_bool(Cx *cx, bool value);
CExpr *c_int(Cx *cx, int64_t value);
/* The digits of the source if there are any, else the shortest digits that read back as the same
 * value in the precision of the program; infinities and NaN by the names of math.h. */
CExpr *c_real(Cx *cx, RealConst real);
CExpr *c_rational(Cx *cx, Rational value); /* rounded once */
CExpr *c_string(Cx *cx, const char *text); /* any bytes */

CExpr *c_unary(Cx *cx, const char *op, CExpr *a); /* - ! & * */
CExpr *c_step(Cx *cx, CExpr *a);                  /* a++ */
CExpr *c_binary(Cx *cx, const char *op, CExpr *a, CExpr *b);
CExpr *c_cond(Cx *cx, CExpr *cond, CExpr *yes, CExpr *no);
CExpr *c_cast(Cx *cx, const char *type, CExpr *a);
CExpr *c_call(Cx *cx, const char *fn, CExprVec args);
CExpr *c_call1(Cx *cx, const char *fn, CExpr *a);
CExpr *c_call2(Cx *cx, const char *fn, CExpr *a, CExpr *b);
CExpr *c_index(Cx *cx, CExpr *a, CExpr *idx);
CExpr *c_index_int(Cx *cx, CExpr *a, uint32_t idx);
CExpr *c_arrow(Cx *cx, CExpr *a, const char *field); /* a->field */
CExpr *c_dot(Cx *cx, CExpr *a, const char *field);   /* a.field */

void c_print(Text *text, const CExpr *expr);
