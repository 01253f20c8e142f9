/* Scopes as a chain of maps. */
#include "frontend/check/scope.h"

struct Scope {
  Scope *parent;
  Map *symbols;
};

Scope *scope_push(Arena *a, Scope *parent) {
  Scope *scope = NEW(a, Scope);
  scope->parent = parent;
  scope->symbols = map_new(a);
  return scope;
}

Scope *scope_parent(const Scope *scope) { return scope->parent; }

void scope_add(Arena *a, Scope *scope, Symbol symbol) {
  Symbol *kept = NEW(a, Symbol);
  *kept = symbol;
  map_put(scope->symbols, symbol.name, kept);
}

const Symbol *scope_here(const Scope *scope, const Name *name) {
  return map_get(scope->symbols, name);
}

const Symbol *scope_find(const Scope *scope, const Name *name) {
  for (; scope; scope = scope->parent) {
    const Symbol *symbol = map_get(scope->symbols, name);
    if (symbol) return symbol;
  }
  return NULL;
}

uint32_t scope_len(const Scope *scope) { return map_len(scope->symbols); }
const Symbol *scope_at(const Scope *scope, uint32_t i) { return map_value(scope->symbols, i); }

typedef enum { OFFER_VARIABLES, OFFER_FUNCTIONS } Offered;

static void offer_symbols(Nearest *nearest, const Scope *scope, Offered offered) {
  for (; scope; scope = scope->parent)
    for (uint32_t i = 0; i < map_len(scope->symbols); i++) {
      const Symbol *symbol = map_value(scope->symbols, i);
      if (offered == OFFER_FUNCTIONS ? symbol->fun != NULL : symbol->var != NULL)
        nearest_offer(nearest, symbol->name->text);
    }
}

void nearest_offer_variables(Nearest *nearest, const Scope *scope) {
  offer_symbols(nearest, scope, OFFER_VARIABLES);
}

void nearest_offer_functions(Nearest *nearest, const Scope *scope) {
  offer_symbols(nearest, scope, OFFER_FUNCTIONS);
}
