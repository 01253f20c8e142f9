/* Worlds of one library for GPUs, one after another as for the frames of a film: memory that one
 * leaves to the next, images that they share, and runs that continue while the next one begins.
 * The device is the shim. */
#include <pthread.h>

#include "tests/library/slope.h"

static long pieces_of_memory(void) { return shared.n_allocations - shared.n_frees; }

/* --- memory that worlds leave ----------------------------------------------------------------- */

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

/* Two worlds at a time leave more memory than worlds one after another need. */
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

/* Worlds leave at most an eighth of the device's memory to later ones. */
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

/* --- images that worlds share ----------------------------------------------------------------- */

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
  const long n_first = shared.n_copied;
  slope_world_t *second = sharing(first, "any");
  CHECK(shared.n_copied - n_first + IMAGE_BYTES <= n_first);
  slope_world_t *third = sharing(second, "any");
  slope_shutdown(second); /* which has no samples of its own */
  CHECK(slopes_are_right(third, 1));
  const long n_before = shared.n_copied;
  slope_shutdown(sharing(first, "any"));
  CHECK(shared.n_copied - n_before + IMAGE_BYTES <= n_first);
  slope_shutdown(third);
  slope_shutdown(first);
  const long n_before_it = shared.n_allocations;
  slope_shutdown(slope_that_ran()); /* in the memory of that copy, but for what samples pass */
  CHECK_EQ(shared.n_allocations, n_before_it + 1);
}

/* Whichever device copies the image first. */
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

/* The last user of its samples frees them; on the host all of them are read. */
static void a_shared_image_outlives_its_owner(void) {
  restart(0, 0);
  slope_world_t *first = slope_world(), *second = slope_new_world(), *third = slope_new_world();
  CHECK(!slope_init_world(second) && !slope_set_gpu(second, "none", 0));
  CHECK(!slope_share(second, "img", first) && give_image(first)); /* it has another one now */
  CHECK(!slope_init_world(third) && !slope_set_gpu(third, "none", 0));
  CHECK(!slope_share(third, "img", first));
  slope_shutdown(first);
  slope_world_t *fourth = sharing(third, "none");
  slope_shutdown(third);
  CHECK(!slope_create_strands(second));
  CHECK_EQ(slope_run(second, 0), N_COLUMNS);
  CHECK(slopes_are_right(second, 1) && slopes_are_right(fourth, 1));
  slope_shutdown(second);
  slope_shutdown(sharing(fourth, "any"));
  slope_shutdown(fourth);
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

/* --- runs that are started -------------------------------------------------------------------- */

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

static void *ask(void *data) {
  slope_world_t *world = data;
  CHECK(slope_get_verbose(world) == false);
  CHECK_EQ(slope_num_stable_strands(world), N_ROWS * N_COLUMNS);
  return NULL;
}

static void several_threads_wait(void) {
  pthread_t others[4];
  restart(0, 0);
  for (int round = 0; round < 20; round++) {
    slope_world_t *world = slope_created();
    CHECK(!slope_start(world, 0));
    for (int k = 0; k < 4; k++) CHECK_EQ(pthread_create(&others[k], NULL, ask, world), 0);
    ask(world);
    for (int k = 0; k < 4; k++) CHECK_EQ(pthread_join(others[k], NULL), 0);
    CHECK(slopes_are_right(world, 1));
    slope_shutdown(world);
  }
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

/* --- memory that does not suffice ------------------------------------------------------------- */

/* If a device has too little memory, the host does the work, unless the device is required; other
 * worlds go on. */
static void a_full_device_is_left_alone(void) {
  restart(0, 0);
  slope_world_t *other = slope_that_ran();
  setenv("DDR_SHIM_MEMORY", "2000", 1);
  setenv("DDR_SHIM_DEVICES", "4", 1);
  slope_world_t *world = slope_world();
  CHECK(!slope_set_gpu(world, "3", 0));
  CHECK(!slope_create_strands(world) && !slope_any_errors(world));
  CHECK_STR(slope_get_gpu(world), "");
  CHECK(!slope_start(world, 0)); /* on the host */
  slope_world_t *needy = sharing(other, "none");
  CHECK_EQ(slope_wait(world), N_COLUMNS);
  CHECK(slopes_are_right(world, 1) && slopes_are_right(other, 1));
  slope_shutdown(needy);
  slope_shutdown(world);
  setenv("DDR_SHIM_MEMORY", "1", 1);
  shared.fail_at = 0;
  world = slope_world();
  CHECK(!slope_set_gpu(world, "required", 0));
  slope_shutdown(other); /* what it leaves is enough for the same again */
  CHECK(!slope_create_strands(world));
  slope_world_t *too_much = slope_world();
  CHECK(!slope_set_gpu(too_much, "required", 0) && slope_create_strands(too_much));
  expect_errors(too_much,
                "[DIDEROT] cannot use a GPU: device 0: cannot allocate memory: out of memory "
                "(cudaErrorMemoryAllocation)\n");
  CHECK_EQ(slope_run(world, 0), N_COLUMNS);
  CHECK(slopes_are_right(world, 1));
  slope_shutdown(too_much);
  slope_shutdown(world);
  unsetenv("DDR_SHIM_MEMORY");
  setenv("DDR_SHIM_DEVICES", "3", 1);
}

int main(void) {
  unsetenv("DIDEROT_GPU");
  setenv("DDR_SHIM_DEVICES", "3", 1);
  RUN(a_shared_image_outlives_its_owner);
  RUN(what_cannot_be_shared_is_refused);
  RUN(several_threads_wait);
  if (is_interpreted) return test_result();
  RUN(a_frame_allocates_nothing);
  RUN(what_nobody_took_is_freed);
  RUN(memory_that_is_short_is_not_kept);
  RUN(outputs_that_were_shown_are_freed);
  RUN(a_device_that_fails_keeps_nothing);
  RUN(a_shared_image_is_copied_once);
  RUN(other_places_have_copies_of_their_own);
  RUN(the_next_world_begins_meanwhile);
  RUN(what_fails_is_told_by_who_waits);
  RUN(a_full_device_is_left_alone);
  return test_result();
}
