/* What the files of this folder share. */
#pragma once

#include "backend-c/code/code.h"

/* expressions.c: expressions. */
CExpr *gen_sample_type(Gen *gen, SampleType samples);   /* the enumerator in ddr/sample.h */
const char *gen_spelling(OpId op);                      /* in c_ops.def */
CExpr *gen_string_test(Gen *gen, const TreeExpr *expr); /* by strcmp */
void gen_args_from(Gen *gen, const TreeExpr *expr, uint32_t first, CExprVec *args);

/* sequences.c: ops and constants. */
CExpr *gen_seq_op(Gen *gen, const TreeExpr *expr, const char *fn);
CExpr *gen_seq_constant(Gen *gen, const Const *value); /* for a fixed sequence */
CExpr *gen_seq_elements(Gen *gen, const Const *value); /* the scalars, as an array */
CExpr *gen_scalar_constant(Gen *gen, const Const *value, uint64_t k);

/* neighbours.c, births.c: ops on strands. */
CExpr *gen_state_of(Gen *gen, const TreeExpr *expr); /* of another strand, in its struct */
void gen_new_strand(Gen *gen, const TreeExpr *expr);
CExpr *gen_newborn(Gen *gen);

/* profile.c: emits the table `profile`. */
void gen_profile(Gen *gen);

/* trace.c: with --trace, calls that record values, the method that runs, and the strand. */
void gen_record(Gen *gen, const TreeExpr *record);
void gen_trace_method(Gen *gen, const TreeFunc *fn); /* at the beginning of a method */
void gen_trace_strand(Gen *gen);                     /* in a block function, at `slot` */
void gen_trace_creation(Gen *gen);                   /* in a block function: its creation */
void gen_trace_birth(Gen *gen, bool is_over);        /* before and after a strand is created */
void gen_trace(Gen *gen);                            /* the table `trace` */

/* tables.c: emits the lines of the source as a table of that name; returns their number. */
uint32_t gen_source_text(Gen *gen, const char *table);

/* samplings.c: fields that are sampled for all strands of a grid together. */
uint32_t gen_n_samplings(const Gen *gen);
void gen_samplings(Gen *gen); /* functions, and the table `samplings` of those */

/* reductions.c: reductions. */
void gen_reduce(Gen *gen, const TreeStmt *reduce);
/* Emits, before a global block, the functions that compute the values of strands for its
 * reductions. */
void gen_member_functions(Gen *gen, const TreeFunc *fn);

/* shared_columns.c: the double buffer of a dual program: what strands read of each other. */
bool gen_shares_fixed(const Gen *gen);
const char *gen_shared_pointer(Gen *gen); /* "struct ray_shared *"; "struct ray *" without it */
void gen_share(Gen *gen);                 /* the function that updates it */

/* sequence_owner.c */
void gen_owners(Gen *gen);
/* Gives a newborn strand sequences of its own. */
void gen_give(Gen *gen, CExpr *child);

/* needs.c */
uint32_t gen_birth_needs(const Gen *gen); /* of the function that creates a strand */

/* statements.c */
/* A stem and the name of a scalar type: "ddr_put_" for an int is "ddr_put_int". */
const char *gen_fn_for(Gen *gen, const char *stem, const Type *ty);
/* Open and close the loop of a TT_FOR or TT_REDUCE; the body goes between. */
void gen_open_range(Gen *gen, const TreeStmt *stmt);
void gen_close_range(Gen *gen, const TreeStmt *stmt);
/* functions.c */
CExpr *gen_in_block(Gen *gen, const Surrounding *what); /* block->text, block->strands->before */

/* statements.c: the statements of one_strand (execution.h). */
void gen_if(Gen *gen, const TreeStmt *stmt);
void gen_for(Gen *gen, const TreeStmt *stmt);
void gen_leave(Gen *gen, const TreeStmt *leave);
void gen_call_stmt(Gen *gen, const TreeStmt *stmt);

/* blocks.c: block functions. */
void gen_initial_strand(Gen *gen, const TreeStmt *args); /* the end of FN_ARGS */
void gen_block_functions(Gen *gen);

/* globals.c: defaults, init_globals, bounds, global blocks. */
void gen_global_functions(Gen *gen);

/* tables.c: the tables of inputs and outputs, and the descriptor of the program. */
void gen_tables(Gen *gen);
CExpr *gen_offset_of(Gen *gen, const char *tag, const char *field);
/* The members of a row: kind and number of scalars; a fixed sequence counts as its scalars. */
void gen_describe_type(Gen *gen, const Type *ty, Span span);

/* variables.c: for programs with checkpoints, the table of all variables, and its members in the
 * descriptor. */
void gen_variables(Gen *gen);
void gen_variable_members(Gen *gen);
const char *gen_kind(Gen *gen, const Type *ty, Span span); /* "DDR_REAL" */
