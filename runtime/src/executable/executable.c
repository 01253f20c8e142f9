/* executable.c: what every executable does.
 *
 * The phases are in an order that users rely on: options are read before any file is touched,
 * outputs are checked to be writable before anything is read, inputs are loaded before globals are
 * initialised, outputs are written last.  Standard output carries only what the program prints and
 * the line of -t; a normal run writes nothing to standard error. Read next: options.c, run/life.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "clashes.h"
#include "consistency.h"
#include "options.h"
#include "print_file.h"
#include "progress.h"
#include "run_and_save.h"
#include "runtime/src/checkpoint/checkpoint.h"
#include "runtime/src/files/mapping.h"
#include "runtime/src/files/output_file.h"
#include "runtime/src/inputs/inputs.h"
#include "runtime/src/outputs/outputs.h"
#include "runtime/src/profile/profile.h"
#include "runtime/src/ranks/ranks.h"
#include "runtime/src/run/run.h"
#include "runtime/src/strands/device.h"
#include "runtime/src/strands/store.h"
#include "runtime/src/trace/trace.h"
#include "runtime/src/world/variant.h"

static void show_notes(ddr_world *world) {
  char *notes = ddr_take_notes(world);
  if (notes) fputs(notes, ddr_messages_of(world));
  free(notes);
}

/* Prints a leading phrase that people and scripts search for, then the messages. */
static int fail(ddr_world *world, const char *phrase) {
  show_notes(world);
  char *errors = ddr_take_errors(world);
  fprintf(ddr_messages_of(world), "%s\n%s", phrase, errors ? errors : "[DIDEROT] out of memory\n");
  free(errors);
  return EXIT_FAILURE;
}

/* Prints the messages without their mark, each behind a prefix. */
static int fail_plainly(ddr_world *world, const char *prefix) {
  static const char mark[] = "[DIDEROT] ";
  show_notes(world);
  char *errors = ddr_take_errors(world);
  for (char *line = errors, *next; line && *line; line = next) {
    next = line + strcspn(line, "\n");
    if (*next) *next++ = '\0';
    if (strncmp(line, mark, strlen(mark)) == 0) line += strlen(mark);
    fprintf(ddr_messages_of(world), "%s%s\n", prefix, line);
  }
  if (!errors) fputs("Error: out of memory\n", ddr_messages_of(world));
  free(errors);
  return EXIT_FAILURE;
}

/* Prints what could not be saved and why, then the phrase. */
static int fail_saving(ddr_world *world) {
  fail_plainly(world, "");
  fputs("Error generating output:\n", ddr_messages_of(world));
  return EXIT_FAILURE;
}

/* --- the run ---------------------------------------------------------------------------------- */

static const char no_output[] = "Error: no stable strands at termination, so no output\n";
static const char during_run[] = "Error during execution:";

static int run_steps(ddr_world *world, const ddr_settings *settings) {
  ddr_progress progress = {0};
  if (settings->wants_progress && ddr_is_first_rank(world))
    ddr_progress_begin(&progress, world, settings->limit);
  const char *failure = ddr_run_and_save(world, settings);
  ddr_progress_end(&progress);
  if (failure) return fail(world, failure);
  show_notes(world);
  return EXIT_SUCCESS;
}

static const double mebibyte = 1024 * 1024;

static int report_run(ddr_world *world, const ddr_settings *settings) {
  if (!ddr_is_first_rank(world)) return EXIT_SUCCESS;
  if (settings->is_verbose) {
    fprintf(stderr, "%s: %u steps in %.6f seconds (cpu=%.6f); %llu strands stable, %llu active\n",
            world->program->name, (unsigned)world->store->n_steps, ddr_run_seconds(world),
            ddr_run_cpu_seconds(world), (unsigned long long)ddr_num_stable(world),
            (unsigned long long)ddr_num_active(world));
  } else if (settings->wants_timing) {
    printf("usr=%.6f\n", ddr_run_seconds(world));
    if (fflush(stdout) == EOF) {
      ddr_error(world, "cannot write the run time: %s", strerror(errno));
      return fail(world, during_run);
    }
  }
  return EXIT_SUCCESS;
}

