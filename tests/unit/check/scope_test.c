/* Names in nested scopes, and the near names of suggestions. */
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

static void distance_counts_edits(void) {
  CHECK_EQ(edit_distance("", ""), 0);
  CHECK_EQ(edit_distance("abc", "abc"), 0);
  CHECK_EQ(edit_distance("abc", "abd"), 1);
  CHECK_EQ(edit_distance("abc", "ab"), 1);
  CHECK_EQ(edit_distance("", "abc"), 3);
  CHECK_EQ(edit_distance("kitten", "sitting"), 3);
  CHECK_EQ(edit_distance("pso", "pos"), 1); /* neighbours exchanged */
  CHECK_EQ(edit_distance("udpate", "update"), 1);
  CHECK_EQ(edit_distance("abcd", "badc"), 2);
}

static void nearest_is_close_or_absent(void) {
  Cx *cx = cx_new();
  Scope *scope = scope_push(cx->arena, NULL);
  scope_add(cx->arena, scope, symbol_of(cx, "width"));
  scope_add(cx->arena, scope, symbol_of(cx, "height"));
  Nearest near = nearest_to(name_from(cx->names, "heigth"));
  nearest_offer_variables(&near, scope);
  CHECK_STR(near.best, "height");
  Nearest far = nearest_to(name_from(cx->names, "colour"));
  nearest_offer_variables(&far, scope);
  CHECK(far.best == NULL);
  Nearest functions = nearest_to(name_from(cx->names, "heigth"));
  nearest_offer_functions(&functions, scope);
  CHECK(functions.best == NULL);
  Nearest one_letter = nearest_to(name_from(cx->names, "w"));
  nearest_offer(&one_letter, "v");
  CHECK(one_letter.best == NULL);
  cx_free(cx);
}

int main(void) {
  RUN(inner_names_hide_outer_ones);
  RUN(distance_counts_edits);
  RUN(nearest_is_close_or_absent);
  return test_result();
}
