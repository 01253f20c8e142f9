/* reals.h: reductions of reals in a loop of a thread of a device.
 *
 * The bits are those of the host, so the sums are those of its tree (runtime/reduce/tree.h); the
 * compiler must not contract anything here to fused multiply-add.  But a thread has no fast
 * memory of its own, and 32 lanes do not fit into registers.  So the loop visits its values in
 * another order: block after block, but in each lane after lane, such that lanes that are folded
 * together follow each other:
 *
 *   turns   0   1   2   3   4   5 ...        of 32 lanes; of 8: 0 4 2 6 1 5 3 7
 *   lanes   0  16   8  24   4  20 ...        each with its values from the first to the last
 *
 * What is kept is one number for each level of the tree, like the ones of a binary counter.
 *
 * For device code, included by methods.h; nothing for others.
 */
#pragma once

#include "ddr/device/device.h"

#if defined(DDR_GPU) || defined(DDR_SHIM)

/* --- the order -------------------------------------------------------------------------------- */

/* For 2^32 values; of 64-bit ints 2^42, for which a thread takes hours. */
enum { DDR_LANE_LEVELS = 5, DDR_BLOCK_LEVELS = sizeof(ddr_int) == 4 ? 23 : 33 };

/* The place of a loop over n values; n is 0 before it begins and after its end. */
typedef struct ddr_turns {
  int64_t n, block; /* the number of the block at hand */
  uint32_t at;      /* the place of the value in it */
  uint32_t n_here;  /* its values */
  uint32_t n_lanes; /* that have any, or a few more: a power of two */
  uint32_t turn;    /* lanes before the one at hand */
} ddr_turns;

/* Of the lanes of a block: the bits of the turn backwards. */
DDR_DEVICE_FN uint32_t ddr_turns_lane(const ddr_turns *turns) {
#if defined(DDR_GPU)
  return __umulhi(__brev(turns->turn), turns->n_lanes);
#else
  uint32_t lane = 0;
  for (uint32_t bit = 1; bit < turns->n_lanes; bit *= 2)
    if (turns->turn & bit) lane += turns->n_lanes / 2 / bit;
  return lane;
#endif
}

DDR_DEVICE_FN bool ddr_turns_end_lane(const ddr_turns *turns) {
  return turns->at + DDR_TREE_LANES >= turns->n_here;
}

/* The turn, or the next one if the lane for that has no values: it is folded with this one. */
DDR_DEVICE_FN uint32_t ddr_turns_last(const ddr_turns *turns) {
  const uint32_t lane = turns->at % DDR_TREE_LANES;
  const bool is_alone = turns->turn % 2 == 0 && lane + turns->n_lanes / 2 >= turns->n_here;
  return turns->turn + (is_alone && turns->n_lanes > 1);
}

DDR_DEVICE_FN bool ddr_turns_open_block(ddr_turns *turns, int64_t block) {
  const int64_t n_left = turns->n - block * DDR_TREE_BLOCK;
  const uint32_t n = (uint32_t)(n_left < DDR_TREE_BLOCK ? n_left : DDR_TREE_BLOCK);
  turns->n_here = n;
  turns->n_lanes = 1u << ((n > 1) + (n > 2) + (n > 4) + (n > 8) + (n > 16));
  turns->turn = 0;
  turns->block = block;
  turns->at = 0;
  return true;
}

/* Goes to the next value, of those from the first to the last; false if there is none any more. */
DDR_DEVICE_FN bool ddr_turns_take(ddr_turns *turns, ddr_int first, ddr_int last) {
  if (turns->n == 0) {
    if (last < first) return false;
    turns->n = (int64_t)last - first + 1;
    return ddr_turns_open_block(turns, 0);
  }
  if (!ddr_turns_end_lane(turns)) {
    turns->at += DDR_TREE_LANES;
    return true;
  }
  turns->turn = ddr_turns_last(turns) + 1;
  if (turns->turn < turns->n_lanes) {
    turns->at = ddr_turns_lane(turns);
    return true;
  }
  if ((turns->block + 1) * DDR_TREE_BLOCK < turns->n)
    return ddr_turns_open_block(turns, turns->block + 1);
  turns->n = 0;
  return false;
}

DDR_DEVICE_FN ddr_int ddr_turns_value(const ddr_turns *turns, ddr_int first) {
  return (ddr_int)(first + turns->block * DDR_TREE_BLOCK + turns->at);
}

/* --- a tree ----------------------------------------------------------------------------------- */

/* A level has a number if the bit of the turn, or of the number of blocks, is set. */
typedef struct ddr_device_tree {
  double lane; /* the one at hand */
  double lanes[DDR_LANE_LEVELS], blocks[DDR_BLOCK_LEVELS];
} ddr_device_tree;

