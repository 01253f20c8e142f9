/* Stencils, in blocks: the samples under a kernel where all of them are in the grid, by index
 * functions.
 *
 *   window            (component, z, y, x), n_taps on each axis: memory_of_window
 *   row (y, z)        slice [whole, z, y, whole], permute: (x, component)
 *   chunk             2s samples of a row that are neighbours in memory, whosever they are
 *
 * The window's first sample is found once; all others are a known distance away, tap * stride for
 * the axes y and z. Components lie side by side, so that a row of n of them is n chunks.
 */
#include "ir/mid-to-low/local.h"

static Value *const_offset(Lower *lower, int64_t offset) {
  return build_typed(&lower->b, OP_CONST_OFFSET, (Attr){.i = offset}, type_offset(lower->cx), NULL,
                     0);
}

/* ---- polynomials as instructions ------------------------------------------------------------- */

static bool is_axis(Lower *lower, const PolyAtom *atom, const char *what, uint32_t axis) {
  return atom->kind == POLY_UNKNOWN && atom->name == memory_axis_name(lower->cx, what, axis);
}

/* From a row or plane to the one some taps further, one for each axis and tap. */
static Value *step(Lower *lower, Voxels *vox, uint32_t axis, int64_t tap) {
  Value *next = voxels_next(lower, vox, axis);
  if (tap == 1) return next;
  if (tap < 0 || tap >= MAX_TAPS)
    return build_op2(&lower->b, OP_OFFSET_MUL, build_int(&lower->b, tap), next);
  Value **known = &vox->step[axis][tap];
  if (*known == NULL) *known = build_op2(&lower->b, OP_OFFSET_MUL, build_int(&lower->b, tap), next);
  return part_hint(lower, *known, "step_%c%u", AXIS_LETTER(axis), (uint32_t)tap);
}

/* A product of a number, a corner and a stride; the last two need not be there. With a corner it
 * leads to the block, without one from there to a row. */
static Value *build_term(Lower *lower, Voxels *vox, const PolyTerm *term) {
  Value *corner = NULL;
  uint32_t along = MAX_DIM;
  for (uint32_t k = 0; k < term->n_powers; k++)
    for (uint32_t axis = 0; axis < vox->dim; axis++) {
      if (is_axis(lower, term->powers[k].atom, "corner", axis)) corner = vox->corner[axis];
      if (is_axis(lower, term->powers[k].atom, "stride", axis)) along = axis;
    }
  if (corner == NULL) return along < MAX_DIM ? step(lower, vox, along, term->factor) : NULL;
  const bool is_in_row = along == MAX_DIM;
  ASSERT(lower->cx, is_in_row || term->factor == 1);
  Value *stride = is_in_row ? const_offset(lower, term->factor) : voxels_stride(lower, vox, along);
  return build_op2(&lower->b, OP_OFFSET_MUL, corner, stride);
}

static Value *plus(Lower *lower, Value *sum, Value *next) {
  return sum == NULL ? next : build_op2(&lower->b, OP_OFFSET_ADD, sum, next);
}

/* NULL for 0. */
static Value *build_offset(Lower *lower, Voxels *vox, Poly offset) {
  Value *sum = NULL;
  for (uint32_t i = 0; i < offset.n_terms; i++)
    sum = plus(lower, sum, build_term(lower, vox, &offset.terms[i]));
  if (offset.constant != 0) sum = plus(lower, sum, const_offset(lower, offset.constant));
  return sum;
}

/* ---- the first sample ------------------------------------------------------------------------ */

static Poly offset_at(Lower *lower, const Ixfun *f, const Poly *idx, uint32_t rank) {
  Poly offset;
  if (!ixfun_index(lower->cx->arena, f, idx, rank, 1, &offset))
    BUG(lower->cx, "a sample outside of its window");
  return offset;
}

static Poly first_sample(Lower *lower, const Voxels *vox) {
  Poly zeros[MAX_DIM + 1];
  for (uint32_t k = 0; k <= MAX_DIM; k++) zeros[k] = poly_const(0);
  return offset_at(lower, vox->window, zeros, ixfun_rank(vox->window));
}

void block_find(Lower *lower, Voxels *vox, Placing placing) {
  const OpId op = placing == PLACE_WITHIN ? OP_CORNER_WITHIN : OP_CORNER;
  for (uint32_t axis = 0; axis < vox->dim; axis++) {
    vox->corner[axis] = voxels_axis_op(lower, op, vox, axis);
    part_hint(lower, vox->corner[axis], "corner_%c", AXIS_LETTER(axis));
  }
  Value *offset = build_offset(lower, vox, first_sample(lower, vox));
  vox->corner_offset = part_hint(lower, offset, "corner_offset");
  for (uint32_t axis = 1; axis < vox->dim; axis++)
    for (uint32_t tap = 1; tap < vox->n_taps; tap++) step(lower, vox, axis, tap);
}

