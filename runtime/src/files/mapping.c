/* mapping.c: maps files into memory, and ends the process with a message when a mapped file is
 * truncated.
 *
 * Of a file that fits memory, huge pages are read: 2 MiB at a time. A large file may be probed only
 * here and there, and gets the system's default: for 1 GiB, cold, this and MADV_SEQUENTIAL took 2.0
 * s, MADV_WILLNEED 2.2 s, MADV_RANDOM 18 s.
 *
 * The file is mapped over the beginning of anonymous memory, so the spare bytes after the data are
 * readable even where the file ends with a page.
 */
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS, madvise */

#include "mapping.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/src/world/memory.h"

/* --- the list of all: read by a handler of signals -------------------------------------------- */

typedef struct ddr_mapped {
  struct ddr_mapped *_Atomic next;
  const char *begin, *end;
  size_t n_text;
  char text[600]; /* the message when a page is missing */
} ddr_mapped;

static ddr_mapped *_Atomic all;
static pthread_mutex_t changes = PTHREAD_MUTEX_INITIALIZER;

static ddr_mapped *enter(const char *begin, size_t size, const char *title, const char *file) {
  ddr_mapped *entry = malloc(sizeof *entry);
  if (!entry) return NULL;
  *entry = (ddr_mapped){.begin = begin, .end = begin + size};
  const int n =
      snprintf(entry->text, sizeof entry->text,
               "[DIDEROT] %s: image \"%s\" has been cut short while it was in use\n", title, file);
  entry->n_text = (size_t)n < sizeof entry->text ? (size_t)n : sizeof entry->text - 1;
  pthread_mutex_lock(&changes);
  entry->next = all;
  all = entry;
  pthread_mutex_unlock(&changes);
  return entry;
}

static void leave(ddr_mapped *entry) {
  pthread_mutex_lock(&changes);
  ddr_mapped *_Atomic *link = &all;
  while (*link != entry) link = &(*link)->next;
  *link = entry->next;
  pthread_mutex_unlock(&changes);
  free(entry);
}

/* Calls only functions that are allowed in a signal handler.  Passes on signals with other
 * causes. */
static void say_and_end(int number, siginfo_t *info, void *context) {
  (void)context;
  const char *missing = info->si_addr;
  for (const ddr_mapped *entry = all; entry; entry = entry->next) {
    if (missing < entry->begin || missing >= entry->end) continue;
    const ssize_t n_written = write(STDERR_FILENO, entry->text, entry->n_text);
    _exit(n_written < 0 ? 2 : 1);
  }
  signal(number, SIG_DFL);
  raise(number);
}

void ddr_mapping_guard(void) {
  struct sigaction action = {.sa_sigaction = say_and_end, .sa_flags = SA_SIGINFO};
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, NULL);
}

/* --- mappings --------------------------------------------------------------------------------- */

static bool is_long_enough(int descriptor, int64_t offset, size_t n_bytes) {
  struct stat info;
  return fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) && offset >= 0 &&
         (int64_t)n_bytes <= (int64_t)info.st_size - offset;
}

/* Reserves `size` bytes of pages that begin as far behind a multiple of 2 MiB as the file's: what
 * the system keeps of the file in huge pages can then be mapped in huge pages. */
static char *reserve(int64_t first, size_t size) {
  const size_t huge = (size_t)1 << 21;
  char *room = mmap(NULL, size + huge, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return NULL;
  const size_t before = ((size_t)first - (uintptr_t)room) % huge;
  char *begin = room + before;
  if (before > 0) munmap(room, before);
  munmap(begin + size, huge - before);
  return begin;
}

/* At worst, a file is read whole where loading would have done so, too. */
static void wish_for_huge_pages(void *file, size_t n_bytes) {
#if defined(MADV_HUGEPAGE)
  if (n_bytes <= ddr_most_memory() / 4) madvise(file, n_bytes, MADV_HUGEPAGE); /* only a hint */
#else
  (void)file;
  (void)n_bytes;
#endif
}

/* Maps `size` bytes of pages, the first n_bytes from the file. */
static void *map_pages(int descriptor, int64_t first, size_t n_bytes, size_t size) {
  void *pages = reserve(first, size);
  if (!pages) return NULL;
  void *file = mmap(pages, n_bytes, PROT_READ, MAP_SHARED | MAP_FIXED, descriptor, (off_t)first);
  if (file == MAP_FAILED) {
    munmap(pages, size);
    return NULL;
  }
  wish_for_huge_pages(file, n_bytes);
  return pages;
}

bool ddr_map_file(int descriptor, int64_t offset, size_t n_bytes, size_t spare, const char *title,
                  const char *file, ddr_mapping *mapping) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), before = (size_t)(offset % (int64_t)page);
  *mapping = (ddr_mapping){0};
  if (n_bytes > SIZE_MAX / 2 - spare || !is_long_enough(descriptor, offset, n_bytes)) return false;
  const size_t in_file = before + n_bytes, size = (in_file + spare + page - 1) / page * page;
  char *pages = map_pages(descriptor, offset - (int64_t)before, in_file, size);
  if (!pages) return false;
  ddr_mapped *entry = enter(pages, size, title, file);
  if (!entry) {
    munmap(pages, size);
    return false;
  }
  *mapping = (ddr_mapping){pages + before, n_bytes, pages, size, 0, entry};
  return true;
}

void ddr_unmap(ddr_mapping *mapping) {
  if (!mapping->data) return;
  leave(mapping->entry);
  munmap(mapping->pages, mapping->pages_size);
  *mapping = (ddr_mapping){0};
}

/* --- hints ------------------------------------------------------------------------------------ */

/* Pages are given back in pieces of this size. */
enum { PASSED = 4 << 20 };

void ddr_mapping_pass(ddr_mapping *mapping, const void *end) {
  char *begin = (char *)mapping->pages + mapping->n_passed;
  const size_t n = (size_t)((const char *)end - begin) / PASSED * PASSED;
  if (n == 0) return;
  madvise(begin, n, MADV_DONTNEED);
  mapping->n_passed += n;
}
