/* memory.c: how much memory the machine has for us.
 *
 * Linux promises memory that it does not have and ends the process that touches it, so whoever
 * asks for much compares with this first.  In a container the limit is the container's.
 * Read next: strands.c.
 */
#include <stdio.h>
#include <unistd.h>

#include "local.h"

static size_t installed_memory(void)
{
  const long n_pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (n_pages <= 0 || page <= 0 || (size_t)n_pages > SIZE_MAX / (size_t)page) return SIZE_MAX;
  return (size_t)n_pages * (size_t)page;
}

/* The first number of a file; SIZE_MAX when there is none. */
static size_t read_limit(const char *name)
{
  unsigned long long limit;
  FILE *file = fopen(name, "r");
  if (!file) return SIZE_MAX;
  const bool is_read = fscanf(file, "%llu", &limit) == 1;
  fclose(file);
  return is_read && limit < SIZE_MAX ? (size_t)limit : SIZE_MAX;
}

size_t ddr_most_memory(void)
{
  static const char *const limits[] = {"/sys/fs/cgroup/memory.max",
                                       "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
  size_t most = installed_memory();
  for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
    const size_t limit = read_limit(limits[k]);
    if (limit < most) most = limit;
  }
  return most - most / 16; /* others live here too */
}
