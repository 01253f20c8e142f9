/* Libraries for GPUs: two programs in one process, each with a runtime of its own. The device is
 * the shim (tests/shim), whose driver this client owns: it sees who selects which device, and says
 * which call fails.
 */
#include "tests/shim/driver.h"

#include <stdlib.h>

#include "slope_lib.h"
#include "tally_lib.h"
#include "tests/unit/test.h"

static shim_driver shared;
shim_driver *shim_shared_driver(void) { return &shared; }

/* As if a new process began, on that device of its own, which some memory lies on. */
static void restart(int device, long fail_at) {
  const long n_allocations = shared.n_allocations, n_frees = shared.n_frees;
  shared = (shim_driver){
      .device = device, .fail_at = fail_at, .n_allocations = n_allocations, .n_frees = n_frees};
}

static long pieces_of_memory(void) { return shared.n_allocations - shared.n_frees; }

/* ---- worlds ------------------------------------------------------------------------------------
 */

enum { N_ROWS = 3, N_COLUMNS = 4, N_SAMPLES = 8 };

/* img(x, y) = 10 x + y, whose gradient is (10, 1). */
static bool give_image(slope_world_t *world) {
  float samples[N_SAMPLES][N_SAMPLES];
  for (int y = 0; y < N_SAMPLES; y++)
    for (int x = 0; x < N_SAMPLES; x++) samples[y][x] = (float)(10 * x + y);
  diderot_view_t view = {.data = samples, .type = nrrdTypeFloat, .rank = 2};
  view.shape[0] = view.shape[1] = N_SAMPLES;
  view.strides[0] = sizeof samples[0], view.strides[1] = sizeof samples[0][0];
  return !slope_input_set_view_img(world, &view, NULL, NULL);
}

static slope_world_t *slope_world(void) {
  slope_world_t *world = slope_new_world();
  CHECK(world && !slope_init_world(world) && give_image(world));
  return world;
}

static bool slopes_are_right(slope_world_t *world, double scale) {
  diderot_view_t view;
  if (slope_output_view_slope(world, &view) || view.rank != 3) return false;
  for (size_t y = 0; y < N_ROWS; y++) {
    for (size_t x = 0; x < N_COLUMNS; x++) {
      const char *at =
          (const char *)view.data + (ptrdiff_t)y * view.strides[0] + (ptrdiff_t)x * view.strides[1];
      float found[2];
      memcpy(&found[0], at, sizeof found[0]);
      memcpy(&found[1], at + view.strides[2], sizeof found[1]);
      if (fabs(found[0] - 10 * scale) > 1e-3 || fabs(found[1] - scale) > 1e-3) return false;
    }
  }
  return true;
}

/* That of all living strands. */
static bool ages_are(tally_world_t *world, const int32_t *want, size_t n) {
  Nrrd *ages = nrrdNew();
  bool is_right = !tally_snapshot_age(world, ages) && ages->dim == 1 && ages->axis[0].size == n;
  is_right = is_right && memcmp(ages->data, want, n * sizeof *want) == 0;
  nrrdNuke(ages);
  return is_right;
}

static void expect_errors(slope_world_t *world, const char *want) {
  char *found = slope_get_errors(world);
  CHECK_STR(found, want);
  free(found);
}

/* One line for each. */
static bool tells_of_device(const char *errors) {
  static const char lead[] = "[DIDEROT] device 0: cannot ";
  const char *end = strchr(errors, '\n');
  return strncmp(errors, lead, strlen(lead)) == 0 && end && end[1] == '\0';
}

/* ---- two programs ------------------------------------------------------------------------------
 */

static void two_programs_take_turns(void) {
  static const int32_t first[] = {1, 1, 1, 1, 1}, last[] = {1, 2, 3, 3, 3};
  restart(0, 0);
  slope_world_t *slope = slope_world();
  tally_world_t *tally = tally_new_world();
  CHECK(!tally_init_world(tally) && !tally_set_gpu(tally, "required", 64));
  CHECK(!slope_set_gpu(slope, "required", 0) && !slope_input_set_scale(slope, 0.5f));
  CHECK_STR(slope_get_gpu(slope), "");
  CHECK(!slope_create_strands(slope) && !tally_create_strands(tally));
  CHECK_STR(slope_get_gpu(slope), "loops of the host, number 0");
  CHECK_STR(tally_get_gpu(tally), "loops of the host, number 0");
  CHECK_EQ(slope_run(slope, 1), 1);
  CHECK_EQ(tally_run(tally, 1), 1);
  CHECK_EQ(slope_num_stable_strands(slope), N_ROWS);
  CHECK(ages_are(tally, first, 5));
  CHECK_EQ(slope_run(slope, 0), N_COLUMNS - 1);
  CHECK_EQ(tally_run(tally, 0), 2);
  CHECK(slopes_are_right(slope, 0.5) && ages_are(tally, last, 5));
  CHECK(!slope_any_errors(slope) && !tally_any_errors(tally));
  slope_shutdown(slope);
  CHECK(ages_are(tally, last, 5));
  tally_shutdown(tally);
}

