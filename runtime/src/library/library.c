/* library.c: the life of a world that belongs to a client of a generated library.
 *
 * It checks the order of calls and keeps their errors apart: errors of one call do not fail the
 * next, and a call that is refused does not disturb the one in progress.
 * Read next: library_inputs.c, library_outputs.c; run/life.c for what the calls do.
 */
#include "local.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/src/checkpoint/checkpoint.h"
#include "runtime/src/images/images.h"
#include "runtime/src/ranks/ranks.h"
#include "runtime/src/run/run.h"
#include "runtime/src/trace/trace.h"

/* --- calls ------------------------------------------------------------------------------------ */

bool ddr_library_enter(ddr_world *world) {
  if (!world) return false;
  ddr_library_await(world);
  if (atomic_exchange(&world->library->is_busy, true)) {
    ddr_turn_away(world,
                  "the world runs, and cannot be changed by a print callback or another thread");
    return false;
  }
  return true;
}

/* Notes are shown only in verbose mode. */
static void show_notes(ddr_world *world) {
  char *notes = ddr_take_notes(world);
  if (notes && world->is_verbose) fputs(notes, ddr_messages_of(world));
  free(notes);
}

bool ddr_library_leave(ddr_world *world, ddr_status status) {
  show_notes(world);
  ddr_settle_errors(world);
  atomic_store(&world->library->is_busy, false);
  return status != DDR_OK;
}

/* --- life cycle ------------------------------------------------------------------------------- */

static void library_free(ddr_library *library, const ddr_program *program) {
  if (!library) return;
  for (uint32_t k = 0; library->gathered && k < program->n_outputs; k++) {
    free(library->gathered[k].lengths);
    free(library->gathered[k].data);
  }
  for (size_t k = 0; k < library->n_adopted; k++) free(library->adopted[k]);
  free(library->gathered);
  free(library->adopted);
  free(library->nrrds);
  ddr_library_free_started(library->started);
  free(library);
}

ddr_world *ddr_library_new(const ddr_program *program, const char *prefix) {
  ddr_world *world = ddr_world_new(program);
  ddr_library *library = calloc(1, sizeof *library);
  if (library) {
    library->prefix = prefix;
    library->nrrds = calloc(program->n_inputs + 1u, sizeof *library->nrrds);
    library->gathered = calloc(program->n_outputs + 1u, sizeof *library->gathered);
  }
  if (!world || !library || !library->nrrds || !library->gathered) {
    ddr_world_free(world);
    library_free(library, program);
    return NULL;
  }
  world->library = library;
  world->stage = STAGE_BARE;
  return world;
}

bool ddr_library_init(ddr_world *world) {
  if (!ddr_library_enter(world)) return true;
  ddr_status status = DDR_OK;
  if (world->is_unfit) status = ddr_world_refuse(world);
  else if (world->stage == STAGE_BARE) world->stage = STAGE_NEW;
  else status = ddr_error(world, "multiple calls to %s_init_world", world->library->prefix);
  return ddr_library_leave(world, status);
}

/* Checks that inputs may be used to create strands now. */
static ddr_status check_init(ddr_world *world, const char *function) {
  const char *prefix = world->library->prefix;
  if (world->stage != STAGE_BARE) return DDR_OK;
  return ddr_error(world, "must call %s_init_world before %s_%s", prefix, prefix, function);
}

static void report_strands(const ddr_world *world) {
  if (!world->is_verbose) return;
  fprintf(ddr_messages_of(world), "%s: %llu strands, %u threads\n", world->program->name,
          (unsigned long long)ddr_num_strands(world), (unsigned)ddr_num_workers(world));
}

