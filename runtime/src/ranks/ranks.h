/* ranks.h: whether other processes run the same world, and what all of them do together.
 *
 * A function whose comment says "Collective" is, as in MPI, called by all ranks in the same
 * order.  In a process that runs alone such a function does not communicate.
 * Read next: ranks.c, README.md; strands/shares.h (whose strands are whose).
 */
#pragma once

#include <stdio.h>

#include "ddr/ranks.h"
#include "runtime/src/world/world.h"

/* The ranks of a world. */
struct ddr_ranks {
  const ddr_rank_engine *engine; /* NULL: this process runs alone */
  bool is_replicated;            /* every rank does all the work; the first one writes results */
  bool has_snapshots;            /* states are needed during the run, not only at its end */
  bool have_devices;             /* some ranks run their strands on GPUs */
  bool is_stopped;               /* some rank's world was stopped when the last phase ended */
  int64_t n_taken;               /* numbers that were taken from the engine's counter */
  FILE *nowhere;                 /* messages of all ranks but the first go here */
};

/* Makes the world one of several ranks.  False: an error is recorded. */
bool ddr_ranks_join(ddr_world *world, const ddr_rank_engine *engine);
void ddr_ranks_leave(ddr_world *world);

/* Decides whether ranks share the work, from the program and from whether states are needed during
 * the run.  To be called before there are strands. */
void ddr_ranks_decide(ddr_world *world, bool has_snapshots);

/* Whether any rank can create a strand, run it and end it, all in one visit. */
bool ddr_runs_in_pieces(const ddr_world *world);

/* The number of threads for this rank, of n_cores that the process may use: all ranks on a machine
 * share its cores, unless each is bound to some of them. */
uint32_t ddr_ranks_cores(const ddr_world *world, uint32_t n_cores);

/* Why the work is not shared, but done by every rank; NULL: it is shared. */
const char *ddr_ranks_obstacle(const ddr_world *world);

static inline int ddr_n_ranks(const ddr_world *world) {
  return world->ranks->engine ? world->ranks->engine->n_ranks : 1;
}

static inline int ddr_own_rank(const ddr_world *world) {
  return world->ranks->engine ? world->ranks->engine->rank : 0;
}

/* The first rank reads standard input, and it alone writes results. */
static inline bool ddr_is_first_rank(const ddr_world *world) { return ddr_own_rank(world) == 0; }

/* The number of this rank among those of its machine, from 0. */
static inline int ddr_number_on_node(const ddr_world *world) {
  return world->ranks->engine ? world->ranks->engine->number_on_node : 0;
}

/* The stream for messages: only those of the first rank are shown. */
static inline FILE *ddr_messages_of(const ddr_world *world) {
  return ddr_is_first_rank(world) ? stderr : world->ranks->nowhere;
}

/* Whether several ranks share the work. */
static inline bool ddr_is_shared_out(const ddr_world *world) {
  return ddr_n_ranks(world) > 1 && !world->ranks->is_replicated;
}

/* Collective.  Whether some rank has an error.  Then all have one, and the first has its message.
 */
bool ddr_ranks_agree(ddr_world *world);

/* Whether a run ends because of an error.  Collective if ranks share the work. */
static inline bool ddr_has_failed(ddr_world *world) {
  return ddr_is_shared_out(world) ? ddr_ranks_agree(world) : ddr_any_errors(world);
}

/* Collective.  The first rank whose number differs from that of rank 0; 0: all are equal. */
int ddr_ranks_differ(const ddr_world *world, uint64_t number);

/* Collective.  Whether it is so on every rank. */
bool ddr_ranks_all(const ddr_world *world, bool is_so);

/* Collective.  Gathers a number of each rank: all[r] is that of rank r. */
void ddr_ranks_share(const ddr_world *world, int64_t number, int64_t *all);

/* Collective.  Broadcast: returns the number that the first rank gives. */
int64_t ddr_ranks_first(const ddr_world *world, int64_t number);

/* Collective.  Broadcast: returns the text that the first rank gives; the caller frees it. */
char *ddr_ranks_text(const ddr_world *world, const char *text);

/* Collective.  Gathers parcels at the first rank, where in[r] is that of rank r; its caller frees
 * their bytes. */
void ddr_ranks_collect(ddr_world *world, ddr_parcel own, ddr_parcel in[]);

/* Ends all ranks because memory is short: an exchange that has begun cannot be undone. */
_Noreturn void ddr_ranks_give_up(const ddr_world *world);
static inline void *ddr_ranks_memory(const ddr_world *world, void *memory) {
  if (!memory) ddr_ranks_give_up(world);
  return memory;
}
