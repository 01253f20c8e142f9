/* Probe variants: a probe group may have several ways to get its samples; the choice is made at run
 * time:
 *
 *   branch %is_within, b1(), b2(), merge b3
 *   b1(): rows of a block of samples      jump b3(%value, %dx, ...)
 *   b2(): windows by the border rule      jump b3(%value, %dx, ...)
 *
 * An image has samples of the type that the program was compiled for, or else reals, which may be
 * copies of samples of any other type (voxels.c, Note [Copies]). If strands are a grid whose probes
 * were computed together (ir/mid/sample_grids.c), these results are tried first. Values that all
 * ways need, such as weights and the size of the image, are computed before the branch. Most probes
 * have one way, and no branch.
 */
#include <string.h>

#include "ir/mid-to-low/local.h"

enum { MAX_WAYS = 3 };

typedef struct Way {
  Value *condition; /* taken when it holds and those before do not; NULL: always */
  Placing placing;
  SampleType samples;
} Way;

typedef struct Ways {
  Lower *lower;
  Contraction *con;
  Voxels vox;
  Way *way;
  uint32_t n;
  uint32_t *same_as; /* of each part of the results, the first part that is the same value */
} Ways;

static void add_way(Ways *ways, Value *condition, Placing placing, SampleType samples) {
  ways->way[ways->n++] = (Way){.condition = condition, .placing = placing, .samples = samples};
}

static Value *is_native(Ways *ways) {
  const Attr attr = {.i = ways->vox.samples};
  return build_op(&ways->lower->b, OP_IMAGE_IS_NATIVE, attr, &ways->vox.image, 1);
}

static void add_block(Ways *ways, Placing placing) {
  const SampleType samples = ways->vox.samples;
  if (samples != SAMPLE_REAL) {
    block_find(ways->lower, &ways->vox, placing);
    add_way(ways, is_native(ways), placing, samples);
  }
  add_way(ways, NULL, placing, SAMPLE_REAL);
}

static void add_border(Ways *ways) {
  Builder *b = &ways->lower->b;
  const SampleType samples = ways->vox.samples;
  Value *is_within = voxels_are_within(ways->lower, &ways->vox);
  if (samples != SAMPLE_REAL) {
    Value *both = build_op2(b, OP_BAND, is_within, is_native(ways));
    add_way(ways, both, PLACE_WITHIN, samples);
  }
  add_way(ways, is_within, PLACE_WITHIN, SAMPLE_REAL);
  add_way(ways, NULL, PLACE_WINDOW, samples);
}

/* ---- going them ------------------------------------------------------------------------------ */

static Parts go(Ways *ways, const Way *way) {
  Voxels vox = voxels_placed(ways->lower, &ways->vox, way->placing, way->samples);
  return contract(ways->con, &vox);
}

/* Symmetric derivatives are the same value in every way. */
static void find_same(Ways *ways, Parts parts) {
  ways->same_as = NEWN(ways->lower->cx->arena, uint32_t, parts.n);
  for (uint32_t i = 0; i < parts.n; i++) {
    while (parts.v[ways->same_as[i]] != parts.v[i]) ways->same_as[i]++;
  }
}

static void jump_with(Ways *ways, Block *merge, Parts parts) {
  ValueVec args = {0};
  for (uint32_t i = 0; i < parts.n; i++)
    if (ways->same_as[i] == i) vec_push(ways->lower->cx->arena, &args, parts.v[i]);
  build_jump(&ways->lower->b, merge, args.data, args.len);
}

static Parts merge_params(const Ways *ways, Block *merge, Parts like) {
  const Parts params = parts_new(ways->lower->cx, like.n);
  for (uint32_t i = 0; i < like.n; i++) {
    const uint32_t same = ways->same_as[i];
    params.v[i] =
        same < i ? params.v[same] : block_add_param(merge, like.v[i]->ty, like.v[i]->name);
  }
  return params;
}

/* Leaves the builder where all ways meet. */
static Parts go_from(Ways *ways, const Way *way) {
  Builder *b = &ways->lower->b;
  if (way->condition == NULL) return go(ways, way);
  Block *taken = block_new(b->fn), *other = block_new(b->fn), *merge = block_new(b->fn);
  build_branch(b, way->condition, taken, other, merge);
  b->block = taken;
  const Parts parts = go(ways, way);
  if (way == ways->way) find_same(ways, parts);
  jump_with(ways, merge, parts);
  const Parts params = merge_params(ways, merge, parts);
  b->block = other;
  jump_with(ways, merge, go_from(ways, way + 1));
  b->block = merge;
  return params;
}

