/* Memory: index functions of values in memory while a program runs. */
#include "ir/core/memory.h"

const Ixfun *memory_of_value(Arena *a, const Type *ty) {
  VEC(Poly) len = {0};
  for (; type_is_fixed_seq(ty); ty = type_elem(ty))
    vec_push(a, &len, poly_const((int64_t)type_seq_len(ty)));
  const uint64_t n_components = level_n_components(LEVEL_LOW, ty);
  if (n_components > 1) vec_push(a, &len, poly_const((int64_t)n_components));
  return ixfun_iota(a, (Extents){.rank = len.len, .len = len.data});
}

/* ---- images ---------------------------------------------------------------------------------- */

const Name *memory_axis_name(Cx *cx, const char *what, uint32_t axis) {
  return name_from(cx->names, text_format(cx->arena, "%s_%c", what, "xyz"[axis]));
}

/* Axes of several components and of space are logical ones; memory has the components last. */
const Ixfun *memory_of_image(Cx *cx, const Type *image) {
  enum { MAX_AXES = 4 };
  Arena *a = cx->arena;
  const uint32_t dim = type_dim(image);
  const int64_t n_components = (int64_t)shape_size(type_shape(image));
  const uint32_t n_before = n_components > 1, rank = dim + n_before;
  LmadDim dims[MAX_AXES];
  uint32_t perm[MAX_AXES];
  for (uint32_t k = 0; k < dim; k++) {
    const uint32_t axis = dim - 1 - k;
    const Poly stride = axis == 0 ? poly_const(n_components)
                                  : poly_unknown(a, memory_axis_name(cx, "stride", axis));
    dims[k] = (LmadDim){.stride = stride,
                        .rotate = poly_const(0),
                        .len = poly_extent(a, memory_axis_name(cx, "len", axis))};
    perm[n_before + k] = k;
  }
  if (n_before) {
    dims[dim] = (LmadDim){
        .stride = poly_const(1), .rotate = poly_const(0), .len = poly_const(n_components)};
    perm[0] = dim;
  }
  const Lmad lmad = lmad_new(a, poly_const(0), dims, perm, rank);
  const Poly n_samples = poly_extent(a, name_from(cx->names, "n_samples"));
  return ixfun_new(a, &lmad, 1, (Extents){.rank = 1, .len = &n_samples});
}

const Ixfun *memory_of_image_value(Cx *cx, const Value *image) {
  return image->at ? image->at : memory_of_image(cx, image->ty);
}

const Ixfun *memory_of_window(Cx *cx, const Type *image, uint32_t n_taps) {
  return memory_window_of(cx, memory_of_image(cx, image), type_dim(image), n_taps);
}

const Ixfun *memory_window_of(Cx *cx, const Ixfun *all, uint32_t dim, uint32_t n_taps) {
  enum { MAX_AXES = 4 };
  const uint32_t rank = ixfun_rank(all);
  IxSlice spec[MAX_AXES];
  if (rank > dim) spec[0] = ix_whole(ixfun_shape(cx->arena, all).len[0]);
  for (uint32_t axis = 0; axis < dim; axis++) {
    const Name *corner = memory_axis_name(cx, "corner", axis);
    spec[rank - 1 - axis] =
        ix_range(poly_ranged(cx->arena, corner, 0, NULL), poly_const(n_taps), poly_const(1));
  }
  return ixfun_slice(cx->arena, all, spec, rank);
}
