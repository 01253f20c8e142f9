/* Fields on the grid of strands: a program reads what its strands would find by probing, for images
 * in any orientation and part, with every border rule; and nothing if positions are not a grid. */
#include <stdlib.h>

#include "ddr/lanes/sampling.h"
#include "runtime/src/sampling/local.h"
#include "runtime/src/strands/phases.h"
#include "tests/unit/failing.h"
#include "tests/unit/runtime/by_hand.h"
#include "tests/unit/test.h"

enum { N_TAPS = 4, N_ORDERS = 2, N_COMPONENTS = 2, N_PARTIALS = 4, RANK = 3 };
enum { N_VALUES = N_PARTIALS * N_COMPONENTS };

typedef struct {
  float value[N_VALUES];
  bool is_made;
} State;

/* Index i moves along axis axis[i] of the image, along none for NONE, along all for ALL. */
enum { NONE = -1, ALL = -2 };

typedef struct {
  const ddr_image *image;
  int axis[RANK];
  int64_t len[RANK];
  float first[3], step;
} Globals;

static Globals script;

/* ---- the program ----------------------------------------------------------------------------- */

/* The cubic B-spline and its derivative, at taps -1, 0, 1, 2 of a fraction. */
static void weigh(float f, float w[N_ORDERS][N_TAPS]) {
  const float g = 1 - f;
  const float value[] = {g * g * g / 6, (4 - 6 * f * f + 3 * f * f * f) / 6,
                         (4 - 6 * g * g + 3 * g * g * g) / 6, f * f * f / 6};
  const float slope[] = {-g * g / 2, -2 * f + 1.5f * f * f, 2 * g - 1.5f * g * g, f * f / 2};
  memcpy(w[0], value, sizeof value);
  memcpy(w[1], slope, sizeof slope);
}

static void position(const Globals *globals, const int64_t at[], float pos[3]) {
  memcpy(pos, globals->first, 3 * sizeof *pos);
  for (int i = 0; i < RANK; i++) {
    for (int a = 0; a < 3; a++) {
      if (globals->axis[i] == a || globals->axis[i] == ALL) pos[a] += globals->step * (float)at[i];
    }
  }
}

static void place(const void *memory, const int64_t at[], void *values) {
  float *to = values;
  position(memory, at, to);
  for (int a = 0; a < 3; a++) {
    float w[N_ORDERS][N_TAPS];
    weigh(to[a] - floorf(to[a]), w);
    memcpy(to + 3 + a * N_ORDERS * N_TAPS, w, sizeof w);
  }
}

static const uint8_t partials[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};

static ddr_sampling sampling = {
    .name = "img",
    .dim = 3,
    .n_taps = N_TAPS,
    .max_order = N_ORDERS - 1,
    .is_smooth = true,
    .n_partials = N_PARTIALS,
    .partials = partials,
    .place = place,
    .weigh_rows = ddr_weigh_rows4,
};

static void defaults(void *memory) { memcpy(memory, &script, sizeof script); }

static void bounds(ddr_world *world, const void *memory, int64_t lo[], int64_t hi[]) {
  (void)world;
  const Globals *globals = memory;
  for (int i = 0; i < RANK; i++) {
    lo[i] = i;
    hi[i] = i + globals->len[i] - 1;
  }
}

static void make(const void *memory, ddr_block *block, int64_t slot) {
  const ddr_samples *samples = memory;
  State *state = (State *)block->strands->state + slot;
  state->is_made = ddr_sampling_is_made(samples);
  for (int j = 0; j < N_VALUES && state->is_made; j++) {
    state->value[j] = ddr_sampling_value(samples, j, slot);
  }
}

static ddr_status create(const void *memory, ddr_block *block) {
  (void)memory;
  return each_strand(ddr_take_samples(block), block, make);
}

static uint32_t update(const void *memory, ddr_block *block, uint32_t max_steps) {
  (void)memory;
  (void)block;
  (void)max_steps;
  return 0;
}

static const ddr_program program = {
    PROGRAM_BY_HAND(State),
    .name = "samples",
    .real_size = sizeof(float),
    .int_size = sizeof(int32_t),
    .is_parallel = true,
    .rank = RANK,
    .globals_size = sizeof(Globals),
    .defaults = defaults,
    .init_globals = no_init_globals,
    .n_samplings = 1,
    .samplings = &sampling,
};

