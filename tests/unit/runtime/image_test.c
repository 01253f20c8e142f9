/* Loading images: sample types, encodings, kinds, and the placement of samples for each form of
 * header. Expected values are formulas of the sample's position, never a dump. */
#include "ddr/image.h"
#include "files.h"
#include "grid_program.h"

static ddr_world *world;

static const ddr_image *load(const char *file, int dim, int n_components) {
  const ddr_image *image = ddr_load_image(world, "img", file, dim, n_components, DDR_SAMPLE_REAL);
  if (!image) {
    char *errors = ddr_take_errors(world);
    fprintf(stderr, "%s: %s", file, errors);
    free(errors);
  }
  CHECK(image != NULL);
  return image;
}

/* Small images keep their sample type only in builds with small sizes. Reals of this program are
 * floats. */
static ddr_sample if_kept(ddr_sample sample) {
#if defined(DDR_SMALL_SIZES)
  return sample == DDR_SAMPLE_F32 ? DDR_SAMPLE_REAL : sample;
#else
  (void)sample;
  return DDR_SAMPLE_REAL;
#endif
}

/* The same file, loaded by a program that was compiled for this sample type. */
static void check_kept(const char *file, ddr_sample sample) {
  const ddr_image *real = load(file, 2, 1);
  const ddr_image *kept = ddr_load_image(world, "img", file, 2, 1, sample);
  const ddr_sample unlike = sample == DDR_SAMPLE_U8 ? DDR_SAMPLE_I16 : DDR_SAMPLE_U8;
  const ddr_image *other = ddr_load_image(world, "img", file, 2, 1, unlike);
  if (!kept || !other || !real) return;
  CHECK(kept->sample == if_kept(sample) && other->sample == DDR_SAMPLE_REAL);
  CHECK(real->sample == DDR_SAMPLE_REAL);
  for (int k = 0; k < 6; k++) {
    const int64_t offset = ddr_image_offset(kept, k % 3, k / 3, 0);
    CHECK(ddr_image_sample(kept, offset) == ddr_image_samples(real)[offset]);
    CHECK(ddr_image_sample(other, offset) == ddr_image_samples(real)[offset]);
  }
}

static float sample(const ddr_image *image, int64_t x, int64_t y, int64_t z, int component) {
  return ddr_image_samples(image)[ddr_image_offset(image, x, y, z) + component];
}

/* --- sample types: values from the low end of each range, 3x2 --------------------------------- */

#define TYPE_CASE(id, nrrd_name, c_type, low, kept)                                                \
  static void loads_##id(void) {                                                                   \
    c_type data[6];                                                                                \
    for (int k = 0; k < 6; k++) data[k] = (c_type)((low) + (c_type)(7 * k));                       \
    files_write_nrrd("t.nrrd",                                                                     \
                     "NRRD0001\ntype: " nrrd_name                                                  \
                     "\ndimension: 2\nsizes: 3 2\nencoding: raw\nendian: little\n\n",              \
                     data, sizeof data);                                                           \
    const ddr_image *image = load("t.nrrd", 2, 1);                                                 \
    for (int k = 0; image && k < 6; k++) {                                                         \
      CHECK(sample(image, k % 3, k / 3, 0, 0) == (float)data[k]);                                  \
    }                                                                                              \
    check_kept("t.nrrd", DDR_SAMPLE_##kept);                                                       \
  }

TYPE_CASE(int8, "signed char", int8_t, INT8_MIN, I8)
TYPE_CASE(uint8, "uchar", uint8_t, 200, U8)
TYPE_CASE(int16, "short", int16_t, INT16_MIN, I16)
TYPE_CASE(uint16, "ushort", uint16_t, 65000, U16)
TYPE_CASE(int32, "int", int32_t, INT32_MIN, I32)
TYPE_CASE(uint32, "uint", uint32_t, 4000000000u, U32)
TYPE_CASE(int64, "longlong", int64_t, INT64_MIN, REAL)
TYPE_CASE(uint64, "ulonglong", uint64_t, UINT64_MAX - 50, REAL)
TYPE_CASE(float32, "float", float, -0.5f, F32)
TYPE_CASE(float64, "double", double, 1e-3, REAL)

