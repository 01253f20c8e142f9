/* reduce.h: arrays reduced to one number, or along some axes (runtime/array/array.h).
 *
 *   ddr_reduce_sum(&x, NULL, &sum)
 *   ddr_reduce(DDR_REDUCE_SUM, (const ddr_ndview *[]){&x}, &options, &sum)
 *
 * Sums and products of reals are computed in double on the tree of tree.h, those of complex numbers
 * for each part, and rounded once.  For no elements the result is 0, also for the product and the
 * extremes. A NaN among the elements gives the quiet NaN without sign.
 *
 * The device computes the same bits.  It first converts ints of 8 and 16 bits to 64 bits, and
 * reduces lines with a mask one after another. Read next: reductions.def (runtime/array),
 * terms.def, tree.h.
 */
#pragma once

#include "runtime/element/number.h"
#include "runtime/layout/ndview.h"