/* Outputs take memory, too. */
static void report_memory(const ddr_world *world, const ddr_settings *settings) {
  if (!settings->is_verbose || !ddr_is_first_rank(world)) return;
  fprintf(stderr, "%s: at most %.1f MiB of memory, %.1f MiB of strands\n", world->program->name,
          ddr_peak_memory() / mebibyte, (double)world->memory.n_store_bytes / mebibyte);
}

static int end_saving(ddr_world *world) {
  if (ddr_any_errors(world)) return fail_saving(world);
  show_notes(world);
  return EXIT_SUCCESS;
}

/* A stopped collection has no active strands left; a grid is written as it is, unless it was
 * streamed. */
static int save_outputs(ddr_world *world, const ddr_settings *settings, ddr_streamed *streamed) {
  const bool is_collection = world->program->is_collection;
  if ((is_collection ? ddr_num_stable(world) : ddr_num_strands(world)) == 0) {
    fputs(no_output, ddr_messages_of(world));
    return EXIT_FAILURE;
  }
  if (streamed->n_open > 0) {
    ddr_outputs_finish(world, streamed, DDR_OK);
    return end_saving(world);
  }
  for (uint32_t k = 0; k < world->program->n_outputs; k++) {
    if (settings->is_verbose) {
      fprintf(ddr_messages_of(world), "%s: writing \"%s\"\n", world->program->name,
              settings->output_files[k]);
    }
    ddr_output_save(world, k, settings->output_files[k]);
    if (ddr_ranks_agree(world)) return fail_saving(world);
  }
  return end_saving(world);
}

/* A long run should not fail at its end because of a wrong name. The files of a dynamic sequence
 * are all in one folder. */
static ddr_status probe_outputs(ddr_world *world, const ddr_settings *settings) {
  ddr_status status = DDR_OK;
  for (uint32_t k = 0; status == DDR_OK && k < world->program->n_outputs; k++) {
    const bool is_prefix = world->program->outputs[k].kind == DDR_SEQUENCE;
    char *name = ddr_format("%s%s", settings->output_files[k], is_prefix ? "-len.nrrd" : "");
    status = name ? ddr_nrrd_probe(world, name) : ddr_error(world, "out of memory");
    free(name);
  }
  return status;
}

static ddr_status probe_checkpoint(ddr_world *world, const ddr_settings *settings) {
  ddr_reason reason;
  const char *name = settings->checkpoint;
  if (!name || ddr_output_file_probe(name, &reason) == DDR_OK) return DDR_OK;
  return ddr_error(world, "cannot write the checkpoint \"%s\": %s", name, reason.text);
}

static ddr_status probe_profile(ddr_world *world) {
  ddr_reason reason;
  if (ddr_profile_try_page(&reason) == DDR_OK) return DDR_OK;
  return ddr_error(world, "cannot write the profile: %s", reason.text);
}

/* Notes that some ranks have no strands: allowed, but a waste. */
static void report_idle(const ddr_world *world) {
  const long long n_blocks = (long long)world->store->n_blocks, n_ranks = ddr_n_ranks(world);
  if (!ddr_is_shared_out(world) || n_blocks >= n_ranks) return;
  fprintf(stderr, "%s: %lld of %lld ranks have nothing to do: blocks of strands stay whole\n",
          world->program->name, n_ranks - n_blocks, n_ranks);
}

static void report_start(const ddr_world *world, const ddr_settings *settings) {
  if (!settings->is_verbose || !ddr_is_first_rank(world)) return;
  const uint32_t n_workers = ddr_num_workers(world);
  fprintf(stderr, "%s: %llu strands", world->program->name,
          (unsigned long long)ddr_num_strands(world));
  if (ddr_n_ranks(world) > 1) fprintf(stderr, ", %d ranks", ddr_n_ranks(world));
  if (n_workers > 1) fprintf(stderr, ", %u threads", (unsigned)n_workers);
  putc('\n', stderr);
  report_idle(world);
}

static int report_profile(ddr_world *world) {
  ddr_reason reason;
  if (ddr_profile_report(&reason) == DDR_OK) return EXIT_SUCCESS;
  ddr_error(world, "cannot write the profile: %s", reason.text);
  return fail(world, during_run);
}

/* glibc makes the heap of a thread writable page by page, each by a system call during which no
 * other thread gets pages. So heaps begin with more, which takes memory only when it is used. This
 * is a setting of the process, and therefore not for libraries. */
