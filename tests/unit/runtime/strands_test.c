/* Life cycle: which strands are counted, in outputs, and run after each event; limits for every
 * kind of program; global stabilize and die; what strands see of each other; files of
 * collections. */
#include "swarm_program.h"

#include "files.h"

static int64_t n_updates(const ddr_world *world, int64_t slot) {
  return swarm_state(world, slot)->n_updates;
}

/* Checks the ids of the living, as text. */
static void check_ids(const ddr_world *world, const char *want) {
  char text[256] = "", one[24];
  for (int64_t slot = 0; slot < world->store->strands.n_slots; slot++) {
    snprintf(one, sizeof one, "%lld ", (long long)swarm_state(world, slot)->id);
    strncat(text, one, sizeof text - strlen(text) - 1);
  }
  CHECK_STR(text, want);
}

/* --- counts ----------------------------------------------------------------------------------- */

/* Any number of statuses, at any address. */
static void statuses_are_counted(void) {
  uint8_t status[700];
  for (int k = 0; k < 700; k++) status[k] = (uint8_t)((k * k + k / 3) % (DDR_DEAD + 1));
  for (int begin = 0; begin < 40; begin += 13) {
    for (int n = 0; n < 600; n++) {
      int n_stable = 0, n_running = 0;
      for (int k = begin; k < begin + n; k++) {
        n_stable += status[k] == DDR_STABLE;
        n_running += status[k] <= DDR_NEW;
      }
      CHECK_EQ(ddr_count_status(status + begin, n, DDR_STABLE, DDR_STABLE), n_stable);
      CHECK_EQ(ddr_count_status(status + begin, n, 0, DDR_NEW), n_running);
    }
  }
  memset(status, DDR_STABLE, sizeof status);
  CHECK_EQ(ddr_count_status(status, 700, DDR_STABLE, DDR_STABLE), 700);
}

/* --- limits ----------------------------------------------------------------------------------- */

/* Strand k becomes stable in update k + 1; every third strand dies instead. */
static ddr_strand_status end_by_id(const Swarm *swarm, ddr_block *block, int64_t slot,
                                   SwarmState *self) {
  (void)block;
  (void)slot;
  const bool may_die = swarm->data != NULL;
  if (++self->n_updates <= self->id) return DDR_ACTIVE;
  return may_die && self->id % 3 == 0 ? DDR_DEAD : DDR_STABLE;
}

static void check_limits(bool is_collection, bool is_lockstep) {
  ddr_program program = swarm_program;
  program.is_collection = is_collection;
  program.is_lockstep = is_lockstep;
  if (!is_lockstep) program.global_update = NULL;
  program.is_dual = is_lockstep;
  program.pos_dim = 0;
  char dies = 0;
  const Swarm script = {.n = 7,
                        .update = end_by_id,
                        .stabilize = swarm_count_stabilize,
                        .data = is_collection ? &dies : NULL};
  ddr_world *world = swarm_start(&program, &script, 1);
  check_ids(world, "0 1 2 3 4 5 6 ");
  CHECK_EQ(ddr_num_active(world), 7);
  CHECK_EQ(ddr_world_run(world, 1), 1);
  check_ids(world, is_collection ? "1 2 3 4 5 6 " : "0 1 2 3 4 5 6 ");
  CHECK_EQ(ddr_num_active(world), 6);
  CHECK_EQ(ddr_world_run(world, 3), 3);
  check_ids(world, is_collection ? "1 2 4 5 6 " : "0 1 2 3 4 5 6 ");
  CHECK(ddr_num_active(world) == 3 && ddr_num_stable(world) == (is_collection ? 2 : 4));
  CHECK(ddr_output_save(world, 0, "limit.txt") == DDR_OK);
  files_check("limit.txt", is_collection ? "1\n2\n" : "0\n1\n2\n3\n4\n5\n6\n");
  CHECK_EQ(ddr_world_run(world, 0), 3);
  CHECK(ddr_num_active(world) == 0 && ddr_world_run(world, 0) == 0 && ddr_world_run(world, 5) == 0);
  check_ids(world, is_collection ? "1 2 4 5 " : "0 1 2 3 4 5 6 ");
  for (int64_t slot = 0; slot < world->store->strands.n_slots; slot++) {
    CHECK_EQ(n_updates(world, slot), swarm_state(world, slot)->id + 1);
    CHECK_EQ(swarm_state(world, slot)->n_stabilizes, 1);
  }
  CHECK(!ddr_any_errors(world) && world->store->n_steps == 7);
  ddr_world_free(world);
}

