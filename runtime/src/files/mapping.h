/* mapping.h: parts of files as memory, without a copy and shared by all processes.
 *
 * A file must not be truncated while it is mapped: access to a page that has gone ends the process,
 * with one line if ddr_mapping_guard has been called.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ddr_mapping {
  const void *data; /* the first byte asked for; NULL: nothing is mapped */
  size_t n_bytes;
  void *pages;
  size_t pages_size;
  size_t n_passed;          /* bytes of them */
  struct ddr_mapped *entry; /* in the list of all */
} ddr_mapping;

/* n_bytes > 0 of an open file from `offset` on, to be read only, and `spare` bytes behind them that
 * can be read and mean nothing.  `title` and `file` are named when the file is cut short.  False:
 * it cannot be mapped, or is shorter. */
bool ddr_map_file(int descriptor, int64_t offset, size_t n_bytes, size_t spare, const char *title,
                  const char *file, ddr_mapping *mapping);
void ddr_unmap(ddr_mapping *mapping); /* fine without one */

/* The data before `end` is not read again: its pages are removed from the process, though they may
 * stay in the machine's cache. */
void ddr_mapping_pass(ddr_mapping *mapping, const void *end);

/* For executables: from now on the process ends with one line and status 1 (2 where it cannot be
 * written) when a page of a mapped file is missing. */
void ddr_mapping_guard(void);
