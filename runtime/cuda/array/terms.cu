/* terms.cu: the rows of runtime/reduce/terms.def as kernels: a warp for each block of 1024.
 *
 * Lane l takes elements l, l+32, ... of the block, so that the loads of a warp are adjacent.
 */
#include "runtime/cuda/array/terms.h"
#include "runtime/cuda/base/warp.h"
#include "runtime/element/complex.h"
#include "runtime/element/each_element.h"
#include "runtime/element/truth.h"

/* Narrower ints have been widened before. */
#define EACH_TRUTH DDR_EACH_TRUTH
#define EACH_REAL DDR_EACH_REAL
#define EACH_COMPLEX DDR_EACH_COMPLEX
#define EACH_SIGNED(F, ...)                                                                        \
  F(INT32, int32_t, int32_t, __VA_ARGS__)                                                          \
  F(INT64, int64_t, int64_t, __VA_ARGS__)
#define EACH_NATURAL(F, ...) F(UINT64, uint64_t, uint64_t, __VA_ARGS__)
#define EACH_WHOLE(F, ...) EACH_SIGNED(F, __VA_ARGS__) EACH_NATURAL(F, __VA_ARGS__)

/* --- states of a lane, and what two of them come to ------------------------------------------- */

typedef struct {
  ddr_pair re, im;
} Pairs;

typedef struct {
  double re, im, modulus;
  int64_t at; /* index of the element: the first of equal ones is taken */
} Farthest;

DDR_FN double add_reals(double a, double b) { return a + b; }
DDR_FN double multiply_reals(double a, double b) { return a * b; }

DDR_FN Pairs add_pairs(Pairs a, Pairs b) {
  const Pairs sum = {ddr_pair_add(a.re, b.re), ddr_pair_add(a.im, b.im)};
  return sum;
}

/* A NaN, once found, stays the extreme. */
DDR_FN bool is_first_of(const Farthest *a, const Farthest *b, bool is_beyond) {
  if (a->modulus != a->modulus || b->modulus != b->modulus) return a->modulus != a->modulus;
  return a->modulus == b->modulus ? a->at < b->at : !is_beyond;
}
DDR_FN Farthest nearer_one(Farthest a, Farthest b) {
  return is_first_of(&a, &b, b.modulus < a.modulus) ? a : b;
}
DDR_FN Farthest farther_one(Farthest a, Farthest b) {
  return is_first_of(&a, &b, b.modulus > a.modulus) ? a : b;
}

#define INTEGERS(name)                                                                             \
  DDR_FN int64_t integer_##name(int64_t a, int64_t b) {                                            \
    return ddr_partial_##name(ddr_partial_of_integer(a), ddr_partial_of_integer(b)).integer;       \
  }
INTEGERS(add_ints)
INTEGERS(multiply_ints)
INTEGERS(lesser_int)
INTEGERS(greater_int)
INTEGERS(lesser_natural)
INTEGERS(greater_natural)
INTEGERS(and)
INTEGERS(or)

/* --- a lane of a block ------------------------------------------------------------------------ */

DDR_FN int64_t offset_of(const ddr_layout *layout, int64_t k) {
  if (layout->rank == 1) return layout->offset + k * layout->stride[0];
  return ddr_layout_at_position(layout, k);
}

DDR_FN bool has_one_axis(const ddr_term_pass *pass) {
  return pass->x.elements.rank == 1 && pass->y.elements.rank == 1;
}

/* Applies a step, which adds element x[k] to so_far, to each element of the lane. */
#define LANE_LOOP(type, x_offset, y_offset, ...)                                                   \
  for (int64_t at = begin + lane; at < end; at += DDR_TREE_LANES) {                                \
    const type x_element = DDR_VALUE(x_line[x_offset]), *const x = &x_element;                     \
    const type y_element = DDR_VALUE(y_line[y_offset]), *const y = &y_element;                     \
    const int k = 0;                                                                               \
    (void)y;                                                                                       \
    __VA_ARGS__                                                                                    \
  }

