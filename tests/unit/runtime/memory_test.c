/* Running out of memory: every allocation of a run fails in turn, alone or with all later ones; and
 * populations that grow without end. */
#include <stdlib.h>

#include "files.h"
#include "swarm_program.h"
#include "tests/unit/failing.h"

/* Small and large blocks: aligned, writable from end to end, accepted by free. */
static void memory_of_any_size(void) {
  static const size_t sizes[] = {64, 4096, (1u << 20) - 64, 1u << 20, (9u << 20) + 64};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    char *memory = ddr_memory_new(64, sizes[k]);
    if (!CHECK(memory && (uintptr_t)memory % 64 == 0)) continue;
    memset(memory, 1, sizes[k]);
    CHECK(memory[0] == 1 && memory[sizes[k] - 1] == 1);
    free(memory);
  }
}

/* --- every allocation ------------------------------------------------------------------------- */

static ddr_strand_status place(const Swarm *swarm, ddr_block *block, int64_t slot,
                               SwarmState *self) {
  (void)swarm;
  (void)block;
  self->pos[0] = (float)(slot % 10);
  self->pos[1] = (float)(slot / 10);
  return DDR_NEW;
}

static ddr_strand_status live(const Swarm *swarm, ddr_block *block, int64_t slot,
                              SwarmState *self) {
  (void)swarm;
  const ddr_seq near = ddr_sphere(block, self->pos, 3, slot);
  const ddr_seq nearer = ddr_sphere(block, self->pos, 1, slot);
  self->value += near.length - nearer.length;
  if (slot % 7 == 0) {
    ddr_put_int(block->text, slot);
    ddr_print_end(block->text);
  }
  SwarmState *child = slot % 5 == 0 ? ddr_new_strand(block) : NULL;
  if (child) *child = (SwarmState){.id = slot, .pos = {self->pos[0], 0, (float)slot}};
  return slot % 6 == 0 ? DDR_DEAD : slot % 4 == 0 ? DDR_STABLE : DDR_ACTIVE;
}

static void give_values(const void *context, const ddr_strands *strands, int64_t slot, int64_t n,
                        void *values) {
  (void)context;
  const SwarmState *states = strands->state;
  float *out = values;
  for (int64_t k = 0; k < n; k++) out[k] = (float)states[slot + k].value;
}

static void judge(Swarm *swarm, ddr_world *world, ddr_strands *strands) {
  (void)swarm;
  (void)strands;
  static const ddr_set_result wanted[] = {{DDR_VARIANCE, DDR_REAL, 0}, {DDR_SUM, DDR_REAL, 0}};
  const ddr_set_reduction what = {.values = give_values, .n_results = 2, .results = wanted};
  ddr_reduced found[2];
  ddr_reduce_set(world, &what, NULL, found);
  const double variance = found[0].real;
  CHECK(ddr_any_errors(world) ? isnan(variance) || variance >= 0 : variance >= 0);
}

static bool swallow(void *data, const char *text) {
  (void)data;
  (void)text;
  return false;
}

/* True if everything succeeded; otherwise there must be a message, unless the world could not even
 * be created. */
static bool run_once(uint32_t n_workers) {
  const Swarm script = {.n = 150, .create = place, .update = live, .global_update = judge};
  ddr_world *world = ddr_world_new(&swarm_program);
  if (!world) return false;
  *swarm_of(world) = script;
  world->workers->n = n_workers;
  ddr_set_printer(world, swallow, NULL);
  bool is_good = ddr_world_create(world) == DDR_OK;
  if (is_good) is_good = ddr_world_run(world, 5) == 5 && !ddr_any_errors(world);
  if (is_good) is_good = ddr_output_save(world, 0, "out.nrrd") == DDR_OK;
  if (is_good) is_good = ddr_snapshot_save(world, 1, "all") == DDR_OK;
  CHECK_EQ(ddr_any_errors(world), !is_good);
  if (is_good) CHECK(ddr_num_strands(world) > 150);
  ddr_world_free(world);
  return is_good;
}

/* Two failures do no harm: a single one while the store grows, since it then asks for less, and
 * that of the world's last message, which is not read. */
static void fail_each(uint32_t n_workers, int64_t n_failures) {
  bool is_good = false, has_failed = true;
  int64_t n_good = 0, first = 0;
  for (; has_failed && first < 100000; first++) {
    fail_from(first, n_failures);
    is_good = run_once(n_workers);
    has_failed = fail_no_more();
    n_good += is_good && has_failed;
  }
  CHECK(is_good && first > 40);
  CHECK(n_workers > 1 || n_good == (n_failures == 1 ? 4 : 1)); /* with threads the order varies */
}

static void every_failure_is_an_error(void) {
  fail_each(1, 1);
  fail_each(1, 1000000);
  fail_each(3, 1);
  fail_each(3, 1000000);
}

/* --- populations without end ------------------------------------------------------------------ */

static ddr_strand_status multiply(const Swarm *swarm, ddr_block *block, int64_t slot,
                                  SwarmState *self) {
  (void)self;
  (void)slot;
  const bool is_in_one_step = swarm->data != NULL;
  while (ddr_new_strand(block) && is_in_one_step) continue;
  return DDR_ACTIVE;
}

static void explosions_end_with_a_message(void) {
  char in_one_step = 0;
  for (int k = 0; k < 2; k++) {
    const Swarm script = {.n = 100, .update = multiply, .data = k == 0 ? NULL : &in_one_step};
    ddr_program program = swarm_program;
    program.pos_dim = 0;
    ddr_world *world = ddr_world_new(&program);
    *swarm_of(world) = script;
    world->workers->n = 2;
    world->memory.most = 20000000;
    CHECK(ddr_world_create(world) == DDR_OK);
    const uint32_t n_steps = ddr_world_run(world, 0);
    CHECK(k == 0 ? n_steps > 8 && n_steps < 20 : n_steps == 1);
    char *errors = ddr_take_errors(world);
    CHECK(errors && strstr(errors, "cannot allocate memory for ") && strstr(errors, " strands"));
    free(errors);
    ddr_world_free(world);
  }
}

/* A sequence that doubles reaches the limit; afterwards all its memory has been given back. */
static void sequences_end_with_a_message(void) {
  ddr_world *world = ddr_world_new(&swarm_program);
  world->memory.most = 1 << 20;
  ddr_pool *pool = ddr_world_pool(world);
  ddr_seq seq = ddr_seq_range(pool, sizeof(int64_t), 1, 100);
  int64_t most = 0;
  while (!ddr_pool_is_short(pool)) {
    most = seq.length > most ? seq.length : most;
    seq = ddr_seq_concat(pool, seq, seq, sizeof(int64_t));
  }
  CHECK(most > 10000 && most < (1 << 17));
  char *errors = ddr_take_errors(world);
  CHECK_STR(errors, "[DIDEROT] cannot extend a sequence: the memory limit is 1.0 MiB\n");
  free(errors);
  ddr_pool_sweep(pool);
  CHECK_EQ(atomic_load(&world->memory.n_sequence_bytes) + pool->n_account, 0);
  ddr_world_free(world);
}

int main(void) {
  files_enter();
  RUN(memory_of_any_size);
  RUN(every_failure_is_an_error);
  RUN(explosions_end_with_a_message);
  RUN(sequences_end_with_a_message);
  files_leave();
  return test_result();
}
