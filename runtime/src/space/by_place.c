/* by_place.c: runs one superstep in spatial order: strands near each other run one after the other,
 * so that what one query read is still in the cache for the next.
 *
 * Results do not depend on the order: strands read only `before`, and births and prints, which have
 * an order, are recorded with their slots and sorted at the end.  Here the record of a block holds
 * births and prints of arbitrary slots. Read next: strands/blocks.c (the phase in the order of
 * ranks),
 */
#include "local.h"
#include "runtime/src/strands/shares.h"
#include "space.h"

#if defined(DDR_SMALL_SIZES)
enum { FEW_STRANDS = 16, LOOK_AHEAD = 2, TOGETHER = 5 };
#else
enum { FEW_STRANDS = 4096, LOOK_AHEAD = 8, TOGETHER = 512 };
#endif
enum { MOST_SLOT_PARTS = 4 };

bool ddr_places_known(const ddr_world *world) {
  return is_current(world->index, world->store) && world->store->strands.n_slots >= FEW_STRANDS;
}

/* --- visits ----------------------------------------------------------------------------------- */

static int64_t slot_at(const ddr_index *index, int64_t place) {
  if (place < index->n_points) return index->columns.slots[place];
  return index->nowhere[place - index->n_points];
}

static void prefetch_state(const ddr_world *world, int64_t slot) {
  ddr_prefetch((const char *)world->store->strands.state +
               (size_t)slot * world->program->state_size);
}

/* The published position is read, too, if the reach of queries is recorded (partial_index.c). */
static void prefetch_before(const ddr_world *world, int64_t slot) {
  if (world->index->is_watched)
    ddr_prefetch((const char *)world->store->strands.before +
                 (size_t)slot * ddr_before_size(world->program));
}

/* A worker goes through all places, but runs only the strands of one part of the slots: their
 * states stay in its cache, and other workers do not write between them.  With many workers several
 * share a part; otherwise each would read the index of all places. */
typedef struct {
  ddr_phase *phase;
  ddr_strand_run own; /* slots of this rank */
  int64_t n_parts;    /* parts of these slots */
  int64_t n_chunks;   /* chunks of the places, for each part */
} Phase;

/* The work of an item: the strands with these slots, at these places. */
typedef struct Chunk {
  const ddr_index *index; /* the worker's index, with these places */
  ddr_strand_run slots;
  int64_t begin, end;
} Chunk;

/* Parts consist of whole blocks, as in other phases. */
static int64_t part_begin(const ddr_world *world, const Phase *phase, int64_t part) {
  const int64_t len = world->store->block_len;
  const int64_t n_blocks = (phase->own.count + len - 1) / len, n = n_blocks * part / phase->n_parts;
  return phase->own.first + (n < n_blocks ? n * len : phase->own.count);
}

static Chunk chunk_of(const ddr_world *world, const Phase *phase, const ddr_index *index,
                      int64_t item) {
  const int64_t n_places = (int64_t)index->n_points + index->n_nowhere;
  const int64_t part = item / phase->n_chunks, chunk = item % phase->n_chunks;
  const int64_t first = part_begin(world, phase, part);
  return (Chunk){.index = index,
                 .slots = {first, part_begin(world, phase, part + 1) - first},
                 .begin = n_places * chunk / phase->n_chunks,
                 .end = n_places * (chunk + 1) / phase->n_chunks};
}

/* One comparison: two would be a branch that no processor can predict (take_slots). */
static bool is_of_part(const Chunk *chunk, int64_t slot) {
  return (uint64_t)(slot - chunk->slots.first) < (uint64_t)chunk->slots.count;
}

static void look_ahead(const ddr_world *world, const Chunk *chunk, int64_t place) {
  if (place >= chunk->end) return;
  const int64_t slot = slot_at(chunk->index, place);
  if (!is_of_part(chunk, slot)) return;
  prefetch_state(world, slot);
  prefetch_before(world, slot);
}

