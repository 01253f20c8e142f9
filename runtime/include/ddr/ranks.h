/* ranks.h: several processes, the ranks, that run one program together, and the engine that carries
 * bytes between them.
 *
 * The runtime decides which bytes go where; an engine sends them (runtime/mpi for MPI).  All ranks
 * call the functions of an engine in the same order, except `take`, `attend` and `put`, and from
 * the thread that runs the world.  A function fails only where its comment says so: an engine that
 * cannot continue ends all ranks.
 *
 * Read next: runtime/src/ranks/README.md.
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
  int n_on_node;      /* ranks of the machine that this one runs on, itself included */
  int first_on_node;  /* the first of them */
  int number_on_node; /* this one among them, from 0 */

  /* All-gather: `size` bytes at `own` of each rank, to `all` on every rank, in rank order. */
  void (*share)(void *link, const void *own, size_t size, void *all);

  /* All-gather in place: n[r] units of `unit` bytes from rank r; its own are in `all` already. */
  void (*complete)(void *link, void *all, const int64_t n[], size_t unit);

  /* Sends `out` and receives `in`; each parcel that is sent is expected by its receiver. */
  void (*exchange)(void *link, const ddr_parcel *out, int64_t n_out, const ddr_parcel *in,
                   int64_t n_in);

  /* Memory that the ranks of one machine share: a read-only copy of n_bytes that the first of them
   * has, aligned to 64 bytes, owned by the engine until it ends.  The others pass NULL.  Returns
   * NULL to all where there is no room.  The function itself is NULL in libraries, whose worlds
   * come and go. */
  const void *(*lend)(void *link, const void *bytes, size_t n_bytes);

  /* Memory of n_bytes, the same number on all ranks of a machine, which all of them read and write,
   * aligned to 64 bytes, owned by the engine; its contents are undefined.  It takes the place of
   * `old`, an earlier result, which is gone, or NULL.  Returns NULL to all where there is no room.
   * NULL where lend is. */
  void *(*common)(void *link, void *old, size_t n_bytes);

  /* Waits for all ranks of a machine: what each has written to common memory before, all can read
   * afterwards.  NULL where lend is. */
  void (*meet)(void *link);

  /* The next number of a counter of all ranks (fetch and add), never reset.  NULL where lend is,
   * and where the network has none. */
  int64_t (*take)(void *link);

  /* Called now and then while a rank computes, so that it can answer the others. */
  void (*attend)(void *link);

  /* A file that exists, for all ranks to write into, one file at a time.  False to all where some
   * rank cannot open it.  `put` and `close_file` return 0, or the errno of what failed; closing
   * waits for unfinished writes, and for all ranks.  NULL where lend is. */
  bool (*open_file)(void *link, const char *name);
  int (*put)(void *link, int64_t at, const void *bytes, size_t n_bytes); /* not by all */
  int (*close_file)(void *link);

  /* Ends all ranks; does not return. */
  void (*give_up)(void *link, const char *message);
} ddr_rank_engine;

/* As ddr_main, for one of several ranks; returns the exit status. */
int ddr_main_ranks(const ddr_program *program, const ddr_rank_engine *engine, int argc,
                   char **argv);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
