/* Neighbour lists: resting strands find what a scan of all strands finds, for any number of
 * supersteps, and when they move again; lists exist while strands rest, and their size is
 * limited. */
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
  RUN(strands_go_before_lists);
  return test_result();
}
