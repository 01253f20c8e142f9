/* Record: what the checker finds out about names, expressions and scopes, in the order in which it
 * does, for the language server. It is filled as far as checking gets, even if there are mistakes,
 * and lives as long as the Cx.
 */
#pragma once

#include "frontend/check/scope.h"
#include "frontend/tast/tast.h"

/* A use of a name. One of the five pointers says what it means. */
typedef struct NameUse {
  Span span;
  const TVar *var;
  const TFun *fun;
  const Name *strand;
  const Kernel *kernel;
  const char *builtin; /* its name in builtins.def or calls.def */
  bool is_declaration;
} NameUse;

/* The type of an expression. The same expression may be recorded twice. */
typedef struct TypedExpr {
  Span span; /* of its node */
  const TExpr *expr;
} TypedExpr;

/* An implicit conversion of an expression to another type. */
typedef struct Conversion {
  Span span;
  const Type *from, *to;
  bool is_literal;
} Conversion;

/* The part of the program where the names of a scope may be used, behind their declarations. */
typedef struct ScopeRange {
  Span span;
  const Scope *scope;
} ScopeRange;

typedef struct Record {
  VEC(NameUse) names;
  VEC(TypedExpr) exprs;
  VEC(Conversion) conversions;
  VEC(ScopeRange) scopes; /* outer ones before inner ones */
} Record;
