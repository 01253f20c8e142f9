/* Images given by view: those with spare memory are read in place, others copied or converted;
 * strides, places and components are followed; what does not fit is refused with a reason.
 */
#include "tests/library/field.h"
#include "tests/unit/runtime/files.h"

static void a_view_with_spare_memory_is_read_in_place(void) {
  field_world_t *world = field_bare_world();
  float *samples = field_samples(FIELD_SPARE);
  diderot_view_t view = field_view(samples);
  view.spare = FIELD_SPARE;
  CHECK(!field_input_set_view_img(world, &view, NULL, NULL));
  for (int k = 0; k < N_X * N_Y; k++) samples[k] += 10;
  check_field_run(world, 1, 0);
  free(samples);
}

static void a_view_without_spare_memory_is_copied(void) {
  field_world_t *world = field_bare_world();
  float *samples = field_samples(0);
  const diderot_view_t view = field_view(samples);
  CHECK(!field_input_set_view_img(world, &view, NULL, NULL));
  free(samples);
  check_field_run(world, 0, 0);
}

static void check_levels(field_world_t *world, double want) {
  diderot_view_t level;
  CHECK(!field_input_set_word(world, "."));
  CHECK(!field_create_strands(world));
  CHECK_EQ(field_run(world, 0), 3);
  CHECK(!field_output_view_level(world, &level));
  float value;
  memcpy(&value, level.data, sizeof value); /* at (2, 2) */
  CHECK_NEAR(value, want, 1e-5);
  field_shutdown(world);
}

/* The program was compiled for bytes in this image. */
static void bytes_are_read_in_place(void) {
  unsigned char bytes[8 * 8 + FIELD_SPARE];
  diderot_view_t view = {.data = bytes, .type = nrrdTypeUChar, .rank = 2, .spare = FIELD_SPARE};
  view.shape[0] = view.shape[1] = 8, view.strides[0] = 8, view.strides[1] = 1;
  field_world_t *world = field_world();
  memset(bytes, 200, sizeof bytes);
  CHECK(!field_input_set_view_levels(world, &view, NULL, NULL));
  memset(bytes, 201, sizeof bytes);
  check_levels(world, 201);
  world = field_world();
  view.spare = 15; /* one sample too few */
  CHECK(!field_input_set_view_levels(world, &view, NULL, NULL));
  memset(bytes, 202, sizeof bytes);
  check_levels(world, 201);
  check_levels(field_world(), 2 * 8 + 2 + 1); /* those of the file */
}

/* Doubles when they are given; so are shorts, unless the image is large: all are where sizes are
 * small. */
static void other_samples_than_bytes_are_converted(void) {
#if defined(DDR_SMALL_SIZES)
  const bool is_large = true;
#else
  const bool is_large = false;
#endif
  double reals[8][8];
  short words[8][8 + FIELD_SPARE];
  for (int k = 0; k < 8 * 8; k++) (&reals[0][0])[k] = 0.25;
  for (int k = 0; k < 8 * (8 + FIELD_SPARE); k++) (&words[0][0])[k] = -300;
  diderot_view_t view = {.data = reals, .type = nrrdTypeDouble, .rank = 2};
  view.shape[0] = view.shape[1] = 8;
  view.strides[0] = sizeof reals[0], view.strides[1] = sizeof reals[0][0];
  field_world_t *world = field_world();
  CHECK(!field_input_set_view_levels(world, &view, NULL, NULL));
  memset(reals, 0, sizeof reals);
  check_levels(world, 0.25);
  view.data = words, view.type = nrrdTypeShort, view.spare = FIELD_SPARE;
  view.strides[0] = sizeof words[0], view.strides[1] = sizeof words[0][0];
  world = field_world();
  CHECK(!field_input_set_view_levels(world, &view, NULL, NULL));
  for (int k = 0; k < 8 * (8 + FIELD_SPARE); k++) (&words[0][0])[k] = -400;
  check_levels(world, is_large ? -400 : -300);
}

/* Samples are read in place at any address, and from a file whose header has any length. */
static void samples_begin_at_any_byte(void) {
  for (int first = 1; first < 8; first++) {
    char memory[N_X * N_Y * sizeof(float) + FIELD_SPARE + 8], header[200];
    float samples[N_X * N_Y];
    for (int k = 0; k < N_X * N_Y; k++) samples[k] = field_at(k % N_X, k / N_X);
    memcpy(memory + first, samples, sizeof samples);
    diderot_view_t view = field_view((float *)(void *)(memory + first));
    view.spare = FIELD_SPARE;
    field_world_t *world = field_bare_world();
    CHECK(!field_input_set_view_img(world, &view, NULL, NULL));
    for (int k = 0; k < N_X * N_Y; k++) samples[k] += 10;
    memcpy(memory + first, samples, sizeof samples);
    check_field_run(world, 1, 0);
    snprintf(header, sizeof header,
             "NRRD0004\n%.*s\ntype: float\ndimension: 2\nsizes: %d %d\nencoding: raw\n"
             "endian: little\n\n",
             first, "########", N_X, N_Y);
    files_write_nrrd("any-byte.nrrd", header, samples, sizeof samples);
    world = field_bare_world();
    CHECK(!field_input_set_by_name_img(world, "any-byte.nrrd"));
    check_field_run(world, 1, 0);
  }
}

