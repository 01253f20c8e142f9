/* Dynamic sequences in the state of strands that die, are born and read each other: readers find
 * what was there at the start of the superstep, and nothing leaks (ASan). */
#include <stdlib.h>

#include "ddr/host/spatial.h"
#include "runtime/src/strands/phases.h"
#include "tests/unit/runtime/by_hand.h"
#include "tests/unit/test.h"

enum { N_STRANDS = 60, N_STEPS = 12 };

/* The trace of a strand: its id at each update, after the traces of its ancestors. */
typedef struct {
  int32_t id, n_inherited, n_updates;
  float pos;
  int64_t sum; /* of the last elements of all other traces, as of the start of the superstep */
  ddr_seq trace;
} State;

static void bounds(ddr_world *world, const void *memory, int64_t lo[], int64_t hi[]) {
  (void)world;
  (void)memory;
  lo[0] = 0;
  hi[0] = N_STRANDS - 1;
}

static void settle(ddr_block *block, State *self) {
  ddr_seq_keep(block->pool, &self->trace, sizeof(int32_t));
  ddr_pool_sweep(block->pool);
  ddr_pool_close(block->pool);
}

static void make(const void *memory, ddr_block *block, int64_t slot) {
  (void)memory;
  State *state = (State *)block->strands->state + slot;
  *state = (State){.id = (int32_t)slot + 1, .pos = (float)slot};
  settle(block, state);
}

static ddr_status create(const void *memory, ddr_block *block) {
  return each_strand(memory, block, make);
}

static int32_t last_of(ddr_seq trace) {
  return trace.length > 0 ? ddr_seq_int(trace, ddr_seq_length(trace) - 1, 1, 0) : 0;
}

static int64_t sum_of_others(ddr_block *block, int64_t slot, float pos) {
  int64_t sum = 0;
  const State *before = block->strands->before;
  const ddr_seq near = ddr_sphere(block, &pos, 1e9f, slot);
  for (ddr_int k = 0; k < near.length; k++) sum += last_of(before[ddr_seq_slot(near, k)].trace);
  return sum;
}

static ddr_strand_status live(ddr_block *block, int64_t slot, State *self) {
  self->sum = sum_of_others(block, slot, self->pos);
  self->n_updates++;
  self->trace = DDR_APPEND(block->pool, self->trace, int32_t, self->id);
  if ((self->id + self->n_updates) % 5 == 0) {
    State *child = ddr_new_strand(block);
    if (!child) return DDR_DEAD;
    *child = (State){.id = self->id + 1000, .pos = self->pos, .trace = self->trace};
    child->n_inherited = (int32_t)self->trace.length;
    ddr_seq_give(block->pool, &child->trace, sizeof(int32_t));
  }
  const int fate = (self->id + 3 * self->n_updates) % 16;
  return fate == 0 ? DDR_STABLE : fate < 4 ? DDR_DEAD : DDR_ACTIVE;
}

static ddr_strand_status step(const void *memory, ddr_block *block, int64_t slot) {
  (void)memory;
  State *states = block->strands->state;
  State self = states[slot];
  const ddr_strand_status now = live(block, slot, &self);
  settle(block, &self);
  states[slot] = self;
  return now;
}

static uint32_t update(const void *memory, ddr_block *block, uint32_t max_steps) {
  return each_running(memory, block, max_steps, step);
}

static void lend_strands(ddr_pool *pool, const ddr_strands *strands) {
  const State *states = strands->state;
  for (int64_t slot = 0; slot < strands->n_slots; slot++) ddr_seq_lend(pool, states[slot].trace);
}

static void keep_strands(ddr_pool *pool, ddr_strands *strands) {
  State *states = strands->state;
  for (int64_t slot = 0; slot < strands->n_slots; slot++) {
    ddr_seq_keep(pool, &states[slot].trace, sizeof(int32_t));
  }
}

static const ddr_program heirs = {
    PROGRAM_BY_HAND(State),
    .name = "heirs",
    .real_size = sizeof(float),
    .int_size = sizeof(int32_t),
    .is_collection = true,
    .is_lockstep = true,
    .is_dual = true,
    .is_parallel = true,
    .rank = 1,
    .pos_dim = 1,
    .pos_offset = offsetof(State, pos),
    .defaults = no_defaults,
    .init_globals = no_init_globals,
    .lend_strands = lend_strands,
    .keep_strands = keep_strands,
};

/* The sum of the last elements of all traces. */
static int64_t total(const ddr_world *world) {
  const State *states = world->store->strands.state;
  int64_t sum = 0;
  for (int64_t slot = 0; slot < world->store->strands.n_slots; slot++)
    sum += last_of(states[slot].trace);
  return sum;
}

static void check_traces(const ddr_world *world, int64_t before) {
  const State *states = world->store->strands.state;
  for (int64_t slot = 0; slot < world->store->strands.n_slots; slot++) {
    const State *state = &states[slot];
    CHECK_EQ(state->trace.length, state->n_inherited + state->n_updates);
    for (int32_t k = 0; k < state->trace.length; k++) {
      const int32_t id = ddr_seq_int(state->trace, k, 1, 0);
      CHECK(k >= state->n_inherited ? id == state->id : id < state->id);
    }
    if (world->store->strands.status[slot] != DDR_ACTIVE) continue;
    const bool was_first = state->n_updates == 1;
    const int32_t own = state->n_inherited + (was_first ? 0 : state->n_updates) > 0
                            ? (was_first ? state->id - 1000 : state->id)
                            : 0;
    CHECK_EQ(state->sum, before - own);
  }
}

static void run(uint32_t n_workers, int n_steps) {
  ddr_world *world = ddr_world_new(&heirs);
  world->workers->n = n_workers;
  CHECK(ddr_world_create(world) == DDR_OK);
  for (int step = 0; step < n_steps && ddr_num_active(world) > 0; step++) {
    const int64_t before = total(world);
    CHECK_EQ(ddr_world_run(world, 1), 1);
    check_traces(world, before);
  }
  CHECK(!ddr_any_errors(world));
  ddr_world_free(world);
}

static void readers_find_what_was_there(void) {
  for (uint32_t n_workers = 1; n_workers <= 4; n_workers++) run(n_workers, N_STEPS);
}

static void a_world_may_be_left_at_any_time(void) {
  for (int n_steps = 0; n_steps < 4; n_steps++) run(2, n_steps);
}

/* Births for which the store has no room are discarded with everything they own. */
static void births_without_room_leave_nothing(uint32_t n_workers, const char *reason) {
  ddr_world *world = ddr_world_new(&heirs);
  world->workers->n = n_workers;
  CHECK(ddr_world_create(world) == DDR_OK);
  world->memory.most = 2 * (size_t)world->store->capacity * sizeof(State) + 40 * sizeof(State);
  ddr_world_run(world, 0);
  char *errors = ddr_take_errors(world);
  CHECK(errors && strstr(errors, reason));
  free(errors);
  ddr_world_free(world);
}

/* With several workers, the trace of another strand may be the first that finds no room. */
static void memory_runs_out(void) {
  births_without_room_leave_nothing(1, "cannot allocate memory for ");
  births_without_room_leave_nothing(3, "the memory limit is ");
}

int main(void) {
  RUN(readers_find_what_was_there);
  RUN(a_world_may_be_left_at_any_time);
  RUN(memory_runs_out);
  return test_result();
}
