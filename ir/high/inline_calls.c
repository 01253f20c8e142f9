/* inline_calls: calls of user functions become the functions' bodies.
 *
 *   %y = call<f> %x      =>   the instructions of f over %x; %y is what f would return
 *
 * Level high. Keeps nothing. Callees come before callers, so their own calls are inlined already.
 * The function is copied block by block, and calls are expanded meanwhile. A callee with a return
 * in a place from which structured code cannot jump to the end stays a call.
 * See Note [Returns in tail position]. Functions that are not called any more are removed.
 */
#include "ir/analysis/region.h"
#include "ir/high/local.h"
#include "ir/pass/pass.h"

/* ---- which callees --------------------------------------------------------------------------- */

static bool arms_leave(const Inst *branch) {
  return region_leaves(branch->succs[0].block) || region_leaves(branch->succs[1].block);
}

static uint32_t count_jumps_to(const Func *fn, const Block *blk) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < fn->blocks.len; i++) {
    const Inst *last = block_terminator(fn->blocks.data[i]);
    for (uint32_t s = 0; s < last->n_succs; s++) n += last->succs[s].block == blk;
  }
  return n;
}

static bool can_inline(const Func *fn) {
  for (uint32_t i = 0; i < fn->blocks.len; i++) {
    const Inst *last = block_terminator(fn->blocks.data[i]);
    if (inst_is_loop(last) && region_leaves(last->succs[0].block)) return false;
    if (inst_is_op(last, OP_BRANCH) && last->merge && arms_leave(last) &&
        count_jumps_to(fn, last->merge) > 1)
      return false;
  }
  return true;
}

static bool has_work(const Func *fn) {
  for (uint32_t i = 0; i < fn->blocks.len; i++)
    for (const Inst *inst = fn->blocks.data[i]->first; inst; inst = inst->next)
      if (inst_is_op(inst, OP_CALL) && can_inline(inst->attr.func)) return true;
  return false;
}

/* ---- copying --------------------------------------------------------------------------------- */

typedef struct Copy {
  Cx *cx;
  Builder b;        /* where the copy grows */
  Map *values;      /* Value -> its copy */
  Map *merges;      /* merge Block -> Merge; absent: what follows it goes on in the arm */
  bool is_callee;   /* returns become values */
  FuncVec *inlined; /* callees, the same one perhaps more than once */
} Copy;

/* Jumps to a merge block that is copied after its arms, so that blocks keep their order. */
typedef struct Merge {
  VEC(Builder) ends;
  VEC(ValueVec) args;
} Merge;

/* Copies from blk to the end of its region: a jump to the merge around it, a next or a leave.
 * Result: in a callee the value returned, when every way through the region returns. */
static Value *copy_region(Copy *copy, const Block *blk);

static Value *copy_of(const Copy *copy, const Value *value) {
  Value *known = map_get(copy->values, value);
  ASSERT(copy->cx, known);
  return known;
}

static ValueVec copies_of(const Copy *copy, Value *const *values, uint32_t n) {
  ValueVec result = {0};
  for (uint32_t i = 0; i < n; i++) vec_push(copy->cx->arena, &result, copy_of(copy, values[i]));
  return result;
}

static Block *copy_header(Copy *copy, const Block *blk) {
  Block *result = block_new(copy->b.fn);
  for (uint32_t i = 0; i < blk->params.len; i++) {
    const Value *param = blk->params.data[i];
    map_put(copy->values, param, block_add_param(result, param->ty, param->name));
  }
  return result;
}

static void enter(Copy *copy, Block *blk) { copy->b = build_at_end(copy->cx, blk, copy->b.span); }

static Value *inline_call(Copy *copy, const Inst *call) {
  const Block *entry = call->attr.func->blocks.data[0];
  Copy inner = {.cx = copy->cx, .b = copy->b, .is_callee = true, .inlined = copy->inlined};
  inner.values = map_new(copy->cx->arena);
  inner.merges = map_new(copy->cx->arena);
  for (uint32_t i = 0; i < entry->params.len; i++)
    map_put(inner.values, entry->params.data[i], copy_of(copy, call->args[i]));
  Value *result = copy_region(&inner, entry);
  ASSERT(copy->cx, result);
  copy->b = inner.b;
  vec_push(copy->cx->arena, copy->inlined, call->attr.func);
  return result;
}