static void limits_are_kept_by_every_kind(void) {
  check_limits(true, true);
  check_limits(true, false);
  check_limits(false, true);
  check_limits(false, false);
}

static void a_collection_of_nobody_ends_at_once(void) {
  const Swarm script = {.n = 0, .update = end_by_id};
  ddr_world *world = swarm_start(&swarm_program, &script, 2);
  CHECK(ddr_world_run(world, 0) == 0 && ddr_num_strands(world) == 0 && !ddr_any_errors(world));
  CHECK(ddr_output_save(world, 0, "none.txt") == DDR_ERROR && !files_exist("none.txt"));
  CHECK(ddr_snapshot_save(world, 0, "none") == DDR_ERROR);
  char *errors = ddr_take_errors(world);
  CHECK_STR(errors, "[DIDEROT] no strands are alive, so there is no snapshot at step 0\n"
                    "[DIDEROT] id: no stable strands, so no output\n");
  free(errors);
  ddr_world_free(world);
}

/* --- global stabilize and die ----------------------------------------------------------------- */

/* Strand 0 becomes stable, 1 dies, 2 creates a strand, 3 continues. */
static ddr_strand_status one_of_each(const Swarm *swarm, ddr_block *block, int64_t slot,
                                     SwarmState *self) {
  (void)swarm;
  (void)slot;
  self->n_updates++;
  if (self->id == 2) {
    SwarmState *child = ddr_new_strand(block);
    *child = (SwarmState){.id = 10 + self->n_updates};
  }
  return self->id == 0 ? DDR_STABLE : self->id == 1 ? DDR_DEAD : DDR_ACTIVE;
}

static void stabilize_in_the_second(Swarm *swarm, ddr_world *world, ddr_strands *strands) {
  if (swarm->step++ == 0) return;
  CHECK(ddr_num_active(world) == 4 && ddr_num_stable(world) == 1);
  ddr_stabilize_all(world);
  CHECK(ddr_num_active(world) == 0 && ddr_num_stable(world) == 5);
  CHECK(ddr_strand_is(strands, 4, DDR_SET_STABLE) && !ddr_strand_is(strands, 4, DDR_SET_ACTIVE));
  ddr_stabilize_all(world); /* no strand is left */
}

static void global_stabilize_reaches_the_newborn(void) {
  const Swarm script = {.n = 4,
                        .update = one_of_each,
                        .stabilize = swarm_count_stabilize,
                        .global_update = stabilize_in_the_second};
  ddr_world *world = swarm_start(&swarm_program, &script, 1);
  CHECK_EQ(ddr_world_run(world, 0), 2);
  check_ids(world, "0 2 3 11 12 ");
  for (int64_t slot = 0; slot < 5; slot++) CHECK_EQ(swarm_state(world, slot)->n_stabilizes, 1);
  CHECK(n_updates(world, 0) == 1 && n_updates(world, 2) == 2);
  CHECK(n_updates(world, 3) == 1 && n_updates(world, 4) == 0);
  ddr_world_free(world);
}

static void kill_in_the_second(Swarm *swarm, ddr_world *world, ddr_strands *strands) {
  if (swarm->step++ == 0) return;
  ddr_kill_all(world);
  CHECK(strands->n_slots == 1 && ddr_num_active(world) == 0 && ddr_num_stable(world) == 1);
}

static void global_die_spares_the_stable(void) {
  const Swarm script = {.n = 4, .update = one_of_each, .global_update = kill_in_the_second};
  ddr_world *world = swarm_start(&swarm_program, &script, 1);
  CHECK_EQ(ddr_world_run(world, 0), 2);
  check_ids(world, "0 ");
  ddr_world_free(world);
}

static void end_before_the_start(Swarm *swarm, ddr_world *world, ddr_strands *strands) {
  (void)strands;
  if (swarm->data) ddr_kill_all(world);
  else ddr_stabilize_all(world);
}

static void global_start_may_end_it_all(void) {
  char kills = 0;
  Swarm script = {.n = 4,
                  .update = one_of_each,
                  .stabilize = swarm_count_stabilize,
                  .global_start = end_before_the_start};
  for (int k = 0; k < 2; k++) {
    script.data = k == 0 ? NULL : &kills;
    ddr_world *world = swarm_start(&swarm_program, &script, 1);
    CHECK_EQ(ddr_world_run(world, 0), 0);
    check_ids(world, k == 0 ? "0 1 2 3 " : "");
    CHECK(k == 1 || swarm_state(world, 3)->n_stabilizes == 1);
    ddr_world_free(world);
  }
}

/* --- what strands see ------------------------------------------------------------------------- */

