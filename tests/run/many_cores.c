/* many_cores.c: says that the machine has eight cores, so that tests can ask for eight threads on
 * any machine. Linked first, it replaces runtime/src/workers/cores.c. */
#include "ddr/ddr.h"

uint32_t ddr_num_cores(void) { return 8; }
