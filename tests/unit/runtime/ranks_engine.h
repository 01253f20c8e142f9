/* ranks_engine.h: ranks as threads of one process; the engine counts what is sent.
 *
 * Every rank has a world of its own, like a process.
 */
#pragma once

#include "ddr/ranks.h"

typedef struct RanksCount {
  int64_t n_messages, n_bytes; /* received from other ranks */
} RanksCount;

/* The life of one rank: it joins with the engine. */
typedef void RankLife(const ddr_rank_engine *engine, void *data);

/* Runs all ranks, each in a thread, until all have ended. */
void ranks_live(int n_ranks, RankLife *life, void *data);

/* Likewise on machines with n_on_node ranks each, which share memory if there is room. */
void ranks_live_on(int n_ranks, int n_on_node, bool has_room, RankLife *life, void *data);

/* Failures with common files; ranks from 1 on, 0: none. */
typedef struct RanksTrouble {
  int blind_rank;        /* does not see the file */
  int full_rank, n_puts; /* its disk is full at the (n_puts + 1)th put */
  int late_rank;         /* its error is reported only when the file is closed */
} RanksTrouble;

/* Likewise, with failures. */
void ranks_live_in(RanksTrouble trouble, int n_ranks, RankLife *life, void *data);

/* What the rank has received so far. */
RanksCount ranks_received(const ddr_rank_engine *engine);
