/* unroll_sequences: a loop of few rounds that makes a short sequence becomes these rounds.
 *
 *   %w = seq                                    %w = seq
 *   foreach 0, 2, b1(%w), b2()                  %w0 = append %w, (f of 0)
 *   b1(%i, %v): %u = append %v, (f of %i)  =>   %w1 = append %w0, (f of 1)
 *     next %u                                   %w2 = append %w1, (f of 2)
 *   b2(%all): (uses of %all)                    (uses of %w2)
 *
 * Level high. Needs nothing. Keeps nothing. Then simplify knows the elements: the sequence is a
 * literal, or each element that is read is known, and no memory is allocated for it. Lanes gain
 * most, as their lists are made and read lane by lane. Both bounds must be constants, and the
 * sequence must begin as a short literal and have as many elements for every strand. Nested loops
 * are unrolled together if each of them is short; around one that stays and probes, none is. Runs
 * between simplify, which finds constant bounds, and simplify.
 */
#include "ir/analysis/region.h"
#include "ir/high/copy.h"

enum { MOST_OPS = 800 }; /* of a loop when it is unrolled */

enum { UNKNOWN = -1 };

typedef struct Unrolling {
  Cx *cx;
  const Func *fn;
  Map *rounds; /* loop -> its Rounds */
} Unrolling;

/* How many rounds replace a loop; n = 0: it stays. */
typedef struct Rounds {
  uint32_t n;
} Rounds;

static uint32_t n_rounds(Unrolling *unrolling, const Inst *loop);

/* ---- sequences ------------------------------------------------------------------------------- */

enum { BODY, AFTER }; /* successors of a loop */

/* The loop that has a block as that successor; NULL: none has. */
static const Inst *loop_with(const Unrolling *unrolling, const Block *blk, int successor) {
  for (uint32_t i = 0; i < unrolling->fn->blocks.len; i++) {
    const Inst *last = block_terminator(unrolling->fn->blocks.data[i]);
    if (last->op == OP_FOREACH && last->succs[successor].block == blk) return last;
  }
  return NULL;
}

static Value *initial(const Inst *loop, uint32_t i) {
  return loop->args[inst_n_own_args(loop) + i];
}

/* The sequence to which an instruction adds elements, and how many; NULL: it does not. */
static const Value *shorter(const Inst *inst, int64_t *n) {
  const Inst *other;
  *n = 1;
  switch (inst ? inst->op : OP_COUNT) {
  case OP_SEQ_APPEND: return inst->args[0];
  case OP_SEQ_PREPEND: return inst->args[1];
  case OP_SEQ_CONCAT:
    other = inst->args[1]->def;
    if (!other || other->op != OP_SEQ) return NULL;
    *n = other->n_args;
    return inst->args[0];
  default: return NULL;
  }
}

static int64_t growth(Unrolling *unrolling, const Value *value, const Value *from);

/* Of carried value i in one round of a loop. */
static int64_t growth_in(Unrolling *unrolling, const Inst *loop, uint32_t i) {
  return growth(unrolling, loop_find_next(loop)->args[i], loop->succs[0].block->params.data[1 + i]);
}

/* How many elements more a sequence has than another one, on which it builds; or UNKNOWN. */
static int64_t growth(Unrolling *unrolling, const Value *value, const Value *from) {
  int64_t n = 0, before;
  if (value == from) return 0;
  const Inst *loop = value->block ? loop_with(unrolling, value->block, AFTER) : NULL;
  if (loop) {
    const uint32_t rounds = n_rounds(unrolling, loop);
    n = rounds > 0 ? growth_in(unrolling, loop, value->index) : UNKNOWN;
    if (n == UNKNOWN) return UNKNOWN;
    n *= rounds;
    value = initial(loop, value->index);
  } else {
    value = shorter(value->def, &n);
    if (!value) return UNKNOWN;
  }
  before = growth(unrolling, value, from);
  return before == UNKNOWN ? UNKNOWN : before + n;
}

/* Whether a sequence begins as a literal, perhaps in front of a loop around. */
static bool is_short(Unrolling *unrolling, const Value *value) {
  int64_t n;
  if (value->block) {
    const Inst *loop = loop_with(unrolling, value->block, AFTER);
    if (!loop) return loop_with(unrolling, value->block, BODY);
    return n_rounds(unrolling, loop) > 0 && is_short(unrolling, initial(loop, value->index));
  }
  if (value->def->op == OP_SEQ) return true;
  const Value *before = shorter(value->def, &n);
  return before && is_short(unrolling, before);
}