/* --- encodings: x + 10 y on 3x2 --------------------------------------------------------------- */

static void check_ramp(const char *file) {
  const ddr_image *image = load(file, 2, 1);
  for (int k = 0; image && k < 6; k++) {
    CHECK(sample(image, k % 3, k / 3, 0, 0) == (float)(k % 3 + 10 * (k / 3)));
  }
  for (int kept = DDR_SAMPLE_REAL; kept <= DDR_SAMPLE_F32; kept++) {
    image = ddr_load_image(world, "img", file, 2, 1, (ddr_sample)kept);
    CHECK(image != NULL);
    for (int k = 0; image && k < 6; k++) {
      const int64_t offset = ddr_image_offset(image, k % 3, k / 3, 0);
      CHECK(ddr_image_sample(image, offset) == (float)(k % 3 + 10 * (k / 3)));
    }
  }
}

static void reads_every_encoding(void) {
  static const uint8_t ramp[] = {0, 1, 2, 10, 11, 12};
  static const uint8_t skipped[] = {9, 9, 9, 0, 1, 2, 10, 11, 12};
  static const uint8_t big[] = {0, 0, 0, 1, 0, 2, 0, 10, 0, 11, 0, 12};
#define HEAD "NRRD0004\n# a comment\ncontent: ramp\nkey:=value\ndimension: 2\nsizes: 3 2\n"
  static const char text[] = HEAD "type: float\nencoding: ascii\n\n0 1 2\n10 11 12\n";
  files_write("text.nrrd", text, strlen(text));
  static const char hex[] = HEAD "type: uchar\nencoding: hex\n\n0001020a0b0c\n";
  files_write("hex.nrrd", hex, strlen(hex));
  files_write_nrrd("big.nrrd", HEAD "type: ushort\nencoding: raw\nendian: big\n\n", big,
                   sizeof big);
  files_write("data.raw", ramp, sizeof ramp);
  static const char detached[] = HEAD "type: uchar\nencoding: raw\ndata file: data.raw\n";
  files_write("detached.nhdr", detached, strlen(detached));
  files_write("skipped.raw", skipped, sizeof skipped);
  static const char skip[] = HEAD "type: uchar\nencoding: raw\nbyte skip: 3\n"
                                  "data file: skipped.raw\n";
  files_write("skip.nhdr", skip, strlen(skip));
  /* Attached, and with something behind that is not to be read either. */
  static const uint8_t around[] = {9, 9, 9, 0, 1, 2, 10, 11, 12, 9, 9, 9};
  files_write_nrrd("within.nrrd", HEAD "type: uchar\nencoding: raw\nbyte skip: 3\n\n", around,
                   sizeof around);
  static const uint8_t big_around[] = {9, 9, 9, 0, 0, 0, 1, 0, 2, 0, 10, 0, 11, 0, 12, 9, 9, 9};
  files_write_nrrd("big-within.nrrd",
                   HEAD "type: ushort\nendian: big\nencoding: raw\nbyte skip: 3\n\n", big_around,
                   sizeof big_around);
  static const char end[] = HEAD "type: uchar\nencoding: raw\nbyte skip: -1\n"
                                 "data file: skipped.raw\n";
  files_write("end.nhdr", end, strlen(end));
  static const char list[] = HEAD "type: uchar\nencoding: raw\ndata file: LIST 1\ndata.0\ndata.1\n";
  files_write("list.nhdr", list, strlen(list));
  files_write("data.0", ramp, 3);
  files_write("data.1", ramp + 3, 3);
  CHECK(system("gzip -c data.raw > data.gz && bzip2 -c data.raw > data.bz2") == 0);
  static const char gz[] = HEAD "type: uchar\nencoding: gzip\ndata file: data.gz\n";
  files_write("gz.nhdr", gz, strlen(gz));
  static const char bz2[] = HEAD "type: uchar\nencoding: bzip2\ndata file: data.bz2\n";
  files_write("bz2.nhdr", bz2, strlen(bz2));
  static const char pgm[] = "P2\n# grey\n3 2\n255\n0 1 2 10 11 12\n";
  files_write("ramp.pgm", pgm, strlen(pgm));
  static const char table[] = "# a table\n0 1 2\n10 11 12\n";
  files_write("ramp.txt", table, strlen(table));
#undef HEAD
  static const char *const files[] = {"text.nrrd",      "hex.nrrd", "big.nrrd",  "detached.nhdr",
                                      "skip.nhdr",      "end.nhdr", "list.nhdr", "gz.nhdr",
                                      "bz2.nhdr",       "ramp.pgm", "ramp.txt",  "within.nrrd",
                                      "big-within.nrrd"};
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) check_ramp(files[k]);
}

