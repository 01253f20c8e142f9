/* many_cores.c: stands in for runtime/src/workers/cores.c where it is linked first. */
#include "ddr/ddr.h"

uint32_t ddr_num_cores(void) { return 8; }