static ddr_world *start(uint32_t n_workers) {
  ddr_world *world = ddr_world_new(&program);
  if (!CHECK(world != NULL)) return NULL;
  ddr_set_verbose(world, true);
  world->workers->n = n_workers;
  CHECK_EQ(ddr_world_create(world), DDR_OK);
  return world;
}

static void check_notes(ddr_world *world, const char *want) {
  char *notes = ddr_take_notes(world);
  CHECK_STR(notes, want);
  free(notes);
}

/* ---- the image ------------------------------------------------------------------------------- */

enum { NX = 9, NY = 10, NZ = 11, N_SAMPLES = NX * NY * NZ * N_COMPONENTS };
static float reals[N_SAMPLES + DDR_ROW_SLACK];
static uint8_t bytes[N_SAMPLES + DDR_ROW_SLACK];

static ddr_image make_image(ddr_sample sample) {
  unsigned random = 5;
  for (int i = 0; i < N_SAMPLES; i++) {
    random = random * 1664525u + 1013904223u;
    bytes[i] = (uint8_t)(random >> 24);
    reals[i] = bytes[i];
  }
  return (ddr_image){.samples = sample == DDR_SAMPLE_REAL ? (void *)reals : (void *)bytes,
                     .dim = 3,
                     .n_components = N_COMPONENTS,
                     .sample = sample,
                     .size = {NX, NY, NZ},
                     .stride = {N_COMPONENTS, N_COMPONENTS * NX, N_COMPONENTS * NX * NY}};
}

static int64_t sample_at(int64_t tap, int64_t n) {
  switch (sampling.border) {
  case DDR_SAMPLING_MIRROR: return ddr_border_mirror(tap, n);
  case DDR_SAMPLING_WRAP: return ddr_border_wrap(tap, n);
  default: return ddr_border_clamp(tap, n);
  }
}

/* ---- by definition --------------------------------------------------------------------------- */

/* The indices of samples around a position, and their weights for each order, along each axis. */
typedef struct Around {
  float weight[3][N_ORDERS][N_TAPS];
  int64_t tap[3][N_TAPS];
} Around;

static Around look_around(const float pos[3]) {
  static const int64_t size[] = {NX, NY, NZ};
  Around at = {0};
  for (int a = 0; a < 3; a++) {
    int64_t first = (int64_t)floorf(pos[a]) - 1;
    weigh(pos[a] - floorf(pos[a]), at.weight[a]);
    if (sampling.border == DDR_SAMPLING_NONE) first = ddr_border_corner(first, N_TAPS, size[a]);
    for (int t = 0; t < N_TAPS; t++) at.tap[a][t] = sample_at(first + t, size[a]);
  }
  return at;
}

/* All w^3 products; the sum of their magnitudes bounds the rounding error. */
static double probe(const Around *at, int partial, int component, double *magnitude) {
  const uint8_t *order = partials + 3 * partial;
  const float *weight_x = at->weight[0][order[0]], *weight_y = at->weight[1][order[1]];
  const float *weight_z = at->weight[2][order[2]];
  double sum = 0;
  *magnitude = 0;
  for (int zy = 0; zy < N_TAPS * N_TAPS; zy++) {
    const int z = zy / N_TAPS, y = zy % N_TAPS;
    const double weight_zy = (double)weight_z[z] * weight_y[y];
    const int64_t row = (at->tap[2][z] * NY + at->tap[1][y]) * NX;
    for (int x = 0; x < N_TAPS; x++) {
      const float sample = reals[(row + at->tap[0][x]) * N_COMPONENTS + component];
      const double product = weight_zy * weight_x[x] * sample;
      sum += product;
      *magnitude += fabs(product);
    }
  }
  return sum;
}

static void check_values(const ddr_world *world) {
  const State *state = world->store->strands.state;
  int64_t n_wrong = 0, n_missing = 0;
  for (int64_t slot = 0; slot < world->store->strands.n_slots; slot++) {
    int64_t at[RANK], rest = slot;
    for (int i = RANK; i-- > 0; rest /= script.len[i]) at[i] = i + rest % script.len[i];
    float pos[3];
    position(&script, at, pos);
    const Around around = look_around(pos);
    n_missing += !state[slot].is_made;
    for (int j = 0; j < N_VALUES; j++) {
      double magnitude;
      const double want = probe(&around, j / N_COMPONENTS, j % N_COMPONENTS, &magnitude);
      n_wrong += !(fabs(state[slot].value[j] - want) <= 12 * 0x1p-24 * magnitude);
    }
  }
  CHECK_EQ(n_missing, 0);
  CHECK_EQ(n_wrong, 0);
}

