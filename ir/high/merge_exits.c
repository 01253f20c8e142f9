/* merge_exits: tail merging: paths that leave a function with the same exit meet before it.
 *
 *   branch %c, b1, b2, merge b3          branch %c, b1, b2, merge b4
 *   b1: leave<active>(%x)           =>   b1: jump b4(%x)
 *   b2: jump b3                          b2: ... jump b4(%y)
 *   b3: ... leave<active>(%y)            b4(%z): leave<active>(%z)
 *
 * So a method that leaves early, and one whose rest is nested in a branch, become the same. If the
 * exits differ, the code that continues is put behind the branch:
 *
 *   if (x < 1) { ... } else stabilize;   =>   if (!(x < 1)) stabilize; ...
 *
 * Level high, before calls are inlined, for which functions need a single return. Needs nothing.
 * Keeps nothing. See Note [Exits that stay].
 */
#include "ir/analysis/region.h"
#include "ir/high/local.h"
#include "ir/pass/pass.h"

typedef VEC(Inst *) InstVec;

typedef struct Exits {
  Cx *cx;
  Func *fn;
  Map *jumps; /* Block to InstVec: the jumps that lead there */
  bool has_changed;
} Exits;

/* See Note [Exits that stay]. */
enum { MOST_BLOCKS = 2000, MOST_NESTED = 64 };

static void note_jumps(Exits *exits) {
  for (uint32_t i = 0; i < exits->fn->blocks.len; i++) {
    Inst *last = block_terminator(exits->fn->blocks.data[i]);
    if (last->op != OP_JUMP) continue;
    InstVec *jumps = map_get(exits->jumps, last->succs[0].block);
    if (!jumps) {
      jumps = NEW(exits->cx->arena, InstVec);
      map_put(exits->jumps, last->succs[0].block, jumps);
    }
    vec_push(exits->cx->arena, jumps, last);
  }
}

static bool has_early_exit(const Func *fn) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < fn->blocks.len; i++)
    n += block_terminator(fn->blocks.data[i])->op == OP_LEAVE;
  return n > 1;
}

/* ---- branches -------------------------------------------------------------------------------- */

/* Exchanges the arms. */
static void turn(Exits *exits, Inst *branch) {
  Builder b = build_before(exits->cx, branch);
  inst_set_arg(branch, 0, build_op1(&b, OP_NOT, branch->args[0]));
  Block *first = branch->succs[0].block;
  branch->succs[0].block = branch->succs[1].block;
  branch->succs[1].block = first;
}

/* Puts the second arm behind the branch. */
static void set_apart(Exits *exits, Inst *branch) {
  Block *rest = branch->succs[1].block, *arm = block_new(exits->fn);
  Builder b = build_at_end(exits->cx, arm, branch->span);
  build_jump(&b, rest, NULL, 0);
  branch->succs[1].block = arm;
  branch->merge = rest;
}

/* ---- apart -------------------------------------------------------------------------------------
 * What follows a branch is moved into the arms that reach it, if it leaves at once, or if only one
 * arm reaches it. In a loop that arm is then put behind the branch. */

/* Whether the region that begins with the block leaves at its end. */
static bool ends_in_leave(const Block *blk) {
  const Inst *last = region_end(blk);
  return last->op == OP_LEAVE || last->op == OP_BRANCH;
}

/* Replaces a jump to a block that only leaves by that leave. */
static void leave_at(Exits *exits, Inst *jump) {
  const Inst *leave = jump->succs[0].block->first;
  Builder b = build_at_end(exits->cx, jump->block, leave->span);
  ValueVec args = {0};
  for (uint32_t i = 0; i < leave->n_args; i++) {
    Value *arg = leave->args[i];
    bool is_passed = arg->block == jump->succs[0].block;
    vec_push(exits->cx->arena, &args, is_passed ? jump->args[arg->index] : arg);
  }
  inst_remove(jump);
  build_leave(&b, leave->attr.exit, args.data, args.len);
}

static void run_into(Inst *jump) {
  Block *blk = jump->block, *to = jump->succs[0].block;
  for (uint32_t i = 0; i < to->params.len; i++)
    value_replace_uses(to->params.data[i], jump->args[i]);
  inst_remove(jump);
  block_splice(blk, to);
}

static void take_apart(Exits *exits, Inst *branch) {
  Block *merge = branch->merge;
  const InstVec *jumps = map_get(exits->jumps, merge);
  const bool is_exit = merge->first->op == OP_LEAVE, is_end = ends_in_leave(merge);
  if (!is_exit && jumps->len > 1) return;
  branch->merge = NULL;
  exits->has_changed = true;
  if (is_exit) {
    for (uint32_t i = 0; i < jumps->len; i++) leave_at(exits, jumps->data[i]);
    inst_remove(merge->first);
    return;
  }
  run_into(jumps->data[0]);
  if (is_end) return; /* together, perhaps */
  if (ends_in_leave(branch->succs[1].block)) turn(exits, branch);
  set_apart(exits, branch);
}

