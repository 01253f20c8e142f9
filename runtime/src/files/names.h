/* names.h: parts of file names. */
#pragma once

#include <stddef.h>
#include <string.h>

/* The length of the folder in a file name, including the last slash; 0: there is no folder. */
static inline size_t ddr_folder_length(const char *name) {
  const char *slash = strrchr(name, '/');
  return slash ? (size_t)(slash + 1 - name) : 0;
}
