/* reduce.h: arrays reduced to one number, or along one axis.
 *
 *   ddr_reduce_sum(&x, NULL, &sum)
 *   ddr_reduce(DDR_REDUCE_SUM, (const ddr_ndview *[]){&x}, &options, &sum)
 *
 * Element k is the one at position k in canonical order, whatever the strides.  Sums and products
 * of reals are formed in double on the tree of tree.h, of complex numbers part by part, and rounded
 * once; ints are summed in int64 and wrap, absolute values in uint64.  Mean and variance of ints
 * are exact until they are rounded to double.  The same bits for any number of threads.
 *
 * A NaN among the elements gives the quiet NaN without sign.  Of no elements the result is 0, also
 * for the product and the extremes; but `all` is true, mean and variance are NaN.
 *
 * Errors: ETYPE; ESHAPE (two arrays of different sizes, a mask of another shape); ERANGE for a
 * tolerance below 0 or NaN; ERESIDENCY unless the host or the device can reach all arrays and the
 * mask; ENOMEM; EDEVICE.  Then no result is written.
 *
 * The device finds the same bits.  It takes ints of 8 and 16 bits to 64 first, and lines with a
 * mask one after another. Read next: reductions.def, terms.def, tree.h.
 */
#pragma once

#include "runtime/element/number.h"
#include "runtime/layout/ndview.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ddr_reduce_op {
#define REDUCTION(id, name, n_arrays, kinds, result, meaning) DDR_REDUCE_##id,
#include "runtime/reduce/reductions.def"
  DDR_N_REDUCTIONS
} ddr_reduce_op;

/* All zero: none of it. */
typedef struct ddr_reduce_options {
  int n_threads; /* 0 and 1: the caller's alone */
  const ddr_ndview
      *mask;           /* of bools: only elements where it is true take part and have positions */
  bool is_compensated; /* sums carry their rounding errors along (compensated.h) */
  double tolerance;    /* l0: counts what is not nearer to 0 than this; 0: what is not 0 */
} ddr_reduce_options;

typedef struct ddr_reduce_info {
  const char *name;
  int n_arrays; /* 1 or 2 */
  const char *meaning;
} ddr_reduce_info;

ddr_reduce_info ddr_reduce_about(ddr_reduce_op op);
bool ddr_reduce_find(const char *name, ddr_reduce_op *op); /* false: there is none */

/* The type of the result for elements of a type; of two arrays the one they meet in.  Errors:
 * ETYPE. */
ddr_array_status ddr_reduce_type(ddr_reduce_op op, ddr_element type, ddr_element *result);

/* All of an array, or of two of the same size.  `options` may be NULL. */
ddr_array_status ddr_reduce(ddr_reduce_op op, const ddr_ndview *const *arrays,
                            const ddr_reduce_options *options, ddr_number *result);

/* Along one axis: each line is reduced for itself, into a fresh packed array of rank one less,
 * in the memory of the side that does it.  Two arrays must have the same shape.  Errors: EDIM too.
 */
ddr_array_status ddr_reduce_axis(ddr_reduce_op op, const ddr_ndview *const *arrays, int axis,
                                 const ddr_reduce_options *options, ddr_ndview *result);

/* --- one function per reduction: ddr_reduce_sum, ddr_reduce_dot, ... -------------------------- */

#define DDR_REDUCE_ARRAYS_1 const ddr_ndview *x
#define DDR_REDUCE_ARRAYS_2 const ddr_ndview *x, const ddr_ndview *y
#define REDUCTION(id, name, n_arrays, kinds, result_type, meaning)                                 \
  ddr_array_status ddr_reduce_##name(DDR_REDUCE_ARRAYS_##n_arrays,                                 \
                                     const ddr_reduce_options *options, ddr_number *result);
#include "runtime/reduce/reductions.def"

#ifdef __cplusplus
}
#endif