static void reads_colours_of_pictures(void) {
  static const char ppm[] = "P3\n2 1\n255\n1 2 3 4 5 6\n";
  files_write("c.ppm", ppm, strlen(ppm));
  const ddr_image *image = load("c.ppm", 2, 3);
  for (int k = 0; image && k < 6; k++) CHECK(sample(image, k / 3, 0, 0, k % 3) == (float)(k + 1));
}

/* --- placement -------------------------------------------------------------------------------- */

/* The lines of a header after type and encoding, and the world positions of index (1, 1) and (0,
 * 0). */
typedef struct {
  const char *lines;
  double origin[2], corner[2];
} Placement;

/* The image is 5 x 4. */
static const Placement placements[] = {
    {"", {0, 0}, {1, 1}},
    {"kinds: domain time\n", {0, 0}, {1, 1}},
    {"spacings: 2 0.5\n", {0, 0}, {2, 0.5}},
    {"spacings: 2 nan\n", {0, 0}, {2, 1}},
    {"axis mins: -1 2\naxis maxs: 3 5\ncenters: node node\n", {-1, 2}, {0, 3}},
    {"axis mins: -1 2\naxis maxs: 4 6\ncenters: cell cell\n", {-0.5, 2.5}, {0.5, 3.5}},
    {"axis mins: -1 2\naxis maxs: 4 6\n", {-0.5, 2.5}, {0.5, 3.5}},
    {"axis mins: -1 2\naxis maxs: 4 5\ncenters: cell node\n", {-0.5, 2}, {0.5, 3}},
    {"axis mins: -1 nan\naxis maxs: 4 5\n", {0, 0}, {1, 1}},
    {"space dimension: 2\nspace directions: (0,1) (-2,0)\nspace origin: (1,-1)\n",
     {1, -1},
     {-1, 0}},
    {"space dimension: 2\nspace directions: (1,0.5) (0,2)\n", {0, 0}, {1, 2.5}},
    {"space dimension: 2\nspace directions: (2,0) none\nspace origin: (1,1)\n", {1, 1}, {3, 2}},
    {"space dimension: 2\ncenters: cell cell\nspace origin: (1,1)\nspace directions: (1,0) (0,1)\n",
     {1, 1},
     {2, 2}},
};

/* M (world - origin) and M world + tau must both give the index; P is M transposed. */
static void check_index(const ddr_image *image, const double world_pos[2], double idx) {
  const ddr_placement64 *place = &image->place64;
  for (int axis = 0; axis < 2; axis++) {
    double centred = 0, moved = place->translate[axis];
    for (int k = 0; k < 2; k++) {
      centred += place->matrix[axis][k] * (world_pos[k] - place->origin[k]);
      moved += place->matrix[axis][k] * world_pos[k];
      CHECK(place->gradient[k][axis] == place->matrix[axis][k]);
      CHECK(image->place32.matrix[axis][k] == (float)place->matrix[axis][k]);
    }
    CHECK_NEAR(centred, idx, 1e-12);
    CHECK_NEAR(moved, idx, 1e-12);
  }
}

static void places_samples_as_the_header_says(void) {
  static const uint8_t data[20];
  for (size_t k = 0; k < sizeof placements / sizeof *placements; k++) {
    char header[512];
    snprintf(header, sizeof header,
             "NRRD0004\ntype: uchar\ndimension: 2\nsizes: 5 4\n%sencoding: raw\n\n",
             placements[k].lines);
    files_write_nrrd("p.nrrd", header, data, sizeof data);
    const ddr_image *image = load("p.nrrd", 2, 1);
    if (!image) continue;
    CHECK(image->size[DDR_X] == 5 && image->size[DDR_Y] == 4 && image->size[DDR_Z] == 1);
    check_index(image, placements[k].origin, 0);
    check_index(image, placements[k].corner, 1);
  }
}

