/* What strands read of each other is constant: ranks send it when strands are born, die, or move to
 * another rank, and not again; likewise if it is read in the states. Extremes over all strands are
 * those of a plain loop. Errors of one rank reach all. */
#include <stdlib.h>

#include "ranks_engine.h"
#include "runtime/src/ranks/ranks.h"
#include "runtime/src/strands/shares.h"
#include "swarm_program.h"
#include "tests/unit/test.h"

enum { N_LIVELY = 8, N_QUIET = 4, N_STEPS = N_LIVELY + N_QUIET, MOST_STRANDS = 40000 };

/* Reductions in global code. */
typedef struct Extremes {
  double least, greatest;
  int64_t least_id;
  bool any, all;
} Extremes;

typedef struct Seen {
  SwarmState *states;
  int64_t n_states;
  Extremes extremes[N_STEPS + 1];
  int n_wrong;                 /* extremes that differ from a plain loop's; alone */
  int64_t n_bytes[N_STEPS][8]; /* received by each rank in each superstep */
  int64_t n_strands[N_STEPS];  /* at the end of each superstep */
} Seen;

static bool is_alone(const ddr_world *world) { return ddr_n_ranks(world) == 1; }

/* --- the program ------------------------------------------------------------------------------ */

typedef struct Shared {
  int64_t id;
  float pos[3];
} Shared;

static void share(const ddr_strands *strands, int64_t begin, int64_t end, void *before) {
  const SwarmState *states = strands->state;
  Shared *shared = before;
  for (int64_t slot = begin; slot < end; slot++) {
    shared[slot].id = states[slot].id;
    memcpy(shared[slot].pos, states[slot].pos, sizeof shared[slot].pos);
  }
}

static int64_t id_of(const ddr_block *block, int64_t slot) {
  if (!block->world->program->share) return swarm_before(block, slot)->id;
  return ((const Shared *)block->strands->before)[slot].id;
}

static ddr_strand_status appear(const Swarm *swarm, ddr_block *block, int64_t slot,
                                SwarmState *self) {
  (void)block;
  self->id = slot;
  self->pos[0] = (float)slot / (float)swarm->n * 40;
  return DDR_NEW;
}

static void bear(ddr_block *block, const SwarmState *self) {
  SwarmState *child = ddr_new_strand(block);
  if (!child) return;
  *child = (SwarmState){.id = self->id * 3 % 999983 + self->n_updates};
  child->pos[0] = self->pos[0] + 0.004f;
}

/* Some query far, others not at all. */
static ddr_strand_status update(const Swarm *swarm, ddr_block *block, int64_t slot,
                                SwarmState *self) {
  const int64_t fate = (self->id * 7919 + self->n_updates * 104729) % 1009;
  const bool is_lively = swarm->step < N_LIVELY;
  const float radius = is_lively && fate % 131 == 0 ? 3 : 0.05f;
  const ddr_seq near = ddr_sphere(block, self->pos, radius, slot);
  self->n_updates++;
  for (int64_t k = 0; k < near.length; k++) {
    const int64_t other = ddr_seq_slot(near, (int32_t)k);
    self->value = (self->value * 3 + id_of(block, other) + other) % 1000003;
  }
  /* Every second superstep leaves the number unchanged. */
  if (!is_lively || swarm->step % 2 == 1) return DDR_ACTIVE;
  if (fate % 17 == 0 && swarm->step % 4 == 2) bear(block, self);
  return fate % 13 == 0 ? DDR_DEAD : DDR_ACTIVE;
}

/* --- what global code asks -------------------------------------------------------------------- */

static void values_of(const void *context, const ddr_strands *strands, int64_t slot, int64_t n,
                      void *columns) {
  const SwarmState *states = strands->state;
  float *reals = ddr_given(columns, DDR_TREE_BLOCK, 0);
  int64_t *ids = ddr_given(columns, DDR_TREE_BLOCK, 1);
  bool *truths = ddr_given(columns, DDR_TREE_BLOCK, 2);
  (void)context;
  for (int64_t k = 0; k < n; k++) {
    reals[k] = (float)states[slot + k].value / 7;
    ids[k] = states[slot + k].id;
    truths[k] = states[slot + k].value % 2 == 0;
  }
}

static Extremes found_one_by_one(const ddr_strands *strands) {
  const SwarmState *states = strands->state;
  Extremes plain = {INFINITY, -INFINITY, INT64_MAX, false, true};
  for (int64_t slot = 0; slot < strands->n_slots; slot++) {
    const double real = (double)((float)states[slot].value / 7);
    plain.least = real < plain.least ? real : plain.least;
    plain.greatest = real > plain.greatest ? real : plain.greatest;
    plain.least_id = states[slot].id < plain.least_id ? states[slot].id : plain.least_id;
    plain.any |= states[slot].value % 2 == 0;
    plain.all &= states[slot].value % 2 == 0;
  }
  return plain;
}

