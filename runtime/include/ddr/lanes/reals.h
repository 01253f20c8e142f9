/* reals.h: reductions of reals in loops, in every lane: extremes, and sums on the tree of
 * runtime/reduce/tree.h.
 *
 * Round k of the loop adds value k of each lane. A lane with fewer values than others adds what
 * changes no bit: 0 to a sum, since no sum on the tree is -0, or 1 to a product. So all lanes have
 * the tree of the longest one, and each lane has the bits of ddr/reduce.h.
 */
#pragma once

#include "ddr/lanes/wide.h"
#include "ddr/reduce.h"

/* Doubles for all lanes: see wide.h. Not an array, which compilers would keep in memory. */
typedef struct ddr_vdoubles {
  ddr_vwide lower, upper;
} ddr_vdoubles;

/* Like ddr_tree. */
typedef struct ddr_vtree {
  uint64_t n_blocks;
  ddr_vdoubles at[DDR_TREE_LEVELS];
  ddr_vdoubles lanes[DDR_TREE_LANES]; /* the lanes of the tree, for the current block */
} ddr_vtree;

/* A sum, product or mean. The functions get the kind as an argument, a constant when inlined. */
typedef struct ddr_vreals {
  int32_t n;             /* rounds of the current block */
  ddr_vdoubles n_values; /* number of values in each lane; for mean and variance */
  ddr_vtree tree;
} ddr_vreals;

typedef struct ddr_vvariance {
  ddr_vreals reals;  /* the values; in the second round their distances from the mean, */
  ddr_vtree squares; /* and the squares of these */
  ddr_vdoubles mean;
} ddr_vvariance;

/* --- doubles for all lanes -------------------------------------------------------------------- */

DDR_VFN ddr_vdoubles ddr_vdoubles_all(double x) {
  return (ddr_vdoubles){ddr_vall_wide(x), ddr_vall_wide(x)};
}

DDR_VFN ddr_vdoubles ddr_vdoubles_of(ddr_vreal x) {
  return (ddr_vdoubles){ddr_vlower(x), ddr_vupper(x)};
}

DDR_VFN ddr_vdoubles ddr_vdoubles_combine(ddr_tree_op op, ddr_vdoubles a, ddr_vdoubles b) {
  if (op == DDR_TREE_ADD) return (ddr_vdoubles){a.lower + b.lower, a.upper + b.upper};
  return (ddr_vdoubles){a.lower * b.lower, a.upper * b.upper};
}

DDR_VFN ddr_vdoubles ddr_vdoubles_divide(ddr_vdoubles a, ddr_vdoubles b) {
  return (ddr_vdoubles){a.lower / b.lower, a.upper / b.upper};
}

/* --- the tree --------------------------------------------------------------------------------- */

DDR_VFN void ddr_vtree_add(ddr_vtree *tree, ddr_tree_op op, int32_t at, ddr_vdoubles next) {
  ddr_vdoubles *lane = &tree->lanes[at % DDR_TREE_LANES];
  const ddr_vdoubles none = ddr_vdoubles_all(ddr_tree_identity(op));
  *lane = ddr_vdoubles_combine(op, at < DDR_TREE_LANES ? none : *lane, next);
}

/* Adds a block of n >= 1 rounds. Further lanes of the tree would change no bit, and are skipped. */
DDR_FN_SELDOM void ddr_vtree_push(ddr_vtree *tree, ddr_tree_op op, int32_t n) {
  ddr_vdoubles *lanes = tree->lanes;
  for (int half = DDR_TREE_LANES / 2; half > 0; half /= 2) {
    for (int l = 0; l < half && l + half < n; l++)
      lanes[l] = ddr_vdoubles_combine(op, lanes[l], lanes[l + half]);
    n = n < half ? n : half;
  }
  ddr_vdoubles block = lanes[0];
  DDR_TREE_PUSH(tree, block, ddr_vdoubles_combine(op, tree->at[level], block))
}

