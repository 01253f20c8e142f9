/* lint.provoked: every row of diag.def appears in an expectation of tests/golden/{diag,command} or
 * of tests/diagnostics.
 *
 *   provoked FILE.out ...
 *
 * A line belongs to the row whose literal parts it contains in order; where several fit, to the one
 * with most literal text.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/base/diag.h"

static const struct {
  const char *title;
  Severity severity;
} titles[] = {{"Error: ", SEV_ERROR}, {"Warning: ", SEV_WARNING}, {"Remark: ", SEV_REMARK},
              {"Note: ", SEV_NOTE},   {"Help: ", SEV_HELP},       {"help: ", SEV_HELP}};

static bool is_hole(const char *p) {
  return !strncmp(p, "{text}", 6) || !strncmp(p, "{name}", 6) || !strncmp(p, "{type}", 6) ||
         !strncmp(p, "{int}", 5);
}

/* True when line is the template with anything in its holes. */
static bool fits(const char *template, const char *line) {
  if (*template == '\0') return *line == '\0';
  if (is_hole(template)) {
    const char *rest = strchr(template, '}') + 1;
    for (;; line++) {
      if (fits(rest, line)) return true;
      if (*line == '\0') return false;
    }
  }
  bool is_brace = (*template == '{' || *template == '}') && template[1] == *template;
  return *template == *line && fits(template + (is_brace ? 2 : 1), line + 1);
}

static size_t literal_length(const char *template) {
  size_t len = 0;
  for (const char *p = template; *p; p++) {
    if (is_hole(p)) p = strchr(p, '}');
    else len++;
  }
  return len;
}

/* Cuts " [no-proxy]" off, the name that warnings end in. */
static void cut_warning_name(char *line) {
  char *name = strrchr(line, '[');
  size_t len = strlen(line);
  if (!name || name == line || name[-1] != ' ' || line[len - 1] != ']') return;
  line[len - 1] = '\0';
  if (diag_find_warning(name + 1) == DIAG_COUNT) line[len - 1] = ']';
  else name[-1] = '\0';
}

/* The row that says the line, DIAG_COUNT when none does. */
static int row_of_line(const char *line) {
  int best = DIAG_COUNT;
  for (size_t t = 0; t < sizeof titles / sizeof *titles; t++) {
    const char *at = strstr(line, titles[t].title);
    if (!at) continue;
    for (int id = 0; id < DIAG_COUNT; id++) {
      const char *text = diag_template((DiagId)id);
      if (diag_severity((DiagId)id) != titles[t].severity) continue;
      if (!fits(text, at + strlen(titles[t].title))) continue;
      bool is_better =
          best == DIAG_COUNT || literal_length(text) > literal_length(diag_template((DiagId)best));
      if (is_better) best = id;
    }
  }
  return best;
}

static bool read_expectation(const char *path, bool *is_provoked) {
  FILE *file = fopen(path, "r");
  if (!file) {
    fprintf(stderr, "cannot open %s\n", path);
    return false;
  }
  char line[4096];
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    cut_warning_name(line);
    is_provoked[row_of_line(line)] = true;
  }
  fclose(file);
  return true;
}

int main(int argc, char **argv) {
  static bool is_provoked[DIAG_COUNT + 1];
  for (int i = 1; i < argc; i++)
    if (!read_expectation(argv[i], is_provoked)) return EXIT_FAILURE;
  int n_missing = 0;
  for (int id = 0; id < DIAG_COUNT; id++) {
    if (is_provoked[id]) continue;
    printf("not provoked: %s\n", diag_code((DiagId)id));
    n_missing++;
  }
  printf("%d of %d messages are provoked\n", DIAG_COUNT - n_missing, DIAG_COUNT);
  return n_missing == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
