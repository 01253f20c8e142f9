/* Neighbour lists: resting strands find what a scan of all strands finds, for any number of
 * supersteps, and when they move again; lists exist while strands rest, and their size is
 * limited. */
#include "ddr/lanes/hits.h"
#include "runtime/src/space/local.h"
#include "swarm_program.h"
#include "tests/unit/test.h"

enum { N = 300, REST = 4 /* supersteps; in the last of them all strands move */ };

/* A ball that never changes, one that changes in every second superstep, one elsewhere, and one
 * that only this strand asks for: more than are kept. */
static bool all_agree(ddr_block *block, const SwarmState *self, int64_t slot) {
  const float ahead[] = {self->pos[0] + 0.1f, self->pos[1], self->pos[2]};
  const int32_t now = self->n_updates;
  const struct {
    const float *at;
    float reach;
  } balls[] = {{self->pos, 0.2f},
               {self->pos, now % 2 ? 0.1f : 0.15f},
               {ahead, 0.2f},
               {self->pos, 0.05f + 0.01f * (float)now},
               {self->pos, 0.2f}};
  bool do_agree = true;
  for (size_t k = 0; k < sizeof balls / sizeof *balls; k++)
    do_agree &= swarm_sphere_agrees(block, balls[k].at, balls[k].reach, slot);
  return do_agree;
}

/* After a rest some move, one dies, and one is born. */
static ddr_strand_status rest(const Swarm *swarm, ddr_block *block, int64_t slot,
                              SwarmState *self) {
  _Atomic int64_t *n_wrong = swarm->data;
  if (!all_agree(block, self, slot)) atomic_fetch_add(n_wrong, 1);
  const int32_t now = ++self->n_updates;
  if (now % REST != 0) return DDR_ACTIVE;
  if (slot % 3 == 0) self->pos[now / REST % 3] += 0.07f;
  if (slot == 11) *(SwarmState *)ddr_new_strand(block) = (SwarmState){.id = now, .n_updates = now};
  return slot == 2 ? DDR_DEAD : DDR_ACTIVE;
}

/* From the second superstep of a rest on, lists are kept, and afterwards there are some. */
static void look(Swarm *swarm, ddr_world *world, ddr_strands *strands) {
  (void)strands;
  const ddr_neighbours *lists = world->index->neighbours;
  const bool is_at_rest = swarm->step % REST != 0;
  CHECK_EQ(lists && lists->is_open, is_at_rest);
  int64_t n_lists = 0;
  for (int64_t k = 0; is_at_rest && k < lists->n_slots; k++) n_lists += lists->first_of[k] != NULL;
  CHECK_EQ(n_lists > 0, is_at_rest);
  swarm->step++;
}

static void resting_strands_find_what_a_scan_finds(void) {
  for (uint32_t n_workers = 1; n_workers <= 3; n_workers++) {
    _Atomic int64_t n_wrong = 0;
    const Swarm script = {
        .n = N, .create = swarm_scatter, .update = rest, .global_update = look, .data = &n_wrong};
    ddr_world *world = swarm_start(&swarm_program, &script, n_workers);
    CHECK_EQ(ddr_world_run(world, 5 * REST), 5 * REST);
    CHECK_EQ(atomic_load(&n_wrong), 0);
    ddr_world_free(world);
  }
}

/* Strands at n positions query all others. */
static ddr_strand_status ask_for_all(const Swarm *swarm, ddr_block *block, int64_t slot,
                                     SwarmState *self) {
  (void)swarm;
  self->value = ddr_sphere(block, self->pos, 1e9f, slot).length;
  return DDR_ACTIVE;
}

/* Constant variables are published once, and the index and its lists stay. */
static void check_fixed(int64_t n, uint32_t n_workers) {
  ddr_program program = swarm_program;
  program.shares_fixed = true;
  const Swarm script = {.n = n, .create = swarm_scatter, .update = ask_for_all};
  ddr_world *world = swarm_start(&program, &script, n_workers);
  CHECK_EQ(ddr_world_run(world, 2), 2);
  const uint64_t version = world->store->version_of_places;
  CHECK_EQ(ddr_world_run(world, 3), 3);
  CHECK_EQ(world->store->version_of_places, version);
  CHECK(world->index->neighbours && world->index->neighbours->is_open);
  CHECK_EQ(swarm_state(world, 0)->value, n - 1);
  ddr_world_free(world);
}

/* With few strands, and with many, which run in spatial order. */
static void fixed_positions_are_indexed_once(void) {
  for (uint32_t n_workers = 1; n_workers <= 3; n_workers++) {
    check_fixed(12, n_workers);
    check_fixed(N, n_workers);
  }
}

static size_t bytes_of_lists(const ddr_neighbours *lists) {
  size_t n_bytes = 0;
  for (int64_t k = 0; k < lists->n_slots; k++)
    for (const ddr_neighbour_list *list = lists->first_of[k]; list; list = list->next)
      n_bytes += sizeof *list + list->n * sizeof(uint32_t);
  return n_bytes;
}

/* Every strand is a neighbour of all others; the longest list that is kept has a thousand
 * entries. */
static void lists_do_not_take_all_memory(void) {
  enum { MANY = 900 };
  const Swarm script = {.n = MANY, .create = swarm_scatter, .update = ask_for_all};
  ddr_world *world = swarm_start(&swarm_program, &script, 2);
  CHECK_EQ(ddr_world_run(world, 4), 4);
  const size_t n_bytes = bytes_of_lists(world->index->neighbours);
  CHECK(n_bytes > 0 && n_bytes <= MANY * 512);
  for (int64_t slot = 0; slot < MANY; slot++) CHECK_EQ(swarm_state(world, slot)->value, MANY - 1);
  ddr_world_free(world);
}

