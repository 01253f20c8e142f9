/* Executables, seen from outside: options, help, messages, exit statuses, silence. GRID and IMAGE
 * are the two hand-written programs. */
#include "files.h"

typedef struct {
  int status;
  char *out, *err;
} Run;

static Run run(const char *program, const char *args) {
  char command[1024];
  size_t n;
  snprintf(command, sizeof command, "'%s' %s > .out 2> .err", program, args);
  const int status = system(command);
  const Run result = {WIFEXITED(status) ? WEXITSTATUS(status) : -1, files_read(".out", &n),
                      files_read(".err", &n)};
  if (result.out && result.err) return result;
  fprintf(stderr, "cannot run %s\n", command);
  exit(1);
}

static void run_free(Run *result) {
  free(result->out);
  free(result->err);
}

/* Arguments, status, and the expected standard output (status 0) or first line of standard
 * error. */
static const struct {
  const char *args;
  int status;
  const char *text;
} lines[] = {
    {"", 0, ""},
    {"-echo on", 0, "2 0.333333343 true [one] 1.25,-2,9.99999997e-07 012345 falsetrue\n"},
    {"-echo YES -ny 3.7 -ny 5 -gain -pi -on no -l 1 -word 'two  \"words\"' -flags T nope", 0,
     "5 -3.14159274 false [two  \"words\"] 1.25,-2,9.99999997e-07 012345 truefalse\n"},
    {"-word '' -echo 1 -centre -4 -5.5 .5e1 -table 1 2 3 4 5 6", 0,
     "2 0.333333343 true [] -4,-5.5,5 123456 falsetrue\n"},
    {"-gain inf -centre -inf NaN PI -echo t -word '\"q'", 0,
     "2 inf true [\"q] -inf,nan,3.14159274 012345 falsetrue\n"},
    {"-echo y -ny ' 3 ' -gain '2.5 \t' -centre 1 '2e1 ' 3", 0,
     "3 2.5 true [one] 1,20,3 012345 falsetrue\n"},
    {"-echo y -word -notanoption", 0,
     "2 0.333333343 true [-notanoption] 1.25,-2,9.99999997e-07 012345 falsetrue\n"},
    {"-o-sum a.nrrd -o-sum - > /dev/null; echo -n", 0, ""},
    {"-on perhaps", 1, "ERROR: couldn't parse \"perhaps\" as bool for \"-on\" option"},
    {"-ny many", 1, "ERROR: couldn't parse \"many\" as int for \"-ny\" option"},
    {"-ny 3000000000", 1,
     "ERROR: couldn't parse \"3000000000\" as int for \"-ny\" option: values are from "
     "-2147483648 to 2147483647"},
    {"-centre 1 wide 3", 1, "ERROR: couldn't parse \"wide\" as float for \"-centre\" option"},
    {"-gain ''", 1, "ERROR: couldn't parse \"\" as float for \"-gain\" option"},
    {"-centre 1.5 -ny 4", 1,
     "ERROR: hit \"-ny\" option before getting 3 parameters for \"-centre\" option (got 1)"},
    {"-l", 1, "ERROR: hit end of line before getting 1 parameter for -l,--limit option (got 0)"},
    {"-l -1", 1, "ERROR: couldn't parse \"-1\" as unsigned int for -l,--limit option"},
    {"-colour red", 1, "ERROR: unexpected arg (or unrecognized flag): \"-colour\""},
    {"--limit=20", 1,
     "ERROR: unexpected arg (or unrecognized flag): \"--limit=20\"; did you mean --limit 20?"},
    {"-limit 20", 1,
     "ERROR: unexpected arg (or unrecognized flag): \"-limit\"; did you mean --limit?"},
    {"-ny 3 -cnetre 1 2 3", 1,
     "ERROR: unexpected arg (or unrecognized flag): \"-cnetre\"; did you mean -centre?"},
    {"-echo y -word -cnetre -gian 2", 1,
     "ERROR: unexpected arg (or unrecognized flag): \"-gian\"; did you mean -gain?"},
    {"-x 1", 1, "ERROR: unexpected arg (or unrecognized flag): \"-x\""},
    {"-NY 4", 1, "ERROR: unexpected arg (or unrecognized flag): \"-NY\"; did you mean -ny?"},
    {"-V", 1, "ERROR: unexpected arg (or unrecognized flag): \"-V\"; did you mean -v?"},
    {"-checkpoint kept:60", 1,
     "ERROR: unknown option -checkpoint: this program runs each strand on its own, so nothing can "
     "be kept between supersteps; diderotc --exec --force-bsp makes one that has it"},
    {"-ny 4 --resume=kept", 1,
     "ERROR: unknown option --resume: this program runs each strand on its own, so nothing can "
     "be kept between supersteps; diderotc --exec --force-bsp makes one that has it"},
    {"-n 4", 1,
     "ERROR: unknown option -n: this program runs on one thread; diderotc --exec --target=parallel "
     "makes one that has it"},
    {"--snapshot=1", 1,
     "ERROR: unknown option --snapshot: this program was made without --snapshot; diderotc --exec "
     "--snapshot makes one that has it"},
    {"-o all.nrrd", 1,
     "ERROR: unknown option -o: this program has several outputs, each with an option -o-NAME"},
    {"-echo y -word -n", 0, "2 0.333333343 true [-n] 1.25,-2,9.99999997e-07 012345 falsetrue\n"},
    {"-word -n -bogus", 1, "ERROR: unexpected arg (or unrecognized flag): \"-bogus\""},
    {"stray -word -s", 1, "ERROR: unexpected arg: \"stray\""},
    {"-echo y -word -resume", 0,
     "2 0.333333343 true [-resume] 1.25,-2,9.99999997e-07 012345 falsetrue\n"},
    {"stray", 1, "ERROR: unexpected arg: \"stray\""},
    {"'two words'", 1, "ERROR: unexpected arg: \"two words\""},
    {"--", 1, "ERROR: unexpected arg (or unrecognized flag): \"--\""},
    {"@file", 1, "ERROR: unexpected arg: \"@file\""},
    {"-print nofolder/x", 1, "Error opening print file:"},
    {"-o-at nofolder/x.nrrd", 1, "Error saving \"nofolder/x.nrrd\": No such file or directory"},
    {"-ny 0", 1, "Error: no stable strands at termination, so no output"},
    {"-ny 2000000000 -o-sum sum.txt", 1, "Error in global initialization:"},
    {"--memory 100K -ny 3000 -o-sum sum.txt", 1, "Error in global initialization:"},
    {"--memory lots", 1, "ERROR: couldn't parse \"lots\" as size for -mem,--memory option"},
    {"-mem 5x", 1, "ERROR: couldn't parse \"5x\" as size for -mem,--memory option"},
    {"-mem 5GB", 1, "ERROR: couldn't parse \"5GB\" as size for -mem,--memory option"},
    {"-mem -1", 1, "ERROR: couldn't parse \"-1\" as size for -mem,--memory option"},
    {"-mem 99999999999T", 1,
     "ERROR: couldn't parse \"99999999999T\" as size for -mem,--memory option"},
    {"-mem 1t -pg", 0, ""},
    {"--memory=1t --progress -mem 2t", 0, ""},
    {"-echo y -word --memory=lots", 1, /* the same message as without -word */
     "ERROR: hit -mem option before getting 1 parameter for \"-word\" option (got 0)"},
    {"-echo y -word --memories=1t", 0,
     "2 0.333333343 true [--memories=1t] 1.25,-2,9.99999997e-07 012345 falsetrue\n"},
    {"--memory=lots", 1, "ERROR: couldn't parse \"lots\" as size for -mem,--memory option"},
    {"--memory=1t=2t", 1, "ERROR: couldn't parse \"1t=2t\" as size for -mem,--memory option"},
    {"--memory= ", 1, "ERROR: couldn't parse \"\" as size for -mem,--memory option"},
    {"-mem=1t", 1,
     "ERROR: unexpected arg (or unrecognized flag): \"-mem=1t\"; did you mean -mem 1t?"},
    {"--progress=1", 1,
     "ERROR: unexpected arg (or unrecognized flag): \"--progress=1\"; did you mean --progress?"},
    {"--memory=1t 2t", 1, "ERROR: unexpected arg: \"2t\""},
    {"-centre 1,2,3 -ny 2", 1,
     "ERROR: hit \"-ny\" option before getting 3 parameters for \"-centre\" option (got 1); "
     "did you mean -centre 1 2 3?"},
    {"-ny 2 -centre -1,2, 3", 1,
     "ERROR: hit end of line before getting 3 parameters for \"-centre\" option (got 2); "
     "did you mean -centre -1 2 3?"},
    {"-centre 1 2 3 -centre 1 2", 1,
     "ERROR: hit end of line before getting 3 parameters for \"-centre\" option (got 2)"},
    {"-centre 1 2 3 -centre 4,5,6", 1,
     "ERROR: hit end of line before getting 3 parameters for \"-centre\" option (got 1); "
     "did you mean -centre 4 5 6?"},
    {"-centre [7,8,9]", 1,
     "ERROR: hit end of line before getting 3 parameters for \"-centre\" option (got 1); "
     "did you mean -centre 7 8 9?"},
    {"-centre '{7,8, 9}'", 1,
     "ERROR: hit end of line before getting 3 parameters for \"-centre\" option (got 1); "
     "did you mean -centre 7 8 9?"},
    {"-centre 1,2,x -ny 3", 1,
     "ERROR: hit \"-ny\" option before getting 3 parameters for \"-centre\" option (got 1)"},
    {"-centre 1,2", 1,
     "ERROR: hit end of line before getting 3 parameters for \"-centre\" option (got 1)"},
    {"-centre , -ny 2", 1,
     "ERROR: hit \"-ny\" option before getting 3 parameters for \"-centre\" option (got 1)"},
};