static Parts go_all(Lower *lower, const Inst *inst) {
  Contraction *con = contraction_new(lower, inst);
  Ways ways = {.lower = lower, .con = con, .vox = contraction_voxels(con)};
  ways.way = NEWN(lower->cx->arena, Way, MAX_WAYS);
  if (is_known_inside(lower, inst)) add_block(&ways, PLACE_WITHIN);
  else if (ways.vox.border == BORDER_NONE) add_block(&ways, PLACE_CLAMPED);
  else add_border(&ways);
  if (ways.n > 1) {
    contraction_prepare(con);
    voxels_measure(lower, &ways.vox);
  }
  return go_from(&ways, ways.way);
}

/* ---- what is known of the whole grid of strands ---------------------------------------------- */

/* Number of the derivative that an entry of the tensor of an order is. */
static uint32_t partial_of(const PartialVec *partials, uint32_t order, uint64_t entry,
                           uint32_t dim) {
  uint8_t along[MAX_DIM] = {0};
  for (uint32_t k = 0; k < order; k++, entry /= dim) along[entry % dim]++;
  uint32_t i = 0;
  while (memcmp(partials->data[i].along, along, sizeof along) != 0) i++;
  return i;
}

static Value *sampled(Lower *lower, const Inst *inst, uint32_t j, Value **values) {
  const Attr attr = {.pair = {.i = inst->attr.group.sampling - 1, .j = j}};
  if (!values[j])
    values[j] = build_typed(&lower->b, OP_SAMPLING_VALUE, attr, type_real(lower->cx), NULL, 0);
  return values[j];
}

/* The results one after another, as a probe gives them. */
static Parts take_samples(Lower *lower, const Inst *inst) {
  Arena *arena = lower->cx->arena;
  const Type *image = inst->args[0]->ty;
  const ProbeGroup *group = &inst->attr.group;
  const uint32_t dim = type_dim(image), n_components = (uint32_t)shape_size(type_shape(image));
  const PartialVec partials = group_partials(arena, group, dim);
  Value **values = NEWN(arena, Value *, (size_t)partials.len * n_components);
  ValueVec all = {0};
  uint64_t n_entries = 1;
  for (uint32_t order = 0; order < 32; order++, n_entries *= dim) {
    if (!(group->orders >> order & 1)) continue;
    for (uint64_t i = 0; i < n_components * n_entries; i++) {
      const uint32_t partial = partial_of(&partials, order, i % n_entries, dim);
      const uint32_t j = partial * n_components + (uint32_t)(i / n_entries);
      vec_push(arena, &all, sampled(lower, inst, j, values));
    }
  }
  return (Parts){.n = all.len, .v = all.data};
}

/* branch %is_made, b1(), b2(), merge b3    b1(): the values    b2(): the probe as ever */
static Parts take_or_go(Lower *lower, const Inst *inst) {
  Builder *b = &lower->b;
  Ways ways = {.lower = lower};
  const Attr number = {.i = inst->attr.group.sampling - 1};
  Block *taken = block_new(b->fn), *other = block_new(b->fn), *merge = block_new(b->fn);
  Value *is_made = build_typed(b, OP_SAMPLING_IS_MADE, number, type_bool(lower->cx), NULL, 0);
  build_branch(b, is_made, taken, other, merge);
  b->block = taken;
  const Parts parts = take_samples(lower, inst);
  find_same(&ways, parts);
  jump_with(&ways, merge, parts);
  const Parts params = merge_params(&ways, merge, parts);
  b->block = other;
  jump_with(&ways, merge, go_all(lower, inst));
  b->block = merge;
  return params;
}

void lower_group(Lower *lower, const Inst *inst) {
  note_probe(lower, inst);
  const Parts all = inst->attr.group.sampling > 0 ? take_or_go(lower, inst) : go_all(lower, inst);
  Value **at = all.v;
  for (uint32_t r = 0; r < inst->n_results; r++) {
    const uint32_t n = parts_count(inst->results[r]->ty);
    parts_set(lower, inst->results[r], (Parts){.n = n, .v = at});
    at += n;
  }
  note_close(lower);
}
