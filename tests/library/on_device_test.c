/* Inputs and outputs of libraries in memory of a device, which the shim (tests/shim) simulates.
 * This client owns the driver and says what memory the device has: AddressSanitizer reports access
 * to it from the host.
 */
#include "tests/shim/driver.h"

#include <stdint.h>
#include <stdlib.h>

#include "slope_lib.h"
#include "tests/library/failing_calls.h"
#include "there_lib.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(data, n_bytes) ((void)(data), (void)(n_bytes))
#define ASAN_UNPOISON_MEMORY_REGION(data, n_bytes) ((void)(data), (void)(n_bytes))
#endif

static shim_driver shared;
shim_driver *shim_shared_driver(void) { return &shared; }

/* --- memory of the device --------------------------------------------------------------------- */

static shim_given *block_at(const void *data) {
  for (int k = 0; k < SHIM_MOST_GIVEN; k++)
    if (shared.given[k].data == data) return &shared.given[k];
  return NULL;
}

/* A copy on that device. */
static void *put(const void *bytes, size_t n_bytes, int device) {
  shim_given *block = block_at(NULL);
  CHECK(block);
  *block = (shim_given){malloc(n_bytes), n_bytes, device};
  memcpy(block->data, bytes, n_bytes);
  ASAN_POISON_MEMORY_REGION(block->data, n_bytes);
  return block->data;
}

static void take(void *data) {
  shim_given *block = block_at(data);
  ASAN_UNPOISON_MEMORY_REGION(block->data, block->n_bytes);
  free(block->data);
  *block = (shim_given){0};
}

static void restart(long fail_at) {
  for (int k = 0; k < SHIM_MOST_GIVEN; k++)
    if (shared.given[k].data) take(shared.given[k].data);
  shared = (shim_driver){.fail_at = fail_at};
}

/* --- a grid ----------------------------------------------------------------------------------- */

enum { N_ROWS = 3, N_COLUMNS = 4, N_SAMPLES = 8 };

static diderot_view_t view_of(void *data, int type, size_t size) {
  diderot_view_t view = {.data = data, .type = type, .rank = 2};
  view.shape[0] = view.shape[1] = N_SAMPLES;
  view.strides[0] = (ptrdiff_t)(N_SAMPLES * size), view.strides[1] = (ptrdiff_t)size;
  return view;
}

static float value_at(size_t y, size_t x) { return (float)(10 * x + y * y); }

/* Samples of that type, with a stride along x and y, which may be backwards, on the device. */
#define FILL(c_type) ((c_type *)(void *)(bytes + at))[0] = (c_type)value_at((size_t)y, (size_t)x)

static diderot_view_t image_of(int type, size_t size, ptrdiff_t y_step, ptrdiff_t x_step,
                               int device) {
  const ptrdiff_t last = N_SAMPLES - 1, step_y = y_step * (ptrdiff_t)size,
                  step_x = x_step * (ptrdiff_t)size;
  const ptrdiff_t before = (step_y < 0 ? -step_y * last : 0) + (step_x < 0 ? -step_x * last : 0);
  const size_t n = (size_t)(last * (labs(step_y) + labs(step_x))) + size;
  char *bytes = calloc(1, n);
  for (ptrdiff_t y = 0; y < N_SAMPLES; y++) {
    for (ptrdiff_t x = 0; x < N_SAMPLES; x++) {
      const ptrdiff_t at = before + y * step_y + x * step_x;
      switch (type) {
      case nrrdTypeUChar: FILL(uint8_t); break;
      case nrrdTypeShort: FILL(int16_t); break;
      case nrrdTypeUInt: FILL(uint32_t); break;
      case nrrdTypeLLong: FILL(int64_t); break;
      case nrrdTypeFloat: FILL(float); break;
      default: FILL(double); break;
      }
    }
  }
  char *there = put(bytes, n, device);
  free(bytes);
  diderot_view_t view = view_of(there + before, type, size);
  view.strides[0] = step_y, view.strides[1] = step_x;
  return view;
}

static void expect_errors(char *found, const char *want) {
  CHECK_STR(found, want);
  free(found);
}

static slope_world_t *new_slope(const char *gpu) {
  slope_world_t *world = slope_new_world();
  CHECK(world && !slope_init_world(world) && !slope_set_gpu(world, gpu, 0));
  return world;
}

