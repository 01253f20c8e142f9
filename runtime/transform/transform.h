/* transform.h: computes arrays from arrays, element by element (runtime/array/array.h).
 *
 *   ddr_transform_add(&x, &y, &out, n_threads)          into memory that is there
 *   ddr_transform_make(DDR_TRANSFORM_ADD, ...)          into a fresh array: x + y
 *
 * Types: the operands are converted to a common type, numbers too (ddr_element_promote), except
 * that the bounds of CLIP are cast to the type of what is clipped; transforms.def has the types
 * that a transform takes and the type of its result.  Where an operation runs:
 * runtime/layout/side.h.  The device's exp, log and Bessel transforms may differ in the last bits.
 *
 * Read next: transforms.def, forms.def (runtime/array), kernels.def.
 */
#pragma once

#include "runtime/element/number.h"
#include "runtime/layout/ndview.h"
