/* value_number: global value numbering: equal values are computed once.
 *
 *   %a = rmul %x, %y                 %a = rmul %x, %y
 *   %b = rmul %y, %x         =>      (uses of %b read %a)
 *
 * Any level.  Needs dom.  Keeps dom.  An instruction is looked up among those that dominate it, in
 * a hash table that is filled on the way down the dominator tree and emptied on the way up. READ
 * ops are merged in functions that write nothing, and in bodies of reductions, which never write.
 * Cost linear in instructions.
 */
#include "frontend/base/vec.h"
#include "ir/analysis/dom.h"
#include "ir/analysis/effects.h"
#include "ir/analysis/region.h"
#include "ir/pass/pass.h"

typedef struct Entry Entry;
struct Entry {
  Inst *inst;
  uint32_t hash;
  Entry *next; /* same slot, entered before */
};

typedef struct Numbering {
  Pass *px;
  Entry **slots; /* n_slots is a power of two */
  uint32_t n_slots;
  VEC(Entry *) entered; /* in order, to leave scopes */
  bool *is_in_walk;     /* by block number: within the body of a reduction */
  bool is_read_only, has_changed;
} Numbering;

/* Whether x op y and y op x have the same bits. Not for min and max, because of NaN and -0. */
static bool is_commutative(OpId op) {
  switch (op) {
  case OP_RADD:
  case OP_RMUL:
  case OP_REQ:
  case OP_RNE:
  case OP_IADD:
  case OP_IMUL:
  case OP_IMIN:
  case OP_IMAX:
  case OP_IEQ:
  case OP_INE:
  case OP_BAND:
  case OP_BOR:
  case OP_BEQ:
  case OP_BNE:
  case OP_STREQ:
  case OP_STRNE:
  case OP_OFFSET_ADD: return true;
  default: return false; /* order matters, or there are not two operands */
  }
}

static uint32_t hash_inst(const Inst *inst) {
  uint32_t hash = (uint32_t)inst->op * 16777619u ^ attr_hash(op_attr_kind(inst->op), inst->attr);
  uint32_t operands = 0;
  for (uint32_t i = 0; i < inst->n_args; i++) {
    uint32_t id = (inst->args[i]->id + 1) * 2654435761u;
    operands = is_commutative(inst->op) ? operands + id : operands * 31 + id;
  }
  return (hash ^ operands) * 2654435761u;
}

static bool same_operands(const Inst *a, const Inst *b) {
  bool is_same = true;
  for (uint32_t i = 0; i < a->n_args; i++) is_same &= a->args[i] == b->args[i];
  return is_same || (is_commutative(a->op) && a->args[0] == b->args[1] && a->args[1] == b->args[0]);
}

static bool same_results(const Inst *a, const Inst *b) {
  if (a->n_results != b->n_results) return false;
  for (uint32_t i = 0; i < a->n_results; i++)
    if (a->results[i]->ty != b->results[i]->ty) return false;
  return true;
}

static bool same_value(const Inst *a, const Inst *b) {
  return a->op == b->op && a->n_args == b->n_args && same_results(a, b) &&
         attr_eq(op_attr_kind(a->op), a->attr, b->attr) && same_operands(a, b);
}

static void note_walk(Numbering *n, const Inst *reduce) {
  const BlockVec body = region_blocks(n->px->cx->scratch, reduce->succs[0].block);
  for (uint32_t i = 0; i < body.len; i++) n->is_in_walk[body.data[i]->id] = true;
}

/* Marks the blocks in bodies of reductions. Outer reductions come first, and include inner ones. */
static void find_walks(Numbering *n, const Func *fn) {
  const BlockVec *order = &n->px->dom->order;
  n->is_in_walk = NEWN(n->px->cx->scratch, bool, fn->next_block);
  for (uint32_t i = 0; i < order->len; i++) {
    const Inst *last = block_terminator(order->data[i]);
    if (last->op == OP_REDUCE && !n->is_in_walk[order->data[i]->id]) note_walk(n, last);
  }
}

/* Whether an instruction may be merged with an equal one that dominates it: what both read cannot
 * have changed in between. One in a reduction is visible only there, where nothing is written; one
 * outside must not read, unless the whole function writes nothing. */
static bool can_merge(const Numbering *n, const Inst *inst) {
  const bool is_in_walk = n->is_in_walk[inst->block->id] && inst->op != OP_CALL;
  return inst->n_results > 0 && effects_can_merge(inst, n->is_read_only || is_in_walk);
}

static void number_inst(Numbering *n, Inst *inst) {
  if (!can_merge(n, inst)) return;
  uint32_t hash = hash_inst(inst);
  Entry **slot = &n->slots[hash & (n->n_slots - 1)];
  for (Entry *entry = *slot; entry; entry = entry->next) {
    if (entry->hash != hash || !same_value(entry->inst, inst)) continue;
    for (uint32_t i = 0; i < inst->n_results; i++)
      value_replace_uses(inst->results[i], entry->inst->results[i]);
    inst_remove(inst);
    n->has_changed = true;
    return;
  }
  Entry *entry = NEW(n->px->cx->scratch, Entry);
  *entry = (Entry){.inst = inst, .hash = hash, .next = *slot};
  *slot = entry;
  vec_push(n->px->cx->scratch, &n->entered, entry);
}

/* Removes the entries of blocks that have been left. */
static void leave_to(Numbering *n, const Block *blk) {
  while (n->entered.len > 0) {
    const Entry *entry = vec_last(&n->entered);
    if (dom_is_ancestor(n->px->dom, entry->inst->block, blk)) return;
    n->slots[entry->hash & (n->n_slots - 1)] = entry->next;
    n->entered.len--;
  }
}

static uint32_t slots_for(const Func *fn) {
  uint32_t n_slots = 16;
  while (n_slots < fn->next_value) n_slots *= 2;
  return n_slots;
}

bool pass_value_number(Pass *px, Func *fn) {
  Numbering numbering = {.px = px, .n_slots = slots_for(fn)};
  numbering.slots = NEWN(px->cx->scratch, Entry *, numbering.n_slots);
  numbering.is_read_only = effects_is_read_only(fn);
  find_walks(&numbering, fn);
  for (uint32_t i = 0; i < px->dom->order.len; i++) {
    Block *blk = px->dom->order.data[i];
    leave_to(&numbering, blk);
    for (Inst *inst = blk->first, *next; inst; inst = next) {
      next = inst->next;
      number_inst(&numbering, inst);
    }
  }
  return numbering.has_changed;
}
