/* ranks_engine.h: ranks that are threads of one process, which count what is sent.
 *
 * Every rank has a world of its own, as processes have.
 */
#pragma once

#include "ddr/ranks.h"

typedef struct RanksCount {
  int64_t n_messages, n_bytes; /* that other ranks have sent to one */
} RanksCount;

/* The life of one rank: it joins with the engine. */
typedef void RankLife(const ddr_rank_engine *engine, void *data);

/* All ranks live, each in a thread, until all have ended. */
void ranks_live(int n_ranks, RankLife *life, void *data);

/* Likewise on machines of n_on_node ranks each, which have memory in common if there is room. */
void ranks_live_on(int n_ranks, int n_on_node, bool has_room, RankLife *life, void *data);

/* What goes wrong with files of all; ranks from 1 on, 0: none. */
typedef struct RanksTrouble {
  int blind_rank;        /* does not see the file */
  int full_rank, n_puts; /* has a full disk when it puts for the (n_puts + 1)th time */
  int late_rank;         /* learns that when it closes */
} RanksTrouble;

/* Likewise in trouble. */
void ranks_live_in(RanksTrouble trouble, int n_ranks, RankLife *life, void *data);

/* What the rank has received so far. */
RanksCount ranks_received(const ddr_rank_engine *engine);
