/* where.h: what does the work of strands: threads of the host or, for GPUs, the shim; or an
 * interpreter of PTX for all libraries (tests/ptx/library.py).  That one is for one thread of the
 * host at a time, has one device, and no clients that count its calls or let them fail. */
#pragma once

#include <stdbool.h>

#if defined(DDR_INTERPRETED)
static const bool is_interpreted = true;
#define NAME_OF_DEVICE "PTX interpreter"
#else
static const bool is_interpreted = false;
#define NAME_OF_DEVICE "loops of the host, number 0"
#endif