/* Rows from the last to the first, in memory with gaps between them, are read in place, and placed
 * so that the world sees the usual image. */
static void rows_may_lie_anywhere(void) {
  enum { PITCH = N_X + 5 };
  field_world_t *world = field_bare_world();
  float *memory = calloc(PITCH * N_Y + FIELD_SPARE, sizeof *memory);
  for (int y = 0; y < N_Y; y++)
    for (int x = 0; x < N_X; x++) memory[(N_Y - 1 - y) * PITCH + x] = field_at(x, y);
  diderot_view_t view = field_view(memory + (N_Y - 1) * PITCH);
  view.strides[0] = -PITCH * (ptrdiff_t)sizeof *memory;
  view.spare = FIELD_SPARE * sizeof *memory;
  CHECK(!field_input_set_view_img(world, &view, NULL, NULL));
  for (int k = 0; k < PITCH * N_Y; k++) memory[k] += 10;
  check_field_run(world, 1, 0);
  free(memory);
}

/* The kernels of the program read exactly their samples, so views without spare memory are read in
 * place. */
static void a_view_need_not_have_spare_memory(void) {
  field_world_t *world = field_bare_world();
  float *samples = field_samples(0);
  diderot_view_t view = field_view(samples + N_X * (N_Y - 1));
  for (int k = 0; k < N_X * N_Y; k++)
    samples[(N_Y - 1 - k / N_X) * N_X + k % N_X] = field_at(k % N_X, k / N_X);
  view.strides[0] = -view.strides[0];
  view.spare = SIZE_MAX;
  CHECK(!field_input_set_view_img(world, &view, NULL, NULL));
  for (int k = 0; k < N_X * N_Y; k++) samples[k] += 10;
  check_field_run(world, 1, 0);
  free(samples);
}

/* Columns first, every second one, in double: must be copied. */
static void strides_are_followed(void) {
  field_world_t *world = field_bare_world();
  double *memory = calloc(2 * N_X * N_Y, sizeof *memory);
  for (int y = 0; y < N_Y; y++)
    for (int x = 0; x < N_X; x++) memory[(2 * x + 1) * N_Y + y] = (double)field_at(x, y);
  diderot_view_t view = field_view(memory + N_Y);
  view.type = nrrdTypeDouble;
  view.strides[0] = sizeof *memory;
  view.strides[1] = 2 * N_Y * (ptrdiff_t)sizeof *memory;
  CHECK(!field_input_set_view_img(world, &view, NULL, NULL));
  free(memory);
  check_field_run(world, 0, 0);
}

/* Index (a, b) lies at world (a/2 - 1, b/2 - 2), and the samples are those of the field there. */
static void images_are_placed_in_the_world(void) {
  enum { N = 24 };
  field_world_t *world = field_bare_world();
  float *samples = malloc(N * N * sizeof *samples);
  for (int b = 0; b < N; b++)
    for (int a = 0; a < N; a++) samples[b * N + a] = field_at(0.5 * a - 1, 0.5 * b - 2);
  diderot_view_t view = field_view(samples);
  view.shape[0] = view.shape[1] = N;
  view.strides[0] = N * (ptrdiff_t)sizeof *samples;
  const double origin[2] = {-1, -2};
  const double steps[4] = {0, 0.5, 0.5, 0}; /* of the view's axes: along y, then along x */
  CHECK(!field_input_set_view_img(world, &view, origin, steps));
  free(samples);
  check_field_run(world, 0, 0);
}

/* Vectors: their axis is the last, or first in memory. */
/* A decimated ramp is the same ramp in world space. */
static void images_are_decimated(void) {
  enum { N = 16, BEFORE = 6 };
  const double origin[2] = {-BEFORE, -BEFORE};
  float samples[N][N];
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) samples[y][x] = field_at(x - BEFORE, y - BEFORE);
  diderot_view_t view = field_view(samples);
  view.shape[0] = view.shape[1] = N;
  view.strides[0] = sizeof samples[0];
  field_world_t *world = field_bare_world();
  CHECK(!field_decimate(world, "img", 2));
  CHECK(!field_prefilter(world, "flow")); /* which a tent does not need */
  CHECK(!field_input_set_view_img(world, &view, origin, NULL));
  CHECK(field_decimate(world, "img", 3));
  check_field_errors(world,
                     "[DIDEROT] img: what is done to an image must be said before it is set\n");
  check_field_run(world, 0, 0);
}

