/* fold.c: folds reals one after another, for loops that reduce: values go to the tree in blocks.
 *
 * Built without contraction, see runtime/reduce/tree.h.  Read next: set_reduction.c (sets of
 * strands).
 */
#include <string.h>

#include "ddr/reduce.h"
#include "runtime/reduce/tree.h"

/* Replaces the values by their distances from the mean. */
static void fold_distances(ddr_fold *fold, double *values, int64_t n) {
  double squares[DDR_TREE_BLOCK];
  for (int64_t k = 0; k < n; k++) {
    values[k] -= fold->mean;
    squares[k] = values[k] * values[k];
  }
  ddr_tree_push(&fold->tree, DDR_TREE_ADD, ddr_tree_doubles(DDR_TREE_ADD, values, n));
  ddr_tree_push(&fold->squares, DDR_TREE_ADD, ddr_tree_doubles(DDR_TREE_ADD, squares, n));
}

void ddr_fold_floats(ddr_fold *fold, const float *values, int64_t n) {
  if (fold->is_centred) {
    double wide[DDR_TREE_BLOCK];
    for (int64_t k = 0; k < n; k++) wide[k] = (double)values[k];
    ddr_fold_doubles(fold, wide, n);
    return;
  }
  const ddr_tree_op op = ddr_tree_op_of(fold->reduction);
  fold->n_values += n;
  ddr_tree_push(&fold->tree, op, ddr_tree_floats(op, values, n));
}

void ddr_fold_doubles(ddr_fold *fold, const double *values, int64_t n) {
  const ddr_tree_op op = ddr_tree_op_of(fold->reduction);
  fold->n_values += n;
  if (fold->is_centred) {
    double distances[DDR_TREE_BLOCK];
    memcpy(distances, values, (size_t)n * sizeof *values);
    fold_distances(fold, distances, n);
    return;
  }
  ddr_tree_push(&fold->tree, op, ddr_tree_doubles(op, values, n));
}