/* Runs one strand; false if its births and prints could not be recorded. */
static bool visit_slot(ddr_world *world, const Phase *phase, ddr_block *block, int64_t slot) {
  ddr_record *record = block->visit->record;
  ddr_part born = {.slot = slot, .begin = (size_t)record->births.n};
  ddr_part said = {.slot = slot, .begin = record->held.n_held};
  block->begin = slot;
  block->end = slot + 1;
  const uint32_t n_steps = phase->phase(world, block, 1);
  if (n_steps > record->n_steps) record->n_steps = n_steps;
  born.end = (size_t)record->births.n;
  said.end = record->held.n_held;
  return ddr_parts_add(&record->born, &born) && ddr_parts_add(&record->said, &said);
}

static ddr_strand_run own_slots(const ddr_world *world) {
  if (!ddr_is_shared_out(world)) return (ddr_strand_run){0, world->store->strands.n_slots};
  return ddr_share_of(world->store, ddr_own_rank(world));
}

static bool runs_here(const ddr_world *world, const Chunk *chunk, int64_t slot) {
  return is_of_part(chunk, slot) && world->store->strands.status[slot] <= DDR_NEW;
}

/* Runs strands one at a time. */
static void visit_one_by_one(ddr_world *world, const Phase *phase, ddr_block *block,
                             const Chunk *chunk) {
  for (int64_t place = chunk->begin; place < chunk->end; place++) {
    look_ahead(world, chunk, place + LOOK_AHEAD);
    const int64_t slot = slot_at(chunk->index, place);
    if (!runs_here(world, chunk, slot) || visit_slot(world, phase, block, slot)) continue;
    ddr_error(world, "out of memory for the results of strands");
    return;
  }
}

/* Finds the slots of up to TOGETHER strands that run here, at the next places; returns their
 * number.  No branch depends on the slot: if strands of others lie between own ones, processors
 * cannot predict it.  The status of another worker's strand is not read: it may be changing. */
static int64_t take_slots(const ddr_world *world, const Chunk *chunk, int64_t *place,
                          uint32_t slots[]) {
  const uint8_t *status = world->store->strands.status;
  int64_t n = 0, own; /* the last one of the part at these places */
  while (*place < chunk->end && !is_of_part(chunk, slot_at(chunk->index, *place))) ++*place;
  if (*place == chunk->end) return 0;
  own = slot_at(chunk->index, *place);
  for (; n < TOGETHER && *place < chunk->end; ++*place) {
    const int64_t slot = slot_at(chunk->index, *place);
    const bool is_own = is_of_part(chunk, slot);
    own = is_own ? slot : own;
    prefetch_state(world, own);
    slots[n] = (uint32_t)own;
    n += is_own & (status[own] <= DDR_NEW);
  }
  return n;
}

/* Runs several strands at a time, if the program itself records whose births are whose. */
static void visit_together(ddr_world *world, const Phase *phase, ddr_block *block,
                           const Chunk *chunk) {
  uint32_t slots[TOGETHER], n_steps;
  block->slots = slots;
  block->begin = 0;
  for (int64_t place = chunk->begin; place < chunk->end;) {
    block->end = take_slots(world, chunk, &place, slots);
    n_steps = phase->phase(world, block, 1);
    if (n_steps > block->visit->record->n_steps) block->visit->record->n_steps = n_steps;
  }
  block->slots = NULL;
}

static void visit_chunk(ddr_worker *worker, void *data, int64_t number) {
  const Phase *phase = data;
  ddr_world *world = worker->threads->world;
  ddr_record *record = &world->store->records[number];
  record->n_steps = 0;
  const ddr_index *index = ddr_any_errors(world) ? NULL : ddr_index_of(worker);
  if (!index) return;
  record->held.world = world;
  record->held.ticket = -1; /* has no turn: text is kept until the end */
  ddr_visit own = {.worker = worker, .record = record};
  ddr_block block = ddr_block_for(&own, number);
  block.text = &record->held;
  const Chunk chunk = chunk_of(world, phase, index, number);
  if (world->program->takes_slots) visit_together(world, phase, &block, &chunk);
  else visit_one_by_one(world, phase, &block, &chunk);
  ddr_fault_take(world, block.text);
  ddr_visit_end(&own);
}

