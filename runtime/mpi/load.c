/* load.c: see load.h.
 *
 * The system's loader needs a file: one in memory, or else a temporary one, which is removed as
 * soon as it is loaded.  The library is loaded with global symbols, because the plug-ins of Open
 * MPI look for the functions of MPI there.
 */
#define _GNU_SOURCE /* memfd_create, mkostemp */
#include "load.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <mpi.h> /* only its macros are used */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Since Linux 6.3; without it, the administrator may have executable files in memory refused. */
#if !defined(MFD_EXEC)
#define MFD_EXEC 0x0010U
#endif

/* The MPI for which the library was built, and the package that has it. */
#if defined(OPEN_MPI)
#define OWN_MPI "Open MPI (on Debian and Ubuntu: apt-get install openmpi-bin)"
#elif defined(MPICH_VERSION) && !defined(I_MPI_VERSION)
#define OWN_MPI "MPICH (on Debian and Ubuntu: apt-get install mpich)"
#else
#define OWN_MPI "the MPI that its compiler was built with"
#endif

static bool write_library(int fd) {
  size_t n_written = 0;
  while (n_written < mpi_library_size) {
    const ssize_t n = write(fd, mpi_library + n_written, mpi_library_size - n_written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    n_written += (size_t)n;
  }
  return true;
}

/* NULL: *error is the loader's message. */
static void *open_library(const char *path, const char **error) {
  void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (!library) *error = dlerror();
  return library;
}

static int open_memory(void) {
  const char *name = "ddr-mpi";
  const int fd = memfd_create(name, MFD_CLOEXEC | MFD_EXEC);
  return fd < 0 && errno == EINVAL ? memfd_create(name, MFD_CLOEXEC) : fd;
}

static void *load_from_memory(const char **error) {
  char path[64];
  void *library = NULL;
  const int fd = open_memory();
  if (fd < 0) return NULL;
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  if (write_library(fd)) library = open_library(path, error);
  close(fd);
  return library;
}

static void *load_from_file(const char **error) {
  const char *folder = getenv("TMPDIR");
  char path[4096];
  void *library = NULL;
  snprintf(path, sizeof path, "%s/ddr-mpi-XXXXXX", folder && *folder ? folder : "/tmp");
  const int fd = mkostemp(path, O_CLOEXEC);
  if (fd < 0) return NULL;
  if (write_library(fd)) library = open_library(path, error);
  close(fd);
  unlink(path);
  return library;
}

/* A message of the loader about our own file, without its name, which means nothing to users. NULL:
 * the message is about another file. */
static const char *about_own(const char *error) {
  const char *colon = error[0] == '/' ? strstr(error, ": ") : NULL;
  return colon ? colon + 2 : NULL;
}

const MpiProcess *mpi_load(char *why, size_t size) {
  const char *error = NULL;
  void *library = load_from_memory(&error);
  if (!library && (!error || about_own(error))) library = load_from_file(&error);
  const MpiProcess *process = library ? dlsym(library, MPI_PROCESS_NAME) : NULL;
  if (process) return process;
  if (error && !about_own(error)) snprintf(why, size, "this program needs " OWN_MPI ": %s", error);
  else
    snprintf(why, size,
             "this program cannot load its part for MPI: %s (there must be memory for a file, or "
             "TMPDIR name a folder whose files may be executed)",
             error ? about_own(error) : "it cannot be written");
  return NULL;
}
