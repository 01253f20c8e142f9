/* exchange.c: what strands read of each other is published when a superstep ends.
 *
 * In a superstep a strand reads `before` of others and nothing else of them, and writes its own
 * state alone.  So this is where what one rank has reaches those that read it: each publishes the
 * blocks of its share that changed, and afterwards `before` is whole for all, or, with queries, as
 * far as these reach (halo.h).  Alone, a process copies its own.
 * Read next: Note [The second column].
 */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "halo.h"
#include "phases.h"
#include "shares.h"

/* A moved position is one whose bytes changed, so that NaN does not move for ever. */
static bool has_moved(const ddr_world *world, int64_t begin, int64_t end) {
  const ddr_program *program = world->program;
  const size_t n_bytes = (size_t)program->pos_dim * program->real_size;
  const char *now = (const char *)world->store->strands.state + program->pos_offset;
  const char *before = (const char *)world->store->before + ddr_before_pos(program);
  for (int64_t slot = begin; n_bytes > 0 && slot < end; slot++) {
    const size_t k = (size_t)slot;
    const char *last = before + k * ddr_before_size(program);
    if (memcmp(now + k * program->state_size, last, n_bytes) != 0) return true;
  }
  return false;
}

static void copy_states(const ddr_world *world, int64_t begin, int64_t end) {
  const ddr_program *program = world->program;
  const int64_t width = program->state_width;
  const size_t at = (size_t)(begin / width) * program->state_size;
  const size_t n_bytes = (size_t)((end - begin + width - 1) / width) * program->state_size;
  memcpy((char *)world->store->before + at, (const char *)world->store->strands.state + at,
         n_bytes);
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

/* What a rank has not it does not touch; what lies between variables is sent, too. */
static void clear_rows(const ddr_world *world, int64_t begin, int64_t end) {
  const size_t size = ddr_before_size(world->program);
  memset((char *)world->store->before + (size_t)begin * size, 0, (size_t)(end - begin) * size);
}

static void publish_block(ddr_worker *worker, void *data, int64_t number) {
  (void)worker;
  const ddr_world *world = data;
  const ddr_store *store = world->store;
  ddr_record *record = &store->records[number];
  record->has_moved = false;
  if (!record->is_stale) return;
  if (!ddr_is_own_block(world, number)) {
    record->is_stale = false;
    return;
  }
  const int64_t begin = ddr_block_begin(store, number), end = ddr_block_end(store, number);
  if (!ddr_is_shared_out(world)) record->has_moved = has_moved(world, begin, end);
  if (world->program->share) {
    if (ddr_is_shared_out(world)) clear_rows(world, begin, end);
    world->program->share(&store->strands, begin, end, store->before);
  } else {
    copy_states(world, begin, end);
  }
  record->is_stale = false;
}

/* Whether something moved anywhere, which all have heard of when the phase ended. */
static bool exchange_with_others(ddr_world *world) {
  const ddr_news news = world->store->news;
  if (news.is_stale && ddr_has_halo(world)) ddr_halo_exchange(world);
  else if (news.is_stale)
    ddr_shares_complete(world, world->store->before, ddr_before_size(world->program));
  if (news.is_stale) ddr_device_rows_came(world);
  return news.has_moved;
}

void ddr_strands_exchange(ddr_world *world) {
  ddr_store *store = world->store;
  bool has_moved = false;
  const ddr_job job = {
      .task = publish_block, .data = world, .n_items = store->n_blocks, .is_at_home = true};
  ddr_sched_run(world->workers->threads, &job);
  for (int64_t k = 0; k < store->n_blocks; k++) has_moved |= store->records[k].has_moved;
  if (ddr_is_shared_out(world)) has_moved = exchange_with_others(world);
  store->news = (ddr_news){false, false};
  store->version_of_places += has_moved;
}

/* Note [The second column].  `before` is copied from `state` by blocks that ran, and holds only
 * what strands read of each other, packed, since reading neighbours is what such programs do.  Two
 * columns that change roles would save the copy, but each strand would then read its own variables
 * in one place and write them in another, the newly stable would be copied a superstep later, and
 * all states of a program with sequences would be there twice with owners that alternate.  The copy
 * takes 3 to 6 hundredths of the time where strands do next to nothing (a lattice whose cells add
 * up eight neighbours) and less than one where particles move. */
