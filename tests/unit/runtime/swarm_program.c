#include "swarm_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/runtime/by_hand.h"

ddr_strand_status swarm_count_stabilize(const Swarm *swarm, ddr_block *block, int64_t slot,
                                        SwarmState *self) {
  (void)swarm;
  (void)block;
  (void)slot;
  self->n_stabilizes++;
  return DDR_STABLE;
}

static void bounds(ddr_world *world, const void *memory, int64_t lo[], int64_t hi[]) {
  (void)world;
  const Swarm *swarm = memory;
  lo[0] = 0;
  hi[0] = swarm->n - 1;
}

static void make(const void *memory, ddr_block *block, int64_t slot) {
  const Swarm *swarm = memory;
  SwarmState *state = (SwarmState *)block->strands->state + slot;
  *state = (SwarmState){.id = slot, .bits = 1};
  if (swarm->create) swarm->create(swarm, block, slot, state);
}

static ddr_status create(const void *memory, ddr_block *block) {
  return each_strand(memory, block, make);
}

static ddr_strand_status step(const void *memory, ddr_block *block, int64_t slot) {
  const Swarm *swarm = memory;
  SwarmState *states = block->strands->state;
  SwarmState self = states[slot];
  const ddr_strand_status now = swarm->update(swarm, block, slot, &self);
  if (now == DDR_STABLE && swarm->stabilize) swarm->stabilize(swarm, block, slot, &self);
  states[slot] = self;
  return now;
}

static uint32_t update(const void *memory, ddr_block *block, uint32_t max_steps) {
  return each_running(memory, block, max_steps, step);
}

static void stabilize_one(const void *memory, ddr_block *block, int64_t slot) {
  const Swarm *swarm = memory;
  SwarmState *states = block->strands->state;
  if (block->strands->status[slot] > DDR_NEW || !swarm->stabilize) return;
  SwarmState self = states[slot];
  swarm->stabilize(swarm, block, slot, &self);
  states[slot] = self;
}

static void stabilize(const void *memory, ddr_block *block) {
  each_strand(memory, block, stabilize_one);
}

static void global_start(ddr_world *world, void *memory, ddr_strands *strands) {
  Swarm *swarm = memory;
  if (swarm->global_start) swarm->global_start(swarm, world, strands);
}

static void global_update(ddr_world *world, void *memory, ddr_strands *strands) {
  Swarm *swarm = memory;
  if (swarm->global_update) swarm->global_update(swarm, world, strands);
}

static const ddr_output outputs[] = {
    {.name = "id", .kind = DDR_INT, .n_components = 1, .offset = offsetof(SwarmState, id)},
    {.name = "pos",
     .kind = DDR_REAL,
     .n_components = 3,
     .axis = DDR_AXIS_3_VECTOR,
     .offset = offsetof(SwarmState, pos)},
};

const ddr_program swarm_program = {
    PROGRAM_BY_HAND(SwarmState),
    .name = "swarm",
    .real_size = sizeof(float),
    .int_size = sizeof(int64_t),
    .is_collection = true,
    .is_lockstep = true,
    .is_dual = true,
    .is_parallel = true,
    .has_snapshots = true,
    .rank = 1,
    .n_outputs = sizeof outputs / sizeof *outputs,
    .outputs = outputs,
    .globals_size = sizeof(Swarm),
    .pos_dim = 3,
    .pos_offset = offsetof(SwarmState, pos),
    .defaults = no_defaults,
    .init_globals = no_init_globals,
    .stabilize = stabilize,
    .global_start = global_start,
    .global_update = global_update,
};

ddr_world *swarm_start(const ddr_program *program, const Swarm *script, uint32_t n_workers) {
  ddr_world *world = ddr_world_new(program);
  if (!world) abort();
  *swarm_of(world) = *script;
  world->workers->n = n_workers; /* may exceed the number of cores */
  ddr_world_create(world);
  return world;
}

ddr_strand_status swarm_scatter(const Swarm *swarm, ddr_block *block, int64_t slot,
                                SwarmState *self) {
  (void)swarm;
  (void)block;
  for (int k = 0; k < 3; k++) self->pos[k] = (float)((slot * (2 * k + 7)) % 31) / 31;
  return DDR_NEW;
}

static bool is_near(const float *pos, const float *centre, float radius) {
  float sum = 0;
  for (int k = 0; k < 3; k++) {
    const float difference = pos[k] - centre[k], square = difference * difference;
    sum += square;
  }
  return sum < radius * radius;
}

bool swarm_sphere_agrees(ddr_block *block, const float *centre, float radius, int64_t slot) {
  const ddr_seq seq = ddr_sphere(block, centre, radius, slot);
  int64_t n = 0;
  for (int64_t other = 0; other < block->n_strands; other++) {
    if (other == slot || !is_near(swarm_before(block, other)->pos, centre, radius)) continue;
    if (n >= seq.length || ddr_seq_slot(seq, (ddr_int)n) != other) return false;
    n++;
  }
  return n == seq.length;
}
