/* dce: dead code elimination: removes unused instructions and block parameters.
 *
 *   %a = rmul %x, %y      (unused)      =>      removed
 *   jump b3(%p, %q)   b3(%s, %t)        =>      jump b3(%p)   b3(%s)      when %t is unused
 *
 * Any level.  Needs nothing.  Keeps dom.  First marks what is needed: the operands of instructions
 * with effects, and what is passed to needed block parameters; a carried value of a loop is needed
 * in body and merge, or not at all. Then removes the rest. Parameters of the entry block stay. Cost
 * linear in operands.
 */
#include "ir/analysis/dom.h"
#include "ir/analysis/effects.h"
#include "ir/pass/pass.h"

typedef struct Marks {
  Arena *scratch;
  bool *needed;  /* by value number */
  ValueVec todo; /* worklist: needed values whose operands are not marked yet */
  Dom *dom;
  Inst **loops;   /* by block number: the loop whose body or following block it is, or NULL */
  InstVec *jumps; /* by block number */
} Marks;

static void need(Marks *m, Value *value) {
  if (m->needed[value->id]) return;
  m->needed[value->id] = true;
  vec_push(m->scratch, &m->todo, value);
}

static void need_all(Marks *m, Value *const *values, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) need(m, values[i]);
}

static void find_passing(Marks *m) {
  for (uint32_t i = 0; i < m->dom->order.len; i++) {
    Inst *last = block_terminator(m->dom->order.data[i]);
    for (uint32_t s = 0; s < last->n_succs; s++) {
      uint32_t id = last->succs[s].block->id;
      if (inst_is_loop(last)) m->loops[id] = last;
      else vec_push(m->scratch, &m->jumps[id], last);
    }
  }
}

/* ---- what is passed to a parameter ----------------------------------------------------------- */

typedef void Visit(Marks *m, Inst *from, uint32_t arg, Value *param);

static void visit_jumps(Marks *m, Value *param, Visit *visit) {
  const InstVec *jumps = &m->jumps[param->block->id];
  for (uint32_t i = 0; i < jumps->len; i++) {
    Inst *jump = jumps->data[i];
    for (uint32_t s = 0; s < jump->n_succs; s++)
      if (jump->succs[s].block == param->block)
        visit(m, jump, jump->succs[s].first_arg + param->index, param);
  }
}

static void visit_reduced(Marks *m, Inst *reduce, Value *param, Visit *visit) {
  if (param->block == reduce->succs[1].block) visit(m, loop_find_next(reduce), param->index, param);
}

/* Visits every operand that is passed to a parameter; for a carried value, in the body and behind
 * it.
 */
static void visit_passed(Marks *m, Value *param, Visit *visit) {
  const Block *blk = param->block;
  Inst *loop = m->loops[blk->id];
  if (!loop) {
    visit_jumps(m, param, visit);
    return;
  }
  if (loop->op == OP_REDUCE) {
    visit_reduced(m, loop, param, visit);
    return;
  }
  bool is_body = loop->succs[0].block == blk;
  if (is_body && param->index == 0) return; /* the loop itself provides it */
  uint32_t i = param->index - is_body;
  Inst *next = loop_find_next(loop);
  visit(m, loop, loop->succs[0].first_arg + i, param);
  if (next) visit(m, next, i, param);
}

/* ---- marking --------------------------------------------------------------------------------- */

static void mark_passed(Marks *m, Inst *from, uint32_t arg, Value *param) {
  (void)param;
  need(m, from->args[arg]);
}

static void mark_param(Marks *m, Value *param) {
  const Inst *loop = m->loops[param->block->id];
  visit_passed(m, param, mark_passed);
  if (!loop || loop->op == OP_REDUCE) return;
  Block *body = loop->succs[0].block, *after = loop->succs[1].block;
  if (param->block == after) need(m, body->params.data[1 + param->index]);
  else if (param->index > 0) need(m, after->params.data[param->index - 1]);
}

