/* What the files of from_tast share.
 *
 *   from_tast.c          entry: tables of the module, one Func per part of the program
 *   from_tast_create.c   the initial strands
 *   from_tast_stmt.c     statements, and the construction of SSA form
 *   from_tast_expr.c     expressions
 *   from_tast_choice.c   conditional expressions
 *   from_tast_builtin.c  rows of builtins.def
 *   from_tast_seq.c      sequences, and what loops run over
 *   from_tast_fold.c     reductions
 *   from_tast_strand.c   other strands: queries, their state
 *   from_tast_var.c      variables, and definitions that are expanded at each use
 *   from_tast_call.c     calls of user functions
 *   from_tast_conditional.c   one of two fields, kernels or images
 *   from_tast_early.c    returns from loops of functions that are expanded
 *   from_tast_trace.c    records of the values that the source computes
 *   tast_walk.c          questions about the typed tree
 */
#pragma once

#include "frontend/base/map.h"
#include "frontend/base/panic.h"
#include "frontend/tast/tast.h"
#include "ir/core/build.h"
#include "ir/ein/ein.h"

/* ---- the program ----------------------------------------------------------------------------- */

typedef struct Unit {
  Cx *cx;
  const TProgram *program;
  Module *module;
  Map *globals;         /* TVar -> its index in module->globals, as uint32_t */
  Map *funcs;           /* TFun -> Func, those called so far */
  Map *quiet_funcs;     /* the same, of calls where nothing is recorded */
  Map *unchecked_funcs; /* the same, of calls that may not be chosen */
  TVarVec state;        /* the variable behind each entry of module->state */
  uint32_t *sources;    /* of the creation, by iterator: global that holds the sequence, if it is no
                           range */
} Unit;

/* Index of the image or sequence that the program names by file; one global however often it is
 * named. */
uint32_t unit_load(Unit *unit, const Name *name, const TExpr *load);
/* Index of a new global for the value of expr, with a name like the one given. */
uint32_t unit_hidden_global(Unit *unit, const Name *name, const TExpr *expr);

/* ---- one function ---------------------------------------------------------------------------- */

/* Every variable of the source has a slot, which holds its value at the builder's point; NULL while
 * it is unset. */
typedef struct Body {
  Unit *unit;
  Cx *cx;
  Builder b;
  bool is_open; /* can control reach the builder's point */
  Map *slots;   /* TVar -> uint32_t */
  ValueVec values;
  Map *eithers;     /* Value that is no instruction -> Either */
  Value *position;  /* the field that stands for the position, in a field function; else NULL */
  uint32_t n_quiet; /* above 0: nothing is recorded */
} Body;

Body body_new(Unit *unit, Func *fn);
/* The body of a new function of the module. */
Body unit_begin(Unit *unit, FuncKind kind, const char *name, Span span);
void body_enter(Body *body, Block *blk); /* go on at the end of blk */
void body_set(Body *body, const TVar *var, Value *value);
Value *body_get(Body *body, const TVar *var); /* BUG when unset */
Value **body_values(const Body *body);        /* copy of all slots */
/* Back to such a copy; variables that came later are unset. */
void body_restore(Body *body, Value *const *values, uint32_t n_values);

/* from_tast_create.c */
void lower_sources(Body *body); /* at the end of FN_GLOBALS */
void lower_bounds(Unit *unit);
void lower_args(Unit *unit);
void lower_create(Unit *unit);

/* from_tast_stmt.c */
void lower_stmt(Body *body, const TStmt *stmt);
/* End of a function or method with the given exit. */
void lower_leave(Body *body, ExitKind kind, Span span);

/* from_tast_expr.c */
Value *lower_expr(Body *body, const TExpr *expr);
Value *lower_const(Body *body, const Const *value);

/* from_tast_choice.c */
Value *lower_cond(Body *body, const TExpr *expr);
Value *lower_logic(Body *body, const TExpr *expr);
/* The result of a comparison or logical op if an operand depends on the position: a field, 1 where
 * it is true. NULL for ops without a bool result. */
Value *lower_truth(Body *body, OpId op, Value *const *args);

/* from_tast_builtin.c */
Value *lower_builtin(Body *body, const TExpr *expr);

/* from_tast_seq.c */
Value *lower_seq(Body *body, const TExpr *expr); /* TE_SEQ, TE_MAP, TE_RANGE, TE_INDEX */
/* The conversions of type_coerces; a field stays as it is. */
Value *coerce_value(Body *body, Value *value, const Type *ty);
Value *build_seq(Body *body, const Type *ty, Value *const *elems, uint32_t n_elems);
Value *build_element(Body *body, Value *seq, Value *index);
Value *build_length(Body *body, Value *seq);

/* What a loop runs over: the ints lo..hi, each of which gives an element of source; in a reduction
 * perhaps a set of strands, each of which does. */
