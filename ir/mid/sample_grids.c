/* sample_grids: separable resampling: if the strands of a grid probe an image at positions that
 * form a grid, the runtime computes the values for all of them together, one axis of the image
 * after another.
 *
 *   func update:                                     func sampling "img" <.. bspln3> of "img":
 *     %x = to_index %img, %pos                         %p = cons .. %i, %j, %k
 *     %v = probe_group<bspln3> %img, %x       =>       %x = to_index %img, %p
 *                                                      %w = kernel_weights<bspln3> %x
 *                                                      leave<return> %x, %w
 *                                                    func update:
 *                                                      %v = probe_group<.. sampling 0> %img, %x
 *
 * A new function gives the position and the weights for each strand. Whether the positions form a
 * grid parallel to the axes of the image, and whether resampling is faster, is decided at run time,
 * when the image is known (runtime/src/sampling). Note [Sampled grids].
 *
 * Level mid. Needs dom. Keeps dom. Runs after share_probes and whatever moves positions. Cost
 * linear in instructions. Next: grid_dependence.c.
 */
#include "frontend/base/map.h"
#include "ir/mid/grid_dependence.h"
#include "ir/mid/local.h"
#include "ir/pass/pass.h"

typedef struct Grids {
  Pass *px;
  Spreads *spreads;
  Func *sampling; /* being made */
  Map *copies;    /* Value to its copy there */
} Grids;

/* ---- which groups ---------------------------------------------------------------------------- */

/* Whether a condition consists of tests whether positions are inside images. */
static bool is_inside_test(const Value *condition) {
  const Inst *def = condition->def;
  if (!def) return false;
  switch (def->op) {
  case OP_INSIDE_INDEX: return true;
  case OP_NOT: return is_inside_test(def->args[0]);
  case OP_BAND:
  case OP_BOR: return is_inside_test(def->args[0]) && is_inside_test(def->args[1]);
  default: return false; /* may hold for few strands */
  }
}

/* Whether every strand reaches the block, or every strand whose position is inside. */
static bool is_for_most(const Pass *px, const Block *blk) {
  const Block *above = dom_parent(px->dom, blk);
  for (; above; blk = above, above = dom_parent(px->dom, blk)) {
    const Inst *last = block_terminator(above);
    if (inst_is_loop(last) && last->succs[0].block == blk) return false;
    if (!inst_is_op(last, OP_BRANCH)) continue;
    if (blk != region_meets_next(above) && !is_inside_test(last->args[0])) return false;
  }
  return true;
}

static bool is_wanted(Grids *grids, const Inst *group) {
  const Spread spread = spread_of(grids->spreads, group->args[1]);
  const bool is_plane = (spread.indices & (spread.indices - 1)) != 0; /* or a volume */
  return spread.is_sum && is_plane && type_dim(group->args[0]->ty) > 1 &&
         inst_is_op(group->args[0]->def, OP_GLOBAL_LOAD) && is_for_most(grids->px, group->block);
}

/* ---- the function ---------------------------------------------------------------------------- */

static Value *copy_of(Grids *grids, const Value *value);

static Value *copy_inst(Grids *grids, const Inst *inst) {
  Value **args = NEWN(grids->px->cx->scratch, Value *, inst->n_args);
  for (uint32_t i = 0; i < inst->n_args; i++) args[i] = copy_of(grids, inst->args[i]);
  Inst *copy = inst_new(grids->sampling, inst->op, inst->attr, inst->span, args, inst->n_args);
  Value *result = inst_add_result(copy, inst->results[0]->ty, inst->results[0]->name);
  result->at = inst->results[0]->at;
  inst_append(grids->sampling->blocks.data[0], copy);
  return result;
}

static Value *copy_of(Grids *grids, const Value *value) {
  Value *copy = map_get(grids->copies, value);
  if (copy) return copy;
  if (value->def) copy = copy_inst(grids, value->def);
  else if (value->block->fn->kind == FN_ARGS)
    copy = grids->sampling->blocks.data[0]->params.data[value->index];
  else copy = copy_of(grids, spread_source(grids->px->module, value));
  map_put(grids->copies, value, copy);
  return copy;
}

