/* tree.h: the one order in which numbers are added or multiplied, by any number of threads.
 *
 *   block b   positions 1024 b .. 1024 b + 1023
 *   lane l    (((0 or 1) o x[l]) o x[32 + l]) o x[64 + l] ...         of its block
 *   fold      lane l := lane l o lane l+16, then l+8, l+4, l+2, l+1   until lane 0 is left
 *   levels    blocks in pairs, pairs in pairs, ...; an odd last one moves up unchanged
 *
 * The shape depends only on the number of values, so any schedule of blocks gives the same bits,
 * and the error grows with the logarithm of the count.  Intermediate values are doubles. Compile
 * without contraction: a product must be rounded before it is added.
 *
 * Compiles as C17, C++17 and CUDA.  Read next: ddr/tree.h (from blocks to the root),
 * ddr/reduce.h (loops and strands), reduce.h (arrays).
 */
#pragma once

#include "ddr/reduce.h"

/* --- blocks: n numbers, at most DDR_TREE_BLOCK ------------------------------------------------ */

/* Unrolled, so that the lanes become vectors of the machine; the only branch depends on the count:
 * if there are few numbers, the other lanes have the identity and change no bit.
 *
 * A function of elements x, elements y (x again if there is one array), and a number a.  `value` is
 * what is added or multiplied for x[k].  Nothing is prefetched: processors recognise sequential
 * reads, and software prefetches get in their way. */
#define DDR_TREE_FOLD(half, op)                                                                    \
  for (int l = 0; l < half; l++) lanes[l] = lanes[l] op lanes[l + half];

#define DDR_TREE_LANE(i, value)                                                                    \
  const int64_t k = i;                                                                             \
  const double next = value;

#define DDR_TREE_BLOCK_FN(name, element, op, identity, value)                                      \
  DDR_FN double name(const element *x, const element *y, double a, int64_t n) {                    \
    double lanes[DDR_TREE_LANES];                                                                  \
    const bool is_small = n <= 8;                                                                  \
    const int n_lanes = is_small ? 8 : DDR_TREE_LANES, n_first = n < n_lanes ? (int)n : n_lanes;   \
    int64_t row = DDR_TREE_LANES;                                                                  \
    (void)y;                                                                                       \
    (void)a;                                                                                       \
    for (int l = 0; l < n_first; l++) {                                                            \
      DDR_TREE_LANE(l, value)                                                                      \
      lanes[l] = identity op next;                                                                 \
    }                                                                                              \
    for (int l = n_first; l < n_lanes; l++) lanes[l] = identity;                                   \
    for (; row + DDR_TREE_LANES <= n; row += DDR_TREE_LANES) {                                     \
      for (int l = 0; l < DDR_TREE_LANES; l++) {                                                   \
        DDR_TREE_LANE(row + l, value)                                                              \
        lanes[l] = lanes[l] op next;                                                               \
      }                                                                                            \
    }                                                                                              \
    for (int l = 0; row + l < n; l++) {                                                            \
      DDR_TREE_LANE(row + l, value)                                                                \
      lanes[l] = lanes[l] op next;                                                                 \
    }                                                                                              \
    if (!is_small) {                                                                               \
      DDR_TREE_FOLD(16, op)                                                                        \
      DDR_TREE_FOLD(8, op)                                                                         \
    }                                                                                              \
    DDR_TREE_FOLD(4, op)                                                                           \
    DDR_TREE_FOLD(2, op)                                                                           \
    DDR_TREE_FOLD(1, op)                                                                           \
    return lanes[0];                                                                               \
  }
DDR_TREE_BLOCK_FN(ddr_tree_sum_of_floats, float, +, 0, (double)x[k])
DDR_TREE_BLOCK_FN(ddr_tree_sum_of_doubles, double, +, 0, x[k])
DDR_TREE_BLOCK_FN(ddr_tree_product_of_floats, float, *, 1, (double)x[k])
DDR_TREE_BLOCK_FN(ddr_tree_product_of_doubles, double, *, 1, x[k])

DDR_FN double ddr_tree_floats(ddr_tree_op op, const float *x, int64_t n) {
  const bool adds = op == DDR_TREE_ADD;
  return adds ? ddr_tree_sum_of_floats(x, x, 0, n) : ddr_tree_product_of_floats(x, x, 0, n);
}

DDR_FN double ddr_tree_doubles(ddr_tree_op op, const double *x, int64_t n) {
  const bool adds = op == DDR_TREE_ADD;
  return adds ? ddr_tree_sum_of_doubles(x, x, 0, n) : ddr_tree_product_of_doubles(x, x, 0, n);
}
