/* reals.h: reductions of reals, one value after another, in a thread of a device.
 *
 * Each value is added at once to its lane of the tree (runtime/reduce/tree.h), so that no thread
 * keeps a block of values.  The bits are those of the host; so the compiler must not contract
 * anything here to fused multiply-add.
 *
 * For device code, included by methods.h; nothing for others.
 */
#pragma once

#include "ddr/device/device.h"

#if defined(DDR_GPU) || defined(DDR_SHIM)

typedef struct ddr_device_reals {
  ddr_fold fold;
  int32_t n;                      /* of the block at hand */
  double lanes[DDR_TREE_LANES];   /* of its values */
  double squares[DDR_TREE_LANES]; /* of the squares, in the second round of a variance */
} ddr_device_reals;

#if defined(DDR_GPU)
DDR_DEVICE_FN double ddr_rounded_sum(double a, double b) { return __dadd_rn(a, b); }
DDR_DEVICE_FN double ddr_rounded_product(double a, double b) { return __dmul_rn(a, b); }
#else
DDR_FN_SELDOM double ddr_rounded_sum(double a, double b) { return a + b; }
DDR_FN_SELDOM double ddr_rounded_product(double a, double b) { return a * b; }
#endif

DDR_DEVICE_FN void ddr_device_reals_begin(ddr_device_reals *reals, ddr_reduction reduction) {
  ddr_fold_begin(&reals->fold, reduction);
  reals->n = 0;
}

DDR_DEVICE_FN double ddr_device_reals_combined(ddr_tree_op op, double a, double b) {
  return op == DDR_TREE_ADD ? ddr_rounded_sum(a, b) : ddr_rounded_product(a, b);
}

/* Combines the lanes of a block, and adds the result to the tree. */
DDR_DEVICE_FN void ddr_device_reals_push(ddr_tree *tree, ddr_tree_op op, double *lanes, int32_t n) {
  for (int l = n; l < DDR_TREE_LANES; l++) lanes[l] = ddr_tree_identity(op);
  for (int half = DDR_TREE_LANES / 2; half > 0; half /= 2) {
    for (int l = 0; l < half; l++)
      lanes[l] = ddr_device_reals_combined(op, lanes[l], lanes[l + half]);
  }
  ddr_tree_push(tree, op, lanes[0]);
}

DDR_DEVICE_FN void ddr_device_reals_flush(ddr_device_reals *reals) {
  const ddr_tree_op op = ddr_tree_op_of(reals->fold.reduction);
  if (reals->n == 0) return;
  ddr_device_reals_push(&reals->fold.tree, op, reals->lanes, reals->n);
  if (reals->fold.is_centred)
    ddr_device_reals_push(&reals->fold.squares, op, reals->squares, reals->n);
  reals->n = 0;
}

DDR_DEVICE_FN void ddr_device_reals_add(ddr_device_reals *reals, ddr_real value) {
  const ddr_tree_op op = ddr_tree_op_of(reals->fold.reduction);
  const int lane = reals->n % DDR_TREE_LANES;
  const bool is_first = reals->n < DDR_TREE_LANES, is_centred = reals->fold.is_centred;
  const double x = is_centred ? ddr_rounded_sum((double)value, -reals->fold.mean) : (double)value;
  const double so_far = is_first ? ddr_tree_identity(op) : reals->lanes[lane];
  reals->lanes[lane] = ddr_device_reals_combined(op, so_far, x);
  if (is_centred)
    reals->squares[lane] =
        ddr_rounded_sum(is_first ? 0 : reals->squares[lane], ddr_rounded_product(x, x));
  reals->fold.n_values++;
  if (++reals->n == DDR_TREE_BLOCK) ddr_device_reals_flush(reals);
}

DDR_DEVICE_FN void ddr_device_reals_again(ddr_device_reals *reals) {
  ddr_device_reals_flush(reals);
  ddr_fold_again(&reals->fold);
}

DDR_DEVICE_FN ddr_real ddr_device_reals_end(ddr_device_reals *reals) {
  ddr_device_reals_flush(reals);
  return (ddr_real)ddr_fold_end(&reals->fold);
}

#define ddr_reals ddr_device_reals
#define ddr_reals_begin ddr_device_reals_begin
#define ddr_reals_add ddr_device_reals_add
#define ddr_reals_again ddr_device_reals_again
#define ddr_reals_end ddr_device_reals_end

#endif
