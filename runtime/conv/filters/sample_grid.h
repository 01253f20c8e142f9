/* sample_grid.h: a field, an image convolved with kernels, on a regular grid parallel to its axes
 * (runtime/array/array.h).
 *
 * Positions along an axis that differ by integers have the same fractional part, so the same kernel
 * weights: the field there is a correlation of the samples with these weights.  A step of a/b has b
 * fractional parts and is done in b passes, each of which writes every b-th result.
 *
 *   F(n + f) = sum over taps j = 1-s .. s of  sample[n + j] * h(f - j)
 *
 * Sums are double, rounded once per axis.  Fields that share derivatives along some axes share
 * these passes; axes that lose the most samples go first, and otherwise the slowest.  What strands
 * of a grid probe is sampled differently (runtime/src/sampling/samples.c): their positions come
 * from the program's arithmetic, so each has its own fractional part and weights.
 * Read next: conv.h (the correlation), extend.h (what lies beyond the image).
 */
#pragma once

#include "runtime/conv/filters/extend.h"
