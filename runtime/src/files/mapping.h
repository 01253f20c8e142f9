/* mapping.h: parts of files mapped into memory, without a copy and shared by all processes.
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
  size_t n_passed;          /* bytes of them whose pages were given back */
  struct ddr_mapped *entry; /* in the list of all mappings */
} ddr_mapping;

/* Maps n_bytes > 0 of an open file from `offset` on, read-only.  `spare` bytes after them can be
 * read, too; their values are undefined.  A message names `title` and `file` if the file is
 * truncated.  False: it cannot be mapped, or is shorter. */
bool ddr_map_file(int descriptor, int64_t offset, size_t n_bytes, size_t spare, const char *title,
                  const char *file, ddr_mapping *mapping);
void ddr_unmap(ddr_mapping *mapping); /* does nothing if nothing is mapped */

/* Data before `end` will not be read again: its pages are removed from the process, though they may
 * stay in the page cache. */
void ddr_mapping_pass(ddr_mapping *mapping, const void *end);

/* For executables: from now on the process ends with one line and status 1 (2 where the line cannot
 * be written) when a page of a mapped file is missing. */
void ddr_mapping_guard(void);
