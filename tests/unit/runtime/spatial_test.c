/* Queries against a scan over all strands: dimensions, both precisions, difficult distributions;
 * the boundary; positions and radii that are not finite. */
#include <stdlib.h>

#include "ddr/lanes/hits.h"
#include "runtime/src/space/local.h"
#include "runtime/src/space/space.h"
#include "swarm_program.h"
#include "tests/unit/distributions.h"
#include "tests/unit/test.h"

/* A world of points that is never run: its columns are filled by hand. */
typedef struct {
  ddr_program program;
  ddr_world *world;
  int dim;
  bool is_double;
  int64_t n;
} Points;

typedef struct {
  int64_t id;
  double x[3]; /* as doubles, or as floats at the same address */
} Point;

static Points points_new(int dim, bool is_double, int64_t n) {
  Points points = {.program = swarm_program, .dim = dim, .is_double = is_double, .n = n};
  points.program.is_dual = false;
  points.program.pos_dim = (uint32_t)dim;
  points.program.pos_offset = offsetof(Point, x);
  points.program.real_size = is_double ? sizeof(double) : sizeof(float);
  points.program.state_size = sizeof(Point);
  return points;
}

static ddr_status create(const void *memory, ddr_block *block) {
  (void)memory;
  (void)block;
  return DDR_OK;
}

static void points_open_on(Points *points, uint32_t n_workers) {
  points->program.create = create;
  const Swarm script = {.n = points->n};
  points->world = swarm_start(&points->program, &script, n_workers);
}

static void points_open(Points *points) { points_open_on(points, 1); }

static void set(const Points *points, int64_t slot, int k, double x) {
  Point *point = (Point *)points->world->store->strands.state + slot;
  if (points->is_double) point->x[k] = x;
  else ((float *)(void *)point->x)[k] = (float)x;
}

static double get(const Points *points, int64_t slot, int k) {
  const Point *point = (const Point *)points->world->store->strands.state + slot;
  return points->is_double ? point->x[k] : (double)((const float *)(const void *)point->x)[k];
}

/* By definition, in the program's real. */
static bool is_near(const Points *points, int64_t slot, const double centre[3], double radius) {
  if (!(radius > 0)) return false;
  if (points->is_double) {
    double sum = 0;
    for (int k = 0; k < points->dim; k++) {
      const double difference = get(points, slot, k) - centre[k];
      sum += difference * difference;
    }
    return sum < radius * radius;
  }
  float sum = 0;
  for (int k = 0; k < points->dim; k++) {
    const float difference = (float)get(points, slot, k) - (float)centre[k];
    const float square = difference * difference;
    sum += square;
  }
  return sum < (float)radius * (float)radius;
}

static ddr_seq ask(const Points *points, ddr_block *block, const double centre[3], double radius,
                   int64_t self) {
  const float centre_f[3] = {(float)centre[0], (float)centre[1], (float)centre[2]};
  const float radius_f = (float)radius;
  static const ddr_near_loops of_floats = {ddr_near_float, ddr_near_order, NULL};
  static const ddr_near_loops of_doubles = {ddr_near_double, ddr_near_order, NULL};
  const ddr_near_ball ball = {centre, &radius, self}, ball_f = {centre_f, &radius_f, self};
  return points->is_double ? ddr_query_sphere(block, &ball, &of_doubles)
                           : ddr_query_sphere(block, &ball_f, &of_floats);
}

static ddr_block block_of(const Points *points, ddr_visit *visit) {
  *visit = (ddr_visit){.worker = points->world->workers->threads->workers,
                       .record = points->world->store->records};
  return (ddr_block){
      .world = points->world, .strands = &points->world->store->strands, .visit = visit};
}

/* Slots ascend, self is excluded, no strand is missing. */
static int64_t check_query(const Points *points, const double centre[3], double radius,
                           int64_t self) {
  ddr_visit visit;
  ddr_block block = block_of(points, &visit);
  const ddr_seq seq = ask(points, &block, centre, radius, self);
  int64_t n = 0;
  for (int64_t slot = 0; slot < points->n; slot++) {
    if (slot == self || !is_near(points, slot, centre, radius)) continue;
    if (n < seq.length && ddr_seq_slot(seq, (ddr_int)n) != slot) {
      CHECK_EQ(ddr_seq_slot(seq, (ddr_int)n), slot);
      return n;
    }
    n++;
  }
  CHECK_EQ(seq.length, n);
  return n;
}

