/* population.c: changes of the store between two phases: births and deaths.
 *
 * Slots stay in rank order: the dead are removed by a stable compaction, and newborn strands are
 * appended in the order of their creators: by block, then by `new` within a block.
 * Read next: exchange.c, Note [Sequences of strands].
 */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "phases.h"
#include "runtime/src/trace/trace.h"
#include "shares.h"

#if defined(DDR_SMALL_SIZES)
enum { FIRST_BIRTHS = 1 };
#else
enum { FIRST_BIRTHS = 16 };
#endif

static char *state_at(const ddr_world *world, int64_t slot) {
  return (char *)world->store->strands.state + (size_t)slot * world->program->state_size;
}

/* --- births ----------------------------------------------------------------------------------- */

/* Bytes of a strand that waits for its slot, which has a struct of its own even if states lie in
 * groups. */
static size_t size_of_newborn(const ddr_program *program) {
  return program->state_width > 1 ? program->strand_size : program->state_size;
}

static bool births_grow(ddr_world *world, ddr_births *births) {
  const size_t size = size_of_newborn(world->program);
  const int64_t capacity = births->capacity > 0 ? 2 * births->capacity : FIRST_BIRTHS;
  if ((uint64_t)capacity > SIZE_MAX / 4 / (size + 1)) return false;
  const uint64_t n_more = (uint64_t)(capacity - births->capacity) * size;
  const uint64_t n_total = atomic_fetch_add(&world->memory.n_birth_bytes, n_more) + n_more;
  const uint64_t n_store = world->memory.n_store_bytes;
  char *states = NULL;
  if (ddr_memory_fits(&world->memory, n_total + n_store)) {
    states = realloc(births->states, (size_t)capacity * size + 1);
  }
  if (!states) return false;
  births->states = states;
  births->capacity = capacity;
  return true;
}

void *ddr_new_strand(ddr_block *block) {
  ddr_births *births = &block->visit->record->births;
  if (births->is_short) return NULL;
  if (births->n == births->capacity && !births_grow(block->world, births)) {
    births->is_short = true;
    char reason[DDR_REASON_SIZE];
    ddr_error(block->world, "cannot allocate memory for new strands: %s",
              ddr_memory_reason(&block->world->memory, reason));
    return NULL;
  }
  const size_t size = size_of_newborn(block->world->program);
  void *state = births->states + (size_t)births->n++ * size;
  memset(state, 0, size);
  return state;
}

void ddr_born_of(ddr_block *block, int64_t slot) {
  ddr_record *record = block->visit->record;
  ddr_parts *born = &record->born;
  const ddr_part part = {.slot = slot,
                         .begin = born->n > 0 ? born->part[born->n - 1].end : 0,
                         .end = (size_t)record->births.n};
  if (!ddr_parts_add(born, &part)) ddr_error(block->world, "out of memory for new strands");
}

int64_t ddr_births_waiting(const ddr_store *store) {
  int64_t n_born = 0;
  for (int64_t k = 0; k < store->n_blocks; k++) n_born += store->records[k].births.n;
  return n_born;
}

/* On all ranks. */
static int64_t count_births(const ddr_world *world) {
  int64_t n_born = 0;
  if (!ddr_is_shared_out(world)) return ddr_births_waiting(world->store);
  for (int r = 0; r < ddr_n_ranks(world); r++) n_born += world->store->n_born_at[r];
  return n_born;
}

/* Copies states of newborn strands to the first slots behind all others. */
static void append_states(const ddr_world *world, const char *states, size_t n) {
  const ddr_program *program = world->program;
  const ddr_strands *strands = &world->store->strands;
  if (program->state_width == 1) {
    memcpy(state_at(world, strands->n_slots), states, n * program->state_size);
    return;
  }
  for (size_t k = 0; k < n; k++)
    program->put_strand(strands, strands->n_slots + (int64_t)k, states + k * program->strand_size);
}

/* Appends births `begin` to `end` of one record. */
static void append_run(ddr_world *world, const ddr_births *births, size_t begin, size_t end) {
  ddr_strands *strands = &world->store->strands;
  if (begin == end) return;
  append_states(world, births->states + begin * size_of_newborn(world->program), end - begin);
  memset(strands->status + strands->n_slots, DDR_NEW, end - begin);
  ddr_births_follow(world->store, strands->n_slots, strands->n_slots + (int64_t)(end - begin));
  strands->n_slots += (int64_t)(end - begin);
}

