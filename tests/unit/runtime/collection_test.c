/* Executables of collections, seen from outside: snapshots, limits, threads, the files written, and
 * the messages if there are none.  QUEUE is queue_program.c. */
#include "files.h"

/* Runs a command, with standard output and standard error in .out and .err; returns its status. */
static int run(const char *args) {
  char command[1024];
  snprintf(command, sizeof command, "rm -f -- *.nrrd *.txt; '" QUEUE "' %s > .out 2> .err", args);
  return files_run(command);
}

/* Checks the names of all nrrd files, sorted. */
static void check_names(const char *want) {
  CHECK(system("ls | grep nrrd | sort | tr '\\n' ' ' > .names") == 0);
  files_check(".names", want);
}

/* Checks the int samples at the end of a file. */
static void check_ints(const char *name, int64_t n, const int32_t want[]) {
  size_t len = 0;
  char *bytes = files_read(name, &len);
  const size_t size = (size_t)n * sizeof *want;
  CHECK(bytes && len > size && memcmp(bytes + len - size, want, size) == 0);
  CHECK(bytes && len > size && memcmp(bytes + len - size - 2, "\n\n", 2) == 0);
  free(bytes);
}

static void only_stable_strands_are_written(void) {
  CHECK_EQ(run("-size 7"), 0);
  files_check(".out", "0 stable\n1 dead\n2 stable\n3 dead\n4 stable\n5 dead\n6 stable\n");
  files_check(".err", "");
  check_names("id.nrrd ids-data.nrrd ids-len.nrrd ");
  check_ints("id.nrrd", 4, (const int32_t[]){0, 2, 4, 6});
  check_ints("ids-len.nrrd", 8, (const int32_t[]){0, 0, 0, 2, 2, 4, 6, 6});
  check_ints("ids-data.nrrd", 12, (const int32_t[]){1, 2, 1, 2, 3, 4, 1, 2, 3, 4, 5, 6});
}

static void active_strands_are_given_up_at_the_limit(void) {
  CHECK_EQ(run("-size 7 -l 3 -o-id s.nrrd -o-ids s"), 0);
  check_names("s-data.nrrd s-len.nrrd s.nrrd ");
  check_ints("s.nrrd", 2, (const int32_t[]){0, 2});
  CHECK_EQ(run("-size 7 -l 1"), 0); /* the only sequence is empty */
  files_check(".err", "Warning: all sequences in output are empty, so no 'ids-data.nrrd' file "
                      "produced\n");
  check_names("id.nrrd ids-len.nrrd ");
}

static const char nothing[] = "Error: no stable strands at termination, so no output\n";

static void nobody_stable_is_an_error(void) {
  CHECK_EQ(run("-endless on -l 3"), 1);
  files_check(".err", nothing);
  CHECK_EQ(run("-size 0"), 1);
  files_check(".err", nothing);
  check_names("");
}

static void snapshots_are_named_by_the_steps_done(void) {
  CHECK_EQ(run("-size 7 -s 3 -o-id f.nrrd -sp-id x -sp-ids y"), 0);
  check_names("f.nrrd ids-data.nrrd ids-len.nrrd x-0000.nrrd x-0003.nrrd x-0006.nrrd x-0007.nrrd "
              "y-data-0000.nrrd y-data-0003.nrrd y-data-0006.nrrd y-data-0007.nrrd "
              "y-len-0000.nrrd y-len-0003.nrrd y-len-0006.nrrd y-len-0007.nrrd ");
  check_ints("x-0000.nrrd", 7, (const int32_t[]){0, 1, 2, 3, 4, 5, 6});
  check_ints("x-0003.nrrd", 6, (const int32_t[]){0, 2, 3, 4, 5, 6});
  check_ints("x-0007.nrrd", 4, (const int32_t[]){0, 2, 4, 6});
  check_ints("y-len-0007.nrrd", 8, (const int32_t[]){0, 0, 0, 2, 2, 4, 6, 6});
  CHECK_EQ(run("-size 7 -s 3 -l 5"), 0); /* the last part is short */
  check_names("id-0000.nrrd id-0003.nrrd id-0005.nrrd id.nrrd ids-data-0000.nrrd "
              "ids-data-0003.nrrd ids-data-0005.nrrd ids-data.nrrd ids-len-0000.nrrd "
              "ids-len-0003.nrrd ids-len-0005.nrrd ids-len.nrrd ");
  check_ints("id-0005.nrrd", 5, (const int32_t[]){0, 2, 4, 5, 6});
}

static void snapshots_of_the_endless_come_first(void) {
  CHECK_EQ(run("-endless on -s 2 -l 2 -sp-ids .y"), 1);
  files_check(".err", nothing);
  check_names("id-0000.nrrd id-0002.nrrd ");
}

static void nobody_alive_ends_snapshots(void) {
  CHECK_EQ(run("-size 0 -s 1"), 1);
  files_check(".err", "Error generating snapshot:\n"
                      "[DIDEROT] no strands are alive, so there is no snapshot at step 0\n");
  CHECK_EQ(run("-size 3 -s 1 -sp-id nofolder/x"), 1);
  CHECK(system("grep -q 'Error generating snapshot:' .err") == 0);
}

static void any_number_of_threads_gives_the_same_files(void) {
  CHECK_EQ(run("-size 900 -n 1"), 0);
  CHECK(system("cat .out *.nrrd | cksum > .want") == 0);
  for (int n = 0; n < 20; n = n < 3 ? n + 1 : n * 3) {
    char args[64];
    snprintf(args, sizeof args, "-size 900 --nworkers %d", n);
    CHECK_EQ(run(args), 0);
    files_check(".err", "");
    CHECK(system("cat .out *.nrrd | cksum | cmp - .want") == 0);
  }
}

static void options_are_explained(void) {
  CHECK_EQ(run("--help"), 0);
  static const char *const words[] = {
      "[-s,--snapshot <int>]",
      "[-n,--nworkers <int>]",
      "[-sp-id,--snapshot-prefix-id <str>]",
      "specify output file for id",
      "specify output-file prefix for ids",
      "specify snapshot-file prefix for ids",
  };
  size_t n = 0;
  char *text = files_read(".err", &n);
  for (char *at = text; at && *at; at++) { /* one line, one space */
    if (*at == '\n' || *at == '\\') *at = ' ';
  }
  char *dst = text;
  for (char *at = text; at && *at; at++) {
    if (*at != ' ' || (dst > text && dst[-1] != ' ')) *dst++ = *at;
  }
  if (dst) *dst = '\0';
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
    if (!CHECK(text && strstr(text, words[k]))) fprintf(stderr, "  %s\n", words[k]);
  }
  free(text);
  CHECK_EQ(run("-s -1"), 1);
  CHECK_EQ(run("-n many"), 1);
}

int main(void) {
  files_enter();
  RUN(only_stable_strands_are_written);
  RUN(active_strands_are_given_up_at_the_limit);
  RUN(nobody_stable_is_an_error);
  RUN(snapshots_are_named_by_the_steps_done);
  RUN(snapshots_of_the_endless_come_first);
  RUN(nobody_alive_ends_snapshots);
  RUN(any_number_of_threads_gives_the_same_files);
  RUN(options_are_explained);
  files_leave();
  return test_result();
}
