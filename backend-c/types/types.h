/* Types: a program being emitted in C, its C types, and its memory layout.
 *
 * Everything in this back end takes a Gen: the tree program, the file that is being emitted (em),
 * and what is known about the program so far. Names of functions that emit begin with gen_.
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
  Map *needs;                  /* TreeFunc to uint32_t: set of NEED_... */
  Map *seqs;                   /* fixed sequence types of the program, elements first */
  Map *in_place;               /* TreeVar to CExpr: sequences of the state that are read in place */
  bool has_seqs;               /* of either kind */
  bool has_groups;             /* states lie in groups, as they do in lanes (lanes/groups.c) */
  VEC(uint32_t) marks;         /* with --profile: the line of each, from mark 1 on */
  const TreeFunc *fn;          /* being emitted */
  const Execution *how;        /* execution model of the code being emitted */
  const Execution *update_how; /* that of the update method; NULL: one strand at a time */
  void *execution;             /* private data of the execution model */
  void *creation;              /* likewise, of strands that are created several at once */
  Emit em;
} Gen;

static inline void c_push(Cx *cx, CExprVec *args, CExpr *arg) { vec_push(cx->arena, args, arg); }

const TreeFunc *gen_find(const Gen *gen, FuncKind kind); /* NULL when absent */

/* types.c */
const char *gen_type(Gen *gen, const Type *ty); /* of one component */
const char *gen_state_pointer(Gen *gen);        /* "struct ray *" */
const char *gen_group_pointer(Gen *gen);        /* "struct ray_lanes *" */
const char *gen_store_pointer(Gen *gen);        /* to the states of all strands: either of these */
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
/* The parts of an element of a dynamic sequence: scalars, or a fixed sequence. */
const Type *gen_part_type(Gen *gen, const Type *seq);
uint32_t gen_parts_per_element(const Type *seq);
CExpr *gen_element_size(Gen *gen, const Type *seq); /* in bytes, of that sequence type */
CExpr *gen_seq_pattern(Gen *gen, const Type *ty);   /* of ddr_put_seq */
