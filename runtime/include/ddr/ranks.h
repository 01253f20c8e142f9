/* ranks.h: several processes that run one program together, each of them a rank, and what carries
 * bytes between them.
 *
 * The runtime says what is to go where; an engine does it (runtime/mpi for MPI).  All ranks call
 * the functions of an engine in the same order, but for `take`, `attend` and `put`, and from the
 * thread that runs the world.  None of them fails: an engine that cannot go on ends all ranks. Read
 * next: runtime/src/ranks/README.md.
 */
#pragma once

#include "ddr/program.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* in the shared runtime */

/* Bytes to or from another rank.  Parcels of two ranks arrive in the order in which they are sent.
 */
typedef struct ddr_parcel {
  int rank;
  size_t n_bytes;
  void *bytes;
} ddr_parcel;

typedef struct ddr_rank_engine {
  void *link; /* first argument of every function */
  int rank, n_ranks;
  int n_on_node;     /* ranks of the machine that this one runs on, itself included */
  int first_on_node; /* the first of them */

  /* `size` bytes of each rank, one behind the other, for all. */
  void (*share)(void *link, const void *own, size_t size, void *all);

  /* Likewise n[r] units of rank r, of `unit` bytes; its own are in their place already. */
  void (*complete)(void *link, void *all, const int64_t n[], size_t unit);

  /* Parcels go out and come in; what one rank sends another expects. */
  void (*exchange)(void *link, const ddr_parcel *out, int64_t n_out, const ddr_parcel *in,
                   int64_t n_in);

  /* Common to the ranks of a machine, if there are several: n_bytes that the first of them has,
   * in one place for all, aligned to 64 and to be read only, until the engine ends.  The others
   * give NULL.  NULL for all where there is no room.  The function is NULL where worlds come and
   * go. */
  const void *(*lend)(void *link, const void *bytes, size_t n_bytes);

  /* The next number of a counter that all ranks have in common; it goes on for ever. */
  int64_t (*take)(void *link);

  /* Called now and then by a rank that computes: others may want something of it. */
  void (*attend)(void *link);

  /* A file that is there, for all to write into, one at a time.  False for all where some rank
   * cannot.  What a rank puts into it is 0, or the errno that says why it is not there; closing
   * waits for what is under way, and for all.  The functions are NULL where worlds come and go. */
  bool (*open_file)(void *link, const char *name);
  int (*put)(void *link, int64_t at, const void *bytes, size_t n_bytes); /* not by all */
  int (*close_file)(void *link);

  /* Ends all ranks; does not return. */
  void (*give_up)(void *link, const char *message);
} ddr_rank_engine;

/* As ddr_main, for one of several ranks. */
int ddr_main_ranks(const ddr_program *program, const ddr_rank_engine *engine, int argc,
                   char **argv);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