static const char sampled[] = "img: sampled on the grid of strands, axis by axis\n";

static void check_sampled(void) {
  ddr_world *world = start(1);
  if (!world) return;
  check_notes(world, sampled);
  check_values(world);
  ddr_world_free(world);
}

static void check_refused(const char *note) {
  ddr_world *world = start(1);
  if (!world) return;
  const State *state = world->store->strands.state;
  bool is_any_made = false;
  for (int64_t slot = 0; slot < world->store->strands.n_slots; slot++)
    is_any_made |= state[slot].is_made;
  CHECK(!is_any_made);
  check_notes(world, note);
  ddr_world_free(world);
}

static ddr_image image;

/* 17 x 18 x 19 strands within the image, with the fastest index along x. */
static void reset(void) {
  image = make_image(DDR_SAMPLE_REAL);
  sampling.border = DDR_SAMPLING_NONE;
  sampling.is_smooth = true;
  script = (Globals){&image, {2, 1, 0}, {17, 18, 19}, {1.1f, 1.2f, 0.6f}, 0.25f};
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void finds_what_probes_find(void) {
  reset();
  check_sampled();
  script.step = -0.25f;
  script.first[0] = script.first[1] = script.first[2] = 7;
  check_sampled();
}

static void takes_axes_in_any_order(void) {
  static const int orders[][RANK] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}};
  reset();
  for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
    memcpy(script.axis, orders[k], sizeof *orders);
    check_sampled();
  }
}

static void cuts_planes_and_repeats_them(void) {
  static const int cuts[][RANK] = {{NONE, 2, 0}, {NONE, 0, 1}, {1, NONE, 2}, {2, NONE, 0}};
  reset();
  script.first[2] = 1.6f;
  for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
    memcpy(script.axis, cuts[k], sizeof *cuts);
    check_sampled();
  }
}

static void reads_bytes(void) {
  reset();
  image = make_image(DDR_SAMPLE_U8);
  check_sampled();
}

static void goes_beyond_by_every_rule(void) {
  reset();
  script.first[0] = -3.3f;
  script.first[2] = 2.9f;
  script.step = 0.7f;
  for (int border = DDR_SAMPLING_CLAMP; border < DDR_SAMPLING_CONST; border++) {
    sampling.border = (ddr_sampling_border)border;
    check_sampled();
  }
  sampling.border = DDR_SAMPLING_CONST;
  check_refused("img: probed strand by strand: some positions are beyond the image\n");
  reset();
  script.first[0] = -0.3f; /* some strands are moved into the image */
  check_sampled();
}

static void is_the_same_for_any_number_of_threads(void) {
  reset();
  ddr_world *alone = start(1);
  for (uint32_t n = 2; alone && n <= 5; n++) {
    ddr_world *world = start(n);
    if (!world) break;
    const size_t n_bytes = (size_t)alone->store->strands.n_slots * sizeof(State);
    CHECK(memcmp(world->store->strands.state, alone->store->strands.state, n_bytes) == 0);
    ddr_world_free(world);
  }
  ddr_world_free(alone);
}

static void lets_strands_probe_elsewhere(void) {
  reset();
  script.axis[1] = ALL;
  check_refused("img: probed strand by strand: its positions run across the axes\n");
  reset();
  script.axis[1] = script.axis[2];
  check_refused("img: probed strand by strand: its positions run across the axes\n");
  reset();
  script.axis[0] = script.axis[1] = NONE;
  check_refused(
      "img: probed strand by strand: its positions are no plane or volume of their own\n");
  script.axis[1] = 0;
  script.axis[2] = NONE;
  check_refused(
      "img: probed strand by strand: its positions are no plane or volume of their own\n");
  reset();
  script.first[1] = NAN;
  check_refused("img: probed strand by strand: some positions are not finite, or far away\n");
  reset();
  script.step = 1e30f;
  check_refused("img: probed strand by strand: some positions are not finite, or far away\n");
  reset();
  script.len[0] = script.len[1] = script.len[2] = 3;
  check_refused("img: probed strand by strand: there is little to gain\n");
  reset();
  script.len[1] = 0;
  check_refused("img: probed strand by strand: there is little to gain\n");
  reset();
  script.first[0] = -100;
  check_refused("img: probed strand by strand: there is little to gain\n");
}