enum { N_DISTRIBUTIONS = sizeof distributions / sizeof *distributions };

static void distribute(const Points *points, int d) {
  for (int64_t slot = 0; slot < points->n; slot++) {
    for (int k = 0; k < points->dim; k++) set(points, slot, k, distributions[d].place(slot, k));
  }
  points->world->store->version_of_places++;
  CHECK(ddr_index_prepare(points->world) == DDR_OK);
}

static void check_points(Points *points, double radius) {
  points_open(points);
  ddr_world *world = points->world;
  for (int d = 0; d < N_DISTRIBUTIONS; d++) {
    distribute(points, d);
    for (int trial = 0; trial < (int)test_rounds(60); trial++) {
      const int64_t self = (int64_t)(uniform() * (double)points->n);
      double centre[3] = {0};
      for (int k = 0; k < points->dim; k++) {
        centre[k] = trial % 4 == 3 ? distributions[d].place(self, k) : get(points, self, k);
      }
      check_query(points, centre, distributions[d].radius * radius * uniform() * 2, self);
    }
    ddr_scratch_reset(&world->workers->threads->workers->scratch);
  }
  ddr_world_free(world);
}

static void every_distribution_agrees_with_the_scan(void) {
  static const int64_t sizes[] = {1, 2, 33, 400, 3000};
  static const double factors[] = {1, 1e-3, 30, 1e9};
  for (int dim = 1; dim <= 3; dim++) {
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      for (size_t f = 0; f < sizeof factors / sizeof *factors; f++) {
        Points single = points_new(dim, false, sizes[k]), twice = points_new(dim, true, sizes[k]);
        check_points(&single, factors[f]);
        check_points(&twice, factors[f]);
      }
    }
  }
}

/* --- gangs ------------------------------------------------------------------------------------ */

/* All that a lane finds, slots ascending, by definition. */
static void check_lane(const Points *points, const ddr_vhits *hits, int lane,
                       const ddr_vreal *reals, int64_t self) {
  double centre[3] = {0};
  int64_t n = 0;
  for (int k = 0; k < points->dim; k++) centre[k] = (double)reals[1 + k][lane];
  for (int64_t slot = 0; slot < points->n; slot++) {
    if (slot == self || !is_near(points, slot, centre, (double)reals[0][lane])) continue;
    CHECK(n < hits->length[lane] && ddr_hit_of_lane(hits, lane, (ddr_int)n) == slot);
    n++;
  }
  CHECK_EQ(hits->length[lane], n);
}

/* The strands of a gang follow each other by place, or are anywhere; some lanes do not ask, some
 * radii are not positive. */
static void check_gang(const Points *points, double radius, bool are_near) {
  const ddr_index *index = points->world->index;
  ddr_visit visit;
  ddr_block block = block_of(points, &visit);
  ddr_vreal reals[1 + DDR_MOST_DIM];
  ddr_gang gang;
  const uint32_t place = (uint32_t)(uniform() * (double)points->n);
  const ddr_lane_set asking = uniform() < 0.5 ? DDR_ALL_LANES : (ddr_lane_set)(uniform() * 16);
  for (int lane = 0; lane < DDR_LANES; lane++) {
    const bool is_placed = are_near && place + (uint32_t)lane < index->n_points;
    const int64_t any = (int64_t)(uniform() * (double)points->n);
    gang.slot[lane] = is_placed ? index->columns.slots[place + (uint32_t)lane] : any;
    reals[0][lane] = (float)(uniform() < 0.1 ? -radius : radius * (0.5 + uniform()));
    for (int k = 0; k < points->dim; k++)
      reals[1 + k][lane] = (float)get(points, gang.slot[lane], k);
  }
  const ddr_vhits hits = ddr_vsphere(&block, &gang, ddr_vmask_of(asking), reals);
  for (int lane = 0; lane < DDR_LANES; lane++) {
    if (asking >> lane & 1) check_lane(points, &hits, lane, reals, gang.slot[lane]);
    else CHECK_EQ(hits.length[lane], 0);
  }
}