/* A rotated, sheared, left-handed grid: M A = 1. */
static void inverts_three_dimensions(void) {
  static const double a[3][3] = {{0.5, 0.25, -1}, {2, -0.125, 0.75}, {0.375, 3, 0.0625}};
  static const uint8_t data[8];
  files_write_nrrd("r.nrrd",
                   "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 2 2 2\nspace: LPS\n"
                   "space directions: (0.5,0.25,-1) (2,-0.125,0.75) (0.375,3,0.0625)\n"
                   "space origin: (-90,-125,-71)\nmeasurement frame: (1,0,0) (0,1,0) (0,0,1)\n"
                   "encoding: raw\n\n",
                   data, sizeof data);
  const ddr_image *image = load("r.nrrd", 3, 1);
  for (int row = 0; image && row < 3; row++) {
    for (int col = 0; col < 3; col++) {
      double sum = 0;
      for (int k = 0; k < 3; k++) sum += image->place64.matrix[row][k] * a[col][k];
      CHECK_NEAR(sum, row == col, 1e-14);
    }
  }
  char *notes = ddr_take_notes(world);
  CHECK(notes && strstr(notes, "measurement frame"));
  free(notes);
}

/* --- components ------------------------------------------------------------------------------- */

static const struct {
  const char *kind;
  int n_stored, n_components;
  int source[9];
} components[] = {
    {"2-vector", 2, 2, {0, 1}},
    {"3-vector", 3, 3, {0, 1, 2}},
    {"3-color", 3, 3, {0, 1, 2}},
    {"RGB-color", 3, 3, {0, 1, 2}},
    {"4-vector", 4, 4, {0, 1, 2, 3}},
    {"RGBA-color", 4, 4, {0, 1, 2, 3}},
    {"2D-matrix", 4, 4, {0, 1, 2, 3}},
    {"3D-matrix", 9, 9, {0, 1, 2, 3, 4, 5, 6, 7, 8}},
    {"2D-symmetric-matrix", 3, 4, {0, 1, 1, 2}},
    {"3D-symmetric-matrix", 6, 9, {0, 1, 2, 1, 3, 4, 2, 4, 5}},
};

static void reads_tensor_kinds(void) {
  for (size_t k = 0; k < sizeof components / sizeof *components; k++) {
    uint8_t data[9 * 6];
    const int n_stored = components[k].n_stored;
    for (int at = 0; at < 6 * n_stored; at++) data[at] = (uint8_t)(at + 1);
    char header[256];
    snprintf(header, sizeof header,
             "NRRD0003\ntype: uchar\ndimension: 3\nsizes: %d 3 2\nkinds: %s space space\n"
             "encoding: raw\n\n",
             n_stored, components[k].kind);
    files_write_nrrd("k.nrrd", header, data, 6 * (size_t)n_stored);
    const int n_components = components[k].n_components;
    const ddr_image *image = load("k.nrrd", 2, n_components);
    const ddr_image *kept = ddr_load_image(world, "img", "k.nrrd", 2, n_components, DDR_SAMPLE_U8);
    CHECK(kept && kept->sample == if_kept(DDR_SAMPLE_U8));
    for (int at = 0; image && kept && at < 6 * components[k].n_components; at++) {
      const int voxel = at / components[k].n_components, c = at % components[k].n_components;
      const int want = voxel * n_stored + components[k].source[c] + 1;
      CHECK(sample(image, voxel % 3, voxel / 3, 0, c) == (float)want);
      const int64_t offset = ddr_image_offset(kept, voxel % 3, voxel / 3, 0) + c;
      CHECK(ddr_image_sample(kept, offset) == (float)want);
    }
  }
}

