/* The checker against the conformance suite, if it is beside the repository: every program of its
 * cases, of its bench folder and of its manual passes without error, and every case of kind reject
 * gives exactly the errors it lists, at their positions and with their words. Skipped (77) without
 * the suite. Images are only known as far as the case's make lines describe them.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <regex.h>
#include <stdlib.h>

#include "frontend/base/diag.h"
#include "frontend/base/text.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parse.h"
#include "tests/unit/test.h"

#define SKIPPED 77
#define MAX_LINES 64

/* ---- cases ---------------------------------------------------------------------------------- */

typedef struct Line {
  const char *key, *value;
} Line;

typedef struct Case {
  Arena *arena;
  const char *name, *folder, *program;
  Line lines[MAX_LINES];
  uint32_t n_lines;
} Case;

static const char *read_text(Arena *arena, const char *path) {
  const char *error;
  const Source *file = source_read(arena, path, &error);
  return file ? file->text : NULL;
}

static void add_line(Case *test, char *line) {
  if (*line == '\0' || *line == ' ' || test->n_lines == MAX_LINES) return;
  size_t key_len = strcspn(line, " ");
  char *value = line + key_len + strspn(line + key_len, " ");
  line[key_len] = '\0';
  test->lines[test->n_lines++] = (Line){line, value};
}

static bool read_case(Case *test) {
  const char *text = read_text(test->arena, text_format(test->arena, "%s/case", test->folder));
  if (!text) return false;
  char *copy = arena_strdup(test->arena, text, strlen(text)), *rest = copy;
  for (char *line = copy; rest; line = rest) {
    rest = strchr(line, '\n');
    if (rest) *rest++ = '\0';
    add_line(test, line);
  }
  return true;
}

static const char *value_of(const Case *test, const char *key, const char *otherwise) {
  for (uint32_t i = 0; i < test->n_lines; i++)
    if (strcmp(test->lines[i].key, key) == 0) return test->lines[i].value;
  return otherwise;
}

/* The spatial axes in "vol.nrrd sizes=4,4,4 value=..."; semicolons separate components. */
static bool probe_made(const char *made, const char *file, ImageProbe *probe) {
  const char *sizes = strstr(made, "sizes="), *value = strstr(made, "value=\"");
  size_t len = strlen(file);
  if (strncmp(made, file, len) != 0 || made[len] != ' ' || !sizes || !value) return false;
  *probe = (ImageProbe){.exists = true, .dim = 1, .n_values = 1};
  for (const char *at = sizes; *at && *at != ' '; at++) probe->dim += *at == ',';
  for (const char *at = value + 7; *at && *at != '"'; at++) probe->n_values += *at == ';';
  return true;
}

static ImageProbe probe_image(void *state, Arena *arena, const char *file) {
  const Case *test = state;
  ImageProbe probe = {0};
  (void)arena;
  for (uint32_t i = 0; i < test->n_lines; i++)
    if (strcmp(test->lines[i].key, "make") == 0 && probe_made(test->lines[i].value, file, &probe))
      return probe;
  return probe;
}

/* Finds --CNAME=VALUE among the flags, possibly in quotes with escaped quotes inside. */
static uint32_t find_overrides(const Case *test, ConstOverride *overrides, uint32_t max) {
  uint32_t n = 0;
  const char *at = value_of(test, "flags", "");
  while ((at = strstr(at, "--C")) && n < max) {
    char end = at > value_of(test, "flags", "") && at[-1] == '"' ? '"' : ' ';
    Text word = text_new(test->arena);
    for (at += 3; *at && *at != end; at++) {
      if (*at == '\\') at++;
      text_add_n(&word, at, 1);
    }
    char *name = arena_strdup(test->arena, text_str(&word), word.len);
    char *equals = strchr(name, '=');
    if (!equals) continue;
    *equals = '\0';
    overrides[n++] = (ConstOverride){name, equals + 1};
  }
  return n;
}

/* ---- checking ------------------------------------------------------------------------------- */

/* The messages of a program as plain text, one per line. */
static char *messages_of(Case *test, const Source *source, bool with_images) {
  ConstOverride overrides[16];
  CheckOptions options = {.overrides = overrides, .host.state = test};
  if (with_images) options.host.probe_image = probe_image;
  options.n_overrides = find_overrides(test, overrides, 16);
  Cx *cx = cx_new();
  types_init(cx);
  cx->source = source;
  const Ast *ast = parse(cx);
  TProgram *program = ast ? check(cx, ast, &options) : NULL;
  CHECK((program != NULL) == (diag_error_count(cx) == 0));
  char *text = NULL;
  size_t len;
  FILE *out = open_memstream(&text, &len);
  diag_print_all(cx, out, DIAG_PLAIN);
  fclose(out);
  cx_free(cx);
  return text;
}

static uint32_t count_errors(const char *messages) {
  uint32_t n = 0;
  for (const char *at = messages; (at = strstr(at, "Error: ")); at++) n++;
  return n;
}

static bool in_range(const char *range, unsigned value) {
  unsigned low, high;
  if (strcmp(range, "-") == 0) return true;
  int n = sscanf(range, "%u-%u", &low, &high);
  return n == 2 ? low <= value && value <= high : n == 1 && low == value;
}

