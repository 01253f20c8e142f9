/* What the files of backend-c share. */
#pragma once

#include "backend-c/cexpr.h"
#include "backend-c/emit.h"
#include "frontend/base/map.h"
#include "frontend/base/panic.h"
#include "ir/target.h"
#include "ir/tree/tree.h"

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
  NEED_WINDOW = 1 << 15
};

typedef struct Lanes Lanes; /* lanes.h */

typedef struct Gen {
  Cx *cx;
  const TreeProgram *program;
  const EmitOptions *options;
  bool is_parallel; /* threads share the work */
  Map *needs;       /* TreeFunc to uint32_t: set of NEED_... */
  Map *seqs;        /* fixed sequence types of the program, elements first */
  Map *in_place;    /* TreeVar to CExpr: sequences of the state that are looked at where they lie */
  bool has_seqs;    /* of either kind */
  const TreeFunc *fn; /* being emitted */
  Lanes *in_lanes;    /* how the update method runs; NULL: one strand at a time */
  const Lanes *lanes; /* in a loop over the lanes: where operands are vectors or arrays */
  Emit em;
} Gen;

/* literal.c */
CExpr *c_literal(Cx *cx, const char *text); /* a number or string as it stands */

/* cc.c: Target.build and Target.identify. */
const char *cc_build(Cx *cx, const BuildJob *job);
const char *cc_identify(Cx *cx, const BuildJob *job, const char **error);

/* emit_ops.c: expressions. */
CExpr *gen_expr(Gen *gen, const TreeExpr *expr);
CExpr *gen_global(Gen *gen, VarRef var);
const char *gen_row_loader(Gen *gen, const TreeExpr *load); /* the macro of ddr/row_load.h */
CExpr *gen_sample_type(Gen *gen, SampleType samples);       /* its enumerator in ddr/sample.h */
void gen_args_from(Gen *gen, const TreeExpr *expr, uint32_t first, CExprVec *args);

/* lanes_expr.c: in a loop over the lanes, the variable at this lane. */
CExpr *gen_lane_var(Gen *gen, const TreeVar *var);
void gen_lane_assign(Gen *gen, const TreeStmt *stmt);

/* emit_seq.c: types, ops and printing of sequences. */
void gen_survey_seqs(Gen *gen);
const char *gen_seq_type(Gen *gen, const Type *ty);
void gen_seq_structs(Gen *gen);
CExpr *gen_seq_op(Gen *gen, const TreeExpr *expr, const char *fn);
CExpr *gen_element_size(Gen *gen, const Type *seq);    /* of a sequence type, in bytes */
CExpr *gen_seq_pattern(Gen *gen, const Type *ty);      /* of ddr_put_seq */
const Type *gen_scalar_type(Gen *gen, const Type *ty); /* of every scalar in a value */
uint64_t gen_scalar_count(const Type *ty);             /* of a value, or of one element of a T[] */
CExpr *gen_seq_constant(Gen *gen, const Const *value); /* of a fixed sequence */
CExpr *gen_seq_elements(Gen *gen, const Const *value); /* the scalars, as an array */
CExpr *gen_scalar_constant(Gen *gen, const Const *value, uint64_t k);

/* emit_others.c: ops on strands. */
CExpr *gen_strand_op(Gen *gen, const TreeExpr *expr, const char *fn);
void gen_new_strand(Gen *gen, const TreeExpr *expr);
void gen_birth(Gen *gen, const TreeFunc *create); /* the function that `new` calls */

/* emit_sampling.c: what is found for all strands of a grid together. */
uint32_t gen_n_samplings(const Gen *gen);
void gen_samplings(Gen *gen); /* functions, and the table `samplings` of those */
CExpr *gen_sampling_is_made(Gen *gen, const TreeExpr *expr, const char *fn);
CExpr *gen_sampling_value(Gen *gen, const TreeExpr *expr, const char *fn);

/* emit_reduce.c: reductions. */
void gen_reduce(Gen *gen, const TreeStmt *reduce);
/* What gives the values of strands to the reductions of a global block, before the block. */
void gen_member_functions(Gen *gen, const TreeFunc *fn);

