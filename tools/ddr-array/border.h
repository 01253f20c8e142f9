/* border.h: --border: what an image is beyond its ends. */
#pragma once

#include "runtime/conv/filters/extend.h"
#include "tools/ddr-array/options.h"

ddr_status read_border(const char *text, ddr_outside *border, ddr_reason *reason);
