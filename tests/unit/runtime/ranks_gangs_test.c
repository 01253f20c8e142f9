/* Gangs that query, divided among ranks: the program searches the cells of what a rank has, if that
 * is all that the lanes may find, and lanes find what single strands find in any case. */
#include <stdlib.h>

#include "ranks_engine.h"
#include "runtime/src/ranks/ranks.h"
#include "swarm_program.h"
#include "tests/unit/test.h"

enum { N = 900, LANES = 2, MOST_HITS = N, N_STEPS = 6, FAR_STEP = 3 };

typedef struct Count {
  _Atomic int n_asked, n_searched; /* gangs */
  _Atomic int n_wrong;             /* lanes */
} Count;

/* --- the loop of the program ------------------------------------------------------------------ */

static _Thread_local Count *now; /* of the superstep of this rank */

/* Searches all points. */
static int64_t search(const ddr_near_grid *grid, const ddr_near_gang *gang, uint32_t *hits,
                      int64_t capacity, ddr_near_found *found) {
  const float *reals = gang->reals;
  const ddr_near_run all = {grid->starts[0], grid->starts[ddr_cells_count(grid->cells)]};
  const int64_t n_wanted = LANES * (int64_t)all.end + DDR_NEAR_SPARE;
  if (n_wanted > capacity) return n_wanted;
  for (int lane = 0; lane < LANES; lane++) {
    const float centre[] = {reals[LANES + lane], reals[2 * LANES + lane], reals[3 * LANES + lane]};
    const ddr_near_ball ball = {centre, &reals[lane], gang->self[lane]};
    found->n[lane] = ddr_near_loops_here.test(grid->points, &ball, &all, 1, hits);
    hits += found->n[lane];
  }
  now->n_searched++;
  return 0;
}

static const ddr_near_loops loops = {ddr_near_float, ddr_near_order, search};

/* --- the program ------------------------------------------------------------------------------ */

static ddr_strand_status appear(const Swarm *swarm, ddr_block *block, int64_t slot,
                                SwarmState *self) {
  (void)block;
  self->pos[0] = (float)slot / (float)swarm->n * 40;
  return DDR_NEW;
}

static int by_slot(const void *a, const void *b) {
  const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  return (left > right) - (left < right);
}

static bool are_same(const uint32_t *hits, uint32_t n, ddr_seq near) {
  bool is_so = near.length == n;
  for (uint32_t k = 0; k < n && is_so; k++) is_so = ddr_seq_slot(near, (int32_t)k) == hits[k];
  return is_so;
}

/* One lane asks where the strand is, the other ahead, and once some of these ask far away. */
static ddr_strand_status look(const Swarm *swarm, ddr_block *block, int64_t slot,
                              SwarmState *self) {
  const bool is_far = self->n_updates == FAR_STEP && slot % 37 == 0;
  const float x = self->pos[0], y = self->pos[1], ahead = is_far ? x + 9 : x + 0.1f;
  const float reals[][LANES] = {{0.45f, 0.3f}, {x, ahead}, {y, y}, {0, 0}};
  const int64_t self_of[] = {slot, slot};
  const ddr_near_gang gang = {reals, self_of, LANES, 3};
  uint32_t hits[LANES][MOST_HITS];
  ddr_near_found found;
  now = (Count *)swarm->data + self->n_updates;
  ddr_ask_together(block);
  ddr_query_gang(block, &gang, &loops, &found);
  for (int lane = 0; lane < LANES; lane++)
    for (uint32_t k = 0; k < found.n[lane]; k++) hits[lane][k] = found.hits[lane][k];
  for (int lane = 0; lane < LANES; lane++) {
    const float centre[] = {reals[1][lane], y, 0};
    qsort(hits[lane], found.n[lane], sizeof **hits, by_slot);
    const ddr_seq near = ddr_sphere(block, centre, reals[0][lane], slot);
    now->n_wrong += !are_same(hits[lane], found.n[lane], near);
  }
  now->n_asked++;
  self->pos[1] += 0.001f;
  self->n_updates++;
  return DDR_ACTIVE;
}

/* --- runs ------------------------------------------------------------------------------------- */

static void live(const ddr_rank_engine *engine, void *data) {
  ddr_world *world = ddr_world_new(&swarm_program);
  if (!world || !ddr_ranks_join(world, engine)) abort();
  *swarm_of(world) = (Swarm){.n = N, .create = appear, .update = look, .data = data};
  world->workers->n = 1;
  ddr_world_create(world);
  ddr_world_run(world, N_STEPS);
  if (ddr_any_errors(world)) abort();
  ddr_world_free(world);
}

/* In the first superstep how far they ask is a guess; another time some ask farther than before. */
static void lanes_find_what_strands_find(void) {
  for (int n_ranks = 1; n_ranks <= 5; n_ranks += 2) {
    Count counts[N_STEPS] = {{0}};
    ranks_live(n_ranks, live, counts);
    for (int k = 0; k < N_STEPS; k++) {
      CHECK_EQ(counts[k].n_asked, N);
      CHECK_EQ(counts[k].n_wrong, 0);
      if (n_ranks > 1 && k == FAR_STEP) CHECK(counts[k].n_searched < N);
      else CHECK_EQ(counts[k].n_searched, N);
    }
  }
}

int main(void) {
  RUN(lanes_find_what_strands_find);
  return test_result();
}