/* Not inlined: that would take C compilers longer than the rest of a reduction. */
DDR_FN_SELDOM void ddr_vtree_find_root(const ddr_vtree *tree, ddr_tree_op op, ddr_vdoubles *found) {
  ddr_vdoubles root = ddr_vdoubles_all(ddr_tree_identity(op));
  if (tree->n_blocks > 0) {
    DDR_TREE_ROOT(tree, root, ddr_vdoubles_combine(op, tree->at[level], root))
  }
  *found = root;
}

DDR_VFN ddr_vdoubles ddr_vtree_root(const ddr_vtree *tree, ddr_tree_op op) {
  ddr_vdoubles root;
  ddr_vtree_find_root(tree, op, &root);
  return root;
}

/* --- sums, products, means -------------------------------------------------------------------- */

DDR_VFN void ddr_vreals_begin(ddr_vreals *reals) {
  reals->n = 0;
  reals->n_values = ddr_vdoubles_all(0);
  reals->tree.n_blocks = 0;
}

DDR_VFN void ddr_vreals_flush(ddr_vreals *reals, ddr_tree_op op) {
  if (reals->n > 0) ddr_vtree_push(&reals->tree, op, reals->n);
  reals->n = 0;
}

/* 1 for each lane of the mask, 0 for the others. */
DDR_VFN ddr_vdoubles ddr_vones(ddr_vmask mask) {
  return ddr_vdoubles_of(ddr_vselect_real(mask, ddr_vreal_all(1), ddr_vreal_all(0)));
}

/* Adds the next value of the lanes of the mask. A lane that was off once stays off, so that the
 * values of a lane are consecutive. */
DDR_VFN void ddr_vreals_add(ddr_vreals *reals, ddr_reduction reduction, ddr_vmask mask,
                            ddr_vreal value) {
  const ddr_tree_op op = ddr_tree_op_of(reduction);
  const ddr_vreal none = ddr_vreal_all((ddr_real)ddr_tree_identity(op));
  ddr_vtree_add(&reals->tree, op, reals->n, ddr_vdoubles_of(ddr_vselect_real(mask, value, none)));
  if (reduction == DDR_MEAN)
    reals->n_values = ddr_vdoubles_combine(DDR_TREE_ADD, reals->n_values, ddr_vones(mask));
  if (++reals->n == DDR_TREE_BLOCK) ddr_vreals_flush(reals, op);
}

DDR_VFN ddr_vdoubles ddr_vreals_mean(ddr_vreals *reals) {
  ddr_vreals_flush(reals, DDR_TREE_ADD);
  return ddr_vdoubles_divide(ddr_vtree_root(&reals->tree, DDR_TREE_ADD), reals->n_values);
}

/* Rounds to reals. Every NaN becomes the quiet NaN without sign and payload, as in ddr_fold_end. */
DDR_VFN ddr_vreal ddr_vrounded(ddr_vdoubles x) {
  const ddr_vreal result = ddr_vjoined(x.lower, x.upper);
  return ddr_vselect_real(result == result, result, ddr_vreal_all((ddr_real)NAN));
}

DDR_VFN ddr_vreal ddr_vreals_end(ddr_vreals *reals, ddr_reduction reduction) {
  const ddr_tree_op op = ddr_tree_op_of(reduction);
  if (reduction == DDR_MEAN) return ddr_vrounded(ddr_vreals_mean(reals));
  ddr_vreals_flush(reals, op);
  return ddr_vrounded(ddr_vtree_root(&reals->tree, op));
}

/* --- variances -------------------------------------------------------------------------------- */

DDR_VFN void ddr_vvariance_begin(ddr_vvariance *variance) {
  ddr_vreals_begin(&variance->reals);
  variance->squares.n_blocks = 0;
}

/* The distance from the mean; 0 for lanes without a value. */
DDR_VFN ddr_vwide ddr_vdistance(ddr_vwide is_on, ddr_vwide value, ddr_vwide mean) {
  return ddr_vselect_wide(is_on != 0, value - mean, ddr_vall_wide(0));
}