/* A row of strands: each takes the greatest value of its neighbours and itself. */
static ddr_strand_status pass_on(const Swarm *swarm, ddr_block *block, int64_t slot,
                                 SwarmState *self) {
  (void)swarm;
  const ddr_seq near = ddr_sphere(block, self->pos, 1.5f, slot);
  for (ddr_int k = 0; k < near.length; k++) {
    const int64_t value = swarm_before(block, ddr_seq_slot(near, k))->value;
    if (value > self->value) self->value = value;
  }
  self->n_updates++;
  return DDR_ACTIVE;
}

static ddr_strand_status take_place(const Swarm *swarm, ddr_block *block, int64_t slot,
                                    SwarmState *self) {
  (void)swarm;
  (void)block;
  self->pos[0] = (float)slot;
  self->value = slot == 0;
  return DDR_NEW;
}

static void information_moves_one_hop_per_superstep(void) {
  enum { N = 40 };
  const Swarm script = {.n = N, .create = take_place, .update = pass_on};
  for (uint32_t n_workers = 1; n_workers < 4; n_workers++) {
    ddr_world *world = swarm_start(&swarm_program, &script, n_workers);
    for (int64_t step = 1; step < N; step++) {
      ddr_world_run(world, 1);
      for (int64_t slot = 0; slot < N; slot++) {
        CHECK_EQ(swarm_state(world, slot)->value, slot <= step);
      }
    }
    ddr_world_free(world);
  }
}

/* In the first superstep strand 1 becomes stable and 2 dies; the others see their old states. */
static ddr_strand_status see_the_end(const Swarm *swarm, ddr_block *block, int64_t slot,
                                     SwarmState *self) {
  (void)swarm;
  int64_t sum = 0;
  const ddr_seq near = ddr_sphere(block, self->pos, 100, slot);
  for (ddr_int k = 0; k < near.length; k++) {
    sum += swarm_before(block, ddr_seq_slot(near, k))->value;
  }
  const bool is_first = self->n_updates++ == 0;
  if (self->id == 0 || self->id == 3) {
    self->value += sum * 1000;
    return is_first ? DDR_ACTIVE : DDR_STABLE;
  }
  self->value *= 7;
  return self->id == 1 ? DDR_STABLE : DDR_DEAD;
}

static ddr_strand_status add_place(const Swarm *swarm, ddr_block *block, int64_t slot,
                                   SwarmState *self) {
  (void)swarm;
  (void)block;
  self->pos[1] = (float)slot;
  self->value = 1 << slot;
  return DDR_NEW;
}

static void ending_strands_are_seen_as_they_were(void) {
  const Swarm script = {.n = 4, .create = add_place, .update = see_the_end};
  ddr_world *world = swarm_start(&swarm_program, &script, 1);
  ddr_world_run(world, 1);
  check_ids(world, "0 1 3 ");
  CHECK_EQ(swarm_state(world, 0)->value, 1 + 1000 * (2 + 4 + 8));
  CHECK_EQ(swarm_state(world, 1)->value, 14);
  CHECK_EQ(swarm_state(world, 2)->value, 8 + 1000 * (1 + 2 + 4));
  ddr_world_run(world, 1);
  CHECK_EQ(swarm_state(world, 0)->value, 14001 + 1000 * (14 + 7008));
  CHECK_EQ(swarm_state(world, 2)->value, 7008 + 1000 * (14001 + 14));
  ddr_world_free(world);
}

/* Every strand sees the counts of the start of the superstep. */
static ddr_strand_status read_counts(const Swarm *swarm, ddr_block *block, int64_t slot,
                                     SwarmState *self) {
  (void)swarm;
  (void)slot;
  self->value = 10000 * block->n_strands + 100 * block->n_active + block->n_stable;
  self->n_updates++;
  if (self->id == 9) ((SwarmState *)ddr_new_strand(block))->id = 50;
  return self->id % 3 == 0 ? DDR_DEAD : self->id % 3 == 1 ? DDR_STABLE : DDR_ACTIVE;
}

static void counts_are_those_of_the_start(void) {
  const Swarm script = {.n = 12, .update = read_counts};
  ddr_world *world = swarm_start(&swarm_program, &script, 3);
  ddr_world_run(world, 1);
  for (int64_t slot = 0; slot < 8; slot++) CHECK_EQ(swarm_state(world, slot)->value, 121200);
  ddr_world_run(world, 1);
  /* 2 5 8 11 and the child run; 1 4 7 10 are stable. */
  CHECK_EQ(swarm_state(world, 1)->value, 90504);
  ddr_world_free(world);
}

/* --- files ------------------------------------------------------------------------------------ */

