/* cores.c: the number of cores on which this process may run, as the system reports it. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <sched.h>
#include <unistd.h>

#include "ddr/ddr.h"

uint32_t ddr_num_cores(void) {
  long n_cores = 0;
#if defined(CPU_COUNT)
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) n_cores = CPU_COUNT(&cores);
#endif
  if (n_cores < 1) n_cores = sysconf(_SC_NPROCESSORS_ONLN);
  return n_cores < 1 ? 1 : (uint32_t)n_cores;
}
