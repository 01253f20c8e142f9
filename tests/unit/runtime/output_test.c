/* Output files: exact headers, axis order, formats by suffix, and files that are complete or
 * absent. */
#include "files.h"
#include "grid_program.h"
#include "runtime/src/images/images.h"
#include "runtime/src/outputs/local.h"
#include "runtime/src/strands/store.h"

static ddr_world *world_new(const ddr_program *program) {
  ddr_world *world = ddr_world_new(program);
  CHECK(ddr_world_create(world) == DDR_OK && ddr_world_run(world, 0) == 2);
  return world;
}

#define URL                                                                                        \
  "NRRD0003\n# Complete NRRD file format specification at:\n"                                      \
  "# http://teem.sourceforge.net/nrrd/format.html\n"

/* The header must be exactly this, and the data the rest of the file. */
static void check_file(const char *name, const char *header, const void *data, size_t n_data) {
  size_t n = 0;
  char *bytes = files_read(name, &n);
  const size_t n_header = strlen(header);
  if (CHECK(bytes != NULL) && CHECK_EQ(n, n_header + n_data)) {
    CHECK(memcmp(bytes, header, n_header) == 0);
    CHECK(memcmp(bytes + n_header, data, n_data) == 0);
  }
  free(bytes);
}

static const int32_t sums[6] = {-1, 0, 1, 9, 10, 11};
static const uint8_t rights[6] = {0, 0, 1, 0, 0, 1};

static void writes_three_types(void) {
  ddr_world *world = world_new(&grid_program);
  CHECK(ddr_output_save(world, 0, "sum.nrrd") == DDR_OK);
  check_file("sum.nrrd",
             URL "type: int\ndimension: 2\nsizes: 3 2\nkinds: space space\n"
                 "endian: little\nencoding: raw\n\n",
             sums, sizeof sums);
  CHECK(ddr_output_save(world, 1, "at") == DDR_OK); /* any other suffix means nrrd, too */
  float at[6][3];
  for (int k = 0; k < 6; k++) {
    at[k][0] = (float)(k % 3 - 1);
    at[k][1] = (float)(k / 3);
    at[k][2] = 1.0f / 3 + 1000;
  }
  check_file("at",
             URL "type: float\ndimension: 3\nsizes: 3 3 2\nkinds: 3-vector space space\n"
                 "endian: little\nencoding: raw\n\n",
             at, sizeof at);
  CHECK(ddr_output_save(world, 2, "right.nrrd") == DDR_OK);
  check_file("right.nrrd",
             URL "type: unsigned char\ndimension: 2\nsizes: 3 2\n"
                 "kinds: space space\nencoding: raw\n\n",
             rights, sizeof rights);
  ddr_world_free(world);
}

static const struct {
  ddr_axis axis;
  uint32_t n_components;
  const char *kind;
} axes[] = {
    {DDR_AXIS_2_VECTOR, 2, "2-vector"},   {DDR_AXIS_3_VECTOR, 3, "3-vector"},
    {DDR_AXIS_4_VECTOR, 4, "4-vector"},   {DDR_AXIS_2D_MATRIX, 4, "2D-matrix"},
    {DDR_AXIS_3D_MATRIX, 9, "3D-matrix"}, {DDR_AXIS_LIST, 27, "list"},
};

static void names_every_element_axis(void) {
  ddr_world *world = world_new(&grid_program);
  for (size_t k = 0; k < sizeof axes / sizeof *axes; k++) {
    double data[27 * 2];
    for (int at = 0; at < 54; at++) data[at] = at;
    const ddr_array array = {.kind = DDR_REAL,
                             .element_size = 8,
                             .axis = axes[k].axis,
                             .n_components = axes[k].n_components,
                             .rank = 1,
                             .len = {2},
                             .data = data};
    char header[512];
    snprintf(header, sizeof header,
             URL "type: double\ndimension: 2\nsizes: %u 2\n"
                 "kinds: %s space\nendian: little\nencoding: raw\n\n",
             (unsigned)axes[k].n_components, axes[k].kind);
    CHECK(ddr_nrrd_save(world, &array, "axis.nrrd") == DDR_OK);
    check_file("axis.nrrd", header, data, sizeof(double) * 2 * axes[k].n_components);
  }
  int64_t wide[2] = {INT64_MIN, 7};
  const ddr_array array = {
      .kind = DDR_INT, .element_size = 8, .rank = 2, .len = {2, 1}, .data = wide};
  CHECK(ddr_nrrd_save(world, &array, "wide.nrrd") == DDR_OK);
  check_file("wide.nrrd",
             URL "type: long long int\ndimension: 2\nsizes: 1 2\n"
                 "kinds: space space\nendian: little\nencoding: raw\n\n",
             wide, sizeof wide);
  ddr_world_free(world);
}

