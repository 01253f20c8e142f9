/* Strands that are born, die, rest, query and print, divided among ranks: results are the same as
 * without ranks, for any number of them, even if most ranks have no strands. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "ranks_engine.h"
#include "runtime/src/space/local.h"
#include "runtime/src/strands/shares.h"
#include "swarm_program.h"
#include "tests/unit/test.h"

enum { MOST_TEXT = 1 << 20, MOST_STRANDS = 20000, N_STEPS = 12 };

/* What can be observed of a run. */
typedef struct Seen {
  char *text;
  size_t n_text;
  SwarmState *states;
  int64_t n_states;
  uint64_t n_active, n_stable;
  uint32_t n_steps;
  double sums[N_STEPS + 1];
  int64_t greatest[N_STEPS + 1];
  int n_wrong; /* sums that depend on how they were requested */
} Seen;

static Seen seen_new(void) {
  Seen seen = {.text = calloc(MOST_TEXT, 1), .states = calloc(MOST_STRANDS, sizeof(SwarmState))};
  if (!seen.text || !seen.states) abort();
  return seen;
}

static void seen_free(Seen *seen) {
  free(seen->text);
  free(seen->states);
}

static uint64_t mix(uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdu;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53u;
  return x ^ (x >> 33);
}

/* --- the script ------------------------------------------------------------------------------- */

static void place(SwarmState *self, uint64_t number) {
  for (int k = 0; k < 3; k++) self->pos[k] = (float)(mix(number + (uint64_t)k) % 1000) / 1000;
}

static ddr_strand_status appear(const Swarm *swarm, ddr_block *block, int64_t slot,
                                SwarmState *self) {
  (void)swarm;
  place(self, (uint64_t)slot * 3);
  if (slot % 7 != 0) return DDR_NEW;
  ddr_put_string(block->text, "made ");
  ddr_put_int(block->text, slot);
  ddr_print_end(block->text);
  return DDR_NEW;
}

static void bear(ddr_block *block, const SwarmState *self, uint64_t fate, int64_t slot) {
  for (uint64_t k = 0; k < fate && fate < 3; k++) {
    SwarmState *child = ddr_new_strand(block);
    if (!child) return;
    *child = (SwarmState){.id = self->id * 5 + (int64_t)k + 1000, .bits = 1, .value = slot};
    place(child, mix((uint64_t)child->id));
  }
}

/* Most initial strands die early, or all at the end, so that some ranks have none. */
static ddr_strand_status live(const Swarm *swarm, ddr_block *block, int64_t slot,
                              SwarmState *self) {
  const uint64_t fate = mix((uint64_t)(self->id * 64 + self->n_updates));
  const ddr_seq near = ddr_sphere(block, self->pos, swarm->n > 1000 ? 0.03f : 0.2f, slot);
  self->n_updates++;
  for (int64_t k = 0; k < near.length; k++) {
    const int64_t other = ddr_seq_slot(near, (int32_t)k);
    self->value = (self->value * 3 + swarm_before(block, other)->value + other) % 1000003;
  }
  self->pos[0] += 0.001f * (float)(fate % 5);
  if (fate % 11 == 0) {
    ddr_put_int(block->text, self->id);
    ddr_put_string(block->text, " lives\n");
    ddr_print_end(block->text);
  }
  bear(block, self, fate / 16 % 8, slot);
  if (self->n_updates > 3 && slot % 100 < *(const int64_t *)swarm->data) return DDR_DEAD;
  return fate / 128 % 6 == 0 ? DDR_DEAD : fate / 128 % 6 == 1 ? DDR_STABLE : DDR_ACTIVE;
}

/* No strand is born or dies, but the first half soon becomes stable: other ranks must help. */
static ddr_strand_status halve(const Swarm *swarm, ddr_block *block, int64_t slot,
                               SwarmState *self) {
  const ddr_seq near = ddr_sphere(block, self->pos, 0.1f, slot);
  self->n_updates++;
  for (int64_t k = 0; k < near.length; k++)
    self->value += swarm_before(block, ddr_seq_slot(near, (int32_t)k))->id % 7;
  self->pos[1] += 0.01f;
  return self->n_updates > 2 && slot < swarm->n / 2 ? DDR_STABLE : DDR_ACTIVE;
}

/* Strands near each other in rank are near each other in space, so a rank needs few rows of others;
 * now and then a strand queries farther than before, elsewhere, or is at no finite position. */
