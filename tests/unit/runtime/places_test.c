/* Strands that run in spatial order: each runs once, even if its position is not finite, and
 * births, prints and results are those of rank order. */
#include <math.h>
#include <stdlib.h>

#include "runtime/src/space/space.h"
#include "swarm_program.h"
#include "tests/unit/test.h"

enum { N_STRANDS = 5000 };

typedef struct {
  _Atomic int64_t n_known; /* updates in which positions were indexed */
  int64_t n_printed, n_wrong, n_most;
  bool is_quiet; /* nothing is printed */
} Watch;

/* Neighbours by rank are far apart; some positions are not finite. */
static ddr_strand_status scatter(const Swarm *swarm, ddr_block *block, int64_t slot,
                                 SwarmState *self) {
  (void)swarm;
  (void)block;
  for (int k = 0; k < 3; k++) self->pos[k] = (float)((slot * (2749 + 2 * k)) % 4999);
  if (slot % 61 == 0) self->pos[slot % 3] = slot % 2 == 0 ? NAN : INFINITY;
  return DDR_NEW;
}

static ddr_strand_status live(const Swarm *swarm, ddr_block *block, int64_t slot,
                              SwarmState *self) {
  Watch *watch = swarm->data;
  if (ddr_places_known(block->world)) atomic_fetch_add(&watch->n_known, 1);
  self->n_updates++;
  self->value = ddr_sphere(block, self->pos, 300, slot).length;
  if (slot % 5 != 1 && !watch->is_quiet) {
    ddr_put_int(block->text, slot);
    ddr_print_end(block->text);
    ddr_put_string(block->text, slot % 2 == 0 ? "even" : "odd");
    ddr_print_end(block->text);
  }
  for (int64_t k = 0; k < slot % 4; k++) {
    SwarmState *child = ddr_new_strand(block);
    if (child) *child = (SwarmState){.id = 10 * self->id + k};
  }
  return slot % 9 == 0 ? DDR_DEAD : slot % 7 == 0 ? DDR_STABLE : DDR_ACTIVE;
}

static bool check_order(void *data, const char *text) {
  Watch *watch = data;
  const int64_t slot =
      watch->n_printed / 2 / 4 * 5 + (int64_t[]){0, 2, 3, 4}[watch->n_printed / 2 % 4];
  char want[32];
  snprintf(want, sizeof want, "%lld", (long long)slot);
  const char *word = slot % 2 == 0 ? "even" : "odd";
  watch->n_wrong += strcmp(text, watch->n_printed % 2 == 0 ? want : word) != 0;
  watch->n_printed++;
  return watch->n_most > 0 && watch->n_printed == watch->n_most;
}

/* The living in rank order, then the newborn in the order of their creators. */
static void check_ids(const ddr_world *world) {
  int64_t slot = 0;
  for (int64_t id = 0; id < N_STRANDS; id++) {
    if (id % 9 == 0) continue;
    const SwarmState *state = swarm_state(world, slot++);
    CHECK(state->id == id && state->n_updates == 1);
  }
  for (int64_t id = 0; id < N_STRANDS; id++) {
    for (int64_t k = 0; k < id % 4; k++) CHECK_EQ(swarm_state(world, slot++)->id, 10 * id + k);
  }
  CHECK_EQ(slot, world->store->strands.n_slots);
}

typedef struct {
  char other;
  float pos[3];
} Shared;

static void share(const ddr_strands *strands, int64_t begin, int64_t end, void *before) {
  const SwarmState *states = strands->state;
  Shared *shared = before;
  for (int64_t slot = begin; slot < end; slot++) {
    memcpy(shared[slot].pos, states[slot].pos, sizeof shared[slot].pos);
  }
}

/* As gangs do: takes blocks with slots, and says who made the strands born since. */
static uint32_t update_together(const void *memory, ddr_block *block, uint32_t max_steps) {
  const ddr_block all = *block;
  uint32_t most = 0;
  for (int64_t at = all.begin; at < all.end; at++) {
    const int64_t slot = all.slots ? all.slots[at] : at;
    block->begin = slot;
    block->end = slot + 1;
    const uint32_t n_steps = swarm_program.update(memory, block, max_steps);
    ddr_born_of(block, slot);
    if (n_steps > most) most = n_steps;
  }
  block->begin = all.begin;
  block->end = all.end;
  return most;
}

static void nobody_can_tell(const ddr_program *program, int64_t values[N_STRANDS]) {
  for (uint32_t n_workers = 1; n_workers <= 4; n_workers++) {
    Watch watch = {.is_quiet = program->takes_slots};
    const Swarm script = {.n = N_STRANDS, .create = scatter, .update = live, .data = &watch};
    ddr_world *world = swarm_start(program, &script, n_workers);
    ddr_set_printer(world, check_order, &watch);
    CHECK_EQ(ddr_world_run(world, 1), 1);
    CHECK_EQ(atomic_load(&watch.n_known), N_STRANDS);
    CHECK_EQ(watch.n_printed, watch.is_quiet ? 0 : 2 * N_STRANDS / 5 * 4);
    CHECK_EQ(watch.n_wrong, 0);
    check_ids(world);
    for (int64_t slot = 0; slot < 4000; slot++) {
      const int64_t value = swarm_state(world, slot)->value;
      if (n_workers == 1) values[slot] = value;
      else CHECK_EQ(value, values[slot]);
    }
    ddr_world_free(world);
  }
}

/* With whole states in the second column, and with only what is shared. */
static void both_kinds_of_columns_are_alike(void) {
  static int64_t whole[N_STRANDS], part[N_STRANDS];
  ddr_program program = swarm_program;
  program.share = share;
  program.shared_size = sizeof(Shared);
  program.shared_pos_offset = offsetof(Shared, pos);
  nobody_can_tell(&swarm_program, whole);
  nobody_can_tell(&program, part);
  CHECK(memcmp(whole, part, sizeof whole) == 0);
  const Swarm script = {.n = N_STRANDS, .create = scatter, .update = live};
  ddr_world *world = swarm_start(&program, &script, 1);
  const uint64_t least = N_STRANDS * (sizeof(SwarmState) + sizeof(Shared));
  const uint64_t n_bytes = world->memory.n_store_bytes;
  CHECK(n_bytes >= least && n_bytes <= least + 200);
  ddr_world_free(world);
}

/* Gangs that take slots compute what strands do one by one. */
static void gangs_are_alike(void) {
  static int64_t alone[N_STRANDS], together[N_STRANDS];
  ddr_program program = swarm_program;
  program.takes_slots = true;
  program.update = update_together;
  nobody_can_tell(&swarm_program, alone);
  nobody_can_tell(&program, together);
  CHECK(memcmp(alone, together, sizeof alone) == 0);
}

static void a_failing_printer_ends_the_prints(void) {
  Watch watch = {.n_most = 100};
  const Swarm script = {.n = N_STRANDS, .create = scatter, .update = live, .data = &watch};
  ddr_world *world = swarm_start(&swarm_program, &script, 2);
  ddr_set_printer(world, check_order, &watch);
  CHECK_EQ(ddr_world_run(world, 0), 1);
  CHECK(ddr_any_errors(world) && watch.n_printed == 100);
  ddr_world_free(world);
}

int main(void) {
  RUN(both_kinds_of_columns_are_alike);
  RUN(gangs_are_alike);
  RUN(a_failing_printer_ends_the_prints);
  return test_result();
}