static void reads_options(void) {
  for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
    Run result = run(GRID, lines[k].args);
    bool held = CHECK_EQ(result.status, lines[k].status);
    if (lines[k].status == 0) {
      held = CHECK_STR(result.out, lines[k].text) && CHECK_STR(result.err, "") && held;
    } else {
      const size_t n = strcspn(result.err, "\n");
      held = CHECK_STR(result.out, "") && held;
      held = CHECK(n == strlen(lines[k].text) && memcmp(result.err, lines[k].text, n) == 0) && held;
    }
    if (!held) fprintf(stderr, "  line \"%s\": %s", lines[k].args, result.err);
    run_free(&result);
  }
}

static void warns_of_rests(void) {
  Run result =
      run(GRID, "-ny '3.7 ' -gain 1,5 -centre piano 2e 0x10 -word 7a -table 1 2 3 4 5 -6 -mem 1t");
  CHECK_EQ(result.status, 0);
  CHECK_STR(result.err, "WARNING: only \"3\" of \"3.7 \" was read as int for \"-ny\" option\n"
                        "WARNING: only \"1\" of \"1,5\" was read as float for \"-gain\" option\n"
                        "WARNING: \"piano\" was read as pi for \"-centre\" option\n"
                        "WARNING: only \"2\" of \"2e\" was read as float for \"-centre\" option\n");
  run_free(&result);
}

