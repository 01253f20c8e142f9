/* compensated.h: compensated sums of doubles on the tree of tree.h: the error is about one rounding
 * of the exact sum, unless almost everything cancels.
 *
 * Source: error-free transformations of a sum (TwoSum, Knuth 1969) and of a product (by a fused
 * multiply-add).  Compiles as C17, C++17 and CUDA.  Build with contraction off.
 */
#pragma once

#include "runtime/reduce/tree.h"

typedef struct ddr_pair {
  double sum, error;
} ddr_pair;

DDR_FN ddr_pair ddr_pair_of(double sum, double error) {
  ddr_pair pair;
  pair.sum = sum;
  pair.error = error;
  return pair;
}

/* a + b = sum + error exactly, where nothing overflows. */
DDR_FN ddr_pair ddr_two_sum(double a, double b) {
  const double sum = a + b, b_part = sum - a;
  return ddr_pair_of(sum, (a - (sum - b_part)) + (b - b_part));
}

/* a * b = sum + error exactly, where nothing over- or underflows. */
DDR_FN ddr_pair ddr_two_product(double a, double b) {
  const double product = a * b;
  return ddr_pair_of(product, fma(a, b, -product));
}

DDR_FN ddr_pair ddr_pair_add(ddr_pair a, ddr_pair b) {
  ddr_pair sum = ddr_two_sum(a.sum, b.sum);
  sum.error = (a.error + b.error) + sum.error;
  return sum;
}

/* a * b + c * d, rounded in each step, and the sum of the errors. */
DDR_FN ddr_pair ddr_two_products(double a, double b, double c, double d) {
  return ddr_pair_add(ddr_two_product(a, b), ddr_two_product(c, d));
}

/* Keeps the sign of a zero. */
DDR_FN double ddr_pair_value(ddr_pair pair) {
  return isfinite(pair.sum) && pair.error != 0 ? pair.sum + pair.error : pair.sum;
}

/* Sums one block, like DDR_TREE_BLOCK_FN; `pair` is the contribution of an element. */
#define DDR_PAIR_BLOCK_FN(name, element, pair)                                                     \
  DDR_FN ddr_pair name(const element *x, const element *y, double a, int64_t n) {                  \
    ddr_pair lanes[DDR_TREE_LANES] = {{0, 0}};                                                     \
    (void)y;                                                                                       \
    (void)a;                                                                                       \
    for (int64_t k = 0; k < n; k++) {                                                              \
      ddr_pair *lane = &lanes[k % DDR_TREE_LANES];                                                 \
      const ddr_pair next = pair, sum = ddr_two_sum(lane->sum, next.sum);                          \
      lane->sum = sum.sum;                                                                         \
      lane->error += sum.error;                                                                    \
      lane->error += next.error;                                                                   \
    }                                                                                              \
    for (int half = DDR_TREE_LANES / 2; half > 0; half /= 2) {                                     \
      for (int l = 0; l < half; l++) lanes[l] = ddr_pair_add(lanes[l], lanes[l + half]);           \
    }                                                                                              \
    return lanes[0];                                                                               \
  }
