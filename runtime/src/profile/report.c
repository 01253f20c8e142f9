/* report.c: the report at the end of a run: where its time went.
 *
 * Read next: page.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "local.h"
#include "runtime/src/files/output_file.h"
#include "runtime/src/world/text.h"

const char *const ddr_profile_phase_names[PHASE_COUNT] = {"load", "start", "steps", "output"};

static struct {
  ddr_profile_sums sums;
  ddr_profile_phase phase;
  double since; /* processor time when the phase began */
} state;

static bool is_open(void) { return state.sums.program != NULL; }

static double processor_time(void) {
  struct timespec now = {0};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void ddr_profile_open(const ddr_program *program) {
  if (!program->profile) return;
  if (!ddr_profile_start(program->profile))
    fprintf(stderr, "%s: no time is measured: %s\n", program->name, strerror(errno));
  state.sums.program = program;
}

void ddr_profile_enter(ddr_profile_phase phase) {
  if (!is_open()) return;
  const double now = processor_time();
  state.sums.seconds[state.phase] += now - state.since;
  state.since = now;
  state.phase = phase;
}

/* --- numbers ---------------------------------------------------------------------------------- */

double ddr_profile_time(const ddr_profile_sums *sums, uint32_t line) {
  if (sums->n_samples == 0) return -1;
  return (double)sums->lines[line].n_samples / (double)sums->n_samples;
}

double ddr_profile_lanes(const ddr_profile_sums *sums, uint32_t line) {
  const ddr_profile_line *of = &sums->lines[line];
  const uint32_t n_lanes = sums->program->profile->n_lanes;
  if (of->n_runs == 0 || n_lanes == 1) return -1;
  return (double)of->n_strands / ((double)of->n_runs * n_lanes);
}

double ddr_profile_outside(const ddr_profile_sums *sums, uint32_t line) {
  const ddr_profile_line *of = &sums->lines[line];
  return of->n_probes == 0 ? -1 : 1 - (double)of->n_inside / (double)of->n_probes;
}

/* --- the table -------------------------------------------------------------------------------- */

static void put_share(double share) {
  if (share < 0) fputs("        ", stderr);
  else fprintf(stderr, " %6.1f%%", 100 * share);
}

static void put_count(uint64_t n, bool is_there) {
  if (is_there) fprintf(stderr, " %12llu", (unsigned long long)n);
  else fprintf(stderr, " %12s", "");
}

static void put_line(const ddr_profile_sums *sums, uint32_t line) {
  const ddr_profile_line *of = &sums->lines[line];
  const char *text = line == 0 ? "(runtime, files)" : sums->program->profile->text[line - 1];
  if (of->n_runs == 0 && of->n_samples == 0 && of->n_probes == 0) return;
  if (line == 0) fprintf(stderr, "%5s", "");
  else fprintf(stderr, "%5u", (unsigned)line);
  put_share(ddr_profile_time(sums, line));
  put_count(of->n_strands, line > 0);
  put_share(ddr_profile_lanes(sums, line));
  put_count(of->n_probes, of->n_probes > 0);
  put_share(ddr_profile_outside(sums, line));
  fprintf(stderr, "  %.60s\n", text + strspn(text, " \t"));
}

static void put_table(const ddr_profile_sums *sums) {
  double seconds = 0;
  for (int k = 0; k < PHASE_COUNT; k++) seconds += sums->seconds[k];
  fprintf(stderr, "%s: %.3f s of processor time, %llu samples;", sums->program->name, seconds,
          (unsigned long long)sums->n_samples);
  for (int k = 0; k < PHASE_COUNT; k++)
    fprintf(stderr, " %s %.3f s%s", ddr_profile_phase_names[k], sums->seconds[k],
            k + 1 < PHASE_COUNT ? "," : "\n");
  fprintf(stderr, "%5s %7s %12s %7s %12s %7s\n", "line", "time", "runs", "lanes", "probes",
          "outside");
  for (uint32_t line = 1; line <= sums->program->profile->n_lines; line++) put_line(sums, line);
  put_line(sums, 0);
}

/* --- both ------------------------------------------------------------------------------------- */

static char *name_of_page(const ddr_program *program) {
  return ddr_format("%s.profile.html", program->name);
}

static ddr_status write_page(const ddr_profile_sums *sums, ddr_reason *reason) {
  ddr_output_file output = {0};
  char *name = name_of_page(sums->program);
  ddr_status status =
      name ? ddr_output_file_open(&output, name, reason) : ddr_refuse(reason, "out of memory");
  free(name);
  if (status != DDR_OK) return status;
  ddr_profile_write_page(output.file, sums);
  status = ddr_output_file_finish(&output, reason);
  return ddr_output_file_close(&output, status, reason);
}

ddr_status ddr_profile_try_page(ddr_reason *reason) {
  if (!is_open()) return DDR_OK;
  char *name = name_of_page(state.sums.program);
  const ddr_status status =
      name ? ddr_output_file_probe(name, reason) : ddr_refuse(reason, "out of memory");
  free(name);
  return status;
}

ddr_status ddr_profile_report(ddr_reason *reason) {
  if (!is_open()) return DDR_OK;
  ddr_profile_enter(PHASE_OUTPUT); /* ends the last phase */
  ddr_profile_stop();
  if (!ddr_profile_collect(state.sums.program->profile, &state.sums))
    return ddr_refuse(reason, "out of memory");
  put_table(&state.sums);
  const ddr_status status = write_page(&state.sums, reason);
  free(state.sums.lines);
  state.sums.lines = NULL;
  return status;
}
