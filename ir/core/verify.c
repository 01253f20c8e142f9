/* Verifier: checks the rules of ir.h. Runs after every pass.
 *
 * One walk along the structure of control flow checks that every block is reached exactly once,
 * that arms and bodies end as they must, and that operands are visible where they are used. Then
 * each instruction is checked by verify_inst.c, Einstein bodies by ein_verify.c.
 */
#include <stdarg.h>

#include "frontend/base/panic.h"
#include "ir/core/local.h"

/* ---- failures -------------------------------------------------------------------------------- */

static const char *place(const Verifier *v) {
  Text t = text_new(v->cx->arena);
  if (v->fn) text_addf(&t, "function %s", func_kind_text(v->fn->kind));
  if (v->fn && v->fn->name) text_addf(&t, " \"%s\"", v->fn->name->text);
  if (v->blk) text_addf(&t, ", block b%u", v->blk->id);
  if (v->inst) text_addf(&t, ", %s", op_text(v->inst->op));
  if (v->inst && v->inst->n_results > 0) text_addf(&t, " %%%u", v->inst->results[0]->id);
  text_add(&t, v->fn ? ": " : "");
  return text_str(&t);
}

void verify_fail(Verifier *v, const char *format, ...) {
  if (v->error) return;
  Text t = text_new(v->cx->arena);
  va_list args;
  va_start(args, format);
  text_add(&t, place(v));
  text_add_va(&t, format, args);
  va_end(args);
  v->error = text_str(&t);
}

/* ---- values ---------------------------------------------------------------------------------- */

typedef VEC(uint32_t) IdVec;

static void define(Verifier *v, const Value *value, IdVec *scope) {
  if (value->id >= v->fn->next_value || bits_has(&v->defined, value->id)) {
    verify_fail(v, "%%%u is defined twice or has a bad number", value->id);
    return;
  }
  if (!value->ty || !verify_type_is_legal(v->m->level, value->ty))
    verify_fail(v, "%%%u has type %s, which is not of level %s", value->id,
                value->ty ? type_text(v->cx, value->ty) : "none", level_text(v->m->level));
  if (value->at) verify_memory(v, value);
  bits_set(&v->defined, value->id);
  bits_set(&v->visible, value->id);
  vec_push(v->cx->scratch, scope, value->id);
}

static void close_scope(Verifier *v, IdVec *scope) {
  while (scope->len > 0) bits_clear(&v->visible, vec_pop(scope));
}

static bool is_linked(const Inst *inst, uint32_t i) {
  const Use *use = inst->uses[i];
  const Use *first = use->prev ? use->prev->next : inst->args[i]->uses;
  return use->user == inst && use->arg == i && first == use;
}

static void check_uses(Verifier *v, const Inst *inst) {
  for (uint32_t i = 0; i < inst->n_args; i++) {
    const Value *arg = inst->args[i];
    if (!is_linked(inst, i)) verify_fail(v, "operand %u is not among the uses of %%%u", i, arg->id);
    if (arg->id >= v->fn->next_value || !bits_has(&v->visible, arg->id))
      verify_fail(v, "operand %%%u is not visible here", arg->id);
  }
}

/* ---- control flow ---------------------------------------------------------------------------- */

/* What the walk is in: a function body, an arm of a branch or the body of a loop. */
typedef struct Region {
  Block *merge;      /* of an arm; NULL when it must leave */
  const Inst *loop;  /* of a body */
  bool never_leaves; /* it is in the body of a reduction */
  uint32_t n_exits;  /* jumps to the merge, or NEXTs */
  IdVec *scope;
} Region;

static void walk(Verifier *v, Block *blk, Region *region);

