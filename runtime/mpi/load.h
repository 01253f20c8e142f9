/* load.h: the library that knows MPI, out of the bytes that the executable has of it, so that the
 * executable is one file, and starts without MPI.
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

/* It stays until the process ends.  NULL: why[size] says in one line what is missing. */
const MpiProcess *mpi_load(char *why, size_t size);