static void chooses_the_format_by_suffix(void) {
  ddr_world *world = world_new(&grid_program);
  CHECK(ddr_output_save(world, 0, "part.nhdr") == DDR_OK);
  check_file("part.nhdr",
             URL "type: int\ndimension: 2\nsizes: 3 2\nkinds: space space\n"
                 "endian: little\nencoding: raw\ndata file: ./part.raw\n",
             "", 0);
  check_file("part.raw", "", sums, sizeof sums);
  CHECK(ddr_output_save(world, 0, "sum.txt") == DDR_OK);
  check_file("sum.txt", "-1 0 1\n9 10 11\n", "", 0);
  CHECK(ddr_output_save(world, 0, "SUM.Txt") == DDR_OK);
  check_file("SUM.Txt", "-1 0 1\n9 10 11\n", "", 0);
  CHECK(ddr_take_notes(world) == NULL);
  CHECK(ddr_output_save(world, 1, "at.txt") == DDR_OK); /* with three axes the content is nrrd */
  char *notes = ddr_take_notes(world);
  CHECK(notes && strstr(notes, "\"at.txt\"") && strstr(notes, "nrrd"));
  free(notes);
  ddr_world_free(world);
}

/* Reads the PNG back, by the runtime's own image loader. */
static void check_levels(ddr_world *world, const ddr_array *array, const uint8_t want[4]) {
  CHECK(ddr_nrrd_save(world, array, "levels.png") == DDR_OK);
  const ddr_image *image = ddr_load_image(world, "png", "levels.png", 2, 1, DDR_SAMPLE_REAL);
  CHECK(image != NULL);
  for (int k = 0; image && k < 4; k++) {
    CHECK_EQ(((const float *)image->samples)[k], want[k]);
  }
}

static void quantises_for_png(void) {
  ddr_world *world = world_new(&grid_program);
  static float unit[4] = {-0.5f, 0.5f, 1, 7.5f}, grey[4] = {-3, 0, 200, 300},
               flat[4] = {0, 1, 0, 1}, strange[4] = {NAN, INFINITY, -INFINITY, 0.25f};
  static int32_t ints[4] = {-7, 3, 255, 256};
  static uint8_t bools[4] = {0, 1, 1, 0};
  ddr_array array = {.kind = DDR_REAL, .element_size = 4, .rank = 2, .len = {2, 2}, .data = unit};
  check_levels(world, &array, (const uint8_t[]){0, 128, 255, 255});
  array.data = grey;
  check_levels(world, &array, (const uint8_t[]){0, 0, 200, 255});
  array.data = flat;
  check_levels(world, &array, (const uint8_t[]){0, 255, 0, 255});
  array.data = strange;
  check_levels(world, &array, (const uint8_t[]){0, 255, 0, 64});
  array.kind = DDR_INT;
  array.data = ints;
  check_levels(world, &array, (const uint8_t[]){0, 3, 255, 255});
  array.kind = DDR_BOOL;
  array.element_size = 1;
  array.data = bools;
  check_levels(world, &array, (const uint8_t[]){0, 1, 1, 0});
  ddr_world_free(world);
}

