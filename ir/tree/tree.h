/* Tree: the last level. Structured statements over named variables and nested expressions, still
 * independent of the target: one strand at a time (C), lanes with masks, or one strand per thread
 * (CUDA) are all emitted from it. Made by ir/low-to-tree, printed by tree_print.c, checked by
 * tree_verify.c. Expressions use the LOW ops of ir/core/ops.def.
 */
#pragma once

#include "ir/core/ir.h"

typedef struct TreeVar TreeVar;
typedef struct TreeExpr TreeExpr;
typedef struct TreeStmt TreeStmt;
typedef struct TreeFunc TreeFunc;
typedef VEC(TreeVar *) TreeVarVec;
typedef VEC(TreeExpr *) TreeExprVec;
typedef VEC(TreeStmt *) TreeStmtVec;
typedef VEC(TreeFunc *) TreeFuncVec;

struct TreeVar {
  const char *name; /* unique in its function, source-like: pos_x, grad_1, t3; a C identifier unless
                       the source name has primes or Greek letters, which are spelled out */
  const Type *ty;
  bool is_mutable; /* assigned after its declaration */
};

typedef enum { TX_VAR, TX_OP } TreeExprKind;

struct TreeExpr {
  TreeExprKind kind;
  const Type *ty;
  Span span;
  TreeVar *var; /* TX_VAR */
  OpId op;      /* TX_OP: a LOW op with at most one result */
  Attr attr;
  const TreeFunc *callee; /* TX_OP with OP_CALL */
  TreeExprVec args;
};

typedef enum {
  TT_DECLARE, /* var = expr; expr NULL: declared here, assigned below */
  TT_ASSIGN,  /* var = expr */
  TT_EFFECT,  /* expr: WRITE or IO op */
  TT_IF,      /* expr: body else else_body */
  TT_FOR,     /* var from expr to limit, both included: body */
  TT_FOR_IN,  /* var over the elements of expr: body */
  TT_LEAVE,   /* exit, values */
} TreeStmtKind;

struct TreeStmt {
  TreeStmtKind kind;
  Span span;
  TreeVar *var;
  TreeExpr *expr, *limit;
  TreeStmtVec body, else_body;
  ExitKind exit;
  /* TT_LEAVE: results of a function; for strand methods and creation one entry per component of
   * the state, NULL where the component keeps its value. */
  TreeExprVec values;
};

/* One scalar component of a state variable; the tables of parameters and values follow
 * TreeProgram.components. */
typedef struct StateComponent {
  uint32_t var;       /* into module->state */
  uint32_t component; /* row-major; 0 for int, bool and real */
} StateComponent;

struct TreeFunc {
  FuncKind kind;
  const char *name;
  Span span;
  /* FN_USER: its parameters, component by component. FN_CREATE: the iterators. Strand methods:
   * one per state component, NULL where the method does not read it. */
  TreeVarVec params;
  const Type *result; /* FN_USER with one scalar result; results of several components: n_results */
  uint32_t n_results;
  TreeStmtVec body;
};

typedef struct TreeProgram {
  const Module *module; /* LOW; tables of globals and state */
  StateComponent *components;
  uint32_t n_components;
  TreeFuncVec funcs; /* callees first */
} TreeProgram;

/* module is LOW. */
TreeProgram *tree_from_low(Cx *cx, const Module *module);
const char *tree_print(Cx *cx, const TreeProgram *program);
void tree_verify(Cx *cx, const TreeProgram *program); /* BUG on the first violation */
