/* places.c: one superstep in the order of places: strands that are near each other run one after
 * the other, so that what one query read is still in the cache for the next.
 *
 * Nobody can tell: strands read `before` only, and what has an order (births, prints) is noted with
 * its slot and put in order at the end.  A record then stands for as many places of the index as a
 * block has slots.
 * Read next: blocks.c (the phase in the order of ranks), cells.h.
 */
#include <stdlib.h>

#include "index.h"

#if defined(DDR_SMALL_SIZES)
enum { FEW_STRANDS = 16, FIRST_PARTS = 1, LOOK_AHEAD = 2 };
#else
enum { FEW_STRANDS = 4096, FIRST_PARTS = 16, LOOK_AHEAD = 8 };
#endif

bool ddr_places_known(const ddr_world *world) {
  return world->index && world->index->is_current && world->strands.n_slots >= FEW_STRANDS;
}

/* --- parts of a record ------------------------------------------------------------------------ */

static bool parts_add(ddr_parts *parts, const ddr_part *part) {
  if (part->begin == part->end) return true;
  if (parts->n == parts->capacity) {
    const int64_t capacity = parts->capacity > 0 ? 2 * parts->capacity : FIRST_PARTS;
    ddr_part *grown = realloc(parts->part, (size_t)capacity * sizeof *grown);
    if (!grown) return false;
    parts->part = grown;
    parts->capacity = capacity;
  }
  parts->part[parts->n++] = *part;
  return true;
}

void ddr_parts_clear(ddr_parts *parts) {
  free(parts->part);
  *parts = (ddr_parts){0};
}

static int compare_slots(const void *left, const void *right) {
  const ddr_part *a = left, *b = right;
  return (a->slot > b->slot) - (a->slot < b->slot);
}

static const ddr_parts *parts_of(const ddr_record *record, ddr_part_kind kind) {
  return kind == PARTS_BORN ? &record->born : &record->said;
}

ddr_status ddr_parts_collect(ddr_world *world, ddr_part_kind kind, ddr_parts *all) {
  *all = (ddr_parts){0};
  int64_t n = 0;
  for (int64_t k = 0; k < world->n_blocks; k++) n += parts_of(&world->records[k], kind)->n;
  if (n == 0) return DDR_OK;
  all->part = malloc((size_t)n * sizeof *all->part);
  if (!all->part) return ddr_error(world, "out of memory for what %lld strands made", (long long)n);
  all->capacity = n;
  for (int64_t k = 0; k < world->n_blocks; k++) {
    const ddr_parts *parts = parts_of(&world->records[k], kind);
    for (int64_t at = 0; at < parts->n; at++) {
      all->part[all->n] = parts->part[at];
      all->part[all->n++].record = k;
    }
  }
  qsort(all->part, (size_t)all->n, sizeof *all->part, compare_slots);
  return DDR_OK;
}

/* --- visits ----------------------------------------------------------------------------------- */

static int64_t slot_at(const ddr_index *index, int64_t place) {
  if (place < index->n_points) return slot_of(index, point_at(index, (uint32_t)place));
  return index->nowhere[place - index->n_points];
}

static void look_ahead(const ddr_world *world, int64_t place, int64_t end) {
  if (place >= end) return;
  const size_t at = (size_t)slot_at(world->index, place) * world->program->state_size;
#if defined(__GNUC__)
  __builtin_prefetch((const char *)world->strands.state + at);
#else
  (void)at;
#endif
}

typedef struct {
  ddr_phase *phase;
} Phase;

/* One strand; false when it is not known any more what it made. */
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
  return parts_add(&record->born, &born) && parts_add(&record->said, &said);
}

static void visit_places(ddr_worker *worker, void *data, int64_t number) {
  ddr_world *world = worker->team->world;
  ddr_record *record = &world->records[number];
  record->n_steps = 0;
  if (ddr_any_errors(world)) return;
  record->held.world = world;
  record->held.ticket = -1; /* its turn never comes */
  ddr_visit own = {.worker = worker, .record = record};
  ddr_block block = ddr_block_for(&own, number);
  block.text = &record->held;
  const int64_t begin = block.begin, end = block.end;
  for (int64_t place = begin; place < end; place++) {
    look_ahead(world, place + LOOK_AHEAD, end);
    const int64_t slot = slot_at(world->index, place);
    if (world->strands.status[slot] > DDR_NEW) continue;
    if (visit_slot(world, data, &block, slot)) continue;
    ddr_error(world, "out of memory for what strands made");
    break;
  }
  ddr_fault_take(world, block.text);
  ddr_visit_end(&own);
}

/* The status bytes of a block were written by many visits. */
static void count_again(ddr_worker *worker, void *data, int64_t number) {
  (void)data;
  ddr_world *world = worker->team->world;
  if (world->records[number].n_running == 0) return;
  world->records[number].is_stale = true;
  ddr_block_count(world, number);
}

static void print_parts(ddr_world *world) {
  ddr_parts said;
  ddr_parts_collect(world, PARTS_SAID, &said);
  bool is_good = true;
  for (int64_t k = 0; k < said.n && is_good; k++) {
    const ddr_part *part = &said.part[k];
    is_good = ddr_text_print(&world->records[part->record].held, part->begin, part->end);
  }
  ddr_parts_clear(&said);
  for (int64_t k = 0; k < world->n_blocks; k++) {
    ddr_text_clear(&world->records[k].held);
    ddr_parts_clear(&world->records[k].said);
  }
}

uint32_t ddr_sched_places(ddr_world *world, ddr_phase *phase) {
  Phase data = {.phase = phase};
  const ddr_job visits = {.task = visit_places, .data = &data, .n_items = world->n_blocks};
  const ddr_job counts = {.task = count_again, .n_items = world->n_blocks};
  ddr_sched_run(world->team, &visits);
  ddr_sched_run(world->team, &counts);
  print_parts(world);
  ddr_fault_report(world);
  uint32_t most = 0;
  for (int64_t k = 0; k < world->n_blocks; k++) {
    if (world->records[k].n_steps > most) most = world->records[k].n_steps;
  }
  if (world->follower) world->follower(world->follower_data);
  return most;
}
