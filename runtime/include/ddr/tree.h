/* tree.h: the upper levels of a summation tree, from the results of blocks to the root.  See
 * runtime/reduce/tree.h for a drawing.
 *
 * Compiles as C17, C++17 and CUDA.  Read next: reduce.h.
 */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "ddr/scalar.h"

/* The results for no values: 0, 1, NaN, NaN; inf or the largest int, -inf or the smallest int;
 * true, false. */
typedef enum ddr_reduction {
  DDR_SUM,
  DDR_PRODUCT,
  DDR_MEAN,
  DDR_VARIANCE, /* of the whole population: the mean square of the distance from the mean */
  DDR_MIN,
  DDR_MAX,
  DDR_ALL,
  DDR_EXISTS
} ddr_reduction;

typedef enum ddr_tree_op { DDR_TREE_ADD, DDR_TREE_MULTIPLY } ddr_tree_op;

DDR_FN ddr_tree_op ddr_tree_op_of(ddr_reduction reduction) {
  return reduction == DDR_PRODUCT ? DDR_TREE_MULTIPLY : DDR_TREE_ADD;
}

DDR_FN double ddr_tree_combine(ddr_tree_op op, double a, double b) {
  return op == DDR_TREE_ADD ? a + b : a * b;
}

DDR_FN double ddr_tree_identity(ddr_tree_op op) { return op == DDR_TREE_ADD ? 0 : 1; }

enum {
  DDR_TREE_LANES = 32,
  DDR_TREE_BLOCK = 1024,
  DDR_TREE_LEVELS = 54 /* enough blocks for 2^63 numbers */
};

/* If bit k of n_blocks is set, at[k] is the result of 2^k blocks; higher bits have earlier blocks.
 */
typedef struct ddr_tree {
  uint64_t n_blocks;
  double at[DDR_TREE_LEVELS];
} ddr_tree;

/* --- levels: blocks are added in order -------------------------------------------------------- */

/* Function bodies for any `tree` with n_blocks and at[level]; `combined` is an expression that
 * combines tree->at[level] with the second argument, in this order.  A root needs at least one
 * block. */
#define DDR_TREE_PUSH(tree, block, combined)                                                       \
  int level = 0;                                                                                   \
  for (; tree->n_blocks >> level & 1u; level++) block = combined;                                  \
  tree->at[level] = block;                                                                         \
  tree->n_blocks++;

#define DDR_TREE_ROOT(tree, root, combined)                                                        \
  int level = 0;                                                                                   \
  while (!(tree->n_blocks >> level & 1u)) level++;                                                 \
  root = tree->at[level++];                                                                        \
  for (; tree->n_blocks >> level > 0; level++) {                                                   \
    if (tree->n_blocks >> level & 1u) root = combined;                                             \
  }

DDR_FN void ddr_tree_push(ddr_tree *tree, ddr_tree_op op, double block){
    DDR_TREE_PUSH(tree, block, ddr_tree_combine(op, tree->at[level], block))}

DDR_FN double ddr_tree_root(const ddr_tree *tree, ddr_tree_op op) {
  double root = ddr_tree_identity(op);
  if (tree->n_blocks == 0) return root;
  DDR_TREE_ROOT(tree, root, ddr_tree_combine(op, tree->at[level], root))
  return root;
}

/* x, or for any NaN the quiet NaN without sign and payload. */
DDR_FN double ddr_plain_nan(double x) { return x == x ? x : (double)NAN; }

/* The variance of n numbers, from the sum of their distances from the mean and the sum of the
 * squares of these.  The former corrects for the rounding of the mean [Chan, Golub, LeVeque 1983:
 * corrected two-pass]. */
DDR_FN double ddr_variance_of(double squares, double distances, double n) {
  return (squares - distances * distances / n) / n;
}
