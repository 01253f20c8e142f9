/* Fuzz target: any words as the command line of an executable, up to the files that it names.
 *
 * The first byte chooses the program, each line behind the first is a word. Finds, besides crashes
 * and leaks: an error that is not exactly one line, output without an error.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/src/executable/options.h"
#include "runtime/src/images/images.h"
#include "tests/fuzz/lines.h"
#include "tests/unit/runtime/grid_program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Teem leaks some of its memory when a file is damaged. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:nrrdRead\nleak:libteem"; }

extern const ddr_program field_program, swarm_program, frames_program;
static const ddr_program *const programs[] = {&grid_program, &field_program, &swarm_program,
                                              &frames_program};

/* --- what must hold --------------------------------------------------------------------------- */

static void check_line(const char *text, size_t n) {
  for (size_t k = 0; k < n; k++) {
    if ((unsigned char)text[k] < ' ' || text[k] == 127) abort();
  }
}

/* One line, then nothing or the usage. */
static void check_refusal(const char *text) {
  const size_t n = strcspn(text, "\n");
  if (strncmp(text, "ERROR: ", 7) != 0 || n <= 7 || text[n] != '\n') abort();
  check_line(text, n);
  if (text[n + 1] && strncmp(text + n + 1, "\nUsage: ", 8) != 0) abort();
}

/* Warnings of words that were read in part, one line each. */
static void check_warnings(const char *text) {
  static const char begin[] = "WARNING: only \"";
  while (*text) {
    const size_t n = strcspn(text, "\n");
    if (strncmp(text, begin, strlen(begin)) != 0 || text[n] != '\n') abort();
    check_line(text, n);
    text += n + 1;
  }
}

static void check_output(ddr_option_result result, const char *text) {
  switch (result) {
  case OPTIONS_RUN: check_warnings(text); return;
  case OPTIONS_HELP:
    if (strncmp(text, "\nUsage: ", 8) != 0) abort();
    return;
  case OPTIONS_BAD: check_refusal(text); return;
  }
}

/* Nothing, or lines that begin as promised. */
static void check_errors(ddr_world *world, bool has_failed) {
  static const char mark[] = "[DIDEROT] ";
  char *errors = ddr_take_errors(world);
  if (!errors || (*errors != '\0') != has_failed) abort();
  for (const char *line = errors; *line;) {
    const size_t n = strcspn(line, "\n");
    if (line[n] != '\n' || strncmp(line, mark, strlen(mark)) != 0) abort();
    check_line(line, n);
    line += n + 1;
  }
  free(errors);
}

/* --- one line --------------------------------------------------------------------------------- */

static void read_words(const ddr_program *program, int argc, char **argv) {
  ddr_settings settings;
  char *text = NULL;
  size_t n;
  ddr_world *world = ddr_world_new(program);
  FILE *out = open_memstream(&text, &n);
  if (!world || !out) abort();
  world->images->is_stdin_taken = true;
  const ddr_option_result result = ddr_options_read(world, argc, argv, &settings, out);
  if (fclose(out) == EOF) abort();
  check_output(result, text);
  check_errors(world, false);
  if (result == OPTIONS_RUN) check_errors(world, ddr_world_load_inputs(world) != DDR_OK);
  ddr_settings_clear(&settings);
  ddr_world_free(world);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char name[] = "./program";
  if (size == 0 || size > 1 << 16) return 0;
  Lines lines = lines_split(data, size);
  lines.argv[0] = name;
  read_words(programs[data[0] % 4], lines.argc, lines.argv);
  free(lines.text);
  return 0;
}