static void leaves_nothing_behind_on_failure(void) {
  ddr_world *world = world_new(&grid_program);
  static const char *const names[] = {"nofolder/x.nrrd", "nofolder/x.nhdr", "/", "/dev/full", ""};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    CHECK(ddr_output_save(world, 0, names[k]) == DDR_ERROR);
    char *errors = ddr_take_errors(world), want[64];
    snprintf(want, sizeof want, "[DIDEROT] Error saving \"%s\": ", names[k]);
    CHECK(strncmp(errors, want, strlen(want)) == 0 && strlen(errors) > strlen(want));
    CHECK(strchr(errors, '\n') == errors + strlen(errors) - 1);
    free(errors);
  }
  CHECK(system("ls *.tmp > /dev/null 2>&1") != 0);
  CHECK(ddr_output_save(world, 0, "/dev/null") == DDR_OK);
  ddr_world_free(world);
}

/* A symbolic link stays one, and the old file is replaced as a whole. */
static void replaces_what_a_link_names(void) {
  ddr_world *world = world_new(&grid_program);
  files_write("old.nrrd", "old", 3);
  CHECK(symlink("old.nrrd", "link.nrrd") == 0);
  CHECK(ddr_output_save(world, 0, "link.nrrd") == DDR_OK);
  struct stat info;
  CHECK(lstat("link.nrrd", &info) == 0 && S_ISLNK(info.st_mode));
  CHECK(stat("old.nrrd", &info) == 0 && info.st_size > 100);
  ddr_world_free(world);
}

/* The same array in states that keep x of all strands together. */
static void finds_values_in_the_states(void) {
  enum { N_INTS = sizeof(GridState) / sizeof(int32_t) };
  ddr_world *world = world_new(&grid_program);
  ddr_layout layout;
  CHECK(ddr_output_layout(world, &grid_program.outputs[1], SELECT_ALIVE, &layout));
  CHECK_EQ(layout.rank, 3);
  CHECK_EQ(layout.offset, offsetof(GridState, at) / sizeof(float));
  const int64_t len[] = {2, 3, 3}, stride[] = {3 * N_INTS, N_INTS, 1};
  for (int k = 0; k < 3; k++) {
    CHECK_EQ(layout.len[k], len[k]);
    CHECK_EQ(layout.stride[k], stride[k]);
  }
  CHECK(!ddr_layout_is_canonical(&layout));
  world->store->strands.status[4] = DDR_DEAD; /* one strand is not selected */
  const bool is_whole = ddr_output_layout(world, &grid_program.outputs[1], SELECT_STABLE, &layout);
  CHECK(!is_whole);
  ddr_world_free(world);
}

/* If states hold only the output, nothing is gathered, and the file has the values. */
static void saves_from_the_states(void) {
  enum { N_INTS = sizeof(GridState) / sizeof(int32_t) };
  const ddr_output whole = {
      .name = "whole", .kind = DDR_INT, .axis = DDR_AXIS_LIST, .n_components = N_INTS, .offset = 0};
  ddr_program program = grid_program;
  program.outputs = &whole;
  program.n_outputs = 1;
  ddr_world *world = world_new(&program);
  ddr_layout layout;
  CHECK(ddr_output_layout(world, &whole, SELECT_ALIVE, &layout));
  CHECK(ddr_layout_is_canonical(&layout));
  CHECK(ddr_output_save(world, 0, "whole.nrrd") == DDR_OK);
  check_file("whole.nrrd",
             URL "type: int\ndimension: 3\nsizes: 8 3 2\nkinds: list space space\n"
                 "endian: little\nencoding: raw\n\n",
             world->store->strands.state, 6 * sizeof(GridState));
  ddr_world_free(world);
}

static void gather_sums(const ddr_strands *strands, int64_t begin, int64_t end, void *dst) {
  const GridState *states = strands->state;
  for (int64_t slot = begin; slot < end; slot++) ((int32_t *)dst)[slot - begin] = states[slot].sum;
}

static void asks_the_program_to_gather(void) {
  ddr_program program = grid_program;
  const ddr_output output = {
      .name = "sum", .kind = DDR_INT, .n_components = 1, .gather = gather_sums};
  program.outputs = &output;
  program.n_outputs = 1;
  ddr_world *world = world_new(&program);
  CHECK(ddr_output_save(world, 0, "gathered.txt") == DDR_OK);
  check_file("gathered.txt", "-1 0 1\n9 10 11\n", "", 0);
  ddr_world_free(world);
}

