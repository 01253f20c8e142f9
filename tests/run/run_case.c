/* run_case.c: runs one case file. One row of `keys` per key of case.h.
 *
 *   run-case CASE PROGRAM float|double SCRATCH COMPILER
 *
 * Works in the folder SCRATCH, which it empties first; the paths are absolute.
 * Read next: case.h, expect.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/oracle/make_input.h"
#include "tests/run/case.h"

bool case_check(Case *test, bool holds, const char *what, const char *found) {
  test->n_checks++;
  if (holds) return true;
  test->n_failed++;
  fprintf(stderr, "%s:%d: %s%s%s\n", test->path, test->line, what, found ? ": " : "",
          found ? found : "");
  return false;
}

/* Reports a mistake in the case file itself. */
static _Noreturn void refuse(const Case *test, const char *what) {
  fprintf(stderr, "%s:%d: %s\n", test->path, test->line, what);
  exit(2);
}

/* ---- executing ------------------------------------------------------------------------------- */

/* The number of lines that give a reason for a failure. Lines around them (a phase, the usage) do
 * not count. */
static int count_reasons(const char *text) {
  int n = 0;
  for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    const size_t len = strcspn(line, "\n");
    const char *error = strstr(line, "] Error: ");
    n += strncmp(line, "[DIDEROT] ", 10) == 0 || strncmp(line, "ERROR: ", 7) == 0 ||
         strncmp(line, "Error: ", 7) == 0 || strncmp(line, "Error saving ", 13) == 0 ||
         (error && error < line + len);
  }
  return n;
}

static void execute(Case *test, const char *program, const Words *before, const Words *after) {
  const char *argv[MAX_WORDS + 1] = {program};
  int n = 1;
  if (n + before->n + after->n > MAX_WORDS) refuse(test, "the command has too many words");
  for (int k = 0; k < before->n; k++) argv[n++] = before->word[k];
  for (int k = 0; k < after->n; k++) argv[n++] = after->word[k];
  outcome_free(&test->outcome);
  if (!process_run(argv, &test->outcome)) exit(2);
}

static void check_success(Case *test, bool is_silent) {
  if (test->outcome.status != 0)
    case_check(test, false, "did not end with status 0", test->outcome.err);
  else
    case_check(test, !is_silent || !*test->outcome.err, "has something to say", test->outcome.err);
}

static void check_failure(Case *test) {
  const Outcome *outcome = &test->outcome;
  case_check(test, outcome->status > 0 && outcome->status < SANITIZER_STATUS,
             "did not fail in an orderly way", outcome->err);
  case_check(test, count_reasons(outcome->err) == 1, "does not give one reason", outcome->err);
  case_check(test, !*outcome->out, "writes to standard output", outcome->out);
}

static const Words nothing = {.n = 0};

static void key_args(Case *test, const Words *words) {
  execute(test, test->program, &test->inputs, words);
  check_success(test, true);
}

static void key_noting(Case *test, const Words *words) {
  execute(test, test->program, &test->inputs, words);
  check_success(test, false);
}

static void key_refuse(Case *test, const Words *words) {
  execute(test, test->program, &test->inputs, words);
  check_failure(test);
}

static void key_compile(Case *test, const Words *words) {
  execute(test, test->compiler, &nothing, words);
  check_success(test, false);
}

static void key_reject(Case *test, const Words *words) {
  execute(test, test->compiler, &nothing, words);
  check_failure(test);
}

/* ---- preparing ------------------------------------------------------------------------------- */

static void make(Case *test, const char *path, const Words *words) {
  const bool is_made = words->n > 2 && strcmp(words->word[1], "=") == 0 &&
                       make_input(path, words->word + 2, words->n - 2);
  if (!is_made) case_check(test, false, "cannot make that", path);
}

static void key_file(Case *test, const Words *words) { make(test, words->word[0], words); }

static void key_input(Case *test, const Words *words) {
  char *option = malloc(strlen(words->word[0]) + 2), *path = malloc(strlen(words->word[0]) + 6);
  if (!option || !path || test->inputs.n + 2 > MAX_WORDS) abort();
  sprintf(option, "-%s", words->word[0]);
  sprintf(path, "%s.nrrd", words->word[0]);
  make(test, path, words);
  test->inputs.word[test->inputs.n++] = option;
  test->inputs.word[test->inputs.n++] = path;
}

