/* share_probes: merges the probe groups of one image, kernel, border and position into one group
 * with all orders of derivatives.
 *
 *   %v = probe_group<h, 0> %img, %n               %v, %g = probe_group<h, 0|1> %img, %n
 *   ... %g = probe_group<h, 1> %img, %n     =>    ...
 *
 * Level mid. Needs dom. Keeps dom. Pure in effects: images never change while strands run.
 * Cost linear in blocks times groups. Note [Where a shared probe goes].
 */
#include "ir/mid/local.h"
#include "ir/pass/pass.h"

typedef VEC(Inst *) GroupVec;

typedef struct Share {
  Cx *cx;
  Func *fn;
  const Dom *dom;
  GroupVec alike; /* groups that may become one, in dom order */
} Share;

/* ---- which groups are alike ------------------------------------------------------------------ */

static bool are_alike(const Inst *a, const Inst *b) {
  const ProbeGroup *g = &a->attr.group, *h = &b->attr.group;
  if (g->kernel != h->kernel || g->border != h->border) return false;
  for (uint32_t i = 0; i < a->n_args; i++)
    if (!same_value(a->args[i], b->args[i])) return false;
  return true;
}

static GroupVec find_groups(Cx *cx, const Dom *dom) {
  GroupVec groups = {0};
  for (uint32_t i = 0; i < dom->order.len; i++)
    for (Inst *inst = dom->order.data[i]->first; inst; inst = inst->next)
      if (inst_is_op(inst, OP_PROBE_GROUP)) vec_push(cx->arena, &groups, inst);
  return groups;
}

/* ---- where ----------------------------------------------------------------------------------- */

/* The groups dominated by blk that a group in blk may replace. A group on a path that ends the
 * strand's life runs once, so it is not merged into one that runs at every step. */
static GroupVec groups_below(const Share *share, const Block *blk) {
  GroupVec below = {0};
  bool is_last = flow_ends_life(blk);
  for (uint32_t i = 0; i < share->alike.len; i++) {
    Inst *group = share->alike.data[i];
    if (!dom_is_ancestor(share->dom, blk, group->block)) continue;
    if (is_last || !flow_ends_life(group->block)) vec_push(share->cx->arena, &below, group);
  }
  return below;
}

static bool is_needed_after(const GroupVec *groups, const Block *blk);

static bool is_needed_from(const GroupVec *groups, const Block *blk) {
  for (uint32_t i = 0; i < groups->len; i++)
    if (groups->data[i]->block == blk) return true;
  return is_needed_after(groups, blk);
}

/* Whether every path from the end of blk, within its region, executes one of the groups. */
static bool is_needed_after(const GroupVec *groups, const Block *blk) {
  const Inst *last = block_terminator(blk);
  if (inst_is_op(last, OP_BRANCH) && is_needed_from(groups, last->succs[0].block) &&
      is_needed_from(groups, last->succs[1].block))
    return true;
  const Block *next = region_meets_next(blk);
  return next && is_needed_from(groups, next);
}

static bool can_hoist(const Share *share, const GroupVec *groups, const Block *blk) {
  const Inst *group = groups->data[0];
  for (uint32_t i = 0; i < group->n_args; i++)
    if (!same_can_move(share->dom, group->args[i], blk)) return false;
  return is_needed_after(groups, blk);
}

/* The instruction of blk in front of which the merged group is put; NULL: not in blk. */
static Inst *find_place(const Share *share, const GroupVec *groups, const Block *blk) {
  if (groups->data[0]->block == blk) return groups->data[0];
  return can_hoist(share, groups, blk) ? block_terminator(blk) : NULL;
}

/* ---- sharing --------------------------------------------------------------------------------- */

static uint32_t union_of_orders(const GroupVec *groups) {
  uint32_t orders = 0;
  for (uint32_t i = 0; i < groups->len; i++) orders |= groups->data[i]->attr.group.orders;
  return orders;
}

static Inst *build_group(const Share *share, const GroupVec *groups, Inst *place) {
  const Inst *like = groups->data[0];
  const Type *image = like->args[0]->ty;
  Builder b = build_before(share->cx, place);
  ValueVec args = {0};
  for (uint32_t i = 0; i < like->n_args; i++)
    vec_push(share->cx->arena, &args, same_move(share->dom, &b, like->args[i]));

  Attr attr = like->attr;
  attr.group.orders = union_of_orders(groups);
  Inst *group = inst_new(share->fn, OP_PROBE_GROUP, attr, like->span, args.data, args.len);
  inst_insert_before(group, place);
  Shape shape = *type_shape(image);
  for (uint32_t order = 0; order < 32; order++) {
    if (attr.group.orders >> order & 1) inst_add_result(group, type_tensor(share->cx, shape), NULL);
    shape = shape_append(shape, type_dim(image));
  }
  return group;
}

/* Replaces the results of old by those of the same orders of group. */
static void replace_group(Inst *old, const Inst *group) {
  uint32_t from = 0, to = 0;
  for (uint32_t order = 0; order < 32; order++) {
    bool has_old = old->attr.group.orders >> order & 1;
    if (has_old) value_replace_uses(old->results[from++], group->results[to]);
    to += group->attr.group.orders >> order & 1;
  }
  inst_remove(old);
}

static void drop_shared(Share *share, const GroupVec *shared) {
  uint32_t n_kept = 0;
  for (uint32_t i = 0; i < share->alike.len; i++) {
    bool is_shared = false;
    for (uint32_t j = 0; j < shared->len; j++) is_shared |= shared->data[j] == share->alike.data[i];
    if (!is_shared) share->alike.data[n_kept++] = share->alike.data[i];
  }
  share->alike.len = n_kept;
}

static bool share_at(Share *share, const Block *blk) {
  GroupVec groups = groups_below(share, blk);
  if (groups.len < 2) return false;
  Inst *place = find_place(share, &groups, blk);
  if (!place) return false;
  Inst *group = build_group(share, &groups, place);
  for (uint32_t i = 0; i < groups.len; i++) replace_group(groups.data[i], group);
  drop_shared(share, &groups);
  return true;
}

bool pass_share_probes(Pass *px, Func *fn) {
  Share share = {.cx = px->cx, .fn = fn, .dom = px->dom};
  GroupVec groups = find_groups(px->cx, px->dom);
  bool *done = NEWN(px->cx->arena, bool, groups.len);
  bool has_changed = false;
  for (uint32_t i = 0; i < groups.len; i++) {
    if (done[i]) continue; /* already merged */
    share.alike.len = 0;
    for (uint32_t j = i; j < groups.len; j++) {
      if (done[j] || !are_alike(groups.data[i], groups.data[j])) continue;
      done[j] = true;
      vec_push(px->cx->arena, &share.alike, groups.data[j]);
    }
    for (uint32_t j = 0; share.alike.len > 1 && j < px->dom->order.len; j++)
      has_changed |= share_at(&share, px->dom->order.data[j]);
  }
  return has_changed;
}

/* Note [Where a shared probe goes]
 *
 * Loads dominate the cost of a probe, so all derivatives of an image at one position come from one
 * set of them, also those used only under a condition: value and gradient together cost about twice
 * the arithmetic of the value alone and the same loads.
 *
 * From the outside in, the groups that a block dominates are merged in it if the block has one of
 * them; or at its end, if every path from there executes one and the operands are available there:
 * for example if both arms of a branch probe, or an arm and the code behind the branch. Groups are
 * not moved out of loops.
 *
 * There is one exception: code on a path to stabilize or die runs once per strand, other code at
 * every step. Shading the point where a ray stops must not slow down the ray.
 */
