/* Outputs and snapshots as Nrrds that the client owns, and as views of the world's memory. */
#include "swarm_lib.h"
#include "tests/library/field.h"
#include "tests/library/where.h"

static field_world_t *run_world(uint32_t max_steps) {
  field_world_t *world = field_world();
  CHECK(!field_input_set_word(world, "."));
  CHECK(!field_create_strands(world));
  if (max_steps > 0) field_run(world, max_steps);
  return world;
}

static void check_axis(const Nrrd *nrrd, unsigned axis, size_t size, int kind) {
  CHECK_EQ(nrrd->axis[axis].size, size);
  CHECK_EQ(nrrd->axis[axis].kind, kind);
}

static void nrrds_have_axes_and_kinds(void) {
  field_world_t *world = run_world(3);
  Nrrd *nrrd = nrrdNew();
  CHECK(!field_output_get_slope(world, nrrd));
  CHECK_EQ(nrrd->type, nrrdTypeFloat);
  CHECK_EQ(nrrd->dim, 3);
  check_axis(nrrd, 0, 2, nrrdKind2Vector);
  check_axis(nrrd, 1, 2, nrrdKindSpace); /* j, the last iterator */
  check_axis(nrrd, 2, 3, nrrdKindSpace);
  const float *slope = nrrd->data;
  for (int k = 0; k < 6; k++) {
    CHECK_NEAR(slope[2 * k], 10, 1e-4);
    CHECK_NEAR(slope[2 * k + 1], 1, 1e-4);
  }
  CHECK(!field_output_get_flag(world, nrrd)); /* the same Nrrd again */
  CHECK_EQ(nrrd->type, nrrdTypeUChar);
  CHECK_EQ(nrrd->dim, 2);
  check_axis(nrrd, 0, 2, nrrdKindSpace);
  const unsigned char *flag = nrrd->data;
  for (int k = 0; k < 6; k++) CHECK_EQ(flag[k], k % 2); /* flags[1], flags[2] */
  CHECK(!field_output_get_steps(world, nrrd));
  CHECK_EQ(nrrd->type, nrrdTypeInt);
  for (int k = 0; k < 6; k++) CHECK_EQ(((const int32_t *)nrrd->data)[k], k / 2 + 1);
  field_shutdown(world);
  CHECK_EQ(((const int32_t *)nrrd->data)[5], 3); /* the client's */
  nrrdNuke(nrrd);
}

/* Strand (i, j) has the numbers 10 i + 1, ..., 10 i + i. */
static void check_trail(const int32_t *lengths, const int32_t *data) {
  int32_t offset = 0;
  for (int k = 0; k < 6; k++) {
    const int i = k / 2 + 1;
    CHECK_EQ(lengths[2 * k], offset);
    if (!CHECK_EQ(lengths[2 * k + 1], i)) return;
    for (int n = 1; n <= i; n++) CHECK_EQ(data[offset++], 10 * i + n);
  }
}

static void sequences_are_two_arrays(void) {
  field_world_t *world = run_world(3);
  Nrrd *lengths = nrrdNew(), *data = nrrdNew();
  CHECK(!field_output_get_trail(world, lengths, data));
  CHECK_EQ(lengths->dim, 3);
  check_axis(lengths, 0, 2, nrrdKind2Vector);
  check_axis(lengths, 1, 2, nrrdKindSpace);
  check_axis(lengths, 2, 3, nrrdKindSpace);
  CHECK_EQ(data->dim, 1);
  check_axis(data, 0, 12, nrrdKindList);
  check_trail(lengths->data, data->data);
  diderot_view_t pairs, elements;
  CHECK(!field_output_view_trail(world, &pairs, &elements));
  CHECK_EQ(pairs.rank, 3);
  CHECK(pairs.shape[0] == 3 && pairs.shape[1] == 2 && pairs.shape[2] == 2);
  CHECK(pairs.strides[0] == 16 && pairs.strides[1] == 8 && pairs.strides[2] == 4);
  CHECK_EQ(elements.rank, 1);
  CHECK_EQ(elements.shape[0], 12);
  CHECK_EQ(elements.type, nrrdTypeInt);
  check_trail(pairs.data, elements.data);
  field_shutdown(world);
  nrrdNuke(lengths);
  nrrdNuke(data);
}

static void snapshots_show_every_step(void) {
  field_world_t *world = run_world(0);
  Nrrd *nrrd = nrrdNew(), *data = nrrdNew();
  CHECK(!field_snapshot_trail(world, nrrd, data));
  CHECK_EQ(nrrd->dim, 3);
  CHECK_EQ(data->dim, 0); /* all are empty */
  CHECK(data->data == NULL);
  for (int step = 0; step <= 3; step++) {
    CHECK(!field_snapshot_steps(world, nrrd));
    for (int k = 0; k < 6; k++) {
      const int i = k / 2 + 1;
      CHECK_EQ(((const int32_t *)nrrd->data)[k], i < step ? i : step);
    }
    field_run(world, 1);
  }
  field_shutdown(world);
  nrrdNuke(nrrd);
  nrrdNuke(data);
}

/* A view of a grid shows the states: after the next step it shows the new ones without another
 * call, unless a device has them. */
