/* exchange.c: publishes what strands read of each other when a superstep ends.
 *
 * In a superstep a strand reads only `before` of other strands, and writes only its own state.
 * Then each rank publishes the changed blocks of its share, and `before` is complete on all ranks,
 * or, with queries, as far as these reach (halo.h).  A process alone copies its own blocks, if
 * possible while strands run.
 * Read next: Note [The second column].
 */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "halo.h"
#include "phases.h"
#include "shares.h"

/* Whether bytes differ, of which there are some reals: too few for a call of memcmp. */
static bool differ(const char *a, const char *b, size_t n_bytes) {
  uint32_t difference = 0;
  for (size_t at = 0; at < n_bytes; at += sizeof difference) {
    uint32_t of_a, of_b;
    memcpy(&of_a, a + at, sizeof of_a);
    memcpy(&of_b, b + at, sizeof of_b);
    difference |= of_a ^ of_b;
  }
  return difference != 0;
}

/* A position has moved if its bytes have changed, so a NaN does not move in every superstep. */
static bool has_moved(const ddr_world *world, int64_t begin, int64_t end) {
  const ddr_program *program = world->program;
  const size_t n_bytes = (size_t)program->pos_dim * program->real_size;
  const size_t state_size = program->state_size, before_size = ddr_before_size(program);
  const char *now = (const char *)world->store->strands.state + program->pos_offset;
  const char *before = (const char *)world->store->before + ddr_before_pos(program);
  for (int64_t slot = begin; n_bytes > 0 && slot < end; slot++) {
    const size_t k = (size_t)slot;
    if (differ(now + k * state_size, before + k * before_size, n_bytes)) return true;
  }
  return false;
}

static void copy_states(const ddr_world *world, int64_t begin, int64_t end, void *column) {
  const ddr_program *program = world->program;
  const int64_t width = program->state_width;
  const size_t at = (size_t)(begin / width) * program->state_size;
  const size_t n_bytes = (size_t)((end - begin + width - 1) / width) * program->state_size;
  memcpy((char *)column + at, (const char *)world->store->strands.state + at, n_bytes);
}

static void write_rows(const ddr_world *world, int64_t begin, int64_t end, void *column) {
  const ddr_program *program = world->program;
  if (program->share) program->share(&world->store->strands, begin, end, column);
  else copy_states(world, begin, end, column);
}

static void compare_block(ddr_worker *worker, void *data, int64_t number) {
  (void)worker;
  const ddr_world *world = data;
  const ddr_store *store = world->store;
  ddr_record *record = &store->records[number];
  record->has_moved =
      record->is_stale && !store->news.has_moved && ddr_is_own_block(world, number) &&
      has_moved(world, ddr_block_begin(store, number), ddr_block_end(store, number));
}

ddr_news ddr_exchange_foresee(ddr_world *world) {
  const ddr_store *store = world->store;
  ddr_news news = {false, false};
  if (!world->program->is_dual) return news;
  const ddr_job job = {
      .task = compare_block, .data = world, .n_items = store->n_blocks, .is_at_home = true};
  ddr_sched_run(world->workers->threads, &job);
  for (int64_t k = 0; k < store->n_blocks; k++) {
    news.is_stale |= store->records[k].is_stale;
    news.has_moved |= store->records[k].has_moved;
  }
  return news;
}

/* A rank does not write rows that it does not have; padding between variables is sent, too. */
static void clear_rows(const ddr_world *world, int64_t begin, int64_t end) {
  const size_t size = ddr_before_size(world->program);
  memset((char *)world->store->before + (size_t)begin * size, 0, (size_t)(end - begin) * size);
}

void ddr_block_publish(const ddr_world *world, int64_t number) {
  const ddr_store *store = world->store;
  ddr_record *record = &store->records[number];
  record->has_moved = false;
  if (!record->is_stale) return;
  record->is_stale = false;
  if (!ddr_is_own_block(world, number)) return;
  const int64_t begin = ddr_block_begin(store, number), end = ddr_block_end(store, number);
  if (!ddr_is_shared_out(world)) record->has_moved = has_moved(world, begin, end);
  else if (world->program->share) clear_rows(world, begin, end);
  write_rows(world, begin, end, store->before);
  record->is_behind = true;
}

static void publish_block(ddr_worker *worker, void *data, int64_t number) {
  (void)worker;
  ddr_block_publish(data, number);
}

void ddr_block_publish_next(const ddr_world *world, int64_t number) {
  const ddr_store *store = world->store;
  ddr_record *record = &store->records[number];
  if (!store->next) return;
  const bool is_stale = record->is_stale;
  const int64_t begin = ddr_block_begin(store, number), end = ddr_block_end(store, number);
  record->has_moved = is_stale && has_moved(world, begin, end);
  if (is_stale || record->is_behind) write_rows(world, begin, end, store->next);
  record->is_behind = is_stale;
  record->is_stale = false;
}

/* Whether any position has changed on any rank, which all ranks know since the phase ended. */
static bool exchange_with_others(ddr_world *world) {
  const ddr_news news = world->store->news;
  if (news.is_stale && ddr_has_halo(world)) ddr_halo_exchange(world);
  else if (news.is_stale)
    ddr_shares_complete(world, world->store->before, ddr_before_size(world->program));
  if (news.is_stale) ddr_device_rows_came(world);
  return news.has_moved;
}

/* What visits have published is read from now on. */
static void turn_columns(ddr_store *store) {
  void *next = store->next;
  store->next = store->before;
  store->before = next;
  store->strands.before = next;
}

/* Publishes the blocks that visits have not published. */
static void publish_blocks(ddr_world *world) {
  const ddr_store *store = world->store;
  bool any_stale = false;
  for (int64_t k = 0; k < store->n_blocks; k++) any_stale |= store->records[k].is_stale;
  const ddr_job job = {
      .task = publish_block, .data = world, .n_items = store->n_blocks, .is_at_home = true};
  if (any_stale) ddr_sched_run(world->workers->threads, &job);
}

void ddr_strands_exchange(ddr_world *world) {
  ddr_store *store = world->store;
  bool has_moved = false;
  if (store->is_next_whole) turn_columns(store);
  else publish_blocks(world);
  store->is_next_whole = false;
  for (int64_t k = 0; k < store->n_blocks; k++) {
    has_moved |= store->records[k].has_moved;
    /* A block that is not published again has not moved again. */
    store->records[k].has_moved = false;
  }
  if (ddr_is_shared_out(world)) has_moved = exchange_with_others(world);
  store->news = (ddr_news){false, false};
  store->version_of_places += has_moved;
}

/* Note [The second column].  Blocks that ran are copied from `state` to `before`, which holds only
 * what strands read of each other, packed, since such programs spend their time reading neighbours.
 * Two columns that swap would save the copy, but each strand would then read its own variables in
 * one place and write them in another, strands that just became stable would have to be copied one
 * superstep later, and a program with sequences would hold all states twice, with alternating
 * owners.  The copy takes 3 to 6 percent of the time where strands do next to nothing (a lattice
 * whose cells add up eight neighbours), and less than one percent where particles move.
 *
 * As a phase of its own, the copy is a job that all workers begin and end together, and its cache
 * lines must first return from the workers that have read them: of supersteps of 70 us, two workers
 * lost 5 us.  So small columns have a third one, `next`: a visit ends by copying its block there
 * while others still read `before`, and then the two swap.  What was copied is missing in the other
 * column until the next superstep (`is_behind`).  Where strands run in spatial order a block is
 * complete only when all visits have ended: it is copied to `before` when it is counted. */