void block_place(Lower *lower, Voxels *vox) {
  if (vox->corner_offset == NULL) block_find(lower, vox, vox->placing);
  Value *args[] = {vox->image, vox->corner_offset};
  const Attr attr = {.i = voxels_may_be_copied(vox) ? vox->n_taps / 2 : 0};
  Value *addr =
      build_typed(&lower->b, OP_SAMPLE_ADDR, attr, type_addr(lower->cx, vox->samples), args, 2);
  vox->addr = part_hint(lower, addr, "corner");
  note_value(lower, "corner_offset", vox->corner_offset);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool has_components(const Voxels *vox) { return vox->n_components > 1; }

/* The index function of (x, component), or of x alone. */
static const Ixfun *row_at(Lower *lower, const Voxels *vox, uint32_t y, uint32_t z) {
  Arena *a = lower->cx->arena;
  const uint32_t rank = ixfun_rank(vox->window), taps[MAX_DIM] = {0, y, z};
  const Extents shape = ixfun_shape(a, vox->window);
  IxSlice spec[MAX_DIM + 1];
  for (uint32_t k = 0; k < rank; k++) {
    const uint32_t axis = rank - 1 - k;
    const bool is_fixed = axis > 0 && axis < vox->dim;
    spec[k] = is_fixed ? ix_fix(poly_const(taps[axis])) : ix_whole(shape.len[k]);
  }
  const Ixfun *row = ixfun_slice(a, vox->window, spec, rank);
  return has_components(vox) ? ixfun_permute(a, row, (const uint32_t[]){1, 0}, 2) : row;
}

/* The samples of a row as they lie in memory, in chunks of a row's width. */
static const Ixfun *chunks_of(Lower *lower, const Voxels *vox, const Ixfun *row) {
  Poly offset;
  if (!ixfun_linear_with_offset(lower->cx->arena, row, 1, &offset))
    BUG(lower->cx, "the samples of a row are not neighbours");
  const IxAxis axes[] = {ix_new(poly_const(vox->n_components)), ix_new(poly_const(vox->n_taps))};
  return ixfun_reshape(lower->cx->arena, row, axes, 2);
}

bool voxels_are_chunked(const Voxels *vox) { return has_components(vox); }

Value *voxels_row(Lower *lower, Voxels *vox, uint32_t y, uint32_t z, uint32_t part) {
  const Ixfun *chunks = chunks_of(lower, vox, row_at(lower, vox, y, z));
  const Poly idx[] = {poly_const(part), poly_const(0)};
  const Poly distance =
      poly_sub(lower->cx->arena, offset_at(lower, chunks, idx, 2), first_sample(lower, vox));
  Value *offset = build_offset(lower, vox, distance), *addr = vox->addr;
  if (offset != NULL) addr = build_op2(&lower->b, OP_ADDR_ADD, addr, offset);
  Value *row =
      build_typed(&lower->b, OP_ROW_LOAD, ATTR_EMPTY, type_row(lower->cx, vox->n_taps), &addr, 1);
  note_row(lower, vox, row, y, z, part);
  return row;
}

Value *block_component(Lower *lower, const Voxels *vox, uint32_t component) {
  Arena *a = lower->cx->arena;
  Poly idx[MAX_DIM + 1] = {poly_const(component)};
  int64_t distance = 0;
  for (uint32_t k = 1; k <= MAX_DIM; k++) idx[k] = poly_const(0);
  const Poly at = offset_at(lower, vox->window, idx, ixfun_rank(vox->window));
  poly_is_const(poly_sub(a, at, first_sample(lower, vox)), &distance);
  return const_offset(lower, distance);
}

/* Sample (x, component) is number `at` of the row, which is this lane of that chunk. */
Value *voxels_component(Lower *lower, const Voxels *vox, Value *const *chunks, uint32_t component) {
  Arena *a = lower->cx->arena;
  const int64_t len[] = {vox->n_taps, vox->n_components};
  const Ixfun *row = ixfun_iota_const(a, len, 2);
  Value *lanes[MAX_TAPS];
  for (uint32_t x = 0; x < vox->n_taps; x++) {
    int64_t at = 0;
    const Poly idx[] = {poly_const(x), poly_const(component)};
    poly_is_const(offset_at(lower, row, idx, 2), &at);
    Value *chunk = chunks[at / vox->n_taps];
    lanes[x] = build_op(&lower->b, OP_ROW_GET, (Attr){.i = at % vox->n_taps}, &chunk, 1);
  }
  return build_op(&lower->b, OP_ROW_PACK, ATTR_EMPTY, lanes, vox->n_taps);
}
