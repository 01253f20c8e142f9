/* Inputs by value, by file and by Nrrd, sequences by view as well: values arrive, what does not fit
 * is refused with a reason and changes nothing, memory is read in place where it can be.
 */
#include "tests/library/field.h"

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

/* --- images ----------------------------------------------------------------------------------- */

static Nrrd *nrrd_of(float *samples) {
  Nrrd *nrrd = nrrdNew();
  CHECK(nrrdWrap_va(nrrd, samples, nrrdTypeFloat, 2, (size_t)N_X, (size_t)N_Y) == 0);
  return nrrd;
}

static void files_are_loaded_when_set(void) {
  field_world_t *world = field_bare_world();
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
  check_field_run(world, 0, 0); /* with what was loaded first */
}

static void a_nrrd_gives_its_data_away(void) {
  field_world_t *world = field_bare_world();
  float *samples = field_samples(0);
  Nrrd *nrrd = nrrd_of(samples);
  CHECK(!field_input_set_img(world, nrrd));
  CHECK(!field_input_set_img(world, nrrd)); /* freed once */
  CHECK_EQ((intptr_t)nrrd->data, (intptr_t)samples);
  CHECK(samples[1] == 10); /* and not before shutdown */
  nrrdNix(nrrd);
  check_field_run(world, 0, 0);
}

static void a_nrrd_with_spare_memory_is_read_in_place(void) {
  field_world_t *world = field_bare_world();
  float *samples = field_samples(FIELD_SPARE);
  Nrrd *nrrd = nrrd_of(samples);
  CHECK(!field_input_set_img(world, nrrd));
  for (int k = 0; k < N_X * N_Y; k++) samples[k] += 10; /* as if it lay one to the left */
  nrrdNix(nrrd);
  check_field_run(world, 1, 0);
}

static void a_nrrd_of_another_type_is_converted(void) {
  field_world_t *world = field_bare_world();
  float *samples = field_samples(0);
  Nrrd *nrrd = nrrd_of(samples), *wide = nrrdNew();
  CHECK(nrrdConvert(wide, nrrd, nrrdTypeShort) == 0);
  CHECK(!field_input_set_img(world, wide));
  nrrdNix(wide);
  nrrdNuke(nrrd);
  check_field_run(world, 0, 0);
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
  check_field_run(world, 0, 0);
}

/* Preparing an image can fail after its samples were given. */
static void a_nrrd_that_cannot_be_decimated_stays_the_clients(void) {
  field_world_t *world = field_bare_world();
  float *samples = field_samples(0);
  Nrrd *nrrd = nrrd_of(samples);
  CHECK(!field_decimate(world, "img", 1000));
  CHECK(field_input_set_img(world, nrrd));
  check_field_errors(world, "[DIDEROT] img: cannot decimate by 1000 (expected at most the samples "
                            "of the longest axis)\n");
  field_shutdown(world);
  nrrdNuke(nrrd);
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
  check_nrrd_refused(world, nrrd, "its samples are not numbers");
  CHECK(!nrrdAlloc_va(nrrd, nrrdTypeFloat, 2, (size_t)2, (size_t)2));
  nrrd->axis[1].size = 0;
  check_nrrd_refused(world, nrrd, "nrrd axis[1] has size 0 (expected at least 1)");
  nrrdNuke(nrrd);
  check_field_run(world, 0, 0);
}

/* --- sequences -------------------------------------------------------------------------------- */

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

/* Sequences of the program's type are read in place until shutdown; all others are copied. */
static void sequences_can_be_lent(void) {
  field_world_t *world = field_world();
  const float floats[] = {1, 2, 3};
  const double doubles[] = {1, 2, 3, 4};
  const void *const arrays[] = {floats, doubles};
  static const int types[] = {nrrdTypeFloat, nrrdTypeDouble};
  for (size_t k = 0; k < 2; k++) {
    diderot_view_t view = {.data = (void *)(uintptr_t)arrays[k], .type = types[k], .rank = 1};
    view.shape[0] = 3 + k, view.strides[0] = (ptrdiff_t)nrrdTypeSize[types[k]];
    CHECK(!field_input_lend_view_weights(world, &view));
    CHECK_EQ(field_input_get_size_weights(world), 3 + k);
    view.rank = 2, view.shape[1] = 1;
    CHECK(field_input_lend_view_points(world, &view));
    check_field_errors(world, "[DIDEROT] points: cannot use the given array: the view has 1 values "
                              "per element, expected 2\n");
    CHECK(field_input_lend_view_points(world, NULL));
    check_field_errors(world, "[DIDEROT] points: the view is NULL\n");
  }
  check_lengths(world, 4, 0);
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
  RUN(a_nrrd_that_cannot_be_decimated_stays_the_clients);
  RUN(getters_of_images_tell_the_nrrd);
  RUN(nrrds_that_do_not_fit_are_refused);
  RUN(sequences_have_defaults);
  RUN(sequences_come_from_views);
  RUN(sequences_can_be_lent);
  RUN(sequences_may_become_empty);
  RUN(sequences_of_nrrds_are_copied);
  return test_result();
}
