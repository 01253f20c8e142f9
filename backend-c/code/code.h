/* Code: generates the functions of a program in C. Used by the files that emit whole programs,
 * program.c for the host and backend-cuda/emit_device.c for devices, and by execution models
 * (execution.h).
 */
#pragma once

#include "backend-c/code/execution.h"

/* What a function uses besides its own parameters, directly or through functions that it calls. */
enum {
  NEED_GLOBALS = 1 << 0,
  NEED_WORLD = 1 << 1,
  NEED_TEXT = 1 << 2,
  NEED_POOL = 1 << 3,
  NEED_BLOCK = 1 << 4,
  NEED_STATES = 1 << 5,  /* of all strands, by slot */
  NEED_SLOT = 1 << 6,    /* of the strand itself */
  NEED_SAMPLES = 1 << 7, /* of fields on the grid of strands */
  NEED_REDUCE = 1 << 8,  /* this and the following are features, not parameters */
  NEED_STRINGS = 1 << 9,
  NEED_EIGEN = 1 << 10,
  NEED_COUNTS = 1 << 11,
  NEED_QUERIES = 1 << 12,
  NEED_BIRTHS = 1 << 13,
  NEED_STABILIZE_ALL = 1 << 14,
  NEED_WINDOW = 1 << 15,
  NEED_WIDE_ROWS = 1 << 16, /* rows of six samples, whose loads read eight */
  NEED_CHECKS = 1 << 17,
  NEED_TAPS = 1 << 18,  /* samples of images */
  NEED_COPIES = 1 << 19 /* of samples, as reals */
};

/* needs.c */
void gen_survey(Gen *gen);
uint32_t gen_needs(const Gen *gen, const TreeFunc *fn);
void gen_add_needs(Gen *gen, const TreeFunc *fn, uint32_t more); /* after gen_survey */
uint32_t gen_update_needs(const Gen *gen);               /* of start, update and stabilize */
bool gen_needs_anywhere(const Gen *gen, uint32_t needs); /* some function has one of these needs */
bool gen_is_lockstep(const Gen *gen);                    /* results depend on supersteps */
bool gen_is_dual(const Gen *gen);    /* strands read state that others may change meanwhile */
bool gen_has_shared(const Gen *gen); /* `before` has only what strands read of each other */

/* copies.c: the address of samples that may be copied, as reals; such a copy has `len` reals in
 * rows of `width`. The reals of a copy over the first axes are also the distance along the next. */
uint32_t gen_copied(const Type *image, uint32_t width, uint32_t n_axes);
uint32_t gen_copy_width(const TreeExpr *addr);
uint32_t gen_copy_len(const TreeExpr *addr);
void gen_declare_copied(Gen *gen, const TreeVar *var, const TreeExpr *addr);

/* functions.c */
void gen_body(Gen *gen, const TreeFunc *fn);
void gen_func(Gen *gen, const TreeFunc *fn);       /* user functions and strand methods */
typedef enum { IN_FUNCTION, IN_BLOCK } GenContext; /* where code stands: IN_BLOCK: block function */
/* Arguments and parameters for needs. */
void gen_context_args(Gen *gen, const TreeFunc *fn, GenContext place, CExprVec *args);
void gen_context_of(Gen *gen, uint32_t needs, GenContext place, CExprVec *args);
void gen_context_params(Gen *gen, StatesSeen seen, uint32_t needs, CFunc *head);

/* neighbours.c: states of other strands; queries, which call fn followed by the dimension 1 to 3.
 */
CExpr *gen_strand_op(Gen *gen, const TreeExpr *expr, const char *fn);
const char *gen_gather_name(Gen *gen, uint32_t var); /* of the function that gathers an output */
/* With groups, of the strand in a slot: its group, its lane there, and the vector that has a
 * variable of its state, or a component of that. */
CExpr *gen_group_of(Gen *gen, const char *states, CExpr *slot);
CExpr *gen_lane_of(Gen *gen, CExpr *slot);
CExpr *gen_vector_of(Gen *gen, CExpr *slot, VarRef var);
/* Between a struct of its own and the lane of its slot: `mover` is to_lane or from_lane. */
void gen_move_strand(Gen *gen, const char *mover, CExpr *slot, CExpr *strand);

/* reductions.c: reductions over sets of strands that devices can do, numbered from 1, each with the
 * function that contains it. */
typedef struct GenReduction {
  const TreeFunc *fn;
  const TreeStmt *reduce;
} GenReduction;
typedef VEC(GenReduction) GenReductionVec;
GenReductionVec gen_set_reductions(Gen *gen);
bool gen_is_of_values(Gen *gen, const TreeStmt *reduce); /* no prints, strings or lists in it */
const char *gen_set_name(ReduceOver over);
/* The variables from outside that the body of one reads: as parameters, and in a struct. */
CParamVec gen_reduction_context(Gen *gen, const TreeStmt *reduce);
const char *gen_column_name(const TreeStmt *reduce, uint32_t column);
void gen_context_struct(Gen *gen, const char *tag, const CParamVec *context);
uint32_t gen_body_needs(const Gen *gen, const TreeStmt *reduce); /* of its body alone */