static void widen_heaps(void) {
#if defined(__GLIBC__)
  enum { HEAP_BYTES = 16 << 20 };
  mallopt(M_TOP_PAD, HEAP_BYTES);
#endif
}

static void set_workers(ddr_world *world, uint32_t n_wanted) {
  const uint32_t n_cores = ddr_num_cores();
  if (n_wanted == 0) n_wanted = ddr_ranks_cores(world, n_cores);
  ddr_set_num_workers(world, n_wanted < n_cores ? n_wanted : n_cores);
  if (ddr_num_workers(world) > 1) widen_heaps();
}

/* Up to and including the inputs. */
static int load(ddr_world *world, const ddr_settings *settings) {
  world->memory.most = settings->most_memory;
  set_workers(world, settings->trace ? 1 : settings->n_workers);
  if (ddr_set_gpu(world, settings->gpu, settings->block_size) != DDR_OK)
    return fail(world, "Error choosing a GPU:");
  ddr_world_start_workers(world);
  if (ddr_ranks_agree(world)) return fail(world, "Error creating workers:");
  ddr_world_load_inputs(world);
  if (ddr_ranks_agree(world) || ddr_check_same_inputs(world) != DDR_OK)
    return fail(world, "Error initializing inputs:");
  ddr_inputs_share(world);
  if (ddr_ranks_agree(world)) return fail(world, "Error initializing inputs:");
  show_notes(world);
  return EXIT_SUCCESS;
}

/* Up to and including the creation of strands. */
static int begin(ddr_world *world, const ddr_settings *settings, ddr_streamed *streamed) {
  ddr_profile_open(world->program);
  ddr_ranks_decide(world, settings->period > 0);
  if (ddr_is_first_rank(world)) probe_outputs(world, settings);
  if (ddr_ranks_agree(world)) return fail_saving(world);
  if (ddr_is_first_rank(world)) probe_checkpoint(world, settings);
  if (ddr_ranks_agree(world)) return fail(world, "Error saving checkpoint:");
  if (probe_profile(world) != DDR_OK) return fail(world, "Error saving the profile:");
  const int is_loaded = load(world, settings);
  if (is_loaded != EXIT_SUCCESS) return is_loaded;
  ddr_profile_enter(PHASE_START);
  if (settings->period == 0 && (ddr_n_ranks(world) == 1 || ddr_is_shared_out(world)))
    ddr_outputs_offer(world, settings->output_files, streamed);
  world->checkpoints->from = settings->resume;
  ddr_world_create(world);
  const bool has_failed = ddr_ranks_agree(world);
  if (has_failed && !ddr_ranks_all(world, !world->gpu->is_missing))
    return fail_plainly(world, "Error: ");
  if (has_failed)
    return fail(world, settings->resume ? "Error resuming:" : "Error in global initialization:");
  if (ddr_is_first_rank(world)) ddr_clashes_warn(world, settings);
  show_notes(world);
  return EXIT_SUCCESS;
}

/* Continues after the text that the earlier run printed, from its superstep. */
static int go_on(ddr_world *world, const ddr_settings *settings, FILE *print_file) {
  ddr_print_file_go_on(world, settings, print_file);
  if (ddr_ranks_agree(world)) return fail(world, "Error resuming:");
  if (settings->is_verbose)
    fprintf(ddr_messages_of(world), "%s: going on after %u steps\n", world->program->name,
            (unsigned)world->store->n_steps);
  return EXIT_SUCCESS;
}

static int run_streamed(ddr_world *world, const ddr_settings *settings, FILE *print_file,
                        ddr_streamed *streamed) {
  int has_begun = begin(world, settings, streamed);
  if (has_begun == EXIT_SUCCESS && settings->resume) has_begun = go_on(world, settings, print_file);
  if (has_begun != EXIT_SUCCESS) return has_begun;
  report_start(world, settings);
  ddr_profile_enter(PHASE_STEPS);
  const int status = run_steps(world, settings);
  ddr_profile_enter(PHASE_OUTPUT);
  if (status != EXIT_SUCCESS) return status;
  const int is_reported = report_run(world, settings);
  const int is_saved = save_outputs(world, settings, streamed);
  report_memory(world, settings);
  const int is_profiled = report_profile(world);
  if (is_saved != EXIT_SUCCESS) return is_saved;
  return is_reported == EXIT_SUCCESS ? is_profiled : is_reported;
}

