/* A collection whose behaviour each test supplies: a program as the C back end would write it, with
 * two columns, positions in three dimensions, births, deaths and global code. */
#pragma once

#include "ddr/host/spatial.h"
#include "ddr/reduce.h"
#include "runtime/src/strands/phases.h"

typedef struct {
  int64_t id;
  int64_t value;
  int32_t bits, n_updates, n_stabilizes;
  float pos[3];
} SwarmState;

typedef struct Swarm Swarm;

/* A method of one strand; returns its new status. */
typedef ddr_strand_status SwarmMethod(const Swarm *swarm, ddr_block *block, int64_t slot,
                                      SwarmState *self);
typedef void SwarmGlobal(Swarm *swarm, ddr_world *world, ddr_strands *strands);

/* The globals: a script, and counters. */
struct Swarm {
  int64_t n; /* initial strands, in rank order 0 .. n-1 */
  int64_t step;
  SwarmMethod *create, *update, *stabilize;
  SwarmGlobal *global_start, *global_update;
  void *data; /* of the test */
};

/* A `stabilize` method that counts. */
ddr_strand_status swarm_count_stabilize(const Swarm *swarm, ddr_block *block, int64_t slot,
                                        SwarmState *self);

/* A `create` method that scatters positions over a unit cube. */
ddr_strand_status swarm_scatter(const Swarm *swarm, ddr_block *block, int64_t slot,
                                SwarmState *self);

/* Whether a query finds what a scan of `before` finds, in the same order. */
bool swarm_sphere_agrees(ddr_block *block, const float *centre, float radius, int64_t slot);

/* Lockstep, dual, with queries and snapshots; tests change a copy. */
extern const ddr_program swarm_program;

/* Creates a world of the program that follows the script on n_workers threads, and checks that. */
ddr_world *swarm_start(const ddr_program *program, const Swarm *script, uint32_t n_workers);

static inline Swarm *swarm_of(ddr_world *world) { return world->globals; }
static inline SwarmState *swarm_state(const ddr_world *world, int64_t slot) {
  return (SwarmState *)world->store->strands.state + slot;
}
static inline const SwarmState *swarm_before(const ddr_block *block, int64_t slot) {
  return (const SwarmState *)block->strands->before + slot;
}
