/* Outputs written into memory of the client: views with any strides, of other types, and frames of
 * video; what does not fit is refused with a reason, and nothing is written.
 *
 * The value of strand (i, j), of 3 x 2, is 1.5 (10 (i + 2) + j + 2): 33 34.5, 48 49.5, 63 64.5.
 */
#include "swarm_lib.h"
#include "tests/library/field.h"

static field_world_t *run_world(void) {
  field_world_t *world = field_world();
  CHECK(!field_input_set_word(world, "."));
  CHECK(!field_create_strands(world));
  field_run(world, 0);
  return world;
}

static diderot_view_t view_of(void *data, int type, ptrdiff_t i_stride, ptrdiff_t j_stride) {
  diderot_view_t view = {.data = data, .type = type, .rank = 2};
  view.shape[0] = 3, view.shape[1] = 2;
  view.strides[0] = i_stride, view.strides[1] = j_stride;
  return view;
}

static const double values[3][2] = {{33, 34.5}, {48, 49.5}, {63, 64.5}};

static void views_have_any_strides_and_types(void) {
  field_world_t *world = run_world();
  double turned[2][4] = {{-1, -1, -1, -1}, {-1, -1, -1, -1}}; /* by j, i backwards */
  const diderot_view_t by_columns =
      view_of(&turned[0][2], nrrdTypeDouble, -(ptrdiff_t)sizeof(double), sizeof turned[0]);
  CHECK(!field_output_write_view_value(world, &by_columns));
  short words[3][3] = {{-1, -1, -1}, {-1, -1, -1}, {-1, -1, -1}};
  const diderot_view_t cut = view_of(words, nrrdTypeShort, sizeof words[0], sizeof(short));
  CHECK(!field_output_write_view_value(world, &cut));
  signed char bytes[3][2]; /* the steps of a strand are its i, from 1 on */
  const diderot_view_t narrow = view_of(bytes, nrrdTypeChar, 2, 1);
  CHECK(!field_output_write_view_steps(world, &narrow));
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 2; j++) {
      CHECK_NEAR(turned[j][2 - i], values[i][j], 2e-5);
      CHECK_EQ(words[i][j], (int)values[i][j]);
      CHECK_EQ(bytes[i][j], i + 1);
    }
    CHECK_EQ(words[i][2], -1);
  }
  CHECK(turned[0][3] == -1 && turned[1][3] == -1);
  field_shutdown(world);
}

static void components_are_the_last_axis(void) {
  field_world_t *world = run_world();
  float planes[2][3][2];
  diderot_view_t view = view_of(planes, nrrdTypeFloat, sizeof planes[0][0], sizeof(float));
  view.rank = 3, view.shape[2] = 2, view.strides[2] = sizeof planes[0];
  CHECK(!field_output_write_view_slope(world, &view));
  for (int k = 0; k < 6; k++) {
    CHECK_NEAR(planes[0][k / 2][k % 2], 10, 1e-4);
    CHECK_NEAR(planes[1][k / 2][k % 2], 1, 1e-4);
  }
  view.rank = 4, view.shape[2] = 1, view.shape[3] = 2, view.strides[3] = sizeof planes[0];
  CHECK(field_output_write_view_slope(world, &view)); /* not as of a tensor of one row */
  view.shape[2] = 2, view.shape[3] = 1;
  CHECK(!field_output_write_view_slope(world, &view));
  field_shutdown(world);
}

/* --- frames ----------------------------------------------------------------------------------- */

enum { ROW = 16, PLANE = 64 };

static diderot_frame_t frame_of(unsigned char *data, int layout) {
  diderot_frame_t frame = {.data = data, .layout = layout, .type = nrrdTypeUChar, .rank = 4};
  if (layout == DIDEROT_NHWC) {
    frame.dims[0] = 2, frame.dims[1] = 3, frame.dims[2] = 2, frame.dims[3] = 3;
  } else {
    frame.dims[0] = 2, frame.dims[1] = 3, frame.dims[2] = 3, frame.dims[3] = 2;
  }
  return frame;
}

static void check_bytes(const unsigned char *data, size_t n, size_t first, size_t i_step,
                        size_t j_step) {
  size_t n_written = 0;
  for (size_t k = 0; k < n; k++) n_written += data[k] != 255;
  CHECK_EQ(n_written, 6);
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 2; j++)
      CHECK_EQ(data[first + i * i_step + j * j_step], (int)values[i][j]);
}