/* ---- devices -----------------------------------------------------------------------------------
 */

static void the_callers_device_stays(void) {
  enum { OURS = 1 };
  restart(OURS, 0);
  slope_world_t *on_2 = slope_world();
  tally_world_t *on_0 = tally_new_world();
  CHECK(!slope_set_gpu(on_2, "2", 0) && !tally_init_world(on_0));
  CHECK(!slope_create_strands(on_2));
  CHECK_EQ(shared.device, OURS);
  CHECK(!tally_create_strands(on_0));
  CHECK_EQ(shared.device, OURS);
  CHECK_STR(slope_get_gpu(on_2), "loops of the host, number 2");
  const long n_before = shared.n_selections;
  CHECK(n_before > 0);
  CHECK_EQ(slope_run(on_2, 0), N_COLUMNS);
  CHECK_EQ(shared.device, OURS);
  CHECK(shared.n_selections > n_before);
  CHECK_EQ(tally_run(on_0, 0), 3);
  CHECK_EQ(shared.device, OURS);
  CHECK(slopes_are_right(on_2, 1));
  CHECK_EQ(shared.device, OURS);
  slope_shutdown(on_2);
  tally_shutdown(on_0);
  CHECK_EQ(shared.device, OURS);
}

static void choices_have_their_time(void) {
  restart(0, 0);
  slope_world_t *world = slope_new_world();
  CHECK(slope_set_gpu(world, "none", 0));
  expect_errors(world, "[DIDEROT] a GPU must be chosen between slope_init_world and "
                       "slope_create_strands\n");
  CHECK(!slope_init_world(world) && give_image(world));
  CHECK(slope_set_gpu(world, "first", 0));
  expect_errors(world, "[DIDEROT] cannot use GPU \"first\" (expected a number, any, none or "
                       "required)\n");
  CHECK(slope_set_gpu(world, "any", 100));
  expect_errors(world, "[DIDEROT] a block of GPU threads cannot have 100 of them (expected 32 to "
                       "1024, a multiple of 32)\n");
  CHECK(!slope_set_gpu(world, "none", 0) && !slope_create_strands(world));
  CHECK_STR(slope_get_gpu(world), "");
  CHECK(slope_set_gpu(world, "any", 0));
  free(slope_get_errors(world));
  CHECK_EQ(slope_run(world, 0), N_COLUMNS);
  CHECK(slopes_are_right(world, 1));
  CHECK_EQ(shared.n_selections, 0);
  slope_shutdown(world);
  CHECK(slope_set_gpu(NULL, "any", 0));
  CHECK_STR(slope_get_gpu(NULL), "");
}

/* The name of what does the work, or of nothing when there are no strands. */
static void expect_gpu(const char *variable, const char *want) {
  setenv("DIDEROT_GPU", variable, 1);
  slope_world_t *world = slope_world();
  unsetenv("DIDEROT_GPU");
  CHECK(!slope_create_strands(world));
  CHECK_STR(slope_get_gpu(world), want);
  slope_shutdown(world);
}

static void the_environment_chooses_at_init(void) {
  restart(0, 0);
  expect_gpu("", "loops of the host, number 0");
  expect_gpu("none", "");
  expect_gpu("1", "loops of the host, number 1");
  expect_gpu("9", "");
  setenv("DIDEROT_GPU", "both", 1);
  slope_world_t *world = slope_new_world();
  CHECK(slope_init_world(world));
  expect_errors(world, "[DIDEROT] cannot use GPU \"both\" (expected a number, any, none or "
                       "required)\n");
  unsetenv("DIDEROT_GPU");
  slope_shutdown(world);
}

static void without_a_device_required_is_an_error(void) {
  restart(0, 0);
  setenv("DDR_SHIM_DEVICES", "0", 1);
  slope_world_t *world = slope_world();
  CHECK(!slope_set_gpu(world, "required", 0));
  CHECK(slope_create_strands(world));
  expect_errors(world, "[DIDEROT] cannot use a GPU: there is no usable device\n");
  CHECK_EQ(slope_run(world, 0), 0);
  slope_shutdown(world);
  world = slope_world();
  CHECK(!slope_create_strands(world));
  CHECK_EQ(slope_run(world, 0), N_COLUMNS);
  CHECK(slopes_are_right(world, 1));
  slope_shutdown(world);
  setenv("DDR_SHIM_DEVICES", "3", 1);
}

