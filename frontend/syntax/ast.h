/* Ast: the syntax tree, one shape for both versions of the language. ast.def lists the kinds of
 * nodes and their fields; structs, accessors, the walker and the printer come from it.
 *
 * Invariants: a tree is not changed once it is built; the span of a node is exactly its text (of a
 * parenthesised expression: the text inside the parentheses); children that are not optional in
 * ast.def are not NULL. A program with syntax errors has no tree, or one for editors
 * (parse_partly).
 * Made by grammar.y, read by check. Next: parse.h.
 */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>

#include "frontend/base/cx.h"
#include "frontend/base/vec.h"

typedef enum {
#define AST(ID, Type, name, class, fields) AST_##ID,
#include "frontend/syntax/ast.def"
  AST_COUNT
} AstKind;

typedef enum { AST_PART, AST_DECL, AST_STMT, AST_TYPE, AST_EXPR } AstClass;
typedef enum { AST_V1, AST_V2 } AstVersion;
typedef enum { METHOD_START, METHOD_UPDATE, METHOD_STABILIZE, METHOD_COUNT } AstMethodKind;

/* What all nodes begin with; ast_as_KIND gives the rest. */
typedef struct Ast {
  AstKind kind;
  uint32_t depth; /* 1 without children, else 1 + that of the deepest */
  Span span;
} Ast;

typedef VEC(const Ast *) AstList;

/* A name, keyword or operator where it stands. Operators have one spelling each (see ast.def). */
typedef struct Ident {
  const Name *name;
  Span span;
} Ident;

/* The maximal depth of a tree, so that functions on it may recurse. */
#define AST_MAX_DEPTH 2000

/* struct AstBinary { Ast head; const Ast *left; Ident op; const Ast *right; }; and so on */
#define AST(ID, Type, name, class, fields)                                                         \
  typedef struct Ast##Type {                                                                       \
    Ast head;                                                                                      \
    fields                                                                                         \
  } Ast##Type;
#define CHILD(field) const Ast *field;
#define OPT(field) const Ast *field;
#define LIST(field) AstList field;
#define IDENT(field) Ident field;
#define NAME(field) const Name *field;
#define CODE(type, field) type field;
#include "frontend/syntax/ast.def"

/* const AstBinary *ast_as_binary(const Ast *node): asserts the kind */
#define AST(ID, Type, name, class, fields)                                                         \
  static inline const Ast##Type *ast_as_##name(const Ast *node) {                                  \
    assert(node->kind == AST_##ID);                                                                \
    return (const Ast##Type *)node;                                                                \
  }
#include "frontend/syntax/ast.def"

enum {
#define AST(ID, Type, name, class, fields) AST_KIND_##Type = AST_##ID,
#include "frontend/syntax/ast.def"
};

/* AST_NEW(arena, Binary, span, left, op, right): a node from all its fields in the order of
 * ast.def. Sets the depth. */
#define AST_NEW(arena, Type, span_, ...)                                                           \
  ast_new((arena),                                                                                 \
          &(Ast##Type){{.kind = (AstKind)AST_KIND_##Type, .span = (span_)}, __VA_ARGS__}.head,     \
          sizeof(Ast##Type))
const Ast *ast_new(Arena *a, const Ast *node, size_t n_bytes); /* for AST_NEW */

AstClass ast_class(AstKind kind);
const char *ast_kind_name(AstKind kind); /* "binary" */

/* Calls visit for each child of the node, in source order; absent ones are skipped. */
typedef void AstVisit(const Ast *child, void *state);
void ast_each_child(const Ast *node, AstVisit *visit, void *state);

/* The name that a declaration declares; NULL: the node declares none. */
const Ident *ast_declared_name(const Ast *node);

/* Prints the tree, one node per line, as --dump=ast does; expressions fully bracketed. */
void ast_print(const Ast *node, FILE *out);