static void check_gangs(Points *points, double factor) {
  points_open(points);
  ddr_world *world = points->world;
  for (int d = 0; d < N_DISTRIBUTIONS; d++) {
    distribute(points, d);
    for (int trial = 0; trial < (int)test_rounds(40); trial++)
      check_gang(points, distributions[d].radius * factor, trial % 4 != 3);
    ddr_scratch_reset(&world->workers->threads->workers->scratch);
  }
  ddr_world_free(world);
}

static void lanes_of_a_gang_agree_with_the_scan(void) {
  static const int64_t sizes[] = {1, 9, 400, 3000};
  static const double factors[] = {1e-3, 0.3, 1, 2, 3, 4, 1e9};
  for (int dim = 1; dim <= 3; dim++)
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
      for (size_t f = 0; f < sizeof factors / sizeof *factors; f++) {
        Points points = points_new(dim, false, sizes[k]);
        check_gangs(&points, factors[f]);
      }
}

/* --- threads ---------------------------------------------------------------------------------- */

static bool are_same(const void *a, const void *b, int64_t n, size_t size) {
  return n == 0 || memcmp(a, b, (size_t)n * size) == 0;
}

static void check_same_index(const ddr_index *a, const ddr_index *b) {
  const size_t real_size = a->is_double ? sizeof(double) : sizeof(float);
  CHECK_EQ(a->n_points, b->n_points);
  CHECK_EQ(a->n_nowhere, b->n_nowhere);
  CHECK_EQ(a->n_grids, b->n_grids);
  CHECK_EQ(a->n_starts, b->n_starts);
  CHECK_EQ(a->n_children, b->n_children);
  CHECK(are_same(a->columns.slots, b->columns.slots, a->n_points, sizeof(uint32_t)));
  for (int k = 0; k < a->dim; k++)
    CHECK(are_same(a->columns.place[k], b->columns.place[k], a->n_points, real_size));
  CHECK(are_same(a->nowhere, b->nowhere, a->n_nowhere, sizeof(uint32_t)));
  CHECK(are_same(a->starts, b->starts, a->n_starts, sizeof(uint32_t)));
  CHECK(are_same(a->children, b->children, a->n_children, sizeof(uint32_t)));
}

/* Up to `few` points each worker builds its own index. */
static void check_threads(int dim, bool is_double, int64_t n, uint32_t n_workers) {
  const int64_t few = MOST_BY_WORKER / (n_workers < MOST_PARTS ? n_workers : MOST_PARTS);
  Points one = points_new(dim, is_double, n), several = points_new(dim, is_double, n);
  points_open(&one);
  points_open_on(&several, n_workers);
  for (int d = 0; d < N_DISTRIBUTIONS; d++) {
    distribute(&one, d);
    for (int64_t slot = 0; slot < n; slot++)
      for (int k = 0; k < dim; k++) set(&several, slot, k, get(&one, slot, k));
    several.world->store->version_of_places++;
    CHECK(ddr_index_prepare(several.world) == DDR_OK);
    for (uint32_t k = 0; k < n_workers; k++)
      check_same_index(one.world->index,
                       ddr_index_of(&several.world->workers->threads->workers[k]));
  }
  CHECK_EQ(several.world->index->is_by_worker, n <= few);
  ddr_world_free(one.world);
  ddr_world_free(several.world);
}

/* Enough points for a part per worker, with eight workers. */
static void the_index_is_the_same_on_any_number_of_threads(void) {
  static const uint32_t counts[] = {2, 3, 8};
  for (int dim = 1; dim <= 3; dim++) {
    for (int k = 0; k < 3; k++) {
      check_threads(dim, false, 8 * POINTS_PER_PART + 77, counts[k]);
      check_threads(dim, true, 3 * POINTS_PER_PART + 1, counts[k]);
      check_threads(dim, k == 0, 3, counts[k]);
    }
  }
}

