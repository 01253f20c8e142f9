/* Headers that Teem must not see, one for each thing that it takes on trust, and valid ones. */
#include "runtime/header/header.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test.h"

typedef struct {
  const char *bytes;
  const char *problem; /* part of the message; NULL: valid */
} Case;

#define HEAD "NRRD0004\ntype: uchar\ndimension: 2\nsizes: 2 2\nencoding: "
#define SIXTEEN "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"

static const Case cases[] = {
    {"", "empty"},
    {"nonsense\n", NULL},
    {"P3\n#\234\337l", "line 2 of the header has no end"},
    {"\377\330\377\340 JFIF", "no end (expected nrrd, PNG,"},
    {"\211HDF\r\n\032\n", "begin with ASCII (expected nrrd, PNG,"},
    {HEAD "raw\ndata file: there1.raw", "no end"},
    {HEAD "raw\n\nabcd", NULL},
    {HEAD "raw\r\n\r\nabcd", NULL},
    {HEAD "ascii\n\n1 2 3 4", NULL},
    {HEAD "gzip\nbyte skip: -1\n\nabcd", "byte skip is -1"},
    {HEAD "raw\nbyte skip: -1\n\nabcd", NULL},
    {HEAD "zrl\n\nabcd", "zrl"},
    /* One more than the 16 that an array has room for. */
    {"NRRD0004\ntype: uchar\ndimension: 16\nsizes: " SIXTEEN "\nencoding: raw\n\na", NULL},
    {"NRRD0004\ntype: uchar\ndimension: 16\nsizes: " SIXTEEN " 1\nencoding: raw\n\na", "17 values"},
    {"NRRD0004\nDimension: 16\nAxisMins:   " SIXTEEN "\t1\n\n", "17 values"},
    {"NRRD0004\nsizes: 18446744073709551617 2\n\n", "beyond any memory"},
    {"NRRD0004\nsizes: 2 -4\n\n", "one of its sizes is -4"},
    {"NRRD0004\nsizes: two 4\n\n", "one of its sizes is two"},
    /* Templates of names. */
    {HEAD "raw\ndata file: there%d.raw 1 2 1\n", NULL},
    {HEAD "raw\ndata file: there%03d.raw 7 7 -1\n", NULL},
    {HEAD "raw\ndata file: 100%%there%d.raw 1 1 1\n", NULL},
    {HEAD "raw\ndata file: there%d.raw 1 3 1\n", "\"there3.raw\": No such file"},
    {HEAD "raw\ndata file: there%d%s.raw 1 2 1\n", "expected a name with %d"},
    {HEAD "raw\ndata file: there%d%n.raw 1 2 1\n", "expected a name with %d"},
    {HEAD "raw\ndata file: there%0999999d.raw 1 2 1\n", "expected a name with %d"},
    {HEAD "raw\ndata file: there%d.raw 0 2147483647 1\n", "expected a name with %d"},
    {HEAD "raw\ndata file: there%d.raw -2000000000 2000000000 1000000000\n", "expected a name"},
    {HEAD "raw\ndata file: there%d.raw 1 2 0\n", "expected a name with %d"},
    {HEAD "raw\ndata file: there%d.raw 1 2\n", "expected a name with %d"},
    {HEAD "raw\ndata file: there%s.raw 1 2 1\n", "No such file"},
    /* Lists. */
    {HEAD "raw\ndata file: LIST\nthere1.raw\nthere2.raw\n", NULL},
    {HEAD "raw\ndata file: LIST 2\n", "empty"},
    {HEAD "raw\ndata file: LIST\nthere1.raw\n\n", "no name"},
    {HEAD "raw\ndata file: SKIPLIST\n3 there1.raw\n", NULL},
    {HEAD "raw\ndata file: SKIPLIST\n3\n", "no name"},
    /* Files that are not data files. */
    {HEAD "raw\ndata file: there1.raw\n", NULL},
    {HEAD "raw\ndata file:   \n", "no name"},
    {HEAD "raw\ndata file: -\n", "\"-\""},
    {HEAD "raw\ndata file: /dev/zero\n", "not a regular file"},
    {HEAD "raw\ndata file: pipe\n", "not a regular file"},
    {HEAD "raw\ndata file: .\n", "not a regular file"},
    {HEAD "raw\ndatafile: \033[2Jabsent\n", "\"?[2Jabsent\": No such file"},
    /* Other formats. */
    {"P5\n# NRRD> spacings: 1 1\n2 2\n255\nabcd", NULL},
    {"P5\n2 2 255 # greatest\nabcd", NULL},
    {"P5\n2 2\n255 7\nabcd", "expected width"},
    {"P5\nP5\n2 2\n255\nabcd", "expected width"},
    {"\211PNG\r\n\032\n", "does not go on"},
    {"\211PNG\r\n\032\nabcdIHDR\377\377\377\377\377\377\377\377\020abc", "memory"},
    {"# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 2 1 1\n"
     "POINT_DATA 2\nSCALARS a float\nLOOKUP_TABLE default\n1 2\n",
     NULL},
    {"# vtk DataFile Version 9.0\n1 2\n", NULL},
    {"1 2\n3 4\n", NULL},
    {"# spacings: 1 1\n1 2\n3 4\n", NULL},
    {"1;2\n3;4\n", "line 1 has \"1;2\" (expected numbers"},
    {"1 2 3 4\n5 6;1 7 8\n", "line 2 has \"6;1\" (expected numbers"},
    {"1\n2 3\n", "line 2 has 2 numbers, expected 1 as on the first line"},
    {"# a\n1 2\n3 4 # 5 6\n7 8 nine 10\n", NULL},
    {"1 2\n3 4 a-word-longer-than-the-numbers-of-a-table-are 5\n", NULL},
    {"1\n2 0.3333333333333333333333333333333333e-1\n", "line 2 has 2 numbers, expected 1"},
    {"1 2\n0.3333333333333333333333333333e-1 4\n", NULL},
    {"# a\r\n1,2\r\n3,4\r\n5,6/7", "line 4 has \"6/7\""},
    {"words\nand 1;2 more\n", NULL},
    {"1 2 # 3;4\n5 6 # 7;8\n# 9;10\n", NULL},
    {"# a\n1, 2.5e3,\t-nan inf +.5\n", NULL},
    {"NRRD0004\nkinds: space 3-gradient\n\n", "kind 3-gradient"},
    {"NRRD0004\nkinds: 3-GRADIENT space\n\n", "kind 3-gradient"},
    {"NRRD0004\nKinds: space\t 3-Gradient \t\n\n", "kind 3-gradient"},
    {"NRRD0004\nkinds: 3-gradients 3-gradient-which-is-longer-than-any-kind\n\n", NULL},
    {"NRRD0004\nkinds: 3-normal ??? none\n\n", NULL},
};

