/* Image files that cannot be used: one line each, with the input, the file, and the problem. */
#include "files.h"
#include "grid_program.h"

/* Teem leaks its decompression streams when the data is bad; an executable exits then anyway. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
  return "leak:libbz2.so\nleak:_nrrdGzOpen\nleak:libz.so";
}

typedef struct {
  const char *bytes;    /* the whole file */
  const char *words[2]; /* which the message must contain besides input and file */
  int dim, n_components;
} Bad;

#define HEAD "NRRD0004\ntype: uchar\nencoding: ascii\n"
#define DATA "\n1 2 3 4 5 6 7 8\n"

static const Bad bad[] = {
    {"", {"empty", ""}, 1, 1},
    {"this is no image\n", {"magic", ""}, 1, 1},
    {"NRRD0004\n", {"", ""}, 1, 1},
    {"NRRD0004\ntype: uch", {"", ""}, 1, 1},
    {"NRRD0004\ntype: block\nblock size: 3\ndimension: 1\nsizes: 2\nendian: little\nencoding: raw\n"
     "\nabcdef",
     {"sample type", "block"},
     1,
     1},
    {HEAD "dimension: 3\nsizes: 2 2 2\n" DATA, {"dimension 3", "expected 2"}, 2, 1},
    {HEAD "dimension: 1\nsizes: 8\n" DATA, {"dimension 1", "expected 2"}, 2, 1},
    {HEAD "dimension: 2\nsizes: 2 4\nspace: LPS\nspace directions: (1,0,0) (0,1,0)\n" DATA,
     {"dimension 3", "expected 2"},
     2,
     1},
    {HEAD "dimension: 2\nsizes: 2 4\nkinds: 2-vector space\n" DATA,
     {"2 elements", "expected 1"},
     1,
     1},
    {HEAD "dimension: 2\nsizes: 2 4\nkinds: 2-vector space\n" DATA,
     {"2 elements", "expected 3"},
     1,
     3},
    {HEAD "dimension: 2\nsizes: 4 2\nkinds: space 2-vector\n" DATA, {"axis[1]", "2-vector"}, 1, 2},
    {HEAD "dimension: 2\nsizes: 2 4\nkinds: list space\n" DATA,
     {"axis[0] has kind list", "tensor kind (expected 2-vector, in the line kinds of the header)"},
     1,
     2},
    {HEAD "dimension: 2\nsizes: 4 2\nkinds: quaternion space\n" DATA,
     {"axis[0] has kind quaternion",
      "tensor kind (expected 4-vector, in the line kinds of the header)"},
     1,
     4},
    {HEAD "dimension: 2\nsizes: 8 1\nkinds: vector space\n" DATA,
     {"axis[0] has kind vector and size 8",
      "tensor kind (expected list, in the line kinds of the header)"},
     1,
     8},
    {HEAD "dimension: 2\nsizes: 4 2\nkinds: list space\n" DATA, {"list", "tensor kind\n"}, 1, 2},
    {HEAD "dimension: 2\nsizes: 8 1\nkinds: list space\n" DATA, {"8 elements", "expected 2"}, 1, 2},
    {HEAD "dimension: 2\nsizes: 8 1\n" DATA, {"no kind such as list", ""}, 1, 8},
    {HEAD "dimension: 2\nsizes: 2 4\n" DATA,
     {"unexpected dimension 2, expected 1 (of space; axis 0 has no kind such as 2-vector)", "\n"},
     1,
     2},
    {HEAD "dimension: 2\nsizes: 4 2\n" DATA, {"dimension 2, expected 1 (of space)\n", ""}, 1, 2},
    {HEAD "dimension: 2\nsizes: 1 8\n" DATA, {"dimension 2, expected 1", "expected 1)\n"}, 1, 1},
    {HEAD "dimension: 2\nsizes: 2 4\nspace dimension: 2\nspace directions: (1,2) (2,4)\n" DATA,
     {"singular", "expected"},
     2,
     1},
    {HEAD
     "dimension: 2\nsizes: 2 4\nspace dimension: 2\nspace directions: (0.1,0.3) (0.2,0.6)\n" DATA,
     {"singular", ""},
     2,
     1},
    {HEAD "dimension: 1\nsizes: 1\naxis mins: 0\naxis maxs: 1\ncenters: node\n" DATA,
     {"singular", ""},
     1,
     1},
    {HEAD "dimension: 1\nsizes: 8\nspacings: 0\n" DATA, {"", ""}, 1, 1},
    {HEAD "dimension: 2\nsizes: 2 0\n" DATA, {"axis 1", "zero"}, 2, 1},
    {HEAD "dimension: 2\nsizes: 4000000000 4000000000\n" DATA, {"memory", ""}, 2, 1},
    {HEAD "dimension: 2\nsizes: 40000000000 4000000000\n" DATA, {"", ""}, 2, 1},
    {HEAD "dimension: 1\nsizes: 100000000\n" DATA, {"truncated", "found 16"}, 1, 1},
    {HEAD "dimension: 1\nsizes: 9\n" DATA, {"", ""}, 1, 1},
    {"NRRD0004\ntype: short\nendian: little\nencoding: raw\ndimension: 1\nsizes: 4\n\n1234567",
     {"at least 8", "found 7"},
     1,
     1},
    {"NRRD0004\ntype: short\nendian: little\nencoding: raw\nbyte skip: -1\ndimension: 1\n"
     "sizes: 2000\n\n1234567",
     {"at least 4000", "found 7"},
     1,
     1},
    {"NRRD0004\ntype: uchar\nencoding: gzip\ndimension: 1\nsizes: 40\n\nno gzip", {"", ""}, 1, 1},
    {"NRRD0004\ntype: uchar\nencoding: gzip\ndimension: 1\nsizes: 40\n\n",
     {"gzip encoding needs at least 20 bytes", "found 0"},
     1,
     1},
    {"NRRD0006\ntype: uchar\nencoding: raw\ndimension: 1\nsizes: 4\n"
     "data file: SKIPLIST 1\n500 bad.nrrd\n",
     {"img: cannot load image \"bad.nrrd\": the data is truncated\n", ""},
     1,
     1},
    {"NRRD0004\ntype: uchar\nencoding: bzip2\ndimension: 1\nsizes: 4\n\nno bzip2", {"", ""}, 1, 1},
    {"NRRD0004\ntype: uchar\nencoding: hex\ndimension: 1\nsizes: 4\n\n0102",
     {"truncated", ""},
     1,
     1},
    {HEAD "dimension: 1\nsizes: 8\ndata file: nowhere.raw\n", {"nowhere.raw", ""}, 1, 1},
    {"P5\n2000000000 2000000000\n255\nab", {"memory", ""}, 2, 1},
    {"\x89PNG\r\n\x1a\nrubbish", {"", ""}, 2, 1},
};

