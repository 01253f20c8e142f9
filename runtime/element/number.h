/* number.h: one element outside of an array: operands, bounds and results
 * (runtime/array/array.h). */
#pragma once

#include "runtime/layout/element.h"
