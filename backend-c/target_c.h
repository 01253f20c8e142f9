/* target_c: C with vector extensions, one strand at a time (--target=sequential). */
#pragma once

#include "ir/target.h"

extern const Target target_c;
