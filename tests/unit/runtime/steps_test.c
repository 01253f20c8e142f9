/* A worked example of births, deaths and stable strands: six strands, eleven supersteps. */
#include "swarm_program.h"
#include "tests/unit/test.h"

enum { N_STRANDS = 6, N_STEPS = 11 };

/* Digits of strands 5 .. 0 in the global update of each superstep, and in the snapshot before
 * it. */
static const struct {
  const char *snapshot, *global;
} chronology[N_STEPS + 1] = {
    {"001111", "003333"}, {"003333", "003330"}, {"003330", "003330"}, {"003330", "003370"},
    {"003370", "003370"}, {"003370", "013370"}, {"013370", "033370"}, {"033370", "030770"},
    {"030770", "030770"}, {"030770", "170770"}, {"170770", "070770"}, {"070770", ""},
};

typedef struct {
  char global[N_STEPS][N_STRANDS + 1];
  bool is_seen[N_STEPS][N_STRANDS]; /* by strand 2, or later by strand 4 */
  bool counts_agree;
} Log;

static void digits(const ddr_world *world, char text[N_STRANDS + 1]) {
  memset(text, '0', N_STRANDS);
  text[N_STRANDS] = '\0';
  for (int64_t slot = 0; slot < world->store->strands.n_slots; slot++) {
    const SwarmState *state = swarm_state(world, slot);
    text[N_STRANDS - 1 - state->id] = (char)('0' + state->bits);
  }
}

static ddr_strand_status create(const Swarm *swarm, ddr_block *block, int64_t slot,
                                SwarmState *self) {
  (void)swarm;
  (void)block;
  self->pos[0] = (float)slot;
  return DDR_NEW;
}

static void give_birth(ddr_block *block, int64_t id) {
  SwarmState *child = ddr_new_strand(block);
  if (CHECK(child && child->id == 0 && child->bits == 0)) {
    *child = (SwarmState){.id = id, .bits = 1, .pos[0] = (float)id};
  }
}

static void look(const Swarm *swarm, ddr_block *block, int64_t slot, const SwarmState *self) {
  Log *log = swarm->data;
  const ddr_seq seq = ddr_sphere(block, self->pos, 100, slot);
  for (ddr_int k = 0; k < seq.length; k++) {
    log->is_seen[swarm->step][swarm_before(block, ddr_seq_slot(seq, k))->id] = true;
  }
}

/* What happens at which count to which strand, and its child, if any. */
static const struct {
  int64_t step, id;
  ddr_strand_status end;
  int64_t child;
} events[] = {
    {1, 0, DDR_DEAD, 0}, {3, 1, DDR_STABLE, 0}, {5, 3, DDR_ACTIVE, 4}, {7, 2, DDR_STABLE, 0},
    {7, 3, DDR_DEAD, 0}, {9, 4, DDR_STABLE, 5}, {10, 5, DDR_DEAD, 0},
};

static ddr_strand_status update(const Swarm *swarm, ddr_block *block, int64_t slot,
                                SwarmState *self) {
  self->bits |= 2;
  if (self->id == (swarm->step < 8 ? 2 : 4)) look(swarm, block, slot, self);
  for (size_t k = 0; k < sizeof events / sizeof *events; k++) {
    if (events[k].step != swarm->step || events[k].id != self->id) continue;
    if (events[k].child > 0) give_birth(block, events[k].child);
    return events[k].end;
  }
  return DDR_ACTIVE;
}

static ddr_strand_status stabilize(const Swarm *swarm, ddr_block *block, int64_t slot,
                                   SwarmState *self) {
  (void)swarm;
  (void)block;
  (void)slot;
  self->bits |= 4;
  return DDR_STABLE;
}

static void global_update(Swarm *swarm, ddr_world *world, ddr_strands *strands) {
  Log *log = swarm->data;
  uint64_t n[3] = {0};
  for (int64_t slot = 0; slot < strands->n_slots; slot++) {
    for (ddr_strand_set set = DDR_SET_ALL; set <= DDR_SET_STABLE; set++) {
      n[set] += ddr_strand_is(strands, slot, set);
    }
  }
  log->counts_agree = log->counts_agree && n[DDR_SET_ALL] == ddr_num_strands(world) &&
                      n[DDR_SET_ACTIVE] == ddr_num_active(world) &&
                      n[DDR_SET_STABLE] == ddr_num_stable(world);
  digits(world, log->global[swarm->step++]);
}

static void follow(uint32_t n_workers) {
  Log log = {.counts_agree = true};
  const Swarm script = {.n = 4,
                        .create = create,
                        .update = update,
                        .stabilize = stabilize,
                        .global_update = global_update,
                        .data = &log};
  ddr_world *world = swarm_start(&swarm_program, &script, n_workers);
  char text[N_STRANDS + 1];
  for (int step = 0; step < N_STEPS; step++) {
    digits(world, text);
    CHECK_STR(text, chronology[step].snapshot);
    CHECK_EQ(ddr_world_run(world, 1), 1);
    CHECK_STR(log.global[step], chronology[step].global);
  }
  digits(world, text);
  CHECK_STR(text, chronology[N_STEPS].snapshot);
  CHECK_EQ(ddr_world_run(world, 0), 0);
  CHECK(log.counts_agree && ddr_num_stable(world) == 3 && !ddr_any_errors(world));
  CHECK(log.is_seen[1][0] && !log.is_seen[2][0]);
  CHECK(!log.is_seen[5][4] && log.is_seen[6][4]);
  CHECK(log.is_seen[5][1] && log.is_seen[7][3] && !log.is_seen[8][3]);
  CHECK(log.is_seen[9][2] && !log.is_seen[9][3] && !log.is_seen[9][4] && !log.is_seen[9][5]);
  ddr_world_free(world);
}

static void happens_in_this_order(void) { follow(1); }

static void happens_so_on_several_threads(void) {
  for (int k = 0; k < 25; k++) follow(2 + (uint32_t)k % 3);
}

int main(void) {
  RUN(happens_in_this_order);
  RUN(happens_so_on_several_threads);
  return test_result();
}