/* Appends births by the slots of their creators.  The store has room for them. */
static ddr_status append_births(ddr_world *world) {
  const ddr_store *store = world->store;
  ddr_parts born;
  if (ddr_parts_collect(world, PARTS_BORN, &born) != DDR_OK) return DDR_ERROR;
  for (int64_t k = 0; k < born.n; k++) {
    const ddr_part *part = &born.part[k];
    append_run(world, &store->records[part->record].births, part->begin, part->end);
  }
  for (int64_t k = 0; k < store->n_blocks && born.n == 0; k++) {
    append_run(world, &store->records[k].births, 0, (size_t)store->records[k].births.n);
  }
  ddr_parts_clear(&born);
  return DDR_OK;
}

/* Slots are appended for births on other ranks, too; the states stay there. */
static ddr_status append_all_births(ddr_world *world) {
  ddr_strands *strands = &world->store->strands;
  ddr_status status = DDR_OK;
  if (!ddr_is_shared_out(world)) return append_births(world);
  for (int rank = 0; rank < ddr_n_ranks(world); rank++) {
    const int64_t n_born = world->store->n_born_at[rank];
    if (rank == ddr_own_rank(world)) {
      status = append_births(world);
      continue;
    }
    memset(strands->status + strands->n_slots, DDR_NEW, (size_t)n_born);
    ddr_births_follow(world->store, strands->n_slots, strands->n_slots + n_born);
    strands->n_slots += n_born;
  }
  return status;
}

static void forget_births(ddr_world *world) {
  const ddr_store *store = world->store;
  for (int64_t k = 0; k < store->n_blocks; k++) {
    free(store->records[k].births.states);
    store->records[k].births = (ddr_births){0};
    ddr_parts_clear(&store->records[k].born);
  }
  for (int r = 0; r < ddr_n_ranks(world); r++) store->n_born_at[r] = 0;
  atomic_store(&world->memory.n_birth_bytes, 0);
}

/* --- deaths ----------------------------------------------------------------------------------- */

static int64_t count_dead(const ddr_store *store) {
  int64_t n_dead = 0;
  for (int64_t k = 0; k < store->n_blocks; k++) n_dead += store->records[k].n_dead;
  return n_dead;
}

static int64_t end_of_run(const ddr_strands *strands, int64_t begin, bool is_dead) {
  while (begin < strands->n_slots && (strands->status[begin] == DDR_DEAD) == is_dead) begin++;
  return begin;
}

/* Moves the states of n strands down. */
static void move_states(const ddr_world *world, int64_t dst, int64_t src, int64_t n) {
  const ddr_program *program = world->program;
  if (program->state_width == 1)
    memmove(state_at(world, dst), state_at(world, src), (size_t)n * program->state_size);
  else program->move_down(&world->store->strands, src, src + n, src - dst);
}

/* Moves runs of living strands down over the dead. */
static void compact(ddr_world *world) {
  int64_t *births = world->store->births;
  ddr_strands *strands = &world->store->strands;
  int64_t dst = end_of_run(strands, 0, false);
  for (int64_t src = dst; src < strands->n_slots;) {
    src = end_of_run(strands, src, true);
    const int64_t end = end_of_run(strands, src, false);
    move_states(world, dst, src, end - src);
    memmove(strands->status + dst, strands->status + src, (size_t)(end - src));
    if (births) memmove(births + dst, births + src, (size_t)(end - src) * sizeof *births);
    dst += end - src;
    src = end;
  }
  strands->n_slots = dst;
}

/* --- sequences of strands --------------------------------------------------------------------- */

/* Lends the sequences of n states, which need not be in the store. */
static void lend_states(ddr_world *world, ddr_pool *pool, void *states, int64_t n) {
  const ddr_strands view = {.state = states, .before = states, .n_slots = n};
  if (states && n > 0) world->program->lend_strands(pool, &view);
}

static void lend_dead(ddr_world *world, ddr_pool *pool) {
  const ddr_strands *strands = &world->store->strands;
  for (int64_t slot = 0; slot < strands->n_slots; slot++) {
    if (strands->status[slot] == DDR_DEAD) lend_states(world, pool, state_at(world, slot), 1);
  }
}

static void lend_births(ddr_world *world, ddr_pool *pool) {
  for (int64_t k = 0; k < world->store->n_blocks; k++) {
    const ddr_births *births = &world->store->records[k].births;
    lend_states(world, pool, births->states, births->n);
  }
}