/* NaNs as x86 makes them, with a payload, and signalling; and the NaN in outputs. */
static const uint32_t odd_nans[3] = {0xffc00000, 0x7fc01234, 0x7f800001}, one_nan = 0x7fc00000;

static void set_odd_nans(ddr_world *world, int64_t slot) {
  memcpy(((GridState *)world->store->strands.state)[slot].at, odd_nans, sizeof odd_nans);
}

static void gather_at(const ddr_strands *strands, int64_t begin, int64_t end, void *dst) {
  const GridState *states = strands->state;
  for (int64_t slot = begin; slot < end; slot++) {
    memcpy((float *)dst + 3 * (slot - begin), states[slot].at, sizeof states[slot].at);
  }
}

static void writes_one_nan(const ddr_output *output) {
  ddr_program program = grid_program;
  program.outputs = output;
  program.n_outputs = 1;
  ddr_world *world = world_new(&program);
  const GridState *states = world->store->strands.state;
  float want[6][3];
  set_odd_nans(world, 2);
  for (int k = 0; k < 6; k++) memcpy(want[k], states[k].at, sizeof want[k]);
  for (int k = 0; k < 3; k++) memcpy(&want[2][k], &one_nan, sizeof one_nan);
  CHECK(ddr_output_save(world, 0, "nans.nrrd") == DDR_OK);
  check_file("nans.nrrd",
             URL "type: float\ndimension: 3\nsizes: 3 3 2\nkinds: 3-vector space space\n"
                 "endian: little\nencoding: raw\n\n",
             want, sizeof want);
  ddr_world_free(world);
}

static void writes_one_nan_from_everywhere(void) {
  ddr_output gathered = grid_program.outputs[1];
  writes_one_nan(&gathered);
  gathered.gather = gather_at;
  writes_one_nan(&gathered);
}

/* All outputs at once, and again after each run. */
static void finds_nans_after_each_run(void) {
  ddr_world *world = ddr_world_new(&grid_program);
  CHECK(ddr_world_create(world) == DDR_OK);
  const GridState *states = world->store->strands.state;
  for (uint32_t k = 0; k < 2; k++) {
    CHECK(ddr_world_run(world, 1) == 1);
    for (int64_t slot = 0; slot < world->store->strands.n_slots; slot += 5)
      set_odd_nans(world, slot);
    CHECK(ddr_output_fetch(world, &grid_program.outputs[k]) == DDR_OK);
    for (int64_t slot = 0; slot < world->store->strands.n_slots; slot += 5)
      for (int c = 0; c < 3; c++) CHECK(memcmp(&states[slot].at[c], &one_nan, sizeof one_nan) == 0);
  }
  ddr_world_free(world);
}

static void knows_nans_of_doubles(void) {
  const uint64_t odd[] = {UINT64_C(0xfff8000000000000), UINT64_C(0x7ff0000000000001),
                          UINT64_C(0x8000000000000000), UINT64_C(0x7ff0000000000000)};
  const uint64_t want[] = {UINT64_C(0x7ff8000000000000), UINT64_C(0x7ff8000000000000),
                           UINT64_C(0x8000000000000000), UINT64_C(0x7ff0000000000000)};
  double values[4];
  memcpy(values, odd, sizeof values);
  ddr_nans_unify(DDR_REAL, sizeof *values, values, 4);
  CHECK(memcmp(values, want, sizeof want) == 0);
  memcpy(values, odd, sizeof values);
  ddr_nans_unify(DDR_INT, sizeof *values, values, 4);
  CHECK(memcmp(values, odd, sizeof odd) == 0);
}

int main(void) {
  files_enter();
  RUN(writes_three_types);
  RUN(names_every_element_axis);
  RUN(chooses_the_format_by_suffix);
  RUN(quantises_for_png);
  RUN(leaves_nothing_behind_on_failure);
  RUN(replaces_what_a_link_names);
  RUN(finds_values_in_the_states);
  RUN(saves_from_the_states);
  RUN(asks_the_program_to_gather);
  RUN(writes_one_nan_from_everywhere);
  RUN(finds_nans_after_each_run);
  RUN(knows_nans_of_doubles);
  files_leave();
  return test_result();
}
