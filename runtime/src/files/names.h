/* names.h: parts of file names. */
#pragma once

#include <stddef.h>
#include <string.h>

/* How many characters of a name are its folder, the last slash included; 0: it has none. */
static inline size_t ddr_folder_length(const char *name) {
  const char *slash = strrchr(name, '/');
  return slash ? (size_t)(slash + 1 - name) : 0;
}