/* --- one strand ------------------------------------------------------------------------------- */

static const char of_trace[] = "Error following a strand:";

static int write_trace(ddr_world *world, const ddr_settings *settings) {
  ddr_text text = {0};
  if (settings->wants_json) ddr_trace_json(world, &text);
  else ddr_trace_list(world, &text);
  if (text.is_short) ddr_error(world, "out of memory");
  else if (fwrite(text.chars, 1, text.len, stdout) < text.len || fflush(stdout) == EOF)
    ddr_error(world, "cannot write the trace: %s", strerror(errno));
  ddr_text_clear(&text);
  return ddr_any_errors(world) ? fail(world, of_trace) : EXIT_SUCCESS;
}

static int run_traced(ddr_world *world, const ddr_settings *settings) {
  const int is_loaded = load(world, settings);
  if (is_loaded != EXIT_SUCCESS) return is_loaded;
  if (ddr_world_trace(world, settings->trace, settings->limit, settings->trace_limit) != DDR_OK)
    return fail(world, of_trace);
  show_notes(world);
  return write_trace(world, settings);
}

/* --- the process ------------------------------------------------------------------------------ */

static int run(ddr_world *world, const ddr_settings *settings, FILE *print_file) {
  ddr_streamed streamed = {0};
  if (settings->trace) return run_traced(world, settings);
  const int status = run_streamed(world, settings, print_file, &streamed);
  ddr_outputs_finish(world, &streamed, DDR_ERROR); /* outputs that are not complete */
  return status;
}

/* Writing to a closed pipe or to a file at its size limit fails with a message, not with a signal.
 * A closed standard stream is replaced by one that fails, so that no result file gets its
 * descriptor. */
static void prepare_process(void) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  ddr_mapping_guard();
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

/* The processor lacks features: not even default values can be shown. */
static int refuse(ddr_world *world) {
  const ddr_cpu cpu = ddr_cpu_here();
  char *why = ddr_variant_refusal(world->program, &cpu, "executable");
  fprintf(stderr, "%s: %s\n", world->program->name, why ? why : "out of memory");
  free(why);
  ddr_world_free(world);
  return EXIT_FAILURE;
}

/* Opening the file of -print empties it, so no other file of the run may be the same. */
static int run_with_files(ddr_world *world, const ddr_settings *settings, FILE **print_file) {
  if (ddr_is_first_rank(world)) ddr_clashes_check(world, settings);
  if (ddr_ranks_agree(world)) return fail(world, "Error in the names of files:");
  ddr_print_file_open(world, settings, print_file);
  if (ddr_ranks_agree(world)) return fail(world, "Error opening print file:");
  return run(world, settings, *print_file);
}

static int run_with_options(ddr_world *world, int argc, char **argv) {
  ddr_settings settings;
  FILE *print_file = NULL;
  int status = EXIT_FAILURE;
  const ddr_option_result result =
      ddr_options_read(world, argc, argv, &settings, ddr_messages_of(world));
  if (result == OPTIONS_HELP) {
    status = EXIT_SUCCESS;
  } else if (result == OPTIONS_RUN) {
    ddr_set_verbose(world, settings.is_verbose);
    status = run_with_files(world, &settings, &print_file);
  }
  if (print_file) fclose(print_file);
  ddr_settings_clear(&settings);
  return status;
}

int ddr_main_ranks(const ddr_program *program, const ddr_rank_engine *engine, int argc,
                   char **argv) {
  prepare_process();
  ddr_world *world = ddr_world_new(program);
  if (!world) {
    fputs("Error initializing world:\n[DIDEROT] out of memory or mismatched runtime\n", stderr);
    return EXIT_FAILURE;
  }
  if (world->is_unfit) return refuse(world);
  ddr_ranks_join(world, engine);
  int status;
  if (ddr_ranks_agree(world) || ddr_check_same_start(world, argc, argv) != DDR_OK)
    status = fail(world, "Error starting ranks:");
  else status = run_with_options(world, argc, argv);
  ddr_world_free(world);
  return status;
}

int ddr_main(const ddr_program *program, int argc, char **argv) {
  return ddr_main_ranks(program, NULL, argc, argv);
}