/* emit_shared.c: the second column of a dual program: what strands read of each other. */
bool gen_has_shared(const Gen *gen);
const char *gen_shared_pointer(Gen *gen); /* "struct ray_shared *"; "struct ray *" without it */
void gen_shared_struct(Gen *gen);
void gen_share(Gen *gen); /* the function that fills it */

/* emit_owner.c: who keeps dynamic sequences. */
bool gen_owns_seqs(const Gen *gen, FuncKind kind); /* the state of FN_UPDATE, or FN_GLOBALS */
bool gen_uses_pool(const Gen *gen);                /* any function of the strands, or their state */
void gen_owners(Gen *gen);
/* In a block function, around the methods of the strand at self. */
void gen_lend(Gen *gen, CExpr *self);
void gen_keep(Gen *gen, CExpr *self);
void gen_close_pool(Gen *gen);
/* A newborn gets sequences of its own. */
void gen_give(Gen *gen, CExpr *child);

/* needs.c */
void gen_survey(Gen *gen);
uint32_t gen_needs(const Gen *gen, const TreeFunc *fn);
uint32_t gen_body_needs(const Gen *gen, const TreeStmt *reduce); /* of its body alone */
uint32_t gen_birth_needs(const Gen *gen);                /* of the function that `new` calls */
bool gen_needs_anywhere(const Gen *gen, uint32_t needs); /* one of them */
bool gen_is_lockstep(const Gen *gen); /* can the program tell its supersteps apart? */
bool gen_is_dual(const Gen *gen);     /* do strands read what others may be changing? */

/* emit_types.c */
const char *gen_type(Gen *gen, const Type *ty);             /* of one component */
void gen_field(Gen *gen, const Type *ty, const char *name); /* of a struct */
const char *gen_state_pointer(Gen *gen);                    /* "struct ray *" */
CExpr *gen_component(Gen *gen, uint32_t i);                 /* of the state, in *self */
void gen_structs(Gen *gen);
bool gen_has_globals(const Gen *gen);
void gen_declare_globals(Gen *gen, bool is_const); /* from the parameter `memory` */

/* emit_body.c: functions of the program. */
const TreeFunc *gen_find(const Gen *gen, FuncKind kind); /* NULL when absent */
void gen_stmts(Gen *gen, const TreeStmtVec *stmts);
void gen_body(Gen *gen, const TreeFunc *fn);
/* Around the rounds of a TT_FOR or TT_REDUCE; the body is between. */
void gen_open_range(Gen *gen, const TreeStmt *stmt);
void gen_close_range(Gen *gen, const TreeStmt *stmt);
bool gen_is_read_in(const TreeStmtVec *stmts, const TreeVar *var);
void gen_func(Gen *gen, const TreeFunc *fn);       /* user functions and strand methods */
typedef enum { IN_FUNCTION, IN_BLOCK } GenContext; /* of the program, or a block function */
/* Arguments for what fn needs. */
void gen_context_args(Gen *gen, const TreeFunc *fn, GenContext place, CExprVec *args);

void gen_context_of(Gen *gen, uint32_t needs, GenContext place, CExprVec *args);
/* The same as parameters; `states` is the type of pointer to those of all strands. */
void gen_context_params(Gen *gen, const char *states, uint32_t needs, CFunc *head);

/* emit_strand.c: block functions. */
void gen_initial_strand(Gen *gen, const TreeStmt *args); /* the end of FN_ARGS */
void gen_open_block_function(Gen *gen, CFunc *head, uint32_t needs);
void gen_block_functions(Gen *gen);
bool gen_has_stabilize(const Gen *gen); /* the block function of that name */

/* emit_globals.c: defaults, init_globals, bounds, global blocks. */
void gen_global_functions(Gen *gen);

/* storage.c: Target.memory. */
const MemoryPlace *gen_memory(Cx *cx, const TreeProgram *program, const EmitOptions *options);

/* emit_program.c: Target.emit. */
const char *gen_kind(Gen *gen, const Type *ty, Span span); /* "DDR_REAL" */
const char *gen_program(Cx *cx, const TreeProgram *program, const EmitOptions *options,
                        bool is_parallel);

static inline void c_push(Cx *cx, CExprVec *args, CExpr *arg) { vec_push(cx->arena, args, arg); }
