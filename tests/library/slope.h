/* slope.h: worlds of slope.diderot on the shim; the test that includes this owns the shim's
 * driver. */
#pragma once

#include "tests/shim/driver.h"

#include <stdlib.h>

#include "slope_lib.h"
#include "tests/library/failing_calls.h"
#include "tests/library/where.h"

static shim_driver shared;
shim_driver *shim_shared_driver(void) { return &shared; }

/* Resets the shim as if a new process began, whose own memory is on that device. */
static void restart(int device, long fail_at) {
  const long n_allocations = shared.n_allocations, n_frees = shared.n_frees;
  shared = (shim_driver){
      .device = device, .fail_at = fail_at, .n_allocations = n_allocations, .n_frees = n_frees};
}

/* --- worlds ----------------------------------------------------------------------------------- */

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

static void expect_errors(slope_world_t *world, const char *want) {
  char *found = slope_get_errors(world);
  CHECK_STR(found, want);
  free(found);
}
