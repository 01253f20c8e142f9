/* shares.c: divides the store among ranks, and moves states from one to another.
 *
 * All ranks compute the same division from what all of them know: the status of every strand, and
 * the number of births on each rank.  So only the states themselves are sent.
 * Read next: shares.h, claims.c.
 */
#include "shares.h"

#include <stdlib.h>
#include <string.h>

#include "device.h"

/* --- runs ------------------------------------------------------------------------------------- */

ddr_strand_run ddr_share_of(const ddr_store *store, int rank) {
  const ddr_shares *shares = &store->shares;
  const int64_t at = shares->begin[rank];
  return at < shares->begin[rank + 1] ? shares->runs[at] : (ddr_strand_run){0, 0};
}

bool ddr_shares_are_in_order(const ddr_store *store) { return !store->shares.are_claimed; }

void ddr_shares_free(ddr_shares *shares) {
  free(shares->runs);
  free(shares->begin);
  *shares = (ddr_shares){0};
}

static ddr_shares shares_new(const ddr_world *world, int64_t n_runs) {
  const int n_ranks = ddr_n_ranks(world);
  ddr_shares shares = {.n_ranks = n_ranks};
  shares.runs = ddr_ranks_memory(world, malloc((size_t)(n_runs + 1) * sizeof *shares.runs));
  shares.begin = ddr_ranks_memory(world, calloc((size_t)n_ranks + 1, sizeof *shares.begin));
  return shares;
}

static void end_share(ddr_shares *shares, int rank, int64_t n_runs) {
  shares->begin[rank + 1] = n_runs;
}

static void push_run(ddr_shares *shares, int64_t *n_runs, int64_t first, int64_t count) {
  if (count > 0) shares->runs[(*n_runs)++] = (ddr_strand_run){first, count};
}

/* --- states on their way ---------------------------------------------------------------------- */

/* Rows of a column: `width` strands each. */
typedef struct Rows {
  char *column;
  size_t size;
  int64_t width;
} Rows;

typedef struct Parcels {
  ddr_parcel *parcel;
  int64_t n, capacity;
} Parcels;

static void push_parcel(const ddr_world *world, Parcels *parcels, ddr_parcel parcel) {
  if (parcels->n == parcels->capacity) {
    parcels->capacity = parcels->capacity > 0 ? 2 * parcels->capacity : 16;
    const size_t n_bytes = (size_t)parcels->capacity * sizeof parcel;
    parcels->parcel = ddr_ranks_memory(world, realloc(parcels->parcel, n_bytes));
  }
  parcels->parcel[parcels->n++] = parcel;
}

static ddr_strand_run common_run(ddr_strand_run a, ddr_strand_run b) {
  const int64_t end_a = a.first + a.count, end_b = b.first + b.count;
  const int64_t first = a.first > b.first ? a.first : b.first;
  const int64_t end = end_a < end_b ? end_a : end_b;
  return (ddr_strand_run){first, end > first ? end - first : 0};
}

/* Lists what one rank sends to another; both compute the same list, in the same order. */
static void push_common(const ddr_world *world, const Rows *rows, const ddr_shares *from, int src,
                        const ddr_shares *to, int dst, Parcels *parcels) {
  const int rank = src == ddr_own_rank(world) ? dst : src;
  for (int64_t i = from->begin[src]; i < from->begin[src + 1]; i++) {
    for (int64_t k = to->begin[dst]; k < to->begin[dst + 1]; k++) {
      const ddr_strand_run run = common_run(from->runs[i], to->runs[k]);
      if (run.count == 0) continue;
      const int64_t begin = run.first / rows->width;
      const int64_t end = (run.first + run.count + rows->width - 1) / rows->width;
      push_parcel(world, parcels,
                  (ddr_parcel){rank, (size_t)(end - begin) * rows->size,
                               rows->column + (size_t)begin * rows->size});
    }
  }
}

static void move_rows(const ddr_world *world, const Rows *rows, const ddr_shares *from,
                      const ddr_shares *to) {
  const ddr_rank_engine *engine = world->ranks->engine;
  const int own = engine->rank;
  Parcels out = {0}, in = {0};
  for (int rank = 0; rank < engine->n_ranks; rank++) {
    if (rank == own) continue;
    push_common(world, rows, from, own, to, rank, &out);
    push_common(world, rows, from, rank, to, own, &in);
  }
  engine->exchange(engine->link, out.parcel, out.n, in.parcel, in.n);
  free(out.parcel);
  free(in.parcel);
}

