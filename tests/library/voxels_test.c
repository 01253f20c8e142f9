/* Images of two components on a device (ddr/device/samples.h), simulated by the shim: rows in the
 * host's memory begin anywhere, also at odd samples, and may run backwards.
 */
#include "tests/shim/driver.h"

#include <math.h>
#include <stdlib.h>

#include "drift_lib.h"
#include "tests/unit/test.h"

static shim_driver shared;
shim_driver *shim_shared_driver(void) { return &shared; }

enum { N_ROWS = 3, N_COLUMNS = 4, N_SAMPLES = 9, N_SPARE = 16 };

/* Kernels reproduce linear functions. */
static double flow_at(double x, double y, int component) {
  return component == 0 ? 10 * x + y : x - 2 * y + 3;
}

typedef bool Output(drift_world_t *world, diderot_view_t *view);

/* At (x + dx, y + dy), where the left border is x = 0. */
static bool is_right(drift_world_t *world, Output *output, double dx, double dy) {
  diderot_view_t view;
  bool is_right = !output(world, &view);
  for (int y = 0; is_right && y < N_ROWS; y++) {
    for (int x = 0; x < N_COLUMNS; x++) {
      const char *at = (char *)view.data + y * view.strides[0] + x * view.strides[1];
      const float *found = (const float *)(const void *)at;
      for (int k = 0; k < 2; k++)
        is_right &= fabs(found[k] - flow_at(fmax(x + dx, 0), y + dy, k)) < 1e-4;
    }
  }
  return is_right;
}

/* Rows that many samples apart, read in place. */
static void run_with(ptrdiff_t pitch, const char *gpu) {
  const size_t n = (size_t)labs(pitch) * N_SAMPLES;
  float *memory = calloc(n + N_SPARE, sizeof *memory), *first = memory;
  if (pitch < 0) first -= (N_SAMPLES - 1) * pitch;
  for (int y = 0; y < N_SAMPLES; y++)
    for (int k = 0; k < 2 * N_SAMPLES; k++) first[y * pitch + k] = (float)flow_at(k / 2, y, k % 2);
  diderot_view_t view = {.data = first, .type = nrrdTypeFloat, .rank = 3};
  view.spare = N_SPARE * sizeof *memory;
  view.shape[0] = view.shape[1] = N_SAMPLES, view.shape[2] = 2;
  view.strides[0] = pitch * (ptrdiff_t)sizeof *memory;
  view.strides[1] = 2 * sizeof *memory, view.strides[2] = sizeof *memory;
  drift_world_t *world = drift_new_world();
  CHECK(world && !drift_init_world(world) && !drift_set_gpu(world, gpu, 0));
  CHECK(!drift_input_set_view_flow(world, &view, NULL, NULL));
  CHECK(!drift_create_strands(world) && drift_run(world, 0) == 1);
  CHECK_EQ(drift_get_gpu(world)[0] == '\0', strcmp(gpu, "none") == 0);
  CHECK(is_right(world, drift_output_view_near, 2.5, 3.25));
  CHECK(is_right(world, drift_output_view_wide, 2.5, 3.25));
  CHECK(is_right(world, drift_output_view_edge, -1, 0.5));
  drift_shutdown(world);
  free(memory);
}

static void rows_may_begin_at_any_sample(void) {
  static const ptrdiff_t pitches[] = {2 * N_SAMPLES, 2 * N_SAMPLES + 1, 2 * N_SAMPLES + 4,
                                      -2 * N_SAMPLES, -2 * N_SAMPLES - 3};
  for (size_t k = 0; k < sizeof pitches / sizeof *pitches; k++) {
    run_with(pitches[k], "required");
    run_with(pitches[k], "none");
  }
}

int main(void) {
  RUN(rows_may_begin_at_any_sample);
  return test_result();
}
