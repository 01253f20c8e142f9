/* queries.c: processor time of a superstep in which each of 10^4, 10^5, 10^6 strands has a query
 * that finds about twenty neighbours; positions are independent of ranks. The time per strand
 * should hardly grow.
 *
 *   cmake --build --preset release --target bench-queries && build/release/runtime/bench-queries
 */
#include <math.h>
#include <stdio.h>

#include "tests/unit/runtime/swarm_program.h"

enum { N_STEPS = 4, N_NEIGHBOURS = 20 };

static const double pi = 3.14159265358979;

static uint64_t mix(uint64_t x) {
  for (int round = 0; round < 3; round++) x = (x ^ (x >> 33)) * UINT64_C(0xff51afd7ed558ccd);
  return x;
}

static ddr_strand_status scatter(const Swarm *swarm, ddr_block *block, int64_t slot,
                                 SwarmState *self) {
  (void)swarm;
  (void)block;
  for (uint64_t k = 0; k < 3; k++) {
    self->pos[k] = (float)(mix(3 * (uint64_t)slot + k + 1) >> 40) / 16777216;
  }
  return DDR_NEW;
}

static ddr_strand_status look_around(const Swarm *swarm, ddr_block *block, int64_t slot,
                                     SwarmState *self) {
  const ddr_seq near = ddr_sphere(block, self->pos, *(const float *)swarm->data, slot);
  float sum = 0;
  for (ddr_int k = 0; k < ddr_seq_length(near); k++) {
    sum += swarm_before(block, ddr_seq_slot(near, k))->pos[0] - self->pos[0];
  }
  self->value += ddr_seq_length(near);
  self->pos[0] += 1e-6f * sum;
  return DDR_ACTIVE;
}

static double nanoseconds(int64_t n) {
  float radius = (float)cbrt(N_NEIGHBOURS / (double)n * 3 / (4 * pi));
  const Swarm script = {.n = n, .create = scatter, .update = look_around, .data = &radius};
  ddr_world *world = swarm_start(&swarm_program, &script, 1);
  ddr_world_run(world, 1); /* memory is touched for the first time */
  double least = INFINITY;
  for (int step = 0; step < N_STEPS; step++) {
    const double begin = ddr_run_cpu_seconds(world);
    ddr_world_run(world, 1);
    least = fmin(least, ddr_run_cpu_seconds(world) - begin);
  }
  ddr_world_free(world);
  return 1e9 * least / (double)n;
}

int main(void) {
  double before = 0;
  for (int64_t n = 10000; n <= 1000000; n *= 10) {
    const double now = nanoseconds(n);
    printf("%8lld strands: %5.0f ns each", (long long)n, now);
    if (before > 0) printf(", %.2f times that of a tenth of them", now / before);
    putchar('\n');
    before = now;
  }
  return 0;
}