/* --- gangs ------------------------------------------------------------------------------------ */

enum { LONG_REST = 7 };

/* Whether each lane that asks finds what its strand finds alone, and the others nothing. */
static bool gang_agrees(ddr_block *block, const ddr_gang *gang, ddr_vmask mask, float radius) {
  ddr_vreal pos[3], radii = ddr_vreal_all(radius);
  for (int lane = 0; lane < DDR_LANES; lane++)
    for (int k = 0; k < 3; k++) pos[k][lane] = swarm_before(block, gang->slot[lane])->pos[k];
  ddr_ask_together(block);
  const ddr_vhits hits = ddr_vsphere3(block, gang, mask, pos[0], pos[1], pos[2], radii);
  bool do_agree = true;
  for (int lane = 0; lane < DDR_LANES; lane++) {
    const ddr_seq alone =
        ddr_sphere3(block, pos[0][lane], pos[1][lane], pos[2][lane], radius, gang->slot[lane]);
    do_agree &= hits.length[lane] == (mask[lane] ? ddr_seq_length(alone) : 0);
    for (ddr_int k = 0; mask[lane] && k < ddr_seq_length(alone); k++)
      do_agree &= ddr_hit_of_lane(&hits, lane, k) == ddr_seq_slot(alone, k);
  }
  return do_agree;
}

/* Strand 0 asks for four gangs: two with the same first and last lane, one with a lane that does
 * not ask, and one that others join as time goes by. */
static ddr_strand_status ask_in_gangs(const Swarm *swarm, ddr_block *block, int64_t slot,
                                      SwarmState *self) {
  if (slot == 0) {
    for (int number = 0; number < 4; number++) {
      ddr_gang gang;
      ddr_gang_open(&gang);
      for (int lane = 0; lane < DDR_LANES; lane++) gang.slot[lane] = 20 * (number / 2) + 5 * lane;
      if (number == 1) gang.slot[1] = 100;
      if (number == 3) gang.slot[DDR_LANES - 1] = 200 + self->n_updates;
      ddr_vmask mask = ddr_vbool_all(true);
      if (number == 2) mask[0] = 0;
      self->value += !gang_agrees(block, &gang, mask, 0.3f);
    }
  }
  const bool moves = ++self->n_updates % LONG_REST == 0;
  if (moves && slot % 3 == 0) self->pos[self->n_updates / LONG_REST % 3] += 0.07f;
  return swarm->n > 0 ? DDR_ACTIVE : DDR_STABLE;
}

/* Counts the gangs that are kept, and may put a wrong slot into their first rows. */
static int64_t look_at_gangs(const ddr_neighbours *lists, bool is_to_spoil) {
  int64_t n = 0;
  for (int64_t k = 0; lists && lists->is_open && k < lists->n_slots; k++)
    for (ddr_neighbour_list *list = lists->first_of[k]; list; list = list->next) {
      n += list->gang != NULL;
      for (int lane = 0; is_to_spoil && list->gang && lane < DDR_LANES; lane++)
        list->gang->found.rows[lane] = N;
    }
  return n;
}

static void gangs_find_what_their_strands_find(void) {
  const Swarm script = {.n = N, .create = swarm_scatter, .update = ask_in_gangs};
  ddr_world *world = swarm_start(&swarm_program, &script, 1);
  for (uint32_t step = 1; step < 3 * LONG_REST; step++) {
    CHECK_EQ(ddr_world_run(world, 1), 1);
    const bool is_kept = look_at_gangs(world->index->neighbours, false) > 0;
    CHECK_EQ(is_kept, (step - 1) % LONG_REST > 1);
  }
  CHECK_EQ(swarm_state(world, 0)->value, 0);
  ddr_world_free(world);
}

/* Rows that are kept are not made again: whoever spoils them changes what the gang finds. Those of
 * the first two gangs take turns with each other. */
static void gangs_read_rows_that_are_kept(void) {
  const Swarm script = {.n = N, .create = swarm_scatter, .update = ask_in_gangs};
  ddr_world *world = swarm_start(&swarm_program, &script, 1);
  CHECK_EQ(ddr_world_run(world, LONG_REST - 2), LONG_REST - 2);
  CHECK_EQ(swarm_state(world, 0)->value, 0);
  CHECK_EQ(look_at_gangs(world->index->neighbours, true), 2);
  CHECK_EQ(ddr_world_run(world, 1), 1);
  CHECK_EQ(swarm_state(world, 0)->value, 1);
  ddr_world_free(world);
}

static void strands_go_before_lists(void) {
  const Swarm script = {.n = N, .create = swarm_scatter, .update = ask_for_all};
  ddr_world *world = swarm_start(&swarm_program, &script, 1);
  atomic_store(&world->memory.most, world->memory.n_store_bytes + 1000);
  CHECK_EQ(ddr_world_run(world, 4), 4);
  CHECK(!world->index->neighbours);
  CHECK_EQ(swarm_state(world, 0)->value, N - 1);
  ddr_world_free(world);
}

int main(void) {
  RUN(resting_strands_find_what_a_scan_finds);
  RUN(fixed_positions_are_indexed_once);
  RUN(lists_do_not_take_all_memory);
  RUN(gangs_find_what_their_strands_find);
  RUN(gangs_read_rows_that_are_kept);
  RUN(strands_go_before_lists);
  return test_result();
}
