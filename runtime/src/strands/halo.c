/* halo.c: which rows each rank may need from the others.
 *
 * All ranks know each other's regions, and the boxes around all their strands; two ranks that need
 * nothing from each other exchange nothing.  Regions are sent as floats, rounded outwards, and the
 * sender uses the rounded ones, too.
 * Read next: halo.h, rows.c.
 */
#include "halo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "phases.h"
#include "shares.h"

bool ddr_has_halo(const ddr_world *world) {
  const ddr_program *program = world->program;
  return ddr_is_shared_out(world) && !world->ranks->have_devices && program->is_dual &&
         program->pos_dim > 0 && ddr_shares_are_in_order(world->store);
}

static ddr_halo *halo_of(ddr_world *world) {
  ddr_store *store = world->store;
  if (store->halo) return store->halo;
  store->halo = ddr_ranks_memory(world, calloc(1, sizeof *store->halo));
  store->halo->peers =
      ddr_ranks_memory(world, calloc((size_t)ddr_n_ranks(world), sizeof *store->halo->peers));
  return store->halo;
}

void ddr_halo_free(ddr_store *store) {
  if (!store->halo) return;
  for (int r = 0; r < store->shares.n_ranks; r++) {
    ddr_rows_forget(&store->halo->peers[r].sent);
    ddr_rows_forget(&store->halo->peers[r].got);
  }
  free(store->halo->peers);
  free(store->halo->is_here);
  free(store->halo);
}

/* --- regions ---------------------------------------------------------------------------------- */

double ddr_take_reach(const ddr_world *world) {
  const ddr_thread_pool *threads = world->workers->threads;
  double reach = 0;
  for (uint32_t k = 0; k < threads->n_workers; k++) {
    reach = fmax(reach, threads->workers[k].scratch.reach);
    threads->workers[k].scratch.reach = 0;
  }
  return reach;
}

/* --- telling them ----------------------------------------------------------------------------- */

/* The message of one rank to all others. */
typedef struct Told {
  float box_lo[DDR_MOST_DIM], box_hi[DDR_MOST_DIM], lo[DDR_MOST_DIM], hi[DDR_MOST_DIM];
  bool is_asking, has_pieces;
} Told;

static float float_below(double x) {
  const float near = (float)x;
  return (double)near > x ? nextafterf(near, -INFINITY) : near;
}

static void write_region(const ddr_region *region, float lo[], float hi[]) {
  for (int k = 0; k < DDR_MOST_DIM; k++) {
    lo[k] = float_below(region->lo[k]);
    hi[k] = -float_below(-region->hi[k]);
  }
}

static ddr_region read_region(const float lo[], const float hi[]) {
  ddr_region region;
  for (int k = 0; k < DDR_MOST_DIM; k++) {
    region.lo[k] = (double)lo[k];
    region.hi[k] = (double)hi[k];
  }
  return region;
}

/* The region as other ranks will receive it. */
static ddr_region rounded(ddr_region region) {
  float lo[DDR_MOST_DIM], hi[DDR_MOST_DIM];
  write_region(&region, lo, hi);
  return read_region(lo, hi);
}

static void take_told(ddr_peer *peer, const Told *told) {
  peer->box = read_region(told->box_lo, told->box_hi);
  peer->is_asking = told->is_asking;
  if (!told->is_asking) return;
  peer->last = peer->now;
  peer->now.region = read_region(told->lo, told->hi);
  peer->now.has_pieces = told->has_pieces;
}

static void tell_regions(ddr_world *world, const ddr_region *box, bool is_asking) {
  const ddr_rank_engine *engine = world->ranks->engine;
  const ddr_halo *halo = world->store->halo;
  Told own, *all = ddr_ranks_memory(world, calloc((size_t)engine->n_ranks, sizeof *all));
  memset(&own, 0, sizeof own);
  own.is_asking = is_asking;
  own.has_pieces = halo->here.has_pieces;
  write_region(box, own.box_lo, own.box_hi);
  write_region(&halo->here.region, own.lo, own.hi);
  engine->share(engine->link, &own, sizeof own, all);
  for (int r = 0; r < engine->n_ranks; r++) take_told(&halo->peers[r], &all[r]);
  free(all);
}

