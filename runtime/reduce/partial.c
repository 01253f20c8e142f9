/* partial.c: one function for each way to combine two results. */
#include "runtime/reduce/partial.h"

/* --- on the tree ------------------------------------------------------------------------------ */

ddr_partial ddr_partial_add(ddr_partial a, ddr_partial b) {
  return (ddr_partial){.re = a.re + b.re, .im = a.im + b.im};
}

ddr_partial ddr_partial_add_pairs(ddr_partial a, ddr_partial b) {
  const ddr_pair re = ddr_pair_add(ddr_pair_of(a.re, a.re_error), ddr_pair_of(b.re, b.re_error));
  const ddr_pair im = ddr_pair_add(ddr_pair_of(a.im, a.im_error), ddr_pair_of(b.im, b.im_error));
  return (ddr_partial){.re = re.sum, .re_error = re.error, .im = im.sum, .im_error = im.error};
}

ddr_partial ddr_partial_multiply(ddr_partial a, ddr_partial b) {
  return (ddr_partial){.re = a.re * b.re};
}

ddr_partial ddr_partial_multiply_complex(ddr_partial a, ddr_partial b) {
  return (ddr_partial){.re = a.re * b.re - a.im * b.im, .im = a.re * b.im + a.im * b.re};
}

/* --- extremes --------------------------------------------------------------------------------- */

ddr_partial ddr_partial_lesser(ddr_partial a, ddr_partial b) {
  return (ddr_partial){.re = ddr_lesser(a.re, b.re)};
}

ddr_partial ddr_partial_greater(ddr_partial a, ddr_partial b) {
  return (ddr_partial){.re = ddr_greater(a.re, b.re)};
}

/* Of equal ones the first; a modulus that is NaN is there to stay. */
ddr_partial ddr_partial_nearer(ddr_partial a, ddr_partial b) {
  return b.modulus < a.modulus || (b.modulus != b.modulus && a.modulus == a.modulus) ? b : a;
}

ddr_partial ddr_partial_farther(ddr_partial a, ddr_partial b) {
  return b.modulus > a.modulus || (b.modulus != b.modulus && a.modulus == a.modulus) ? b : a;
}

/* --- integers and truths ---------------------------------------------------------------------- */

#define INTEGER_FN(name, combined)                                                                 \
  ddr_partial ddr_partial_##name(ddr_partial p, ddr_partial q) {                                   \
    const int64_t a = p.integer, b = q.integer;                                                    \
    return (ddr_partial){.integer = combined};                                                     \
  }
INTEGER_FN(add_ints, (int64_t)((uint64_t)a + (uint64_t)b))
INTEGER_FN(multiply_ints, (int64_t)((uint64_t)a *(uint64_t)b))
INTEGER_FN(lesser_int, b < a ? b : a)
INTEGER_FN(greater_int, b > a ? b : a)
INTEGER_FN(lesser_natural, (uint64_t)b < (uint64_t)a ? b : a)
INTEGER_FN(greater_natural, (uint64_t)b > (uint64_t)a ? b : a)
INTEGER_FN(and, a &b)
INTEGER_FN(or, a | b)

/* --- levels ----------------------------------------------------------------------------------- */

void ddr_partial_push(ddr_partial_tree *tree, ddr_combine_function *combine, ddr_partial block){
    DDR_TREE_PUSH(tree, block, combine(tree->at[level], block))}

ddr_partial ddr_partial_root(const ddr_partial_tree *tree, ddr_combine_function *combine) {
  ddr_partial root;
  DDR_TREE_ROOT(tree, root, combine(tree->at[level], root))
  return root;
}