/* With sequences, `before` must not be overwritten until its buffers have another owner
 * (population.c). */
static bool is_published_here(const ddr_world *world) {
  const ddr_program *program = world->program;
  return program->is_dual && !program->keep_strands && !ddr_is_shared_out(world);
}

/* Counts a block again: many visits have changed statuses in it. */
static void count_again(ddr_worker *worker, void *data, int64_t number) {
  (void)data;
  const ddr_world *world = worker->threads->world;
  ddr_store *store = world->store;
  if (store->records[number].n_running > 0) {
    store->records[number].is_stale |= !world->program->shares_fixed;
    ddr_block_count(store, number);
  }
  if (is_published_here(world)) ddr_block_publish(world, number);
}

/* Prints a part, in the order of slots; with several ranks appends it to one text of this rank. */
static bool say(const ddr_world *world, const ddr_part *part, ddr_text *own) {
  const ddr_text *held = &world->store->records[part->record].held;
  if (!ddr_is_shared_out(world)) return ddr_text_print(held, part->begin, part->end);
  ddr_text_append(own, held->chars + part->begin, part->end - part->begin);
  return !own->is_short;
}

static void print_parts(ddr_world *world) {
  const ddr_store *store = world->store;
  ddr_text own = {.world = world};
  ddr_parts said;
  ddr_parts_collect(world, PARTS_SAID, &said);
  bool is_good = true;
  for (int64_t k = 0; k < said.n && is_good; k++) is_good = say(world, &said.part[k], &own);
  if (own.is_short) ddr_error(world, "out of memory for what strands print");
  ddr_parts_clear(&said);
  for (int64_t k = 0; k < store->n_blocks; k++) {
    ddr_text_clear(&store->records[k].held);
    ddr_parts_clear(&store->records[k].said);
  }
  own.n_held = own.len;
  if (own.len > 0)
    store->records[ddr_share_of(store, ddr_own_rank(world)).first / store->block_len].held = own;
}

/* Each part is run by the same number of workers.  An item needs a record, and there is one per
 * block. */
static Phase phase_of(const ddr_world *world, ddr_phase *phase) {
  const int64_t n_blocks = world->store->n_blocks, n_workers = world->workers->threads->n_workers;
  int64_t n_parts = n_blocks < MOST_SLOT_PARTS ? n_blocks : MOST_SLOT_PARTS;
  while (n_workers % n_parts != 0) n_parts--;
  return (Phase){phase, own_slots(world), n_parts, n_blocks / n_parts};
}

uint32_t ddr_sched_places(ddr_world *world, ddr_phase *phase) {
  Phase data = phase_of(world, phase);
  ddr_thread_pool *threads = world->workers->threads;
  const int64_t n_blocks = world->store->n_blocks, n_items = data.n_parts * data.n_chunks;
  ddr_phase_begin_together(world);
  for (int64_t k = n_items; k < n_blocks; k++) world->store->records[k].n_steps = 0;
  const ddr_job visits = {
      .task = visit_chunk, .data = &data, .n_items = n_items, .is_at_home = true};
  const ddr_job counts = {.task = count_again, .n_items = n_blocks, .is_at_home = true};
  ddr_sched_run(threads, &visits);
  ddr_sched_run(threads, &counts);
  print_parts(world);
  ddr_phase_end_together(world, false);
  ddr_fault_report(world);
  if (world->follower.call) world->follower.call(world->follower.data);
  return ddr_most_steps(world->store);
}