static Rows states_of(const ddr_world *world) {
  return (Rows){world->store->strands.state, world->program->state_size,
                world->program->state_width};
}

/* --- asking for states ------------------------------------------------------------------------ */

/* Shares in which the first rank, or every rank, has all states. */
static ddr_shares all_for(const ddr_world *world, ddr_states_place where) {
  ddr_shares to = shares_new(world, ddr_n_ranks(world));
  int64_t n_runs = 0;
  for (int rank = 0; rank < ddr_n_ranks(world); rank++) {
    if (rank == 0 || where == STATES_EVERYWHERE)
      push_run(&to, &n_runs, 0, world->store->strands.n_slots);
    end_share(&to, rank, n_runs);
  }
  return to;
}

/* Completes rows on all ranks from strand `first` on, which begins a row. */
static void complete_in_order(const ddr_world *world, const Rows *rows, int64_t first) {
  const ddr_rank_engine *engine = world->ranks->engine;
  const ddr_strand_run behind = {first, world->store->strands.n_slots - first};
  int64_t *n = ddr_ranks_memory(world, calloc((size_t)engine->n_ranks, sizeof *n));
  for (int rank = 0; rank < engine->n_ranks; rank++) {
    const ddr_strand_run run = common_run(ddr_share_of(world->store, rank), behind);
    n[rank] = (run.count + rows->width - 1) / rows->width;
  }
  engine->complete(engine->link, rows->column + (size_t)(first / rows->width) * rows->size, n,
                   rows->size);
  free(n);
}

static void spread(const ddr_world *world, const Rows *rows, ddr_states_place where) {
  if (where == STATES_EVERYWHERE && ddr_shares_are_in_order(world->store)) {
    complete_in_order(world, rows, 0);
    return;
  }
  ddr_shares to = all_for(world, where);
  move_rows(world, rows, &world->store->shares, &to);
  ddr_shares_free(&to);
}

/* Collective.  Of several machines, each was asked for the memory of its own strands only. */
static bool has_room(ddr_world *world, ddr_states_place where) {
  const ddr_rank_engine *engine = world->ranks->engine;
  const int64_t n_slots = world->store->strands.n_slots;
  const uint64_t n_bytes = ddr_state_bytes(world->program, n_slots);
  const bool is_everywhere = where == STATES_EVERYWHERE;
  const uint64_t n_here = is_everywhere ? n_bytes * (uint64_t)engine->n_on_node : n_bytes;
  char reason[DDR_REASON_SIZE];
  if (engine->n_on_node == engine->n_ranks) return true;
  if ((is_everywhere || engine->rank == 0) && !ddr_memory_fits(&world->memory, n_here))
    ddr_error(world, "cannot allocate memory for the %lld strands of all ranks: %s",
              (long long)n_slots, ddr_memory_reason(&world->memory, reason));
  return !ddr_ranks_agree(world);
}

ddr_status ddr_states_fetch(ddr_world *world, ddr_states_place where) {
  if (!ddr_is_shared_out(world) || world->store->states_place >= where) return DDR_OK;
  if (!has_room(world, where)) return DDR_ERROR;
  const Rows rows = states_of(world);
  if (ddr_device_mirror_together(world) != DDR_OK) return DDR_ERROR;
  spread(world, &rows, where);
  world->store->states_place = where;
  return DDR_OK;
}

ddr_status ddr_states_show(ddr_world *world, int64_t first) {
  const Rows rows = states_of(world);
  if (ddr_device_mirror_together(world) != DDR_OK) return DDR_ERROR;
  complete_in_order(world, &rows, first);
  return DDR_OK;
}

void ddr_shares_complete(ddr_world *world, void *column, size_t size) {
  const Rows rows = {column, size, 1};
  spread(world, &rows, STATES_EVERYWHERE);
}

void ddr_shares_complete_blocks(ddr_world *world, void *column, size_t size) {
  const Rows rows = {column, size, world->store->block_len};
  spread(world, &rows, STATES_EVERYWHERE);
}

/* --- cutting ---------------------------------------------------------------------------------- */

/* The cost of a running strand, relative to one that does not run. */
enum { COST_OF_RUNNING = 1024 };

static int64_t cost_of(const ddr_store *store, int64_t number) {
  const int64_t n_slots = ddr_block_end(store, number) - ddr_block_begin(store, number);
  return COST_OF_RUNNING * (int64_t)store->records[number].n_running + n_slots;
}