/* If nvcc knows the most values that there may be, levels that none reaches cost nothing. */
typedef struct ddr_device_reals {
  ddr_turns turns; /* if it is the first one of its loop */
  ddr_reduction reduction;
  int64_t most;
  bool is_centred;  /* variance: the mean is known, this is the second round */
  int64_t n_values; /* of this round */
  double mean;
  ddr_device_tree tree;    /* of the values; of their distances from the mean */
  ddr_device_tree squares; /* of those distances */
} ddr_device_reals;

#if defined(DDR_GPU)
DDR_DEVICE_FN double ddr_rounded_sum(double a, double b) { return __dadd_rn(a, b); }
DDR_DEVICE_FN double ddr_rounded_product(double a, double b) { return __dmul_rn(a, b); }
#else
DDR_FN_SELDOM double ddr_rounded_sum(double a, double b) { return a + b; }
DDR_FN_SELDOM double ddr_rounded_product(double a, double b) { return a * b; }
#endif

DDR_DEVICE_FN double ddr_device_combined(ddr_tree_op op, double a, double b) {
  return op == DDR_TREE_ADD ? ddr_rounded_sum(a, b) : ddr_rounded_product(a, b);
}

/* Levels are no loop with exits: nvcc would not know the index of each number. */

#define DDR_FOLD_LEVEL(k)                                                                          \
  if ((most - 1) >> k == 0) return true;                                                           \
  if (!(last >> k & 1)) {                                                                          \
    tree->lanes[k] = *so_far;                                                                      \
    return last + 1 == turns->n_lanes;                                                             \
  }                                                                                                \
  if (last == turns->turn || k > 0) *so_far = ddr_device_combined(op, tree->lanes[k], *so_far);

/* Folds the lane at hand with the results of lanes before, up to the first level that has none,
 * which keeps the result; true if it is that of the whole block. */
DDR_DEVICE_FN bool ddr_device_tree_fold(ddr_device_tree *tree, ddr_tree_op op,
                                        const ddr_turns *turns, int64_t most, double *so_far) {
  const uint32_t last = ddr_turns_last(turns);
  DDR_FOLD_LEVEL(0)
  DDR_FOLD_LEVEL(1)
  DDR_FOLD_LEVEL(2)
  DDR_FOLD_LEVEL(3)
  DDR_FOLD_LEVEL(4)
  return true;
}
#undef DDR_FOLD_LEVEL

DDR_DEVICE_FN void ddr_device_tree_push(ddr_device_tree *tree, ddr_tree_op op,
                                        const ddr_turns *turns, int64_t most, double so_far) {
  bool goes_on = true;
  if (most <= DDR_TREE_BLOCK || turns->n <= DDR_TREE_BLOCK) {
    tree->blocks[0] = so_far;
    return;
  }
  DDR_UNROLLED for (int k = 0; k < DDR_BLOCK_LEVELS; k++) {
    const bool is_kept = goes_on && !(turns->block >> k & 1);
    tree->blocks[k] = is_kept ? so_far : tree->blocks[k];
    goes_on = goes_on && !is_kept;
    if (goes_on) so_far = ddr_device_combined(op, tree->blocks[k], so_far);
  }
}

DDR_DEVICE_FN void ddr_device_tree_add(ddr_device_tree *tree, ddr_tree_op op,
                                       const ddr_turns *turns, int64_t most, double value) {
  const bool is_first = turns->at < DDR_TREE_LANES;
  double so_far = ddr_device_combined(op, is_first ? ddr_tree_identity(op) : tree->lane, value);
  tree->lane = so_far;
  if (ddr_turns_end_lane(turns) && ddr_device_tree_fold(tree, op, turns, most, &so_far))
    ddr_device_tree_push(tree, op, turns, most, so_far);
}

DDR_DEVICE_FN double ddr_device_tree_root(const ddr_device_tree *tree, ddr_tree_op op, int64_t most,
                                          int64_t n_values) {
  const int64_t n_blocks = (n_values + DDR_TREE_BLOCK - 1) / DDR_TREE_BLOCK;
  double root = ddr_tree_identity(op);
  bool is_there = false;
  if (most <= DDR_TREE_BLOCK || n_blocks <= 1) return n_values > 0 ? tree->blocks[0] : root;
  DDR_UNROLLED for (int k = 0; k < DDR_BLOCK_LEVELS; k++) {
    const bool has_one = n_blocks >> k & 1;
    const double both = is_there ? ddr_device_combined(op, tree->blocks[k], root) : tree->blocks[k];
    root = has_one ? both : root;
    is_there = is_there || has_one;
  }
  return root;
}

/* --- reductions ------------------------------------------------------------------------------- */

DDR_DEVICE_FN void ddr_device_reals_begin(ddr_device_reals *reals, ddr_reduction reduction,
                                          int64_t most) {
  const ddr_device_reals none = {.reduction = reduction, .most = most};
  *reals = none;
}

