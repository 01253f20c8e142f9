/* Inputs by value, by file, by Nrrd and by view: values arrive, what does not fit is refused with a
 * reason and changes nothing, memory is read in place where it can be.
 */
#include "tests/library/field.h"

/* Bytes that generated code may read behind an image. */
enum { SPARE = 256 };

static void values_come_back(void) {
  field_world_t *world = field_world();
  float scale, shift[2];
  int32_t count;
  bool flags[3];
  field_input_get_scale(world, &scale);
  field_input_get_shift(world, shift);
  field_input_get_count(world, &count);
  field_input_get_flags(world, flags);
  CHECK(scale == 1.5f && shift[0] == 0 && shift[1] == 0 && count == 3);
  CHECK(flags[0] && !flags[1] && flags[2]);
  CHECK(!field_input_set_scale(world, -2));
  CHECK(!field_input_set_shift(world, (float[2]){0.25f, 0.5f}));
  CHECK(!field_input_set_count(world, 2));
  CHECK(!field_input_set_flags(world, (bool[3]){false, true, false}));
  field_input_get_scale(world, &scale);
  field_input_get_shift(world, shift);
  field_input_get_count(world, &count);
  field_input_get_flags(world, flags);
  CHECK(scale == -2 && shift[0] == 0.25f && shift[1] == 0.5f && count == 2);
  CHECK(!flags[0] && flags[1] && !flags[2]);
  CHECK(!field_create_strands(world));
  CHECK_EQ(field_run(world, 0), 2);
  CHECK_EQ(field_num_strands(world), 4);
  check_field_values(world, -2, 0.25, 0.5);
  field_shutdown(world);
}

static void strings_are_copied(void) {
  field_world_t *world = field_world();
  char text[] = "two", *found;
  field_input_get_word(world, &found);
  CHECK_STR(found, "one");
  CHECK_EQ(field_input_get_size_word(world), 3);
  CHECK(!field_input_set_word(world, text));
  text[0] = 'x';
  field_input_get_word(world, &found);
  CHECK_STR(found, "two");
  CHECK(!field_input_set_word(world, ""));
  CHECK_EQ(field_input_get_size_word(world), 0);
  field_shutdown(world);
}

static void descriptions_are_there(void) {
  CHECK_STR(field_input_desc_img, "the samples");
  CHECK_STR(field_input_desc_word, "what is \"printed\"");
}

/* ---- images ------------------------------------------------------------------------------------
 */

/* Runs the world to its end and compares. */
static void check_run(field_world_t *world, double dx, double dy) {
  CHECK(!field_set_printer_cb(world, NULL, NULL));
  CHECK(!field_input_set_word(world, "."));
  if (CHECK(!field_create_strands(world)) && CHECK_EQ(field_run(world, 0), 3))
    check_field_values(world, 1.5, dx, dy);
  check_field_errors(world, "");
  field_shutdown(world);
}

static field_world_t *bare_world(void) {
  field_world_t *world = field_new_world();
  CHECK(world && !field_init_world(world));
  return world;
}

static Nrrd *nrrd_of(float *samples) {
  Nrrd *nrrd = nrrdNew();
  CHECK(nrrdWrap_va(nrrd, samples, nrrdTypeFloat, 2, (size_t)N_X, (size_t)N_Y) == 0);
  return nrrd;
}

static void files_are_loaded_when_set(void) {
  field_world_t *world = bare_world();
  float *samples = field_samples(0);
  Nrrd *nrrd = nrrd_of(samples);
  CHECK(nrrdSave("img.nrrd", nrrd, NULL) == 0);
  nrrdNuke(nrrd);
  CHECK(!field_input_set_by_name_img(world, "img.nrrd"));
  CHECK(remove("img.nrrd") == 0);
  CHECK(field_input_set_by_name_img(world, "img.nrrd"));
  check_field_errors(world, "[DIDEROT] img: cannot load image \"img.nrrd\": No such file or "
                            "directory\n");
  CHECK(field_input_set_by_name_img(world, NULL));
  check_field_errors(world, "[DIDEROT] img: the file name is NULL\n");
  check_run(world, 0, 0); /* with what was loaded first */
}

static void a_nrrd_gives_its_data_away(void) {
  field_world_t *world = bare_world();
  float *samples = field_samples(0);
  Nrrd *nrrd = nrrd_of(samples);
  CHECK(!field_input_set_img(world, nrrd));
  CHECK(!field_input_set_img(world, nrrd)); /* freed once */
  CHECK_EQ((intptr_t)nrrd->data, (intptr_t)samples);
  CHECK(samples[1] == 10); /* and not before shutdown */
  nrrdNix(nrrd);
  check_run(world, 0, 0);
}

