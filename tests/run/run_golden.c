/* run_golden.c: compares what the compiler prints for an input below tests/golden/KIND/ with the
 * expectation beside it.
 *
 *   run-golden DIDEROTC INPUT          compares with INPUT.out
 *   run-golden --bless DIDEROTC LIST   for each line of LIST, an input, rewrites INPUT.out if it
 *                                      differs, and prints the difference
 *
 * The paths are absolute.
 *
 *   KIND        input       command                              compared
 *   diag        x.diderot   --diagnostics=plain --check          stderr
 *   json        x.diderot   --diagnostics=json --check           stdout
 *   sarif       x.diderot   --diagnostics=sarif --check          stdout without the rules
 *   ast         x.diderot   --dump=ast                           stdout
 *   tast        x.diderot   --dump=tast                          stdout
 *   emit-c      x.diderot   --emit-c                             stdout
 *   memory      x.diderot   --dump=memory                        stdout
 *   memory-cuda x.diderot   --target=cuda --exec --dump=memory   stdout
 *   emit-cuda   x.diderot   --target=cuda --exec --dump=device   stdout
 *   library     x.diderot   --namespace=lib                      stdout
 *   format      x.diderot   format --print                       stdout
 *   pass        x.ir        --from LEVEL --run PASS --to LEVEL   stdout
 *   command     x.args      the words of the file, one a line    status and both
 *
 * The status must be 0; of diag, json and sarif it must be 1 exactly if errors are reported. LEVEL
 * is that of the line "ir LEVEL". Words VARIABLE=VALUE at the beginning of a command are its
 * environment.
 *
 * Comment lines of the input control a test; each kind may occur several times:
 *   // options: --double     more options, after those of the kind
 *   // run: dce              (pass) the passes, in this order
 *   // count: voxels 1       the op occurs so often in the result
 *   // lines: 900            the result has no more lines
 *   // equal: other.ir       (pass) the result is equal to other.ir, read and printed
 *
 * With one of the last three, INPUT.out may be missing. An .ir file without passes to run is not a
 * test, but the model of another one.
 * Read next: tests/run/process.h.
 */
#include <limits.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/run/case_line.h"

typedef struct Golden {
  const char *compiler, *path;
  bool is_blessing;
  int n_failed;
} Golden;

/* Counts a failure; the text, if any, explains it. */
static void fail(Golden *test, const char *what, const char *text) {
  test->n_failed++;
  fprintf(stderr, "%s: %s%s%s\n", test->path, what, text ? "\n" : "", text ? text : "");
}

/* ---- text ------------------------------------------------------------------------------------ */

/* The contents of a file; NULL: it does not exist. */
static char *read_text(const char *path) {
  char *text = NULL;
  size_t room = 0;
  FILE *in = fopen(path, "rb");
  if (!in) return NULL;
  const ssize_t n = getdelim(&text, &room, '\0', in);
  fclose(in);
  if (n >= 0) return text;
  free(text);
  return calloc(1, 1);
}

static char *joined(const char *first, const char *second) {
  const size_t size = strlen(first) + strlen(second) + 1;
  char *text = malloc(size);
  if (!text) abort();
  snprintf(text, size, "%s%s", first, second);
  return text;
}

static regex_t compiled(const char *pattern) {
  regex_t regex;
  if (regcomp(&regex, pattern, REG_EXTENDED)) abort();
  return regex;
}

/* The line end after one match may be the beginning of the next. */
static int count_matches(const char *text, const char *pattern) {
  regex_t regex = compiled(pattern);
  regmatch_t match;
  int n = 0;
  for (; regexec(&regex, text, 1, &match, n > 0 ? REG_NOTBOL : 0) == 0; n++) {
    text += match.rm_eo;
    if (match.rm_eo - match.rm_so > 1 && text[-1] == '\n') text--;
  }
  regfree(&regex);
  return n;
}

/* The text in which each match is replaced by its first group, if any, and `with`. */
static char *replace_all(const char *text, const char *pattern, const char *with) {
  regex_t regex = compiled(pattern);
  regmatch_t match[2];
  char *result = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&result, &size);
  if (!out) abort();
  for (; regexec(&regex, text, 2, match, 0) == 0; text += match[0].rm_eo) {
    fwrite(text, 1, (size_t)match[0].rm_so, out);
    if (match[1].rm_so >= 0)
      fwrite(text + match[1].rm_so, 1, (size_t)(match[1].rm_eo - match[1].rm_so), out);
    fputs(with, out);
  }
  fputs(text, out);
  fclose(out);
  regfree(&regex);
  return result;
}

