/* file.h: a file that all ranks write into, by MPI-IO, which knows what file systems of clusters
 * need.
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

/* Collective.  Of a file that is there; false for all where one cannot. */
bool common_file_open(CommonFile *file, MPI_Comm comm, const char *name);

/* 0, or why the bytes are not there, as errno. */
int common_file_put(const CommonFile *file, int64_t at, const void *bytes, size_t n_bytes);

/* Collective.  Likewise. */
int common_file_close(CommonFile *file);
