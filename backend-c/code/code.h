/* Code: the functions of a program in C, for whoever puts them in a file: program.c for the host,
 * backend-cuda/emit_device.c for devices; and for those who execute strands in another way
 * (execution.h).
 */
#pragma once

#include "backend-c/code/execution.h"

/* What a function takes beside its own parameters, because it or its callees use it. */
enum {
  NEED_GLOBALS = 1 << 0,
  NEED_WORLD = 1 << 1,
  NEED_TEXT = 1 << 2,
  NEED_POOL = 1 << 3,
  NEED_BLOCK = 1 << 4,
  NEED_STATES = 1 << 5,  /* of all strands, by slot */
  NEED_SLOT = 1 << 6,    /* the strand's own */
  NEED_SAMPLES = 1 << 7, /* of fields on the grid of strands */
  NEED_REDUCE = 1 << 8,  /* from here on no parameters: what a program has to do with */
  NEED_STRINGS = 1 << 9,
  NEED_EIGEN = 1 << 10,
  NEED_COUNTS = 1 << 11,
  NEED_QUERIES = 1 << 12,
  NEED_BIRTHS = 1 << 13,
  NEED_STABILIZE_ALL = 1 << 14,
  NEED_WINDOW = 1 << 15,
  NEED_WIDE_ROWS = 1 << 16, /* rows of six, whose loads read eight */
  NEED_CHECKS = 1 << 17,
  NEED_TAPS = 1 << 18 /* samples of images */
};

/* needs.c */
void gen_survey(Gen *gen);
uint32_t gen_needs(const Gen *gen, const TreeFunc *fn);
void gen_add_needs(Gen *gen, const TreeFunc *fn, uint32_t more); /* once the survey has been made */
uint32_t gen_update_needs(const Gen *gen);               /* of start, update and stabilize */
bool gen_needs_anywhere(const Gen *gen, uint32_t needs); /* one of them */
bool gen_is_lockstep(const Gen *gen); /* can the program tell its supersteps apart? */
bool gen_is_dual(const Gen *gen);     /* do strands read what others may be changing? */

/* functions.c */
void gen_body(Gen *gen, const TreeFunc *fn);
void gen_func(Gen *gen, const TreeFunc *fn);       /* user functions and strand methods */
typedef enum { IN_FUNCTION, IN_BLOCK } GenContext; /* of the program, or a block function */
/* Arguments for what fn needs. */
void gen_context_args(Gen *gen, const TreeFunc *fn, GenContext place, CExprVec *args);
void gen_context_of(Gen *gen, uint32_t needs, GenContext place, CExprVec *args);
void gen_context_params(Gen *gen, StatesSeen seen, uint32_t needs, CFunc *head);

/* neighbours.c: the states of others, and queries by FN1 to FN3. */
CExpr *gen_strand_op(Gen *gen, const TreeExpr *expr, const char *fn);

/* reductions.c: reductions over sets of strands that devices can do, by number, from 1; and whose
 * body they are in. */
typedef struct GenReduction {
  const TreeFunc *fn;
  const TreeStmt *reduce;
} GenReduction;
typedef VEC(GenReduction) GenReductionVec;
GenReductionVec gen_set_reductions(Gen *gen);
/* What the host hands to the function of one, and its beginning: what the body finds by name. */
CParamVec gen_reduction_context(Gen *gen, const TreeStmt *reduce);
const char *gen_column_name(const TreeStmt *reduce, uint32_t column);
void gen_context_struct(Gen *gen, const char *tag, const CParamVec *context);
uint32_t gen_body_needs(const Gen *gen, const TreeStmt *reduce); /* of its body alone */

/* One of the results of a reduction, by its number. */
typedef struct GenResult {
  Reduction kind;
  const TreeVar *var, *gathered; /* the latter for a range */
  const TreeExpr *value;
  uint32_t column;
} GenResult;
GenResult gen_result(const TreeStmt *reduce, uint32_t i);
/* Sums and products of reals, and what begins with a sum: on the tree. */
bool gen_is_on_tree(const GenResult *result);
CExpr *gen_none(Gen *gen, const GenResult *result); /* of no values; not on the tree */
/* What combines two values that are not on the tree: the function behind the prefix ddr_, or ddr_v
 * in lanes; NULL: an operator, since they are truth values. */