static ddr_strand_status wander(const Swarm *swarm, ddr_block *block, int64_t slot,
                                SwarmState *self) {
  const uint64_t fate = mix((uint64_t)(self->id * 64 + self->n_updates));
  if (self->n_updates == 0 && self->id < 100000) self->pos[0] = (float)slot / (float)swarm->n * 40;
  if (fate % 97 == 0) self->pos[2] += 0.5f;
  const bool is_curious = self->n_updates % 3 == 2 && fate % 41 == 0;
  const ddr_seq near = ddr_sphere(block, self->pos, is_curious ? 4 : 0.6f, slot);
  self->n_updates++;
  for (int64_t k = 0; k < near.length; k++) {
    const int64_t other = ddr_seq_slot(near, (int32_t)k);
    self->value = (self->value * 3 + swarm_before(block, other)->value + other) % 1000003;
  }
  self->pos[1] += 0.001f * (float)(fate % 5);
  if (fate % 301 == 0) self->pos[1] = NAN;
  bear(block, self, fate / 16 % 40, slot);
  return fate / 128 % 30 == 0 ? DDR_DEAD : fate / 128 % 30 == 1 ? DDR_STABLE : DDR_ACTIVE;
}

/* Strands leap to the far end and back, and query there; one without neighbours queries farther and
 * farther until it finds some, which without the strands of other ranks would never end. */
static ddr_strand_status leap(const Swarm *swarm, ddr_block *block, int64_t slot,
                              SwarmState *self) {
  const uint64_t fate = mix((uint64_t)(self->id * 64 + self->n_updates));
  float radius = 0.05f;
  if (self->n_updates == 0 && self->id < 100000) self->pos[0] = (float)slot / (float)swarm->n * 40;
  if (fate % 53 == 0) self->pos[0] = 40 - self->pos[0];
  if (fate % 211 == 0) self->pos[1] = self->pos[1] < 1e6f ? 1e7f : 0.5f;
  ddr_seq near = ddr_sphere(block, self->pos, radius, slot);
  while (near.length < 2 && radius < 1e9f) near = ddr_sphere(block, self->pos, radius *= 2, slot);
  for (int64_t k = 0; k < near.length; k++) {
    const int64_t other = ddr_seq_slot(near, (int32_t)k);
    self->value = (self->value * 3 + swarm_before(block, other)->value + other) % 1000003;
  }
  self->n_updates++;
  bear(block, self, fate / 16 % 60, slot);
  return fate / 128 % 90 == 0 ? DDR_DEAD : fate / 128 % 30 == 1 ? DDR_STABLE : DDR_ACTIVE;
}

/* Strands stay where they are, and query farther every other time; what they read changes. */
static ddr_strand_status stay(const Swarm *swarm, ddr_block *block, int64_t slot,
                              SwarmState *self) {
  const float radius = self->n_updates % 2 == 1 ? 0.5f : 0.1f * (float)(self->n_updates + 1);
  const ddr_seq near = ddr_sphere(block, self->pos, radius, slot);
  (void)swarm;
  self->n_updates++;
  for (int64_t k = 0; k < near.length; k++) {
    const int64_t other = ddr_seq_slot(near, (int32_t)k);
    self->value = (self->value * 3 + swarm_before(block, other)->value + other) % 1000003;
  }
  return self->n_updates > 4 && slot % 5 == 0 ? DDR_STABLE : DDR_ACTIVE;
}

static ddr_strand_status appear_in_line(const Swarm *swarm, ddr_block *block, int64_t slot,
                                        SwarmState *self) {
  (void)block;
  (void)slot;
  self->pos[0] = (float)slot / (float)swarm->n * 40;
  if (slot % 50 == 7) self->pos[2] = slot % 100 < 50 ? NAN : -INFINITY;
  return DDR_NEW;
}

/* --- what global code asks -------------------------------------------------------------------- */

static void reals_of(const void *context, const ddr_strands *strands, int64_t slot, int64_t n,
                     void *columns) {
  const ddr_strand_set set = *(const ddr_strand_set *)context;
  const SwarmState *states = strands->state;
  float *values = ddr_given(columns, DDR_TREE_BLOCK, 0);
  for (int64_t k = 0; k < n; k++, slot++) {
    slot = ddr_next_member(strands, slot, set);
    values[k] = (float)states[slot].value / 7;
  }
}

static void values_of(const void *context, const ddr_strands *strands, int64_t slot, int64_t n,
                      void *columns) {
  const ddr_strand_set set = *(const ddr_strand_set *)context;
  const SwarmState *states = strands->state;
  int64_t *ids = ddr_given(columns, DDR_TREE_BLOCK, 1);
  reals_of(context, strands, slot, n, columns);
  for (int64_t k = 0; k < n; k++, slot++) {
    slot = ddr_next_member(strands, slot, set);
    ids[k] = states[slot].id;
  }
}

