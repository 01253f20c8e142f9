/* compensated.h: sums of doubles on the tree of tree.h with their rounding errors carried along:
 * within one rounding of exact, unless almost everything cancels.
 *
 * Source: error-free transformation of a sum (TwoSum, Knuth 1969).  Compiles as C17, C++17 and
 * CUDA.  Build with contraction off.
 */
#pragma once

#include "runtime/reduce/tree.h"

typedef struct ddr_pair {
  double sum, error;
} ddr_pair;

/* a + b = sum + error exactly, where nothing overflows. */
DDR_FN ddr_pair ddr_two_sum(double a, double b)
{
  ddr_pair result;
  result.sum = a + b;
  const double b_part = result.sum - a;
  result.error = (a - (result.sum - b_part)) + (b - b_part);
  return result;
}

DDR_FN ddr_pair ddr_pair_add(ddr_pair a, ddr_pair b)
{
  ddr_pair sum = ddr_two_sum(a.sum, b.sum);
  sum.error = (a.error + b.error) + sum.error;
  return sum;
}

DDR_FN double ddr_pair_value(ddr_pair pair)
{
  return isfinite(pair.sum) ? pair.sum + pair.error : pair.sum;
}

/* One block: n doubles, at most DDR_TREE_BLOCK. */
DDR_FN ddr_pair ddr_pair_sum_doubles(const double *x, int64_t n)
{
  ddr_pair lanes[DDR_TREE_LANES] = {{0, 0}};
  for (int64_t k = 0; k < n; k++) {
    ddr_pair *lane = &lanes[k % DDR_TREE_LANES];
    const ddr_pair sum = ddr_two_sum(lane->sum, x[k]);
    lane->sum = sum.sum;
    lane->error += sum.error;
  }
  for (int half = DDR_TREE_LANES / 2; half > 0; half /= 2) {
    for (int l = 0; l < half; l++) lanes[l] = ddr_pair_add(lanes[l], lanes[l + half]);
  }
  return lanes[0];
}

/* As ddr_tree. */
typedef struct ddr_pair_tree {
  uint64_t n_blocks;
  ddr_pair at[DDR_TREE_LEVELS];
} ddr_pair_tree;

DDR_FN void ddr_pair_tree_push(ddr_pair_tree *tree, ddr_pair block)
{
  int level = 0;
  for (; tree->n_blocks >> level & 1u; level++) block = ddr_pair_add(tree->at[level], block);
  tree->at[level] = block;
  tree->n_blocks++;
}

DDR_FN double ddr_pair_tree_root(const ddr_pair_tree *tree)
{
  ddr_pair root = {0, 0};
  for (int level = 0; tree->n_blocks >> level > 0; level++) {
    if (tree->n_blocks >> level & 1u) root = ddr_pair_add(tree->at[level], root);
  }
  return ddr_pair_value(root);
}