/* Leaves out the rules, which are all messages of diag.def, and the version. */
static char *without_rules(const char *text) {
  static const char *const edits[][2] = {
      {"(\"diderotc\",[ \n]+\"version\": )\"[^\"]*\"", "V"},
      {"\n            [{]\"id\": [^\n]*", ""},
      {"(\"ruleIndex\": )[0-9]+", "N"},
  };
  char *result = strdup(text);
  for (size_t k = 0; k < sizeof edits / sizeof *edits; k++) {
    char *edited = replace_all(result, edits[k][0], edits[k][1]);
    free(result);
    result = edited;
  }
  return result;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

typedef enum Key { KEY_OPTIONS, KEY_RUN, KEY_COUNT, KEY_LINES, KEY_EQUAL, N_KEYS } Key;

static const struct {
  const char *begin;
  int n_words; /* on each line; 0: any number but none */
} keys[N_KEYS] = {[KEY_OPTIONS] = {"// options: ", 0},
                  [KEY_RUN] = {"// run: ", 0},
                  [KEY_COUNT] = {"// count: ", 2},
                  [KEY_LINES] = {"// lines: ", 1},
                  [KEY_EQUAL] = {"// equal: ", 1}};

typedef struct Input {
  const char *file;    /* its name */
  const char *level;   /* of IR text; NULL elsewhere */
  Words words[N_KEYS]; /* of all lines with the key */
  char *text;          /* the contents, into which the others point */
} Input;

static void read_line(Input *input, char *line) {
  if (!input->level && strncmp(line, "ir ", 3) == 0) input->level = line + 3;
  for (int key = 0; key < N_KEYS; key++) {
    Words *all = &input->words[key], more;
    const size_t len = strlen(keys[key].begin);
    if (strncmp(line, keys[key].begin, len) != 0) continue;
    const bool has_words = words_split(line + len, &more) && more.n > 0 &&
                           (keys[key].n_words == 0 || more.n == keys[key].n_words);
    if (!has_words || all->n + more.n > MAX_WORDS) {
      fprintf(stderr, "%s: a line %swith another number of words\n", input->file, keys[key].begin);
      exit(2);
    }
    for (int k = 0; k < more.n; k++) all->word[all->n++] = more.word[k];
  }
}

/* Reads an input in the working directory. Ends the program if there is no such file. The caller
 * frees its text. */
static Input read_input(const char *file) {
  Input input = {.file = file, .text = read_text(file)};
  char *rest = NULL;
  if (!input.text) {
    perror(file);
    exit(2);
  }
  for (char *line = strtok_r(input.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    read_line(&input, line);
  return input;
}

/* ---- what the compiler says ------------------------------------------------------------------ */

typedef struct Command {
  const char *word[MAX_WORDS + 1];
  int n;
} Command;

static void add(Command *command, const char *word) {
  if (command->n == MAX_WORDS) abort();
  command->word[command->n++] = word;
}

static void add_words(Command *command, const Words *words) {
  for (int k = 0; k < words->n; k++) add(command, words->word[k]);
}

static Outcome run(const Command *command) {
  Outcome outcome;
  if (!process_run(command->word, &outcome)) exit(2);
  return outcome;
}

/* The compiler's standard output; NULL: it failed. */
static char *output_of(Golden *test, const Command *command) {
  Outcome outcome = run(command);
  if (outcome.status == 0) {
    free(outcome.err);
    return outcome.out;
  }
  fail(test, "the compiler fails", outcome.err);
  outcome_free(&outcome);
  return NULL;
}

static char *run_passes(Golden *test, const Input *input) {
  Command command = {.word = {test->compiler}, .n = 1};
  if (!input->level) {
    fail(test, "there is no line \"ir LEVEL\" in", input->file);
    return NULL;
  }
  add(&command, "--from");
  add(&command, input->level);
  for (int k = 0; k < input->words[KEY_RUN].n; k++) {
    add(&command, "--run");
    add(&command, input->words[KEY_RUN].word[k]);
  }
  add(&command, "--to");
  add(&command, input->level);
  add_words(&command, &input->words[KEY_OPTIONS]);
  add(&command, input->file);
  return output_of(test, &command);
}

/* A file of words, some of which are variables of the environment. */
static char *run_command(const Golden *test, const Input *input) {
  Command command = {.word = {"env"}, .n = 1};
  char *text = read_text(input->file), *rest = NULL, *result = NULL;
  bool has_compiler = false;
  size_t size = 0;
  for (char *word = strtok_r(text, "\n", &rest); word; word = strtok_r(NULL, "\n", &rest)) {
    const size_t n_name = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    if (!has_compiler && (n_name == 0 || word[n_name] != '=')) {
      add(&command, test->compiler);
      has_compiler = true;
    }
    add(&command, word);
  }
  if (!has_compiler) add(&command, test->compiler);
  Outcome outcome = run(&command);
  char *out = without_rules(outcome.out);
  FILE *to = open_memstream(&result, &size);
  if (!to) abort();
  fprintf(to, "status %d\n%s%s", outcome.status, out, outcome.err);
  fclose(to);
  free(out);
  free(text);
  outcome_free(&outcome);
  return result;
}

typedef struct Kind {
  const char *name, *options[3];
  const char
      *error; /* occurs in the output exactly if the status is 1; NULL: the status must be 0 */
} Kind;

static const Kind kinds[] = {
    {"diag", {"--diagnostics=plain", "--check"}, "(^|\n)(\\[[^\n]*\\] )?Error: "},
    {"json", {"--diagnostics=json", "--check"}, "\"severity\": \"error\""},
    {"sarif", {"--diagnostics=sarif", "--check"}, "N, \"level\": \"error\""},
    {"ast", {"--dump=ast"}, NULL},
    {"tast", {"--dump=tast"}, NULL},
    {"emit-c", {"--emit-c"}, NULL},
    {"memory", {"--dump=memory"}, NULL},
    {"memory-cuda", {"--target=cuda", "--exec", "--dump=memory"}, NULL},
    {"emit-cuda", {"--target=cuda", "--exec", "--dump=device"}, NULL},
    {"library", {"--namespace=lib"}, NULL},
    {"format", {"format", "--print"}, NULL},
};

static char *say_mistakes(Golden *test, const Kind *kind, const Command *command) {
  Outcome outcome = run(command);
  char *out = without_rules(outcome.out), *text = joined(out, outcome.err);
  const int want_status = count_matches(text, kind->error) > 0;
  const bool is_good = outcome.status == want_status;
  if (!is_good) fail(test, want_status ? "the status is not 1" : "the status is not 0", text);
  free(out);
  outcome_free(&outcome);
  if (is_good) return text;
  free(text);
  return NULL;
}

/* The text that the expectation must have; NULL: a failure was reported. */
static char *observe(Golden *test, const char *kind_name, const Input *input) {
  Command command = {.word = {test->compiler}, .n = 1};
  const Kind *kind = kinds, *end = kinds + sizeof kinds / sizeof *kinds;
  if (strcmp(kind_name, "pass") == 0) return run_passes(test, input);
  if (strcmp(kind_name, "command") == 0) return run_command(test, input);
  while (kind < end && strcmp(kind->name, kind_name) != 0) kind++;
  if (kind == end) {
    fail(test, "there is no such kind of test", kind_name);
    return NULL;
  }
  for (int k = 0; k < 3 && kind->options[k]; k++) add(&command, kind->options[k]);
  add_words(&command, &input->words[KEY_OPTIONS]);
  add(&command, input->file);
  return kind->error ? say_mistakes(test, kind, &command) : output_of(test, &command);
}

/* ---- conditions ------------------------------------------------------------------------------ */

/* Ends the program if the word is not a number. */
static int number_of(const Golden *test, const char *word) {
  char *end;
  const long number = strtol(word, &end, 10);
  if (end > word && *end == '\0' && number >= 0 && number < INT_MAX) return (int)number;
  fprintf(stderr, "%s: no number: %s\n", test->path, word);
  exit(2);
}

static void check_counts(Golden *test, const Words *words, const char *text) {
  for (int k = 0; k + 1 < words->n; k += 2) {
    char *begin = joined("(^|[\n=,]) *", words->word[k]), *pattern = joined(begin, "[ <(\n]");
    const int n = count_matches(text, pattern), want = number_of(test, words->word[k + 1]);
    if (n != want) {
      fail(test, "another count of an op in", text);
      fprintf(stderr, "%s: %d, not %d\n", words->word[k], n, want);
    }
    free(begin);
    free(pattern);
  }
}

static void check_lines(Golden *test, const Words *words, const char *text) {
  for (int k = 0; k < words->n; k++) {
    const int n = count_matches(text, "\n"), most = number_of(test, words->word[k]);
    if (n > most) fail(test, "too many lines", text);
  }
}

static void check_equal(Golden *test, const Words *words, const char *text) {
  for (int k = 0; k < words->n; k++) {
    Input model = read_input(words->word[k]);
    char *other = run_passes(test, &model);
    if (other && strcmp(text, other) != 0) {
      fail(test, "the result", text);
      fail(test, "differs from the model", other);
    }
    free(other);
    free(model.text);
  }
}

/* ---- expectations ---------------------------------------------------------------------------- */

static void write_text(const char *path, const char *text) {
  FILE *out = fopen(path, "wb");
  if (out && fputs(text, out) >= 0 && fclose(out) == 0) return;
  perror(path);
  exit(2);
}

/* Writes the text to a new file, whose name replaces the template. */
static void write_scratch(char *template, const char *text) {
  const int file = mkstemp(template);
  if (file < 0 || close(file) != 0) abort();
  write_text(template, text);
}

/* Prints the difference of the texts; the old one may be NULL. */
static void show_change(const char *old, const char *text) {
  char expected[] = "/tmp/golden-XXXXXX", found[] = "/tmp/golden-XXXXXX";
  write_scratch(expected, old ? old : "");
  write_scratch(found, text);
  const char *const words[] = {"diff",  "-u",     "--label", "expected", "--label",
                               "found", expected, found,     NULL};
  Outcome outcome;
  if (process_run(words, &outcome)) fputs(outcome.out, stderr);
  outcome_free(&outcome);
  unlink(expected);
  unlink(found);
}

/* A result with conditions needs no expectation. A test that fails for another reason is not
 * blessed. */
static void compare(Golden *test, const char *path, const char *text, bool has_conditions) {
  const bool is_blessing = test->is_blessing && test->n_failed == 0;
  char *want = read_text(path);
  const bool is_same = want ? strcmp(want, text) == 0 : has_conditions;
  if (!is_same) {
    if (is_blessing) {
      write_text(path, text);
      fprintf(stderr, "%s\n", path);
    } else if (want) {
      fail(test, "the compiler says something else than expected", NULL);
    } else {
      fail(test, "has no expectation; review what ./dev bless writes", NULL);
    }
    show_change(want, text);
  }
  free(want);
}

/* Runs in the folder of the input, so that messages have the name of the file without a folder. */
static bool run_golden(const char *compiler, const char *path, bool is_blessing) {
  Golden test = {.compiler = compiler, .path = path, .is_blessing = is_blessing};
  const char *file = strrchr(path, '/'), *root = NULL;
  for (const char *at = path; (at = strstr(at, "/golden/")); at++) root = at + strlen("/golden/");
  if (!root) {
    fail(&test, "is not below a folder golden", NULL);
    return false;
  }
  char *folder = strndup(path, (size_t)(file - path)), *kind = strndup(root, strcspn(root, "/"));
  char *expectation = joined(path, ".out");
  if (chdir(folder) != 0) {
    perror(folder);
    exit(2);
  }
  Input input = read_input(file + 1);
  char *text = observe(&test, kind, &input);
  if (text) {
    const Words *words = input.words;
    check_counts(&test, &words[KEY_COUNT], text);
    check_lines(&test, &words[KEY_LINES], text);
    check_equal(&test, &words[KEY_EQUAL], text);
    const int n_conditions = words[KEY_COUNT].n + words[KEY_LINES].n + words[KEY_EQUAL].n;
    compare(&test, expectation, text, n_conditions > 0);
  }
  free(text);
  free(input.text);
  free(expectation);
  free(kind);
  free(folder);
  return test.n_failed == 0;
}

static int bless(const char *compiler, const char *list) {
  char *paths = read_text(list), *rest = NULL;
  int n_failed = 0;
  if (!paths) {
    perror(list);
    return 2;
  }
  for (char *path = strtok_r(paths, "\n", &rest); path; path = strtok_r(NULL, "\n", &rest))
    n_failed += !run_golden(compiler, path, true);
  free(paths);
  return n_failed > 0;
}

int main(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[1], "--bless") == 0) return bless(argv[2], argv[3]);
  return argc == 3 ? !run_golden(argv[1], argv[2], false) : 2;
}
