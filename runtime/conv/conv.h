/* conv.h: convolution and correlation of strided arrays in up to seven dimensions
 * (runtime/array/array.h).
 *
 * Arithmetic: products and sums in double, t ascending with the slowest axis outermost, no fused
 * multiply-add, rounded once to the result's type: the same bits for any number of threads.
 * Integers are first converted to the real type of the result; float and double stay what they are.
 * With complex results both operands are complex: (a + bi)(c + di) is (ac - bd) + (ad + bc)i.
 * Which mode auto chooses depends on shapes and types alone (costs/costs.h).
 *
 * Read next: direct/direct.c, fft/fft.c (what a mode does), filters (uses).
 */
#pragma once

#include "runtime/layout/ndview.h"