static Seen *seen_by(const Swarm *swarm) { return *(Seen *const *)((const char *)swarm->data + 8); }

static void ask(Swarm *swarm, ddr_world *world, ddr_strands *strands) {
  static const ddr_set_result wanted[] = {{DDR_SUM, DDR_REAL, 0},
                                          {DDR_MEAN, DDR_REAL, 0},
                                          {DDR_MAX, DDR_INT, 1},
                                          {DDR_MIN, DDR_REAL, 0},
                                          {DDR_VARIANCE, DDR_REAL, 0}};
  const ddr_strand_set set = (ddr_strand_set)(swarm->step % 3);
  ddr_set_reduction what = {.set = set, .values = values_of, .n_results = 4, .results = wanted};
  ddr_reduced results[5], alone;
  (void)strands;
  ddr_reduce_set(world, &what, &set, results);
  what.n_results = 1;
  what.values = reals_of;
  what.results = &wanted[4]; /* a sum, which needs all values */
  if (swarm->step % 2 == 0) ddr_reduce_set(world, &what, &set, &results[4]);
  what.is_in_order = true;
  what.results = &wanted[0];
  ddr_reduce_set(world, &what, &set, &alone);
  Seen *seen = seen_by(swarm);
  if (seen) {
    seen->sums[swarm->step] = results[0].real + 3 * results[1].real - results[3].real;
    if (swarm->step % 2 == 0) seen->sums[swarm->step] += results[4].real;
    seen->greatest[swarm->step] = results[2].integer;
    seen->n_wrong += memcmp(&alone.real, &results[0].real, sizeof alone.real) != 0;
  }
  swarm->step++;
  if (swarm->step == N_STEPS - 2) ddr_stabilize_all(world);
}

/* --- runs ------------------------------------------------------------------------------------- */

typedef struct Trial {
  int64_t cruelty; /* percentage of strands that die */
  Seen *seen;      /* recorded by the first rank */
  int64_t n;
  uint32_t n_workers;
  SwarmMethod *create, *update;
  _Atomic int n_wrong_shares; /* ranks without their part of the running strands */
  _Atomic int n_wholes;       /* ranks whose index has all positions */
} Trial;

static bool print(void *data, const char *text) {
  Seen *seen = data;
  const size_t n = strlen(text);
  if (seen->n_text + n >= MOST_TEXT) return true;
  memcpy(seen->text + seen->n_text, text, n);
  seen->n_text += n;
  return false;
}

/* Whether the rank runs its part of the strands, as far as whole blocks allow. */
static bool has_its_part(const ddr_world *world) {
  const ddr_strand_run run = ddr_share_of(world->store, ddr_own_rank(world));
  int64_t n = 0;
  for (int64_t slot = run.first; slot < run.first + run.count; slot++)
    n += world->store->strands.status[slot] <= DDR_NEW;
  const int64_t mean = (int64_t)world->store->n_active / ddr_n_ranks(world);
  return llabs((long long)(n - mean)) <= mean / 10 + 3 * world->store->block_len;
}

static void run_one(const ddr_rank_engine *engine, void *data) {
  Trial *trial = data;
  const bool is_first = !engine || engine->rank == 0;
  struct {
    int64_t cruelty;
    Seen *seen;
  } own = {trial->cruelty, is_first ? trial->seen : NULL};
  const Swarm script = {.n = trial->n,
                        .create = trial->create,
                        .update = trial->update,
                        .stabilize = swarm_count_stabilize,
                        .global_update = ask,
                        .data = &own};
  ddr_world *world = ddr_world_new(&swarm_program);
  if (!world || !ddr_ranks_join(world, engine)) abort();
  *(Swarm *)world->globals = script;
  world->workers->n = trial->n_workers + (engine ? (uint32_t)engine->rank % 2 : 0);
  if (is_first) ddr_set_printer(world, print, trial->seen);
  ddr_world_create(world);
  uint32_t n_steps = ddr_world_run(world, N_STEPS / 2);
  if (ddr_is_shared_out(world) && trial->update == halve)
    trial->n_wrong_shares += !has_its_part(world);
  if (ddr_is_shared_out(world)) trial->n_wholes += world->index && !world->index->is_part;
  n_steps += ddr_world_run(world, N_STEPS - n_steps);
  ddr_states_fetch(world, STATES_AT_FIRST);
  if (is_first) {
    Seen *seen = trial->seen;
    seen->n_states = world->store->strands.n_slots;
    if (seen->n_states > MOST_STRANDS || ddr_any_errors(world)) abort();
    memcpy(seen->states, world->store->strands.state, (size_t)seen->n_states * sizeof(SwarmState));
    seen->n_active = ddr_num_active(world);
    seen->n_stable = ddr_num_stable(world);
    seen->n_steps = n_steps;
  }
  ddr_world_free(world);
}

