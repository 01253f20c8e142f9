/* The life of a world: calls out of turn are errors with a reason, change nothing, and none of them
 * harms the process.
 */
#include <unistd.h>

#include "tests/library/field.h"
#include "tests/library/where.h"

static void calls_in_order_work(void) {
  field_world_t *world = field_world();
  CHECK_EQ(field_num_strands(world), 0);
  CHECK(!field_create_strands(world));
  CHECK_EQ(field_num_strands(world), 6);
  CHECK_EQ(field_num_active_strands(world), 6);
  CHECK_EQ(field_run(world, 1), 1);
  CHECK_EQ(field_num_active_strands(world), 4);
  CHECK_EQ(field_num_stable_strands(world), 2);
  CHECK_EQ(field_run(world, 0), 2);
  CHECK_EQ(field_num_stable_strands(world), 6);
  CHECK_EQ(field_run(world, 0), 0);
  CHECK(!field_any_errors(world));
  check_field_errors(world, "");
  check_field_values(world, 1.5, 0, 0);
  field_shutdown(world);
}

static void init_comes_first(void) {
  field_world_t *world = field_new_world();
  Nrrd *nrrd = nrrdNew();
  diderot_view_t view = {0};
  CHECK(field_create_strands(world));
  check_field_errors(world, "[DIDEROT] must call field_init_world before field_create_strands\n");
  CHECK(field_input_set_scale(world, 2));
  check_field_errors(world, "[DIDEROT] scale: must call field_init_world before setting inputs\n");
  CHECK(field_input_set_by_name_img(world, "flow.nrrd") && field_input_set_img(world, nrrd));
  CHECK(field_input_set_view_img(world, &view, NULL, NULL) && field_input_set_word(world, "x"));
  CHECK(field_input_set_view_points(world, &view));
  free(field_get_errors(world));
  CHECK_EQ(field_run(world, 0), 0);
  check_field_errors(world, "[DIDEROT] attempt to run uninitialized program\n");
  CHECK(field_output_get_value(world, nrrd));
  check_field_errors(world,
                     "[DIDEROT] must call field_create_strands before field_output_get_value\n");
  CHECK(!field_init_world(world));
  CHECK(field_init_world(world));
  check_field_errors(world, "[DIDEROT] multiple calls to field_init_world\n");
  field_shutdown(world);
  nrrdNuke(nrrd);
}

static void create_comes_once(void) {
  field_world_t *world = field_world();
  Nrrd *nrrd = nrrdNew(), *other = nrrdNew();
  diderot_view_t view;
  CHECK_EQ(field_run(world, 0), 0);
  check_field_errors(world, "[DIDEROT] attempt to run uninitialized program\n");
  CHECK(field_snapshot_trail(world, nrrd, other) && field_output_view_value(world, &view));
  check_field_errors(world,
                     "[DIDEROT] must call field_create_strands before field_output_view_value\n"
                     "[DIDEROT] must call field_create_strands before field_snapshot_trail\n");
  CHECK(!field_create_strands(world));
  CHECK(field_create_strands(world));
  check_field_errors(world, "[DIDEROT] multiple calls to field_create_strands\n");
  CHECK(field_init_world(world));
  check_field_errors(world, "[DIDEROT] multiple calls to field_init_world\n");
  CHECK(field_input_set_scale(world, 2));
  check_field_errors(world, "[DIDEROT] scale: inputs must be set before creating strands\n");
  CHECK(field_input_set_view_img(world, &view, NULL, NULL));
  check_field_errors(world, "[DIDEROT] img: inputs must be set before creating strands\n");
  CHECK_EQ(field_run(world, 0), 3);
  check_field_values(world, 1.5, 0, 0); /* none of it did any harm */
  field_shutdown(world);
  nrrdNuke(nrrd);
  nrrdNuke(other);
}

static void an_input_may_be_set_after_it_was_missed(void) {
  field_world_t *world = field_new_world();
  float *samples = field_samples(0);
  const diderot_view_t view = field_view(samples);
  CHECK(!field_init_world(world));
  CHECK(field_create_strands(world));
  check_field_errors(world, "[DIDEROT] undefined input \"img\"\n");
  CHECK(!field_input_set_view_img(world, &view, NULL, NULL));
  CHECK(!field_create_strands(world));
  CHECK_EQ(field_run(world, 0), 3);
  check_field_values(world, 1.5, 0, 0);
  field_shutdown(world);
  free(samples);
}

