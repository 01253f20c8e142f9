/* Unify: common and expected types. Programs are monomorphic, so all that remains of unification is
 * the common type of two expressions (doc/language.md, "Conversions and overloads"), and passing an
 * expected type down to loads and {}, which have no type of their own.
 */
#pragma once

#include "frontend/syntax/ast.h"
#include "frontend/tast/tast.h"

/* The type both convert to, if it is one of the two; else NULL. */
const Type *type_common(const Type *a, const Type *b);

/* Whether the expression has no type of its own: a load or {}. */
bool needs_context(const Ast *node);

/* The expected type of operand idx of a builtin whose result should be want; NULL: unknown. A guess
 * that only affects loads and {}, so it need not fit. */
const Type *expected_operand(Cx *cx, const char *builtin, uint32_t idx, const Type *want);
/* The expected type of an operand whose other operand has type `other`. */
const Type *expected_beside(Cx *cx, const char *builtin, const Type *other);
