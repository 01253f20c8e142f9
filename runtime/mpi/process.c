/* process.c: see process.h.  With engine.c and file.c it is the library that executables load.
 *
 * Read next: engine.c; bytes.c (how the library gets into an executable).
 */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "process.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

/* --- the parts of MPI ------------------------------------------------------------------------- */

typedef struct Parts {
  char **names;
  size_t n;
} Parts;

static int note_part(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  Parts *parts = data;
  if (info->dlpi_name[0] != '/') return 0;
  char **names = realloc(parts->names, (parts->n + 1) * sizeof *names);
  if (!names) return 1;
  parts->names = names;
  names[parts->n++] = strdup(info->dlpi_name);
  return 0;
}

/* The libraries that are loaded now stay until the process ends.  At its end, Open MPI unloads
 * plug-ins while threads of its own still run, whose code is there.  Without memory for a name,
 * that library is unloaded as before. */
static void keep_parts(void) {
  Parts parts = {NULL, 0};
  dl_iterate_phdr(note_part, &parts);
  for (size_t k = 0; k < parts.n; k++) {
    /* cppcheck-suppress leakReturnValNotUsed; nothing closes them */
    if (parts.names[k]) dlopen(parts.names[k], RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    free(parts.names[k]);
  }
  free(parts.names);
}

/* --- the process ------------------------------------------------------------------------------ */

static const char *begin(int *argc, char ***argv) {
  int provided;
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0); /* a single process would look for a daemon */
  setenv("OMPI_MCA_io", "^ompio", 0); /* it prints a line of its own about failures */
  setenv("OMPI_MCA_osc", "^ucx", 0);  /* it accepts windows on networks that it does not support */
  if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
    return "MPI cannot be initialised";
  keep_parts();
  if (provided >= MPI_THREAD_FUNNELED) return NULL;
  MPI_Finalize();
  return "this MPI does not allow threads";
}

static void end(void) { MPI_Finalize(); }

static int count_ranks(void) {
  int n;
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  return n;
}

/* The beginning of a text of many lines. */
static const char *version(void) {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int len;
  MPI_Get_library_version(text, &len);
  text[strcspn(text, ",\n")] = '\0';
  for (char *at = text; *at; at++)
    if (*at == '\t') *at = ' ';
  return text;
}

static bool open_engine(ddr_rank_engine *engine) {
  return mpi_engine_open(engine, MPI_COMM_WORLD, FOR_ONE_WORLD);
}

extern const MpiProcess ddr_mpi_process; /* found by its name */

__attribute__((visibility("default"))) const MpiProcess ddr_mpi_process = {
    .begin = begin,
    .end = end,
    .count_ranks = count_ranks,
    .version = version,
    .open = open_engine,
    .close = mpi_engine_close,
};