/* Creates strands, anew or from a checkpoint. */
static ddr_status create(ddr_world *world, const char *from) {
  const char *name = from ? "resume" : "create_strands";
  if (check_init(world, name) != DDR_OK) return DDR_ERROR;
  if (world->stage != STAGE_NEW)
    return ddr_error(world, "multiple calls to %s_%s", world->library->prefix, name);
  world->checkpoints->from = from;
  ddr_world_load_inputs(world);
  if (ddr_ranks_agree(world) || ddr_library_compare_ranks(world) != DDR_OK) return DDR_ERROR;
  if (ddr_library_settle_images(world) != DDR_OK) return DDR_ERROR;
  ddr_world_create(world);
  if (ddr_library_fetch_states(world) != DDR_OK) return DDR_ERROR;
  world->library->has_strands = true;
  report_strands(world);
  return DDR_OK;
}

bool ddr_library_create(ddr_world *world) {
  if (!ddr_library_enter(world)) return true;
  return ddr_library_leave(world, create(world, NULL));
}

bool ddr_library_resume(ddr_world *world, const char *file) {
  if (!ddr_library_enter(world)) return true;
  const ddr_status status =
      file ? create(world, file) : ddr_error(world, "cannot resume: the file name is NULL");
  world->checkpoints->from = NULL; /* the string is the client's */
  return ddr_library_leave(world, status);
}

bool ddr_library_checkpoint(ddr_world *world, const char *file) {
  if (!ddr_library_enter(world)) return true;
  const ddr_status status =
      file ? ddr_checkpoint_save(world, file)
           : ddr_error(world, "cannot write a checkpoint: the file name is NULL");
  return ddr_library_leave(world, status);
}

static ddr_status trace(ddr_world *world, const char *strand, uint32_t max_steps,
                        uint32_t max_records) {
  const char *prefix = world->library->prefix;
  if (check_init(world, "trace") != DDR_OK) return DDR_ERROR;
  if (world->stage != STAGE_NEW)
    return ddr_error(world, "%s_trace must be called instead of %s_create_strands", prefix, prefix);
  if (!strand) return ddr_error(world, "%s_trace needs a strand, such as 120,80 or #17", prefix);
  if (ddr_set_num_workers(world, 1) != DDR_OK || ddr_world_load_inputs(world) != DDR_OK ||
      ddr_images_bring(world) != DDR_OK)
    return DDR_ERROR;
  return ddr_world_trace(world, strand, max_steps, max_records);
}

char *ddr_library_trace(ddr_world *world, const char *strand, uint32_t max_steps,
                        uint32_t max_records) {
  ddr_text text = {0};
  if (!ddr_library_enter(world)) return NULL;
  ddr_status status = trace(world, strand, max_steps, max_records);
  if (status == DDR_OK) {
    ddr_trace_json(world, &text);
    if (text.is_short) status = ddr_error(world, "out of memory");
  }
  if (status != DDR_OK) ddr_text_clear(&text);
  ddr_library_leave(world, status);
  return text.chars;
}

uint32_t ddr_library_make_run(ddr_world *world, uint32_t max_steps) {
  const uint32_t n_steps = ddr_world_run(world, max_steps);
  ddr_library_fetch_states(world);
  if (world->is_verbose) {
    fprintf(ddr_messages_of(world), "%s: %u steps; %llu strands stable, %llu active\n",
            world->program->name, (unsigned)n_steps, (unsigned long long)ddr_num_stable(world),
            (unsigned long long)ddr_num_active(world));
  }
  return n_steps;
}

uint32_t ddr_library_run(ddr_world *world, uint32_t max_steps) {
  if (!ddr_library_enter(world)) return 0;
  ddr_library_begin_run(world);
  const uint32_t n_steps = ddr_library_make_run(world, max_steps);
  ddr_library_end_run(world);
  ddr_library_leave(world, DDR_OK);
  return n_steps;
}

void ddr_library_shutdown(ddr_world *world) {
  if (!ddr_library_enter(world)) return;
  ddr_library *library = world->library;
  const ddr_program *program = world->program;
  ddr_library_left *leave_ranks = library->leave_ranks;
  void *ranks = library->ranks;
  ddr_world_free(world);
  library_free(library, program); /* after images, which may refer to its data */
  if (leave_ranks) leave_ranks(ranks);
}