/* A function of a pass, a line, a block and a lane.  With one axis, several loads are in flight. */
#define LANE_FN(name, type, state, result, found, none, step)                                      \
  DDR_FN result name(const ddr_term_pass *pass, int64_t line, int64_t block, int lane) {           \
    const double a = pass->a_of ? pass->a_of[line] : pass->a;                                      \
    const int64_t number = pass->first_line + line;                                                \
    const type *const x_line = (const type *)pass->x.data + offset_of(&pass->x.lines, number);     \
    const type *const y_line = (const type *)pass->y.data + offset_of(&pass->y.lines, number);     \
    const int64_t begin = block * DDR_TREE_BLOCK, rest = pass->len - begin;                        \
    const int64_t end = begin + (rest < DDR_TREE_BLOCK ? rest : DDR_TREE_BLOCK);                   \
    state so_far = none;                                                                           \
    (void)a;                                                                                       \
    if (has_one_axis(pass)) {                                                                      \
      const int64_t x_stride = pass->x.elements.stride[0], y_stride = pass->y.elements.stride[0];  \
      DDR_UNROLL(8)                                                                                \
      LANE_LOOP(type, at *x_stride, at *y_stride, step)                                            \
    } else {                                                                                       \
      DDR_UNROLL(1)                                                                                \
      LANE_LOOP(type, ddr_layout_at_position(&pass->x.elements, at),                               \
                ddr_layout_at_position(&pass->y.elements, at), step)                               \
    }                                                                                              \
    return found;                                                                                  \
  }

#define KERNEL_FN(name, state, combine, partial)                                                   \
  DDR_KERNEL void name##_kernel(ddr_term_pass pass) {                                              \
    DDR_FOR_WARPS(item, pass.n_lines *pass.n_blocks) {                                             \
      const int64_t line = item / pass.n_blocks, block = item % pass.n_blocks;                     \
      DDR_WARP_FOLD(state, root, combine, name##_lane(&pass, line, block, lane))                   \
      if (DDR_LANE == 0) pass.results[item] = partial;                                             \
    }                                                                                              \
  }

/* --- kernels ---------------------------------------------------------------------------------- */