static bool are_equal(const Extremes *a, const Extremes *b) {
  return a->least == b->least && a->greatest == b->greatest && a->least_id == b->least_id &&
         a->any == b->any && a->all == b->all;
}

static void ask(Swarm *swarm, ddr_world *world, ddr_strands *strands) {
  static const ddr_set_result wanted[] = {{DDR_MIN, DDR_REAL, 0},
                                          {DDR_MAX, DDR_REAL, 0},
                                          {DDR_MIN, DDR_INT, 1},
                                          {DDR_EXISTS, DDR_BOOL, 2},
                                          {DDR_ALL, DDR_BOOL, 2}};
  const ddr_set_reduction what = {.values = values_of, .n_results = 5, .results = wanted};
  Seen *seen = swarm->data;
  ddr_reduced found[5];
  ddr_reduce_set(world, &what, NULL, found);
  if (ddr_is_first_rank(world)) {
    Extremes *extremes = &seen->extremes[swarm->step];
    *extremes = (Extremes){found[0].real, found[1].real, found[2].integer, found[3].integer != 0,
                           found[4].integer != 0};
    const Extremes plain = is_alone(world) ? found_one_by_one(strands) : *extremes;
    seen->n_wrong += !are_equal(&plain, extremes);
  }
  swarm->step++;
}

/* --- runs ------------------------------------------------------------------------------------- */

typedef struct Trial {
  int64_t n;
  bool has_column; /* for what is read; otherwise it is read in states */
  Seen *seen;
} Trial;

static void count_superstep(ddr_world *world, const ddr_rank_engine *engine, Seen *seen,
                            int64_t before) {
  const uint32_t number = world->store->n_steps - 1;
  if (!engine) return;
  seen->n_bytes[number][engine->rank] = ranks_received(engine).n_bytes - before;
  if (engine->rank == 0) seen->n_strands[number] = world->store->strands.n_slots;
}

static void run_one(const ddr_rank_engine *engine, void *data) {
  const Trial *trial = data;
  const Swarm script = {
      .n = trial->n, .create = appear, .update = update, .global_update = ask, .data = trial->seen};
  ddr_program program = swarm_program;
  program.is_dual = trial->has_column;
  program.share = trial->has_column ? share : NULL;
  program.shares_fixed = trial->has_column;
  program.shared_size = sizeof(Shared);
  program.shared_pos_offset = offsetof(Shared, pos);
  ddr_world *world = ddr_world_new(&program);
  if (!world || (engine && !ddr_ranks_join(world, engine))) abort();
  *(Swarm *)world->globals = script;
  world->workers->n = 1;
  ddr_world_create(world);
  for (int k = 0; k < N_STEPS; k++) {
    const int64_t before = engine ? ranks_received(engine).n_bytes : 0;
    ddr_world_run(world, 1);
    count_superstep(world, engine, trial->seen, before);
  }
  ddr_states_fetch(world, STATES_AT_FIRST);
  if (ddr_any_errors(world) || world->store->strands.n_slots > MOST_STRANDS) abort();
  if (ddr_is_first_rank(world)) {
    Seen *seen = trial->seen;
    seen->n_states = world->store->strands.n_slots;
    memcpy(seen->states, world->store->strands.state, (size_t)seen->n_states * sizeof(SwarmState));
  }
  ddr_world_free(world);
}

static Seen *seen_new(void) {
  Seen *seen = calloc(1, sizeof *seen);
  if (!seen) abort();
  seen->states = calloc(MOST_STRANDS, sizeof *seen->states);
  if (!seen->states) abort();
  return seen;
}

static void seen_free(Seen *seen) {
  free(seen->states);
  free(seen);
}

static void compare(const Seen *found, const Seen *want) {
  CHECK_EQ(found->n_states, want->n_states);
  CHECK(memcmp(found->states, want->states, (size_t)want->n_states * sizeof(SwarmState)) == 0);
  for (int k = 0; k < N_STEPS; k++) CHECK(are_equal(&found->extremes[k], &want->extremes[k]));
  CHECK_EQ(found->n_wrong, 0);
}

/* If no strand is born or dies: a report of each rank, and extremes of blocks of strands. */
static void check_quiet(const Seen *seen, int n_ranks) {
  enum { REPORT = 128, EXTREMES = 5 * 16 + 2 * 32 };
  for (int k = N_LIVELY + 1; k < N_STEPS; k++) {
    const int64_t n_blocks = seen->n_strands[k] / DDR_TREE_BLOCK + 1;
    for (int r = 0; r < n_ranks && n_ranks > 1; r++)
      CHECK(seen->n_bytes[k][r] <= REPORT * (n_ranks - 1) + EXTREMES * n_blocks);
  }
}

