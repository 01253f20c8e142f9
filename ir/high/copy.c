/* copy: copies functions block by block, while calls and loops are expanded (copy.h). */
#include "ir/high/copy.h"

#include "frontend/base/panic.h"
#include "ir/analysis/region.h"

typedef struct Copy {
  Cx *cx;
  Builder b;        /* where the copy grows */
  Map *values;      /* Value -> its copy */
  Map *merges;      /* merge Block -> Merge; absent: what follows it goes on in the arm */
  bool is_callee;   /* returns become values */
  ValueVec *next;   /* in a loop that is expanded: gets the values of the next round; else NULL */
  FuncVec *inlined; /* callees, the same one perhaps more than once */
  const Expansions *expansions;
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

static void set_copies(Copy *copy, Value *const *values, const ValueVec *copies) {
  for (uint32_t i = 0; i < copies->len; i++) map_put(copy->values, values[i], copies->data[i]);
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
  Copy inner = {.cx = copy->cx,
                .b = copy->b,
                .is_callee = true,
                .inlined = copy->inlined,
                .expansions = copy->expansions};
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

static bool is_inlined(const Copy *copy, const Inst *inst) {
  return inst_is_op(inst, OP_CALL) && copy->expansions->calls &&
         copy->expansions->calls(inst->attr.func);
}

static void copy_inst(Copy *copy, const Inst *inst) {
  if (is_inlined(copy, inst)) {
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
  set_copies(copy, to->params.data, &args);
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
  if (copy->is_callee && region_arms_leave(branch)) return copy_returning_branch(copy, branch);
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

static Value *copy_rounds(Copy *copy, const Inst *loop, ValueVec carried, uint32_t n_rounds) {
  const Block *body = loop->succs[0].block, *after = loop->succs[1].block;
  const int64_t first = loop->args[0]->def->attr.i;
  ValueVec *around = copy->next;
  for (uint32_t i = 0; i < n_rounds; i++) {
    ValueVec next = {0};
    map_put(copy->values, body->params.data[0], build_int(&copy->b, first + i));
    set_copies(copy, body->params.data + 1, &carried);
    copy->next = &next;
    copy_region(copy, body);
    carried = next;
  }
  copy->next = around;
  set_copies(copy, after->params.data, &carried);
  return copy_region(copy, after);
}

static Value *copy_loop(Copy *copy, const Inst *loop) {
  const Expansions *expansions = copy->expansions;
  uint32_t n_own = inst_n_own_args(loop);
  const Block *body = loop->succs[0].block, *after = loop->succs[1].block;
  ValueVec args = copies_of(copy, loop->args, n_own);
  ValueVec carried = copies_of(copy, loop->args + n_own, loop->n_args - n_own);
  const uint32_t n_rounds = expansions->rounds ? expansions->rounds(expansions->context, loop) : 0;
  if (n_rounds > 0) return copy_rounds(copy, loop, carried, n_rounds);
  Inst *head = inst_new(copy->b.fn, loop->op, loop->attr, loop->span, args.data, args.len);
  inst_append(copy->b.block, head);
  Block *new_body = copy_header(copy, body);
  inst_add_succ(head, new_body, carried.data, carried.len);
  enter(copy, new_body);
  ValueVec *around = copy->next;
  copy->next = NULL;
  copy_region(copy, body);
  copy->next = around;
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

static Value *copy_next(Copy *copy, const Inst *next) {
  if (copy->next) *copy->next = copies_of(copy, next->args, next->n_args);
  else copy_inst(copy, next);
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
  case OP_NEXT: return copy_next(copy, last);
  default: BUG(copy->cx, "op %s ends a block", op_text(last->op)); /* no other terminators */
  }
}

static Value *copy_region(Copy *copy, const Block *blk) {
  const Inst *last = block_terminator(blk);
  for (const Inst *inst = blk->first; inst != last; inst = inst->next) copy_inst(copy, inst);
  return copy_terminator(copy, last);
}

void copy_function(Pass *px, Func *fn, const Expansions *expansions, FuncVec *inlined) {
  Copy copy = {.cx = px->cx, .inlined = inlined, .expansions = expansions};
  copy.values = map_new(px->cx->arena);
  copy.merges = map_new(px->cx->arena);
  const uint32_t n_old = fn->blocks.len;
  const Block *entry = fn->blocks.data[0];
  copy.b = (Builder){.cx = px->cx, .fn = fn, .span = fn->span};
  enter(&copy, copy_header(&copy, entry));
  copy_region(&copy, entry);

  bool *dead = NEWN(px->cx->arena, bool, fn->blocks.len);
  for (uint32_t i = 0; i < n_old; i++) dead[i] = true;
  func_remove_blocks(fn, dead);
}
