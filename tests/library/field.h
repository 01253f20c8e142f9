/* field.h: what the clients of field.diderot share: its samples, and what comes of them.
 *
 * img(x, y) = 10 x + y on any grid, which the kernel reproduces with its gradient (10, 1).
 */
#pragma once

#include <stdlib.h>

#include "field_lib.h"
#include "tests/unit/test.h"

enum { N_X = 8, N_Y = 7 };

/* Bytes that generated code may read behind an image. */
enum { FIELD_SPARE = 256 };

static inline float field_at(double x, double y) { return (float)(10 * x + y); }

/* Samples at (0,0), (1,0), ..., x fastest, with `spare` bytes behind them; from malloc. */
static inline float *field_samples(size_t spare) {
  float *samples = malloc(N_X * N_Y * sizeof *samples + spare);
  for (int y = 0; samples && y < N_Y; y++)
    for (int x = 0; x < N_X; x++) samples[y * N_X + x] = field_at(x, y);
  return samples;
}

static inline diderot_view_t field_view(void *samples) {
  diderot_view_t view = {.data = samples, .type = nrrdTypeFloat, .rank = 2};
  view.shape[0] = N_Y, view.shape[1] = N_X;
  view.strides[0] = N_X * (ptrdiff_t)sizeof(float), view.strides[1] = sizeof(float);
  return view;
}

/* An initialised world, nothing set. */
static inline field_world_t *field_bare_world(void) {
  field_world_t *world = field_new_world();
  CHECK(world && !field_init_world(world));
  return world;
}

/* An initialised world with its image, not created. */
static inline field_world_t *field_world(void) {
  field_world_t *world = field_new_world();
  float *samples = field_samples(0);
  if (!CHECK(world && samples) || !CHECK(!field_init_world(world))) return world;
  const diderot_view_t view = field_view(samples); /* copied: there is no spare memory */
  CHECK(!field_input_set_view_img(world, &view, NULL, NULL));
  free(samples);
  return world;
}

/* The recorded errors are these; reading them has removed them. */
static inline void check_field_errors(field_world_t *world, const char *want) {
  char *found = field_get_errors(world);
  CHECK_STR(found, want);
  free(found);
  CHECK(!field_any_errors(world));
}

/* The output `value` of all strands, (i, j) slowest first, is scale times the field at the strand's
 * position, (i + 2, j + 2) plus shift. */
static inline void check_field_values(field_world_t *world, double scale, double dx, double dy) {
  diderot_view_t view;
  if (!CHECK(!field_output_view_value(world, &view)) || !CHECK_EQ(view.rank, 2)) return;
  CHECK_EQ(view.type, nrrdTypeFloat);
  for (size_t i = 0; i < view.shape[0]; i++) {
    for (size_t j = 0; j < view.shape[1]; j++) {
      const char *at =
          (const char *)view.data + (ptrdiff_t)i * view.strides[0] + (ptrdiff_t)j * view.strides[1];
      float value;
      memcpy(&value, at, sizeof value);
      CHECK_NEAR(value, scale * field_at((double)i + 2 + dx, (double)j + 2 + dy), 2e-5);
    }
  }
}

/* Runs the world to its end, compares as check_field_values, and frees it. */
static inline void check_field_run(field_world_t *world, double dx, double dy) {
  CHECK(!field_set_printer_cb(world, NULL, NULL));
  CHECK(!field_input_set_word(world, "."));
  if (CHECK(!field_create_strands(world)) && CHECK_EQ(field_run(world, 0), 3))
    check_field_values(world, 1.5, dx, dy);
  check_field_errors(world, "");
  field_shutdown(world);
}