/* If strands die and others are born: only states of new strands and of strands that change their
 * rank. */
static void check_lively(const Seen *seen, int n_ranks) {
  for (int k = 0; k < N_LIVELY; k++)
    for (int r = 0; r < n_ranks && seen->n_strands[k] > 1000; r++)
      CHECK(seen->n_bytes[k][r] < seen->n_strands[k] * (int64_t)sizeof(SwarmState) / 3);
}

static void all_is_as_alone(int64_t n, bool has_column) {
  static const int numbers[] = {1, 2, 3, 5, 8};
  Seen *alone = seen_new();
  Trial trial = {n, has_column, alone};
  run_one(NULL, &trial);
  CHECK_EQ(alone->n_wrong, 0);
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    trial.seen = seen_new();
    ranks_live(numbers[k], run_one, &trial);
    compare(trial.seen, alone);
    check_quiet(trial.seen, numbers[k]);
    if (!has_column) check_lively(trial.seen, numbers[k]);
    seen_free(trial.seen);
  }
  seen_free(alone);
}

enum { N_MANY = 2500, N_VERY_MANY = 9000 };
static int64_t many(void) { return test_is_slow() ? N_VERY_MANY : N_MANY; }

static void few_are_as_alone(void) { all_is_as_alone(5, true); }
static void many_are_as_alone(void) { all_is_as_alone(many(), true); }
static void few_in_states_are_as_alone(void) { all_is_as_alone(5, false); }
static void many_in_states_are_as_alone(void) { all_is_as_alone(many(), false); }

/* --- errors ----------------------------------------------------------------------------------- */

static void fail_somewhere(const ddr_rank_engine *engine, void *data) {
  int *n_right = data;
  ddr_world *world = ddr_world_new(&swarm_program);
  if (!world || !ddr_ranks_join(world, engine)) abort();
  int n = !ddr_ranks_agree(world);
  if (engine->rank == 2) {
    ddr_error(world, "the first of two");
    ddr_error(world, "the second of two");
  }
  n += ddr_ranks_agree(world) && ddr_any_errors(world);
  char *errors = ddr_take_errors(world);
  const char *want =
      engine->rank == 0
          ? "[DIDEROT] rank 2: the second of two\n[DIDEROT] rank 2: the first of two\n"
      : engine->rank == 2 ? "[DIDEROT] the second of two\n[DIDEROT] the first of two\n"
                          : "[DIDEROT] rank 2 has failed\n";
  n += strcmp(errors, want) == 0;
  free(errors);
  n += ddr_ranks_differ(world, engine->rank == 3 ? 1 : 7) == 3;
  n += ddr_ranks_differ(world, 7) == 0;
  n_right[engine->rank] = n;
  ddr_world_free(world);
}

static void errors_reach_all(void) {
  int n_right[4] = {0};
  ranks_live(4, fail_somewhere, n_right);
  for (int r = 0; r < 4; r++) CHECK_EQ(n_right[r], 5);
}

/* --- memory ----------------------------------------------------------------------------------- */

enum { N_WIDE = 4000 };

/* Half of the memory that all states take is enough for the ranks of one of several machines, until
 * they want all states. */
static void live_in_half(const ddr_rank_engine *engine, void *data) {
  int *n_right = data;
  ddr_program program = swarm_program;
  program.is_dual = false;
  program.share = NULL;
  ddr_world *world = ddr_world_new(&program);
  if (!world || !ddr_ranks_join(world, engine)) abort();
  *(Swarm *)world->globals = (Swarm){.n = N_WIDE, .create = appear};
  world->memory.most = N_WIDE * sizeof(SwarmState) / 2;
  ddr_world_create(world);
  const bool is_apart = engine->n_on_node < engine->n_ranks;
  int n = ddr_ranks_agree(world) != is_apart;
  if (is_apart) n += ddr_states_fetch(world, STATES_EVERYWHERE) == DDR_ERROR;
  char *errors = ddr_take_errors(world);
  n += errors && strstr(errors, "the memory limit is");
  free(errors);
  n_right[engine->rank] = n;
  ddr_world_free(world);
}

static void machines_share_memory(void) {
  int n_right[4] = {0};
  ranks_live_on(4, 1, true, live_in_half, n_right);
  for (int r = 0; r < 4; r++) CHECK_EQ(n_right[r], 3);
  ranks_live_on(4, 4, true, live_in_half, n_right);
  for (int r = 0; r < 4; r++) CHECK_EQ(n_right[r], 2);
}

int main(void) {
  RUN(few_are_as_alone);
  RUN(many_are_as_alone);
  RUN(few_in_states_are_as_alone);
  RUN(many_in_states_are_as_alone);
  RUN(errors_reach_all);
  RUN(machines_share_memory);
  return test_result();
}