/* Flushes the squares first, as the second call resets the number of rounds of both. */
DDR_VFN void ddr_vvariance_flush(ddr_vvariance *variance) {
  if (variance->reals.n > 0) ddr_vtree_push(&variance->squares, DDR_TREE_ADD, variance->reals.n);
  ddr_vreals_flush(&variance->reals, DDR_TREE_ADD);
}

DDR_VFN void ddr_vvariance_add(ddr_vvariance *variance, ddr_vmask mask, ddr_vreal value) {
  ddr_vreals_add(&variance->reals, DDR_MEAN, mask, value);
}

/* Adds a value in the second round. */
DDR_VFN void ddr_vvariance_add_distance(ddr_vvariance *variance, ddr_vmask mask, ddr_vreal value) {
  const ddr_vdoubles is_on = ddr_vones(mask), x = ddr_vdoubles_of(value), mean = variance->mean;
  const ddr_vdoubles distance = {ddr_vdistance(is_on.lower, x.lower, mean.lower),
                                 ddr_vdistance(is_on.upper, x.upper, mean.upper)};
  ddr_vtree_add(&variance->reals.tree, DDR_TREE_ADD, variance->reals.n, distance);
  ddr_vtree_add(&variance->squares, DDR_TREE_ADD, variance->reals.n,
                ddr_vdoubles_combine(DDR_TREE_MULTIPLY, distance, distance));
  if (++variance->reals.n == DDR_TREE_BLOCK) ddr_vvariance_flush(variance);
}

/* Starts the second round, in which the same values follow once more. */
DDR_VFN void ddr_vvariance_again(ddr_vvariance *variance) {
  variance->mean = ddr_vreals_mean(&variance->reals);
  variance->reals.tree.n_blocks = 0;
}

/* Like ddr_variance_of. */
DDR_VFN ddr_vwide ddr_vvariance_of(ddr_vwide squares, ddr_vwide distances, ddr_vwide n) {
  return (squares - distances * distances / n) / n;
}

DDR_VFN ddr_vreal ddr_vvariance_end(ddr_vvariance *variance) {
  ddr_vvariance_flush(variance);
  const ddr_vdoubles distances = ddr_vtree_root(&variance->reals.tree, DDR_TREE_ADD);
  const ddr_vdoubles squares = ddr_vtree_root(&variance->squares, DDR_TREE_ADD);
  const ddr_vdoubles n = variance->reals.n_values;
  return ddr_vrounded((ddr_vdoubles){ddr_vvariance_of(squares.lower, distances.lower, n.lower),
                                     ddr_vvariance_of(squares.upper, distances.upper, n.upper)});
}

/* --- extremes: NaN if either is one; -0 is less than +0 --------------------------------------- */

/* NaN if a or b is NaN, else x. Below, `same` is for equal reals: those are equal in all bits, or
 * zeros. */
DDR_VFN ddr_vreal ddr_vplain_nan(ddr_vreal a, ddr_vreal b, ddr_vreal x) {
  return ddr_vselect_real((a == a) & (b == b), x, ddr_vreal_all((ddr_real)NAN));
}

DDR_VFN ddr_vreal ddr_vleast(ddr_vreal a, ddr_vreal b) {
  const ddr_vreal same = (ddr_vreal)((ddr_vmask)a | (ddr_vmask)b);
  const ddr_vreal other = ddr_vselect_real(a < b, a, b);
  return ddr_vplain_nan(a, b, ddr_vselect_real(a == b, same, other));
}

DDR_VFN ddr_vreal ddr_vmost(ddr_vreal a, ddr_vreal b) {
  const ddr_vreal same = (ddr_vreal)((ddr_vmask)a & (ddr_vmask)b);
  const ddr_vreal other = ddr_vselect_real(a < b, b, a);
  return ddr_vplain_nan(a, b, ddr_vselect_real(a == b, same, other));
}