static bool is_made_in(Unrolling *unrolling, const Inst *loop, uint32_t i, uint32_t n) {
  const Type *ty = initial(loop, i)->ty;
  if (!type_is_dynamic_seq(ty) || !is_short(unrolling, initial(loop, i))) return false;
  const int64_t more = growth_in(unrolling, loop, i);
  if (more <= 0 || more > SEQ_MOST_SHORT / n) return false;
  return (uint64_t)more * n * seq_n_scalars(type_elem(ty)) <= SEQ_MOST_SHORT;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* A probe becomes about as many instructions as its window has rows, and then all of the weights.
 * Eigensystems and user functions are calls later, too. */
static uint64_t n_ops_of(const Inst *inst) {
  if (inst->op != OP_PROBE) return 1;
  const uint64_t dim = type_dim(inst->args[0]->ty);
  return 8 * dim * dim;
}

static bool has_probes(const Block *first) {
  for (const Block *blk = first; blk; blk = inst_rest(block_terminator(blk))) {
    const Inst *last = block_terminator(blk);
    for (const Inst *inst = blk->first; inst; inst = inst->next)
      if (inst->op == OP_PROBE) return true;
    for (uint32_t i = 0; i < inst_n_inner(last); i++)
      if (has_probes(last->succs[i].block)) return true;
  }
  return false;
}

/* A loop within that stays and probes, such as a path through a flow, takes so long that the
 * sequence costs nothing beside it, while each copy takes a C compiler a third of a second. */
static uint64_t n_ops(Unrolling *unrolling, const Block *first) {
  uint64_t n = 0;
  for (const Block *blk = first; blk; blk = inst_rest(block_terminator(blk))) {
    const Inst *last = block_terminator(blk);
    for (const Inst *inst = blk->first; inst; inst = inst->next) n += n_ops_of(inst);
    const uint32_t rounds = last->op == OP_FOREACH ? n_rounds(unrolling, last) : 0;
    if (inst_is_loop(last) && rounds == 0 && has_probes(last->succs[0].block)) return MOST_OPS + 1;
    for (uint32_t i = 0; i < inst_n_inner(last); i++)
      n += (rounds > 0 ? rounds : 1) * n_ops(unrolling, last->succs[i].block);
  }
  return n;
}

static uint32_t n_if_constant(const Inst *loop) {
  const Inst *lo = loop->args[0]->def, *hi = loop->args[1]->def;
  if (!lo || lo->op != OP_CONST_INT || !hi || hi->op != OP_CONST_INT) return 0;
  const int64_t first = lo->attr.i, last = hi->attr.i;
  if (last < first || (uint64_t)last - (uint64_t)first >= SEQ_MOST_SHORT) return 0;
  return (uint32_t)(last - first) + 1;
}

static uint32_t find_n_rounds(Unrolling *unrolling, const Inst *loop) {
  const uint32_t n = n_if_constant(loop);
  bool makes_one = false;
  if (n == 0 || !loop_find_next(loop)) return 0;
  for (uint32_t i = 0; i < loop_n_carried(loop) && !makes_one; i++)
    makes_one = is_made_in(unrolling, loop, i, n);
  return makes_one && n * n_ops(unrolling, loop->succs[0].block) <= MOST_OPS ? n : 0;
}

/* How many rounds replace a loop; 0: it stays. */
static uint32_t n_rounds(Unrolling *unrolling, const Inst *loop) {
  Rounds *known = map_get(unrolling->rounds, loop);
  if (known) return known->n;
  known = NEW(unrolling->cx->scratch, Rounds);
  known->n = find_n_rounds(unrolling, loop);
  map_put(unrolling->rounds, loop, known);
  return known->n;
}

static uint32_t known_rounds(void *context, const Inst *loop) {
  const Rounds *known = map_get(((Unrolling *)context)->rounds, loop);
  return known ? known->n : 0;
}

bool pass_unroll_sequences(Pass *px, Func *fn) {
  Unrolling unrolling = {.cx = px->cx, .fn = fn, .rounds = map_new(px->cx->scratch)};
  bool has_work = false;
  for (uint32_t i = 0; i < fn->blocks.len; i++) {
    const Inst *last = block_terminator(fn->blocks.data[i]);
    if (last->op == OP_FOREACH && n_rounds(&unrolling, last) > 0) has_work = true;
  }
  if (!has_work) return false;
  copy_function(px, fn, &(Expansions){.rounds = known_rounds, .context = &unrolling}, NULL);
  return true;
}
