/* What the files of backend-c share. */
#pragma once

#include "backend-c/execution.h"

/* literal.c */
CExpr *c_literal(Cx *cx, const char *text); /* a number or string as it stands */

/* emit_ops.c: expressions. */
CExpr *gen_global(Gen *gen, VarRef var);
const char *gen_row_loader(Gen *gen, const TreeExpr *load); /* the macro of ddr/row_load.h */
CExpr *gen_sample_type(Gen *gen, SampleType samples);       /* its enumerator in ddr/sample.h */
const char *gen_spelling(OpId op);                          /* in c_ops.def */
CExpr *gen_string_test(Gen *gen, const TreeExpr *expr);     /* by strcmp */
void gen_args_from(Gen *gen, const TreeExpr *expr, uint32_t first, CExprVec *args);

/* emit_seq.c: types, ops and printing of sequences. */
void gen_survey_seqs(Gen *gen);
const char *gen_seq_type(Gen *gen, const Type *ty);
void gen_seq_structs(Gen *gen);
CExpr *gen_seq_op(Gen *gen, const TreeExpr *expr, const char *fn);
CExpr *gen_seq_pattern(Gen *gen, const Type *ty);      /* of ddr_put_seq */
const Type *gen_scalar_type(Gen *gen, const Type *ty); /* of every scalar in a value */
uint64_t gen_scalar_count(const Type *ty);             /* of a value, or of one element of a T[] */
CExpr *gen_seq_constant(Gen *gen, const Const *value); /* of a fixed sequence */
CExpr *gen_seq_elements(Gen *gen, const Const *value); /* the scalars, as an array */
CExpr *gen_scalar_constant(Gen *gen, const Const *value, uint64_t k);

/* emit_others.c: ops on strands. */
CExpr *gen_strand_op(Gen *gen, const TreeExpr *expr, const char *fn);
CExpr *gen_state_of(Gen *gen, const TreeExpr *expr); /* of another strand, in its struct */
void gen_new_strand(Gen *gen, const TreeExpr *expr);
CExpr *gen_newborn(Gen *gen);

/* emit_sampling.c: what is found for all strands of a grid together. */
uint32_t gen_n_samplings(const Gen *gen);
void gen_samplings(Gen *gen); /* functions, and the table `samplings` of those */
CExpr *gen_is_sampled(Gen *gen, const TreeExpr *expr);
CExpr *gen_sample_at(Gen *gen, const TreeExpr *expr, CExpr *slot); /* of the strand there */
CExprVec gen_sample_args(Gen *gen, const TreeExpr *value);         /* which value it is */

/* emit_reduce.c: reductions. */
void gen_reduce(Gen *gen, const TreeStmt *reduce);
/* What gives the values of strands to the reductions of a global block, before the block. */
void gen_member_functions(Gen *gen, const TreeFunc *fn);

/* emit_shared.c: the second column of a dual program: what strands read of each other. */
bool gen_has_shared(const Gen *gen);
const char *gen_shared_pointer(Gen *gen); /* "struct ray_shared *"; "struct ray *" without it */
void gen_share(Gen *gen);                 /* the function that fills it */

/* emit_owner.c */
void gen_owners(Gen *gen);
/* In a block function, around the methods of the strand at self. */
void gen_lend(Gen *gen, CExpr *self);
void gen_keep(Gen *gen, CExpr *self);
void gen_close_pool(Gen *gen);
/* A newborn gets sequences of its own. */
void gen_give(Gen *gen, CExpr *child);

/* needs.c */
uint32_t gen_birth_needs(const Gen *gen); /* of the function that `new` calls */

/* emit_types.c */
void gen_field(Gen *gen, const Type *ty, const char *name); /* of a struct */
CExpr *gen_component(Gen *gen, uint32_t i);                 /* of the state, in *self */
void gen_declare_globals(Gen *gen, bool is_const);          /* from the parameter `memory` */

/* emit_body.c: functions of the program. */
/* Around the rounds of a TT_FOR or TT_REDUCE; the body is between. */
void gen_open_range(Gen *gen, const TreeStmt *stmt);
void gen_close_range(Gen *gen, const TreeStmt *stmt);
bool gen_is_read_in(const TreeStmtVec *stmts, const TreeVar *var);
void gen_context_of(Gen *gen, uint32_t needs, GenContext place, CExprVec *args);
void gen_context_params(Gen *gen, StatesSeen seen, uint32_t needs, CFunc *head);
CExpr *gen_in_block(Gen *gen, const Surrounding *what); /* block->text, block->strands->before */

/* emit_body.c: what one strand at a time does for statements (execution.h). */
void gen_if(Gen *gen, const TreeStmt *stmt);
void gen_for(Gen *gen, const TreeStmt *stmt);
void gen_leave(Gen *gen, const TreeStmt *stmt);
void gen_call_stmt(Gen *gen, const TreeStmt *stmt);
void gen_store_values(Gen *gen, const TreeStmt *leave);

/* emit_strand.c: block functions. */
void gen_initial_strand(Gen *gen, const TreeStmt *args); /* the end of FN_ARGS */
void gen_open_block_function(Gen *gen, CFunc *head, uint32_t needs);
void gen_block_functions(Gen *gen);

/* emit_globals.c: defaults, init_globals, bounds, global blocks. */
void gen_global_functions(Gen *gen);

/* emit_program.c */
const char *gen_kind(Gen *gen, const Type *ty, Span span); /* "DDR_REAL" */
