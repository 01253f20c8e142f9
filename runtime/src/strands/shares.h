/* shares.h: which strands are whose, where several ranks share them out.
 *
 * Every store has a place for each strand, and knows the status of each.  Their states are with the
 * rank that has them: it runs these strands, and nobody else knows how they are until it is asked.
 * Alone, a process has all.
 * Read next: shares.c; together.c (what follows a phase).
 */
#pragma once

#include "runtime/src/ranks/ranks.h"
#include "store.h"

/* Before and after a phase a share consists of whole blocks.  All ranks have at most one run of
 * blocks each, in the order of ranks, but for those that were claimed (ddr_claim). */
bool ddr_shares_are_in_order(const ddr_store *store);

/* The first run of a rank, empty if it has none. */
ddr_strand_run ddr_share_of(const ddr_store *store, int rank);

/* Cut anew: as many running strands for each rank, as blocks allow. */
void ddr_shares_cut(ddr_world *world);

/* Common.  If some rank has much more to do than the mean, cut anew; states move. */
void ddr_shares_balance(ddr_world *world);

/* The dead have not left the store yet: note where the strands of each share will be, those that
 * n_born[r] strands of each rank will have at its end, too. */
void ddr_shares_foresee(ddr_world *world, const int64_t n_born[]);

/* Common.  The store was renewed as foreseen: cut anew, states move. */
void ddr_shares_renew(ddr_world *world);

void ddr_shares_free(ddr_shares *shares);

/* --- what is asked for ------------------------------------------------------------------------ */

/* Common.  Those of all strands are at the first rank, or everywhere; an error is one of all. */
ddr_status ddr_states_fetch(ddr_world *world, ddr_states_place where);

/* Common.  Those of strands from this one on are everywhere, as they are now. */
ddr_status ddr_states_show(ddr_world *world, int64_t first);

/* Common.  Elements of `size` bytes, one per strand, that each rank has for its own are everywhere.
 */
void ddr_shares_complete(ddr_world *world, void *column, size_t size);

/* --- blocks of the own share ------------------------------------------------------------------ */

/* Where an enumeration of own blocks is. */
typedef struct ddr_claim {
  int64_t first, count; /* blocks */
  int64_t n_runs;       /* seen */
  bool is_first_come;   /* blocks are taken by whoever comes first, and then they are its own */
  int64_t number, end;  /* of the next piece to be taken; where it begins */
} ddr_claim;

/* First come is common, and every rank goes on until there are no more. */
void ddr_claim_begin(ddr_world *world, ddr_claim *claim, bool is_first_come);
bool ddr_claim_next(ddr_world *world, ddr_claim *claim);

/* Which blocks are own. */
bool ddr_is_own_block(const ddr_world *world, int64_t number);

/* Common.  Everybody learns who has claimed what. */
void ddr_claims_share(ddr_world *world);