static void key_env(Case *test, const Words *words) {
  char *equals = strchr(words->word[0], '=');
  if (!case_check(test, equals != NULL, "needs NAME=VALUE", words->word[0])) return;
  *equals = '\0';
  setenv(words->word[0], equals + 1, 1);
}

static void key_about(Case *test, const Words *words) {
  (void)test;
  (void)words;
}

/* ---- looking at text and files --------------------------------------------------------------- */

static void unescape(char *text) {
  char *to = text;
  for (char *from = text; *from; from++) {
    const bool is_line_end = from[0] == '\\' && from[1] == 'n';
    *to = *from;
    if (is_line_end) *to = '\n';
    to++;
    from += is_line_end;
  }
  *to = '\0';
}

static void key_stdout(Case *test, const Words *words) {
  unescape(words->word[0]);
  case_check(test, strcmp(words->word[0], test->outcome.out) == 0, "standard output is",
             test->outcome.out);
}

/* True when every word stands in the first `len` characters of the line. */
static bool holds_words(const char *line, size_t len, const Words *words) {
  for (int k = 0; k < words->n; k++) {
    const char *found = strstr(line, words->word[k]);
    if (!found || found + strlen(words->word[k]) > line + len) return false;
  }
  return true;
}

static void key_message(Case *test, const Words *words) {
  bool is_found = false;
  const char *line = test->outcome.err;
  while (!is_found && *line) {
    const size_t len = strcspn(line, "\n");
    is_found = holds_words(line, len, words);
    line += len + (line[len] == '\n');
  }
  case_check(test, is_found, "no line of stderr has these words", test->outcome.err);
}

static void key_absent(Case *test, const Words *words) {
  case_check(test, access(words->word[0], F_OK) != 0, "exists", words->word[0]);
}

static void key_present(Case *test, const Words *words) {
  case_check(test, access(words->word[0], F_OK) == 0, "does not exist", words->word[0]);
}

/* ---- reading the file ------------------------------------------------------------------------ */

static const struct {
  const char *key;
  int n_words; /* at least */
  void (*act)(Case *test, const Words *words);
} keys[] = {
    {"about", 0, key_about},     {"input", 3, key_input},     {"file", 3, key_file},
    {"env", 1, key_env},         {"args", 0, key_args},       {"refuse", 0, key_refuse},
    {"compile", 0, key_compile}, {"reject", 0, key_reject},   {"expect", 3, case_expect},
    {"axes", 3, case_axes},      {"type", 3, case_type},      {"holds", 3, case_holds},
    {"stdout", 1, key_stdout},   {"message", 1, key_message}, {"absent", 1, key_absent},
    {"present", 1, key_present}, {"noting", 0, key_noting},
};

static void act(Case *test, const Words *words) {
  const Words rest = words_after(words, 1);
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    if (strcmp(keys[k].key, words->word[0]) != 0 || rest.n < keys[k].n_words) continue;
    keys[k].act(test, &rest);
    return;
  }
  case_check(test, false, "no such key, or too few words for it", words->word[0]);
}

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  Case test = {.path = argv[1],
               .program = argv[2],
               .compiler = argv[5],
               .is_double = strcmp(argv[3], "double") == 0};
  FILE *in = fopen(test.path, "r");
  if (!in) {
    perror(test.path);
    return 2;
  }
  enter_scratch(argv[4]);
  char line[4096];
  while (fgets(line, sizeof line, in)) {
    Words words;
    test.line++;
    if (!strchr(line, '\n') && !feof(in)) refuse(&test, "the line is too long");
    if (!words_split(line, &words)) refuse(&test, "the line has too many words");
    if (words.n > 0) act(&test, &words);
  }
  fclose(in);
  outcome_free(&test.outcome);
  for (int k = 0; k < test.inputs.n; k++) free(test.inputs.word[k]);
  case_check(&test, test.n_checks > 0, "nothing was checked", NULL);
  return test.n_failed > 0;
}