/* --- edges ------------------------------------------------------------------------------------ */

static void the_boundary_is_outside(void) {
  Points points = points_new(2, false, 4);
  points_open(&points);
  static const double places[4][2] = {{0, 0}, {3, 4}, {0, 0}, {-5, 0}};
  for (int64_t slot = 0; slot < 4; slot++) {
    for (int k = 0; k < 2; k++) set(&points, slot, k, places[slot][k]);
  }
  CHECK(ddr_index_prepare(points.world) == DDR_OK);
  const double origin[3] = {0};
  CHECK_EQ(check_query(&points, origin, 5, 0), 1); /* 2 is at the same position */
  CHECK_EQ(check_query(&points, origin, nextafter(5.001, 6), 0), 3);
  CHECK_EQ(check_query(&points, origin, 5, 1), 2);
  CHECK_EQ(check_query(&points, origin, 0, 1), 0);
  CHECK_EQ(check_query(&points, origin, -7, 1), 0);
  CHECK_EQ(check_query(&points, origin, NAN, 1), 0);
  CHECK_EQ(check_query(&points, origin, INFINITY, 1), 3);
  const double no_place[3] = {NAN, 0, 0}, beyond[3] = {INFINITY, 0, 0};
  CHECK_EQ(check_query(&points, no_place, 5, 0), 0);
  CHECK_EQ(check_query(&points, beyond, INFINITY, 0), 0);
  ddr_world_free(points.world);
}

/* Radii within a few roundings of the distance of a strand. */
static void the_last_bit_decides(void) {
  for (int is_double = 0; is_double < 2; is_double++) {
    Points points = points_new(3, is_double, 500);
    points_open(&points);
    for (int64_t slot = 0; slot < points.n; slot++) {
      for (int k = 0; k < 3; k++) set(&points, slot, k, 1000 + uniform());
    }
    CHECK(ddr_index_prepare(points.world) == DDR_OK);
    for (int64_t slot = 1; slot < points.n; slot += test_is_slow() ? 1 : 4) {
      double centre[3], sum = 0;
      for (int k = 0; k < 3; k++) {
        centre[k] = get(&points, 0, k);
        sum += (get(&points, slot, k) - centre[k]) * (get(&points, slot, k) - centre[k]);
      }
      double radius = is_double ? sqrt(sum) : (double)(float)sqrt(sum);
      for (int step = -3; step <= 3; step++) {
        const double ulp = radius * (is_double ? 2.3e-16 : 1.2e-7);
        check_query(&points, centre, radius + step * ulp, 0);
      }
    }
    ddr_world_free(points.world);
  }
}

static void results_live_until_another_asks(void) {
  Points points = points_new(1, true, 1000);
  points_open(&points);
  for (int64_t slot = 0; slot < points.n; slot++) set(&points, slot, 0, (double)slot);
  CHECK(ddr_index_prepare(points.world) == DDR_OK);
  ddr_visit visit;
  ddr_block block = block_of(&points, &visit);
  ddr_seq seqs[40];
  for (int k = 0; k < 40; k++) {
    seqs[k] = ask(&points, &block, (const double[3]){500}, 10.5 * (k + 1), 500);
  }
  for (int k = 0; k < 40; k++) {
    const int64_t reach = (int64_t)(10.5 * (k + 1) - 0.25);
    CHECK_EQ(seqs[k].length, 2 * reach);
    CHECK_EQ(ddr_seq_slot(seqs[k], 0), 500 - reach);
    CHECK_EQ(ddr_seq_slot(seqs[k], ddr_seq_length(seqs[k]) - 1), 500 + reach);
  }
  const char *first = (const char *)ask(&points, &block, (const double[3]){500}, 10.5, 501).buffer;
  for (int64_t asker = 502; asker < 510; asker++)
    CHECK((const char *)ask(&points, &block, (const double[3]){500}, 10.5, asker).buffer == first);
  ddr_world_free(points.world);
}

/* --- a life in motion ------------------------------------------------------------------------- */

