/* shares.h: how several ranks divide the strands among them.
 *
 * The store of every rank has a slot for each strand and knows the status of each.  The state of a
 * strand is only valid on the rank that owns it and runs it; others get it when they ask for it.
 * A process that runs alone owns all strands.
 * Read next: shares.c; phase_reports.c (what follows a phase).
 */
#pragma once

#include "runtime/src/ranks/ranks.h"
#include "store.h"

/* Whether each rank has at most one run of strands, in the order of ranks, which is so unless
 * blocks were claimed (ddr_claim).  Before and after a phase a share consists of whole blocks. */
bool ddr_shares_are_in_order(const ddr_store *store);

/* The first run of a rank; an empty one if the rank has no strands. */
ddr_strand_run ddr_share_of(const ddr_store *store, int rank);

/* Divides the strands again, so that each rank runs about the same number; states are not moved. */
void ddr_shares_cut(ddr_world *world);

/* Collective.  Load balancing: divides the strands again, and moves states to their new owners, if
 * some rank runs many more strands than the mean. */
void ddr_shares_balance(ddr_world *world);

/* Computes the shares as they will be once the dead have left the store and the n_born[r] strands
 * that were born on each rank r have been added at its end, in the order of ranks. */
void ddr_shares_foresee(ddr_world *world, const int64_t n_born[]);

/* Collective.  After the store has changed as ddr_shares_foresee predicted: divides the strands
 * again, and moves states to their new owners. */
void ddr_shares_renew(ddr_world *world);

void ddr_shares_free(ddr_shares *shares);

/* --- states of other ranks -------------------------------------------------------------------- */

/* Collective.  Copies the states of all strands to the first rank, or to every rank.  An error on
 * one rank is returned by all. */
ddr_status ddr_states_fetch(ddr_world *world, ddr_states_place where);

/* Collective.  Copies the states of the strands from slot `first` on to every rank. */
ddr_status ddr_states_show(ddr_world *world, int64_t first);

/* Collective.  `column` has an element of `size` bytes for each strand.  Each rank provides those
 * of its own strands, and receives all others. */
void ddr_shares_complete(ddr_world *world, void *column, size_t size);

/* Collective.  Likewise, with an element for each block. */
void ddr_shares_complete_blocks(ddr_world *world, void *column, size_t size);

/* --- blocks of the own share ------------------------------------------------------------------ */

/* An iterator over the blocks of this rank: each step gives blocks first to first + count - 1. */
typedef struct ddr_claim {
  int64_t first, count; /* blocks */
  int64_t n_runs;       /* runs of the share that were visited */
  bool is_first_come;   /* dynamic scheduling: a block becomes part of the share of the rank that
                         * takes it first */
  int64_t number, end;  /* the next piece to be claimed: its number, and its first block */
} ddr_claim;

/* Collective if is_first_come; then every rank calls ddr_claim_next until it returns false. */
void ddr_claim_begin(ddr_world *world, ddr_claim *claim, bool is_first_come);
bool ddr_claim_next(ddr_world *world, ddr_claim *claim);

/* Whether a block belongs to the share of this rank. */
bool ddr_is_own_block(const ddr_world *world, int64_t number);

/* Collective.  Tells all ranks which blocks each of them has claimed. */
void ddr_claims_share(ddr_world *world);
