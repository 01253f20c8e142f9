/* Names in nested scopes, and which of them are suggested. */
#include "frontend/check/scope.h"

#include "frontend/base/cx.h"
#include "tests/unit/test.h"

static Symbol symbol_of(Cx *cx, const char *text) {
  TVar *var = NEW(cx->arena, TVar);
  return (Symbol){.name = name_from(cx->names, text), .var = var};
}

static void inner_names_hide_outer_ones(void) {
  Cx *cx = cx_new();
  const Name *x = name_from(cx->names, "x"), *y = name_from(cx->names, "y");
  Scope *outer = scope_push(cx->arena, NULL), *inner = scope_push(cx->arena, outer);
  Symbol outer_x = symbol_of(cx, "x"), inner_x = symbol_of(cx, "x");
  scope_add(cx->arena, outer, outer_x);
  CHECK(scope_find(inner, x)->var == outer_x.var);
  CHECK(scope_here(inner, x) == NULL);
  scope_add(cx->arena, inner, inner_x);
  CHECK(scope_find(inner, x)->var == inner_x.var);
  CHECK(scope_find(outer, x)->var == outer_x.var);
  CHECK(scope_find(inner, y) == NULL);
  CHECK(scope_parent(inner) == outer);
  cx_free(cx);
}

static void nearest_names_are_of_one_sort(void) {
  Cx *cx = cx_new();
  Scope *scope = scope_push(cx->arena, NULL);
  scope_add(cx->arena, scope, symbol_of(cx, "width"));
  scope_add(cx->arena, scope_push(cx->arena, scope), symbol_of(cx, "weight"));
  scope_add(cx->arena, scope, symbol_of(cx, "height"));
  Nearest variables = nearest_to(name_from(cx->names, "heigth"));
  nearest_offer_variables(&variables, scope);
  CHECK_STR(variables.best, "height");
  Nearest functions = nearest_to(name_from(cx->names, "heigth"));
  nearest_offer_functions(&functions, scope);
  CHECK(functions.best == NULL);
  cx_free(cx);
}

int main(void) {
  RUN(inner_names_hide_outer_ones);
  RUN(nearest_names_are_of_one_sort);
  return test_result();
}