DDR_DEVICE_FN void ddr_device_reals_add(ddr_device_reals *reals, const ddr_turns *turns,
                                        ddr_real value) {
  const ddr_tree_op op = ddr_tree_op_of(reals->reduction);
  const double x = reals->is_centred ? ddr_rounded_sum((double)value, -reals->mean) : (double)value;
  ddr_device_tree_add(&reals->tree, op, turns, reals->most, x);
  if (reals->is_centred)
    ddr_device_tree_add(&reals->squares, op, turns, reals->most, ddr_rounded_product(x, x));
  reals->n_values = turns->n;
}

DDR_DEVICE_FN double ddr_device_reals_root(const ddr_device_reals *reals) {
  return ddr_device_tree_root(&reals->tree, ddr_tree_op_of(reals->reduction), reals->most,
                              reals->n_values);
}

/* Variance: starts the second round, in which the same values follow once more. */
DDR_DEVICE_FN void ddr_device_reals_again(ddr_device_reals *reals) {
  reals->mean = ddr_device_reals_root(reals) / (double)reals->n_values;
  reals->is_centred = true;
}

DDR_DEVICE_FN ddr_real ddr_device_reals_end(const ddr_device_reals *reals) {
  const double n = (double)reals->n_values, root = ddr_device_reals_root(reals);
  double result = reals->reduction == DDR_MEAN ? root / n : root;
  if (reals->reduction == DDR_VARIANCE)
    result = ddr_variance_of(
        ddr_device_tree_root(&reals->squares, DDR_TREE_ADD, reals->most, reals->n_values), root, n);
  return (ddr_real)ddr_plain_nan(result);
}

/* --- in order --------------------------------------------------------------------------------- */

/* For loops that print: their values come from the first to the last, each for another lane than
 * the one before. So all lanes are kept, in local memory. */
typedef struct ddr_ordered_reals {
  ddr_fold fold;
  int32_t n;                      /* of the block at hand */
  double lanes[DDR_TREE_LANES];   /* of its values */
  double squares[DDR_TREE_LANES]; /* of the squares, in the second round of a variance */
} ddr_ordered_reals;

DDR_DEVICE_FN void ddr_ordered_reals_begin(ddr_ordered_reals *reals, ddr_reduction reduction) {
  ddr_fold_begin(&reals->fold, reduction);
  reals->n = 0;
}

/* Combines the lanes of a block, and adds the result to the tree. */
DDR_DEVICE_FN void ddr_ordered_reals_push(ddr_tree *tree, ddr_tree_op op, double *lanes,
                                          int32_t n) {
  for (int l = n; l < DDR_TREE_LANES; l++) lanes[l] = ddr_tree_identity(op);
  for (int half = DDR_TREE_LANES / 2; half > 0; half /= 2) {
    for (int l = 0; l < half; l++) lanes[l] = ddr_device_combined(op, lanes[l], lanes[l + half]);
  }
  ddr_tree_push(tree, op, lanes[0]);
}

DDR_DEVICE_FN void ddr_ordered_reals_flush(ddr_ordered_reals *reals) {
  const ddr_tree_op op = ddr_tree_op_of(reals->fold.reduction);
  if (reals->n == 0) return;
  ddr_ordered_reals_push(&reals->fold.tree, op, reals->lanes, reals->n);
  if (reals->fold.is_centred)
    ddr_ordered_reals_push(&reals->fold.squares, op, reals->squares, reals->n);
  reals->n = 0;
}

DDR_DEVICE_FN void ddr_ordered_reals_add(ddr_ordered_reals *reals, ddr_real value) {
  const ddr_tree_op op = ddr_tree_op_of(reals->fold.reduction);
  const int lane = reals->n % DDR_TREE_LANES;
  const bool is_first = reals->n < DDR_TREE_LANES, is_centred = reals->fold.is_centred;
  const double x = is_centred ? ddr_rounded_sum((double)value, -reals->fold.mean) : (double)value;
  const double so_far = is_first ? ddr_tree_identity(op) : reals->lanes[lane];
  reals->lanes[lane] = ddr_device_combined(op, so_far, x);
  if (is_centred)
    reals->squares[lane] =
        ddr_rounded_sum(is_first ? 0 : reals->squares[lane], ddr_rounded_product(x, x));
  reals->fold.n_values++;
  if (++reals->n == DDR_TREE_BLOCK) ddr_ordered_reals_flush(reals);
}

DDR_DEVICE_FN void ddr_ordered_reals_again(ddr_ordered_reals *reals) {
  ddr_ordered_reals_flush(reals);
  ddr_fold_again(&reals->fold);
}

DDR_DEVICE_FN ddr_real ddr_ordered_reals_end(ddr_ordered_reals *reals) {
  ddr_ordered_reals_flush(reals);
  return (ddr_real)ddr_fold_end(&reals->fold);
}

#define ddr_reals ddr_device_reals
#define ddr_reals_begin ddr_device_reals_begin
#define ddr_reals_add ddr_device_reals_add
#define ddr_reals_again ddr_device_reals_again
#define ddr_reals_end ddr_device_reals_end

#endif
