/* part.c: with several ranks, each makes the index of the strands that its own may ask for.
 *
 * How far strands ask is known when they do.  As a rule they ask as far as in the superstep before,
 * and the index has what lies so far around own strands.  Whoever asks for more makes the index of
 * all strands then, whose positions every rank has.  So what queries give does not depend on what
 * was foreseen.
 * Read next: index.c, query.c; strands/shares.h.
 */
#include <math.h>
#include <stdlib.h>

#include "local.h"
#include "runtime/src/strands/shares.h"

enum { OTHERS = 15 }; /* indices that are made before a part is tried again that was most of all */

/* --- the region ------------------------------------------------------------------------------- */

/* How far was asked since the last look; all workers rest. */
static double take_reach(const ddr_world *world) {
  const ddr_thread_pool *threads = world->workers->threads;
  double reach = 0;
  for (uint32_t k = 0; k < threads->n_workers; k++) {
    reach = fmax(reach, threads->workers[k].scratch.reach);
    threads->workers[k].scratch.reach = 0;
  }
  return reach;
}

static const char *positions_of(const ddr_world *world) {
  return (const char *)world->store->strands.before + ddr_before_pos(world->program);
}

static double position(const ddr_world *world, int64_t slot, int k) {
  const ddr_program *program = world->program;
  const char *at = positions_of(world) + (size_t)slot * ddr_before_size(program) +
                   (size_t)k * program->real_size;
  double wide;
  float single;
  if (program->real_size == sizeof wide) {
    memcpy(&wide, at, sizeof wide);
    return wide;
  }
  memcpy(&single, at, sizeof single);
  return (double)single;
}

/* Around own strands that run and are somewhere; none: the other way round. */
static Region bounds_of(const ddr_world *world, ddr_strand_run run) {
  Region box;
  for (int k = 0; k < MOST_DIM; k++) {
    box.lo[k] = INFINITY;
    box.hi[k] = -INFINITY;
  }
  for (int64_t slot = run.first; slot < run.first + run.count; slot++) {
    if (world->store->strands.status[slot] > DDR_NEW) continue;
    for (int k = 0; k < MOST_DIM && k < (int)world->program->pos_dim; k++) {
      const double x = position(world, slot, k);
      if (!isfinite(x)) continue;
      box.lo[k] = fmin(box.lo[k], x);
      box.hi[k] = fmax(box.hi[k], x);
    }
  }
  return box;
}

void ddr_part_choose(ddr_world *world, ddr_index *index) {
  const bool is_known = index->is_watched; /* strands have run since */
  const double reach = take_reach(world);
  index->is_watched = ddr_is_shared_out(world) && ddr_shares_are_in_order(world->store);
  index->is_part = index->is_watched && is_known && index->n_not_tried == 0;
  if (index->n_not_tried > 0) index->n_not_tried--;
  if (!index->is_watched) return;
  index->own = bounds_of(world, ddr_share_of(world->store, ddr_own_rank(world)));
  for (int k = 0; k < MOST_DIM; k++) {
    index->region.lo[k] = index->own.lo[k] - reach;
    index->region.hi[k] = index->own.hi[k] + reach;
  }
}

/* --- its points ------------------------------------------------------------------------------- */

/* Compared as doubles, which floats are. */
#define READ_PART(real)                                                                            \
  static bool is_in_##real(const Region *region, int dim, const char *src) {                       \
    real x;                                                                                        \
    for (int k = 0; k < dim; k++, src += sizeof x) {                                               \
      memcpy(&x, src, sizeof x);                                                                   \
      if (!((double)x >= region->lo[k] && (double)x <= region->hi[k])) return false;               \
    }                                                                                              \
    return true;                                                                                   \
  }                                                                                                \
  static void read_##real(ddr_index *index, const char *src, size_t size, int64_t n_slots) {       \
    index->n_points = 0;                                                                           \
    for (int64_t slot = 0; slot < n_slots; slot++, src += size) {                                  \
      if (!is_in_##real(&index->region, index->dim, src)) continue;                                \
      char *point = index->points + index->n_points++ * index->stride;                             \
      memcpy(point, src, index->slot_offset);                                                      \
      memcpy(point + index->slot_offset, &(uint32_t){(uint32_t)slot}, sizeof(uint32_t));           \
    }                                                                                              \
  }
READ_PART(float)
READ_PART(double)
#undef READ_PART

static bool is_nowhere(const ddr_world *world, int64_t slot) {
  bool is_finite = true;
  for (int k = 0; k < (int)world->program->pos_dim; k++)
    is_finite &= isfinite(position(world, slot, k)) != 0;
  return !is_finite;
}

bool ddr_part_read(const ddr_world *world, ddr_index *index) {
  const int64_t n_slots = world->store->strands.n_slots;
  const size_t size = ddr_before_size(world->program);
  if (index->is_double) read_double(index, positions_of(world), size, n_slots);
  else read_float(index, positions_of(world), size, n_slots);
  index->is_part = index->n_points <= n_slots / 2;
  if (!index->is_part) {
    index->n_not_tried = OTHERS;
    return true;
  }
  const ddr_strand_run run = ddr_share_of(world->store, ddr_own_rank(world));
  for (int64_t slot = run.first; slot < run.first + run.count; slot++)
    if (is_nowhere(world, slot) && !ddr_index_push_nowhere(index, (uint32_t)slot)) return false;
  return true;
}

/* --- who asks for more ------------------------------------------------------------------------ */

static const ddr_index *whole_of(ddr_world *world, ddr_index *index) {
  pthread_mutex_lock(&index->lock);
  if (!index->whole) index->whole = calloc(1, sizeof *index->whole);
  if (index->whole && !is_current(index->whole, world->store) &&
      !ddr_index_build(world, index->whole, ddr_sched_alone))
    index->whole->version = 0;
  const ddr_index *whole = is_current(index->whole, world->store) ? index->whole : NULL;
  pthread_mutex_unlock(&index->lock);
  return whole;
}

const ddr_index *ddr_part_for(ddr_world *world, ddr_scratch *scratch, const Region *box,
                              double radius) {
  ddr_index *index = world->index;
  bool is_in = true;
  double reach = radius;
  for (int k = 0; k < index->dim; k++) {
    is_in &= box->lo[k] >= index->region.lo[k] && box->hi[k] <= index->region.hi[k];
    reach = fmax(reach, fmax(index->own.lo[k] - box->lo[k], box->hi[k] - index->own.hi[k]));
  }
  if (reach > scratch->reach) scratch->reach = reach;
  return is_in || !index->is_part ? index : whole_of(world, index);
}
