/* threads_test.c: a program writes and prints the same bytes with any number of threads, and in
 * each run.
 *
 *   threads-test SCRATCH PROGRAM WORDS...
 *
 * Works in the folder SCRATCH; the paths are absolute. The program is told that
 * there are many cores (many_cores.c); otherwise -n 8 would be reduced on a small machine.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/run/process.h"

enum { N_REPETITIONS = 20 };

static const char *const thread_counts[] = {"1", "2", "3", "8"};

typedef struct Bytes {
  char *data;
  size_t len;
} Bytes;

static void append(Bytes *bytes, const char *data, size_t len) {
  char *grown = realloc(bytes->data, bytes->len + len + 1);
  if (!grown) abort();
  memcpy(grown + bytes->len, data, len);
  bytes->data = grown;
  bytes->len += len;
}

static void append_file(Bytes *bytes, const char *name) {
  char chunk[4096];
  FILE *in = fopen(name, "rb");
  if (!in) return; /* . and .. */
  append(bytes, name, strlen(name) + 1);
  for (size_t n; (n = fread(chunk, 1, sizeof chunk, in)) > 0;) append(bytes, chunk, n);
  fclose(in);
}

/* Names and contents of all files. */
static void append_folder(Bytes *bytes) {
  struct dirent **entries;
  const int n = scandir(".", &entries, NULL, alphasort);
  for (int k = 0; k < n; k++) {
    append_file(bytes, entries[k]->d_name);
    free(entries[k]);
  }
  if (n >= 0) free(entries);
}

/* What the program printed and wrote. */
static Bytes run(const char *scratch, char **words, const char *n_threads) {
  const char *argv[MAX_WORDS] = {NULL};
  Outcome outcome = {.status = -1};
  int n = 0;
  for (; n < MAX_WORDS - 3 && words[n]; n++) argv[n] = words[n];
  if (words[n]) {
    fprintf(stderr, "the command has too many words\n");
    exit(2);
  }
  argv[n++] = "-n";
  argv[n] = n_threads;
  enter_scratch(scratch);
  if (!process_run(argv, &outcome) || outcome.status != 0) {
    fprintf(stderr, "%s threads: status %d\n%s", n_threads, outcome.status,
            outcome.err ? outcome.err : "");
    exit(1);
  }
  Bytes bytes = {NULL, 0};
  append(&bytes, outcome.out, strlen(outcome.out) + 1);
  append(&bytes, outcome.err, strlen(outcome.err) + 1);
  append_folder(&bytes);
  outcome_free(&outcome);
  return bytes;
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const Bytes want = run(argv[1], argv + 2, "1");
  int n_different = 0;
  for (size_t k = 0; k < sizeof thread_counts / sizeof *thread_counts; k++) {
    for (int again = 0; again < N_REPETITIONS; again++) {
      const Bytes found = run(argv[1], argv + 2, thread_counts[k]);
      const bool is_same = found.len == want.len && memcmp(found.data, want.data, want.len) == 0;
      if (!is_same) fprintf(stderr, "%s threads: other bytes, time %d\n", thread_counts[k], again);
      n_different += !is_same;
      free(found.data);
    }
  }
  if (want.len < 100) fprintf(stderr, "there is next to nothing to compare\n");
  free(want.data);
  return n_different > 0 || want.len < 100;
}