static void blanks_change_no_names_of_reals(void) {
  Run result = run(GRID, "-gain '+infinity ' -centre ' nan ' '\tInf' '-pi\n'");
  CHECK_EQ(result.status, 0);
  CHECK_STR(result.err, "");
  run_free(&result);
  result = run(GRID, "-gain ' nan 6'");
  CHECK_STR(result.err, "WARNING: \" nan 6\" was read as nan for \"-gain\" option\n");
  run_free(&result);
}

static const char image_usage[] =
    "\nUsage: ./image [-h,--help] [-l,--limit <int>] [-print <str>] [-v,--verbose] \\\n"
    "       [-t,--timing] -img <str> [-o,--output <str>] [-mem,--memory <size>] \\\n"
    "       [-pg,--progress] [-dc,--decimate <img:n,..>] [-pf,--prefilter <img,..>]\n\n";

static const char image_glossary[] =
    "            -h , --help = print usage information and exit\n"
    "      -l <int> , --limit <int> = specify limit on number of super-steps (0\n"
    "                 means unlimited) (unsigned int); default: \"0\"\n"
    "  -print <str> = specify where to direct printed output (string); default: \"-\"\n"
    "            -v , --verbose = enable runtime-system messages\n"
    "            -t , --timing = enable execution timing\n"
    "    -img <str> = data (string)\n"
    "      -o <str> , --output <str> = specify output file (string);\n"
    "                 default: \"v.nrrd\"\n"
    "   -mem <size> , --memory <size> = specify limit on memory for strands, such\n"
    "                 as 500M or 8G (0 means what the machine allows) (size);\n"
    "                 default: \"0\"\n"
    "           -pg , --progress = show progress, on a terminal only\n"
    "-dc <img:n,..> , --decimate <img:n,..> = smooth image inputs and keep every\n"
    "                 n-th sample along each axis (IMAGE:FACTOR,..); default: \"\"\n"
    "  -pf <img,..> , --prefilter <img,..> = filter image inputs so that B-splines\n"
    "                 go through their samples (IMAGE,..); default: \"\"\n";