static void open_function(Grids *grids, const Inst *group) {
  Module *m = grids->px->module;
  Cx *cx = grids->px->cx;
  const VarRef image = group->args[0]->def->attr.var;
  const Func *args = module_find_func(m, FN_ARGS);
  grids->sampling = func_new(m, FN_SAMPLING, m->globals.data[image.index].name, group->span);
  grids->sampling->image = image;
  grids->sampling->group = group->attr.group;
  grids->copies = map_new(cx->scratch);
  Block *entry = block_new(grids->sampling);
  for (uint32_t i = 0; i < m->n_iters; i++)
    block_add_param(entry, type_int(cx), args->blocks.data[0]->params.data[i]->name);
}

static void make_function(Grids *grids, const Inst *group) {
  Cx *cx = grids->px->cx;
  const ProbeGroup asked = group->attr.group;
  const uint32_t dim = type_dim(group->args[0]->ty);
  open_function(grids, group);
  Value *pos = copy_of(grids, group->args[1]);
  Builder b = build_at_end(cx, grids->sampling->blocks.data[0], group->span);
  const Type *ty = group_weights_type(cx, &asked, dim);
  Value *weights = build_typed(&b, OP_KERNEL_WEIGHTS, (Attr){.group = asked}, ty, &pos, 1);
  build_leave(&b, EXIT_RETURN, (Value *[]){pos, weights}, 2);
}

static uint32_t count_samplings(const Module *m) {
  uint32_t n = 0;
  while (module_find_sampling(m, n)) n++;
  return n;
}

/* ---- pass ------------------------------------------------------------------------------------ */

/* With queries, strands run in another order than that of the grid. */
static bool has_queries(const Module *m) {
  for (uint32_t f = 0; f < m->funcs.len; f++)
    for (uint32_t i = 0; i < m->funcs.data[f]->blocks.len; i++)
      for (const Inst *inst = m->funcs.data[f]->blocks.data[i]->first; inst; inst = inst->next)
        if (inst_is_op(inst, OP_SPHERE)) return true;
  return false;
}

static bool is_sampled(const Module *m, const Func *fn) {
  bool is_of_strand = fn->kind == FN_CREATE || fn->kind == FN_START || fn->kind == FN_UPDATE;
  return is_of_strand && !m->is_collection && module_find_func(m, FN_ARGS) &&
         module_find_func(m, FN_CREATE) && !has_queries(m);
}

bool pass_sample_grids(Pass *px, Func *fn) {
  if (!is_sampled(px->module, fn)) return false;
  Grids grids = {.px = px};
  grids.spreads = spreads_new(px->cx, px->module);
  bool has_changed = false;
  for (uint32_t i = 0; i < fn->blocks.len; i++)
    for (Inst *inst = fn->blocks.data[i]->first; inst; inst = inst->next) {
      if (!inst_is_op(inst, OP_PROBE_GROUP) || inst->attr.group.sampling > 0) continue;
      if (!is_wanted(&grids, inst)) continue;
      make_function(&grids, inst);
      inst->attr.group.sampling = count_samplings(px->module);
      has_changed = true;
    }
  return has_changed;
}

/* Note [Sampled grids]
 *
 * A kernel is a product of one factor per axis, so that probes on a grid parallel to the axes share
 * work: taps along x are summed once for all probes of a column of voxels, and so on. With w taps
 * per axis, a probe of value and gradient in three dimensions costs about 3 w^3 products; its share
 * of the resampling passes is about 4 w, the number of results times the taps of the last pass, as
 * the other passes have fewer results. Positions need not be affine: any sum of functions of one
 * index each will do, because every pass has a table of weights for each of its positions.
 *
 * The compiler proves that positions are such sums. Which index goes with which axis of the image
 * depends on the image's orientation, so the runtime evaluates the function along one index at a
 * time: a sum of terms of one index each that does not change along index i does not depend on i.
 * The function computes positions and weights by the same operations as the strand, so both find
 * the same cell and the same weights, even if a position lies between two cells where a derivative
 * jumps. Only the order of the sums differs.
 *
 * Tests of the position stay in the strand. It also keeps the whole probe, for runs in which the
 * grid is oblique, too small, or too large for memory.
 */