/* ---- memory that worlds leave ------------------------------------------------------------------
 */

static slope_world_t *slope_that_ran(void) {
  slope_world_t *world = slope_world();
  CHECK(!slope_create_strands(world));
  CHECK_EQ(slope_run(world, 0), N_COLUMNS);
  CHECK(slopes_are_right(world, 1));
  return world;
}

static void a_frame_allocates_nothing(void) {
  restart(0, 0);
  slope_shutdown(slope_that_ran());
  const long n_before = shared.n_allocations, n_left = pieces_of_memory();
  CHECK(n_left > 5);
  for (int frame = 0; frame < 5; frame++) slope_shutdown(slope_that_ran());
  CHECK_EQ(shared.n_allocations, n_before);
  CHECK_EQ(pieces_of_memory(), n_left);
}

/* What two at a time need, one after the other does not. */
static void what_nobody_took_is_freed(void) {
  restart(0, 0);
  slope_shutdown(slope_that_ran());
  const long n_one = pieces_of_memory();
  slope_world_t *one = slope_that_ran(), *other = slope_that_ran();
  CHECK(pieces_of_memory() > n_one);
  const long n_two = pieces_of_memory();
  slope_shutdown(one);
  slope_shutdown(other);
  CHECK_EQ(pieces_of_memory(), n_two);
  slope_shutdown(slope_that_ran());
  CHECK_EQ(pieces_of_memory(), n_one);
}

/* Less than an eighth of what the device has is left; what lies there is given up for a world that
 * needs it. */
static void memory_that_is_short_is_not_kept(void) {
  restart(0, 0);
  setenv("DDR_SHIM_MEMORY", "70000", 1);
  setenv("DDR_SHIM_DEVICES", "5", 1);
  const long n_before = pieces_of_memory();
  slope_world_t *world = slope_world();
  CHECK(!slope_set_gpu(world, "4", 0) && !slope_create_strands(world));
  CHECK_STR(slope_get_gpu(world), "loops of the host, number 4");
  const long n_alive = pieces_of_memory();
  slope_shutdown(world);
  CHECK(pieces_of_memory() < n_alive && pieces_of_memory() > n_before);
  unsetenv("DDR_SHIM_MEMORY");
  setenv("DDR_SHIM_DEVICES", "3", 1);
}

/* Somebody else may look at it. */
static void outputs_that_were_shown_are_freed(void) {
  diderot_view_t view;
  restart(0, 0);
  slope_shutdown(slope_that_ran());
  slope_world_t *world = slope_that_ran();
  const long n_before = shared.n_frees;
  CHECK(!slope_output_device_view_slope(world, &view));
  slope_shutdown(world);
  CHECK(shared.n_frees > n_before);
}

static void a_device_that_fails_keeps_nothing(void) {
  restart(0, 0);
  slope_shutdown(slope_that_ran());
  slope_world_t *world = slope_world();
  CHECK(!slope_create_strands(world));
  const long n_alive = pieces_of_memory();
  shared.fail_at = shared.n_calls + 1;
  slope_run(world, 0);
  CHECK(slope_any_errors(world));
  slope_shutdown(world);
  CHECK(n_alive - pieces_of_memory() > 5);
}

/* ---- images that worlds share ------------------------------------------------------------------
 */

static slope_world_t *sharing(slope_world_t *other, const char *gpu) {
  slope_world_t *world = slope_new_world();
  CHECK(!slope_init_world(world) && !slope_set_gpu(world, gpu, 0));
  CHECK(!slope_share(world, "img", other) && !slope_create_strands(world));
  CHECK_EQ(slope_run(world, 0), N_COLUMNS);
  CHECK(slopes_are_right(world, 1));
  return world;
}

static void a_shared_image_is_copied_once(void) {
  enum { IMAGE_BYTES = N_SAMPLES * N_SAMPLES * sizeof(float) };
  restart(0, 0);
  slope_world_t *first = slope_that_ran();
  const size_t n_first = shared.n_copied;
  slope_world_t *second = sharing(first, "any");
  CHECK(shared.n_copied - n_first + IMAGE_BYTES <= n_first);
  slope_world_t *third = sharing(second, "any");
  slope_shutdown(second); /* which has no samples of its own */
  CHECK(slopes_are_right(third, 1));
  const size_t n_before = shared.n_copied;
  slope_shutdown(sharing(first, "any"));
  CHECK(shared.n_copied - n_before + IMAGE_BYTES <= n_first);
  slope_shutdown(third);
  slope_shutdown(first);
  const long n_before_it = shared.n_allocations;
  slope_shutdown(slope_that_ran()); /* in the memory of that copy, but for what samples pass */
  CHECK_EQ(shared.n_allocations, n_before_it + 1);
}

