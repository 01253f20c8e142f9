/* Libraries for GPUs: two programs in one process, each with a runtime of its own. The device is
 * the shim (tests/shim). This client owns its driver, so it sees which device is selected, and
 * chooses the call that fails. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <sys/mman.h>

#include "tally_lib.h"
#include "tests/library/slope.h"

/* Whether these are the ages of all living strands. */
static bool ages_are(tally_world_t *world, const int32_t *want, size_t n) {
  Nrrd *ages = nrrdNew();
  bool is_right = !tally_snapshot_age(world, ages) && ages->dim == 1 && ages->axis[0].size == n;
  is_right = is_right && memcmp(ages->data, want, n * sizeof *want) == 0;
  nrrdNuke(ages);
  return is_right;
}

/* --- two programs ----------------------------------------------------------------------------- */

static void two_programs_take_turns(void) {
  static const int32_t first[] = {1, 1, 1, 1, 1}, last[] = {1, 2, 3, 3, 3};
  restart(0, 0);
  slope_world_t *slope = slope_world();
  tally_world_t *tally = tally_new_world();
  CHECK(!tally_init_world(tally) && !tally_set_gpu(tally, "required", 64));
  CHECK(!slope_set_gpu(slope, "required", 0) && !slope_input_set_scale(slope, 0.5f));
  CHECK_STR(slope_get_gpu(slope), "");
  CHECK(!slope_create_strands(slope) && !tally_create_strands(tally));
  CHECK_STR(slope_get_gpu(slope), NAME_OF_DEVICE);
  CHECK_STR(tally_get_gpu(tally), NAME_OF_DEVICE);
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

/* --- devices ---------------------------------------------------------------------------------- */

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

/* --- failures --------------------------------------------------------------------------------- */

/* After a launch the last error of any call is read, even one of the caller's. */
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

/* Their ages are gathered, which takes memory. */
static void who_is_stable_leaves_a_full_device(void) {
  static const int32_t want[] = {1, 2};
  restart(0, 0);
  tally_world_t *world = tally_new_world();
  Nrrd *ages = nrrdNew();
  CHECK(!tally_init_world(world) && !tally_set_gpu(world, "2", 0)); /* where nobody left memory */
  CHECK(!tally_create_strands(world));
  CHECK_EQ(tally_run(world, 2), 2);
  CHECK(tally_num_stable_strands(world) == 2 && tally_num_active_strands(world) == 3);
  setenv("DDR_SHIM_MEMORY", "1", 1);
  CHECK(!tally_output_get_age(world, ages) && !tally_any_errors(world));
  CHECK(ages->dim == 1 && ages->axis[0].size == 2);
  CHECK(ages->data && memcmp(ages->data, want, sizeof want) == 0);
  unsetenv("DDR_SHIM_MEMORY");
  nrrdNuke(ages);
  tally_shutdown(world);
}

/* Whichever call fails, all later calls are safe, and those for lost results report errors. */
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

static void every_call_may_fail(void) { each_call_fails(live_with_failure, 80); }

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

static void every_call_may_fail_in_lockstep(void) { each_call_fails(tally_with_failure, 300); }

/* --- images ----------------------------------------------------------------------------------- */

/* Rows in memory of which only what is written is there; the places of samples on a device have 32
 * bits. */
static void rows_may_be_too_far_apart(void) {
  const size_t row = (size_t)1 << 30, n_bytes = N_SAMPLES * row;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  char *rows = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (!CHECK(rows != MAP_FAILED)) return;
  diderot_view_t view = {.data = rows, .type = nrrdTypeFloat, .rank = 2};
  view.shape[0] = view.shape[1] = N_SAMPLES;
  view.strides[0] = (ptrdiff_t)row, view.strides[1] = sizeof(float);
  view.spare = row / 2; /* so that rows are read in place */
  for (int y = 0; y < N_SAMPLES; y++)
    for (int x = 0; x < N_SAMPLES; x++)
      ((float *)(void *)(rows + (size_t)y * row))[x] = (float)(10 * x + y);
  restart(0, 0);
  slope_world_t *world = slope_world();
  CHECK(!slope_set_gpu(world, "required", 0) &&
        !slope_input_set_view_img(world, &view, NULL, NULL));
  CHECK(slope_create_strands(world));
  expect_errors(world, "[DIDEROT] cannot use a GPU: rows of an image are too far apart\n");
  slope_shutdown(world);
  world = slope_world();
  CHECK(!slope_set_gpu(world, "any", 0) && !slope_input_set_view_img(world, &view, NULL, NULL));
  CHECK(!slope_create_strands(world));
  CHECK_STR(slope_get_gpu(world), "");
  CHECK(slope_run(world, 0) == N_COLUMNS && slopes_are_right(world, 1));
  slope_shutdown(world);
  CHECK_EQ(munmap(rows, n_bytes), 0);
}

int main(void) {
  unsetenv("DIDEROT_GPU");
  setenv("DDR_SHIM_DEVICES", "3", 1);
  RUN(two_programs_take_turns);
  RUN(choices_have_their_time);
  RUN(rows_may_be_too_far_apart);
  if (is_interpreted) return test_result();
  RUN(the_callers_device_stays);
  RUN(the_environment_chooses_at_init);
  RUN(without_a_device_required_is_an_error);
  RUN(what_failed_before_is_over);
  RUN(who_is_stable_leaves_a_full_device);
  RUN(every_call_may_fail);
  RUN(every_call_may_fail_in_lockstep);
  return test_result();
}