static void check_passed(Verifier *v, const Block *to, uint32_t first, Value *const *args,
                         uint32_t n_args) {
  if (to->params.len != first + n_args) {
    verify_fail(v, "b%u has %u parameters, %u values are passed", to->id, to->params.len,
                first + n_args);
    return;
  }
  for (uint32_t i = 0; i < n_args; i++)
    if (args[i]->ty != to->params.data[first + i]->ty)
      verify_fail(v, "parameter %u of b%u has type %s, %%%u has %s", first + i, to->id,
                  type_text(v->cx, to->params.data[first + i]->ty), args[i]->id,
                  type_text(v->cx, args[i]->ty));
}

static void check_succ_args(Verifier *v, const Inst *inst, uint32_t s) {
  const Succ *succ = &inst->succs[s];
  check_passed(v, succ->block, 0, inst->args + succ->first_arg, succ->n_args);
}

static void walk_jump(Verifier *v, const Inst *jump, Region *region) {
  if (jump->n_succs != 1 || jump->succs[0].block != region->merge)
    verify_fail(v, "a jump goes to the merge block of the branch around it");
  else check_succ_args(v, jump, 0);
  region->n_exits++;
}

static void walk_arm(Verifier *v, const Inst *branch, uint32_t arm, Region *around,
                     uint32_t *n_exits) {
  Region region = {
      .merge = branch->merge, .never_leaves = around->never_leaves, .scope = &(IdVec){0}};
  check_succ_args(v, branch, arm);
  if (!v->error) walk(v, branch->succs[arm].block, &region);
  close_scope(v, region.scope);
  *n_exits += region.n_exits;
}

/* Returns the block to go on with, or NULL. */
static Block *walk_branch(Verifier *v, const Inst *branch, Region *around) {
  uint32_t n_exits = 0;
  if (branch->n_succs != 2 || inst_n_own_args(branch) != 1) {
    verify_fail(v, "a branch has a condition and two arms");
    return NULL;
  }
  if (!type_is(branch->args[0]->ty, TY_BOOL)) verify_fail(v, "the condition is no bool");
  for (uint32_t arm = 0; arm < 2 && !v->error; arm++) walk_arm(v, branch, arm, around, &n_exits);
  v->inst = branch;
  v->blk = branch->block;
  if (branch->merge && n_exits == 0) verify_fail(v, "no arm reaches the merge block");
  return branch->merge;
}

static void check_loop_operands(Verifier *v, const Inst *loop) {
  const Block *body = loop->succs[0].block;
  if (inst_n_own_args(loop) != 2 || body->params.len == 0) {
    verify_fail(v, "a loop has its bounds and an index");
    return;
  }
  for (uint32_t i = 0; i < 2; i++)
    if (!type_is(loop->args[i]->ty, TY_INT)) verify_fail(v, "bound %u is no int", i);
  if (!type_is(body->params.data[0]->ty, TY_INT)) verify_fail(v, "the index is no int");
}

static void walk_body(Verifier *v, const Inst *loop, Region *around) {
  Region region = {.loop = loop, .scope = &(IdVec){0}};
  region.never_leaves = around->never_leaves || loop->op == OP_REDUCE;
  walk(v, loop->succs[0].block, &region);
  close_scope(v, region.scope);
  v->inst = loop;
  v->blk = loop->block;
  if (loop->op == OP_REDUCE && region.n_exits == 0) verify_fail(v, "the body gives no value");
}

static Block *walk_loop(Verifier *v, const Inst *loop, Region *around) {
  if (loop->n_succs != 2 || loop->succs[1].n_args != 0) {
    verify_fail(v, "a loop has a body and a block after it, which gets the carried values");
    return NULL;
  }
  check_loop_operands(v, loop);
  Value *const *carried = loop->args + loop->succs[0].first_arg;
  check_passed(v, loop->succs[0].block, 1, carried, loop_n_carried(loop));
  check_passed(v, loop->succs[1].block, 0, carried, loop_n_carried(loop));
  if (v->error) return NULL;
  walk_body(v, loop, around);
  return loop->succs[1].block;
}