static void views_of_grids_are_in_place(void) {
  field_world_t *world = run_world(1);
  diderot_view_t steps = {0}, slope = {0};
  CHECK(!field_output_view_steps(world, &steps) && !field_output_view_slope(world, &slope));
  CHECK_EQ(steps.rank, 2);
  CHECK(steps.shape[0] == 3 && steps.shape[1] == 2);
  CHECK_EQ(steps.strides[0], 2 * steps.strides[1]);
  CHECK_EQ(slope.rank, 3);
  CHECK_EQ(slope.shape[2], 2);
  CHECK_EQ(slope.strides[2], sizeof(float));
  const char *last = (const char *)steps.data + 2 * steps.strides[0] + steps.strides[1];
  CHECK_EQ(*(const int32_t *)(const void *)last, 1);
  field_run(world, 1);
  if (!is_interpreted) CHECK_EQ(*(const int32_t *)(const void *)last, 2);
  field_shutdown(world);
}

static void places_must_be_given(void) {
  field_world_t *world = run_world(1);
  Nrrd *nrrd = nrrdNew();
  CHECK(field_output_get_value(world, NULL) && field_output_view_value(world, NULL));
  check_field_errors(world, "[DIDEROT] value: cannot get the output: the view is NULL\n"
                            "[DIDEROT] value: cannot get the output: the nrrd is NULL\n");
  CHECK(field_output_get_trail(world, nrrd, NULL) && field_snapshot_view_trail(world, NULL, NULL));
  check_field_errors(world, "[DIDEROT] trail: cannot get the output: a view is NULL\n"
                            "[DIDEROT] trail: cannot get the output: a nrrd is NULL\n");
  field_shutdown(world);
  nrrdNuke(nrrd);
}

/* --- collections ------------------------------------------------------------------------------ */

static bool ignore(void *data, char *text) {
  (void)data;
  return text == NULL;
}

static swarm_world_t *swarm(int64_t first_count) {
  swarm_world_t *world = swarm_new_world();
  CHECK(world && !swarm_init_world(world) && !swarm_set_printer_cb(world, ignore, NULL));
  CHECK(!swarm_input_set_first_count(world, first_count));
  CHECK(!swarm_create_strands(world));
  return world;
}

static void check_names(const diderot_view_t *view, const int64_t *want, size_t n) {
  CHECK_EQ(view->type, nrrdTypeLLong);
  CHECK_EQ(view->rank, 1);
  if (!CHECK_EQ(view->shape[0], n)) return;
  for (size_t k = 0; k < n; k++) {
    const char *at = (const char *)view->data + (ptrdiff_t)k * view->strides[0];
    CHECK_EQ(*(const int64_t *)(const void *)at, want[k]);
  }
}

static void outputs_of_collections_are_stable_strands(void) {
  swarm_world_t *world = swarm(5);
  Nrrd *nrrd = nrrdNew();
  diderot_view_t view;
  CHECK(!swarm_output_get_name(world, nrrd));
  CHECK(nrrd->dim == 0 && nrrd->data == NULL);
  CHECK(!swarm_output_view_name(world, &view));
  check_names(&view, NULL, 0);
  CHECK(!swarm_snapshot_view_name(world, &view));
  check_names(&view, (const int64_t[]){0, 1, 2, 3, 4}, 5);
  CHECK_EQ(swarm_run(world, 1), 1);
  CHECK(!swarm_output_view_name(world, &view)); /* some are stable: gathered */
  check_names(&view, (const int64_t[]){0, 2, 4}, 3);
  CHECK(!swarm_snapshot_view_name(world, &view));
  check_names(&view, (const int64_t[]){0, 2, 4, 100, 102, 104}, 6);
  CHECK_EQ(swarm_run(world, 0), 1);
  CHECK(!swarm_output_view_name(world, &view)); /* all are: in place */
  check_names(&view, (const int64_t[]){0, 2, 4, 100, 102, 104}, 6);
  CHECK(!swarm_output_get_at(world, nrrd));
  CHECK_EQ(nrrd->type, nrrdTypeDouble);
  check_axis(nrrd, 0, 6, nrrdKindList);
  CHECK(((const double *)nrrd->data)[4] == 51);
  swarm_shutdown(world);
  nrrdNuke(nrrd);
}

static void nothing_is_no_error(void) {
  swarm_world_t *world = swarm(0);
  Nrrd *lengths = nrrdNew(), *data = nrrdNew();
  diderot_view_t pairs, elements;
  CHECK_EQ(swarm_run(world, 0), 0);
  CHECK_EQ(swarm_num_strands(world), 0);
  CHECK(!swarm_output_get_marks(world, lengths, data));
  CHECK(lengths->dim == 0 && data->dim == 0);
  CHECK(!swarm_snapshot_view_marks(world, &pairs, &elements));
  CHECK(pairs.rank == 2 && pairs.shape[0] == 0 && elements.shape[0] == 0);
  CHECK(!swarm_any_errors(world));
  swarm_shutdown(world);
  nrrdNuke(lengths);
  nrrdNuke(data);
}

int main(void) {
  RUN(nrrds_have_axes_and_kinds);
  RUN(sequences_are_two_arrays);
  RUN(snapshots_show_every_step);
  RUN(views_of_grids_are_in_place);
  RUN(places_must_be_given);
  RUN(outputs_of_collections_are_stable_strands);
  RUN(nothing_is_no_error);
  return test_result();
}
