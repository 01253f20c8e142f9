/* sample_grid.h: a field, an image convolved with kernels, on a regular grid parallel to its axes
 * (runtime/array/array.h).
 *
 * Positions along an axis that differ by whole numbers have the same fraction, so the same kernel
 * weights: the field there is a correlation of the samples with these weights.  A step of a/b has
 * b fractions and is done in b passes, each of which writes every b-th result.
 *
 *   F(n + f) = sum over taps j = 1-s .. s of  sample[n + j] * h(f - j)
 *
 * Sums are double, rounded once per axis.  Fields that share derivatives along some axes share
 * these passes; axes that lose samples go first, else the slowest.  What strands of a grid probe is
 * sampled otherwise (runtime/src/sampling/samples.c): their positions are what the program's
 * arithmetic makes of them, each with its own fraction, and so are the weights.
 * Read next: conv.h (the correlation), extend.h (what lies beyond the image).
 */
#pragma once

#include "runtime/conv/extend.h"
