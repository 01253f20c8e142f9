/* ranks.c: counts what ranks send each other in a superstep, for 1 to 64 ranks, and estimates how
 * efficient more ranks would be on a network.
 *
 *   bench-ranks [--born grid|anywhere] [--strands N] [--reach R] [--latency SECONDS]
 *     [--bandwidth BYTES/S] [--step SECONDS]
 *
 * Ranks are threads of one process (tests/unit/runtime/ranks_engine.c), so counts do not depend on
 * the machine. Particles in a box push away those within reach; they are born along a grid, so that
 * the strands of a rank are near each other, or anywhere. Each superstep asks for the largest push.
 * `--step` is what a superstep of all strands takes one rank, as -v of a program says it. A
 * superstep of n ranks is expected to take step/n, a latency for each message that a rank waits
 * for, where a message to all takes log2 n of them, the bytes that it receives at the bandwidth,
 * and its index: the processor time of a rank in the middle is measured, the least of ten, and no
 * part of the step; 1000 ranks take as long as 64. "sending alone" is without it. "halo" are the
 * bytes of those of others that are within reach of one of the rank's: the least that will do.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/src/ranks/ranks.h"
#include "runtime/src/space/space.h"
#include "runtime/src/strands/shares.h"
#include "tests/unit/runtime/ranks_engine.h"
#include "tests/unit/runtime/swarm_program.h"

enum { N_STEPS = 5, MOST_RANKS = 64 };

typedef struct Bench {
  bool is_grid;
  int64_t n_strands;
  double reach, latency, bandwidth, step;
  double index;          /* of the places that a rank in the middle needs, made by one thread */
  double whole;          /* of all */
  RanksCount most;       /* that a rank in the middle received, in all supersteps */
  ddr_strand_run middle; /* its strands */
} Bench;

/* --- particles -------------------------------------------------------------------------------- */