/* --- what is known of it ---------------------------------------------------------------------- */

static uint32_t saturate(uint64_t n) { return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX; }

const ddr_world *ddr_library_at_rest(const ddr_world *world) {
  if (world) ddr_library_await(world);
  return world;
}

uint32_t ddr_library_num_strands(const ddr_world *world) {
  return ddr_library_at_rest(world) ? saturate(ddr_num_strands(world)) : 0;
}

uint32_t ddr_library_num_active(const ddr_world *world) {
  return ddr_library_at_rest(world) ? saturate(ddr_num_active(world)) : 0;
}

uint32_t ddr_library_num_stable(const ddr_world *world) {
  return ddr_library_at_rest(world) ? saturate(ddr_num_stable(world)) : 0;
}

bool ddr_library_any_errors(ddr_world *world) {
  return !ddr_library_at_rest(world) || ddr_any_settled(world);
}

char *ddr_library_take_errors(ddr_world *world) {
  if (ddr_library_at_rest(world)) return ddr_take_settled(world);
  return ddr_format("[DIDEROT] there is no world\n");
}

void ddr_library_set_verbose(ddr_world *world, bool is_verbose) {
  if (ddr_library_at_rest(world)) ddr_set_verbose(world, is_verbose);
}

bool ddr_library_is_verbose(const ddr_world *world) {
  return ddr_library_at_rest(world) && world->is_verbose;
}

/* --- prints ----------------------------------------------------------------------------------- */

/* The client's callback takes text that is not const; it gets the buffer of one print statement. */
static bool print_to_client(void *data, const char *text) {
  const ddr_library *library = data;
  union {
    const char *constant;
    char *given;
  } statement = {.constant = text};
  return library->printer(library->printer_data, statement.given);
}

bool ddr_library_set_printer(ddr_world *world, ddr_library_printer *printer, void *data) {
  if (!ddr_library_enter(world)) return true;
  world->library->printer = printer;
  world->library->printer_data = data;
  if (ddr_is_first_rank(world)) /* the others print nothing */
    ddr_set_printer(world, printer ? print_to_client : NULL, world->library);
  return ddr_library_leave(world, DDR_OK);
}

/* --- workers ---------------------------------------------------------------------------------- */

uint32_t ddr_library_num_cores(const ddr_world *world) { return world ? ddr_num_cores() : 0; }

bool ddr_library_set_num_workers(ddr_world *world, uint32_t n_workers) {
  if (!ddr_library_enter(world)) return true;
  if (n_workers == 0) n_workers = ddr_ranks_cores(world, ddr_num_cores());
  const ddr_status status =
      world->stage == STAGE_NEW
          ? ddr_set_num_workers(world, n_workers)
          : ddr_error(world, "workers must be set between %s_init_world and %s_create_strands",
                      world->library->prefix, world->library->prefix);
  return ddr_library_leave(world, status);
}

uint32_t ddr_library_num_workers(const ddr_world *world) {
  return ddr_library_at_rest(world) ? ddr_num_workers(world) : 0;
}

/* --- GPUs ------------------------------------------------------------------------------------- */

bool ddr_library_init_gpu(ddr_world *world) {
  return ddr_library_init(world) || ddr_library_set_gpu(world, NULL, 0);
}

bool ddr_library_set_gpu(ddr_world *world, const char *which, uint32_t block_size) {
  if (!ddr_library_enter(world)) return true;
  const ddr_status status =
      world->stage == STAGE_NEW
          ? ddr_set_gpu(world, which, block_size)
          : ddr_error(world, "a GPU must be chosen between %s_init_world and %s_create_strands",
                      world->library->prefix, world->library->prefix);
  return ddr_library_leave(world, status);
}

const char *ddr_library_gpu(const ddr_world *world) {
  return ddr_library_at_rest(world) ? ddr_gpu_name(world) : "";
}