static void errors_that_wait_stop_nothing(void) {
  field_world_t *world = field_world();
  CHECK(field_input_set_by_name_flow(world, "no-such-file.nrrd"));
  CHECK(field_input_set_word(world, NULL));
  CHECK(!field_create_strands(world));
  CHECK_EQ(field_run(world, 0), 3);
  CHECK(field_any_errors(world));
  check_field_errors(world, "[DIDEROT] word: the value is NULL\n"
                            "[DIDEROT] flow: cannot load image \"no-such-file.nrrd\": No such file "
                            "or directory\n");
  check_field_values(world, 1.5, 0, 0);
  field_shutdown(world);
}

static void a_failed_create_leaves_nothing_to_run(void) {
  field_world_t *world = field_world();
  diderot_view_t view;
  CHECK(!field_input_set_count(world, INT32_MAX));
  CHECK(field_create_strands(world));
  CHECK(field_any_errors(world));
  free(field_get_errors(world));
  CHECK_EQ(field_run(world, 0), 0);
  CHECK(field_output_view_value(world, &view));
  field_shutdown(world);
}

static void no_world_is_an_error(void) {
  float value[2] = {7, 8};
  CHECK(field_init_world(NULL) && field_create_strands(NULL) && field_any_errors(NULL));
  CHECK(field_input_set_scale(NULL, 1) && field_input_set_img(NULL, NULL));
  CHECK(field_output_get_value(NULL, NULL) && field_snapshot_view_value(NULL, NULL));
  CHECK(field_set_printer_cb(NULL, NULL, NULL) && !field_get_verbose(NULL));
  CHECK_EQ(field_run(NULL, 0), 0);
  CHECK_EQ(field_num_strands(NULL), 0);
  CHECK_EQ(field_input_get_size_word(NULL), 0);
  field_input_get_shift(NULL, value);
  CHECK_EQ((int)value[0], 7);
  field_set_verbose(NULL, true);
  char *text = field_get_errors(NULL);
  CHECK_STR(text, "[DIDEROT] there is no world\n");
  free(text);
  field_shutdown(NULL);
}

static void any_stage_may_be_the_last(void) {
  field_shutdown(field_new_world());
  field_shutdown(field_world());
  field_world_t *world = field_world();
  CHECK(!field_create_strands(world));
  field_shutdown(world);
  world = field_world();
  CHECK(!field_create_strands(world));
  CHECK_EQ(field_run(world, 1), 1);
  field_shutdown(world);
}

/* Messages of a verbose world go to the standard error. */
static void a_verbose_world_tells_what_it_does(void) {
  char said[1024] = "";
  FILE *file = tmpfile();
  const int saved = dup(STDERR_FILENO);
  if (!CHECK(file && saved >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0)) return;
  field_world_t *world = field_world();
  field_set_verbose(world, true);
  const bool is_verbose = field_get_verbose(world), has_failed = field_create_strands(world);
  const uint32_t n_steps = field_run(world, 0);
  field_shutdown(world);
  fflush(stderr);
  dup2(saved, STDERR_FILENO);
  close(saved);
  rewind(file);
  const size_t n = fread(said, 1, sizeof said - 1, file);
  said[n] = '\0';
  fclose(file);
  CHECK(is_verbose && !has_failed && n_steps == 3);
  if (is_interpreted) CHECK(strstr(said, "using " NAME_OF_DEVICE "\n"));
  else CHECK(strncmp(said, "field: 6 strands, 1 threads\n", 28) == 0);
  CHECK(strstr(said, "\nfield: 3 steps; 6 strands stable, 0 active\n"));
}

int main(void) {
  RUN(calls_in_order_work);
  RUN(init_comes_first);
  RUN(create_comes_once);
  RUN(an_input_may_be_set_after_it_was_missed);
  RUN(errors_that_wait_stop_nothing);
  RUN(a_failed_create_leaves_nothing_to_run);
  RUN(no_world_is_an_error);
  RUN(any_stage_may_be_the_last);
  RUN(a_verbose_world_tells_what_it_does);
  return test_result();
}