/* Result i of a reduction. */
typedef struct GenResult {
  Reduction kind;
  const TreeVar *var, *gathered; /* the accumulator, for a range only */
  const TreeExpr *value;
  uint32_t column;
} GenResult;
GenResult gen_result(const TreeStmt *reduce, uint32_t i);
/* Sums and products of reals, means and variances are made by the tree of pairwise summation. */
bool gen_is_on_tree(const GenResult *result);
CExpr *gen_none(Gen *gen, const GenResult *result); /* of no values; not for results on the tree */
/* The function that combines two values that are not on the tree, without its prefix: ddr_, or
 * ddr_v in lanes. NULL: an operator combines them, since they are truth values. */
const char *gen_combiner(const Gen *gen, const GenResult *result);
const char *gen_reduction_name(Reduction reduction);

void gen_stmts(Gen *gen, const TreeStmtVec *stmts); /* the walker */
/* At the end of a round of a TT_FOR: rounds that would do nothing are left out. */
void gen_stop_when_idle(Gen *gen, const TreeStmt *stmt);
void gen_declare(Gen *gen, const char *type, const TreeVar *var, const CExpr *init);
void gen_store_values(Gen *gen, const TreeStmt *leave); /* of the state */
CExpr *gen_expr(Gen *gen, const TreeExpr *expr);
CExpr *gen_first_sample(Gen *gen, const TreeExpr *expr); /* of the image of an address */
uint32_t gen_op_cost(OpId op); /* for one strand, in additions, approximately: from c_ops.def */
CExpr *gen_fixed_seq(Gen *gen, const Type *ty, CExprVec parts); /* from all its scalars */
/* OP_SEQ_INDEX of a fixed sequence: the number of the scalar among all its scalars. */
CExpr *gen_place_in_fixed(Gen *gen, const TreeExpr *expr);

/* sequence_owner.c: who owns the memory of dynamic sequences. */
bool gen_owns_seqs(const Gen *gen, FuncKind kind); /* the state of FN_UPDATE, or FN_GLOBALS */
bool gen_uses_pool(const Gen *gen);                /* any function of the strands, or their state */
/* In a block function, around the methods of the strand at self. */
void gen_lend(Gen *gen, CExpr *self);
void gen_keep(Gen *gen, CExpr *self);
void gen_close_pool(Gen *gen);
CExpr *gen_pool_of_block(Gen *gen);
/* The same in a function, where other strands that share the pool continue. */
void gen_enter(Gen *gen, CExpr *self);
void gen_keep_and_leave(Gen *gen, CExpr *self);

/* blocks.c: block functions. */
void gen_open_block_function(Gen *gen, CFunc *head, uint32_t needs);
/* Whether the creation reads any of its iterators. */
bool gen_has_iterators(const TreeFunc *fn);
/* Declares the iterators that are read, computed from `slot` and `strands`. */
void gen_declare_iterators(Gen *gen, const TreeFunc *fn);
void gen_create_strand(Gen *gen, const TreeStmt *args, CExpr *self); /* the end of FN_ARGS */
/* Runs a method of the strand in `self`, and puts its new status into `now`. */
void gen_run_method(Gen *gen, const TreeFunc *fn);
CExpr *gen_is_now(Gen *gen, const char *status);
/* Runs its methods in order: start if its status is new, then updates, which the caller emits, and
 * stabilize if it has become stable. */
typedef void GenUpdates(Gen *gen);
void gen_run_methods(Gen *gen, CExpr *status, GenUpdates *run_updates);
bool gen_has_stabilize(const Gen *gen); /* for a global stabilize */
/* The block functions that create and update one strand at a time. */
void gen_create_alone(Gen *gen, const char *function_name);
void gen_update_alone(Gen *gen, const char *function_name);

/* profile.c: before the code of a source line: a comment with the line, and its mark for --profile.
 */
void gen_source(Gen *gen, Span span);
void gen_profile_function(Gen *gen);             /* at the beginning of one */
void gen_profile_line(Gen *gen, Span span);      /* the mark without the comment */
void gen_count_probe(Gen *gen, CExpr *n_inside); /* n_inside: of the active strands */
CExpr *gen_one_on(Gen *gen);                     /* Execution.n_on for one strand: 1 */

/* shared_columns.c: what strands read of each other. */
void gen_shared_struct(Gen *gen);

/* samplings.c: fields that are sampled for all strands of a grid together. */
CExpr *gen_is_sampled(Gen *gen, const TreeExpr *expr);
CExpr *gen_sample_at(Gen *gen, const TreeExpr *expr, CExpr *slot); /* of the strand in the slot */
CExprVec gen_sample_args(Gen *gen, const TreeExpr *value); /* arguments that identify the value */

/* births.c */
void gen_birth(Gen *gen, const TreeFunc *create); /* the function that `new` calls */

/* program.c */
void gen_open(Gen *gen, Cx *cx, const TreeProgram *program, const EmitOptions *options,
              const Execution *how);
void gen_head(Gen *gen); /* comment, definitions, includes */
/* Emits a program for the host; `choose` selects the execution model of its update method. */
typedef const Execution *GenChoice(Gen *gen); /* NULL: one strand at a time */
const char *gen_program(Cx *cx, const TreeProgram *program, const EmitOptions *options,
                        GenChoice *choose);
/* Target.memory of the program. */
const MemoryPlace *gen_memory(Cx *cx, const TreeProgram *program, const EmitOptions *options,
                              GenChoice *choose);
