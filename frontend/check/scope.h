/* Scope: names in lexical scopes, innermost first. Variables and user functions share the scopes;
 * basis functions, kernels and types are not in them.
 */
#pragma once

#include "frontend/base/map.h"
#include "frontend/base/nearest.h"
#include "frontend/tast/tast.h"

typedef struct Scope Scope;

/* Exactly one of var and fun is set; the strand's own entry has neither. */
typedef struct Symbol {
  const Name *name;
  Span span; /* of the name where it is declared */
  TVar *var;
  TFun *fun;
} Symbol;

Scope *scope_push(Arena *a, Scope *parent);            /* parent is NULL for the outermost */
Scope *scope_parent(const Scope *scope);               /* NULL of the outermost */
void scope_add(Arena *a, Scope *scope, Symbol symbol); /* replaces one of the same name */
const Symbol *scope_here(const Scope *scope, const Name *name); /* this scope alone; or NULL */
const Symbol *scope_find(const Scope *scope, const Name *name); /* innermost; or NULL */
uint32_t
scope_len(const Scope *scope); /* names of this scope, in the order of their declarations */
const Symbol *scope_at(const Scope *scope, uint32_t i);

/* Offer the names of a scope and of those around it. */
void nearest_offer_variables(Nearest *nearest, const Scope *scope);
void nearest_offer_functions(Nearest *nearest, const Scope *scope);
