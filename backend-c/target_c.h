/* target_c: C with vector extensions, one strand at a time: by one thread (--target=sequential), or
 * blocks of strands by several (--target=parallel).
 */
#pragma once

#include "ir/target.h"

extern const Target target_c, target_c_parallel;
