/* Verifier, memory: the index function that a value carries is one, has the shape of its type, and
 * can be followed.
 *
 *   tensor, fixed sequence   the axes of its type; a sequence of tensors: the shape, then one axis
 *   image                    (component, z, y, x); rows without gaps, as they are loaded; y and z
 * by the strides of the image or by numbers
 */
#include "ir/core/local.h"
#include "ir/core/memory.h"

static void check_len(Verifier *v, const Value *value, Poly found, uint64_t want, uint32_t axis) {
  if (!poly_is(found, (int64_t)want))
    verify_fail(v, "axis %u of the index function of %%%u has %s elements, expected %llu", axis,
                value->id, poly_text(v->cx->arena, found), (unsigned long long)want);
}

static bool has_rank(Verifier *v, const Value *value, uint32_t want) {
  const uint32_t rank = ixfun_rank(value->at);
  if (rank != want)
    verify_fail(v, "the index function of %%%u has %u axes, expected %u", value->id, rank, want);
  return rank == want;
}

static void check_shape(Verifier *v, const Value *value, const uint64_t *len, uint32_t rank) {
  const Extents found = ixfun_shape(v->cx->arena, value->at);
  if (!has_rank(v, value, rank)) return;
  for (uint32_t k = 0; k < rank; k++) check_len(v, value, found.len[k], len[k], k);
}

static void check_tensor(Verifier *v, const Value *value) {
  const Shape *shape = type_shape(value->ty);
  uint64_t *len = NEWN(v->cx->scratch, uint64_t, shape->order);
  for (uint32_t k = 0; k < shape->order; k++) len[k] = shape->dims[k];
  check_shape(v, value, len, shape->order);
}

static void check_seq(Verifier *v, const Value *value) {
  const Ixfun *packed = memory_of_value(v->cx->arena, value->ty);
  const Extents want = ixfun_shape(v->cx->arena, packed);
  const Extents found = ixfun_shape(v->cx->arena, value->at);
  if (!has_rank(v, value, want.rank)) return;
  for (uint32_t k = 0; k < want.rank; k++)
    check_len(v, value, found.len[k], (uint64_t)want.len[k].constant, k);
}

/* Numbers and multiples of strides: what is known where samples are loaded. */
static bool is_known(Verifier *v, Poly x, uint32_t dim) {
  for (uint32_t i = 0; i < x.n_terms; i++) {
    const PolyPower *power = x.terms[i].powers;
    bool is_stride = false;
    for (uint32_t axis = 1; axis < dim; axis++)
      is_stride = is_stride || power->atom->name == memory_axis_name(v->cx, "stride", axis);
    if (x.terms[i].n_powers != 1 || power->power != 1 || !is_stride) return false;
  }
  return true;
}

static void check_image(Verifier *v, const Value *value) {
  const uint64_t n = shape_size(type_shape(value->ty));
  const uint32_t dim = type_dim(value->ty), rank = dim + (n > 1);
  const Lmad *lmad = value->at->lmads;
  if (!has_rank(v, value, rank)) return;
  const LmadDim *row = &lmad->dims[lmad->perm[rank - 1]], *component = &lmad->dims[lmad->perm[0]];
  const bool is_packed =
      poly_is(row->stride, (int64_t)n) &&
      (n == 1 || (poly_is(component->stride, 1) && poly_is(component->len, (int64_t)n)));
  bool is_plain = value->at->n_lmads == 1;
  for (uint32_t d = 0; d < rank; d++) is_plain = is_plain && poly_is(lmad->dims[d].rotate, 0);
  if (!is_plain || !is_packed)
    verify_fail(v, "the samples of a row of %%%u are not side by side", value->id);
  bool can_be_found = is_known(v, lmad->offset, dim);
  for (uint32_t d = 0; d < rank; d++)
    can_be_found = can_be_found && is_known(v, lmad->dims[d].stride, dim);
  if (!can_be_found)
    verify_fail(v, "the samples of %%%u are apart by more than numbers and strides", value->id);
}

void verify_memory(Verifier *v, const Value *value) {
  const char *error = ixfun_check(v->cx->arena, value->at);
  if (error) verify_fail(v, "the index function of %%%u: %s", value->id, error);
  else if (type_is(value->ty, TY_IMAGE)) check_image(v, value);
  else if (type_is(value->ty, TY_TENSOR)) check_tensor(v, value);
  else if (type_is_fixed_seq(value->ty)) check_seq(v, value);
  else verify_fail(v, "%%%u has an index function and is no array", value->id);
}