/* Whoever is the first to copy it. */
static void other_places_have_copies_of_their_own(void) {
  restart(0, 0);
  slope_world_t *idle = slope_world();
  slope_world_t *on_1 = sharing(idle, "1"), *on_0 = sharing(idle, "0");
  slope_world_t *here = sharing(on_1, "none"), *again = sharing(on_0, "1");
  CHECK_STR(slope_get_gpu(on_1), "loops of the host, number 1");
  CHECK_STR(slope_get_gpu(on_0), "loops of the host, number 0");
  slope_shutdown(on_1);
  CHECK(slopes_are_right(again, 1));
  slope_shutdown(again);
  slope_shutdown(here);
  slope_shutdown(on_0);
  CHECK(!slope_create_strands(idle));
  CHECK_EQ(slope_run(idle, 0), N_COLUMNS);
  CHECK(slopes_are_right(idle, 1));
  slope_shutdown(idle);
}

static void refused_to_share(slope_world_t *world, const char *input, slope_world_t *other,
                             const char *why) {
  CHECK(slope_share(world, input, other));
  expect_errors(world, why);
}

static void what_cannot_be_shared_is_refused(void) {
  restart(0, 0);
  slope_world_t *world = slope_world(), *bare = slope_new_world();
  CHECK(!slope_init_world(bare));
  refused_to_share(world, "img", NULL, "[DIDEROT] img: the other world is NULL\n");
  refused_to_share(world, "img", world, "[DIDEROT] img: the other world is this one\n");
  refused_to_share(world, "img", bare, "[DIDEROT] img: the other world has no image\n");
  CHECK(slope_share(world, "image", bare) && slope_share(world, NULL, bare));
  free(slope_get_errors(world));
  CHECK(!slope_create_strands(world));
  CHECK_EQ(slope_run(world, 0), N_COLUMNS);
  CHECK(slopes_are_right(world, 1));
  CHECK(slope_share(world, "img", bare));
  free(slope_get_errors(world));
  slope_shutdown(bare);
  slope_shutdown(world);
  CHECK(slope_share(NULL, "img", NULL));
}

/* ---- runs that are started ---------------------------------------------------------------------
 */

static slope_world_t *slope_created(void) {
  slope_world_t *world = slope_world();
  CHECK(!slope_create_strands(world));
  return world;
}

static void the_next_world_begins_meanwhile(void) {
  restart(0, 0);
  slope_world_t *world = slope_created();
  for (int frame = 0; frame < 20; frame++) {
    CHECK(!slope_start(world, 0));
    slope_world_t *next = slope_created();
    CHECK_EQ(slope_wait(world), frame == 0 ? N_COLUMNS : N_COLUMNS - 1);
    CHECK_EQ(slope_wait(world), frame == 0 ? N_COLUMNS : N_COLUMNS - 1); /* still */
    CHECK(!slope_start(next, 1)); /* the first of its steps */
    CHECK(slopes_are_right(world, 1));
    slope_shutdown(world);
    CHECK_EQ(slope_num_stable_strands(next), N_ROWS); /* once it has ended */
    world = next;
  }
  CHECK(!slope_start(world, 0));
  CHECK_EQ(slope_run(world, 0), 0); /* of what was left */
  CHECK_EQ(slope_wait(world), N_COLUMNS - 1);
  CHECK(slopes_are_right(world, 1) && !slope_any_errors(world));
  CHECK(!slope_start(world, 0));
  slope_shutdown(world);
}

static void what_fails_is_told_by_who_waits(void) {
  restart(0, 0);
  slope_world_t *world = slope_created();
  slope_world_t *early = slope_world();
  CHECK_EQ(slope_wait(world), 0);
  expect_errors(world, "[DIDEROT] must call slope_start before slope_wait\n");
  CHECK(!slope_start(early, 0));
  CHECK_EQ(slope_wait(early), 0);
  CHECK(slope_any_errors(early));
  slope_shutdown(early);
  shared.fail_at = shared.n_calls + 5;
  CHECK(!slope_start(world, 0));
  slope_wait(world);
  char *errors = slope_get_errors(world);
  CHECK(tells_of_device(errors));
  free(errors);
  slope_shutdown(world);
  CHECK(slope_start(NULL, 0) && slope_wait(NULL) == 0);
}