/* Checks a file with these bytes in the folder of the test. */
static bool is_good(const void *bytes, size_t n, ddr_header_check *check) {
  FILE *file = tmpfile();
  if (!CHECK(file && fwrite(bytes, 1, n, file) == n)) return false;
  rewind(file);
  *check = (ddr_header_check){.folder = ".", .most_bytes = 1e9};
  const bool result = ddr_header_check_file(file, check);
  CHECK_EQ(ftell(file), 0);
  fclose(file);
  return result;
}

static void tells_good_from_bad(void) {
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    ddr_header_check check;
    const Case *one = &cases[k];
    const bool found = is_good(one->bytes, one->bytes[0] ? strlen(one->bytes) : 0, &check);
    const bool held =
        one->problem ? CHECK(!found && strstr(check.problem, one->problem)) : CHECK(found);
    if (!held) fprintf(stderr, "  case %zu: %s\n", k, found ? "good" : check.problem);
  }
}

/* Copies bytes without a NUL; returns their end. */
static char *put(char *to, const char *from, size_t n) {
  memcpy(to, from, n);
  return to + n;
}

/* Checks `before`, n times the character, `behind`. */
static void check_long(const char *before, char c, size_t n, const char *behind,
                       const char *problem) {
  ddr_header_check check;
  const size_t n_before = strlen(before), n_behind = strlen(behind);
  char *bytes = malloc(n_before + n + n_behind);
  if (!CHECK(bytes != NULL)) return;
  char *end = put(bytes, before, n_before);
  memset(end, c, n);
  put(end + n, behind, n_behind);
  const bool found = is_good(bytes, n_before + n + n_behind, &check);
  const bool held = problem ? CHECK(!found && strstr(check.problem, problem)) : CHECK(found);
  if (!held) fprintf(stderr, "  %s: %s\n", before, found ? "good" : check.problem);
  free(bytes);
}

static void bounds_lines_and_words(void) {
  check_long("NRRD0004\ntype: ", 'x', 1000, "\n\n", "line 2 of the header is too long");
  check_long("NRRD0004\n# ", 'x', 1000, "\n\n", NULL);
  check_long("NRRD0004\nkey:=", 'x', 1000, "\n\n", NULL);
  check_long("NRRD0004\nkey:=\rtype: ", 'x', 1000, "\n\n", "line 3 of the header is too long");
  check_long("NRRD0004\nkey:=", '\0', 1, "\ntype: x\n\n", "NUL");
  check_long("NRRD0004\n# ", 'x', 5000, "\n\n", "comment in line 2 of the header is too long");
  check_long("NRRD0004\nkey:=", 'x', 5 << 20, "\n\n", "too long");
  check_long("NRRD0004\n# ", '\377', 9, "\n\n", "no printable");
  check_long("NRRD0004\n# ", '\377', 9, "e\n\n", NULL);
  check_long("NRRD0004\ncontent: ", '\377', 9, "\n\n", "no printable");
  check_long("P5\n#", '\377', 9, "\n2 2 255\n", "no printable");
  check_long("NRRD0004\n#", ' ', 9, "\n#\n", NULL);
  check_long("NRRD0004\n", '\r', 1, "", NULL);
  check_long("P2\n#", 'x', 1000, "\n2 2 255\n1 2 3 4", "too long");
  check_long("# vtk DataFile Version 1.0\nLOOKUP_TABLE\n", 'x', 1000, "\n", "too long");
  check_long("# ", 'x', 1000, "\n1 2\n", "too long");
  check_long("", '1', 1000000, "\n", NULL);
  check_long(HEAD "ascii\n\n1 2 3 ", '4', 900, " ", NULL);
  check_long(HEAD "ascii\n\n1 2 3 ", '4', 1025, " ", "word");
  check_long(HEAD "ascii\ndata file: word.txt\n", '\n', 1, "", "No such file");
  check_long("P2\n2 2 255\n1 2 3 ", '4', 1025, " ", "word");
}

