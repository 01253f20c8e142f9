/* decimate.h: every D-th sample of an image, after a low-pass filter (runtime/array/array.h).
 *
 *   result[k] = sum over taps t = -h .. h of  weights[t + h] * image[start + k * D + t]
 *
 * The tent of half-width D, weights (D - |t|) / D^2, is the filter to take unless another one is
 * given: it never leaves the range of the samples, keeps straight slopes exactly, gives every
 * sample the same weight in all of the result, and its spectrum is 0 at the frequencies that
 * decimation would fold onto the mean.  For D = 2 it is 1 2 1 / 4.
 */
#pragma once

#include "runtime/conv/extend.h"