/* The gradient of value_at, by Catmull-Rom: exact for its squares. */
static bool is_slope(const float *found, size_t y) {
  return found[0] == 10 && found[1] == (float)(2 * (y + 2));
}

static bool slopes_are_right(slope_world_t *world) {
  diderot_view_t view;
  if (slope_output_view_slope(world, &view)) return false;
  for (size_t y = 0; y < N_ROWS; y++) {
    for (size_t x = 0; x < N_COLUMNS; x++) {
      const char *at = (char *)view.data + (ptrdiff_t)y * view.strides[0];
      if (!is_slope((const float *)(const void *)(at + (ptrdiff_t)x * view.strides[1]), y))
        return false;
    }
  }
  return true;
}

/* From a view that is not moved, with a device or without one. */
static void run_slope(const diderot_view_t *view, const char *gpu) {
  slope_world_t *world = new_slope(gpu);
  CHECK(!slope_input_set_device_img(world, view, NULL, NULL, NULL));
  CHECK(!slope_create_strands(world));
  CHECK_EQ(slope_get_gpu(world)[0] == '\0', strcmp(gpu, "none") == 0);
  CHECK_EQ(slope_run(world, 0), N_COLUMNS);
  CHECK(slopes_are_right(world) && !slope_any_errors(world));
  slope_shutdown(world);
}

static const struct {
  int type;
  size_t size;
} types[] = {{nrrdTypeUChar, 1}, {nrrdTypeShort, 2}, {nrrdTypeUInt, 4},
             {nrrdTypeLLong, 8}, {nrrdTypeFloat, 4}, {nrrdTypeDouble, 8}};

static void images_of_any_type_and_strides_are_read(void) {
  static const ptrdiff_t steps[][2] = {
      {N_SAMPLES, 1}, {1, N_SAMPLES}, {-3 * N_SAMPLES, 2}, {9, -1}};
  for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
      restart(0);
      const diderot_view_t view =
          image_of(types[k].type, types[k].size, steps[s][0], steps[s][1], 0);
      run_slope(&view, "any");
      run_slope(&view, "none"); /* the host gets a copy */
    }
  }
  restart(0);
}

static void the_clients_stream_is_waited_for(void) {
  restart(0);
  const diderot_view_t view = image_of(nrrdTypeFloat, 4, N_SAMPLES, 1, 1);
  slope_world_t *world = new_slope("1");
  const long n_before = shared.n_waits;
  CHECK(!slope_input_set_device_img(world, &view, NULL, NULL, NULL));
  CHECK_EQ(shared.n_waits, n_before + 1);
  CHECK_EQ(shared.device, 0);
  CHECK(!slope_create_strands(world) && slope_run(world, 0) == N_COLUMNS);
  take((char *)view.data); /* it is not needed any more */
  CHECK(slopes_are_right(world));
  slope_shutdown(world);
}

static void images_are_changed_on_the_host(void) {
  restart(0);
  const diderot_view_t view = image_of(nrrdTypeFloat, 4, N_SAMPLES, 1, 0);
  slope_world_t *world = new_slope("any");
  CHECK(!slope_decimate(world, "img", 2) &&
        !slope_input_set_device_img(world, &view, NULL, NULL, NULL));
  take((char *)view.data);
  CHECK(!slope_create_strands(world) && slope_run(world, 0) == N_COLUMNS);
  slope_shutdown(world);
}

/* --- bad input -------------------------------------------------------------------------------- */

static void refused(slope_world_t *world, const diderot_view_t *view, const char *want) {
  char line[512];
  CHECK(slope_input_set_device_img(world, view, NULL, NULL, NULL));
  snprintf(line, sizeof line, "[DIDEROT] img: cannot use the given array: %s\n", want);
  expect_errors(slope_get_errors(world), line);
}

