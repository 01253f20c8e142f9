/* partial_index.c: with several ranks, each makes an index of the strands that queries of its own
 * strands may find.
 *
 * The radius of a query is known only when it is made.  Usually it is that of the previous
 * superstep, and the index has all strands within that distance of own strands.  A query with a
 * larger radius waits for a larger index, for which other ranks send the missing rows
 * (strands/halo.h).  So results of queries do not depend on the prediction. Read next: index.c,
 * query.c.
 */
#include <math.h>
#include <stdlib.h>

#include "local.h"
#include "runtime/src/strands/phases.h"
#include "runtime/src/strands/shares.h"

/* Builds until a part is tried again, after one that had most of all points. */
enum { OTHERS = 15 };

/* --- the region ------------------------------------------------------------------------------- */

/* Chooses the part where every rank has all positions; the part only saves time. */
static void choose_of_all(const ddr_world *world, ddr_index *index, bool is_known) {
  if (index->n_not_tried > 0) {
    index->n_not_tried--;
    index->is_watched = index->n_not_tried == 0; /* else it is not needed */
    return;
  }
  const ddr_survey survey = ddr_survey_own(world, false);
  index->here = (ddr_asked){.region = ddr_region_grown(survey.running, ddr_take_reach(world))};
  free(survey.chunks);
  index->is_part = is_known;
}

void ddr_part_choose(ddr_world *world, ddr_index *index) {
  const bool is_known = index->is_watched; /* strands have run since then */
  const ddr_halo *halo = ddr_has_halo(world) ? world->store->halo : NULL;
  index->is_watched = ddr_is_shared_out(world) && ddr_shares_are_in_order(world->store);
  index->is_part = false;
  index->wanted = ddr_region_none();
  index->reach_wanted = 0;
  if (!index->is_watched) return;
  if (!halo) {
    choose_of_all(world, index, is_known);
    return;
  }
  index->is_part = !halo->is_whole;
  index->is_watched = halo->n_uncut == 0;
  index->here = halo->here;
}

/* --- its points ------------------------------------------------------------------------------- */

/* Reads rows from `src` on, for the slots of a run; each point is written after the last one kept,
 * and is kept if it is in the region. */
#define TRY_POINTS(real)                                                                           \
  static void try_points_##real(ddr_index *index, const char *src, size_t size,                    \
                                ddr_strand_run run) {                                              \
    const ddr_region region = index->here.region;                                                  \
    const int dim = index->dim;                                                                    \
    uint32_t n = index->n_points, *slots = index->read.slots;                                      \
    real *column[MOST_DIM] = {0};                                                                  \
    for (int k = 0; k < dim; k++) column[k] = index->read.place[k];                                \
    for (int64_t at = 0; at < run.count; at++, src += size) {                                      \
      bool is_in = true;                                                                           \
      for (int k = 0; k < dim; k++) {                                                              \
        real x;                                                                                    \
        memcpy(&x, src + (size_t)k * sizeof x, sizeof x);                                          \
        column[k][n] = x;                                                                          \
        is_in &= ((double)x >= region.lo[k]) & ((double)x <= region.hi[k]) & (x - x == 0);         \
      }                                                                                            \
      slots[n] = (uint32_t)(run.first + at);                                                       \
      n += is_in;                                                                                  \
    }                                                                                              \
    index->n_points = n;                                                                           \
  }
TRY_POINTS(float)
TRY_POINTS(double)
#undef TRY_POINTS

static bool is_nowhere(const ddr_index *index, const char *pos) {
  bool is_finite = true;
  for (int k = 0; k < index->dim; k++) is_finite &= isfinite(coordinate(index, pos, k)) != 0;
  return !is_finite;
}

/* Reads the rows that this rank has. */
static void read_rows(const ddr_world *world, ddr_index *index) {
  const ddr_store *store = world->store;
  const int64_t n_slots = store->strands.n_slots;
  const size_t size = ddr_before_size(world->program);
  const char *positions = (const char *)store->strands.before + ddr_before_pos(world->program);
  const bool has_halo = ddr_has_halo(world);
  index->n_points = 0;
  for (ddr_strand_run run = {0, n_slots}; run.first < n_slots; run.first += run.count) {
    if (has_halo) run = ddr_halo_next(store, run.first);
    const char *src = positions + (size_t)run.first * size;
    if (index->is_double) try_points_double(index, src, size, run);
    else try_points_float(index, src, size, run);
  }
}

