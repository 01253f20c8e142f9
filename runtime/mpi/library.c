/* library.c: worlds of generated libraries on ranks of MPI, which the client initialises and ends.
 *
 * The client's communicator is duplicated once, for all worlds on it; the duplicate is an attribute
 * of it, and is kept until the communicator and the worlds are gone.  So a world can end at any
 * time, on one rank before another, and communicators do not run out. Read next: engine.c;
 * runtime/src/library/library_ranks.c.
 */
#include "ddr/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"

typedef struct Shared {
  ddr_rank_engine engine;
  int n_users; /* worlds, plus 1 for the communicator */
} Shared;

static int key = MPI_KEYVAL_INVALID;

static void leave(void *ranks) {
  Shared *shared = ranks;
  if (--shared->n_users > 0) return;
  mpi_engine_close(&shared->engine);
  free(shared);
}

static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra) {
  (void)comm;
  (void)keyval;
  (void)extra;
  leave(value);
  return MPI_SUCCESS;
}

/* NULL: out of memory. */
static Shared *shared_of(MPI_Comm comm) {
  Shared *shared = NULL;
  int is_there;
  if (key == MPI_KEYVAL_INVALID)
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL);
  MPI_Comm_get_attr(comm, key, &shared, &is_there);
  if (is_there) return shared;
  shared = calloc(1, sizeof *shared);
  if (!shared || !mpi_engine_open(&shared->engine, comm, FOR_WORLDS)) {
    free(shared);
    return NULL;
  }
  shared->n_users = 1;
  MPI_Comm_set_attr(comm, key, shared);
  return shared;
}

/* Why the communicator cannot be used; NULL: it can. */
static const char *obstacle(MPI_Comm comm) {
  int is_between, provided, is_main;
  if (comm == MPI_COMM_NULL) return "it is not a communicator";
  MPI_Comm_test_inter(comm, &is_between);
  if (is_between) return "it is a communicator between two groups";
  MPI_Query_thread(&provided);
  MPI_Is_thread_main(&is_main);
  if (provided < MPI_THREAD_FUNNELED)
    return "MPI was initialised for one thread (MPI_Init_thread with MPI_THREAD_FUNNELED is "
           "needed)";
  if (provided == MPI_THREAD_FUNNELED && !is_main)
    return "with MPI_THREAD_FUNNELED only the main thread may call it";
  return NULL;
}

/* The message names this MPI, so that users see if the client has another one. */
static bool refuse_without_mpi(ddr_world *world) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING], why[MPI_MAX_LIBRARY_VERSION_STRING + 100];
  int len;
  MPI_Get_library_version(version, &len);
  version[strcspn(version, ",\n")] = '\0';
  snprintf(why, sizeof why, "MPI is not initialised: that of this library is %s", version);
  for (char *at = why; *at; at++)
    if (*at == '\t') *at = ' ';
  return ddr_library_init_ranks(world, NULL, leave, NULL, why);
}

bool ddr_library_init_mpi(ddr_world *world, int comm) {
  int has_begun, has_ended;
  MPI_Initialized(&has_begun);
  MPI_Finalized(&has_ended);
  if (!has_begun || has_ended) return refuse_without_mpi(world);
  MPI_Comm given = MPI_Comm_f2c(comm);
  const char *why = obstacle(given);
  Shared *shared = why ? NULL : shared_of(given);
  if (!shared) return ddr_library_init_ranks(world, NULL, leave, NULL, why ? why : "out of memory");
  shared->n_users++;
  return ddr_library_init_ranks(world, &shared->engine, leave, shared, NULL);
}
