/* The index that the ranks of a machine make together: queries find what a scan finds, also where
 * it cannot be made together, and where it grows. */
#include <math.h>
#include <stdlib.h>

#include "ranks_engine.h"
#include "runtime/src/ranks/ranks.h"
#include "runtime/src/space/local.h"
#include "swarm_program.h"
#include "tests/unit/test.h"

/* In builds with small sizes a cell with three points is crowded: then strands are in pairs, at the
 * corners of a cube, and ask so far that each rank needs all of them. */
#if defined(DDR_SMALL_SIZES)
enum { N = 16, EACH = 1, ARE_IN_CORNERS = true };
static const float reach = 10;
#else
enum { N = 20000, EACH = 97, ARE_IN_CORNERS = false };
static const float reach = 0.06f;
#endif
enum { N_STEPS = 4 };

typedef enum { EVEN, CROWDED, NOWHERE, GROWING } Kind;

typedef struct Seen {
  Kind kind;
  _Atomic int n_wrong; /* queries that do not find what a scan finds */
  /* Strands after the first superstep, in which it is not known how far they ask; those with an
   * index that was made together. */
  _Atomic int n_asked, n_together;
} Seen;

static const Seen *seen_of(const Swarm *swarm) { return swarm->data; }

/* --- the program ------------------------------------------------------------------------------ */

static void scatter(SwarmState *self, int64_t slot) {
  static const double steps[] = {0.8191725, 0.6710436, 0.5497};
  for (int k = 0; k < 3; k++) self->pos[k] = (float)fmod(steps[k] * (double)slot, 1);
}

static void put_in_corner(SwarmState *self, int64_t slot) {
  for (int k = 0; k < 3; k++) self->pos[k] = (float)(slot >> k & 1) + 0.001f * (float)(slot / 8);
}

static ddr_strand_status appear(const Swarm *swarm, ddr_block *block, int64_t slot,
                                SwarmState *self) {
  const Kind kind = seen_of(swarm)->kind;
  (void)block;
  if (ARE_IN_CORNERS) put_in_corner(self, slot);
  else scatter(self, slot);
  for (int k = 0; k < 3 && kind == CROWDED && slot % 2 == 1; k++) self->pos[k] = 0.5f;
  return DDR_NEW;
}

static void bear(ddr_block *block, int64_t slot) {
  SwarmState *child = ddr_new_strand(block);
  if (child) scatter(child, slot + N);
}

static ddr_strand_status look(const Swarm *swarm, ddr_block *block, int64_t slot,
                              SwarmState *self) {
  Seen *seen = swarm->data;
  const bool is_asked = slot % EACH == 0; /* cppcheck-suppress moduloofone */
  if (is_asked && isfinite(self->pos[1]))
    seen->n_wrong += !swarm_sphere_agrees(block, self->pos, reach, slot);
  if (is_asked && self->n_updates > 0) {
    seen->n_asked++;
    seen->n_together += block->world->index->machine != NULL;
  }
  self->n_updates++;
  if (seen->kind == GROWING && slot % 3 == 0) bear(block, slot);
  self->pos[0] += 0.001f;
  if (seen->kind == NOWHERE && slot == N / 3 && self->n_updates == N_STEPS / 2) self->pos[1] = NAN;
  return DDR_ACTIVE;
}

/* --- runs ------------------------------------------------------------------------------------- */

static void live(const ddr_rank_engine *engine, void *data) {
  ddr_world *world = ddr_world_new(&swarm_program);
  if (!world || !ddr_ranks_join(world, engine)) abort();
  *swarm_of(world) = (Swarm){.n = N, .create = appear, .update = look, .data = data};
  world->workers->n = engine->n_ranks == 3 ? 2 : 1;
  ddr_world_create(world);
  ddr_world_run(world, N_STEPS);
  if (ddr_any_errors(world)) abort();
  ddr_world_free(world);
}

typedef enum { NEVER, AT_FIRST, ALWAYS } Times;

static void check(Kind kind, int n_ranks, int n_on_node, bool has_room, Times together) {
  Seen seen = {.kind = kind};
  ranks_live_on(n_ranks, n_on_node, has_room, live, &seen);
  CHECK(seen.n_asked >= (N_STEPS - 1) * (N / EACH));
  CHECK_EQ(seen.n_wrong, 0);
  CHECK_EQ(seen.n_together == seen.n_asked, together == ALWAYS);
  CHECK_EQ(seen.n_together == 0, together == NEVER);
}

static void ranks_of_a_machine_make_one_index(void) {
  check(EVEN, 2, 2, true, ALWAYS);
  check(EVEN, 3, 3, true, ALWAYS);
  if (!ARE_IN_CORNERS) check(EVEN, 4, 2, true, ALWAYS); /* else two have no strands */
}

static void each_rank_makes_its_own_without_room_or_others(void) {
  check(EVEN, 2, 2, false, NEVER);
  check(EVEN, 3, 1, true, NEVER);
}

static void each_rank_makes_its_own_of_crowds(void) { check(CROWDED, 3, 3, true, NEVER); }

static void each_rank_makes_its_own_with_points_nowhere(void) {
  check(NOWHERE, 2, 2, true, AT_FIRST);
}

static void it_grows(void) { check(GROWING, 2, 2, true, ARE_IN_CORNERS ? NEVER : ALWAYS); }

int main(void) {
  RUN(ranks_of_a_machine_make_one_index);
  RUN(each_rank_makes_its_own_without_room_or_others);
  RUN(each_rank_makes_its_own_of_crowds);
  RUN(each_rank_makes_its_own_with_points_nowhere);
  RUN(it_grows);
  return test_result();
}
