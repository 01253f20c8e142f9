/* claims.c: the blocks that a rank runs: those of its share, or those that it claims.
 *
 * Where strands do not read each other and are not moved between ranks, a block may run anywhere.
 * Then blocks are claimed in pieces of decreasing size, by whichever rank is free, and claimed
 * blocks become the share of that rank.
 * Read next: shares.h; blocks.c.
 */
#include <stdlib.h>

#include "shares.h"

/* --- who comes first -------------------------------------------------------------------------- */

/* The size of a piece: half of the average that is left per rank, but at least a block per
 * thread. */
static int64_t piece_len(const ddr_world *world, int64_t begin) {
  const int64_t n_ranks = ddr_n_ranks(world), n_left = world->store->n_blocks - begin;
  const int64_t len = n_left / (2 * n_ranks);
  const int64_t least = (world->store->n_all_workers + n_ranks - 1) / n_ranks;
  if (len >= least) return len;
  return least < n_left ? least : n_left;
}

/* Advances to a piece by number, from the last one that was requested; false: there is none. */
static bool find_piece(const ddr_world *world, ddr_claim *claim, int64_t number) {
  const int64_t n_blocks = world->store->n_blocks;
  while (claim->number < number && claim->end < n_blocks) {
    claim->end += piece_len(world, claim->end);
    claim->number++;
  }
  return claim->end < n_blocks;
}

static void add_run(ddr_world *world, int64_t first, int64_t end) {
  ddr_shares *shares = &world->store->shares;
  const size_t n = (size_t)shares->begin[1];
  ddr_strand_run *last = n > 0 ? &shares->runs[n - 1] : NULL;
  if (last && last->first + last->count == first) {
    last->count = end - last->first;
    return;
  }
  shares->runs = ddr_ranks_memory(world, realloc(shares->runs, (n + 1) * sizeof *shares->runs));
  shares->runs[n] = (ddr_strand_run){first, end - first};
  shares->begin[1]++;
}

static bool claim_piece(ddr_world *world, ddr_claim *claim) {
  const ddr_rank_engine *engine = world->ranks->engine;
  const ddr_store *store = world->store;
  const int64_t number = engine->take(engine->link) - world->ranks->n_taken;
  if (!find_piece(world, claim, number)) {
    find_piece(world, claim, INT64_MAX);
    world->ranks->n_taken += claim->number + engine->n_ranks;
    return false;
  }
  claim->first = claim->end;
  claim->count = piece_len(world, claim->first);
  add_run(world, ddr_block_begin(store, claim->first),
          ddr_block_end(store, claim->first + claim->count - 1));
  return true;
}

/* Until ddr_claims_share, own claims are stored as if they were those of rank 0. */
static void begin_claims(ddr_world *world) {
  ddr_shares *shares = &world->store->shares;
  ddr_shares_free(shares);
  shares->n_ranks = ddr_n_ranks(world);
  shares->begin = calloc((size_t)shares->n_ranks + 1, sizeof *shares->begin);
  ddr_ranks_memory(world, shares->begin);
  shares->are_claimed = true;
}

void ddr_claims_share(ddr_world *world) {
  const ddr_rank_engine *engine = world->ranks->engine;
  ddr_shares *shares = &world->store->shares;
  int64_t *n = ddr_ranks_memory(world, calloc((size_t)engine->n_ranks, sizeof *n));
  ddr_ranks_share(world, shares->begin[1], n);
  const int64_t n_own = shares->begin[1];
  for (int r = 0; r < engine->n_ranks; r++) shares->begin[r + 1] = shares->begin[r] + n[r];
  const size_t n_all = (size_t)shares->begin[engine->n_ranks];
  ddr_strand_run *all = ddr_ranks_memory(world, calloc(n_all + 1, sizeof *all));
  for (int64_t k = 0; k < n_own; k++) all[shares->begin[engine->rank] + k] = shares->runs[k];
  engine->complete(engine->link, all, n, sizeof *all);
  free(shares->runs);
  shares->runs = all;
  free(n);
}

/* --- own blocks ------------------------------------------------------------------------------- */

void ddr_claim_begin(ddr_world *world, ddr_claim *claim, bool is_first_come) {
  *claim = (ddr_claim){.is_first_come = is_first_come && ddr_is_shared_out(world)};
  if (claim->is_first_come) begin_claims(world);
}

static ddr_strand_run own_run(const ddr_world *world, int64_t k) {
  const ddr_store *store = world->store;
  if (!ddr_is_shared_out(world)) return (ddr_strand_run){0, k == 0 ? store->strands.n_slots : 0};
  const ddr_shares *shares = &store->shares;
  const int64_t at = shares->begin[ddr_own_rank(world)] + k;
  const bool is_there = at < shares->begin[ddr_own_rank(world) + 1];
  return is_there ? shares->runs[at] : (ddr_strand_run){0, 0};
}

bool ddr_claim_next(ddr_world *world, ddr_claim *claim) {
  if (claim->is_first_come) return claim_piece(world, claim);
  const ddr_store *store = world->store;
  const ddr_strand_run run = own_run(world, claim->n_runs++);
  if (run.count == 0) return false;
  claim->first = run.first / store->block_len;
  claim->count = (run.count + store->block_len - 1) / store->block_len;
  return true;
}

bool ddr_is_own_block(const ddr_world *world, int64_t number) {
  const int64_t slot = ddr_block_begin(world->store, number);
  for (int64_t k = 0;; k++) {
    const ddr_strand_run run = own_run(world, k);
    if (run.count == 0) return false;
    if (run.first <= slot && slot < run.first + run.count) return true;
  }
}