static void copy_inst(Copy *copy, const Inst *inst) {
  if (inst_is_op(inst, OP_CALL) && can_inline(inst->attr.func)) {
    map_put(copy->values, inst->results[0], inline_call(copy, inst));
    return;
  }
  ValueVec args = copies_of(copy, inst->args, inst->n_args);
  Inst *result = inst_new(copy->b.fn, inst->op, inst->attr, inst->span, args.data, args.len);
  inst_append(copy->b.block, result);
  for (uint32_t i = 0; i < inst->n_results; i++) {
    const Value *old = inst->results[i];
    map_put(copy->values, old, inst_add_result(result, old->ty, old->name));
  }
}

/* ---- terminators ----------------------------------------------------------------------------- */

static Value *copy_jump(Copy *copy, const Inst *jump) {
  const Block *to = jump->succs[0].block;
  Merge *merge = map_get(copy->merges, to);
  ValueVec args = copies_of(copy, jump->args, jump->n_args);
  if (merge) {
    vec_push(copy->cx->arena, &merge->ends, copy->b);
    vec_push(copy->cx->arena, &merge->args, args);
    return NULL;
  }
  for (uint32_t i = 0; i < args.len; i++) map_put(copy->values, to->params.data[i], args.data[i]);
  return copy_region(copy, to);
}

static Value *copy_arm(Copy *copy, const Block *arm, Block **first, Builder *end) {
  *first = copy_header(copy, arm);
  enter(copy, *first);
  Value *result = copy_region(copy, arm);
  *end = copy->b;
  return result;
}

/* Arms of a callee that return: their values meet, and what follows the branch is in the arms. */
static Value *copy_returning_branch(Copy *copy, const Inst *branch) {
  Builder head = copy->b, ends[2];
  Block *arms[2];
  Value *values[2];
  for (uint32_t i = 0; i < 2; i++) {
    values[i] = copy_arm(copy, branch->succs[i].block, &arms[i], &ends[i]);
    ASSERT(copy->cx, values[i]);
  }
  Block *meet = block_new(head.fn);
  Value *result = block_add_param(meet, values[0]->ty, NULL);
  build_branch(&head, copy_of(copy, branch->args[0]), arms[0], arms[1], meet);
  for (uint32_t i = 0; i < 2; i++) build_jump(&ends[i], meet, &values[i], 1);
  enter(copy, meet);
  return result;
}

static Value *copy_branch(Copy *copy, const Inst *branch) {
  if (copy->is_callee && arms_leave(branch)) return copy_returning_branch(copy, branch);
  Builder head = copy->b, end;
  Block *arms[2];
  Merge merge = {0};
  if (branch->merge) map_put(copy->merges, branch->merge, &merge);
  for (uint32_t i = 0; i < 2; i++) copy_arm(copy, branch->succs[i].block, &arms[i], &end);
  Block *meet = branch->merge ? copy_header(copy, branch->merge) : NULL;
  build_branch(&head, copy_of(copy, branch->args[0]), arms[0], arms[1], meet);
  if (!meet) return NULL;
  for (uint32_t i = 0; i < merge.ends.len; i++)
    build_jump(&merge.ends.data[i], meet, merge.args.data[i].data, merge.args.data[i].len);
  enter(copy, meet);
  return copy_region(copy, branch->merge);
}

