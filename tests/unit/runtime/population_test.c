/* Random births, deaths and stable strands against a model with a plain list: the same strands in
 * the same order with the same values, for any number of threads. */
#include <stdlib.h>

#include "swarm_program.h"
#include "tests/unit/test.h"

enum { MOST_STRANDS = 20000 };

static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* What strand `id` does in its n-th update, all decided by a hash. */
typedef struct {
  int n_children;
  ddr_strand_status end;
} Fate;

static Fate fate_of(int64_t id, int32_t n, int64_t seed) {
  const uint64_t hash = mix((uint64_t)id * 64 + (uint64_t)n + mix((uint64_t)seed));
  static const int children[8] = {0, 0, 0, 0, 1, 1, 2, 3};
  static const ddr_strand_status ends[8] = {DDR_ACTIVE, DDR_ACTIVE, DDR_ACTIVE, DDR_ACTIVE,
                                            DDR_DEAD,   DDR_DEAD,   DDR_DEAD,   DDR_STABLE};
  return (Fate){children[hash % 8], ends[hash / 8 % 8]};
}

static int64_t child_id(int64_t id, int32_t n, int k) {
  return (int64_t)(mix(((uint64_t)id * 31 + (uint64_t)n) * 8 + (uint64_t)k) >> 1);
}

/* --- the model -------------------------------------------------------------------------------- */

typedef struct {
  int64_t id, value;
  int32_t n_updates;
  bool is_active;
} Strand;

typedef struct {
  Strand list[MOST_STRANDS];
  int64_t n;
} Model;

static void model_begin(Model *model, int64_t n) {
  model->n = n;
  for (int64_t k = 0; k < n; k++) model->list[k] = (Strand){.id = k, .is_active = true};
}

static bool model_step(Model *model, int64_t seed) {
  static Strand children[MOST_STRANDS];
  int64_t n_children = 0, n = 0;
  bool is_running = false;
  for (int64_t k = 0; k < model->n; k++) {
    Strand strand = model->list[k];
    ddr_strand_status end = DDR_STABLE;
    if (strand.is_active) {
      const Fate fate = fate_of(strand.id, ++strand.n_updates, seed);
      strand.value = strand.value % 1000000 * 3 + k; /* k: its slot at the start of the superstep */
      for (int c = 0; c < fate.n_children; c++) {
        children[n_children++] = (Strand){.id = child_id(strand.id, strand.n_updates, c),
                                          .value = strand.value + c,
                                          .is_active = true};
      }
      end = fate.end;
    }
    strand.is_active = end == DDR_ACTIVE;
    if (end != DDR_DEAD) model->list[n++] = strand;
    is_running = is_running || strand.is_active;
  }
  for (int64_t k = 0; k < n_children; k++) model->list[n++] = children[k];
  model->n = n;
  return is_running || n_children > 0;
}

/* --- the program ------------------------------------------------------------------------------ */

static ddr_strand_status update(const Swarm *swarm, ddr_block *block, int64_t slot,
                                SwarmState *self) {
  const Fate fate = fate_of(self->id, ++self->n_updates, *(const int64_t *)swarm->data);
  self->value = self->value % 1000000 * 3 + slot;
  for (int k = 0; k < fate.n_children; k++) {
    SwarmState *child = ddr_new_strand(block);
    child->id = child_id(self->id, self->n_updates, k);
    child->value = self->value + k;
  }
  return fate.end;
}

static bool same_bits(const void *a, const void *b, size_t n) { return memcmp(a, b, n) == 0; }

static bool agree(const ddr_world *world, const Model *model) {
  if (!CHECK_EQ(world->store->strands.n_slots, model->n)) return false;
  int64_t n_active = 0;
  for (int64_t slot = 0; slot < model->n; slot++) {
    const SwarmState *state = swarm_state(world, slot);
    const Strand *strand = &model->list[slot];
    const bool is_active = world->store->strands.status[slot] <= DDR_NEW;
    n_active += is_active;
    if (state->id != strand->id || state->value != strand->value ||
        state->n_updates != strand->n_updates || is_active != strand->is_active) {
      return CHECK(false);
    }
    if (!same_bits(state, (const SwarmState *)world->store->strands.before + slot, sizeof *state)) {
      return CHECK(false);
    }
  }
  return CHECK_EQ(ddr_num_active(world), n_active);
}

