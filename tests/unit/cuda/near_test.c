/* Queries on devices against a scan over all strands: dimensions, difficult distributions, the
 * boundary, positions and radii that are not finite; a store whose strands move and die. Also
 * compiled for doubles (near_double_test.c). */
#include <stddef.h>

#include "ddr/device/near.h"
#include "runtime/cuda/near.h"
#include "tests/unit/distributions.h"
#include "tests/unit/test.h"

typedef struct {
  ddr_real pos[3];
} State;

typedef struct {
  ddr_real centre[3], radius;
} Question;

/* What strands do: they query, and the results are checked after the superstep. */
static struct {
  int64_t n; /* strands, with positions, queries and results by slot */
  int dim;
  ddr_real (*places)[3];
  Question *questions;
  ddr_seq *answers;
  bool *agrees; /* loops over hits agree with sequences */
  void (*act)(ddr_device_strands *store, int64_t slot);
} script;

static int64_t step;

static ddr_real *column(const ddr_columns *columns, int k) {
  const size_t offset = offsetof(State, pos) + (size_t)k * sizeof(ddr_real);
  return DDR_COLUMN(ddr_real, columns, offset);
}

/* --- a program as the back end writes one ----------------------------------------------------- */

DDR_KERNEL void create_kernel(ddr_device_strands store, ddr_device_begin begin) {
  const int64_t slot = DDR_THREAD;
  if (slot >= store.n_slots) return;
  ddr_strand_begins(&store, &begin, slot);
  for (int k = 0; k < 3; k++) column(&store.state, k)[slot] = script.places[slot][k];
}

static ddr_seq ask(ddr_device_block *block, const Question *q) {
  const int64_t self = block->slot;
  if (script.dim == 1) return ddr_device_sphere1(block, q->centre[0], q->radius, self);
  if (script.dim == 2)
    return ddr_device_sphere2(block, q->centre[0], q->centre[1], q->radius, self);
  return ddr_device_sphere3(block, q->centre[0], q->centre[1], q->centre[2], q->radius, self);
}

static ddr_hits look_for(ddr_device_block *block, const Question *q) {
  const int64_t self = block->slot;
  if (script.dim == 1) return ddr_hits_of1(block, q->centre[0], q->radius, self);
  if (script.dim == 2) return ddr_hits_of2(block, q->centre[0], q->centre[1], q->radius, self);
  return ddr_hits_of3(block, q->centre[0], q->centre[1], q->centre[2], q->radius, self);
}

/* Loops over hits visit the elements of the sequence. */
static bool is_same(ddr_hits hits, ddr_seq answer) {
  bool is_same = ddr_hits_length(hits) == answer.length;
  for (ddr_int k = 0; k < answer.length && is_same; k++)
    is_same = ddr_hits_slot(hits, k) == ((const int64_t *)(answer.buffer + 1))[k] &&
              ddr_hits_each(hits, k) == ddr_hits_slot(hits, k);
  return is_same;
}

DDR_KERNEL void update_kernel(ddr_device_strands store) {
  const int64_t thread = DDR_THREAD;
  if (thread >= store.n_running) return;
  const int64_t slot = store.running[thread];
  ddr_device_block block = ddr_device_block_at(&store, slot);
  store.status[slot] = DDR_ACTIVE;
  script.answers[slot] = ask(&block, &script.questions[slot]);
  script.agrees[slot] = is_same(look_for(&block, &script.questions[slot]), script.answers[slot]);
  if (script.act) script.act(&store, slot);
}

static void create(const ddr_launch *launch, const void *globals, ddr_device_strands store,
                   ddr_device_begin begin) {
  (void)globals;
  DDR_LAUNCH(create_kernel, launch, store.n_slots, store, begin);
}

static void update(const ddr_launch *launch, const void *globals, ddr_device_strands store,
                   ddr_grant grant) {
  (void)globals;
  (void)grant;
  DDR_LAUNCH(update_kernel, launch, store.n_running, store);
}

static const ddr_column columns[] = {
    {offsetof(State, pos[0]), sizeof(ddr_real), true},
    {offsetof(State, pos[1]), sizeof(ddr_real), true},
    {offsetof(State, pos[2]), sizeof(ddr_real), true},
};

static const ddr_device_program device_program = {.engine = &ddr_cuda,
                                                  .n_columns = 3,
                                                  .heaps = 1 << DDR_HEAP_SEQUENCES,
                                                  .columns = columns,
                                                  .create = create,
                                                  .update = update};

