/* ranks.c: what ranks send each other in a superstep, counted for 1 to 64 of them, and how
 * efficient more of them would be on a network.
 *
 *   bench-ranks [--strands N] [--reach R] [--latency SECONDS] [--bandwidth BYTES/S] [--step
 * SECONDS]
 *
 * Ranks are threads of one process (tests/unit/runtime/ranks_engine.c), so counts do not depend on
 * the machine, and nothing is timed. Particles in a box push away those within reach; each
 * superstep asks for the largest push. `--step` is what a superstep of all strands takes one rank,
 * as -v of a program says it. A superstep of n ranks is expected to take step/n, a latency for each
 * message that a rank waits for, where a message to all takes log2 n of them, and the bytes that it
 * receives at the bandwidth.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/src/ranks/ranks.h"
#include "tests/unit/runtime/ranks_engine.h"
#include "tests/unit/runtime/swarm_program.h"

enum { N_STEPS = 5, MOST_RANKS = 64 };

typedef struct Bench {
  int64_t n_strands;
  double reach, latency, bandwidth, step;
  RanksCount most; /* that a rank in the middle received, in all supersteps */
} Bench;

/* --- particles -------------------------------------------------------------------------------- */

static ddr_strand_status appear(const Swarm *swarm, ddr_block *block, int64_t slot,
                                SwarmState *self) {
  static const double steps[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
  (void)swarm;
  (void)block;
  for (int k = 0; k < 3; k++) {
    const double x = 0.5 + (double)slot * steps[k];
    self->pos[k] = (float)(x - floor(x));
  }
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

/* --- counting --------------------------------------------------------------------------------- */

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
  if (ddr_any_errors(world)) abort();
  if (engine->rank == engine->n_ranks / 2) {
    bench->most = (RanksCount){end.n_messages - begin.n_messages, end.n_bytes - begin.n_bytes};
  }
  ddr_world_free(world);
}

static void show(const Bench *bench, int n_ranks) {
  const double n_bytes = (double)bench->most.n_bytes / N_STEPS;
  const double n_messages = (double)bench->most.n_messages / N_STEPS;
  const double n_waits = n_ranks > 1 ? n_messages / (n_ranks - 1) * log2(n_ranks) : 0;
  const double seconds =
      bench->step / n_ranks + n_waits * bench->latency + n_bytes / bench->bandwidth;
  printf("| %d | %.0f | %.0f | %.3g | %.1f %% |\n", n_ranks, n_messages, n_bytes, seconds,
         100 * bench->step / n_ranks / seconds);
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
    if (*end || !(value > 0)) return false;
    if (strcmp(argv[k], "--strands") == 0) bench->n_strands = (int64_t)value;
    else if (option(bench, argv[k])) *option(bench, argv[k]) = value;
    else return false;
  }
  return argc % 2 == 1;
}

int main(int argc, char **argv) {
  Bench bench = {
      .n_strands = 20000, .reach = 0.033, .latency = 2e-6, .bandwidth = 1e10, .step = 0.15};
  if (!read_options(&bench, argc, argv)) {
    fputs("usage: bench-ranks [--strands N] [--reach R] [--latency SECONDS] [--bandwidth BYTES/S] "
          "[--step SECONDS]\n",
          stderr);
    return 1;
  }
  printf("%lld strands, %g s for a superstep of one rank, latency %g s, %g bytes/s\n\n",
         (long long)bench.n_strands, bench.step, bench.latency, bench.bandwidth);
  puts("| ranks | messages | bytes | seconds | efficiency |\n|---|---|---|---|---|");
  for (int n_ranks = 1; n_ranks <= MOST_RANKS; n_ranks *= 2) {
    ranks_live(n_ranks, live, &bench);
    show(&bench, n_ranks);
  }
  /* Messages of one go with their number; bytes hardly do. */
  bench.most.n_messages = bench.most.n_messages / (MOST_RANKS - 1) * 999;
  show(&bench, 1000);
  return 0;
}
