/* tree.h: the one order in which numbers are added up or multiplied, whoever does it.
 *
 *   block b   positions 1024 b .. 1024 b + 1023
 *   lane l    (((0 or 1) o x[l]) o x[32 + l]) o x[64 + l] ...         of its block
 *   fold      lane l := lane l o lane l+16, then l+8, l+4, l+2, l+1   until lane 0 is left
 *   levels    blocks in pairs, pairs in pairs, ...; an odd last one moves up unchanged
 *
 * The shape depends on how many numbers there are and on nothing else, so any schedule of blocks
 * gives the same bits, and the error grows with the logarithm of the count.  Numbers are doubles on
 * the way.  Build with contraction off: a product must be rounded before it is added.
 *
 * Compiles as C17, C++17 and CUDA.  Read next: ddr/reduce.h (who asks for it).
 */
#pragma once

#include "ddr/reduce.h"

typedef enum ddr_tree_op { DDR_TREE_ADD, DDR_TREE_MULTIPLY } ddr_tree_op;

DDR_FN ddr_tree_op ddr_tree_op_of(ddr_reduction reduction)
{
  return reduction == DDR_PRODUCT ? DDR_TREE_MULTIPLY : DDR_TREE_ADD;
}

DDR_FN double ddr_tree_combine(ddr_tree_op op, double a, double b)
{
  return op == DDR_TREE_ADD ? a + b : a * b;
}

DDR_FN double ddr_tree_identity(ddr_tree_op op) { return op == DDR_TREE_ADD ? 0 : 1; }

/* --- blocks: n numbers, at most DDR_TREE_BLOCK ------------------------------------------------ */

/* `op` is spelled in the loops, so that the lanes are vectors of the machine. */
#define DDR_TREE_BLOCK_FN(name, number, op, identity)                                              \
  DDR_FN double name(const number *x, int64_t n)                                                   \
  {                                                                                                \
    double lanes[DDR_TREE_LANES];                                                                  \
    for (int l = 0; l < DDR_TREE_LANES; l++) lanes[l] = identity;                                  \
    for (; n >= DDR_TREE_LANES; n -= DDR_TREE_LANES, x += DDR_TREE_LANES) {                        \
      for (int l = 0; l < DDR_TREE_LANES; l++) lanes[l] = lanes[l] op(double) x[l];                \
    }                                                                                              \
    for (int64_t l = 0; l < n; l++) lanes[l] = lanes[l] op(double) x[l];                           \
    for (int half = DDR_TREE_LANES / 2; half > 0; half /= 2) {                                     \
      for (int l = 0; l < half; l++) lanes[l] = lanes[l] op lanes[l + half];                       \
    }                                                                                              \
    return lanes[0];                                                                               \
  }
DDR_TREE_BLOCK_FN(ddr_tree_sum_floats, float, +, 0)
DDR_TREE_BLOCK_FN(ddr_tree_sum_doubles, double, +, 0)
DDR_TREE_BLOCK_FN(ddr_tree_product_floats, float, *, 1)
DDR_TREE_BLOCK_FN(ddr_tree_product_doubles, double, *, 1)
#undef DDR_TREE_BLOCK_FN

DDR_FN double ddr_tree_floats(ddr_tree_op op, const float *x, int64_t n)
{
  return op == DDR_TREE_ADD ? ddr_tree_sum_floats(x, n) : ddr_tree_product_floats(x, n);
}

DDR_FN double ddr_tree_doubles(ddr_tree_op op, const double *x, int64_t n)
{
  return op == DDR_TREE_ADD ? ddr_tree_sum_doubles(x, n) : ddr_tree_product_doubles(x, n);
}

/* --- levels: blocks as they come, in order ---------------------------------------------------- */

DDR_FN void ddr_tree_push(ddr_tree *tree, ddr_tree_op op, double block)
{
  int level = 0;
  for (; tree->n_blocks >> level & 1u; level++) {
    block = ddr_tree_combine(op, tree->at[level], block);
  }
  tree->at[level] = block;
  tree->n_blocks++;
}

/* The result of all blocks.  To begin with the identity changes no bit: no sum of a block is -0. */
DDR_FN double ddr_tree_root(const ddr_tree *tree, ddr_tree_op op)
{
  double root = ddr_tree_identity(op);
  for (int level = 0; tree->n_blocks >> level > 0; level++) {
    if (tree->n_blocks >> level & 1u) root = ddr_tree_combine(op, tree->at[level], root);
  }
  return root;
}

/* Whatever NaN it was: the quiet one without sign and payload. */
DDR_FN double ddr_plain_nan(double x) { return x == x ? x : (double)NAN; }