static void a_nrrd_with_spare_memory_is_read_in_place(void) {
  field_world_t *world = bare_world();
  float *samples = field_samples(SPARE);
  Nrrd *nrrd = nrrd_of(samples);
  CHECK(!field_input_set_img(world, nrrd));
  for (int k = 0; k < N_X * N_Y; k++) samples[k] += 10; /* as if it lay one to the left */
  nrrdNix(nrrd);
  check_run(world, 1, 0);
}

static void a_nrrd_of_another_type_is_converted(void) {
  field_world_t *world = bare_world();
  float *samples = field_samples(0);
  Nrrd *nrrd = nrrd_of(samples), *wide = nrrdNew();
  CHECK(nrrdConvert(wide, nrrd, nrrdTypeShort) == 0);
  CHECK(!field_input_set_img(world, wide));
  nrrdNix(wide);
  nrrdNuke(nrrd);
  check_run(world, 0, 0);
}

static void a_nrrd_that_does_not_fit_stays_the_clients(void) {
  field_world_t *world = field_world();
  Nrrd *nrrd = nrrdNew();
  CHECK(field_input_set_img(world, NULL));
  check_field_errors(world, "[DIDEROT] img: cannot use the given array: the nrrd is NULL\n");
  CHECK(field_input_set_img(world, nrrd));
  check_field_errors(world, "[DIDEROT] img: cannot use the given array: the nrrd holds no data\n");
  CHECK(nrrdMaybeAlloc_va(nrrd, nrrdTypeFloat, 3, (size_t)4, (size_t)4, (size_t)4) == 0);
  CHECK(field_input_set_img(world, nrrd));
  check_field_errors(world, "[DIDEROT] img: cannot use the given array: nrrd has unexpected "
                            "dimension 3, expected 2 (3 spatial axes, expected 2)\n");
  nrrdNuke(nrrd);
  check_run(world, 0, 0);
}

static void getters_of_images_tell_the_nrrd(void) {
  field_world_t *world = field_world();
  void *found = world;
  field_input_get_flow(world, &found);
  CHECK(found == NULL);
  CHECK_EQ(field_input_get_size_flow(world), 0);
  Nrrd *nrrd = nrrdNew();
  CHECK(nrrdMaybeAlloc_va(nrrd, nrrdTypeFloat, 3, (size_t)2, (size_t)5, (size_t)6) == 0);
  nrrd->axis[0].kind = nrrdKind2Vector;
  CHECK(!field_input_set_flow(world, nrrd));
  field_input_get_flow(world, &found);
  CHECK(found == nrrd);
  CHECK_EQ(field_input_get_size_flow(world), 60);
  CHECK(!field_input_set_by_name_flow(world, "flow.nrrd"));
  field_input_get_flow(world, &found);
  CHECK(found == NULL);
  CHECK_EQ(field_input_get_size_flow(world), 98);
  nrrdNix(nrrd);
  field_shutdown(world);
}

/* ---- images by view ----------------------------------------------------------------------------
 */

static void a_view_with_spare_memory_is_read_in_place(void) {
  field_world_t *world = bare_world();
  float *samples = field_samples(SPARE);
  diderot_view_t view = field_view(samples);
  view.spare = SPARE;
  CHECK(!field_input_set_view_img(world, &view, NULL, NULL));
  for (int k = 0; k < N_X * N_Y; k++) samples[k] += 10;
  check_run(world, 1, 0);
  free(samples);
}

