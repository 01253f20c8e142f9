/* Unify: where types meet. Programs are monomorphic, so all that is left of unification is the
 * common type of two expressions (doc/language.md, "Conversions and overloads"), and passing the
 * type a place asks for down to the loads and {} that have none of their own.
 */
#pragma once

#include "frontend/syntax/ast.h"
#include "frontend/tast/tast.h"

/* The type both convert to, if it is one of the two; else NULL. */
const Type *type_common(const Type *a, const Type *b);

/* The expression has no type of its own: a load or {}. */
bool needs_context(const Ast *node);

/* The type that operand idx of a builtin should have for the result to be want; NULL when want does
 * not say. A guess that only loads and {} follow: it need not fit. */
const Type *expected_operand(Cx *cx, const char *builtin, uint32_t idx, const Type *want);
/* The type the operand beside one of type other should have. */
const Type *expected_beside(Cx *cx, const char *builtin, const Type *other);