static void place(const Bench *bench, int64_t slot, float pos[3]) {
  static const double steps[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
  const int64_t side = (int64_t)ceil(cbrt((double)bench->n_strands));
  for (int k = 0; k < 3; slot = bench->is_grid ? slot / side : slot, k++) {
    const double x = bench->is_grid ? ((double)(slot % side) + 0.5) / (double)side
                                    : 0.5 + (double)slot * steps[k];
    pos[k] = (float)(x - floor(x));
  }
}

static ddr_strand_status appear(const Swarm *swarm, ddr_block *block, int64_t slot,
                                SwarmState *self) {
  (void)block;
  place(swarm->data, slot, self->pos);
  return DDR_NEW;
}

/* What strands read of each other. */
typedef struct Shared {
  float pos[3];
} Shared;

static ddr_strand_status push(const Swarm *swarm, ddr_block *block, int64_t slot,
                              SwarmState *self) {
  const Bench *bench = swarm->data;
  const ddr_seq near = ddr_sphere(block, self->pos, (float)bench->reach, slot);
  float force[3] = {0, 0, 0};
  for (int32_t i = 0; i < near.length; i++) {
    const Shared *other = (const Shared *)block->strands->before + ddr_seq_slot(near, i);
    for (int k = 0; k < 3; k++) force[k] += self->pos[k] - other->pos[k];
  }
  for (int k = 0; k < 3; k++) self->pos[k] += 0.0005f * force[k];
  return DDR_ACTIVE;
}

static void share(const ddr_strands *strands, int64_t begin, int64_t end, void *before) {
  const SwarmState *states = strands->state;
  Shared *shared = before;
  for (int64_t slot = begin; slot < end; slot++)
    memcpy(shared[slot].pos, states[slot].pos, sizeof shared[slot].pos);
}

static void values_of(const void *context, const ddr_strands *strands, int64_t slot, int64_t n,
                      void *columns) {
  const SwarmState *states = strands->state;
  float *values = ddr_given(columns, DDR_TREE_BLOCK, 0);
  (void)context;
  for (int64_t k = 0; k < n; k++) values[k] = states[slot + k].pos[0];
}

static void ask(Swarm *swarm, ddr_world *world, ddr_strands *strands) {
  static const ddr_set_result wanted[] = {{DDR_MAX, DDR_REAL, 0}};
  const ddr_set_reduction what = {.values = values_of, .n_results = 1, .results = wanted};
  ddr_reduced result;
  (void)swarm;
  (void)strands;
  ddr_reduce_set(world, &what, NULL, &result);
}

/* --- who is near ------------------------------------------------------------------------------ */

enum { MOST_CELLS = 100 };
static bool is_near[MOST_CELLS][MOST_CELLS][MOST_CELLS];

static void cell_of(const Bench *bench, const float pos[3], int cell[3]) {
  const double n_cells = fmin(floor(1 / bench->reach), MOST_CELLS);
  for (int k = 0; k < 3; k++) cell[k] = (int)fmin((double)pos[k] * n_cells, n_cells - 1);
}

static void mark_around(const int cell[3]) {
  for (int i = 0; i < 27; i++) {
    const int z = cell[2] + i / 9 - 1, y = cell[1] + i / 3 % 3 - 1, x = cell[0] + i % 3 - 1;
    const bool is_inside = x >= 0 && y >= 0 && z >= 0;
    if (is_inside && x < MOST_CELLS && y < MOST_CELLS && z < MOST_CELLS) is_near[z][y][x] = true;
  }
}

static bool is_within_reach(const Bench *bench, const float pos[3], int64_t begin, int64_t end) {
  for (int64_t slot = begin; slot < end; slot++) {
    float own[3], sum = 0;
    place(bench, slot, own);
    for (int k = 0; k < 3; k++) sum += (pos[k] - own[k]) * (pos[k] - own[k]);
    if ((double)sum < bench->reach * bench->reach) return true;
  }
  return false;
}

/* Of others, when all have been born, for the rank in the middle, which has [begin, end). */
static double bytes_of_halo(const Bench *bench) {
  const int64_t begin = bench->middle.first, end = begin + bench->middle.count;
  float pos[3];
  int cell[3];
  int64_t n = 0;
  memset(is_near, 0, sizeof is_near);
  for (int64_t slot = begin; slot < end; slot++) {
    place(bench, slot, pos);
    cell_of(bench, pos, cell);
    mark_around(cell);
  }
  for (int64_t slot = 0; slot < bench->n_strands; slot++) {
    if (slot >= begin && slot < end) continue;
    place(bench, slot, pos);
    cell_of(bench, pos, cell);
    n += is_near[cell[2]][cell[1]][cell[0]] && is_within_reach(bench, pos, begin, end);
  }
  return (double)n * sizeof(Shared);
}

/* --- counting --------------------------------------------------------------------------------- */

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double time_index(const Bench *bench, ddr_world *world) {
  double least = INFINITY;
  for (int k = 0; k < 10; k++) {
    world->store->version_of_places++;
    world->workers->threads->workers[0].scratch.reach = bench->reach;
    const double begin = processor_seconds();
    ddr_index_prepare(world);
    least = fmin(least, processor_seconds() - begin);
  }
  return least;
}

static void live(const ddr_rank_engine *engine, void *data) {
  Bench *bench = data;
  ddr_program program = swarm_program;
  program.share = share;
  program.shared_size = sizeof(Shared);
  program.shared_pos_offset = offsetof(Shared, pos);
  const Swarm script = {
      .n = bench->n_strands, .create = appear, .update = push, .global_update = ask, .data = bench};
  ddr_world *world = ddr_world_new(&program);
  if (!world || !ddr_ranks_join(world, engine)) abort();
  *(Swarm *)world->globals = script;
  world->workers->n = 1;
  ddr_world_create(world);
  ddr_world_run(world, 1); /* in the first all are new */
  const RanksCount begin = ranks_received(engine);
  ddr_world_run(world, N_STEPS);
  const RanksCount end = ranks_received(engine);
  if (engine->rank == engine->n_ranks / 2) bench->index = time_index(bench, world);
  if (engine->n_ranks == 1) bench->whole = bench->index;
  if (ddr_any_errors(world)) abort();
  if (engine->rank == engine->n_ranks / 2) {
    bench->middle = engine->n_ranks > 1 ? ddr_share_of(world->store, engine->rank)
                                        : (ddr_strand_run){0, bench->n_strands};
    bench->most = (RanksCount){end.n_messages - begin.n_messages, end.n_bytes - begin.n_bytes};
  }
  ddr_world_free(world);
}

static void show(const Bench *bench, int n_ranks) {
  const double n_bytes = (double)bench->most.n_bytes / N_STEPS;
  const double n_messages = (double)bench->most.n_messages / N_STEPS;
  const double n_waits = n_ranks > 1 ? n_messages / (n_ranks - 1) * log2(n_ranks) : 0;
  const double own = bench->step / n_ranks;
  const double sending = n_waits * bench->latency + n_bytes / bench->bandwidth;
  printf("| %d | %.0f | %.0f | %.0f | %.3g | %.3g | %.1f %% | %.1f %% |\n", n_ranks, n_messages,
         n_bytes, bytes_of_halo(bench), 1e3 * bench->index, own + sending + bench->index,
         100 * (own + bench->whole / n_ranks) / (own + sending + bench->index),
         100 * own / (own + sending));
}

/* --- the command line ------------------------------------------------------------------------- */

static double *option(Bench *bench, const char *name) {
  if (strcmp(name, "--reach") == 0) return &bench->reach;
  if (strcmp(name, "--latency") == 0) return &bench->latency;
  if (strcmp(name, "--bandwidth") == 0) return &bench->bandwidth;
  return strcmp(name, "--step") == 0 ? &bench->step : NULL;
}

static bool read_options(Bench *bench, int argc, char **argv) {
  for (int k = 1; k + 1 < argc; k += 2) {
    char *end;
    const double value = strtod(argv[k + 1], &end);
    if (strcmp(argv[k], "--born") == 0) {
      bench->is_grid = strcmp(argv[k + 1], "grid") == 0;
      if (!bench->is_grid && strcmp(argv[k + 1], "anywhere") != 0) return false;
      continue;
    }
    if (*end || !(value > 0)) return false;
    if (strcmp(argv[k], "--strands") == 0) bench->n_strands = (int64_t)value;
    else if (option(bench, argv[k])) *option(bench, argv[k]) = value;
    else return false;
  }
  return argc % 2 == 1;
}

int main(int argc, char **argv) {
  Bench bench = {
      .n_strands = 20000, .reach = 0.1, .latency = 2e-6, .bandwidth = 1e10, .step = 0.15};
  if (!read_options(&bench, argc, argv)) {
    fputs("usage: bench-ranks [--born grid|anywhere] [--strands N] [--reach R] [--latency SECONDS] "
          "[--bandwidth BYTES/S] "
          "[--step SECONDS]\n",
          stderr);
    return 1;
  }
  printf("%lld strands, %g s for a superstep of one rank, latency %g s, %g bytes/s\n\n",
         (long long)bench.n_strands, bench.step, bench.latency, bench.bandwidth);
  puts("| ranks | messages | bytes | halo | index ms | seconds | efficiency | sending alone |\n"
       "|---|---|---|---|---|---|---|---|");
  for (int n_ranks = 1; n_ranks <= MOST_RANKS; n_ranks *= 2) {
    ranks_live(n_ranks, live, &bench);
    show(&bench, n_ranks);
  }
  /* Messages of one go with their number; bytes hardly do. */
  bench.most.n_messages = bench.most.n_messages / (MOST_RANKS - 1) * 999;
  show(&bench, 1000);
  return 0;
}