static bool has_word(const char *pattern, const char *text) {
  regex_t regex;
  if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0) return false;
  bool found = regexec(&regex, text, 0, NULL, 0) == 0;
  regfree(&regex);
  return found;
}

/* Compares "[FILE:LINE.COLUMN-...] Error: text" with "LINE COLUMN WORD"; "[FILE] Error: ..." has no
 * position. */
static bool message_fits(const char *message, const char *wanted, const char *severity) {
  char line_range[32], column_range[32], word[128];
  unsigned line = 0, column = 0;
  if (sscanf(wanted, "%31s %31s %127[^\n]", line_range, column_range, word) != 3) return false;
  const char *text = strstr(message, severity), *bracket = strstr(message, "] ");
  if (!text || !bracket) return false;
  const char *colon = bracket;
  while (colon > message && *colon != ':') colon--;
  if (colon > message && sscanf(colon, ":%u.%u", &line, &column) != 2) return false;
  return in_range(line_range, line) && in_range(column_range, column) && has_word(word, text);
}

static bool any_message_fits(Arena *arena, const char *messages, const char *wanted,
                             const char *severity) {
  for (const char *at = messages; *at; at += strcspn(at, "\n"), at += *at == '\n')
    if (message_fits(arena_strdup(arena, at, strcspn(at, "\n")), wanted, severity)) return true;
  return false;
}

static void expect_lines(const Case *test, const char *messages, const char *key,
                         const char *severity) {
  for (uint32_t i = 0; i < test->n_lines; i++) {
    const Line *line = &test->lines[i];
    if (strcmp(line->key, key) != 0) continue;
    if (!CHECK(any_message_fits(test->arena, messages, line->value, severity)))
      fprintf(stderr, "%s: no %s %s in\n%s", test->name, key, line->value, messages);
  }
}

static void run_case(Case *test) {
  uint32_t n_wanted = 0;
  const char *error;
  for (uint32_t i = 0; i < test->n_lines; i++) n_wanted += strcmp(test->lines[i].key, "error") == 0;
  bool is_reject = strcmp(value_of(test, "kind", "run"), "reject") == 0;
  const Source *source = source_read(test->arena, test->program, &error);
  if (!CHECK(source != NULL)) return;
  char *messages = messages_of(test, source, is_reject);
  if (!CHECK_EQ(count_errors(messages), is_reject ? n_wanted : 0))
    fprintf(stderr, "%s:\n%s", test->name, messages);
  expect_lines(test, messages, "error", "Error: ");
  expect_lines(test, messages, "warning", "Warning: ");
  free(messages);
}

/* ---- where programs are --------------------------------------------------------------------- */

static bool is_program(const char *file) {
  const char *suffix = strrchr(file, '.');
  return suffix && (strcmp(suffix, ".diderot") == 0 || strcmp(suffix, ".ddro") == 0);
}

typedef void Visit(Arena *arena, const char *folder, const char *name);

static uint32_t each_entry(const char *folder, Visit *visit) {
  DIR *dir = opendir(folder);
  uint32_t n = 0;
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    if (entry->d_name[0] == '.') continue;
    Arena *arena = arena_new();
    visit(arena, folder, entry->d_name);
    arena_free(arena);
    n++;
  }
  if (dir) closedir(dir);
  return n;
}

static void visit_case(Arena *arena, const char *cases, const char *name) {
  Case *test = NEW(arena, Case);
  test->arena = arena;
  test->name = name;
  test->folder = text_format(arena, "%s/%s", cases, name);
  DIR *dir = opendir(test->folder);
  for (struct dirent *entry; dir && (entry = readdir(dir));)
    if (is_program(entry->d_name))
      test->program = text_format(arena, "%s/%s", test->folder, entry->d_name);
  if (dir) closedir(dir);
  if (test->program && CHECK(read_case(test))) run_case(test);
}

static void visit_program(Arena *arena, const char *folder, const char *name) {
  if (!is_program(name)) return;
  Case *test = NEW(arena, Case);
  test->arena = arena;
  test->name = name;
  test->program = text_format(arena, "%s/%s", folder, name);
  run_case(test);
}

/* The programs between ```diderot and ``` of a document. */
static void check_document(const char *path) {
  Arena *arena = arena_new();
  static const char begin[] = "```diderot\n";
  const char *at = read_text(arena, path);
  if (at) at = strstr(at, begin);
  for (; at; at = strstr(at, begin)) {
    at += strlen(begin);
    const char *end = strstr(at, "\n```");
    if (!CHECK(end != NULL)) break;
    Case *test = NEW(arena, Case);
    test->arena = arena;
    test->name = path;
    const Source *program = source_from_text(arena, "document.diderot", at, (size_t)(end - at) + 1);
    char *messages = messages_of(test, program, false);
    if (!CHECK_EQ(count_errors(messages), 0)) fprintf(stderr, "%s", messages);
    free(messages);
  }
  arena_free(arena);
}

int main(void) {
  if (each_entry("../shared/conformance/cases", visit_case) == 0) {
    printf("skipped: there is no ../shared/conformance\n");
    return SKIPPED;
  }
  each_entry("../shared/bench-limit", visit_program);
  check_document("../shared/spec/language.md");
  return test_result();
}