static void what_is_no_such_memory_is_refused(void) {
  float host[N_SAMPLES * N_SAMPLES] = {0};
  restart(0);
  const diderot_view_t view = image_of(nrrdTypeFloat, 4, N_SAMPLES, 1, 0);
  slope_world_t *world = new_slope("any");
  diderot_view_t bad = view_of(host, nrrdTypeFloat, 4);
  refused(world, &bad, "it is not memory of a device");
  bad = view, bad.data = (char *)view.data + 8;
  refused(world, &bad, "the view has 256 bytes from byte 8 on of memory of a device that has 256");
  bad = view, bad.strides[0] *= -1;
  refused(world, &bad,
          "the view has 256 bytes from byte -224 on of memory of a device that has 256");
  bad = view, bad.strides[0] = 34;
  refused(world, &bad,
          "the stride of axis 0 of the view is 34 bytes, expected a multiple of the sample's 4");
  bad = view, bad.strides[0] = PTRDIFF_MAX / 4;
  refused(world, &bad, "the view has more samples than memory");
  bad = view, bad.data = (char *)view.data + 2, bad.shape[0] = 2;
  refused(world, &bad, "the view begins at an address that is not a multiple of the sample's 4");
  bad = view, bad.type = nrrdTypeBlock;
  refused(world, &bad, "the view has samples of type 11, which are not numbers");
  bad = view, bad.rank = 1;
  refused(world, &bad, "the view has rank 1, expected 2");
  bad = view, bad.data = NULL;
  refused(world, &bad, "the view has no data");
  CHECK(slope_input_set_device_img(world, NULL, NULL, NULL, NULL));
  expect_errors(slope_get_errors(world), "[DIDEROT] img: the view is NULL\n");
  CHECK(!slope_input_set_device_img(world, &view, NULL, NULL, NULL) &&
        !slope_create_strands(world));
  CHECK(slope_run(world, 0) == N_COLUMNS && slopes_are_right(world));
  CHECK(slope_input_set_device_img(world, &view, NULL, NULL, NULL));
  expect_errors(slope_get_errors(world),
                "[DIDEROT] img: inputs must be set before creating strands\n");
  slope_shutdown(world);
}

static void memory_is_looked_at_again_when_strands_are_created(void) {
  restart(0);
  const diderot_view_t freed = image_of(nrrdTypeFloat, 4, N_SAMPLES, 1, 0);
  const diderot_view_t there = image_of(nrrdTypeFloat, 4, N_SAMPLES, 1, 2);
  slope_world_t *on_0 = new_slope("any"), *on_1 = new_slope("1"), *on_2 = new_slope("2");
  CHECK(!slope_input_set_device_img(on_0, &freed, NULL, NULL, NULL));
  CHECK(!slope_input_set_device_img(on_1, &there, NULL, NULL, NULL));
  CHECK(!slope_input_set_device_img(on_2, &there, NULL, NULL, NULL));
  take((char *)freed.data);
  CHECK(slope_create_strands(on_0));
  expect_errors(slope_get_errors(on_0),
                "[DIDEROT] img: cannot use the given array: it is not memory "
                "of a device\n");
  CHECK(slope_create_strands(on_1));
  expect_errors(slope_get_errors(on_1),
                "[DIDEROT] img: cannot use the given array: it is memory of "
                "device 2, but the strands run on device 1\n");
  CHECK_EQ(slope_run(on_0, 0) + slope_run(on_1, 0), 0);
  CHECK(!slope_create_strands(on_2) && slope_run(on_2, 0) == N_COLUMNS && slopes_are_right(on_2));
  slope_shutdown(on_0);
  slope_shutdown(on_1);
  slope_shutdown(on_2);
}

/* --- outputs ---------------------------------------------------------------------------------- */

/* Memory of the device that a kernel could read. */
static void read_there(const void *data, size_t n_bytes, void *copy) {
  ASAN_UNPOISON_MEMORY_REGION(data, n_bytes);
  memcpy(copy, data, n_bytes);
}