static void spread(Exits *exits, Block *blk) {
  while (blk) {
    Inst *last = block_terminator(blk);
    const bool is_early = last->op == OP_BRANCH && (region_leaves(last->succs[0].block) ||
                                                    region_leaves(last->succs[1].block));
    if (is_early && last->merge) take_apart(exits, last);
    for (uint32_t i = 0; i < inst_n_inner(last); i++) spread(exits, last->succs[i].block);
    blk = inst_rest(last);
  }
}

/* ---- together -------------------------------------------------------------------------------- */

/* The end of a region: the leave, or NULL; and how deeply branches that meet before it are nested.
 */
typedef struct End {
  Inst *leave;
  uint32_t n_nested;
} End;

static End close_region(Exits *exits, Block *blk);

static const Name *name_of_arg(const Exits *exits, const Inst *leave, uint32_t i) {
  const bool is_state = leave->attr.exit != EXIT_RETURN;
  return is_state ? exits->fn->module->state.data[i].name : leave->args[i]->name;
}

static void jump_instead(Exits *exits, Inst *leave, Block *to, const ValueVec *args) {
  Builder b = build_at_end(exits->cx, leave->block, leave->span);
  inst_remove(leave);
  build_jump(&b, to, args->data, args->len);
}

/* Both arms jump to a new block that leaves as they did. */
static Inst *unite(Exits *exits, Inst *branch, Inst *const leaves[2]) {
  Arena *arena = exits->cx->arena;
  Block *merge = block_new(exits->fn);
  ValueVec passed[2] = {{0}, {0}}, args = {0};
  for (uint32_t i = 0; i < leaves[0]->n_args; i++) {
    Value *arg = leaves[0]->args[i];
    if (arg != leaves[1]->args[i]) {
      for (uint32_t k = 0; k < 2; k++) vec_push(arena, &passed[k], leaves[k]->args[i]);
      arg = block_add_param(merge, arg->ty, name_of_arg(exits, leaves[0], i));
    }
    vec_push(arena, &args, arg);
  }
  Builder b = build_at_end(exits->cx, merge, leaves[1]->span);
  build_leave(&b, leaves[0]->attr.exit, args.data, args.len);
  for (uint32_t k = 0; k < 2; k++) jump_instead(exits, leaves[k], merge, &passed[k]);
  branch->merge = merge;
  return merge->last;
}

static bool goes_on(const Inst *leave) { return leave->attr.exit == EXIT_ACTIVE; }

static End close_arms(Exits *exits, Inst *branch) {
  End ends[2];
  for (uint32_t i = 0; i < 2; i++) ends[i] = close_region(exits, branch->succs[i].block);
  Inst *leaves[2] = {ends[0].leave, ends[1].leave};
  if (!leaves[0] || !leaves[1]) UNREACHABLE(exits->cx); /* else the branch had a merge */
  const uint32_t n_first = ends[0].n_nested, n_second = ends[1].n_nested;
  const uint32_t n_nested = 1 + (n_first > n_second ? n_first : n_second);
  exits->has_changed = true;
  if (leaves[0]->attr.exit == leaves[1]->attr.exit && n_nested <= MOST_NESTED)
    return (End){unite(exits, branch, leaves), n_nested};
  const bool is_turned = goes_on(leaves[0]) && !goes_on(leaves[1]);
  if (is_turned) turn(exits, branch);
  set_apart(exits, branch);
  return is_turned ? ends[0] : ends[1];
}

static End close_region(Exits *exits, Block *blk) {
  for (;;) {
    Inst *last = block_terminator(blk);
    switch (last->op) {
    case OP_LEAVE: return (End){.leave = last};
    case OP_FOREACH:
    case OP_REDUCE:
      if (last->op == OP_FOREACH) close_region(exits, last->succs[0].block);
      blk = last->succs[1].block;
      break;
    case OP_BRANCH:
      if (!last->merge) return close_arms(exits, last);
      for (uint32_t i = 0; i < 2; i++) close_region(exits, last->succs[i].block);
      blk = last->merge;
      break;
    default: return (End){.leave = NULL}; /* jump, next */
    }
  }
}

/* ---- pass ------------------------------------------------------------------------------------ */

bool pass_merge_exits(Pass *px, Func *fn) {
  if (fn->blocks.len > MOST_BLOCKS || !has_early_exit(fn)) return false;
  Exits exits = {.cx = px->cx, .fn = fn, .jumps = map_new(px->cx->arena)};
  note_jumps(&exits);
  spread(&exits, fn->blocks.data[0]);
  close_region(&exits, fn->blocks.data[0]);
  if (!exits.has_changed) return false;
  /* Those that were moved into others are empty. */
  fn->blocks = region_blocks(px->cx->arena, fn->blocks.data[0]);
  return true;
}

/* Note [Exits that stay]
 *
 * Structured code leaves a branch at its merge block only. If both arms reach it and one of them
 * may leave the function before,
 *
 *   if (a) { if (b) continue; s } t
 *
 * t would have to be copied into both paths, or a flag would be needed. Such an exit stays where it
 * is, and so does one from a loop.
 *
 * C compilers limit the nesting of braces. In a longer series of branches that leave, the last
 * MOST_NESTED are nested, and those before are not. A function of more than MOST_BLOCKS blocks is
 * not changed: it is too long to run in lanes, and otherwise both forms are equally fast.
 */