/* The line about a failed load; the caller frees it. */
static char *message_of(ddr_world *world, const char *file, int dim, int n_components) {
  const ddr_image *image = ddr_load_image(world, "img", file, dim, n_components, DDR_SAMPLE_REAL);
  CHECK(image == NULL);
  return ddr_take_errors(world);
}

static bool is_one_line(const char *text) {
  const char *end = strchr(text, '\n');
  return end && end[1] == '\0';
}

static void refuses_with_one_line(void) {
  ddr_world *world = ddr_world_new(&grid_program);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    files_write("bad.nrrd", bad[k].bytes, strlen(bad[k].bytes));
    char *message = message_of(world, "bad.nrrd", bad[k].dim, bad[k].n_components);
    const bool held = CHECK(is_one_line(message)) && CHECK(strstr(message, "img: ")) &&
                      CHECK(strstr(message, "\"bad.nrrd\"")) &&
                      CHECK(strstr(message, bad[k].words[0])) &&
                      CHECK(strstr(message, bad[k].words[1]));
    if (!held) fprintf(stderr, "  case %zu: %s", k, message);
    free(message);
  }
  ddr_world_free(world);
}

static void refuses_what_is_no_file(void) {
  ddr_world *world = ddr_world_new(&grid_program);
  static const char *const names[] = {"absent.nrrd", "", "/"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    char *message = message_of(world, names[k], 1, 1);
    CHECK(is_one_line(message) && strstr(message, "img: "));
    free(message);
  }
  char long_name[5000];
  memset(long_name, 'x', sizeof long_name - 1);
  long_name[sizeof long_name - 1] = '\0';
  char *message = message_of(world, long_name, 1, 1);
  CHECK(is_one_line(message) && strstr(message, long_name));
  free(message);
  ddr_world_free(world);
}

/* Teem would copy such a line into a buffer of 1 kB. */
static void refuses_long_header_lines(void) {
  ddr_world *world = ddr_world_new(&grid_program);
  static const char *const starts[] = {"NRRD0004\ntype: ",      "NRRD0004\n",   "P5\n",
                                       "NRRD0004\ndata file: ", "# labels: \"", "# vtk DataFile "};
  for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
    char bytes[4000];
    memset(bytes, 'y', sizeof bytes);
    memcpy(bytes, starts[k], strlen(starts[k]));
    bytes[sizeof bytes - 1] = '\n';
    files_write("long.nrrd", bytes, sizeof bytes);
    char *message = message_of(world, "long.nrrd", 1, 1);
    if (!CHECK(strstr(message, "too long"))) fprintf(stderr, "  case %zu: %s", k, message);
    free(message);
  }
  ddr_world_free(world);
}

/* Every prefix of a valid file: no crash, and either an image or one line. */
static void survives_every_truncation(void) {
  ddr_world *world = ddr_world_new(&grid_program);
  static const char whole[] = "NRRD0004\n"
                              "type: short\ndimension: 2\nsizes: 2 2\nkinds: space space\n"
                              "space dimension: 2\nspace directions: (1,0) (0,1)\nendian: little\n"
                              "encoding: raw\n\n12345678";
  for (size_t n = 0; n + 1 < sizeof whole; n++) {
    files_write("cut.nrrd", whole, n);
    char *message = message_of(world, "cut.nrrd", 2, 1);
    CHECK(is_one_line(message));
    free(message);
  }
  ddr_world_free(world);
}

int main(void) {
  files_enter();
  RUN(refuses_with_one_line);
  RUN(refuses_what_is_no_file);
  RUN(refuses_long_header_lines);
  RUN(survives_every_truncation);
  files_leave();
  return test_result();
}
