/* many_cores.c: replaces runtime/src/workers/cores.c if it is linked first. */
#include "ddr/ddr.h"

uint32_t ddr_num_cores(void) { return 8; }