static void a_view_without_spare_memory_is_copied(void) {
  field_world_t *world = bare_world();
  float *samples = field_samples(0);
  const diderot_view_t view = field_view(samples);
  CHECK(!field_input_set_view_img(world, &view, NULL, NULL));
  free(samples);
  check_run(world, 0, 0);
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
  unsigned char bytes[8 * 8 + SPARE];
  diderot_view_t view = {.data = bytes, .type = nrrdTypeUChar, .rank = 2, .spare = SPARE};
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

static void other_samples_than_bytes_are_converted(void) {
  short words[8][8 + SPARE];
  diderot_view_t view = {.data = words, .type = nrrdTypeShort, .rank = 2, .spare = SPARE};
  view.shape[0] = view.shape[1] = 8;
  view.strides[0] = sizeof words[0], view.strides[1] = sizeof words[0][0];
  for (int k = 0; k < 8 * (8 + SPARE); k++) (&words[0][0])[k] = -300;
  field_world_t *world = field_world();
  CHECK(!field_input_set_view_levels(world, &view, NULL, NULL));
  memset(words, 0, sizeof words);
  check_levels(world, -300);
}

/* Rows from the last to the first, in memory with gaps between them: read in place, placed so that
 * the world sees what it always sees. */
static void rows_may_lie_anywhere(void) {
  enum { PITCH = N_X + 5 };
  field_world_t *world = bare_world();
  float *memory = calloc(PITCH * N_Y + SPARE, sizeof *memory);
  for (int y = 0; y < N_Y; y++)
    for (int x = 0; x < N_X; x++) memory[(N_Y - 1 - y) * PITCH + x] = field_at(x, y);
  diderot_view_t view = field_view(memory + (N_Y - 1) * PITCH);
  view.strides[0] = -PITCH * (ptrdiff_t)sizeof *memory;
  view.spare = SPARE * sizeof *memory;
  CHECK(!field_input_set_view_img(world, &view, NULL, NULL));
  for (int k = 0; k < PITCH * N_Y; k++) memory[k] += 10;
  check_run(world, 1, 0);
  free(memory);
}

/* Columns first, every second one, in double: must be copied. */
static void strides_are_followed(void) {
  field_world_t *world = bare_world();
  double *memory = calloc(2 * N_X * N_Y, sizeof *memory);
  for (int y = 0; y < N_Y; y++)
    for (int x = 0; x < N_X; x++) memory[(2 * x + 1) * N_Y + y] = (double)field_at(x, y);
  diderot_view_t view = field_view(memory + N_Y);
  view.type = nrrdTypeDouble;
  view.strides[0] = sizeof *memory;
  view.strides[1] = 2 * N_Y * (ptrdiff_t)sizeof *memory;
  CHECK(!field_input_set_view_img(world, &view, NULL, NULL));
  free(memory);
  check_run(world, 0, 0);
}

/* Index (a, b) lies at world (a/2 - 1, b/2 - 2), and the samples are those of the field there. */
static void images_are_placed_in_the_world(void) {
  enum { N = 24 };
  field_world_t *world = bare_world();
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
  check_run(world, 0, 0);
}

/* Vectors: their axis is the last, or first in memory. */
/* What is left of a slope is the same slope in the world. */
static void images_are_decimated(void) {
  enum { N = 16, BEFORE = 6 };
  const double origin[2] = {-BEFORE, -BEFORE};
  float samples[N][N];
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) samples[y][x] = field_at(x - BEFORE, y - BEFORE);
  diderot_view_t view = field_view(samples);
  view.shape[0] = view.shape[1] = N;
  view.strides[0] = sizeof samples[0];
  field_world_t *world = bare_world();
  CHECK(!field_decimate(world, "img", 2));
  CHECK(!field_prefilter(world, "flow")); /* which a tent does not need */
  CHECK(!field_input_set_view_img(world, &view, origin, NULL));
  CHECK(field_decimate(world, "img", 3));
  check_field_errors(world,
                     "[DIDEROT] img: what is done to an image must be said before it is set\n");
  check_run(world, 0, 0);
}

static void what_cannot_be_done_to_images_is_refused(void) {
  field_world_t *world = field_new_world();
  CHECK(field_prefilter(world, "img"));
  check_field_errors(world, "[DIDEROT] img: must call field_init_world before setting inputs\n");
  field_shutdown(world);
  world = bare_world();
  CHECK(field_prefilter(world, "img"));
  check_field_errors(world,
                     "[DIDEROT] img: there is no prefilter, since the program convolves the image "
                     "with ctmr (expected B-splines of one degree)\n");
  CHECK(field_prefilter(world, "scale"));
  check_field_errors(world, "[DIDEROT] the input \"scale\" is no image\n");
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
      "cannot use the given array: the view has samples of type 11, which are no numbers");
  view = good, view.type = -1;
  check_refused(
      world, &view, NULL,
      "cannot use the given array: the view has samples of type -1, which are no numbers");
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
  check_run(world, 0, 0);
}

static void check_nrrd_refused(field_world_t *world, Nrrd *nrrd, const char *reason) {
  char want[200];
  snprintf(want, sizeof want, "[DIDEROT] img: cannot use the given array: %s\n", reason);
  CHECK(field_input_set_img(world, nrrd));
  check_field_errors(world, want);
}

static void nrrds_that_do_not_fit_are_refused(void) {
  field_world_t *world = field_world();
  Nrrd *nrrd = nrrdNew();
  check_nrrd_refused(world, NULL, "the nrrd is NULL");
  check_nrrd_refused(world, nrrd, "the nrrd holds no data");
  nrrd->blockSize = 4;
  CHECK(!nrrdAlloc_va(nrrd, nrrdTypeBlock, 2, (size_t)2, (size_t)2));
  check_nrrd_refused(world, nrrd, "its samples are no numbers");
  CHECK(!nrrdAlloc_va(nrrd, nrrdTypeFloat, 2, (size_t)2, (size_t)2));
  nrrd->axis[1].size = 0;
  check_nrrd_refused(world, nrrd, "nrrd axis[1] has size 0 (expected at least 1)");
  nrrdNuke(nrrd);
  check_run(world, 0, 0);
}