static void compare(const Seen *found, const Seen *want) {
  CHECK_EQ(found->n_states, want->n_states);
  CHECK_EQ(found->n_active, want->n_active);
  CHECK_EQ(found->n_stable, want->n_stable);
  CHECK_EQ(found->n_steps, want->n_steps);
  CHECK(memcmp(found->states, want->states, (size_t)want->n_states * sizeof(SwarmState)) == 0);
  CHECK_STR(found->text, want->text);
  CHECK_EQ(found->n_wrong, 0);
  CHECK(memcmp(found->sums, want->sums, sizeof want->sums) == 0);
  CHECK(memcmp(found->greatest, want->greatest, sizeof want->greatest) == 0);
}

/* Where all ranks have needed all rows, do they look again before a trial ends? */
#if defined(DDR_SMALL_SIZES)
enum { LOOK_AGAIN_SOON = true };
#else
enum { LOOK_AGAIN_SOON = false };
#endif

static void all_is_as_alone(SwarmMethod *update, int64_t n, int64_t cruelty) {
  static const int numbers[] = {1, 2, 3, 5, 8};
  Seen alone = seen_new();
  Trial trial = {.cruelty = cruelty,
                 .seen = &alone,
                 .n = n,
                 .n_workers = 1,
                 .create = update == stay ? appear_in_line : appear,
                 .update = update};
  run_one(NULL, &trial);
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    Seen seen = seen_new();
    trial.seen = &seen;
    ranks_live(numbers[k], run_one, &trial);
    compare(&seen, &alone);
    CHECK_EQ(trial.n_wrong_shares, 0);
    const bool is_cut = update == wander || update == stay; /* children are spread all over */
    if (LOOK_AGAIN_SOON && is_cut && numbers[k] > 3) CHECK(trial.n_wholes < numbers[k]);
    trial.n_wholes = 0;
    seen_free(&seen);
  }
  seen_free(&alone);
}

static void a_swarm_is_as_alone(void) { all_is_as_alone(live, 200, 0); }
static void a_large_swarm_is_as_alone(void) {
  all_is_as_alone(live, test_is_slow() ? 9000 : 3500, 0);
}
static void a_dying_swarm_is_as_alone(void) { all_is_as_alone(live, 300, 90); }
static void few_are_as_alone(void) { all_is_as_alone(live, 3, 10); }
static void no_strand_is_as_alone(void) { all_is_as_alone(live, 0, 0); }

static void wanderers_are_as_alone(void) { all_is_as_alone(wander, 600, 0); }
static void many_wanderers_are_as_alone(void) {
  all_is_as_alone(wander, test_is_slow() ? 9000 : 3000, 0);
}

static void leapers_are_as_alone(void) { all_is_as_alone(leap, 700, 0); }
static void few_leapers_are_as_alone(void) { all_is_as_alone(leap, 9, 0); }
static void resting_strands_are_as_alone(void) { all_is_as_alone(stay, 800, 0); }

static void work_is_shared_out_anew(void) { all_is_as_alone(halve, 800, 0); }

/* --- what is sent ----------------------------------------------------------------------------- */

enum { N_IN_ROWS = 2000, N_ALIKE = 5, MOST_RECEIVERS = 40 };

/* The length of a row of strands, and how far they query. */
typedef struct Rows {
  int64_t len;
  float reach;
  int64_t n_bytes[MOST_RECEIVERS]; /* received by each rank in one superstep */
  int64_t n_wanted[MOST_RECEIVERS];
  int n_askers[MOST_RECEIVERS]; /* ranks that may need its rows, and send it their region */
} Rows;

static ddr_strand_status line_up(const Swarm *swarm, ddr_block *block, int64_t slot,
                                 SwarmState *self) {
  const Rows *rows = swarm->data;
  (void)block;
  self->pos[0] = (float)(slot % rows->len);
  self->pos[1] = (float)(slot / rows->len);
  return DDR_NEW;
}

static ddr_strand_status look_around(const Swarm *swarm, ddr_block *block, int64_t slot,
                                     SwarmState *self) {
  const Rows *rows = swarm->data;
  self->value += ddr_sphere(block, self->pos, rows->reach, slot).length;
  self->pos[2] = self->pos[2] > 0 ? 0 : 1e-6f;
  return DDR_ACTIVE;
}

