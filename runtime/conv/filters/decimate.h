/* decimate.h: every D-th sample of an image, after a low-pass filter (runtime/array/array.h).
 *
 *   result[k] = sum over taps t = -h .. h of  weights[t + h] * image[start + k * D + t]
 *
 * The default filter is the tent of half-width D with weights (D - |t|) / D^2: its results stay
 * within the range of the samples, it reproduces linear slopes exactly, every sample has the same
 * total weight in the result, and its spectrum is 0 at the frequencies that decimation would alias
 * to the mean.  For D = 2 it is 1 2 1 / 4.
 */
#pragma once

#include "runtime/conv/filters/extend.h"