/* Each strand compares its hits with a scan of `before`, then may move, die, or create a strand. */
static ddr_strand_status wander(const Swarm *swarm, ddr_block *block, int64_t slot,
                                SwarmState *self) {
  _Atomic int64_t *n_wrong = swarm->data;
  if (!swarm_sphere_agrees(block, self->pos, 0.2f, slot)) atomic_fetch_add(n_wrong, 1);
  const int32_t now = ++self->n_updates;
  const uint64_t hash = ((uint64_t)self->id * 2654435761u + (uint64_t)now * 40503u) >> 4;
  for (int k = 0; k < 3; k++) self->pos[k] += (float)((hash >> (8 * k)) % 64) / 640;
  if (hash % 11 == 0) *(SwarmState *)ddr_new_strand(block) = (SwarmState){.id = self->id + now};
  return hash % 13 == 0 ? DDR_DEAD : hash % 17 == 0 ? DDR_STABLE : DDR_ACTIVE;
}

static void the_index_follows_the_strands(void) {
  for (uint32_t n_workers = 1; n_workers <= 3; n_workers++) {
    _Atomic int64_t n_wrong = 0;
    const Swarm script = {.n = 600, .create = swarm_scatter, .update = wander, .data = &n_wrong};
    ddr_world *world = swarm_start(&swarm_program, &script, n_workers);
    CHECK_EQ(ddr_world_run(world, 25), 25);
    CHECK_EQ(atomic_load(&n_wrong), 0);
    ddr_world_free(world);
  }
}

/* While strands do not move, the index stays. */
static ddr_strand_status stand(const Swarm *swarm, ddr_block *block, int64_t slot,
                               SwarmState *self) {
  (void)block;
  self->value += slot;
  if (swarm->step == 3 && slot == 5) self->pos[0] += 1;
  return DDR_ACTIVE;
}

static void note_index(Swarm *swarm, ddr_world *world, ddr_strands *strands) {
  (void)strands;
  CHECK_EQ(is_current(world->index, world->store), swarm->step != 3);
  swarm->step++;
}

static void what_stands_still_is_not_sorted_again(void) {
  const Swarm script = {
      .n = 50, .create = swarm_scatter, .update = stand, .global_update = note_index};
  ddr_world *world = swarm_start(&swarm_program, &script, 1);
  CHECK_EQ(ddr_world_run(world, 6), 6);
  ddr_world_free(world);
}

/* No strand moves; in step 1 the last one dies, in step 2 one is born at the origin. */
static ddr_strand_status come_and_go(const Swarm *swarm, ddr_block *block, int64_t slot,
                                     SwarmState *self) {
  self->value = ddr_sphere(block, self->pos, 1e9f, slot).length;
  if (swarm->step == 1 && slot == 3) ddr_new_strand(block);
  return swarm->step == 0 && slot == 9 ? DDR_DEAD : DDR_ACTIVE;
}

static void count_neighbours(Swarm *swarm, ddr_world *world, ddr_strands *strands) {
  static const int64_t want[] = {9, 8, 9, 9};
  (void)strands;
  CHECK_EQ(swarm_state(world, 0)->value, want[swarm->step++]);
}

static void births_and_deaths_alone_outdate_the_index(void) {
  const Swarm script = {
      .n = 10, .create = swarm_scatter, .update = come_and_go, .global_update = count_neighbours};
  ddr_world *world = swarm_start(&swarm_program, &script, 1);
  CHECK_EQ(ddr_world_run(world, 4), 4);
  ddr_world_free(world);
}

int main(void) {
  RUN(every_distribution_agrees_with_the_scan);
  RUN(lanes_of_a_gang_agree_with_the_scan);
  RUN(the_index_is_the_same_on_any_number_of_threads);
  RUN(the_boundary_is_outside);
  RUN(the_last_bit_decides);
  RUN(results_live_until_another_asks);
  RUN(the_index_follows_the_strands);
  RUN(what_stands_still_is_not_sorted_again);
  RUN(births_and_deaths_alone_outdate_the_index);
  return test_result();
}
