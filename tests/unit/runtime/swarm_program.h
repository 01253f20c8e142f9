/* A collection whose behaviour each test supplies: a program as the C back end writes one, with two
 * columns, positions in three dimensions, births, deaths and global blocks.
 */
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

/* A method of one strand; what it returns is its status afterwards. */
typedef ddr_strand_status SwarmMethod(const Swarm *swarm, ddr_block *block, int64_t slot,
                                      SwarmState *self);
typedef void SwarmGlobal(Swarm *swarm, ddr_world *world, ddr_strands *strands);

/* The globals: a script, and what it counts. */
struct Swarm {
  int64_t n; /* initial strands, in rank order 0 .. n-1 */
  int64_t step;
  SwarmMethod *create, *update, *stabilize;
  SwarmGlobal *global_start, *global_update;
  void *data; /* of the test */
};

/* A `stabilize` that counts. */
ddr_strand_status swarm_count_stabilize(const Swarm *swarm, ddr_block *block, int64_t slot,
                                        SwarmState *self);

/* A `create` that scatters positions over a unit cube. */
ddr_strand_status swarm_scatter(const Swarm *swarm, ddr_block *block, int64_t slot,
                                SwarmState *self);

/* Whether a query finds what a scan of `before` finds, in the same order. */
bool swarm_sphere_agrees(ddr_block *block, const float *centre, float radius, int64_t slot);

/* Lock-step, dual, with queries and snapshots; copy and change it. */
extern const ddr_program swarm_program;

/* A world of the program that follows the script on so many threads, created; checks included. */
ddr_world *swarm_start(const ddr_program *program, const Swarm *script, uint32_t n_workers);

static inline Swarm *swarm_of(ddr_world *world) { return world->globals; }
static inline SwarmState *swarm_state(const ddr_world *world, int64_t slot) {
  return (SwarmState *)world->store->strands.state + slot;
}
static inline const SwarmState *swarm_before(const ddr_block *block, int64_t slot) {
  return (const SwarmState *)block->strands->before + slot;
}