static void outputs_of_grids_are_looked_at_in_place(void) {
  restart(0);
  const diderot_view_t image = image_of(nrrdTypeFloat, 4, N_SAMPLES, 1, 0);
  diderot_view_t view = {0}, again = {0};
  slope_world_t *world = new_slope("any");
  CHECK(slope_output_device_view_slope(world, &view));
  expect_errors(slope_get_errors(world), "[DIDEROT] must call slope_create_strands before "
                                         "slope_output_device_view_slope\n");
  CHECK(!slope_input_set_device_img(world, &image, NULL, NULL, NULL) &&
        !slope_create_strands(world));
  CHECK_EQ(slope_run(world, 0), N_COLUMNS);
  CHECK(slope_output_device_view_slope(world, NULL));
  free(slope_get_errors(world));
  CHECK(!slope_output_device_view_slope(world, &view) &&
        !slope_output_device_view_slope(world, &again));
  CHECK(view.data == again.data && view.rank == 3 && view.type == nrrdTypeFloat);
  CHECK(view.shape[0] == N_ROWS && view.shape[1] == N_COLUMNS && view.shape[2] == 2);
  CHECK(view.strides[1] == 4 && view.strides[0] == 4 * N_COLUMNS);
  for (size_t k = 0; k < N_ROWS * N_COLUMNS; k++) {
    const char *at = (const char *)view.data + k * 4;
    float found[2];
    read_there(at, 4, &found[0]);
    read_there(at + view.strides[2], 4, &found[1]);
    CHECK(is_slope(found, k / N_COLUMNS));
  }
  slope_shutdown(world);
  world = new_slope("none");
  CHECK(!slope_input_set_device_img(world, &image, NULL, NULL, NULL) &&
        !slope_create_strands(world));
  CHECK(slope_output_device_view_slope(world, &view));
  expect_errors(slope_get_errors(world),
                "[DIDEROT] slope: the CPU does the work, so the output is in "
                "memory of the host\n");
  slope_shutdown(world);
}

/* --- a collection ----------------------------------------------------------------------------- */

enum { N_MEMBERS = 4, N_FLOW = 6 };

static there_world_t *new_there(const char *gpu, ptrdiff_t component_step) {
  float flow[2 * N_FLOW] = {0}, once[N_FLOW] = {5};
  const int64_t numbers[] = {7, 8, 9};
  const ptrdiff_t x_step = component_step == 1 ? 2 : 1;
  for (ptrdiff_t x = 0; x < N_FLOW; x++)
    for (ptrdiff_t c = 0; c < 2; c++) flow[x * x_step + c * component_step] = (float)(x + 100 * c);
  diderot_view_t view = {.data = put(flow, sizeof flow, 0), .type = nrrdTypeFloat, .rank = 2};
  view.shape[0] = N_FLOW, view.strides[0] = 4 * x_step;
  view.shape[1] = 2, view.strides[1] = 4 * component_step;
  diderot_view_t other = {.data = put(once, sizeof once, 0), .type = nrrdTypeFloat, .rank = 1};
  other.shape[0] = N_FLOW, other.strides[0] = 4;
  diderot_view_t row = {.data = put(numbers, sizeof numbers, 0), .type = nrrdTypeLLong, .rank = 1};
  row.shape[0] = 3, row.strides[0] = 8;
  there_world_t *world = there_new_world();
  CHECK(world && !there_init_world(world) && !there_set_gpu(world, gpu, 0));
  CHECK(!there_input_set_device_flow(world, &view, NULL, NULL, NULL));
  CHECK(!there_input_set_device_once(world, &other, NULL, NULL, NULL));
  CHECK(!there_input_set_device_numbers(world, &row, NULL));
  row.data = &row;
  CHECK(there_input_set_device_numbers(world, &row, NULL));
  expect_errors(there_get_errors(world), "[DIDEROT] numbers: cannot use the given array: it is not "
                                         "memory of a device\n");
  CHECK(!there_create_strands(world));
  return world;
}

/* The output of strand k; that of strand 1 has a NaN, and a number that the host reads. */
static bool is_found(const float *found, size_t k) {
  const uint32_t nan = 0x7fc00000u;
  if (k == 1) return memcmp(&found[0], &nan, sizeof nan) == 0 && found[1] == 8;
  return found[0] == (float)k && found[1] == (float)(100 + k);
}