static void explains_itself(void) {
  CHECK(symlink(IMAGE, "image") == 0);
  Run result = run("./image", "-h");
  CHECK_EQ(result.status, 0);
  CHECK_STR(result.out, "");
  CHECK_STR(result.err, image_usage);
  run_free(&result);
  result = run("./image", "-img --help -h --nonsense");
  CHECK_EQ(result.status, 0);
  CHECK(strncmp(result.err, image_usage, strlen(image_usage)) == 0);
  const char *glossary = strstr(result.err, "-h , ");
  CHECK(glossary && strcmp(glossary, strstr(image_glossary, "-h , ")) == 0);
  run_free(&result);
  result = run("./image", "");
  CHECK_EQ(result.status, 1);
  CHECK(strncmp(result.err, "ERROR: input \"img\" is missing; -img FILE", 40) == 0);
  CHECK(strchr(result.err, '\n') && strchr(result.err, '\n')[1] == '\0'); /* one line */
  run_free(&result);
}

/* Options that this program has, but that take values as words of their own. */
static void knows_its_options(void) {
  Run result = run(IMAGE, "--output=v.txt");
  CHECK_EQ(result.status, 1);
  CHECK(strstr(result.err, "\"--output=v.txt\"; did you mean --output v.txt?\n") != NULL);
  run_free(&result);
}

static void loads_images_from_files_and_pipes(void) {
  static const uint8_t data[6] = {5, 6, 7, 8, 9, 10};
  files_write_nrrd("i.nrrd", "NRRD0001\ntype: uchar\ndimension: 2\nsizes: 3 2\nencoding: raw\n\n",
                   data, sizeof data);
  static const char *const args[] = {"-img i.nrrd -o v.txt", "-img - -o v.txt < i.nrrd",
                                     "-img /dev/stdin -o v.txt < i.nrrd"};
  for (size_t k = 0; k < sizeof args / sizeof *args; k++) {
    Run result = run(IMAGE, args[k]);
    CHECK_EQ(result.status, 0);
    CHECK_STR(result.err, "");
    size_t n;
    char *text = files_read("v.txt", &n);
    CHECK_STR(text, "5\n6\n7\n");
    free(text);
    remove("v.txt");
    run_free(&result);
  }
  Run result = run(IMAGE, "-img absent.nrrd");
  CHECK_EQ(result.status, 1);
  CHECK_STR(result.err,
            "Error initializing inputs:\n"
            "[DIDEROT] img: cannot load image \"absent.nrrd\": No such file or directory\n");
  CHECK(!files_exist("v.nrrd"));
  run_free(&result);
}

static void writes_to_standard_output(void) {
  Run result = run(IMAGE, "-img i.nrrd -o -");
  CHECK_EQ(result.status, 0);
  CHECK(strncmp(result.out, "NRRD0003\n", 9) == 0 && !files_exist("v.nrrd"));
  run_free(&result);
}

static void prints_times_and_progress(void) {
  Run result = run(GRID, "-t");
  double seconds = -1;
  int n = 0;
  CHECK(sscanf(result.out, "usr=%lf\n%n", &seconds, &n) == 1 && result.out[n] == '\0');
  CHECK(seconds >= 0 && seconds < 60);
  CHECK_STR(result.err, "");
  run_free(&result);
  result = run(GRID, "-v -t -print log.txt -echo 1");
  CHECK_STR(result.out, "");
  CHECK(strstr(result.err, "6 strands") && strstr(result.err, "seconds"));
  CHECK(strstr(result.err, "MiB of memory"));
  CHECK(files_exist("log.txt"));
  run_free(&result);
}

static void says_what_limits_memory(void) {
  Run result = run(GRID, "-mem 10");
  CHECK_EQ(result.status, 1);
  CHECK(strstr(result.err, ": the memory limit is 10 bytes\n"));
  run_free(&result);
  result = run(GRID, "-mem 64k -ny 4000 -o-sum sum.txt"); /* the text is written at once */
  CHECK_EQ(result.status, 1);
  CHECK_STR(result.err, "Error in global initialization:\n[DIDEROT] cannot allocate memory for "
                        "12000 strands: the memory limit is 64.0 KiB\n");
  run_free(&result);
}

/* A grid that the limit stopped is written as well. */
static void writes_a_grid_at_the_limit(void) {
  Run result = run(GRID, "-on no -l 3 -o-sum limit.txt");
  size_t n;
  char *text = files_read("limit.txt", &n);
  CHECK_EQ(result.status, 0);
  CHECK_STR(text, "-1 0 1\n9 10 11\n");
  free(text);
  run_free(&result);
}

int main(void) {
  files_enter();
  RUN(reads_options);
  RUN(warns_of_rests);
  RUN(blanks_change_no_names_of_reals);
  RUN(explains_itself);
  RUN(knows_its_options);
  RUN(loads_images_from_files_and_pipes);
  RUN(writes_to_standard_output);
  RUN(prints_times_and_progress);
  RUN(says_what_limits_memory);
  RUN(writes_a_grid_at_the_limit);
  files_leave();
  return test_result();
}