/* Wide loads from the last voxel read our zeros; the sanitizer checks that. */
static void pads_the_last_row(void) {
  static const float data[] = {1, 2, 3, 4};
  files_write_nrrd("s.nrrd",
                   "NRRD0001\ntype: float\ndimension: 1\nsizes: 4\nendian: little\n"
                   "encoding: raw\n\n",
                   data, sizeof data);
  const ddr_image *image = load("s.nrrd", 1, 1);
  for (int k = 1; image && k < DDR_ROW_SLACK; k++) CHECK(ddr_image_samples(image)[3 + k] == 0);
  const ddr_image *kept = ddr_load_image(world, "img", "s.nrrd", 1, 1, DDR_SAMPLE_F32);
  for (int k = 1; kept && k < DDR_ROW_SLACK; k++) CHECK(ddr_image_sample(kept, 3 + k) == 0);
  CHECK(image && (uintptr_t)image->samples % 64 == 0);
}

/* Rows begin at multiples of 64 bytes, or of less if padding would exceed a quarter of the row;
 * padding between and after rows is 0. */
static void aligns_rows(void) {
  static const struct {
    int n_x, stride;
  } rows[] = {{3, 3}, {16, 16}, {17, 20}, {50, 56}, {52, 64}, {100, 112}, {250, 256}, {512, 512}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    char header[200];
    float data[2 * 512];
    for (int i = 0; i < 2 * rows[k].n_x; i++) data[i] = (float)(i + 1);
    snprintf(header, sizeof header,
             "NRRD0001\ntype: float\ndimension: 2\nsizes: %d 2\nendian: "
             "little\nencoding: raw\n\n",
             rows[k].n_x);
    files_write_nrrd("rows.nrrd", header, data, 2 * (size_t)rows[k].n_x * sizeof *data);
    const ddr_image *image = load("rows.nrrd", 2, 1);
    if (!image || !CHECK_EQ(image->stride[DDR_Y], rows[k].stride)) continue;
    CHECK(image->stride[DDR_X] == 1 && image->stride[DDR_Z] == 2 * rows[k].stride);
    const float *samples = image->samples;
    for (int i = 0; i < 2 * rows[k].stride + 16; i++) {
      const int x = i % rows[k].stride, y = i / rows[k].stride;
      const bool is_sample = x < rows[k].n_x && y < 2;
      CHECK_EQ(samples[i], is_sample ? y * rows[k].n_x + x + 1 : 0);
    }
  }
}

/* The widest kernel over an image of one sample per axis: 6^3 taps, all but one of them zero. */
static void holds_a_whole_block_of_a_tiny_image(void) {
  static const float data[] = {7};
  files_write_nrrd("t.nrrd",
                   "NRRD0001\ntype: float\ndimension: 3\nsizes: 1 1 1\nendian: little\n"
                   "encoding: raw\n\n",
                   data, sizeof data);
  const ddr_image *image = load("t.nrrd", 3, 1);
  ddr_real sum = 0;
  for (int tap = 0; image && tap < DDR_MAX_TAPS * DDR_MAX_TAPS * DDR_MAX_TAPS; tap++) {
    const int64_t offset =
        ddr_image_offset(image, tap % DDR_MAX_TAPS, tap / DDR_MAX_TAPS % DDR_MAX_TAPS,
                         tap / (DDR_MAX_TAPS * DDR_MAX_TAPS));
    if (tap == 0) CHECK(ddr_image_samples(image)[offset] == 7);
    sum += ddr_image_samples(image)[offset + DDR_ROW_SLACK - 1];
  }
  CHECK(sum == 0);
}

int main(void) {
  files_enter();
  world = ddr_world_new(&grid_program);
  ddr_set_verbose(world, true);
  RUN(loads_int8);
  RUN(loads_uint8);
  RUN(loads_int16);
  RUN(loads_uint16);
  RUN(loads_int32);
  RUN(loads_uint32);
  RUN(loads_int64);
  RUN(loads_uint64);
  RUN(loads_float32);
  RUN(loads_float64);
  RUN(reads_every_encoding);
  RUN(reads_colours_of_pictures);
  RUN(places_samples_as_the_header_says);
  RUN(inverts_three_dimensions);
  RUN(reads_tensor_kinds);
  RUN(pads_the_last_row);
  RUN(aligns_rows);
  RUN(holds_a_whole_block_of_a_tiny_image);
  ddr_world_free(world);
  files_leave();
  return test_result();
}
