/* Record: what the checker finds out about names, expressions and scopes, in the order in which it
 * does, for who answers questions about a program while it is written. It is filled as far as
 * checking goes, also when there are mistakes, and lives as long as the Cx.
 */
#pragma once

#include "frontend/check/scope.h"
#include "frontend/tast/tast.h"

/* A name where it stands. One of the five says what it means. */
typedef struct NameUse {
  Span span;
  const TVar *var;
  const TFun *fun;
  const Name *strand;
  const Kernel *kernel;
  const char *builtin; /* its name in builtins.def or calls.def */
  bool is_declaration;
} NameUse;

/* The same expression may come again, when a place is looked at twice. */
typedef struct TypedExpr {
  Span span; /* of its node */
  const TExpr *expr;
} TypedExpr;

/* An expression that nobody converts in writing becomes one of another type. */
typedef struct Conversion {
  Span span;
  const Type *from, *to;
  bool is_literal;
} Conversion;

/* Where the names of a scope may be used, behind their declarations. */
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