static void check_members(there_world_t *world) {
  diderot_view_t view;
  float found[2], base;
  int32_t both[2];
  CHECK(!there_output_device_view_found(world, &view));
  CHECK(view.rank == 2 && view.shape[0] == N_MEMBERS && view.shape[1] == 2);
  for (size_t k = 0; k < N_MEMBERS; k++) {
    const char *at = (const char *)view.data + (ptrdiff_t)k * view.strides[0];
    read_there(at, 4, &found[0]);
    read_there(at + view.strides[1], 4, &found[1]);
    CHECK(is_found(found, k));
  }
  CHECK(!there_output_device_view_both(world, &view) && view.type == nrrdTypeInt && view.rank == 2);
  for (int32_t k = 0; k < N_MEMBERS; k++) {
    const char *at = (const char *)view.data + k * view.strides[0];
    read_there(at, 4, &both[0]);
    read_there(at + view.strides[1], 4, &both[1]);
    CHECK(both[0] == k && both[1] == 10 * k);
  }
  CHECK(!there_output_device_view_base(world, &view) && view.rank == 1);
  read_there(view.data, 4, &base);
  CHECK_EQ(base, 5);
}

/* On the device or on the host: the output is empty, and later calls work. */
static void check_nothing(there_world_t *world) {
  diderot_view_t view;
  Nrrd *nrrd = nrrdNew();
  CHECK(!there_output_get_none(world, nrrd) && !nrrd->data && nrrd->dim == 0);
  nrrdNuke(nrrd);
  CHECK(!there_output_view_none(world, &view) && view.rank == 2 && view.shape[1] == 0);
  CHECK_EQ(view.shape[0], N_MEMBERS);
  CHECK(!there_any_errors(world));
}

static void collections_show_strands_that_are_stable(void) {
  diderot_view_t view;
  for (ptrdiff_t component_step = 1; component_step <= N_FLOW; component_step += N_FLOW - 1) {
    restart(0);
    there_world_t *world = new_there("any", component_step);
    CHECK(!there_output_device_view_found(world, &view) && view.shape[0] == 0);
    CHECK_EQ(there_run(world, 3), 3);
    CHECK_EQ(there_num_stable_strands(world), N_MEMBERS);
    check_members(world);
    check_nothing(world);
    CHECK(!there_output_device_view_none(world, &view) && view.shape[0] == N_MEMBERS);
    CHECK(view.rank == 2 && view.shape[1] == 0);
    CHECK(there_num_active_strands(world) == 2 && !there_any_errors(world));
    there_shutdown(world);
  }
  restart(0);
}

static void values_of_no_components_are_shown(void) {
  const char *const gpus[] = {"any", "none"};
  for (size_t k = 0; k < sizeof gpus / sizeof *gpus; k++) {
    restart(0);
    there_world_t *world = new_there(gpus[k], 1);
    CHECK_EQ(there_run(world, 3), 3);
    check_nothing(world);
    there_shutdown(world);
  }
  restart(0);
}

/* --- failures --------------------------------------------------------------------------------- */

/* Whichever call fails: one line, and the next calls are safe. */
static bool live_with_failure(long k) {
  restart(k);
  const diderot_view_t image = image_of(nrrdTypeFloat, 4, N_SAMPLES, 1, 0);
  diderot_view_t view;
  slope_world_t *world = new_slope("any");
  const bool is_set = !slope_input_set_device_img(world, &image, NULL, NULL, NULL);
  const bool is_made = is_set && !slope_create_strands(world);
  if (is_made) slope_run(world, 0);
  const bool has_run = is_made && !slope_any_errors(world);
  const bool is_shown = has_run && !slope_output_device_view_slope(world, &view);
  char *errors = slope_get_errors(world);
  CHECK_EQ(errors[0] == '\0', is_shown);
  CHECK(is_shown || strchr(errors, '\n')[1] == '\0');
  free(errors);
  CHECK_EQ(shared.device, 0);
  slope_shutdown(world);
  return shared.error != 0;
}

static void every_call_may_fail(void) {
  each_call_fails(live_with_failure, 80);
  restart(0);
}

int main(void) {
  unsetenv("DIDEROT_GPU");
  setenv("DDR_SHIM_DEVICES", "3", 1);
  RUN(images_of_any_type_and_strides_are_read);
  RUN(the_clients_stream_is_waited_for);
  RUN(images_are_changed_on_the_host);
  RUN(what_is_no_such_memory_is_refused);
  RUN(memory_is_looked_at_again_when_strands_are_created);
  RUN(outputs_of_grids_are_looked_at_in_place);
  RUN(collections_show_strands_that_are_stable);
  RUN(values_of_no_components_are_shown);
  RUN(every_call_may_fail);
  return test_result();
}
