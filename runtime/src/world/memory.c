/* memory.c: limits the memory of strands, and counts it.
 *
 * Linux promises memory that it does not have, and kills a process that touches it. So large
 * requests are first compared with a limit: the user's, or what the machine and the container have.
 * The store, births, and the buffers of dynamic sequences are counted. Read next: sequences.c,
 * strands/store.c.
 */
#define _DEFAULT_SOURCE 1 /* madvise */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "memory.h"

enum { MOST_LINE = 4096 };

/* --- what there is ---------------------------------------------------------------------------- */

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static size_t installed_memory(void) {
  const long n_pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  if (n_pages <= 0 || page <= 0 || (size_t)n_pages > SIZE_MAX / (size_t)page) return SIZE_MAX;
  return (size_t)n_pages * (size_t)page;
}

/* Memory that is free without taking it from other processes, swap included. */
static size_t free_memory(void) {
  char line[256];
  unsigned long long kilobytes;
  size_t sum = 0;
  FILE *file = fopen("/proc/meminfo", "r");
  if (!file) return SIZE_MAX;
  while (fgets(line, sizeof line, file)) {
    const bool is_free = sscanf(line, "MemAvailable: %llu", &kilobytes) == 1 ||
                         sscanf(line, "SwapFree: %llu", &kilobytes) == 1;
    if (is_free) sum += (size_t)kilobytes * 1024;
  }
  fclose(file);
  return sum > 0 ? sum : SIZE_MAX;
}

static size_t resource_limit(int resource) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  return limit.rlim_cur < SIZE_MAX ? (size_t)limit.rlim_cur : SIZE_MAX;
}

/* The first number in a file; SIZE_MAX if there is none. */
static size_t read_limit(const char *name) {
  unsigned long long limit;
  FILE *file = fopen(name, "r");
  if (!file) return SIZE_MAX;
  const bool is_read = fscanf(file, "%llu", &limit) == 1;
  fclose(file);
  return is_read && limit < SIZE_MAX ? (size_t)limit : SIZE_MAX;
}

/* The least limit of a control group and all groups around it. */
static size_t group_limit(char *group) {
  size_t most = SIZE_MAX;
  for (;;) {
    char name[MOST_LINE + 64];
    snprintf(name, sizeof name, "/sys/fs/cgroup%s/memory.max", group);
    most = smaller(most, read_limit(name));
    char *slash = strrchr(group, '/');
    if (!slash) return most;
    *slash = '\0';
  }
}

static size_t container_limit(void) {
  size_t most = read_limit("/sys/fs/cgroup/memory/memory.limit_in_bytes");
  char line[MOST_LINE];
  FILE *file = fopen("/proc/self/cgroup", "r");
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "0::", 3) == 0) most = smaller(most, group_limit(line + 3));
  }
  if (file) fclose(file);
  return most;
}

/* Leaves a part to other processes. */
static size_t less_a_part(size_t n_bytes) { return n_bytes - n_bytes / 16; }

size_t ddr_most_memory(void) {
  size_t most = smaller(installed_memory(), free_memory());
  most = smaller(most, container_limit());
  most = smaller(most, resource_limit(RLIMIT_AS));
  return less_a_part(smaller(most, resource_limit(RLIMIT_DATA)));
}

double ddr_peak_memory(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * (double)usage.ru_maxrss : 0;
}

/* --- what is asked for ------------------------------------------------------------------------ */

/* Of the pages from the beginning on, those that shall be huge: all of which half is used, so that
 * a block never takes more than twice its size. To clear one takes as long as fifty to a hundred
 * faults of small pages do. */
static size_t n_huge_pages(size_t n_bytes, size_t page) {
  return n_bytes / page + (n_bytes % page >= page / 2);
}

static void *small_pages(size_t alignment, size_t n_bytes) {
  if (alignment <= _Alignof(max_align_t)) return malloc(n_bytes);
  return aligned_alloc(alignment, n_bytes);
}

void *ddr_memory_new(size_t alignment, size_t n_bytes) {
  const size_t page = (size_t)1 << 21, n_pages = n_bytes / page + 1;
  const size_t n_huge = n_huge_pages(n_bytes, page);
  if (n_huge == 0 || n_pages > PTRDIFF_MAX / page) return small_pages(alignment, n_bytes);
  void *memory = aligned_alloc(page, n_pages * page);
#if defined(MADV_HUGEPAGE)
  if (memory) madvise(memory, n_huge * page, MADV_HUGEPAGE); /* only a hint */
#endif
  return memory;
}

/* Reading the limits means opening four files, which takes longer than a small world lives. */
static bool fits(ddr_memory *memory, uint64_t n_bytes) {
  const uint64_t little = 1 << 20;
  size_t most = atomic_load_explicit(&memory->most, memory_order_relaxed);
  if (most == 0 && n_bytes <= little) return true;
  if (most == 0) { /* the first thread stores it; others would find the same value */
    most = ddr_most_memory();
    size_t none = 0;
    if (!atomic_compare_exchange_strong(&memory->most, &none, most)) most = none;
  }
  const bool is_less = n_bytes <= most;
  if (!is_less) atomic_store(&memory->is_over_limit, true);
  return is_less;
}

bool ddr_memory_fits(ddr_memory *memory, uint64_t n_bytes) {
  const int64_t n_in_sequences = atomic_load(&memory->n_sequence_bytes);
  return fits(memory, n_bytes + (n_in_sequences > 0 ? (uint64_t)n_in_sequences : 0));
}

/* Threads add to the world's counter in steps, to avoid contention. */
#if defined(DDR_SMALL_SIZES)
enum { ACCOUNT_STEP = 1 };
#else
enum { ACCOUNT_STEP = 1 << 20 };
#endif

bool ddr_memory_take(ddr_memory *memory, int64_t *n_account, size_t n_bytes) {
  *n_account += (int64_t)n_bytes;
  if (*n_account < ACCOUNT_STEP) return true;
  const int64_t n_mine = *n_account;
  const int64_t n_all = atomic_fetch_add(&memory->n_sequence_bytes, n_mine) + n_mine;
  *n_account = 0;
  const uint64_t n_others = memory->n_store_bytes + atomic_load(&memory->n_birth_bytes);
  if (fits(memory, n_others + (n_all > 0 ? (uint64_t)n_all : 0))) return true;
  ddr_memory_give(memory, n_account, n_bytes);
  return false;
}

void ddr_memory_give(ddr_memory *memory, int64_t *n_account, size_t n_bytes) {
  *n_account -= (int64_t)n_bytes;
  if (*n_account > -ACCOUNT_STEP) return;
  atomic_fetch_add(&memory->n_sequence_bytes, *n_account);
  *n_account = 0;
}

const char *ddr_memory_reason(const ddr_memory *memory, char reason[DDR_REASON_SIZE]) {
  if (!atomic_load(&memory->is_over_limit)) return "out of memory";
  const size_t most = atomic_load(&memory->most);
  const double kibibytes = (double)most / 1024;
  if (most < 1024)
    snprintf(reason, DDR_REASON_SIZE, "the memory limit is %zu byte%s", most, most == 1 ? "" : "s");
  else if (kibibytes < 1024)
    snprintf(reason, DDR_REASON_SIZE, "the memory limit is %.1f KiB", kibibytes);
  else snprintf(reason, DDR_REASON_SIZE, "the memory limit is %.1f MiB", kibibytes / 1024);
  return reason;
}