#define REAL_FN(id, type, part, term, value, op, none, combine)                                    \
  LANE_FN(term##_##id##_lane, type, double, double, so_far, none, so_far = so_far op(value);)      \
  KERNEL_FN(term##_##id, double, combine, ddr_partial_of(root, 0))

#define ADD_PAIR(so_far, pair)                                                                     \
  {                                                                                                \
    const ddr_pair next = pair, sum = ddr_two_sum(so_far.sum, next.sum);                           \
    so_far.sum = sum.sum;                                                                          \
    so_far.error += sum.error;                                                                     \
    so_far.error += next.error;                                                                    \
  }

#define TREE_FN(id, type, part, term, value, pair)                                                 \
  REAL_FN(id, type, part, term, value, +, 0, add_reals)                                            \
  LANE_FN(pair_##term##_##id##_lane, type, ddr_pair, ddr_pair, so_far, ddr_pair_of(0, 0),          \
          ADD_PAIR(so_far, pair))                                                                  \
  KERNEL_FN(pair_##term##_##id, ddr_pair, ddr_pair_add,                                            \
            ddr_partial_of_pairs(root, ddr_pair_of(0, 0)))

#define NO_PAIRS                                                                                   \
  {                                                                                                \
    {0, 0}, { 0, 0 }                                                                               \
  }
#define TREES_FN(id, type, part, term, re_value, re_term, im_value, im_term)                       \
  LANE_FN(term##_##id##_lane, type, ddr_complex_double, ddr_complex_double, so_far,                \
          ddr_complex_double_of(0, 0), so_far.re += re_value;                                      \
          so_far.im += im_value;)                                                                  \
  KERNEL_FN(term##_##id, ddr_complex_double, ddr_add_double, ddr_partial_of(root.re, root.im))     \
  LANE_FN(pair_##term##_##id##_lane, type, Pairs, Pairs, so_far, NO_PAIRS,                         \
          ADD_PAIR(so_far.re, re_term) ADD_PAIR(so_far.im, im_term))                               \
  KERNEL_FN(pair_##term##_##id, Pairs, add_pairs, ddr_partial_of_pairs(root.re, root.im))

#define PRODUCT_FN(id, type, part, term)                                                           \
  REAL_FN(id, type, part, term, R(x[k]), *, 1, multiply_reals)

#define PRODUCTS_FN(id, type, part, term)                                                          \
  LANE_FN(term##_##id##_lane, type, ddr_complex_double, ddr_complex_double, so_far,                \
          ddr_complex_double_of(1, 0),                                                             \
          so_far = ddr_mul_double(so_far, ddr_complex_double_of(R(x[k].re), R(x[k].im)));)         \
  KERNEL_FN(term##_##id, ddr_complex_double, ddr_mul_double, ddr_partial_of(root.re, root.im))

#define EXTREME_FN(id, type, part, term, value, op, none, negative, combine)                       \
  LANE_FN(term##_##id##_lane, type, double, double, so_far, (double)(none),                        \
          typedef part lane_number;                                                                \
          so_far = ddr_##combine(so_far, (double)(lane_number)(value));)                           \
  KERNEL_FN(term##_##id, double, ddr_##combine, ddr_partial_of(root, 0))

/* Lanes without elements are the last ones. */
#define NO_ELEMENT                                                                                 \
  { 0, 0, 0, -1 }
#define FARTHEST_FN(id, type, part, term, combine)                                                 \
  DDR_FN Farthest term##_##id##_of(Farthest p, Farthest q) {                                       \
    if (p.at < 0 || q.at < 0) return p.at < 0 ? q : p;                                             \
    return combine##_one(p, q);                                                                    \
  }                                                                                                \
  LANE_FN(term##_##id##_lane, type, Farthest, Farthest, so_far, NO_ELEMENT,                        \
          const Farthest next = {R(x[k].re) COMMA R(x[k].im) COMMA R(ddr_modulus(x[k])) COMMA at}; \
          so_far = term##_##id##_of(so_far, next);)                                                \
  DDR_FN ddr_partial term##_##id##_partial(Farthest root) {                                        \
    const ddr_partial partial = {root.re, root.im, 0, 0, root.modulus, 0, DDR_NO_WIDE};            \
    return partial;                                                                                \
  }                                                                                                \
  KERNEL_FN(term##_##id, Farthest, term##_##id##_of, term##_##id##_partial(root))
#define COMMA ,

#define INTEGER_FN(id, type, part, term, carrier, none, value, combined, combine)                  \
  LANE_FN(term##_##id##_lane, type, carrier, int64_t, (int64_t)so_far, none,                       \
          const carrier next = (carrier)(value);                                                   \
          so_far = combined;)                                                                      \
  KERNEL_FN(term##_##id, int64_t, integer_##combine, ddr_partial_of_integer(root))
#define DDR_LEAST_INTEGER (next < so_far ? next : so_far)
#define DDR_GREATEST_INTEGER (next > so_far ? next : so_far)

#define NO_HALVES                                                                                  \
  { {0, 0}, {0, 0, 0, 0}, 0 }
#define WIDE_FN(id, type, part, term, is_negative, size)                                           \
  LANE_FN(term##_##id##_lane, type, ddr_wide_halves, ddr_wide, ddr_wide_of(&so_far), NO_HALVES,    \
          ddr_wide_take(&so_far, (uint64_t)x[k], is_negative, size);)                              \
  KERNEL_FN(term##_##id, ddr_wide, ddr_wide_add, ddr_partial_of_wide(root))

#define TREE(term, kinds, ...) EACH_##kinds(TREE_FN, term, __VA_ARGS__)
#define MODULI(term, kinds, ...) TREE(term, kinds, __VA_ARGS__)
#define TREES(term, kinds, ...) EACH_##kinds(TREES_FN, term, __VA_ARGS__)
#define PRODUCT(term, kinds) EACH_##kinds(PRODUCT_FN, term)
#define PRODUCTS(term, kinds) EACH_##kinds(PRODUCTS_FN, term)
#define EXTREME(term, kinds, ...) EACH_##kinds(EXTREME_FN, term, __VA_ARGS__)
#define MODULUS(term, kinds) EXTREME(term, kinds, ddr_modulus(x[k]), >, -1, false, greater)
#define FARTHEST(term, kinds, ...) EACH_##kinds(FARTHEST_FN, term, __VA_ARGS__)
#define INTEGER(term, kinds, ...) EACH_##kinds(INTEGER_FN, term, __VA_ARGS__)
#define NARROW(...) INTEGER(__VA_ARGS__)
#define MAGNITUDES(term, kinds)                                                                    \
  INTEGER(term, kinds, uint64_t, 0, MAGNITUDE(x[k]), DDR_GREATEST_INTEGER, greater_natural)
#define WIDE(term, kinds, ...) EACH_##kinds(WIDE_FN, term, __VA_ARGS__)
#include "runtime/reduce/terms.def"

/* --- table ------------------------------------------------------------------------------------ */

DDR_FN ddr_device_term term_of(ddr_term_kernel *kernel, ddr_combine combine) {
  const ddr_device_term term = {kernel, combine};
  return term;
}

#define CASE(id, term) case (int)DDR_TERM_##term *(int)DDR_ELEMENT_COUNT + (int)DDR_ELEMENT_##id:
#define ROW(id, type, part, term, combine)                                                         \
  CASE(id, term) return term_of(term##_##id##_kernel, DDR_COMBINE_##combine);
#define TREE_ROW(id, type, part, term)                                                             \
  CASE(id, term)                                                                                   \
  return is_compensated ? term_of(pair_##term##_##id##_kernel, DDR_COMBINE_add_pairs)              \
                        : term_of(term##_##id##_kernel, DDR_COMBINE_add);

#define TREE(term, kinds, ...) EACH_##kinds(TREE_ROW, term)
#define MODULI(term, kinds, ...) EACH_##kinds(TREE_ROW, term)
#define TREES(term, kinds, ...) EACH_##kinds(TREE_ROW, term)
#define PRODUCT(term, kinds) EACH_##kinds(ROW, term, multiply)
#define PRODUCTS(term, kinds) EACH_##kinds(ROW, term, multiply_complex)
#define EXTREME(term, kinds, value, op, none, negative, combine) EACH_##kinds(ROW, term, combine)
#define MODULUS(term, kinds) EACH_##kinds(ROW, term, greater)
#define FARTHEST(term, kinds, combine) EACH_##kinds(ROW, term, combine)
#define INTEGER(term, kinds, carrier, none, value, combined, combine)                              \
  EACH_##kinds(ROW, term, combine)
#define NARROW(...) INTEGER(__VA_ARGS__)
#define MAGNITUDES(term, kinds)                                                                    \
  INTEGER(term, kinds, uint64_t, 0, MAGNITUDE(x[k]), DDR_GREATEST_INTEGER, greater_natural)
#define WIDE(term, kinds, ...) EACH_##kinds(ROW, term, add_wide)

ddr_device_term ddr_device_term_of(ddr_term term, ddr_element type, bool is_compensated) {
  switch ((int)term * (int)DDR_ELEMENT_COUNT + (int)type) {
#include "runtime/reduce/terms.def"
  default: break;
  }
  return term_of(NULL, DDR_COMBINE_add);
}