static ddr_program program_of(int dim) {
  const ddr_program program = {.real_size = sizeof(ddr_real),
                               .is_collection = true,
                               .is_lockstep = true,
                               .is_dual = true,
                               .rank = 1,
                               .state_size = sizeof(State),
                               .pos_dim = (uint32_t)dim,
                               .pos_offset = offsetof(State, pos),
                               .device = &device_program};
  return program;
}

static ddr_device *open_device(const ddr_program *program) {
  ddr_device *device = NULL;
  const ddr_strands strands = {.n_slots = script.n, .step = 1, .len = {script.n}};
  step = 0;
  CHECK(ddr_cuda.open(program, NULL, 0, false, 64, &device) == NULL);
  CHECK(ddr_cuda.create(device, &strands) == NULL);
  return device;
}

/* Allocates n strands in a space of `dim` dimensions. */
static void script_open(int dim, int64_t n) {
  script.n = n;
  script.dim = dim;
  script.act = NULL;
  script.places = calloc((size_t)n + 1, sizeof *script.places);
  script.questions = calloc((size_t)n + 1, sizeof *script.questions);
  script.answers = calloc((size_t)n + 1, sizeof *script.answers);
  script.agrees = calloc((size_t)n + 1, sizeof *script.agrees);
}

static void script_close(void) {
  free(script.places);
  free(script.questions);
  free(script.answers);
  free(script.agrees);
}

/* --- the definition --------------------------------------------------------------------------- */

/* Each operation is rounded: this file is compiled without contraction. */
static bool is_near(const ddr_real *place, const Question *question) {
  if (!(question->radius > 0)) return false;
  volatile ddr_real sum = 0, most = question->radius * question->radius;
  for (int k = 0; k < script.dim; k++) {
    if (!isfinite(question->centre[k])) return false;
    volatile ddr_real difference = place[k] - question->centre[k];
    volatile ddr_real square = difference * difference;
    sum = sum + square;
  }
  return sum < most;
}

/* Slots ascend, self is excluded, no strand is missing; returns their number. */
static int64_t check_answer(int64_t self) {
  const ddr_seq seq = script.answers[self];
  int64_t n = 0;
  CHECK(script.agrees[self]);
  for (int64_t slot = 0; slot < script.n; slot++) {
    if (slot == self || !is_near(script.places[slot], &script.questions[self])) continue;
    if (n < seq.length && *(const int64_t *)ddr_seq_at(seq, (ddr_int)n, sizeof slot, &n) != slot) {
      CHECK_EQ(*(const int64_t *)ddr_seq_at(seq, (ddr_int)n, sizeof slot, &n), slot);
      return n;
    }
    n++;
  }
  CHECK_EQ(seq.length, n);
  return n;
}

static void superstep(ddr_device *device) {
  uint32_t n_steps = 0;
  memset(script.answers, 0, (size_t)script.n * sizeof *script.answers);
  CHECK(ddr_cuda.run(device, 1, &n_steps) == NULL);
  step++;
}

/* Every strand queries around itself, every fourth around another place. */
static void check_points(Distribution *place, double radius) {
  const ddr_program program = program_of(script.dim);
  for (int64_t slot = 0; slot < script.n; slot++) {
    Question *question = &script.questions[slot];
    for (int k = 0; k < 3; k++) script.places[slot][k] = (ddr_real)place(slot, k);
    for (int k = 0; k < 3; k++)
      question->centre[k] = slot % 4 == 3 ? (ddr_real)place(slot, k) : script.places[slot][k];
    question->radius = (ddr_real)(radius * uniform() * 2);
  }
  ddr_device *device = open_device(&program);
  superstep(device);
  for (int64_t slot = 0; slot < script.n; slot++) check_answer(slot);
  ddr_cuda.close(device);
}

static void every_distribution_agrees_with_the_scan(void) {
  static const int64_t sizes[] = {1, 2, 31, 32, 33, 150};
  static const double factors[] = {1, 1e-3, 30, 1e9};
  for (int dim = 1; dim <= 3; dim++) {
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      script_open(dim, sizes[s]);
      for (size_t d = 0; d < sizeof distributions / sizeof *distributions; d++) {
        for (size_t f = 0; f < sizeof factors / sizeof *factors; f++)
          check_points(distributions[d].place, distributions[d].radius * factors[f]);
      }
      script_close();
    }
  }
}

/* More than a tile of near_cells.cu. */
static void many_agree_with_the_scan(void) {
  for (int dim = 1; dim <= 3; dim++) {
    script_open(dim, 1200);
    check_points(even, dim * 0.05);
    check_points(far_cluster, 3e-3);
    script_close();
  }
}

static void a_world_without_strands_is_prepared(void) {
  const ddr_program program = program_of(3);
  script_open(3, 0);
  ddr_device *device = open_device(&program);
  CHECK(ddr_near_prepare(device) == NULL);
  ddr_cuda.close(device);
  script_close();
}