static void check_results(Verifier *v, const Reduce *reduce, const Block *after) {
  if (after->params.len != reduce->n_kinds)
    verify_fail(v, "%u reductions have %u results", reduce->n_kinds, after->params.len);
  for (uint32_t i = 0; i < reduce->n_kinds && !v->error; i++)
    if (!reduction_takes(reduce->kinds[i], after->params.data[i]->ty))
      verify_fail(v, "result %u is no value that a %s can be", i, reduction_text(reduce->kinds[i]));
}

static void check_reduce(Verifier *v, const Inst *reduce) {
  const Block *body = reduce->succs[0].block, *after = reduce->succs[1].block;
  bool is_range = reduce->attr.reduce.over == OVER_RANGE;
  if (inst_n_own_args(reduce) != (is_range ? 2 : 0) || reduce->n_args > inst_n_own_args(reduce))
    verify_fail(v, "a range has two bounds, a set of strands none, and nothing is carried");
  for (uint32_t i = 0; i < reduce->n_args; i++)
    if (!type_is(reduce->args[i]->ty, TY_INT)) verify_fail(v, "bound %u is no int", i);
  if (body->params.len != 1 || !type_is(body->params.data[0]->ty, is_range ? TY_INT : TY_STRAND))
    verify_fail(v, "the body's parameter is not the one %s", is_range ? "int" : "strand");
  else check_results(v, &reduce->attr.reduce, after);
}

static Block *walk_reduce(Verifier *v, const Inst *reduce, Region *around) {
  if (reduce->n_succs != 2) {
    verify_fail(v, "a reduction has a body and a block after it, which gets the result");
    return NULL;
  }
  check_reduce(v, reduce);
  if (v->error) return NULL;
  walk_body(v, reduce, around);
  return reduce->succs[1].block;
}

static void walk_next(Verifier *v, const Inst *next, Region *region) {
  if (!region->loop || next->n_succs != 0) verify_fail(v, "next belongs at the end of a loop body");
  else if (region->loop->op == OP_REDUCE)
    check_passed(v, region->loop->succs[1].block, 0, next->args, next->n_args);
  else check_passed(v, region->loop->succs[0].block, 1, next->args, next->n_args);
  region->n_exits++;
}

void verify_components(Verifier *v, const Type *ty, Value *const *args, uint32_t n_args,
                       uint32_t *pos) {
  const Type *component = level_component(v->cx, v->m->level, ty);
  uint64_t n = level_n_components(v->m->level, ty);
  for (uint64_t i = 0; i < n && !v->error; i++, (*pos)++)
    if (*pos >= n_args || args[*pos]->ty != component)
      verify_fail(v, "value %u is not the %s that a %s needs here", *pos,
                  type_text(v->cx, component), type_text(v->cx, ty));
}

static void check_state(Verifier *v, Value *const *args, uint32_t n_args) {
  uint32_t pos = 0;
  for (uint32_t i = 0; i < v->m->state.len; i++)
    verify_components(v, v->m->state.data[i].ty, args, n_args, &pos);
  if (pos != n_args) verify_fail(v, "%u values for the state of %u", n_args, pos);
}

static void check_strand_params(Verifier *v, Value *const *args, uint32_t n_args) {
  uint32_t pos = 0;
  for (uint32_t i = 0; i < v->m->params.len; i++)
    verify_components(v, v->m->params.data[i].ty, args, n_args, &pos);
  if (pos != n_args) verify_fail(v, "%u values for strand parameters of %u", n_args, pos);
}

static void check_ints(Verifier *v, Value *const *args, uint32_t n_args, uint32_t n) {
  uint32_t pos = 0;
  for (uint32_t i = 0; i < n; i++) verify_components(v, type_int(v->cx), args, n_args, &pos);
  if (pos != n_args) verify_fail(v, "%u values where %u ints belong", n_args, pos);
}

