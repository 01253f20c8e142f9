/* element.h: the types of array elements (runtime/array/array.h).
 *
 * How complex numbers multiply and divide is ours to say (runtime/element/complex.h), not the
 * compiler's.
 */
#pragma once

#include "runtime/layout/array_status.h"

static inline bool ddr_element_is_there(ddr_element type) {
  return (unsigned)type < DDR_ELEMENT_COUNT;
}