/* --- edges ------------------------------------------------------------------------------------ */

static void the_boundary_is_outside(void) {
  static const double places[4][2] = {{0, 0}, {3, 4}, {0, 0}, {-5, 0}};
  static const struct {
    double x, radius;
    int64_t self, n;
  } cases[] = {{0, 5, 0, 1},
               {0, 5.01, 0, 3},
               {0, 5, 1, 2},
               {0, 0, 1, 0},
               {0, -7, 1, 0},
               {0, (double)NAN, 1, 0},
               {0, (double)INFINITY, 1, 3},
               {(double)NAN, 5, 0, 0},
               {(double)INFINITY, (double)INFINITY, 0, 0}};
  const ddr_program program = program_of(2);
  script_open(2, 4);
  for (int slot = 0; slot < 4; slot++) {
    for (int k = 0; k < 2; k++) script.places[slot][k] = (ddr_real)places[slot][k];
  }
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    const Question question = {{(ddr_real)cases[c].x}, (ddr_real)cases[c].radius};
    script.questions[cases[c].self] = question;
    ddr_device *device = open_device(&program);
    superstep(device);
    CHECK_EQ(check_answer(cases[c].self), cases[c].n);
    ddr_cuda.close(device);
  }
  script_close();
}

/* Radii within a few roundings of the distance of some other strand. */
static void the_last_bit_decides(void) {
  const ddr_program program = program_of(3);
  script_open(3, 200);
  for (int64_t slot = 0; slot < script.n; slot++) {
    for (int k = 0; k < 3; k++) script.places[slot][k] = (ddr_real)(1000 + uniform());
  }
  for (int ulps = -3; ulps <= 3; ulps++) {
    for (int64_t slot = 0; slot < script.n; slot++) {
      const ddr_real *other = script.places[(slot + 1) % script.n];
      Question *question = &script.questions[slot];
      double sum = 0;
      for (int k = 0; k < 3; k++) {
        question->centre[k] = script.places[slot][k];
        sum += ((double)other[k] - (double)question->centre[k]) *
               ((double)other[k] - (double)question->centre[k]);
      }
      const double ulp = sizeof(ddr_real) == sizeof(double) ? 2.3e-16 : 1.2e-7;
      question->radius = (ddr_real)(sqrt(sum) * (1 + ulps * ulp));
    }
    ddr_device *device = open_device(&program);
    superstep(device);
    for (int64_t slot = 0; slot < script.n; slot++) check_answer(slot);
    ddr_cuda.close(device);
  }
  script_close();
}

/* --- a life in motion ------------------------------------------------------------------------- */

/* After the second check that found a move, no check is made for three supersteps. */
enum { FIRST_MOVE = 2, LAST_MOVE = 4, LAST_GRANTED = 7, DEATHS = 12, N_STEPS = 14 };

/* First no strand moves, then one, then all; later some die. */
static void act(ddr_device_strands *store, int64_t slot) {
  const bool moves = step > FIRST_MOVE ? step <= LAST_MOVE : step == FIRST_MOVE && slot == 5;
  for (int k = 0; k < 3 && moves; k++)
    column(&store->state, k)[slot] += (ddr_real)((slot * (2 * k + 7) + step) % 31) / 31;
  if (step == DEATHS && slot % 3 == 1) ddr_strand_is_now(store, slot, DDR_DEAD);
}

/* Copies the positions of strands; they query around themselves. */
static void look(const ddr_device *device) {
  script.n = device->strands.n_slots;
  for (int64_t slot = 0; slot < script.n; slot++) {
    for (int k = 0; k < 3; k++) {
      const ddr_real x = column(&device->strands.state, k)[slot];
      script.places[slot][k] = script.questions[slot].centre[k] = x;
    }
    script.questions[slot].radius = (ddr_real)0.4;
  }
}

static ddr_device *open_moving(const ddr_program *program) {
  script_open(3, 200);
  for (int64_t slot = 0; slot < script.n; slot++) {
    for (int k = 0; k < 3; k++) script.places[slot][k] = (ddr_real)uniform();
  }
  script.act = act;
  return open_device(program);
}

static void the_index_follows_the_strands(void) {
  const ddr_program program = program_of(3);
  ddr_device *device = open_moving(&program);
  for (int now = 0; now < N_STEPS; now++) {
    look(device);
    const int64_t n_slots = script.n;
    superstep(device);
    for (int64_t slot = 0; slot < script.n; slot++) check_answer(slot);
    const bool has_moved = now >= FIRST_MOVE && now <= LAST_GRANTED, has_died = now == DEATHS;
    CHECK_EQ(device->near.is_current, !has_died);
    if (!has_died) CHECK_EQ(device->near.has_moved, has_moved);
    CHECK_EQ(device->strands.n_slots, has_died ? n_slots * 2 / 3 : n_slots);
  }
  ddr_cuda.close(device);
  script_close();
}