static bool all_need_all(const ddr_world *world) {
  const ddr_peer *peers = world->store->halo->peers;
  const int n_ranks = ddr_n_ranks(world), dim = (int)world->program->pos_dim;
  for (int r = 0; r < n_ranks; r++) {
    const ddr_asked *asked = &peers[r].now;
    for (int s = 0; s < n_ranks; s++)
      if (!ddr_region_covers(&asked->region, &peers[s].box, dim)) return false;
    if (asked->has_pieces || ddr_region_is_none(&asked->region)) return false;
  }
  return true;
}

/* --- whose rows are here ---------------------------------------------------------------------- */

/* A run ends at the end of its word of `is_here`. */
ddr_strand_run ddr_halo_next(const ddr_store *store, int64_t slot) {
  const ddr_halo *halo = store->halo;
  int64_t word = slot / 64;
  const ddr_strand_run none = {store->strands.n_slots, 0};
  if (word >= halo->n_words) return none;
  uint64_t bits = halo->is_here[word] >> (slot % 64) << (slot % 64);
  while (bits == 0 && ++word < halo->n_words) bits = halo->is_here[word];
  if (bits == 0) return none;
  const int first = __builtin_ctzll(bits);
  const uint64_t rest = bits >> first;
  const int n = rest == UINT64_MAX ? 64 : __builtin_ctzll(~rest);
  return (ddr_strand_run){word * 64 + first, n};
}

void ddr_halo_add(ddr_halo *halo, ddr_strand_run run) {
  for (int64_t slot = run.first, end = slot + run.count; slot < end;) {
    const int64_t left = 64 - slot % 64, n = end - slot < left ? end - slot : left;
    halo->is_here[slot / 64] |= UINT64_MAX >> (64 - n) << (slot % 64);
    slot += n;
  }
}

static void begin_rows(ddr_world *world) {
  ddr_halo *halo = world->store->halo;
  const ddr_strand_run own = ddr_share_of(world->store, ddr_own_rank(world));
  halo->n_words = (world->store->strands.n_slots + 63) / 64;
  free(halo->is_here);
  halo->is_here = ddr_ranks_memory(world, calloc((size_t)halo->n_words + 1, sizeof *halo->is_here));
  ddr_halo_add(halo, own);
  for (int r = 0; r < ddr_n_ranks(world); r++) {
    halo->peers[r].now = (ddr_asked){.region = ddr_region_none()};
    ddr_rows_forget(&halo->peers[r].sent);
    ddr_rows_forget(&halo->peers[r].got);
  }
}

/* --- choosing --------------------------------------------------------------------------------- */

/* The reach of queries in the superstep that ends, with more slack if the last prediction was too
 * small. */
static void choose_reach(const ddr_world *world, ddr_halo *halo) {
  const double asked = ddr_take_reach(world), most_slack = 1, first_slack = 1.0 / 16;
  if (asked > 0) halo->asked = asked;
  if (halo->was_short) halo->slack = fmin(most_slack, fmax(first_slack, 2 * halo->slack));
  else halo->slack = halo->slack < first_slack / 16 ? 0 : halo->slack * 31 / 32;
  halo->was_short = false;
  halo->reach = halo->asked * (1 + halo->slack);
}

/* How far strands will ask is not known before the first superstep.  By this guess, ranks whose
 * strands are mixed begin with all rows. */
static double first_reach(const ddr_survey *survey) {
  double longest = 0;
  for (int k = 0; k < DDR_MOST_DIM; k++)
    longest = fmax(longest, survey->running.hi[k] - survey->running.lo[k]);
  return longest / 16;
}

static double volume_of(const ddr_region *region, int dim) {
  double volume = 1;
  if (ddr_region_is_none(region)) return 0;
  for (int k = 0; k < dim; k++) volume *= region->hi[k] - region->lo[k];
  return volume;
}

