/* Types: a program being written in C, with its types there, and where it keeps what it keeps.
 *
 * Everything of this back end takes a Gen: the tree program, the file that is being written (em),
 * and what was found out about the program so far. Names of functions that write begin with gen_.
 */
#pragma once

#include "backend-c/text/emit.h"
#include "frontend/base/map.h"
#include "frontend/base/panic.h"
#include "ir/target.h"
#include "ir/tree/tree.h"

typedef struct Execution Execution; /* code/execution.h */

typedef struct Gen {
  Cx *cx;
  const TreeProgram *program;
  const EmitOptions *options;
  Map *needs;    /* TreeFunc to uint32_t: set of NEED_... */
  Map *seqs;     /* fixed sequence types of the program, elements first */
  Map *in_place; /* TreeVar to CExpr: sequences of the state that are looked at where they lie */
  bool has_seqs; /* of either kind */
  VEC(uint32_t) marks;         /* with --profile: the line of each, from mark 1 on */
  const TreeFunc *fn;          /* being emitted */
  const Execution *how;        /* what is being emitted is executed */
  const Execution *update_how; /* the update method is; NULL: one strand at a time */
  void *execution;             /* what that keeps for itself */
  Emit em;
} Gen;

static inline void c_push(Cx *cx, CExprVec *args, CExpr *arg) { vec_push(cx->arena, args, arg); }

const TreeFunc *gen_find(const Gen *gen, FuncKind kind); /* NULL when absent */

/* types.c */
const char *gen_type(Gen *gen, const Type *ty); /* of one component */
const char *gen_state_pointer(Gen *gen);        /* "struct ray *" */
void gen_structs(Gen *gen);
void gen_field(Gen *gen, const Type *ty, const char *name); /* of a struct */
CExpr *gen_component(Gen *gen, uint32_t i);                 /* of the state, in *self */
bool gen_has_globals(const Gen *gen);
CExpr *gen_global(Gen *gen, VarRef var);
void gen_declare_globals(Gen *gen, bool is_const); /* from the parameter `memory` */

/* sequences.c: a fixed one is a struct of one array, a dynamic one a ddr_seq. */
void gen_survey_seqs(Gen *gen);
const char *gen_seq_type(Gen *gen, const Type *ty);
void gen_seq_structs(Gen *gen);
const Type *gen_scalar_type(Gen *gen, const Type *ty); /* of every scalar in a value */
uint64_t gen_scalar_count(const Type *ty);             /* of a value, or of one element of a T[] */
/* What an element of a dynamic sequence consists of: so many scalars, or a fixed sequence. */
const Type *gen_part_type(Gen *gen, const Type *seq);
uint32_t gen_parts_per_element(const Type *seq);
CExpr *gen_element_size(Gen *gen, const Type *seq); /* in bytes, of that sequence type */
CExpr *gen_seq_pattern(Gen *gen, const Type *ty);   /* of ddr_put_seq */
