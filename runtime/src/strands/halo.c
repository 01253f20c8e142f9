/* halo.c: whose strands may ask for which rows.
 *
 * All ranks know each other's regions, and the boxes around all their strands, so that two of which
 * neither needs anything of the other send each other nothing.  They tell them in floats, rounded
 * outwards, and go by what was told.
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
  return ddr_is_shared_out(world) && program->is_dual && program->pos_dim > 0 &&
         ddr_shares_are_in_order(world->store);
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

static const ddr_region none = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/* Where a strand is; false: nowhere. */
static bool find_position(const ddr_world *world, int64_t slot, double pos[]) {
  const ddr_program *program = world->program;
  const char *at = (const char *)world->store->strands.before + ddr_before_pos(program) +
                   (size_t)slot * ddr_before_size(program);
  bool is_finite = true;
  for (int k = 0; k < (int)program->pos_dim; k++, at += program->real_size) {
    float single;
    if (program->real_size == sizeof single) {
      memcpy(&single, at, sizeof single);
      pos[k] = (double)single;
    } else {
      memcpy(&pos[k], at, sizeof pos[k]);
    }
    is_finite &= isfinite(pos[k]) != 0;
  }
  return is_finite;
}

ddr_region ddr_region_of_own(const ddr_world *world, ddr_region_of which) {
  const ddr_strand_run run = ddr_share_of(world->store, ddr_own_rank(world));
  const int dim = (int)world->program->pos_dim;
  ddr_region region = none;
  for (int64_t slot = run.first; slot < run.first + run.count; slot++) {
    double pos[DDR_MOST_DIM];
    if (which == REGION_OF_RUNNING && world->store->strands.status[slot] > DDR_NEW) continue;
    if (!find_position(world, slot, pos)) continue;
    for (int k = 0; k < dim; k++) {
      region.lo[k] = fmin(region.lo[k], pos[k]);
      region.hi[k] = fmax(region.hi[k], pos[k]);
    }
  }
  return region;
}

double ddr_take_reach(const ddr_world *world) {
  const ddr_thread_pool *threads = world->workers->threads;
  double reach = 0;
  for (uint32_t k = 0; k < threads->n_workers; k++) {
    reach = fmax(reach, threads->workers[k].scratch.reach);
    threads->workers[k].scratch.reach = 0;
  }
  return reach;
}

ddr_region ddr_region_grown(ddr_region region, double reach) {
  if (ddr_region_is_none(&region)) return region;
  for (int k = 0; k < DDR_MOST_DIM; k++) {
    region.lo[k] -= reach;
    region.hi[k] += reach;
  }
  return region;
}

static bool all_need_all(const ddr_world *world, const ddr_halo *halo) {
  const int n_ranks = ddr_n_ranks(world), dim = (int)world->program->pos_dim;
  for (int r = 0; r < n_ranks; r++) {
    for (int s = 0; s < n_ranks; s++)
      if (!ddr_region_covers(&halo->peers[r].region, &halo->peers[s].box, dim)) return false;
    if (ddr_region_is_none(&halo->peers[r].region)) return false;
  }
  return true;
}

/* --- telling them ----------------------------------------------------------------------------- */

