/* insert_checks: with --debug, reports indices out of range and divisions by zero, which have a
 * defined result but are mistakes.
 *
 *                                       %n = length %s
 *                                       check_index %i, %n
 *   %e = seq_index %s, %i        =>     %e = seq_index %s, %i
 *   %q = idiv %a, %b             =>     check_divisor %b
 *                                       %q = idiv %a, %b
 *
 * Level high, first of all, while every index and every division of the source is still there; no
 * pipeline has it, --debug asks for it. Needs nothing. Keeps dom. Operands that are obviously right
 * are not checked: constants, and the index of a loop over the sequence itself; nor are those of an
 * arm that a field function may not choose. Cost linear in instructions. Next:
 * runtime/src/strands/faults.c.
 */
#include "frontend/base/map.h"
#include "ir/high/local.h"
#include "ir/pass/pass.h"

static const int64_t *constant_int(const Value *value) {
  return value->def && inst_is_op(value->def, OP_CONST_INT) ? &value->def->attr.i : NULL;
}

static Value *length_of(Builder *b, Value *seq) {
  if (type_is_dynamic_seq(seq->ty)) return build_op1(b, OP_SEQ_LEN, seq);
  return build_int(b, (int64_t)type_seq_len(seq->ty));
}

static bool is_length_of(const Value *value, const Value *seq) {
  if (type_is_dynamic_seq(seq->ty))
    return value->def && inst_is_op(value->def, OP_SEQ_LEN) && value->def->args[0] == seq;
  const int64_t *length = constant_int(value);
  return length && (uint64_t)*length == type_seq_len(seq->ty);
}

/* Whether the loop goes from 0 to length - 1. */
static bool goes_over(const Inst *loop, const Value *seq) {
  if (inst_n_own_args(loop) < 2) return false; /* over strands */
  const int64_t *lo = constant_int(loop->args[0]);
  const Inst *hi = loop->args[1]->def;
  if (!lo || *lo != 0 || !hi || !inst_is_op(hi, OP_ISUB)) return false;
  const int64_t *one = constant_int(hi->args[1]);
  return one && *one == 1 && is_length_of(hi->args[0], seq);
}

static bool is_surely_inside(const Map *loops, const Value *seq, const Value *idx) {
  const int64_t *at = constant_int(idx);
  if (at) return type_is_fixed_seq(seq->ty) && *at >= 0 && (uint64_t)*at < type_seq_len(seq->ty);
  const Inst *loop = idx->block && idx->index == 0 ? map_get(loops, idx->block) : NULL;
  return loop && goes_over(loop, seq);
}

static bool check_index(Pass *px, const Map *loops, Inst *inst) {
  Value *seq = inst->args[0], *idx = inst->args[1];
  if (is_surely_inside(loops, seq, idx)) return false;
  Builder b = build_before(px->cx, inst);
  Value *args[] = {idx, length_of(&b, seq)};
  build_effect(&b, OP_CHECK_INDEX, ATTR_EMPTY, args, 2);
  return true;
}

static bool check_divisor(Pass *px, Inst *inst) {
  const int64_t *divisor = constant_int(inst->args[1]);
  if (divisor && *divisor != 0) return false;
  Builder b = build_before(px->cx, inst);
  build_effect(&b, OP_CHECK_DIVISOR, ATTR_EMPTY, &inst->args[1], 1);
  return true;
}

static bool check_inst(Pass *px, const Map *loops, Inst *inst) {
  if (inst->is_unchecked) return false;
  switch (inst->op) {
  case OP_SEQ_INDEX: return check_index(px, loops, inst);
  case OP_IDIV:
  case OP_IMOD: return check_divisor(px, inst);
  default: return false; /* everything else is right for all operands */
  }
}

/* The loop of each block that is the body of one. */
static const Map *find_loops(Arena *a, const Func *fn) {
  Map *loops = map_new(a);
  for (uint32_t i = 0; i < fn->blocks.len; i++) {
    Inst *last = block_terminator(fn->blocks.data[i]);
    if (inst_is_loop(last)) map_put(loops, last->succs[0].block, last);
  }
  return loops;
}

bool pass_insert_checks(Pass *px, Func *fn) {
  const Map *loops = find_loops(px->cx->scratch, fn);
  bool has_changed = false;
  for (uint32_t i = 0; i < fn->blocks.len; i++)
    for (Inst *inst = fn->blocks.data[i]->first; inst; inst = inst->next)
      has_changed |= check_inst(px, loops, inst);
  return has_changed;
}