/* ---- sequences ---------------------------------------------------------------------------------
 */

static int n_lines;

/* Statements are "WORD i LENGTH LENGTH". */
static bool count_lengths(void *data, char *text) {
  const int *want = data;
  int i, n_weights, n_points;
  CHECK_EQ(sscanf(text, "one %d %d %d", &i, &n_weights, &n_points), 3);
  CHECK(n_weights == want[0] && n_points == want[1]);
  n_lines++;
  return false;
}

static void check_lengths(field_world_t *world, int n_weights, int n_points) {
  int want[2] = {n_weights, n_points};
  n_lines = 0;
  CHECK(!field_set_printer_cb(world, count_lengths, want));
  CHECK(!field_create_strands(world));
  CHECK_EQ(field_run(world, 0), 3);
  CHECK_EQ(n_lines, 3);
  check_field_errors(world, "");
  field_shutdown(world);
}

static void sequences_have_defaults(void) {
  field_world_t *world = field_world();
  CHECK_EQ(field_input_get_size_weights(world), 2);
  CHECK_EQ(field_input_get_size_points(world), 0);
  check_lengths(world, 2, 0);
}

static void sequences_come_from_views(void) {
  field_world_t *world = field_world();
  const short weights[] = {1, 0, 2, 0, 3, 0};
  diderot_view_t view = {.data = (void *)(uintptr_t)weights, .type = nrrdTypeShort, .rank = 1};
  view.shape[0] = 3, view.strides[0] = 2 * sizeof *weights;
  for (int k = 0; k < 3; k++) CHECK(!field_input_set_view_weights(world, &view));
  CHECK_EQ(field_input_get_size_weights(world), 3);
  double points[5][2] = {{0}};
  view = (diderot_view_t){.data = points, .type = nrrdTypeDouble, .rank = 2};
  view.shape[0] = 5, view.shape[1] = 2;
  view.strides[0] = sizeof points[0], view.strides[1] = sizeof points[0][0];
  CHECK(!field_input_set_view_points(world, &view));
  view.rank = 1;
  CHECK(field_input_set_view_points(world, &view));
  check_field_errors(
      world, "[DIDEROT] points: cannot use the given array: the view has rank 1, expected 2\n");
  check_lengths(world, 3, 5);
}

static void sequences_may_become_empty(void) {
  field_world_t *world = field_world();
  const diderot_view_t view = {.type = nrrdTypeFloat, .rank = 1};
  CHECK(!field_input_set_view_weights(world, &view));
  CHECK_EQ(field_input_get_size_weights(world), 0);
  check_lengths(world, 0, 0);
}

static void sequences_of_nrrds_are_copied(void) {
  field_world_t *world = field_world();
  Nrrd *nrrd = nrrdNew();
  void *found;
  CHECK(nrrdMaybeAlloc_va(nrrd, nrrdTypeUChar, 2, (size_t)2, (size_t)4) == 0);
  CHECK(!field_input_set_points(world, nrrd));
  field_input_get_points(world, &found);
  CHECK(found == nrrd);
  CHECK(field_input_set_weights(world, nrrd));
  check_field_errors(world, "[DIDEROT] weights: cannot use the given array: expected nrrd "
                            "dimension of 1, but found 2\n");
  nrrdNuke(nrrd);
  check_lengths(world, 2, 4);
}

int main(void) {
  RUN(values_come_back);
  RUN(strings_are_copied);
  RUN(descriptions_are_there);
  RUN(files_are_loaded_when_set);
  RUN(a_nrrd_gives_its_data_away);
  RUN(a_nrrd_with_spare_memory_is_read_in_place);
  RUN(a_nrrd_of_another_type_is_converted);
  RUN(a_nrrd_that_does_not_fit_stays_the_clients);
  RUN(getters_of_images_tell_the_nrrd);
  RUN(a_view_with_spare_memory_is_read_in_place);
  RUN(a_view_without_spare_memory_is_copied);
  RUN(bytes_are_read_in_place);
  RUN(other_samples_than_bytes_are_converted);
  RUN(rows_may_lie_anywhere);
  RUN(strides_are_followed);
  RUN(images_are_placed_in_the_world);
  RUN(images_are_decimated);
  RUN(what_cannot_be_done_to_images_is_refused);
  RUN(components_are_the_last_axis);
  RUN(views_that_do_not_fit_are_refused);
  RUN(nrrds_that_do_not_fit_are_refused);
  RUN(sequences_have_defaults);
  RUN(sequences_come_from_views);
  RUN(sequences_may_become_empty);
  RUN(sequences_of_nrrds_are_copied);
  return test_result();
}