static void walk_leave(Verifier *v, const Inst *leave, const Region *region) {
  FuncKind kind = v->fn->kind;
  ExitKind exit = leave->attr.exit;
  uint32_t pos = 0;
  if (leave->n_succs != 0) verify_fail(v, "leave has no successor");
  if (region->never_leaves) verify_fail(v, "the body of a reduction leaves the function");
  if (func_is_method(kind) ? exit == EXIT_RETURN
                           : exit != (kind == FN_CREATE ? EXIT_ACTIVE : EXIT_RETURN))
    verify_fail(v, "%s is not an exit of this function", exit_text(exit));
  if (func_is_method(kind) || kind == FN_CREATE) {
    check_state(v, leave->args, leave->n_args);
  } else if (kind == FN_BOUNDS) {
    check_ints(v, leave->args, leave->n_args, 2 * v->m->n_iters);
  } else if (kind == FN_ARGS) {
    check_strand_params(v, leave->args, leave->n_args);
  } else if (kind == FN_SAMPLING) {
    verify_sampling_leave(v, leave);
  } else {
    if (kind == FN_USER) verify_components(v, v->fn->result, leave->args, leave->n_args, &pos);
    if (pos != leave->n_args) verify_fail(v, "%u values instead of %u", leave->n_args, pos);
  }
}

static Block *walk_terminator(Verifier *v, const Inst *inst, Region *region) {
  switch (inst->op) {
  case OP_JUMP: walk_jump(v, inst, region); return NULL;
  case OP_BRANCH: return walk_branch(v, inst, region);
  case OP_FOREACH: return walk_loop(v, inst, region);
  case OP_REDUCE: return walk_reduce(v, inst, region);
  case OP_NEXT: walk_next(v, inst, region); return NULL;
  case OP_LEAVE: walk_leave(v, inst, region); return NULL;
  default: verify_fail(v, "not a terminator"); return NULL; /* the other ops */
  }
}

static void enter_block(Verifier *v, const Block *blk, Region *region) {
  v->blk = blk;
  v->inst = NULL;
  if (blk->fn != v->fn || blk->id >= v->fn->next_block || bits_has(&v->visited, blk->id)) {
    verify_fail(v, "reached twice, or of another function");
    return;
  }
  bits_set(&v->visited, blk->id);
  if (!block_terminator(blk)) verify_fail(v, "has no terminator");
  for (uint32_t i = 0; i < blk->params.len; i++) {
    const Value *param = blk->params.data[i];
    if (param->block != blk || param->def || param->index != i)
      verify_fail(v, "parameter %%%u does not know its place", param->id);
    define(v, param, region->scope);
  }
}

static void enter_inst(Verifier *v, const Inst *inst, Region *region) {
  v->inst = inst;
  if (inst->block != v->blk || inst->fn != v->fn || (inst->next && inst->next->prev != inst))
    verify_fail(v, "does not know its place");
  if (op_is_terminator(inst->op) != (inst == v->blk->last))
    verify_fail(v, "a block ends with its only terminator");
  check_uses(v, inst);
  if (!v->error) verify_inst(v, inst);
  for (uint32_t i = 0; i < inst->n_results; i++) {
    const Value *result = inst->results[i];
    if (result->def != inst || result->block || result->index != i)
      verify_fail(v, "result %%%u does not know its place", result->id);
    define(v, result, region->scope);
  }
}

static void walk(Verifier *v, Block *blk, Region *region) {
  while (blk && !v->error) {
    enter_block(v, blk, region);
    for (const Inst *inst = blk->first; inst && !v->error; inst = inst->next)
      enter_inst(v, inst, region);
    blk = v->error ? NULL : walk_terminator(v, blk->last, region);
  }
}

/* ---- functions and the module ---------------------------------------------------------------- */