static void compare(int64_t seed, int64_t n, uint32_t n_workers) {
  static Model model;
  const Swarm script = {.n = n, .update = update, .data = &seed};
  ddr_world *world = swarm_start(&swarm_program, &script, n_workers);
  model_begin(&model, n);
  bool goes_on = n > 0;
  for (int step = 0; step < 40 && goes_on && model.n < MOST_STRANDS / 4; step++) {
    CHECK_EQ(ddr_world_run(world, 1), 1);
    goes_on = model_step(&model, seed);
    if (!agree(world, &model)) break;
  }
  CHECK_EQ(ddr_num_active(world) > 0, goes_on);
  CHECK(!ddr_any_errors(world));
  ddr_world_free(world);
}

static void any_population_keeps_its_order(void) {
  static const int64_t sizes[] = {1, 2, 5, 63, 300, 1024, 2500};
  for (int64_t seed = 0; seed < (int64_t)test_rounds(12); seed++) {
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      for (uint32_t n_workers = 1; n_workers <= 4; n_workers++) compare(seed, sizes[k], n_workers);
    }
  }
}

/* --- prints ----------------------------------------------------------------------------------- */

typedef struct {
  char *text;
  size_t len, capacity;
} Log;

static bool append(void *data, const char *text) {
  Log *log = data;
  const size_t n = strlen(text);
  if (log->len + n + 1 > log->capacity) {
    log->capacity = 2 * (log->len + n + 1);
    log->text = realloc(log->text, log->capacity);
    if (!log->text) abort();
  }
  memcpy(log->text + log->len, text, n + 1);
  log->len += n;
  return false;
}

static ddr_strand_status talk(const Swarm *swarm, ddr_block *block, int64_t slot,
                              SwarmState *self) {
  for (int k = 0; k < (int)(self->id % 3); k++) {
    ddr_put_string(block->text, "strand ");
    ddr_put_int(block->text, self->id);
    ddr_put_string(block->text, " at ");
    ddr_put_int(block->text, slot);
    ddr_put_string(block->text, "\n");
    ddr_print_end(block->text);
  }
  return update(swarm, block, slot, self);
}

static void say_step(Swarm *swarm, ddr_world *world, ddr_strands *strands) {
  (void)swarm;
  ddr_put_int(ddr_world_text(world), strands->n_slots);
  ddr_put_string(ddr_world_text(world), " strands\n");
  ddr_print_end(ddr_world_text(world));
}

/* What the program prints on n_workers threads; to be freed. */
static char *transcript(bool is_lockstep, uint32_t n_workers) {
  int64_t seed = 7;
  Log log = {0};
  ddr_program program = swarm_program;
  program.is_lockstep = is_lockstep;
  if (!is_lockstep) program.global_update = NULL;
  const Swarm script = {.n = 700, .update = talk, .global_update = say_step, .data = &seed};
  ddr_world *world = swarm_start(&program, &script, n_workers);
  ddr_set_printer(world, append, &log);
  ddr_world_run(world, 6);
  ddr_world_free(world);
  append(&log, "end\n");
  return log.text;
}

static void prints_come_in_rank_order(void) {
  for (int is_lockstep = 0; is_lockstep < 2; is_lockstep++) {
    char *want = transcript(is_lockstep, 1);
    CHECK(strlen(want) > 10000);
    for (uint32_t n_workers = 2; n_workers <= 8; n_workers++) {
      char *text = transcript(is_lockstep, n_workers);
      CHECK(strcmp(text, want) == 0);
      free(text);
    }
    free(want);
  }
}

int main(void) {
  RUN(any_population_keeps_its_order);
  RUN(prints_come_in_rank_order);
  return test_result();
}