const char *gen_combiner(const Gen *gen, const GenResult *result);
const char *gen_reduction_name(Reduction reduction);

void gen_stmts(Gen *gen, const TreeStmtVec *stmts); /* the walker */
void gen_declare(Gen *gen, const char *type, const TreeVar *var, const CExpr *init);
void gen_store_values(Gen *gen, const TreeStmt *leave); /* of the state */
CExpr *gen_expr(Gen *gen, const TreeExpr *expr);
uint32_t gen_op_cost(OpId op); /* what one strand pays, in additions, about: in c_ops.def */
CExpr *gen_fixed_seq(Gen *gen, const Type *ty, CExprVec parts); /* of all its scalars */
/* OP_SEQ_INDEX of a fixed one: number of the scalar among all. */
CExpr *gen_place_in_fixed(Gen *gen, const TreeExpr *expr);
const char *gen_row_loader(Gen *gen, const TreeExpr *load); /* the macro of ddr/row_load.h */

/* sequence_owner.c: who keeps dynamic sequences. */
bool gen_owns_seqs(const Gen *gen, FuncKind kind); /* the state of FN_UPDATE, or FN_GLOBALS */
bool gen_uses_pool(const Gen *gen);                /* any function of the strands, or their state */
/* In a block function, around the methods of the strand at self. */
void gen_lend(Gen *gen, CExpr *self);
void gen_keep(Gen *gen, CExpr *self);
void gen_close_pool(Gen *gen);
/* Of a strand that shares the pool with others, which go on; in a function. */
void gen_enter(Gen *gen, CExpr *self);
void gen_keep_and_leave(Gen *gen, CExpr *self);

/* blocks.c: block functions. */
void gen_open_block_function(Gen *gen, CFunc *head, uint32_t needs);
/* Whether the creation reads any of its iterators. */
bool gen_has_iterators(const TreeFunc *fn);
/* Those that are read, from `slot` and the `strands` there are. */
void gen_declare_iterators(Gen *gen, const TreeFunc *fn);
void gen_create_strand(Gen *gen, const TreeStmt *args, CExpr *self); /* the end of FN_ARGS */
/* The strand in `self` runs a method, which says in `now` what becomes of it. */
void gen_run_method(Gen *gen, const TreeFunc *fn);
CExpr *gen_is_now(Gen *gen, const char *status);
/* Its methods in their order: start where the strand of that status is new, updates as the caller
 * has them, stabilize where it became stable. */
typedef void GenUpdates(Gen *gen);
void gen_run_methods(Gen *gen, CExpr *status, GenUpdates *run_updates);
bool gen_has_stabilize(const Gen *gen); /* for a global stabilize */
/* The block function that updates one strand at a time. */
void gen_update_alone(Gen *gen, const char *name_of_it);

/* profile.c: before what stands in the line of the span; marks it, with --profile. */
void gen_source(Gen *gen, Span span);
void gen_profile_function(Gen *gen);             /* at the beginning of one */
void gen_profile_line(Gen *gen, Span span);      /* of what is not announced without --profile */
void gen_count_probe(Gen *gen, CExpr *n_inside); /* of those that run */
CExpr *gen_one_on(Gen *gen);                     /* one */

/* shared_columns.c: what strands read of each other. */
void gen_shared_struct(Gen *gen);

/* samplings.c: what is found for all strands of a grid together. */
CExpr *gen_is_sampled(Gen *gen, const TreeExpr *expr);
CExpr *gen_sample_at(Gen *gen, const TreeExpr *expr, CExpr *slot); /* of the strand there */
CExprVec gen_sample_args(Gen *gen, const TreeExpr *value);         /* which value it is */

/* births.c */
void gen_birth(Gen *gen, const TreeFunc *create); /* the function that `new` calls */

/* program.c */
void gen_open(Gen *gen, Cx *cx, const TreeProgram *program, const EmitOptions *options,
              const Execution *how);
void gen_head(Gen *gen); /* comment, definitions, includes */
/* A program for the host, whose update method is executed as `choose` says. */
typedef const Execution *GenChoice(Gen *gen); /* NULL: one strand at a time */
const char *gen_program(Cx *cx, const TreeProgram *program, const EmitOptions *options,
                        GenChoice *choose);
/* Target.memory of it. */
const MemoryPlace *gen_memory(Cx *cx, const TreeProgram *program, const EmitOptions *options,
                              GenChoice *choose);