static void says_nothing_unless_asked(void) {
  reset();
  ddr_world *world = ddr_world_new(&program);
  if (!CHECK(world != NULL)) return;
  CHECK_EQ(ddr_world_create(world), DDR_OK);
  check_notes(world, NULL);
  check_values(world);
  ddr_world_free(world);
}

static void stays_within_the_memory_there_is(void) {
  reset();
  ddr_world *world = ddr_world_new(&program);
  if (!CHECK(world != NULL)) return;
  ddr_set_verbose(world, true);
  world->memory.most = 17 * 18 * 19 * sizeof(State) + 10000; /* the strands fit */
  CHECK_EQ(ddr_world_create(world), DDR_OK);
  check_notes(world, "img: probed strand by strand: that takes too much memory\n");
  char reason[DDR_REASON_SIZE];
  /* The limit was not exceeded. */
  CHECK_STR(ddr_memory_reason(&world->memory, reason), "out of memory");
  ddr_world_free(world);
}

/* The same line of samples everywhere, cubic B-spline: values and slopes computed by hand. */
static void check_line(float first, float step, int partial, const float *want, int64_t n) {
  static const float line[NX] = {0, 0, 48, 0, 0, 96, 0, 0, 0};
  reset();
  for (int i = 0; i < N_SAMPLES; i++) reals[i] = line[i / N_COMPONENTS % NX];
  sampling.border = DDR_SAMPLING_CLAMP;
  script.first[0] = first - 2 * step; /* index 2 starts at 2 */
  script.len[2] = n;
  script.step = step;
  ddr_world *world = start(1);
  if (!world) return;
  check_notes(world, sampled);
  const State *state = world->store->strands.state;
  for (int64_t slot = 0; slot < world->store->strands.n_slots; slot++) {
    CHECK_NEAR(state[slot].value[partial * N_COMPONENTS], want[slot % n], 1e-4);
  }
  ddr_world_free(world);
}

static void gives_values_worked_out_by_hand(void) {
  static const float halfway[] = {23, 23, 3, 46, 46}, slopes[] = {30, -30, 6, 60, -60};
  static const float halves[] = {8, 23, 32, 23, 8, 3, 16, 46, 64};
  check_line(1.5f, 1, 0, halfway, 5);
  check_line(1.5f, 1, 1, slopes, 5);
  check_line(1, 0.5f, 0, halves, 9);
}

/* ---- without memory -------------------------------------------------------------------------- */

/* Whether all allocations succeeded. If one fails, there are no strands but a message, or strands
 * probe. */
static bool create_without(int64_t number, int64_t *n_noted) {
  ddr_world *world = ddr_world_new(&program);
  if (!CHECK(world != NULL)) return true;
  ddr_set_verbose(world, true);
  world->workers->n = 1;
  fail_at(number);
  const ddr_status status = ddr_world_create(world);
  const bool had_all = !fail_no_more();
  if (status == DDR_OK && world->samplings->each[0].is_made) {
    check_values(world);
  } else if (status == DDR_OK) {
    check_notes(world, "img: probed strand by strand: memory is short\n");
    ++*n_noted;
  } else {
    char *errors = ddr_take_errors(world);
    CHECK(errors != NULL);
    free(errors);
  }
  ddr_world_free(world);
  return had_all;
}

static void goes_on_without_memory(void) {
  int64_t number = 0, n_noted = 0;
  reset();
  while (!create_without(number, &n_noted)) number++;
  CHECK(n_noted >= 10);
}

int main(void) {
  RUN(finds_what_probes_find);
  RUN(takes_axes_in_any_order);
  RUN(cuts_planes_and_repeats_them);
  RUN(reads_bytes);
  RUN(goes_beyond_by_every_rule);
  RUN(gives_values_worked_out_by_hand);
  RUN(is_the_same_for_any_number_of_threads);
  RUN(lets_strands_probe_elsewhere);
  RUN(says_nothing_unless_asked);
  RUN(stays_within_the_memory_there_is);
  RUN(goes_on_without_memory);
  return test_result();
}