typedef struct Told {
  float box_lo[DDR_MOST_DIM], box_hi[DDR_MOST_DIM], lo[DDR_MOST_DIM], hi[DDR_MOST_DIM];
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

/* Whose region is another than before asks for rows. */
static void tell_regions(ddr_world *world, const ddr_region *box, const ddr_region *region) {
  const ddr_rank_engine *engine = world->ranks->engine;
  ddr_halo *halo = world->store->halo;
  Told own, *all = ddr_ranks_memory(world, calloc((size_t)engine->n_ranks, sizeof *all));
  write_region(box, own.box_lo, own.box_hi);
  write_region(region, own.lo, own.hi);
  engine->share(engine->link, &own, sizeof own, all);
  for (int r = 0; r < engine->n_ranks; r++) {
    ddr_peer *peer = &halo->peers[r];
    peer->box = read_region(all[r].box_lo, all[r].box_hi);
    peer->last = peer->region;
    peer->region = read_region(all[r].lo, all[r].hi);
    peer->is_asking = memcmp(&peer->region, &peer->last, sizeof peer->last) != 0;
  }
  halo->region = halo->peers[engine->rank].region;
  free(all);
}

/* --- whose rows are here ---------------------------------------------------------------------- */

int64_t ddr_halo_next(const ddr_store *store, int64_t slot) {
  const ddr_halo *halo = store->halo;
  int64_t word = slot / 64;
  if (word >= halo->n_words) return store->strands.n_slots;
  uint64_t bits = halo->is_here[word] >> (slot % 64) << (slot % 64);
  while (bits == 0 && ++word < halo->n_words) bits = halo->is_here[word];
  return bits == 0 ? store->strands.n_slots : word * 64 + __builtin_ctzll(bits);
}

static void begin_rows(ddr_world *world) {
  ddr_halo *halo = world->store->halo;
  const ddr_strand_run own = ddr_share_of(world->store, ddr_own_rank(world));
  halo->n_words = (world->store->strands.n_slots + 63) / 64;
  free(halo->is_here);
  halo->is_here = ddr_ranks_memory(world, calloc((size_t)halo->n_words + 1, sizeof *halo->is_here));
  for (int64_t slot = own.first; slot < own.first + own.count; slot++)
    halo->is_here[slot / 64] |= UINT64_C(1) << (slot % 64);
  for (int r = 0; r < ddr_n_ranks(world); r++) {
    halo->peers[r].region = none;
    ddr_rows_forget(&halo->peers[r].sent);
    ddr_rows_forget(&halo->peers[r].got);
  }
}

/* --- choosing --------------------------------------------------------------------------------- */

/* As far as strands asked in the superstep that ends; a little further if that grew. */
static void choose_reach(const ddr_world *world, ddr_halo *halo) {
  const double asked = ddr_take_reach(world), most_slack = 1, first_slack = 1.0 / 16;
  if (asked > 0) halo->asked = asked;
  if (halo->was_short) halo->slack = fmin(most_slack, fmax(first_slack, 2 * halo->slack));
  else halo->slack = halo->slack < first_slack / 16 ? 0 : halo->slack * 31 / 32;
  halo->was_short = false;
  halo->reach = halo->asked * (1 + halo->slack);
}

static void choose(ddr_world *world) {
  ddr_halo *halo = halo_of(world);
  const ddr_region box = ddr_region_of_own(world, REGION_OF_ALL);
  choose_reach(world, halo);
  halo->own = ddr_region_of_own(world, REGION_OF_RUNNING);
  begin_rows(world);
  const ddr_region region = ddr_region_grown(halo->own, halo->reach);
  tell_regions(world, &box, &region);
  halo->is_whole = all_need_all(world, halo);
}

void ddr_halo_exchange(ddr_world *world) {
  ddr_store *store = world->store;
  const bool is_known = store->halo && !store->news.has_moved; /* shares are the same, too */
  if (!is_known) choose(world);
  if (store->halo->is_whole)
    ddr_shares_complete(world, store->before, ddr_before_size(world->program));
  else if (is_known) ddr_rows_repeat(world);
  else ddr_rows_send(world);
}

/* At least twice as far as last time, so that this is seldom. */
static ddr_region widened(ddr_halo *halo, const ddr_region *wanted, int dim) {
  const bool is_none = ddr_region_is_none(&halo->own);
  double reach = 2 * halo->reach;
  for (int k = 0; k < dim && !is_none; k++)
    reach = fmax(reach, fmax(halo->own.lo[k] - wanted->lo[k], wanted->hi[k] - halo->own.hi[k]));
  halo->was_short = halo->reach > 0;
  halo->reach = reach;
  ddr_region region = ddr_region_grown(halo->own, reach);
  for (int k = 0; k < dim; k++) {
    region.lo[k] = fmin(halo->region.lo[k], fmin(region.lo[k], wanted->lo[k]));
    region.hi[k] = fmax(halo->region.hi[k], fmax(region.hi[k], wanted->hi[k]));
  }
  return region;
}

void ddr_halo_widen(ddr_world *world, const ddr_region *wanted) {
  ddr_halo *halo = world->store->halo;
  const ddr_region box = halo->peers[ddr_own_rank(world)].box;
  const ddr_region region =
      wanted ? widened(halo, wanted, (int)world->program->pos_dim) : halo->region;
  tell_regions(world, &box, &region);
  ddr_rows_send(world);
}
