/* Tree: the last level. Structured statements over named variables and nested expressions, still
 * independent of the target: one strand at a time (C), lanes with masks, or one strand per thread
 * (CUDA) are all emitted from it. Made by ir/low-to-tree, printed by tree_print.c, checked by
 * tree_verify.c. Expressions use the LOW ops of ir/op/ops.def.
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
  const char *name; /* unique in its function, source-like: pos_x, grad_1, t3; a C identifier, with
                       primes and Greek letters spelled out */
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
  TT_EFFECT,  /* expr: WRITE or IO op, or a call whose results are not used */
  TT_CALL,    /* vars = expr: call of a function with several results; declares vars (NULL for
                 a result that is not used); var names all results together, for targets that need
                 it */
  TT_IF,      /* expr: body else else_body */
  TT_FOR,     /* var from expr to limit, both included: body */
  TT_REDUCE,  /* vars[i] = reduction i over the values that values[columns[i]] has at the end of
                 body, for var from expr to limit, or, if both are NULL, for each strand var of a
                 set; declares these vars. Behind them are variables that only give names to
                 targets. Over a range: one per result, for the partial result. Over a set: for
                 the function that computes the values of strands and, if there are several
                 results, for the table of results, their values, and each column. The body
                 assigns only its own variables, and never leaves */
  TT_LEAVE,   /* exit, values */
} TreeStmtKind;

struct TreeStmt {
  TreeStmtKind kind;
  Span span;
  TreeVar *var;
  TreeVarVec vars;
  TreeExpr *expr, *limit;
  bool is_bounded;   /* TT_FOR, TT_REDUCE: the limit is known to be below the largest int */
  Reduce reduce;     /* TT_REDUCE */
  uint32_t *columns; /* of each result */
  TreeStmtVec body, else_body;
  ExitKind exit;
  /* TT_REDUCE: columns. TT_LEAVE: results of a function; parameters of a strand; for strand methods
   * and creation one entry per component of the state, NULL where the component keeps its value. */
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
  /* FN_USER, FN_CREATE: its parameters, component by component. FN_ARGS, FN_SAMPLING: the
   * iterators, NULL for one that is not read. Strand methods: one per state component, NULL for one
   * that is not read. */
  TreeVarVec params;
  const Type *result; /* FN_USER, FN_SAMPLING: the type of one component of its result */
  uint32_t n_results; /* FN_USER, FN_SAMPLING: components of its result */
  uint32_t image;     /* FN_SAMPLING: number of the global */
  ProbeGroup group;   /* FN_SAMPLING */
  TreeStmtVec body;
};

/* Spellings of a global or state variable. */
typedef struct TreeName {
  const char *field; /* identifier, unique among the globals or the state */
  const char *shown; /* the source name in ASCII, for options and files */
} TreeName;

typedef struct TreeProgram {
  const Module *module; /* LOW; tables of globals and state */
  const char *strand;   /* identifier */
  TreeName *globals;    /* one per global of the module */
  TreeName *state;      /* one per state variable */
  StateComponent *components;
  uint32_t n_components;
  uint32_t n_params; /* components of the strand's parameters */
  TreeFuncVec funcs; /* callees first */
} TreeProgram;

/* The variables declared outside that the body of a TT_REDUCE reads, in the order of the reads. */
TreeVarVec tree_free_vars(Cx *cx, const TreeStmt *reduce);

/* Number of scalar components of a value, and their type. A sequence, an image or a string counts
 * as one. */
uint32_t tree_component_count(const Type *ty);
const Type *tree_component_type(Cx *cx, const Type *ty);

TreeExpr *tree_var_expr(Cx *cx, TreeVar *var, Span span);
TreeStmt *tree_stmt(Cx *cx, TreeStmtKind kind, Span span);
bool tree_reads(const TreeExpr *expr, const TreeVar *var);
bool tree_stmts_read(const TreeStmtVec *stmts, const TreeVar *var);
bool tree_always_leaves(const TreeStmtVec *stmts); /* control does not reach their end */
/* The exits from a function in statements, also within branches and loops: a set of 1 << ExitKind.
 * The statement `but`, if any, does not count. */
uint32_t tree_exits(const TreeStmtVec *stmts, const TreeStmt *but);
/* Reads globals or calls: stays between effects. */
bool tree_is_read(const TreeExpr *expr);
/* Whether it is the address of samples under a kernel, which may be copied as reals. */
bool tree_may_copy(const TreeExpr *expr);

/* A condition without which a round of the TT_FOR does nothing, and no later one does; NULL: there
 * is none, or it costs too much to ask. */
const TreeExpr *tree_goes_on(Cx *cx, const TreeStmt *loop);

/* module is LOW. */
TreeProgram *tree_from_low(Cx *cx, const Module *module);
const char *tree_print(Cx *cx, const TreeProgram *program);
void tree_verify(Cx *cx, const TreeProgram *program); /* BUG on the first violation */
