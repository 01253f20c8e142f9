/* partial.h: the result of some blocks of an array, and the combination of two such results.
 *
 * The elements of the first operand come first.  Compiles as C17, C++17 and CUDA.
 */
#pragma once

#include "runtime/reduce/compensated.h"
#include "runtime/reduce/wide.h"

typedef struct ddr_partial {
  double re, im;             /* tree: sums, products; extremes: the value, the element */
  double re_error, im_error; /* compensated: the errors of the sums */
  double modulus;            /* of the extreme complex number */
  int64_t integer;           /* integers, truth values */
  ddr_wide wide;             /* exact sums of integers */
} ddr_partial;

typedef ddr_partial ddr_combine_function(ddr_partial a, ddr_partial b);

DDR_FN ddr_partial ddr_partial_of(double re, double im) {
  const ddr_partial partial = {re, im, 0, 0, 0, 0, DDR_NO_WIDE};
  return partial;
}

DDR_FN ddr_partial ddr_partial_of_pairs(ddr_pair re, ddr_pair im) {
  const ddr_partial partial = {re.sum, im.sum, re.error, im.error, 0, 0, DDR_NO_WIDE};
  return partial;
}

DDR_FN ddr_partial ddr_partial_of_integer(int64_t integer) {
  const ddr_partial partial = {0, 0, 0, 0, 0, integer, DDR_NO_WIDE};
  return partial;
}

DDR_FN ddr_partial ddr_partial_of_wide(ddr_wide wide) {
  const ddr_partial partial = {0, 0, 0, 0, 0, 0, wide};
  return partial;
}

/* The result of a reduction of the language for no values (ddr/tree.h). */
DDR_FN ddr_partial ddr_partial_of_none(ddr_reduction reduction, bool is_real, bool is_long) {
  const int64_t most = is_long ? INT64_MAX : INT32_MAX, least = -most - 1;
  switch (reduction) {
  case DDR_SUM:
  case DDR_EXISTS: break;
  case DDR_PRODUCT: return is_real ? ddr_partial_of(1, 0) : ddr_partial_of_integer(1);
  case DDR_ALL: return ddr_partial_of_integer(1);
  case DDR_MEAN:
  case DDR_VARIANCE: return ddr_partial_of((double)NAN, 0);
  case DDR_MIN: return is_real ? ddr_partial_of((double)INFINITY, 0) : ddr_partial_of_integer(most);
  case DDR_MAX:
    return is_real ? ddr_partial_of(-(double)INFINITY, 0) : ddr_partial_of_integer(least);
  }
  return is_real ? ddr_partial_of(0, 0) : ddr_partial_of_integer(0);
}

/* --- on the tree: parts by themselves --------------------------------------------------------- */

DDR_FN ddr_partial ddr_partial_add(ddr_partial a, ddr_partial b) {
  return ddr_partial_of(a.re + b.re, a.im + b.im);
}

DDR_FN ddr_partial ddr_partial_add_pairs(ddr_partial a, ddr_partial b) {
  const ddr_pair re = ddr_pair_add(ddr_pair_of(a.re, a.re_error), ddr_pair_of(b.re, b.re_error));
  const ddr_pair im = ddr_pair_add(ddr_pair_of(a.im, a.im_error), ddr_pair_of(b.im, b.im_error));
  return ddr_partial_of_pairs(re, im);
}

DDR_FN ddr_partial ddr_partial_multiply(ddr_partial a, ddr_partial b) {
  return ddr_partial_of(a.re * b.re, 0);
}

DDR_FN ddr_partial ddr_partial_multiply_complex(ddr_partial a, ddr_partial b) {
  return ddr_partial_of(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

/* --- extremes --------------------------------------------------------------------------------- */

DDR_FN ddr_partial ddr_partial_lesser(ddr_partial a, ddr_partial b) {
  return ddr_partial_of(ddr_lesser(a.re, b.re), 0);
}

DDR_FN ddr_partial ddr_partial_greater(ddr_partial a, ddr_partial b) {
  return ddr_partial_of(ddr_greater(a.re, b.re), 0);
}

/* By modulus: the first of equal ones; a NaN modulus stays. */
DDR_FN ddr_partial ddr_partial_nearer(ddr_partial a, ddr_partial b) {
  return b.modulus < a.modulus || (b.modulus != b.modulus && a.modulus == a.modulus) ? b : a;
}

DDR_FN ddr_partial ddr_partial_farther(ddr_partial a, ddr_partial b) {
  return b.modulus > a.modulus || (b.modulus != b.modulus && a.modulus == a.modulus) ? b : a;
}

/* --- integers and truths ---------------------------------------------------------------------- */

#define DDR_PARTIAL_INTEGER_FN(name, combined)                                                     \
  DDR_FN ddr_partial ddr_partial_##name(ddr_partial p, ddr_partial q) {                            \
    const int64_t a = p.integer, b = q.integer;                                                    \
    return ddr_partial_of_integer(combined);                                                       \
  }
DDR_PARTIAL_INTEGER_FN(add_ints, (int64_t)((uint64_t)a + (uint64_t)b))
DDR_PARTIAL_INTEGER_FN(multiply_ints, (int64_t)((uint64_t)a *(uint64_t)b))
DDR_PARTIAL_INTEGER_FN(lesser_int, b < a ? b : a)
DDR_PARTIAL_INTEGER_FN(greater_int, b > a ? b : a)
DDR_PARTIAL_INTEGER_FN(lesser_natural, (uint64_t)b < (uint64_t)a ? b : a)
DDR_PARTIAL_INTEGER_FN(greater_natural, (uint64_t)b > (uint64_t)a ? b : a)
DDR_PARTIAL_INTEGER_FN(and, a &b)
DDR_PARTIAL_INTEGER_FN(or, a | b)

DDR_FN ddr_partial ddr_partial_add_wide(ddr_partial a, ddr_partial b) {
  return ddr_partial_of_wide(ddr_wide_add(a.wide, b.wide));
}

/* --- levels ----------------------------------------------------------------------------------- */

#ifdef __cplusplus
extern "C" {
#endif

/* Like ddr_tree of ddr/tree.h.  There must be at least one block. */
typedef struct ddr_partial_tree {
  uint64_t n_blocks;
  ddr_partial at[DDR_TREE_LEVELS];
} ddr_partial_tree;

void ddr_partial_push(ddr_partial_tree *tree, ddr_combine_function *combine, ddr_partial block);
ddr_partial ddr_partial_root(const ddr_partial_tree *tree, ddr_combine_function *combine);

#ifdef __cplusplus
}
#endif
