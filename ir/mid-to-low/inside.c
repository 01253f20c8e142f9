/* Inside: finds probes that run only if a test has found their position inside the image. Then all
 * taps are within the grid, and none need be clamped or mapped by a border rule:
 *
 *   %x = to_index %img, %p
 *   %t = inside_index<2> %img, %x
 *   branch %t, b1(), b2(), merge b3
 *   b1(): %v = probe_group<ctmr ...> %img, %x
 *
 * Value numbering has merged the positions to one value.
 */
#include "ir/analysis/dom.h"
#include "ir/mid-to-low/local.h"

/* Whether the test is for the group's position and image, and for a support at least as large. */
static bool is_test_of(const Inst *test, const Inst *group) {
  bool is_test = test->args[0] == group->args[0] && test->args[1] == group->args[1];
  for (uint32_t axis = 0; axis < KERNEL_MAX_AXES; axis++)
    is_test = is_test && test->attr.supports.along[axis] >= group->attr.group.kernel->support;
  return is_test;
}

/* Whether the position is inside if the condition has this value. */
static bool implies(const Value *condition, bool holds, const Inst *group) {
  const Inst *def = condition->def;
  if (def == NULL) return false;
  switch (def->op) {
  case OP_INSIDE_INDEX: return holds && is_test_of(def, group);
  case OP_NOT: return implies(def->args[0], !holds, group);
  case OP_BAND:
    return holds && (implies(def->args[0], true, group) || implies(def->args[1], true, group));
  case OP_BOR:
    return !holds && (implies(def->args[0], false, group) || implies(def->args[1], false, group));
  default: return false; /* no condition on positions */
  }
}

/* Whether every path from the branch to its merge block goes through this arm. */
static bool is_only_way(const Lower *lower, const Inst *branch, const Block *arm) {
  const InstVec jumps = dom_jumps_to(lower->dom, lower->cx->scratch, branch->merge);
  for (uint32_t i = 0; i < jumps.len; i++)
    if (!dom_is_ancestor(lower->dom, arm, jumps.data[i]->block)) return false;
  return true;
}

/* Whether a block that the branch dominates is reached through this arm only. */
static bool is_behind(const Lower *lower, const Inst *branch, uint32_t arm, const Block *blk) {
  const Block *taken = branch->succs[arm].block;
  return blk == taken || (blk == branch->merge && is_only_way(lower, branch, taken));
}

bool is_known_inside(const Lower *lower, const Inst *group) {
  const Block *blk = group->block, *above = dom_parent(lower->dom, blk);
  for (; above != NULL; blk = above, above = dom_parent(lower->dom, blk)) {
    const Inst *branch = block_terminator(above);
    if (!inst_is_op(branch, OP_BRANCH)) continue;
    for (uint32_t arm = 0; arm < 2; arm++)
      if (is_behind(lower, branch, arm, blk) && implies(branch->args[0], arm == 0, group))
        return true;
  }
  return false;
}