static Value *copy_loop(Copy *copy, const Inst *loop) {
  uint32_t n_own = inst_n_own_args(loop);
  const Block *body = loop->succs[0].block, *after = loop->succs[1].block;
  ValueVec args = copies_of(copy, loop->args, n_own);
  ValueVec carried = copies_of(copy, loop->args + n_own, loop->n_args - n_own);
  Inst *head = inst_new(copy->b.fn, loop->op, loop->attr, loop->span, args.data, args.len);
  inst_append(copy->b.block, head);
  Block *new_body = copy_header(copy, body);
  inst_add_succ(head, new_body, carried.data, carried.len);
  enter(copy, new_body);
  copy_region(copy, body);
  Block *new_after = copy_header(copy, after);
  inst_add_succ(head, new_after, NULL, 0);
  enter(copy, new_after);
  return copy_region(copy, after);
}

static Value *copy_leave(Copy *copy, const Inst *leave) {
  if (copy->is_callee) return copy_of(copy, leave->args[0]);
  copy_inst(copy, leave);
  return NULL;
}

static Value *copy_terminator(Copy *copy, const Inst *last) {
  copy->b.span = last->span;
  switch (last->op) {
  case OP_JUMP: return copy_jump(copy, last);
  case OP_BRANCH: return copy_branch(copy, last);
  case OP_FOREACH:
  case OP_REDUCE: return copy_loop(copy, last);
  case OP_LEAVE: return copy_leave(copy, last);
  case OP_NEXT: copy_inst(copy, last); return NULL;
  default: BUG(copy->cx, "op %s ends a block", op_text(last->op)); /* no other terminators */
  }
}

static Value *copy_region(Copy *copy, const Block *blk) {
  const Inst *last = block_terminator(blk);
  for (const Inst *inst = blk->first; inst != last; inst = inst->next) copy_inst(copy, inst);
  return copy_terminator(copy, last);
}

/* ---- what is left ---------------------------------------------------------------------------- */

static bool is_called(const Func *callee) {
  const Module *m = callee->module;
  for (uint32_t f = 0; f < m->funcs.len; f++)
    for (uint32_t i = 0; i < m->funcs.data[f]->blocks.len; i++)
      for (const Inst *inst = m->funcs.data[f]->blocks.data[i]->first; inst; inst = inst->next)
        if (inst_is_op(inst, OP_CALL) && inst->attr.func == callee) return true;
  return false;
}

static void remove_uncalled(const Copy *copy) {
  for (uint32_t i = 0; i < copy->inlined->len; i++) {
    Func *callee = copy->inlined->data[i];
    if (!is_called(callee)) module_remove_func(callee->module, callee);
  }
}

/* ---- pass ------------------------------------------------------------------------------------ */

bool pass_inline_calls(Pass *px, Func *fn) {
  if (!has_work(fn)) return false;
  FuncVec inlined = {0};
  Copy copy = {.cx = px->cx, .inlined = &inlined};
  copy.values = map_new(px->cx->arena);
  copy.merges = map_new(px->cx->arena);
  uint32_t n_old = fn->blocks.len;
  const Block *entry = fn->blocks.data[0];
  copy.b = (Builder){.cx = px->cx, .fn = fn, .span = fn->span};
  enter(&copy, copy_header(&copy, entry));
  copy_region(&copy, entry);

  bool *dead = NEWN(px->cx->arena, bool, fn->blocks.len);
  for (uint32_t i = 0; i < n_old; i++) dead[i] = true;
  func_remove_blocks(fn, dead);
  remove_uncalled(&copy);
  return true;
}

/* Note [Returns in tail position]
 *
 * A callee's return cannot jump to the end of the call: structured code leaves a branch only at its
 * merge block. But where one arm of a branch returns on every way, the merge block is reached from
 * the other arm alone, and all that follows it can move into that arm; then both arms end the
 * callee, and their values meet in a new merge block:
 *
 *   branch %c, b1, b2, merge b3          branch %c, b1, b2, merge b4(%r)
 *   b1: leave<return>(%u)           =>   b1: jump b4(%u)
 *   b2: jump b3                          b2: (what was b3) jump b4(%v)
 *   b3: leave<return>(%v)                b4(%r): the call's value is %r
 *
 * Where both arms can reach the merge block and one of them may also return, what follows would be
 * copied into both; and a return inside a loop would need a flag. Such functions stay calls.
 */
