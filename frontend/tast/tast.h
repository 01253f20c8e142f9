/* Typed tree: the result of the checker. Every expression has its type, every overload is resolved
 * to a row of builtins.def with its bindings, every implicit conversion is a node, every constant
 * is a value. No later stage reports a user's mistake.
 *
 * Next: ir/high/from_tast.c. Printed by tast_print.c (--dump=tast).
 */
#pragma once

#include "frontend/base/vec.h"
#include "frontend/lang/builtin.h"
#include "frontend/lang/constant.h"
#include "frontend/lang/kernel.h"

typedef struct TExpr TExpr;
typedef struct TStmt TStmt;
typedef struct TVar TVar;
typedef struct TFun TFun;
typedef VEC(TExpr *) TExprVec;
typedef VEC(TStmt *) TStmtVec;
typedef VEC(TVar *) TVarVec;
typedef VEC(TFun *) TFunVec;

/* ---- variables ------------------------------------------------------------------------------ */

typedef enum {
  TV_CONST,     /* value */
  TV_INPUT,     /* input */
  TV_GLOBAL,    /* init or NULL */
  TV_FIELD_FUN, /* fun_param, init: the body over fun_param */
  TV_FUN_PARAM,
  TV_STRAND_PARAM,
  TV_STATE, /* init or NULL */
  TV_LOCAL,
  TV_ITER, /* of foreach, comprehension, creation */
} TVarKind;

typedef struct TInput {
  const char *description; /* NULL when there is none */
  Const *value;            /* default, else NULL */
  TExpr *load;             /* default that is a load: TE_LOAD_IMAGE or TE_LOAD_SEQ, else NULL */
} TInput;

struct TVar {
  TVarKind kind;
  const Name *name;
  const Type *ty;
  Span span;      /* of the name in its declaration */
  uint32_t index; /* position among the variables of its table: inputs, globals, state, params */
  TExpr *init;
  Const *value;
  TInput *input;
  TVar *fun_param;
  const TVarVec *variables; /* global field of several variables: these, else NULL */
  TFun *fun;          /* field by a formula with a reduction: the function of its value, or NULL */
  bool is_fixed;      /* parameter of a formula: it does not move with the position */
  uint32_t depth;     /* field: nesting of its expression, and of the fields that it builds on */
  uint32_t image_dim; /* parameter, a kernel: dimension of the images that it is used for; 0: not
                       * known */
  bool is_output;     /* state */
  bool is_varying;    /* state: assigned after the strand's initialisation */
  bool is_shared;     /* state: read through another strand by strand code (or pos with queries) */
  bool is_set_globally; /* input, global: assigned in a global block */
  bool is_made;         /* local: made by the compiler, not in the source */
};

struct TFun {
  const Name *name;
  const Type *result;
  TVarVec params;
  TStmt *body; /* a block; an expression body is a block with one return */
  Span span;
};

/* ---- expressions ---------------------------------------------------------------------------- */

typedef enum {
  TE_CONST,   /* value */
  TE_VAR,     /* var */
  TE_KERNEL,  /* kernel; ty carries the claimed continuity (h#k) */
  TE_BUILTIN, /* builtin, bindings, args */
  TE_CALL,    /* fun, args */
  TE_PROBE,   /* args[0] field, args[1] position; args[2 + i] is the value of params[i] in the field
               */
  TE_FORMULA, /* the field that has the value args[0] at params; one where a field is probed */
  TE_COERCE,  /* args[0] to ty: int to real, real seq elements, seq to dynamic, weaker field */
  TE_TENSOR,  /* args: components stacked along a new first axis; tensors or fields */
  TE_SEQ,     /* args: elements */
  TE_MAP,     /* { args[0] | var in args[1] } */
  TE_RANGE,   /* args[0] .. args[1] */
  TE_COND,    /* args[0] condition, args[1] then, args[2] else; one of them is evaluated */
  TE_AND,
  TE_OR,         /* args[0], args[1]; short-circuit */
  TE_INDEX,      /* args[0] sequence, args[1] index */
  TE_SLICE,      /* args[0] tensor or field; axes; args[1...] the indices of SLICE_AT, in order */
  TE_SELECT,     /* args[0] strand reference, var: state variable */
  TE_STRAND_SET, /* set */
  TE_LOAD_IMAGE, /* load */
  TE_LOAD_SEQ,   /* load */
} TExprKind;

typedef enum { SET_ALL, SET_ACTIVE, SET_STABLE } StrandSet;

#define SLICE_ALL UINT32_MAX      /* axis kept (:) */
#define SLICE_AT (UINT32_MAX - 1) /* index known at run time; tensors only */

struct TExpr {
  TExprKind kind;
  const Type *ty;
  Span span;
  TExprVec args;
  union {
    Const *value;
    TVar *var;
    TVarVec params;
    const Kernel *kernel;
    struct {
      const Builtin *row;
      Bindings *bindings;
    } builtin;
    TFun *fun;
    StrandSet set;
    struct {
      const char *file;
      SampleType samples; /* TE_LOAD_IMAGE: how the image keeps them */
    } load;
    uint32_t axes[MAX_ORDER]; /* per axis of args[0]: constant index, SLICE_ALL or SLICE_AT */
  } u;
};

/* ---- statements ----------------------------------------------------------------------------- */

typedef enum {
  TS_BLOCK,   /* body */
  TS_LOCAL,   /* var; expr: initial value or NULL */
  TS_ASSIGN,  /* var, expr (x op= e is expanded; op stays visible only in the span) */
  TS_IF,      /* expr, then_stmt, else_stmt or NULL */
  TS_FOREACH, /* var in expr: then_stmt */
  TS_PRINT,   /* args */
  TS_NEW,     /* args */
  TS_RETURN,  /* expr */
  TS_STABILIZE,
  TS_DIE,
  TS_CONTINUE,
} TStmtKind;

struct TStmt {
  TStmtKind kind;
  Span span;
  TStmtVec body;
  TVar *var;
  TExpr *expr;
  TExprVec args;
  TStmt *then_stmt, *else_stmt;
};

/* ---- program -------------------------------------------------------------------------------- */

typedef struct TStrand {
  const Name *name;
  TVarVec params;
  TVarVec state;                                  /* in declaration order, outputs included */
  TStmt *initialize, *start, *update, *stabilize; /* blocks; NULL when absent, update never is */
  Span span;
} TStrand;

typedef struct TCreation {
  bool is_collection;
  TExprVec args; /* of the strand, coerced to the types of its parameters */
  TVarVec iters; /* slowest first */
  TExprVec sources;
  Span span;
} TCreation;

typedef struct TProgram {
  uint32_t version_major, version_minor;
  TVarVec consts, inputs;
  TVarVec globals; /* TV_GLOBAL and TV_FIELD_FUN in declaration order */
  TFunVec functions;
  TStmt *initialize, *start, *update; /* global blocks; NULL when absent */
  TStrand *strand;
  TCreation *creation;
  bool uses_new, uses_die, uses_stabilize_all, uses_die_all;
  bool uses_queries, uses_strand_sets, uses_counts; /* counts: numActive() etc. in strand code */
} TProgram;

TExpr *texpr_new(Arena *a, TExprKind kind, const Type *ty, Span span);
TStmt *tstmt_new(Arena *a, TStmtKind kind, Span span);
/* Checks the invariants; a violation is a BUG. */
void tast_verify(Cx *cx, const TProgram *program);
/* The tree as text, a construct per line, with the type of every expression. */
const char *tast_print(Cx *cx, const TProgram *program);

const char *tvar_kind_text(const TVar *var); /* "state variable": what users call it */