static bool is_near(const Rows *rows, int64_t slot, int64_t other) {
  const float x = (float)(slot % rows->len - other % rows->len);
  const float y = (float)(slot / rows->len - other / rows->len);
  return x * x + y * y < rows->reach * rows->reach;
}

/* The strands of other ranks within reach of own ones, at their positions. */
static int64_t count_wanted(const Rows *rows, ddr_strand_run own) {
  int64_t n = 0;
  for (int64_t other = 0; other < N_IN_ROWS; other++) {
    bool is_wanted = false;
    if (own.first <= other && other < own.first + own.count) continue;
    for (int64_t slot = own.first; slot < own.first + own.count && !is_wanted; slot++)
      is_wanted = is_near(rows, slot, other);
    n += is_wanted;
  }
  return n;
}

/* The box around the positions of the run. */
static ddr_region box_of(const Rows *rows, ddr_strand_run run) {
  ddr_region box = ddr_region_none();
  for (int64_t slot = run.first; slot < run.first + run.count; slot++) {
    const double x = (double)(slot % rows->len), y = (double)(slot / rows->len);
    box = ddr_region_join(box, (ddr_region){.lo = {x, y}, .hi = {x, y}});
  }
  return box;
}

/* The number of other ranks whose region, one box, meets the box around own strands. */
static int count_askers(const Rows *rows, const ddr_world *world, int own) {
  const ddr_region box = box_of(rows, ddr_share_of(world->store, own));
  int n = 0;
  for (int r = 0; r < ddr_n_ranks(world); r++) {
    const ddr_region other = box_of(rows, ddr_share_of(world->store, r));
    const ddr_region region = ddr_region_grown(other, (double)rows->reach);
    n += r != own && ddr_region_meets(&region, &box, 2);
  }
  return n;
}

static void count_bytes(const ddr_rank_engine *engine, void *data) {
  Rows *rows = data;
  const Swarm script = {.n = N_IN_ROWS, .create = line_up, .update = look_around, .data = rows};
  ddr_world *world = ddr_world_new(&swarm_program);
  if (!world || !ddr_ranks_join(world, engine)) abort();
  *(Swarm *)world->globals = script;
  world->workers->n = 1;
  ddr_world_create(world);
  ddr_world_run(world, 2); /* the first superstep measures the reach, and all rows are new */
  const int64_t begin = ranks_received(engine).n_bytes;
  ddr_world_run(world, N_ALIKE);
  rows->n_bytes[engine->rank] = (ranks_received(engine).n_bytes - begin) / N_ALIKE;
  rows->n_wanted[engine->rank] = count_wanted(rows, ddr_share_of(world->store, engine->rank));
  rows->n_askers[engine->rank] = count_askers(rows, world, engine->rank);
  if (ddr_any_errors(world)) abort();
  ddr_world_free(world);
}

/* Little more than the requested rows, a report of each rank, and boxes of those that ask. */
static void rows_are_sent_to_who_asks_for_them(void) {
  enum { REPORT = 104, BOXES = 400 };
  static const struct {
    int n_ranks;
    int64_t len;
    float reach;
  } cases[] = {{2, N_IN_ROWS, 24.5f},  {3, N_IN_ROWS, 24.5f}, {8, N_IN_ROWS, 24.5f},
               {40, N_IN_ROWS, 24.5f}, {2, 100, 1.5f},        {8, 100, 1.5f},
               {8, 300, 1.5f},         {40, 100, 2.5f}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const int n_ranks = cases[k].n_ranks;
    Rows rows = {.len = cases[k].len, .reach = cases[k].reach};
    ranks_live(n_ranks, count_bytes, &rows);
    for (int r = 0; r < n_ranks; r++) {
      const int64_t least = rows.n_wanted[r] * (int64_t)sizeof(SwarmState);
      CHECK(least > 0 && rows.n_bytes[r] >= least);
      const int64_t told = REPORT * (n_ranks - 1) + BOXES * rows.n_askers[r];
      CHECK(rows.n_bytes[r] <= least + least / 20 + told);
    }
  }
}

int main(void) {
  RUN(a_swarm_is_as_alone);
  RUN(a_large_swarm_is_as_alone);
  RUN(a_dying_swarm_is_as_alone);
  RUN(few_are_as_alone);
  RUN(no_strand_is_as_alone);
  RUN(wanderers_are_as_alone);
  RUN(many_wanderers_are_as_alone);
  RUN(leapers_are_as_alone);
  RUN(few_leapers_are_as_alone);
  RUN(resting_strands_are_as_alone);
  RUN(work_is_shared_out_anew);
  RUN(rows_are_sent_to_who_asks_for_them);
  return test_result();
}