void ddr_shares_cut(ddr_world *world) {
  ddr_store *store = world->store;
  const int n_ranks = ddr_n_ranks(world);
  ddr_shares cut = shares_new(world, n_ranks);
  int64_t total = 0, done = 0, number = 0, n_runs = 0;
  for (int64_t k = 0; k < store->n_blocks; k++) total += cost_of(store, k);
  for (int rank = 0; rank < n_ranks; rank++) {
    const int64_t begin = number;
    const double wanted = (double)total * (rank + 1) / n_ranks;
    for (; number < store->n_blocks; number++) {
      const int64_t cost = cost_of(store, number);
      if (rank < n_ranks - 1 && (double)done + (double)cost / 2 > wanted) break;
      done += cost;
    }
    const int64_t first = ddr_block_begin(store, begin);
    push_run(&cut, &n_runs, first, ddr_block_begin(store, number) - first);
    if (number == store->n_blocks && begin < number)
      cut.runs[n_runs - 1].count = store->strands.n_slots - first;
    end_share(&cut, rank, n_runs);
  }
  ddr_shares_free(&store->shares);
  store->shares = cut;
}

static void cut_and_move(ddr_world *world, ddr_shares holders) {
  const Rows rows = states_of(world);
  ddr_shares_cut(world);
  ddr_device_states_came(world);
  move_rows(world, &rows, &holders, &world->store->shares);
  ddr_shares_free(&holders);
}

static int64_t count_running(const ddr_store *store, ddr_strand_run run) {
  int64_t n = 0;
  for (int64_t at = run.first; at < run.first + run.count; at += store->block_len)
    n += store->records[at / store->block_len].n_running;
  return n;
}

/* Publishes what others read of own strands. */
static void show_anew(ddr_world *world) {
  ddr_store *store = world->store;
  for (int64_t k = 0; k < store->n_blocks; k++) store->records[k].is_stale = true;
  store->news = (ddr_news){true, true};
}

void ddr_shares_balance(ddr_world *world) {
  ddr_store *store = world->store;
  const int64_t n_ranks = ddr_n_ranks(world);
  int64_t most = 0, n_all = 0;
  for (int rank = 0; rank < n_ranks; rank++) {
    const int64_t n = count_running(store, ddr_share_of(store, rank));
    most = n > most ? n : most;
    n_all += n;
  }
  /* A tenth more than the mean, and more than the size of blocks makes unavoidable. */
  if (10 * (most - 2 * store->block_len) * n_ranks <= 11 * n_all) return;
  if (ddr_device_mirror_together(world) != DDR_OK) return;
  ddr_shares holders = store->shares;
  store->shares = (ddr_shares){0};
  show_anew(world);
  if (store->states_place == STATES_EVERYWHERE) {
    ddr_device_states_came(world);
    ddr_shares_free(&holders);
    ddr_shares_cut(world);
    return;
  }
  cut_and_move(world, holders);
  store->states_place = STATES_OWN;
}

/* --- deaths and births ------------------------------------------------------------------------ */

void ddr_shares_foresee(ddr_world *world, const int64_t n_born[]) {
  ddr_store *store = world->store;
  const ddr_shares *now = &store->shares;
  const int64_t n_slots = store->strands.n_slots;
  int64_t *n_alive = ddr_ranks_memory(world, malloc((size_t)(n_slots + 1) * sizeof *n_alive));
  n_alive[0] = 0; /* the number of living strands before each slot */
  for (int64_t slot = 0; slot < n_slots; slot++)
    n_alive[slot + 1] = n_alive[slot] + (store->strands.status[slot] != DDR_DEAD);
  ddr_shares then = shares_new(world, now->begin[now->n_ranks] + now->n_ranks);
  int64_t n_runs = 0, end = n_alive[n_slots];
  for (int rank = 0; rank < now->n_ranks; rank++) {
    for (int64_t k = now->begin[rank]; k < now->begin[rank + 1]; k++) {
      const int64_t first = n_alive[now->runs[k].first];
      push_run(&then, &n_runs, first, n_alive[now->runs[k].first + now->runs[k].count] - first);
    }
    push_run(&then, &n_runs, end, n_born[rank]);
    end += n_born[rank];
    end_share(&then, rank, n_runs);
  }
  free(n_alive);
  then.are_claimed = true; /* not in the order of ranks */
  ddr_shares_free(&store->shares);
  store->shares = then;
}

void ddr_shares_renew(ddr_world *world) {
  ddr_shares holders = world->store->shares;
  world->store->shares = (ddr_shares){0};
  cut_and_move(world, holders);
  world->store->states_place = STATES_OWN;
}