static void what_cannot_be_done_to_images_is_refused(void) {
  field_world_t *world = field_new_world();
  CHECK(field_prefilter(world, "img"));
  check_field_errors(world, "[DIDEROT] img: must call field_init_world before setting inputs\n");
  field_shutdown(world);
  world = field_bare_world();
  CHECK(field_prefilter(world, "img"));
  check_field_errors(world,
                     "[DIDEROT] img: there is no prefilter, since the program convolves the image "
                     "with ctmr (expected B-splines of one degree)\n");
  CHECK(field_prefilter(world, "scale"));
  check_field_errors(world, "[DIDEROT] the input \"scale\" is not an image\n");
  CHECK(field_decimate(world, "im", 2));
  check_field_errors(world, "[DIDEROT] the program has no input \"im\"\n");
  CHECK(field_decimate(world, "img", 0));
  check_field_errors(world, "[DIDEROT] img: cannot decimate by 0 (expected at least 1)\n");
  CHECK(field_decimate(world, NULL, 2));
  check_field_errors(world, "[DIDEROT] the name of the input is NULL\n");
  field_shutdown(world);
}

static void components_are_the_last_axis(void) {
  enum { N = 8 };
  float memory[2][N][N];
  for (int k = 0; k < N * N; k++) (&memory[0][0][0])[k] = 5, (&memory[1][0][0])[k] = -6;
  diderot_view_t view = {.data = memory, .type = nrrdTypeFloat, .rank = 3};
  view.shape[0] = view.shape[1] = N, view.shape[2] = 2;
  view.strides[0] = N * sizeof(float), view.strides[1] = sizeof(float);
  view.strides[2] = N * N * sizeof(float);
  field_world_t *world = field_world();
  CHECK(!field_input_set_view_flow(world, &view, NULL, NULL));
  CHECK(!field_create_strands(world));
  CHECK_EQ(field_run(world, 0), 3);
  diderot_view_t drift;
  CHECK(!field_output_view_drift(world, &drift));
  CHECK_EQ(drift.rank, 3);
  CHECK_EQ(drift.shape[2], 2);
  float pair[2];
  memcpy(pair, drift.data, sizeof pair);
  CHECK(pair[0] == 5 && pair[1] == -6);
  field_shutdown(world);
}

static void check_refused(field_world_t *world, const diderot_view_t *view, const double *steps,
                          const char *reason) {
  CHECK(field_input_set_view_img(world, view, NULL, steps));
  char want[200];
  snprintf(want, sizeof want, "[DIDEROT] img: %s\n", reason);
  check_field_errors(world, want);
}

static void views_that_do_not_fit_are_refused(void) {
  field_world_t *world = field_world();
  float *samples = field_samples(0);
  const diderot_view_t good = field_view(samples);
  diderot_view_t view = good;
  check_refused(world, NULL, NULL, "the view is NULL");
  view.rank = 1;
  check_refused(world, &view, NULL, "cannot use the given array: the view has rank 1, expected 2");
  view.rank = 17;
  check_refused(world, &view, NULL,
                "cannot use the given array: the view has rank 17, expected at most 16");
  view = good, view.rank = 3, view.shape[2] = 2;
  check_refused(world, &view, NULL,
                "cannot use the given array: the view has 2 values per element, expected 1");
  view = good, view.type = nrrdTypeBlock;
  check_refused(
      world, &view, NULL,
      "cannot use the given array: the view has samples of type 11, which are not numbers");
  view = good, view.type = -1;
  check_refused(
      world, &view, NULL,
      "cannot use the given array: the view has samples of type -1, which are not numbers");
  view = good, view.shape[1] = 0;
  check_refused(world, &view, NULL,
                "cannot use the given array: axis 1 of the view has size 0 (expected at least 1)");
  view = good, view.data = NULL;
  check_refused(world, &view, NULL, "cannot use the given array: the view has no data");
  view = good, view.shape[0] = SIZE_MAX / 2;
  check_refused(world, &view, NULL,
                "cannot use the given array: the view has more samples than memory");
  check_refused(world, &good, (const double[4]){1, 2, 2, 4},
                "cannot use the given array: its space directions are singular (expected "
                "independent, finite ones)");
  free(samples);
  check_field_run(world, 0, 0);
}

int main(void) {
  RUN(a_view_with_spare_memory_is_read_in_place);
  RUN(a_view_without_spare_memory_is_copied);
  RUN(bytes_are_read_in_place);
  RUN(other_samples_than_bytes_are_converted);
  RUN(samples_begin_at_any_byte);
  RUN(rows_may_lie_anywhere);
  RUN(a_view_need_not_have_spare_memory);
  RUN(strides_are_followed);
  RUN(images_are_placed_in_the_world);
  RUN(images_are_decimated);
  RUN(what_cannot_be_done_to_images_is_refused);
  RUN(components_are_the_last_axis);
  RUN(views_that_do_not_fit_are_refused);
  return test_result();
}
