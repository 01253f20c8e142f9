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

/* Written out, so that the lanes are vectors of the machine and no branch depends on the count but
 * one: where there are only few numbers, the other lanes have the identity and change no bit. */
#define DDR_TREE_FOLD(half, op)                                                                    \
  for (int l = 0; l < half; l++) lanes[l] = lanes[l] op lanes[l + half];

#define DDR_TREE_BLOCK_FN(name, number, op, identity)                                              \
  DDR_FN double name(const number *x, int64_t n)                                                   \
  {                                                                                                \
    double lanes[DDR_TREE_LANES];                                                                  \
    const bool is_small = n <= 8;                                                                  \
    const int n_lanes = is_small ? 8 : DDR_TREE_LANES, n_first = n < n_lanes ? (int)n : n_lanes;   \
    int64_t k = DDR_TREE_LANES;                                                                    \
    for (int l = 0; l < n_first; l++) {                                                            \
      const double next = x[l];                                                                    \
      lanes[l] = identity op next;                                                                 \
    }                                                                                              \
    for (int l = n_first; l < n_lanes; l++) lanes[l] = identity;                                   \
    for (; k + DDR_TREE_LANES <= n; k += DDR_TREE_LANES) {                                         \
      for (int l = 0; l < DDR_TREE_LANES; l++) {                                                   \
        const double next = x[k + l];                                                              \
        lanes[l] = lanes[l] op next;                                                               \
      }                                                                                            \
    }                                                                                              \
    for (int l = 0; k + l < n; l++) {                                                              \
      const double next = x[k + l];                                                                \
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
DDR_TREE_BLOCK_FN(ddr_tree_sum_floats, float, +, 0)
DDR_TREE_BLOCK_FN(ddr_tree_sum_doubles, double, +, 0)
DDR_TREE_BLOCK_FN(ddr_tree_product_floats, float, *, 1)
DDR_TREE_BLOCK_FN(ddr_tree_product_doubles, double, *, 1)
#undef DDR_TREE_BLOCK_FN
#undef DDR_TREE_FOLD

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
