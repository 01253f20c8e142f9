/* Ast: construction, class and names of the node kinds, and the walker, all from ast.def. */
#include "frontend/syntax/ast.h"

#include <string.h>

static void grow_depth(const Ast *child, void *state) {
  Ast *parent = state;
  if (child->depth >= parent->depth) parent->depth = child->depth + 1;
}

const Ast *ast_new(Arena *a, const Ast *node, size_t n_bytes) {
  Ast *copy = arena_alloc(a, n_bytes);
  memcpy(copy, node, n_bytes);
  copy->depth = 1;
  ast_each_child(copy, grow_depth, copy);
  return copy;
}

AstClass ast_class(AstKind kind) {
  static const AstClass classes[AST_COUNT] = {
#define AST(ID, Type, name, class, fields) AST_##class,
#include "frontend/syntax/ast.def"
  };
  return classes[kind];
}

const char *ast_kind_name(AstKind kind) {
  static const char *const names[AST_COUNT] = {
#define AST(ID, Type, name, class, fields) #name,
#include "frontend/syntax/ast.def"
  };
  return names[kind];
}

/* Also while a program with syntax errors is read, whose missing parts are NULL. */
static void visit_one(const Ast *child, AstVisit *visit, void *state) {
  if (child) visit(child, state);
}

static void visit_list(const AstList *list, AstVisit *visit, void *state) {
  for (uint32_t i = 0; i < list->len; i++) visit_one(list->data[i], visit, state);
}

#define AST(ID, Type, name, class, fields)                                                         \
  static void visit_##name(const Ast##Type *node, AstVisit *visit, void *state) {                  \
    (void)node, (void)visit, (void)state;                                                          \
    fields                                                                                         \
  }
#define CHILD(field) visit_one(node->field, visit, state);
#define OPT(field) visit_one(node->field, visit, state);
#define LIST(field) visit_list(&node->field, visit, state);
#include "frontend/syntax/ast.def"

void ast_each_child(const Ast *node, AstVisit *visit, void *state) {
  switch (node->kind) {
#define AST(ID, Type, name, class, fields)                                                         \
  case AST_##ID:                                                                                   \
    visit_##name(ast_as_##name(node), visit, state);                                               \
    break;
#include "frontend/syntax/ast.def"
  case AST_COUNT: break;
  }
}

const Ident *ast_declared_name(const Ast *node) {
  switch (node->kind) {
  case AST_CONST: return &ast_as_const(node)->name;
  case AST_INPUT: return &ast_as_input(node)->name;
  case AST_FUNCTION: return &ast_as_function(node)->name;
  case AST_FIELD_FUN: return &ast_as_field_fun(node)->name;
  case AST_OFIELD_FUN: return &ast_as_ofield_fun(node)->name;
  case AST_PARAM: return &ast_as_param(node)->name;
  case AST_STATE: return &ast_as_state(node)->name;
  case AST_VAR: return &ast_as_var(node)->name;
  case AST_ITERATOR: return &ast_as_iterator(node)->name;
  case AST_STRAND: return &ast_as_strand(node)->name;
  default: return NULL; /* the others declare nothing */
  }
}
