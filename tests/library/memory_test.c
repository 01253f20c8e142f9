/* Memory that runs out: every allocation of a world fails in turn, alone or together with all later
 * ones. Each failure is an error of the call that needed the memory; nothing leaks.
 */
#include "tests/library/field.h"
#include "tests/unit/failing.h"

static bool ignore(void *data, char *text) {
  (void)data;
  return text == NULL;
}

/* Every second sample of a wider array, so that it is packed first. */
static bool set_inputs(field_world_t *world, Nrrd *points) {
  static float samples[N_Y][2 * N_X];
  for (int y = 0; y < N_Y; y++)
    for (int x = 0; x < N_X; x++) samples[y][2 * x] = field_at(x, y);
  diderot_view_t view = field_view(samples);
  view.strides[0] = sizeof samples[0], view.strides[1] = 2 * sizeof samples[0][0];
  return !field_set_printer_cb(world, ignore, NULL) && !field_input_set_word(world, "some words") &&
         !field_input_set_view_img(world, &view, NULL, NULL) &&
         !field_input_set_points(world, points);
}

static bool get_outputs(field_world_t *world, Nrrd *lengths, Nrrd *data) {
  diderot_view_t pairs, elements;
  return !field_output_get_trail(world, lengths, data) && !field_output_get_slope(world, data) &&
         !field_snapshot_view_trail(world, &pairs, &elements) && pairs.shape[0] == 3;
}

/* True when all went well; otherwise the world says so, if there is one. */
static bool live(Nrrd *points, Nrrd *lengths, Nrrd *data) {
  field_world_t *world = field_new_world();
  if (!world) return false;
  const bool is_good = !field_init_world(world) && set_inputs(world, points) &&
                       !field_create_strands(world) && field_run(world, 0) == 3 &&
                       !field_any_errors(world) && get_outputs(world, lengths, data);
  CHECK_EQ(field_any_errors(world), !is_good);
  free(field_get_errors(world));
  field_shutdown(world);
  return is_good;
}

static void fail_each(int64_t n_failures) {
  Nrrd *points = nrrdNew(), *lengths = nrrdNew(), *data = nrrdNew();
  bool is_good = false, has_failed = true;
  int64_t first = 0;
  CHECK(nrrdMaybeAlloc_va(points, nrrdTypeFloat, 2, (size_t)2, (size_t)3) == 0);
  for (; has_failed && first < 10000; first++) {
    fail_from(first, n_failures);
    is_good = live(points, lengths, data);
    has_failed = fail_no_more();
  }
  CHECK(is_good && first > 30);
  nrrdNuke(points);
  nrrdNuke(lengths);
  nrrdNuke(data);
}

static void every_failure_is_an_error(void) {
  fail_each(1);
  fail_each(1000000);
}

int main(void) {
  RUN(every_failure_is_an_error);
  return test_result();
}
