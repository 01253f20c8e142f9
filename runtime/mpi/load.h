/* load.h: loads the library that uses MPI from a copy within the executable. So the executable is
 * one file, and starts without MPI.
 *
 * Read next: load.c; process.h (what is loaded).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "process.h"

/* bytes.c */
extern const char mpi_library[];
extern const uint64_t mpi_library_size;

/* Loads the library, which stays until the process ends.  NULL: `why`, of `size` bytes, says in one
 * line what is missing. */
const MpiProcess *mpi_load(char *why, size_t size);