static void frames_of_all_layouts_are_written(void) {
  field_world_t *world = run_world();
  unsigned char data[256];
  diderot_frame_t frame = frame_of(data, DIDEROT_NHWC); /* packed: 18 bytes each */
  memset(data, 255, sizeof data);
  frame.number = 1, frame.component = 2, frame.n_components = 1;
  CHECK(!field_output_write_frame_value(world, &frame));
  check_bytes(data, sizeof data, 18 + 2, 6, 3);

  frame = frame_of(data, DIDEROT_NCHW);
  memset(data, 255, sizeof data);
  frame.component = 1, frame.n_components = 1, frame.n_pitches = 4;
  frame.pitches[3] = ROW, frame.pitches[2] = PLANE, frame.pitches[1] = 3 * PLANE;
  frame.pitches[0] = 6 * PLANE;
  frame.n_bytes = sizeof data;
  CHECK(!field_output_write_frame_value(world, &frame));
  check_bytes(data, sizeof data, PLANE, ROW, 1);

  frame =
      (diderot_frame_t){.data = data, .layout = DIDEROT_420SP, .type = nrrdTypeUChar, .rank = 3};
  frame.dims[0] = 3, frame.dims[1] = 3, frame.dims[2] = 2;
  frame.n_pitches = 3;
  frame.pitches[2] = ROW, frame.pitches[1] = PLANE, frame.pitches[0] = 2 * PLANE;
  memset(data, 255, sizeof data);
  CHECK(!field_output_write_frame_value(world, &frame)); /* luma */
  check_bytes(data, sizeof data, 0, ROW, 1);

  frame.dims[1] = 6, frame.dims[2] = 4; /* a frame of 6 x 4 has 3 x 2 pairs */
  frame.pitches[1] = 6 * ROW, frame.pitches[0] = 9 * ROW, frame.component = 1;
  memset(data, 255, sizeof data);
  CHECK(!field_output_write_frame_slope(world, &frame));
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 4; j++) CHECK_NEAR(data[6 * ROW + i * ROW + j], j % 2 ? 1 : 10, 1);
  CHECK(data[6 * ROW - 1] == 255 && data[6 * ROW + 4] == 255);
  field_shutdown(world);
}

/* --- refusals --------------------------------------------------------------------------------- */

static void check_refused(field_world_t *world, const diderot_view_t *view, const char *want) {
  unsigned char before[256];
  const void *data = view ? view->data : NULL;
  if (data) memcpy(before, data, sizeof before);
  CHECK(field_output_write_view_value(world, view));
  if (data) CHECK(memcmp(before, data, sizeof before) == 0);
  check_field_errors(world, want);
}

static void views_that_do_not_fit_are_refused(void) {
  field_world_t *world = run_world();
  union {
    float numbers[64];
    char bytes[256];
  } memory = {.numbers = {0}};
  const diderot_view_t good = view_of(memory.numbers, nrrdTypeFloat, 8, 4);
  diderot_view_t view = good;
  check_refused(world, NULL, "[DIDEROT] value: cannot get the output: the view is NULL\n");
  view.rank = 1;
  check_refused(world, &view,
                "[DIDEROT] value: cannot get the output: the view has rank 1, expected 2\n");
  view.rank = 17;
  check_refused(
      world, &view,
      "[DIDEROT] value: cannot get the output: the view has rank 17, expected at most 16\n");
  view = good;
  view.shape[1] = 3;
  check_refused(
      world, &view,
      "[DIDEROT] value: cannot get the output: axis 1 of the view has size 3, expected 2\n");
  view = good;
  view.type = nrrdTypeBlock;
  check_refused(world, &view,
                "[DIDEROT] value: cannot get the output: the view has samples of type 11, which "
                "are not numbers\n");
  view = good;
  view.strides[0] = 9;
  check_refused(world, &view,
                "[DIDEROT] value: cannot get the output: the stride of axis 0 of the view is 9 "
                "bytes, expected "
                "a multiple of the sample's 4\n");
  view = good;
  view.strides[0] = 4;
  check_refused(world, &view,
                "[DIDEROT] value: cannot get the output: two elements of the view share memory\n");
  view.strides[0] = PTRDIFF_MAX - 3;
  check_refused(
      world, &view,
      "[DIDEROT] value: cannot get the output: the view is invalid: a number is too large for its "
      "type, or the array for the address space\n");
  view = good;
  view.data = NULL;
  check_refused(world, &view, "[DIDEROT] value: cannot get the output: the view has no data\n");
  view.data = memory.bytes + 1;
  CHECK(field_output_write_view_value(world, &view));
  check_field_errors(
      world, "[DIDEROT] value: cannot get the output: the view begins at an address that is not a "
             "multiple of the sample's 4\n");
  field_shutdown(world);
}