/* Extends each piece by the same reach; pieces are used if they cover much less volume. */
static void choose_pieces(const ddr_world *world, ddr_halo *halo, const ddr_survey *survey) {
  const int dim = (int)world->program->pos_dim;
  double sum = 0;
  for (int k = 0; k < DDR_PIECES; k++) {
    const int64_t n = survey->ends[k] - ddr_survey_begin(survey, k);
    const ddr_region piece = ddr_survey_piece(world, survey, k);
    halo->here.pieces[k] = rounded(ddr_region_grown(piece, halo->reach));
    sum += (double)n * volume_of(&halo->here.pieces[k], dim);
  }
  halo->here.has_pieces =
      sum < 0.7 * (double)survey->own.count * volume_of(&halo->here.region, dim);
}

bool ddr_asked_covers(const ddr_asked *here, const ddr_region *box, int dim) {
  if (!ddr_region_covers(&here->region, box, dim)) return false;
  bool is_in = !here->has_pieces;
  for (int k = 0; k < DDR_PIECES && !is_in; k++)
    is_in = ddr_region_covers(&here->pieces[k], box, dim);
  return is_in;
}

/* After a superstep in which every rank needed all rows, so many supersteps exchange all rows
 * without examining positions. */
#if defined(DDR_SMALL_SIZES)
enum { UNCUT = 2 };
#else
enum { UNCUT = 15 };
#endif

static void choose(ddr_world *world) {
  const bool is_first = world->store->halo == NULL;
  ddr_halo *halo = halo_of(world);
  if (halo->n_uncut > 0) {
    halo->n_uncut--;
    return;
  }
  const ddr_survey survey = ddr_survey_own(world, true);
  choose_reach(world, halo);
  if (is_first) halo->reach = first_reach(&survey);
  halo->own = survey.running;
  halo->here.region = rounded(ddr_region_grown(halo->own, halo->reach));
  choose_pieces(world, halo, &survey);
  free(survey.chunks);
  begin_rows(world);
  tell_regions(world, &survey.all, !ddr_region_is_none(&halo->here.region));
  halo->is_whole = all_need_all(world);
  halo->n_uncut = halo->is_whole ? UNCUT : 0;
}

void ddr_halo_exchange(ddr_world *world) {
  ddr_store *store = world->store;
  const bool is_known = store->halo && !store->news.has_moved; /* shares have not changed either */
  if (!is_known) choose(world);
  if (store->halo->is_whole)
    ddr_shares_complete(world, store->before, ddr_before_size(world->program));
  else if (is_known) ddr_rows_repeat(world);
  else ddr_rows_send(world);
}

/* If the region does not cover the box, extends it to at least twice the last reach, and around all
 * strands as far as any query asked, so that this is seldom needed. */
static void widen(ddr_halo *halo, const ddr_region *wanted, double asked, int dim) {
  const bool is_none = ddr_region_is_none(&halo->own);
  halo->was_short = halo->asked > 0;
  halo->here.has_pieces = false;
  if (ddr_region_covers(&halo->here.region, wanted, dim)) return;
  halo->reach = fmax(2 * halo->reach, asked);
  for (int k = 0; k < dim && !is_none; k++) {
    const double below = halo->own.lo[k] - wanted->lo[k], above = wanted->hi[k] - halo->own.hi[k];
    halo->reach = fmax(halo->reach, fmax(below, above));
  }
  const ddr_region region = ddr_region_grown(halo->own, halo->reach);
  halo->here.region = rounded(ddr_region_join(halo->here.region, ddr_region_join(region, *wanted)));
}

void ddr_halo_widen(ddr_world *world, const ddr_region *wanted, double reach) {
  ddr_halo *halo = world->store->halo;
  const ddr_region box = halo->peers[ddr_own_rank(world)].box;
  if (wanted) widen(halo, wanted, reach, (int)world->program->pos_dim);
  tell_regions(world, &box, wanted != NULL);
  ddr_rows_send(world);
}