static void check_params(Verifier *v) {
  const ValueVec *params = &v->fn->blocks.data[0]->params;
  v->blk = v->fn->blocks.data[0];
  switch (v->fn->kind) {
  case FN_USER: return;
  case FN_ARGS:
  case FN_SAMPLING: check_ints(v, params->data, params->len, v->m->n_iters); return;
  case FN_CREATE: check_strand_params(v, params->data, params->len); return;
  case FN_START:
  case FN_UPDATE:
  case FN_STABILIZE: check_state(v, params->data, params->len); return;
  case FN_GLOBALS:
  case FN_BOUNDS:
  case FN_GLOBAL_START:
  case FN_GLOBAL_UPDATE:
    if (params->len > 0) verify_fail(v, "the function has no parameters");
    return;
  }
}

static void enter_func(Verifier *v, const Func *fn) {
  v->fn = fn;
  v->blk = NULL;
  v->inst = NULL;
}

/* What other functions rely on, wherever they stand. */
static void check_head(Verifier *v, const Func *fn) {
  enter_func(v, fn);
  if (fn->module != v->m) verify_fail(v, "belongs to another module");
  if (span_is_none(fn->span)) verify_fail(v, "has no span");
  if (fn->kind == FN_USER && (!fn->name || !fn->result)) verify_fail(v, "has no name or result");
  if (fn->kind == FN_SAMPLING) verify_sampling_func(v);
  if (fn->blocks.len == 0) verify_fail(v, "has no blocks");
}

static void check_func(Verifier *v, const Func *fn) {
  Cx *cx = v->cx;
  enter_func(v, fn);
  v->visited = bits_new(cx->scratch, fn->next_block);
  v->defined = bits_new(cx->scratch, fn->next_value);
  v->visible = bits_new(cx->scratch, fn->next_value);
  check_params(v);
  Region region = {.scope = &(IdVec){0}};
  walk(v, fn->blocks.data[0], &region);
  for (uint32_t i = 0; i < fn->blocks.len && !v->error; i++) {
    v->blk = fn->blocks.data[i];
    v->inst = NULL;
    if (!bits_has(&v->visited, v->blk->id)) verify_fail(v, "is never reached");
  }
}

static bool is_storable(const Type *ty) { return type_is_value(ty) || type_is(ty, TY_STRAND); }

static void check_tables(Verifier *v) {
  for (uint32_t i = 0; i < v->m->globals.len; i++) {
    const Global *global = &v->m->globals.data[i];
    if (!global->name || !(is_storable(global->ty) || type_is(global->ty, TY_IMAGE)))
      verify_fail(v, "global %u has no name or a type that cannot be stored", i);
    else if (global->samples != SAMPLE_REAL && !type_is(global->ty, TY_IMAGE))
      verify_fail(v, "global %u has samples and is no image", i);
    else if (global->use.kernels != 0 && !type_is(global->ty, TY_IMAGE))
      verify_fail(v, "global %u has kernels and is no image", i);
    else if (span_is_none(global->span)) verify_fail(v, "global %u has no span", i);
  }
  for (uint32_t i = 0; i < v->m->params.len; i++) {
    const StrandParam *param = &v->m->params.data[i];
    if (!param->name || !is_storable(param->ty) || span_is_none(param->span))
      verify_fail(v, "strand parameter %u has no name, no span or a type that cannot be stored", i);
  }
  for (uint32_t i = 0; i < v->m->state.len; i++) {
    const StateVar *var = &v->m->state.data[i];
    if (!var->name || !is_storable(var->ty) || span_is_none(var->span))
      verify_fail(v, "state variable %u has no name, no span or a type that cannot be stored", i);
  }
}

const char *ir_check(Cx *cx, const Module *m) {
  Verifier v = {.cx = cx, .m = m};
  check_tables(&v);
  for (uint32_t i = 0; i < m->funcs.len && !v.error; i++) check_head(&v, m->funcs.data[i]);
  for (uint32_t i = 0; i < m->funcs.len && !v.error; i++) check_func(&v, m->funcs.data[i]);
  return v.error;
}

void ir_verify(Cx *cx, const Module *m) {
  const char *error = ir_check(cx, m);
  if (error) BUG(cx, "bad IR: %s", error);
}
