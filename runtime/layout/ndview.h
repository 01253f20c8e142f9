/* ndview.h: strided views: a layout over typed memory (runtime/array/array.h).
 *
 * One function of a row does for flat and strided ranges: a flat range is one run.
 * Read next: runtime/transform (elementwise operations), runtime/reduce, runtime/conv.
 */
#pragma once

#include "runtime/layout/element.h"
#include "runtime/layout/layout.h"
#include "runtime/layout/storage.h"
