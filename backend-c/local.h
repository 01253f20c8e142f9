/* What the files of backend-c share. */
#pragma once

#include "backend-c/cexpr.h"
#include "backend-c/emit.h"
#include "frontend/base/map.h"
#include "frontend/base/panic.h"
#include "ir/target.h"
#include "ir/tree/tree.h"

/* What a function takes beside its own parameters, because it or its callees use it. */
enum { NEED_GLOBALS = 1, NEED_WORLD = 2, NEED_TEXT = 4, NEED_STRINGS = 8, NEED_COUNTS = 16 };

typedef struct Gen {
  Cx *cx;
  const TreeProgram *program;
  const EmitOptions *options;
  Map *needs;         /* TreeFunc to uint32_t: set of NEED_... */
  const TreeFunc *fn; /* being emitted */
  Emit em;
} Gen;

/* literal.c */
CExpr *c_literal(Cx *cx, const char *text); /* a number or string as it stands */

/* cc.c: Target.build. */
const char *cc_build(Cx *cx, const BuildJob *job);

/* emit_ops.c: expressions. */
CExpr *gen_expr(Gen *gen, const TreeExpr *expr);
CExpr *gen_global(Gen *gen, VarRef var);

/* needs.c */
void gen_survey(Gen *gen);
uint32_t gen_needs(const Gen *gen, const TreeFunc *fn);
bool gen_is_lockstep(const Gen *gen); /* can the program tell its supersteps apart? */

/* emit_types.c */
const char *gen_type(Gen *gen, const Type *ty); /* of one component */
const char *gen_state_pointer(Gen *gen);        /* "struct ray *" */
CExpr *gen_component(Gen *gen, uint32_t i);     /* of the state, in *self */
void gen_structs(Gen *gen);
bool gen_has_globals(const Gen *gen);
void gen_declare_globals(Gen *gen, bool is_const); /* from the parameter `memory` */

/* emit_body.c: functions of the program. */
const TreeFunc *gen_find(const Gen *gen, FuncKind kind); /* NULL when absent */
void gen_body(Gen *gen, const TreeFunc *fn);
void gen_func(Gen *gen, const TreeFunc *fn); /* user functions and strand methods */
/* Arguments for what fn needs; world and text as they are called here. */
void gen_context_args(Gen *gen, const TreeFunc *fn, CExpr *world, CExpr *text, CExprVec *args);

/* emit_strand.c: block functions. */
void gen_block_functions(Gen *gen);

/* emit_globals.c: defaults, init_globals, bounds, global blocks. */
void gen_global_functions(Gen *gen);

/* emit_program.c: Target.emit. */
const char *gen_program(Cx *cx, const TreeProgram *program, const EmitOptions *options);

static inline void c_push(Cx *cx, CExprVec *args, CExpr *arg) { vec_push(cx->arena, args, arg); }
