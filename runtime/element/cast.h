/* cast.h: elements of one type as elements of another.
 *
 *   real to real        rounded to nearest even; too large is infinite
 *   int to real         rounded once, to nearest even
 *   real to int         truncated toward zero, the nearest int if out of range, NaN is 0
 *   int to int          the low bits
 *   real to complex     imaginary part 0
 *   anything to bool    whether it is not 0
 *   complex to ints, reals   not there: take the real or the imaginary part
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/layout/element.h"

bool ddr_cast_is_there(ddr_element from, ddr_element to);

/* n packed elements, which do not overlap the others. */
void ddr_cast_elements(ddr_element from, const void *elements, ddr_element to, void *cast,
                       int64_t n);

/* The same for two types, for each set of instructions: see sets.h. */
typedef void ddr_cast_function(ddr_element from, const void *elements, ddr_element to, void *cast,
                               int64_t n);
ddr_cast_function ddr_cast_elements_base, ddr_cast_elements_avx2, ddr_cast_elements_avx512;