/* A move is not forgotten if two phases end without a query between them. */
static void a_move_is_remembered(void) {
  const ddr_program program = program_of(3);
  script_open(3, 20);
  ddr_device *device = open_device(&program);
  look(device);
  superstep(device);
  column(&device->strands.state, 0)[7] += 1;
  CHECK(ddr_store_commit(device) == NULL);
  CHECK(ddr_store_commit(device) == NULL);
  look(device);
  superstep(device);
  for (int64_t slot = 0; slot < script.n; slot++) check_answer(slot);
  ddr_cuda.close(device);
  script_close();
}

/* --- cells of queries ------------------------------------------------------------------------- */

/* The rows along an axis that a query visits: as many as any other, if the ball is in the box. */
static void check_rows(const ddr_cells *cells, int axis, double radius) {
  const double room = cells->hi[axis] - cells->lo[axis] - 2 * radius;
  const int64_t n_rows = llround(2 * radius * cells->inverse[axis]) + 1;
  for (int k = 0; k < 100; k++) {
    const double x = cells->lo[axis] + radius + room * uniform();
    CHECK_EQ(ddr_cell_on_axis(cells, axis, x + radius) - ddr_cell_on_axis(cells, axis, x - radius),
             n_rows - 1);
  }
}

static void queries_of_a_radius_visit_as_many_rows(void) {
  static const double radii[] = {0.06, 0.1, 0.2, 0.3};
  static const int64_t n_rows[] = {2, 3, 5, 9}; /* the more points, the more rows */
  for (int k = 0; k < 4; k++) {
    ddr_cells cells = {{0, -1, 2}, {1, 0, 3}, {0}, {0}};
    ddr_cells_choose(&cells, 5000);
    ddr_cells_fit(&cells, 5000, radii[k]);
    CHECK(ddr_cells_count(&cells) <= 4 * 5000);
    CHECK_EQ(llround(2 * radii[k] * cells.inverse[1]) + 1, n_rows[k]);
    check_rows(&cells, 1, radii[k]);
    check_rows(&cells, 2, radii[k]);
  }
}

/* What is not a radius, or would make too many cells or far too few, changes nothing. */
static void other_radii_are_ignored(void) {
  static const double radii[] = {0, -1, NAN, INFINITY, 1e-30, 1e-3, 5, 1e300};
  ddr_cells cells = {{0, 0, 0}, {1, 1, 0}, {0}, {0}};
  ddr_cells_choose(&cells, 1000);
  const ddr_cells usual = cells;
  for (size_t k = 0; k < sizeof radii / sizeof *radii; k++) {
    ddr_cells_fit(&cells, 1000, radii[k]);
    CHECK(memcmp(&cells, &usual, sizeof cells) == 0);
  }
}

static double radius_of_look(const void *globals) {
  (void)globals;
  return 0.4;
}

/* The grid after the first superstep with queries is that of their radius; if the program says it,
 * the first grid is. */
static void check_grids(const ddr_device_program *compiled) {
  ddr_program program = program_of(3);
  program.device = compiled;
  ddr_device *device = open_moving(&program);
  const ddr_grid *grid = NULL;
  for (int now = 0; now <= LAST_MOVE + 1; now++) {
    look(device);
    superstep(device);
    grid = (const ddr_grid *)device->near.grid.memory;
    const double n = 2 * (double)script.questions[0].radius * grid->cells.inverse[1];
    CHECK_EQ(fabs(n - nearbyint(n)) < 1e-6, compiled->radius || now > FIRST_MOVE);
  }
  ddr_cuda.close(device);
  script_close();
}

static void the_device_knows_the_radius(void) {
  ddr_device_program telling = device_program;
  telling.radius = radius_of_look;
  check_grids(&device_program);
  check_grids(&telling);
}

int main(void) {
  RUN(every_distribution_agrees_with_the_scan);
  RUN(many_agree_with_the_scan);
  RUN(a_world_without_strands_is_prepared);
  RUN(the_boundary_is_outside);
  RUN(the_last_bit_decides);
  RUN(the_index_follows_the_strands);
  RUN(a_move_is_remembered);
  RUN(queries_of_a_radius_visit_as_many_rows);
  RUN(other_radii_are_ignored);
  RUN(the_device_knows_the_radius);
  return test_result();
}