typedef struct Domain {
  const TExpr *source;
  const TExpr *base; /* source, or the innermost source of comprehensions and conversions */
  Value *lo, *hi;    /* NULL for a set */
  Value *seq; /* value of base; NULL when it is a range or a set of strands, which are not made */
} Domain;

Domain domain_open(Body *body, const TExpr *source);
/* For a loop that cannot change what the elements depend on: comprehensions are not stored, their
 * elements are computed when they are used. */
Domain domain_open_lazy(Body *body, const TExpr *source);
const TExpr *domain_base(const TExpr *source); /* of the lazy one */
Value *domain_element(Body *body, const Domain *domain, Value *index);

/* A loop inside an expression, with one carried value. */
typedef struct Loop {
  const Domain *domain;
  Builder head;
  Block *body;
  Value *index, *initial;
} Loop;

/* from_tast_strand.c */
Value *lower_sphere(Body *body, const TExpr *expr, Value *const *args, uint32_t n_args);
Value *lower_select(Body *body, const TExpr *expr); /* TE_SELECT */

/* from_tast_fold.c */
Value *lower_fold(Body *body, const TExpr *expr);

/* from_tast_var.c */
Value *lower_var(Body *body, const TVar *var);
/* The constant field with the value of a tensor, over the domain of another field. */
Value *constant_field(Body *body, Value *tensor, Value *field);
/* F at a position. In a field function the position may itself be a field: then F o position. */
Value *lower_probe(Body *body, Value *field, Value *pos);
/* The field that has the value of the expression at param. */
Value *lower_formula(Body *body, const TVar *param, const TExpr *formula);

/* from_tast_call.c */
void lower_params(Body *body, const TVarVec *params); /* of the function, recorded */
Value *lower_call(Body *body, const TExpr *expr);

/* from_tast_conditional.c */
/* A kernel or an image that a condition chooses. */
typedef struct Either {
  Value *cond, *first, *second;
} Either;

const Either *find_either(const Body *body, const Value *value); /* NULL: it is just a value */
/* The first when the condition holds, else the second; of any type. */
Value *build_either(Body *body, Value *cond, Value *first, Value *second);
/* One abstract value of the two that the arms of a branch end with. Ends both arms with a jump to
 * the merge block, enters it and gives it the parameters that it needs. The blocks of the arms are
 * those from first_block on. */
Value *meet_abstract(Body *body, Value *cond, Value *const *values, Builder *ends, Block *merge,
                     uint32_t first_block);

/* from_tast_early.c */
/* The loop or branch without returns inside, and a statement behind it that may return. */
TStmtVec without_early_return(Body *body, const TStmt *stmt, const Type *result);

/* from_tast_trace.c, with --trace only; record_exit is in from_tast_stmt.c */
void record_exit(Body *body, ExitKind kind, Span span);
bool is_recorded(const Body *body); /* whether the current code is recorded */
void record_values(Body *body, TraceKind kind, const char *name, Span span, Value *const *values,
                   uint32_t n_values);
void record_var(Body *body, const TVar *var, Span span, Value *value); /* value may be NULL */
void record_branch(Body *body, const TExpr *expr, Value *condition);
void record_probe(Body *body, TraceKind kind, const TExpr *expr, const TExpr *field, Value *pos,
                  Value *result);
void record_inputs(Body *body);

/* ---- tast_walk.c ----------------------------------------------------------------------------- */

typedef void VarFn(void *context, const TVar *var);

void stmt_each_assigned(const TStmt *stmt, VarFn *visit, void *context);
void stmt_each_read(const TStmt *stmt, VarFn *visit, void *context);
bool stmt_has_return(const TStmt *stmt);
bool stmt_ends(const TStmt *stmt); /* every way through it returns; NULL: nothing does */
bool fun_prints(const TFun *fun);  /* or a function it calls */
bool expr_prints(const TExpr *expr);
/* Whether an expression is pure and so cheap that a branch around it would cost more. */
bool expr_is_cheap(const TExpr *expr);
bool expr_may_divide_by_zero(const TExpr *expr); /* quotients and remainders of ints */

/* ---- values and Einstein expressions (value.c) ----------------------------------------------- */

bool value_is(const Value *value, TypeKind kind);
/* The comparison of choose_lt and the like; OP_COUNT for other ops. */
OpId choice_comparison(OpId op);
bool type_is_abstract(
    const Type *ty); /* image, kernel, field: defined once, never chosen between */
void value_set_name(Value *value, const Name *name); /* unless it has one */
/* Body: the first n_idx index variables, in order, index the parameter. */
const EinExpr *ein_param_all(Cx *cx, uint32_t param, uint32_t n_idx);
bool ein_is_identity(const Ein *ein);
const Ein *ein_new(Cx *cx, Shape shape, uint32_t n_params, const EinExpr *body);
Value *build_zero(Builder *b, const Type *ty);    /* tensor */
Value *build_default(Builder *b, const Type *ty); /* some value of a value type */