/* Signature, IHDR, and a chunk of text. */
static void judges_comments_of_png(void) {
  char bytes[] = "\211PNG\r\n\032\n"
                 "\0\0\0\015IHDR\0\0\0\001\0\0\0\001\010\0\0\0\0crc."
                 "\0\0\0\007tEXtNRRD#\0"
                 "xcrc.";
  const size_t n = sizeof bytes - 1;
  ddr_header_check check;
  CHECK(is_good(bytes, n, &check));
  bytes[n - 5] = '\377';
  CHECK(!is_good(bytes, n, &check) && strstr(check.problem, "printable"));
  put(bytes + n - 15, "zTXt", 4);
  bytes[n - 5] = 'x';
  CHECK(!is_good(bytes, n, &check) && strstr(check.problem, "printable"));
}

/* Checks `before`, n times the unit, and a newline. */
static void repeats(const char *before, const char *unit, int n, const char *problem) {
  const size_t n_before = strlen(before), n_unit = strlen(unit);
  char *bytes = malloc(n_before + (size_t)n * n_unit + 1);
  ddr_header_check check;
  if (!CHECK(bytes != NULL)) return;
  char *end = put(bytes, before, n_before);
  for (int k = 0; k < n; k++) end = put(end, unit, n_unit);
  *end++ = '\n';
  const bool found = is_good(bytes, (size_t)(end - bytes), &check);
  if (problem) CHECK(!found && strstr(check.problem, problem));
  else CHECK(found);
  free(bytes);
}

static void bounds_numbers(void) {
  repeats("NRRD0004\n", "a:=b\n", 10000, NULL);
  repeats("NRRD0004\n", "a:=b\n", 20000, "too long");
  repeats("", "1,", 10000, NULL);
  repeats("", "1, ", 10001, "10001 numbers");
}

static const struct {
  const char *bytes;
  const char *copy; /* NULL: the file itself is read */
} ends[] = {
    {"1 2\n3 4", "1 2\n3 4\n"},
    {"nan 2\n3 4", "nan 2\n3 4\n"},
    {" \t,-Inf,2\n3,4", " \t,-Inf,2\n3,4\n"},
    {"# a\n3 4", "# a\n3 4\n"},
    {"NRRD0004\ndata file: a.raw", "NRRD0004\ndata file: a.raw\n"},
    {"1 2\n3 4\n", NULL},
    {"1 2\r3 4\r", NULL},
    {"NRRD0004\n\n1 2", NULL},
    {"# vtk DataFile Version 3.0\n1 2", NULL},
    {"none 2\n3 4", NULL},
    {"1 2\n3\001 4", NULL},
    {"NRRD0004\n# \033[2J\ndata file: a.raw", NULL},
    {"# \303\244\f\n3 4", "# \303\244\f\n3 4\n"},
    {"", NULL},
};

static void ends_last_lines(void) {
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
    char found[80] = "";
    const char *expected = ends[k].copy ? ends[k].copy : ends[k].bytes;
    FILE *file = tmpfile();
    if (!CHECK(file && fputs(ends[k].bytes, file) != EOF)) return;
    FILE *whole = ddr_header_whole(file);
    if (!CHECK(whole && (whole == file) == !ends[k].copy)) return;
    CHECK(fread(found, 1, sizeof found - 1, whole) == strlen(expected));
    CHECK_STR(found, expected);
    fclose(whole);
  }
}

int main(void) {
  char folder[] = "/tmp/ddr-header-XXXXXX";
  CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0);
  static const char *const files[] = {"there1.raw", "there2.raw", "there007.raw", "100%there1.raw"};
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
    FILE *file = fopen(files[k], "w");
    if (CHECK(file != NULL)) fclose(file);
  }
  CHECK(mkfifo("pipe", 0600) == 0);
  RUN(tells_good_from_bad);
  RUN(bounds_lines_and_words);
  RUN(bounds_numbers);
  RUN(judges_comments_of_png);
  RUN(ends_last_lines);
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) CHECK(unlink(files[k]) == 0);
  CHECK(unlink("pipe") == 0 && chdir("/") == 0 && rmdir(folder) == 0);
  return test_result();
}