/* ---- failures ----------------------------------------------------------------------------------
 */

/* Launches are asked by what call failed last, whosever that was. */
static void what_failed_before_is_over(void) {
  enum { OF_THE_CALLER = 3 };
  restart(0, 0);
  setenv("DDR_SHIM_MEMORY", "2000", 1);
  setenv("DDR_SHIM_DEVICES", "4", 1);
  slope_world_t *world = slope_world();
  CHECK(!slope_set_gpu(world, "3", 0)); /* where nobody left memory */
  CHECK(!slope_create_strands(world));
  CHECK_STR(slope_get_gpu(world), "");
  CHECK_EQ(shared.last, 0);
  slope_shutdown(world);
  unsetenv("DDR_SHIM_MEMORY");
  setenv("DDR_SHIM_DEVICES", "3", 1);
  shared.last = OF_THE_CALLER;
  world = slope_world();
  CHECK(!slope_create_strands(world));
  CHECK_STR(slope_get_gpu(world), "loops of the host, number 0");
  shared.last = OF_THE_CALLER;
  CHECK_EQ(slope_run(world, 0), N_COLUMNS);
  CHECK(slopes_are_right(world, 1));
  slope_shutdown(world);
}

/* Whatever fails, all calls that follow are safe, and those for what is lost are errors. */
static bool live_with_failure(long k) {
  restart(0, k);
  slope_world_t *world = slope_world();
  CHECK(!slope_create_strands(world));
  const bool is_on_cpu = slope_get_gpu(world)[0] == '\0';
  slope_run(world, 2);
  slope_run(world, 0);
  const bool was_lost = slope_any_errors(world);
  char *errors = slope_get_errors(world);
  CHECK(!was_lost || tells_of_device(errors));
  free(errors);
  const bool is_right = slopes_are_right(world, 1);
  if (was_lost) CHECK(!is_right && slope_any_errors(world));
  else CHECK(is_right || (shared.error != 0 && slope_any_errors(world)));
  if (is_on_cpu) CHECK(is_right && !was_lost);
  CHECK_EQ(slope_run(world, 0), 0);
  free(slope_get_errors(world));
  CHECK_EQ(shared.device, 0);
  slope_shutdown(world);
  return shared.error != 0;
}

static void every_call_may_fail(void) {
  long n_failed = 0;
  for (long k = 1; k <= 80; k++) n_failed += live_with_failure(k);
  CHECK(n_failed >= 20 && n_failed < 80); /* the last ones were behind the end */
}

static bool tally_with_failure(long k) {
  static const int32_t last[] = {1, 2, 3, 3, 3};
  restart(0, k);
  tally_world_t *world = tally_new_world();
  CHECK(world && !tally_init_world(world));
  CHECK(!tally_create_strands(world));
  tally_run(world, 1);
  tally_run(world, 0);
  const bool was_lost = tally_any_errors(world);
  char *errors = tally_get_errors(world);
  CHECK(!was_lost || tells_of_device(errors));
  free(errors);
  const bool is_right = ages_are(world, last, 5);
  CHECK(is_right ? !was_lost : tally_any_errors(world));
  free(tally_get_errors(world));
  tally_shutdown(world);
  return shared.error != 0;
}

static void every_call_may_fail_in_lockstep(void) {
  long n_failed = 0;
  for (long k = 1; k <= 300; k++) n_failed += tally_with_failure(k);
  CHECK(n_failed >= 20 && n_failed < 300);
}

int main(void) {
  unsetenv("DIDEROT_GPU");
  setenv("DDR_SHIM_DEVICES", "3", 1);
  RUN(two_programs_take_turns);
  RUN(the_callers_device_stays);
  RUN(choices_have_their_time);
  RUN(the_environment_chooses_at_init);
  RUN(without_a_device_required_is_an_error);
  RUN(a_frame_allocates_nothing);
  RUN(what_nobody_took_is_freed);
  RUN(memory_that_is_short_is_not_kept);
  RUN(outputs_that_were_shown_are_freed);
  RUN(a_device_that_fails_keeps_nothing);
  RUN(a_shared_image_is_copied_once);
  RUN(other_places_have_copies_of_their_own);
  RUN(what_cannot_be_shared_is_refused);
  RUN(the_next_world_begins_meanwhile);
  RUN(what_fails_is_told_by_who_waits);
  RUN(what_failed_before_is_over);
  RUN(every_call_may_fail);
  RUN(every_call_may_fail_in_lockstep);
  return test_result();
}