/* A reduction keeps at least one result. */
static void need_result(Marks *m, const Inst *reduce) {
  const ValueVec *results = &reduce->succs[1].block->params;
  uint32_t i = results->len - 1;
  while (i > 0 && !value_is_used(results->data[i])) i--;
  need(m, results->data[i]);
}

static void mark_roots(Marks *m, const Func *fn) {
  const ValueVec *params = &fn->blocks.data[0]->params;
  for (uint32_t i = 0; i < params->len; i++) m->needed[params->data[i]->id] = true;
  for (uint32_t i = 0; i < m->dom->order.len; i++) {
    const Inst *inst = m->dom->order.data[i]->first, *last = m->dom->order.data[i]->last;
    if (last->op == OP_REDUCE) need_result(m, last);
    for (; inst; inst = inst->next)
      if (!effects_can_drop(inst) && inst->op != OP_NEXT)
        need_all(m, inst->args, inst_n_own_args(inst));
  }
}

static void mark(Marks *m, const Func *fn) {
  mark_roots(m, fn);
  while (m->todo.len > 0) {
    Value *value = vec_pop(&m->todo);
    if (value->def) need_all(m, value->def->args, value->def->n_args);
    else mark_param(m, value);
  }
}

/* ---- removing -------------------------------------------------------------------------------- */

static bool is_needed(const Marks *m, const Inst *inst) {
  if (!effects_can_drop(inst)) return true;
  for (uint32_t i = 0; i < inst->n_results; i++)
    if (m->needed[inst->results[i]->id]) return true;
  return false;
}

static void pass_itself(Marks *m, Inst *from, uint32_t arg, Value *param) {
  (void)m;
  inst_set_arg(from, arg, param);
}

/* Removes unneeded parameters; before that, they are passed to themselves, so that no other value
 * has a use there. */
static void cut_params(Marks *m, Block *blk) {
  for (uint32_t i = 0; i < blk->params.len; i++)
    if (!m->needed[blk->params.data[i]->id]) visit_passed(m, blk->params.data[i], pass_itself);
}

static bool remove_insts(const Marks *m, Block *blk) {
  bool has_changed = false;
  for (Inst *inst = blk->last, *prev; inst; inst = prev) {
    prev = inst->prev;
    if (is_needed(m, inst)) continue;
    inst_remove(inst);
    has_changed = true;
  }
  return has_changed;
}

static bool remove_params(const Marks *m, Block *blk) {
  Inst *loop = m->loops[blk->id];
  bool has_changed = false;
  const bool is_reduce = loop && loop->op == OP_REDUCE;
  if (loop && (loop->succs[0].block == blk) == is_reduce)
    return false; /* with the body's, after's */
  for (uint32_t i = blk->params.len; i-- > (loop && !is_reduce ? 1u : 0u);) { /* a loop gives one */
    if (m->needed[blk->params.data[i]->id]) continue;
    if (is_reduce) reduce_remove_result(loop, loop_find_next(loop), i);
    else if (loop) loop_remove_carried(loop, loop_find_next(loop), i - 1);
    else block_remove_param(blk, i);
    has_changed = true;
  }
  return has_changed;
}

bool pass_dce(Pass *px, Func *fn) {
  Arena *scratch = px->cx->scratch;
  Marks marks = {.scratch = scratch, .dom = dom_new(scratch, fn)};
  marks.needed = NEWN(scratch, bool, fn->next_value);
  marks.loops = NEWN(scratch, Inst *, fn->next_block);
  marks.jumps = NEWN(scratch, InstVec, fn->next_block);
  find_passing(&marks);
  mark(&marks, fn);

  bool has_changed = false;
  const BlockVec *order = &marks.dom->order;
  for (uint32_t i = 0; i < order->len; i++) cut_params(&marks, order->data[i]);
  for (uint32_t i = order->len; i-- > 0;) has_changed |= remove_insts(&marks, order->data[i]);
  for (uint32_t i = 0; i < order->len; i++) has_changed |= remove_params(&marks, order->data[i]);
  return has_changed;
}
