/* partial.h: what some blocks of an array have come to, and how two such results become one.
 *
 * The first operand is the one whose elements come first.
 */
#pragma once

#include "runtime/reduce/compensated.h"

typedef struct ddr_partial {
  double re, im;             /* tree: sums, products; extremes: the value, the element */
  double re_error, im_error; /* compensated: what the sums have lost */
  double modulus;            /* of the extreme complex number */
  int64_t integer;           /* integers, truths */
} ddr_partial;

typedef ddr_partial ddr_combine_function(ddr_partial a, ddr_partial b);

ddr_combine_function ddr_partial_add, ddr_partial_add_pairs; /* parts by themselves */
ddr_combine_function ddr_partial_multiply, ddr_partial_multiply_complex;
ddr_combine_function ddr_partial_lesser, ddr_partial_greater; /* reals */
ddr_combine_function ddr_partial_nearer, ddr_partial_farther; /* by modulus */
ddr_combine_function ddr_partial_add_ints, ddr_partial_multiply_ints;
ddr_combine_function ddr_partial_lesser_int, ddr_partial_greater_int;
ddr_combine_function ddr_partial_lesser_natural, ddr_partial_greater_natural;
ddr_combine_function ddr_partial_and, ddr_partial_or;

/* The levels of tree.h, see ddr_tree there.  The root is that of at least one block. */
typedef struct ddr_partial_tree {
  uint64_t n_blocks;
  ddr_partial at[DDR_TREE_LEVELS];
} ddr_partial_tree;

void ddr_partial_push(ddr_partial_tree *tree, ddr_combine_function *combine, ddr_partial block);
ddr_partial ddr_partial_root(const ddr_partial_tree *tree, ddr_combine_function *combine);
