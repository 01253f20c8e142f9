/* cast.c: casts for the machine that runs. */
#include "runtime/element/cast.h"

#include <string.h>

#include "runtime/element/sets.h"

bool ddr_cast_is_there(ddr_element from, ddr_element to) {
  return ddr_element_kind_of(from) != DDR_KIND_COMPLEX ||
         ddr_element_kind_of(to) == DDR_KIND_COMPLEX || to == DDR_ELEMENT_BOOL;
}

void ddr_cast_elements(ddr_element from, const void *elements, ddr_element to, void *cast,
                       int64_t n) {
  static ddr_cast_function *const sets[DDR_SET_COUNT] = DDR_EACH_SET(ddr_cast_elements);
  if (from == to) memcpy(cast, elements, (size_t)n * ddr_element_size(to));
  else sets[ddr_best_set()](from, elements, to, cast, n);
}