static void snapshots_hold_all_that_live(void) {
  const Swarm script = {.n = 4, .update = one_of_each};
  ddr_world *world = swarm_start(&swarm_program, &script, 1);
  CHECK(ddr_snapshot_save(world, 0, "all") == DDR_OK && files_exist("all-0000.nrrd"));
  ddr_world_run(world, 2);
  CHECK(ddr_snapshot_save(world, 0, "all") == DDR_OK);
  static const int64_t ids[] = {0, 2, 3, 11, 12};
  static const char header[] = "NRRD0003\n# Complete NRRD file format specification at:\n"
                               "# http://teem.sourceforge.net/nrrd/format.html\n"
                               "type: long long int\ndimension: 1\nsizes: 5\nkinds: list\n"
                               "endian: little\nencoding: raw\n\n";
  size_t n = 0;
  char *bytes = files_read("all-0002.nrrd", &n);
  if (CHECK(bytes) && CHECK_EQ(n, sizeof header - 1 + sizeof ids)) {
    CHECK(memcmp(bytes, header, sizeof header - 1) == 0);
    CHECK(memcmp(bytes + sizeof header - 1, ids, sizeof ids) == 0);
  }
  free(bytes);
  CHECK(ddr_output_save(world, 0, "stable.txt") == DDR_OK);
  files_check("stable.txt", "0\n");
  CHECK(ddr_snapshot_save(world, 0, "nofolder/all") == DDR_ERROR);
  world->store->n_steps = 12345;
  CHECK(ddr_snapshot_save(world, 1, "late") == DDR_OK && files_exist("late-12345.nrrd"));
  ddr_world_free(world);
}

/* --- what ended is seen as it ended ----------------------------------------------------------- */

enum { BIRTH = 5 };

/* Strand k runs in supersteps 1 to k / 2 + 1, so whole blocks end one after another. */
static int64_t value_after(int64_t id, int64_t n_steps) {
  const int64_t last = id / 2 + 1;
  return n_steps < last ? n_steps : last;
}

/* Each strand sees the states of all others at the start of the superstep.  The last one creates a
 * strand. */
static ddr_strand_status see_all(const Swarm *swarm, ddr_block *block, int64_t slot,
                                 SwarmState *self) {
  _Atomic int64_t *n_wrong = swarm->data;
  for (int64_t other = 0; other < block->strands->n_slots; other++) {
    const SwarmState *before = swarm_before(block, other);
    *n_wrong += before->value != value_after(before->id, swarm->step);
  }
  SwarmState *child = swarm->step == BIRTH && slot == swarm->n - 1 ? ddr_new_strand(block) : NULL;
  if (child) *child = (SwarmState){.id = swarm->n, .value = BIRTH + 1};
  self->value = swarm->step + 1;
  return self->value == value_after(self->id, swarm->n) ? DDR_STABLE : DDR_ACTIVE;
}

static void count_step(Swarm *swarm, ddr_world *world, ddr_strands *strands) {
  (void)world;
  (void)strands;
  swarm->step++;
}

static void check_that_all_are_seen(int64_t n, uint32_t n_workers) {
  _Atomic int64_t n_wrong = 0;
  const Swarm script = {.n = n, .update = see_all, .global_update = count_step, .data = &n_wrong};
  ddr_world *world = swarm_start(&swarm_program, &script, n_workers);
  CHECK_EQ(ddr_world_run(world, 0), n / 2 + 1);
  CHECK_EQ(n_wrong, 0);
  for (int64_t slot = 0; slot <= n; slot++)
    CHECK_EQ(swarm_state(world, slot)->value, value_after(slot, n));
  ddr_world_free(world);
}

/* With few strands, with many, which run in spatial order, and with too many for a third column. */
static void strands_that_ended_are_seen_in_all_later_supersteps(void) {
  for (uint32_t n_workers = 1; n_workers < 4; n_workers++) {
    check_that_all_are_seen(12, n_workers);
    check_that_all_are_seen(24, n_workers);
    check_that_all_are_seen(200, n_workers);
  }
}

int main(void) {
  files_enter();
  RUN(statuses_are_counted);
  RUN(limits_are_kept_by_every_kind);
  RUN(a_collection_of_nobody_ends_at_once);
  RUN(global_stabilize_reaches_the_newborn);
  RUN(global_die_spares_the_stable);
  RUN(global_start_may_end_it_all);
  RUN(information_moves_one_hop_per_superstep);
  RUN(ending_strands_are_seen_as_they_were);
  RUN(strands_that_ended_are_seen_in_all_later_supersteps);
  RUN(counts_are_those_of_the_start);
  RUN(snapshots_hold_all_that_live);
  files_leave();
  return test_result();
}
