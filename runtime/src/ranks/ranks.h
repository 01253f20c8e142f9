/* ranks.h: whether other processes run the same world, and what all of them do together.
 *
 * The functions that are said to be common are called by all ranks, in the same order; alone they
 * do what is left to do.
 * Read next: ranks.c, README.md; strands/shares.h (whose strands are whose).
 */
#pragma once

#include <stdio.h>

#include "ddr/ranks.h"
#include "runtime/src/world/world.h"

/* The world's part. */
struct ddr_ranks {
  const ddr_rank_engine *engine; /* NULL: there are no others */
  bool is_replicated;            /* each rank does everything, and the first one shows it */
  bool has_snapshots;            /* states are asked for between the beginning and the end */
  bool have_devices;             /* some run their strands on GPUs */
  bool is_stopped;               /* somebody's world was, when the last phase ended */
  int64_t n_taken;               /* numbers of the counter that were used up */
  FILE *nowhere;                 /* where the messages of all ranks but the first go */
};

/* The world is that of several ranks from now on.  False: an error is recorded. */
bool ddr_ranks_join(ddr_world *world, const ddr_rank_engine *engine);
void ddr_ranks_leave(ddr_world *world);

/* Before there are strands: whether work is shared out is decided from the program, and from
 * whether states will be asked for while it runs. */
void ddr_ranks_decide(ddr_world *world, bool has_snapshots);

/* The program can be run so that each strand is created, runs and ends in one piece, wherever it
 * is. */
bool ddr_runs_in_pieces(const ddr_world *world);

/* Of those that this process may use: the cores of a machine belong to all ranks on it, unless each
 * may use some of them only. */
uint32_t ddr_ranks_cores(const ddr_world *world, uint32_t n_cores);

/* Why every rank does everything; NULL: it does not. */
const char *ddr_ranks_obstacle(const ddr_world *world);

static inline int ddr_n_ranks(const ddr_world *world) {
  return world->ranks->engine ? world->ranks->engine->n_ranks : 1;
}

static inline int ddr_own_rank(const ddr_world *world) {
  return world->ranks->engine ? world->ranks->engine->rank : 0;
}

/* The first rank reads from users, and it alone writes. */
static inline bool ddr_is_first_rank(const ddr_world *world) { return ddr_own_rank(world) == 0; }

/* Among the ranks of its machine. */
static inline int ddr_number_on_node(const ddr_world *world) {
  return world->ranks->engine ? world->ranks->engine->number_on_node : 0;
}

/* Where messages are for people. */
static inline FILE *ddr_messages_of(const ddr_world *world) {
  return ddr_is_first_rank(world) ? stderr : world->ranks->nowhere;
}

/* Ranks share the work out. */
static inline bool ddr_is_shared_out(const ddr_world *world) {
  return ddr_n_ranks(world) > 1 && !world->ranks->is_replicated;
}

/* Common.  Whether some rank has an error; then the first has a message, and all others have one.
 */
bool ddr_ranks_agree(ddr_world *world);

/* In a run, which is common where work is shared out: whether it ends here. */
static inline bool ddr_has_failed(ddr_world *world) {
  return ddr_is_shared_out(world) ? ddr_ranks_agree(world) : ddr_any_errors(world);
}

/* Common.  The first rank whose number is not that of rank 0, or 0. */
int ddr_ranks_differ(const ddr_world *world, uint64_t number);

/* Common.  One number of each rank, by rank. */
void ddr_ranks_share(const ddr_world *world, int64_t number, int64_t *all);

/* Common.  That of the first rank. */
int64_t ddr_ranks_first(const ddr_world *world, int64_t number);

/* Common.  A text of the first rank, for all; the others give what they like.  Free it. */
char *ddr_ranks_text(const ddr_world *world, const char *text);

/* Common.  All parcels that are to go to the first rank; at the first rank in[r] is that of rank r,
 * to be freed. */
void ddr_ranks_collect(ddr_world *world, ddr_parcel own, ddr_parcel in[]);

/* The memory, or the end of all ranks: in the midst of an exchange there is no way back. */
_Noreturn void ddr_ranks_give_up(const ddr_world *world);
static inline void *ddr_ranks_memory(const ddr_world *world, void *memory) {
  if (!memory) ddr_ranks_give_up(world);
  return memory;
}