static void lend_everything(ddr_world *world, ddr_pool *pool) {
  const int64_t n_slots = world->store->strands.n_slots;
  if (world->program->keep_strands) lend_states(world, pool, world->store->before, n_slots);
  lend_states(world, pool, world->store->strands.state, n_slots);
  lend_births(world, pool);
}

void ddr_strands_free_sequences(ddr_world *world) {
  const bool are_mirrored = world->gpu->device != NULL; /* then the device owns the sequences */
  if (world->program->lend_strands && !are_mirrored) lend_everything(world, &world->pool);
  ddr_pool_sweep(&world->pool);
}

/* --- commit ----------------------------------------------------------------------------------- */

/* Blocks that were claimed in pieces have run: states stay where they are. */
static void renew_shares(ddr_world *world) {
  if (!ddr_runs_in_pieces(world)) ddr_shares_renew(world);
  world->store->states_place = STATES_OWN;
}

/* States that every rank has for reading have moved with the others. */
static void keep_shown(ddr_store *store, int64_t n_before) {
  store->n_shown = store->n_shown == n_before ? store->strands.n_slots : 0;
}

/* Applies deaths and births to the store; without memory the newborn are discarded. */
static void renew_store(ddr_world *world, ddr_pool *pool, int64_t n_dead, int64_t n_born) {
  const bool is_shared_out = ddr_is_shared_out(world);
  const bool has_sequences = world->program->lend_strands != NULL;
  const int64_t n_before = world->store->strands.n_slots;
  ddr_device_mirror_share(world, 0, world->program->state_size);
  if (is_shared_out) ddr_shares_foresee(world, world->store->n_born_at);
  if (has_sequences && n_dead > 0) lend_dead(world, pool);
  if (n_dead > 0) {
    ddr_trace_deaths(world, &world->store->strands);
    compact(world);
  }
  keep_shown(world->store, n_before);
  ddr_trace_births(world, world->store->strands.n_slots, n_born);
  const bool has_room =
      n_born > 0 && ddr_strands_reserve(world, world->store->strands.n_slots + n_born) == DDR_OK;
  if (n_born > 0 && !(has_room && append_all_births(world) == DDR_OK) && has_sequences) {
    lend_births(world, pool);
  }
  forget_births(world);
  ddr_device_states_came(world);
  ddr_strands_partition(world);
  world->store->version_of_places++;
  if (is_shared_out && !ddr_ranks_agree(world)) renew_shares(world);
}

static void take_counts(ddr_store *store) {
  uint64_t n_active = 0;
  for (int64_t k = 0; k < store->n_blocks; k++) n_active += store->records[k].n_running;
  atomic_store(&store->n_active, n_active);
  atomic_store(&store->n_stable, (uint64_t)store->strands.n_slots - n_active);
  atomic_store(&store->n_running, (int64_t)n_active);
}

/* If devices have no second column for constant variables that strands read of each other, they are
 * read in the states: then all ranks have the states, as of their birth. */
static void show_states(ddr_world *world) {
  ddr_store *store = world->store;
  const bool is_read = world->program->pos_dim > 0 && !world->program->is_dual;
  if (!is_read || store->n_shown == store->strands.n_slots) return;
  if (ddr_states_show(world, store->n_shown) != DDR_OK) return;
  ddr_device_states_came(world);
  store->n_shown = store->strands.n_slots;
}

void ddr_strands_commit(ddr_world *world) {
  const ddr_program *program = world->program;
  ddr_pool *pool = &world->workers->threads->workers->pool;
  const bool is_shared = program->is_dual && program->keep_strands;
  if (is_shared) lend_everything(world, pool);
  const int64_t n_dead = count_dead(world->store), n_born = count_births(world);
  if (n_dead > 0 || n_born > 0) renew_store(world, pool, n_dead, n_born);
  const bool is_good = !ddr_is_shared_out(world) || !ddr_any_errors(world); /* on all ranks */
  if (is_shared) program->keep_strands(pool, &world->store->strands);
  ddr_pool_sweep(pool);
  ddr_pool_close(pool);
  if (is_good && ddr_is_shared_out(world)) show_states(world);
  if (program->is_lockstep && is_good && ddr_is_shared_out(world)) ddr_shares_balance(world);
  if (program->is_dual && is_good) ddr_strands_exchange(world);
  take_counts(world->store);
}

/* Note [Sequences of strands].  A buffer belongs to one strand (seq.c), which gives back all of its
 * buffers when it dies.  In a program with two columns an old sequence must last until the
 * superstep ends, since others may read it in `before`; so the buffers of both columns are lent to
 * one pool, those in the new states are kept, and the rest are freed. */