bool ddr_part_read(const ddr_world *world, ddr_index *index) {
  const ddr_store *store = world->store;
  read_rows(world, index);
  index->is_part = ddr_has_halo(world) || index->n_points <= store->strands.n_slots / 2;
  if (!index->is_part) {
    index->n_not_tried = OTHERS;
    return true;
  }
  const ddr_strand_run run = ddr_share_of(store, ddr_own_rank(world));
  const size_t size = ddr_before_size(world->program);
  const char *pos = (const char *)store->strands.before + ddr_before_pos(world->program);
  for (int64_t slot = run.first; slot < run.first + run.count; slot++) {
    const bool is_there = !is_nowhere(index, pos + (size_t)slot * size);
    if (!is_there && !ddr_index_push_nowhere(index, (uint32_t)slot)) return false;
  }
  return true;
}

/* --- who asks for more ------------------------------------------------------------------------ */

static bool knows(const ddr_index *index, const ddr_region *box) {
  return !index->is_part || ddr_asked_covers(&index->here, box, index->dim);
}

/* A larger index that covers the box; NULL: there is none yet. */
static const ddr_index *find_wider(ddr_index *index, const ddr_region *box, double reach) {
  pthread_mutex_lock(&index->lock);
  const ddr_index *wider = index->wider && knows(index->wider, box) ? index->wider : NULL;
  if (!wider) index->wanted = ddr_region_join(index->wanted, *box);
  if (reach > index->reach_wanted) index->reach_wanted = reach;
  pthread_mutex_unlock(&index->lock);
  return wider;
}

/* Run by worker 0: makes an index for all boxes requested so far. */
static void make_wider(void *data) {
  ddr_world *world = data;
  ddr_index *index = world->index;
  pthread_mutex_lock(&index->lock);
  const ddr_region wanted = index->wanted;
  const double reach = index->reach_wanted;
  const bool is_made = index->wider && knows(index->wider, &wanted);
  pthread_mutex_unlock(&index->lock);
  if (is_made) return;
  const bool has_halo = ddr_has_halo(world);
  if (has_halo) ddr_phase_widen(world, &wanted, reach);
  ddr_index *wider = calloc(1, sizeof *wider);
  if (!wider) return;
  wider->is_part = has_halo;
  if (has_halo) wider->here = world->store->halo->here;
  if (!ddr_index_build(world, wider, ddr_sched_alone)) {
    ddr_index_free_spaces(wider);
    return;
  }
  pthread_mutex_lock(&index->lock);
  wider->wider = index->wider;
  index->wider = wider;
  pthread_mutex_unlock(&index->lock);
}

/* The position of a strand, as reals.  If its state is stored later, the state still has the
 * position, and it is in the cache. */
static const char *position_of(const ddr_world *world, int64_t slot, bool is_stored_later) {
  const ddr_program *program = world->program;
  const ddr_strands *strands = &world->store->strands;
  if (is_stored_later)
    return (const char *)strands->state + (size_t)slot * program->state_size + program->pos_offset;
  return (const char *)strands->before + (size_t)slot * ddr_before_size(program) +
         ddr_before_pos(program);
}

/* How far the query extends from the strand's position at the beginning of the superstep, where
 * most queries are centred. fmax is avoided: it is a call. */
static double reach_of(const ddr_index *index, const char *pos, const Question *asked) {
  const size_t real_size = index->is_double ? sizeof(double) : sizeof(float);
  double reach = asked->radius;
  if (ddr_same_words(pos, asked->centre, (size_t)index->dim * real_size)) return reach;
  if (is_nowhere(index, pos)) return reach;
  for (int k = 0; k < index->dim; k++) {
    const double x = coordinate(index, pos, k);
    const double below = x - asked->box.lo[k], above = asked->box.hi[k] - x;
    const double most = below > above ? below : above;
    reach = most > reach ? most : reach;
  }
  return reach;
}

bool ddr_part_covers(ddr_worker *worker, const Question *asked) {
  const ddr_world *world = worker->threads->world;
  const char *pos = position_of(world, asked->slot, asked->is_stored_later);
  const double reach = reach_of(world->index, pos, asked);
  if (reach > worker->scratch.reach) worker->scratch.reach = reach;
  return knows(world->index, &asked->box);
}

const ddr_index *ddr_part_for(ddr_worker *worker, const Question *asked) {
  ddr_world *world = worker->threads->world;
  if (ddr_part_covers(worker, asked)) return world->index;
  const ddr_index *wider = find_wider(world->index, &asked->box, worker->scratch.reach);
  if (wider) return wider;
  ddr_ask_first(worker, make_wider, world);
  return find_wider(world->index, &asked->box, 0);
}
