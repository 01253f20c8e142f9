/* file.h: a file that all ranks write together, by MPI-IO, which supports the file systems of
 * clusters.
 *
 * Read next: file.c; ddr/ranks.h (open_file, put, close_file).
 */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct CommonFile {
  MPI_File file;
  char *name;
} CommonFile;

/* Collective.  Opens a file that exists; false on all ranks if one of them cannot. */
bool common_file_open(CommonFile *file, MPI_Comm comm, const char *name);

/* Writes n_bytes bytes at offset `at`.  Returns 0, or the errno of what failed. */
int common_file_put(const CommonFile *file, int64_t at, const void *bytes, size_t n_bytes);

/* Collective.  Closes the file when all ranks have written.  Returns 0, or the errno of what
 * failed. */
int common_file_close(CommonFile *file);