static void frames_that_do_not_fit_are_refused(void) {
  field_world_t *world = run_world();
  unsigned char data[36] = {0};
  diderot_frame_t frame = frame_of(data, DIDEROT_NHWC);
  CHECK(field_output_write_frame_value(world, NULL));
  check_field_errors(world, "[DIDEROT] value: cannot get the output: the frame is NULL\n");
  CHECK(field_output_write_frame_value(world, &frame));
  check_field_errors(
      world, "[DIDEROT] value: cannot get the output: the frame gives 3 values per element, "
             "expected 1\n");
  frame.n_components = 1, frame.dims[1] = 4;
  CHECK(field_output_write_frame_value(world, &frame));
  check_field_errors(
      world, "[DIDEROT] value: cannot get the output: axis 0 of the view has size 4, expected 3\n");
  frame.dims[1] = 3, frame.n_bytes = 15;
  CHECK(field_output_write_frame_value(world, &frame));
  check_field_errors(
      world, "[DIDEROT] value: cannot get the output: the frame ends at byte 16, but its buffer "
             "has 15\n");
  for (size_t k = 0; k < sizeof data; k++) CHECK_EQ(data[k], 0);
  frame.data = NULL, frame.n_bytes = 0;
  CHECK(field_output_write_frame_value(world, &frame));
  check_field_errors(world, "[DIDEROT] value: cannot get the output: the frame has no data\n");
  field_shutdown(world);
}

static void only_after_create(void) {
  field_world_t *world = field_world();
  float numbers[6];
  const diderot_view_t view = view_of(numbers, nrrdTypeFloat, 8, 4);
  CHECK(field_output_write_view_value(world, &view));
  check_field_errors(
      world, "[DIDEROT] must call field_create_strands before field_output_write_view_value\n");
  CHECK(field_output_write_view_value(NULL, &view));
  field_shutdown(world);
}

/* A collection has its stable strands as an output, in order, even if their values are not
 * adjacent. */
static void strands_of_a_collection_are_written(void) {
  swarm_world_t *world = swarm_new_world();
  diderot_view_t shown;
  CHECK(world && !swarm_init_world(world) && !swarm_create_strands(world));
  swarm_run(world, 0);
  CHECK(!swarm_output_view_name(world, &shown));
  int64_t *wanted = calloc(shown.shape[0] + 1, sizeof *wanted);
  float *found = calloc(2 * shown.shape[0] + 1, sizeof *found);
  for (size_t k = 0; k < shown.shape[0]; k++)
    memcpy(&wanted[k], (const char *)shown.data + (ptrdiff_t)k * shown.strides[0], 8);
  diderot_view_t view = {.data = found, .type = nrrdTypeFloat, .rank = 1};
  view.shape[0] = shown.shape[0], view.strides[0] = 8;
  CHECK(!swarm_output_write_view_name(world, &view));
  for (size_t k = 0; k < shown.shape[0]; k++) {
    CHECK_EQ(found[2 * k], wanted[k]);
    CHECK_EQ(found[2 * k + 1], 0);
  }
  CHECK(shown.shape[0] > 0);
  free(wanted);
  free(found);
  swarm_shutdown(world);
}

int main(void) {
  RUN(views_have_any_strides_and_types);
  RUN(components_are_the_last_axis);
  RUN(frames_of_all_layouts_are_written);
  RUN(views_that_do_not_fit_are_refused);
  RUN(frames_that_do_not_fit_are_refused);
  RUN(only_after_create);
  RUN(strands_of_a_collection_are_written);
  return test_result();
}
