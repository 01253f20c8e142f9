/* Fuzz target: any words as the command line of ddr-array, on a few small arrays.
 *
 * The first line names the file for standard input, each line behind it is a word. Finds, besides
 * crashes and leaks: an exit status other than 0 and 1, an error that is not exactly one line,
 * output together with an error, a file that a failed command has left or changed, and a result
 * that cannot be read. Arrays of more than a few thousand elements are refused, as if there was no
 * memory for them.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/layout/ndview.h"
#include "tests/fuzz/command.h"
#include "tests/fuzz/lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

CommandMain array_main; /* tools/ddr-array/main.c */

/* Teem leaks some of its memory when a file is damaged. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
  return "leak:nrrdRead\nleak:libteem\nleak:libbz2\nleak:libz.so\nleak:libfftw";
}

/* Requests for more memory than there is must return NULL. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }

/* --- as if the machine was small -------------------------------------------------------------- */

enum { MOST_ELEMENTS = 2048 };
#define MOST_THAT_MAY_FIT ((int64_t)1 << 40)

ddr_array_status __wrap_ddr_ndview_new(ddr_element type, int rank, const int64_t *len,
                                       ddr_residency residency, ddr_ndview *view);
ddr_array_status __real_ddr_ndview_new(ddr_element type, int rank, const int64_t *len,
                                       ddr_residency residency, ddr_ndview *view);
ddr_array_status __wrap_ddr_ndview_repeat(const ddr_ndview *view, int axis, int64_t n,
                                          ddr_ndview *part);
ddr_array_status __real_ddr_ndview_repeat(const ddr_ndview *view, int axis, int64_t n,
                                          ddr_ndview *part);

/* More than is wanted here, and not so much that it is refused anyway. */
static bool is_too_large(const ddr_layout *layout) {
  int64_t n = 1;
  for (int k = 0; k < layout->rank; k++) {
    if (layout->len[k] < 1 || layout->len[k] > MOST_THAT_MAY_FIT / n) return false;
    n *= layout->len[k];
  }
  return n > MOST_ELEMENTS;
}

ddr_array_status __wrap_ddr_ndview_new(ddr_element type, int rank, const int64_t *len,
                                       ddr_residency residency, ddr_ndview *view) {
  ddr_layout layout = {.rank = rank};
  if (rank > 0) memcpy(layout.len, len, (size_t)rank * sizeof *len);
  return is_too_large(&layout) ? DDR_ARRAY_ENOMEM
                               : __real_ddr_ndview_new(type, rank, len, residency, view);
}

ddr_array_status __wrap_ddr_ndview_repeat(const ddr_ndview *view, int axis, int64_t n,
                                          ddr_ndview *part) {
  const ddr_array_status status = __real_ddr_ndview_repeat(view, axis, n, part);
  if (status != DDR_ARRAY_OK || ddr_ndview_size(part) <= MOST_ELEMENTS) return status;
  ddr_ndview_release(part);
  return DDR_ARRAY_ENOMEM;
}

/* Threads only where --threads asks for them: starting them takes longer than all else. */
uint32_t __wrap_ddr_num_cores(void);
uint32_t __wrap_ddr_num_cores(void) { return 1; }

/* --- what must hold --------------------------------------------------------------------------- */

static char tool[] = "ddr-array", info[] = "info", input[] = "-i";

/* One line, then nothing or the usage. */
static void check_refusal(const Outcome *outcome) {
  const char *names[MOST_NAMES], *usage = outcome->err;
  if (!command_begins(usage, "usage: ")) usage = command_after_line(usage);
  if (!usage) command_fail(outcome, "no line says what is wrong, or it has control characters");
  if (usage > outcome->err && !command_begins(outcome->err, "ddr-array"))
    command_fail(outcome, "the line does not say who has failed");
  if (*usage && !command_begins(usage, "usage: ")) command_fail(outcome, "there is a second line");
  if (*outcome->out) command_fail(outcome, "output of what has failed");
  if (command_made(names) > 0) command_fail(outcome, names[0]);
  if (command_changed()) command_fail(outcome, command_changed());
}

/* All files that were made are arrays. */
static void check_files(const Outcome *outcome) {
  const char *names[MOST_NAMES];
  const int n = command_made(names);
  for (int k = 0; k < n; k++) {
    char name[300];
    if (command_ends(names[k], ".raw")) continue;
    snprintf(name, sizeof name, "%s", names[k]);
    char *argv[] = {tool, info, input, name, NULL};
    Outcome again = command_call(array_main, 4, argv, "");
    if (again.status != 0) {
      fputs(again.err, stderr);
      command_fail(outcome, "the result cannot be read");
    }
    outcome_free(&again);
  }
}

static void check(const Outcome *outcome) {
  if (outcome->has_exited) command_fail(outcome, "the tool calls exit");
  switch (outcome->status) {
  case 0:
    if (*outcome->err) command_fail(outcome, "an error, and status 0");
    check_files(outcome);
    return;
  case 1: check_refusal(outcome); return;
  default: command_fail(outcome, "another status");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static bool is_entered;
  if (!is_entered) command_enter(GIVEN "/array");
  is_entered = true;
  if (size > 1 << 12) return 0;
  Lines lines = lines_split(data, size);
  if (command_is_tame(lines.argc, lines.argv)) {
    const char *given = lines.argv[0];
    lines.argv[0] = tool;
    Outcome outcome = command_call(array_main, lines.argc, lines.argv, given);
    check(&outcome);
    outcome_free(&outcome);
    command_restore();
  }
  free(lines.text);
  return 0;
}
