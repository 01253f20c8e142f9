/* world.c: the life of a world: new, inputs, create, run, free.
 *
 * A call in the wrong stage records an error and changes nothing.  All state lives in the world, so
 * that several can exist at once.
 * Read next: inputs.c, strands.c, blocks.c, outputs.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/src/sampling/samples.h"
#include "runtime/src/strands/strands.h"

static bool print_to_stdout(void *data, const char *text) {
  (void)data;
  return fputs(text, stdout) == EOF || fflush(stdout) == EOF;
}

/* Strands that die, or that others look for, are states one by one. */
static bool is_runnable(const ddr_program *program) {
  const bool needs_width_1 = program->is_collection || program->pos_dim > 0;
  return program->abi == DDR_PROGRAM_ABI && program->rank <= DDR_MAX_ITERATORS &&
         program->pos_dim <= 3 && (program->state_width == 1 || !needs_width_1);
}

static bool init_locks(ddr_world *world) {
  if (pthread_mutex_init(&world->message_lock, NULL) != 0) return false;
  if (pthread_mutex_init(&world->print_lock, NULL) == 0) return true;
  pthread_mutex_destroy(&world->message_lock);
  return false;
}

ddr_world *ddr_world_new(const ddr_program *program) {
  ddr_world *world = is_runnable(program) ? calloc(1, sizeof *world) : NULL;
  if (!world || !init_locks(world)) {
    free(world);
    return NULL;
  }
  world->program = program;
  world->stage = STAGE_NEW;
  world->text.world = world;
  world->pool.world = world;
  world->printer = print_to_stdout;
  world->globals = calloc(1, program->globals_size + 1);
  world->inputs = calloc(program->n_inputs + 1u, sizeof *world->inputs);
  if (!world->globals || !world->inputs) {
    ddr_world_free(world);
    return NULL;
  }
  program->defaults(world->globals);
  return world;
}

static void free_images(ddr_image_list *images) {
  for (ddr_image_list *next; images; images = next) {
    next = images->next;
    ddr_image_release(images);
    free(images);
  }
}

/* What everybody lends and nobody keeps. */
static void free_sequences(ddr_world *world) {
  if (world->program->lend_globals && world->globals) {
    world->program->lend_globals(&world->pool, world->globals);
  }
  ddr_strands_free_sequences(world);
}

void ddr_world_free(ddr_world *world) {
  if (!world) return;
  free_sequences(world);
  ddr_team_free(world->team);
  ddr_device_free(world);
  for (uint32_t k = 0; world->inputs && k < world->program->n_inputs; k++) {
    free(world->inputs[k].string);
  }
  free(world->inputs);
  free(world->globals);
  free_images(world->images);
  ddr_samples_free(world);
  ddr_strands_free(world);
  ddr_index_free(world->index);
  ddr_text_clear(&world->text);
  ddr_text_clear(&world->notes);
  free(ddr_take_errors(world));
  pthread_mutex_destroy(&world->message_lock);
  pthread_mutex_destroy(&world->print_lock);
  free(world);
}

static uint32_t create_phase(ddr_world *world, ddr_block *block, uint32_t max_steps) {
  (void)max_steps;
  if (world->program->create(world->globals, block) != DDR_OK && !ddr_any_errors(world)) {
    ddr_error(world, "cannot initialise the strands");
  }
  return 0;
}

/* Around global code: it extends the sequences of the globals in place. */
static void open_globals(ddr_world *world) {
  if (world->program->lend_globals) world->program->lend_globals(&world->pool, world->globals);
}

static void close_globals(ddr_world *world) {
  if (world->program->keep_globals) world->program->keep_globals(&world->pool, world->globals);
  ddr_pool_sweep(&world->pool);
  ddr_pool_close(&world->pool);
}

static ddr_status init_globals(ddr_world *world) {
  open_globals(world);
  const ddr_status status = world->program->init_globals(world, world->globals);
  close_globals(world);
  if (status == DDR_OK && !ddr_any_errors(world)) return DDR_OK;
  return ddr_any_errors(world) ? DDR_ERROR : ddr_error(world, "cannot initialise the globals");
}

ddr_status ddr_world_create(ddr_world *world) {
  if (world->stage != STAGE_NEW) return ddr_error(world, "multiple calls to create strands");
  world->stage = STAGE_DONE; /* until all went well, there is nothing to run */
  if (ddr_world_start_workers(world) != DDR_OK) return DDR_ERROR;
  if (init_globals(world) != DDR_OK) return DDR_ERROR;
  if (ddr_strands_allocate(world) != DDR_OK) return DDR_ERROR;
  bool has_device;
  if (ddr_device_create(world, &has_device) != DDR_OK) return DDR_ERROR;
  if (!has_device && ddr_samples_make(world) != DDR_OK) return DDR_ERROR;
  if (!has_device) ddr_sched_blocks(world, create_phase, BLOCKS_ALL, 0);
  if (ddr_any_errors(world)) return DDR_ERROR;
  if (!has_device) ddr_strands_commit(world);
  world->stage = STAGE_CREATED;
  return DDR_OK;
}

/* --- run -------------------------------------------------------------------------------------- */

typedef void GlobalBlock(ddr_world *world, void *globals, ddr_strands *strands);

static void run_global_block(ddr_world *world, GlobalBlock *block) {
  open_globals(world);
  block(world, world->globals, &world->strands);
  close_globals(world);
  ddr_device_upload(world);
}

static uint32_t update_phase(ddr_world *world, ddr_block *block, uint32_t max_steps) {
  return world->program->update(world->globals, block, max_steps);
}

static ddr_status superstep(ddr_world *world) {
  if (world->device) {
    ddr_device_run(world, 1);
    return ddr_any_errors(world) ? DDR_ERROR : DDR_OK;
  }
  if (ddr_index_prepare(world) != DDR_OK) return DDR_ERROR;
  if (ddr_places_known(world)) ddr_sched_places(world, update_phase);
  else ddr_sched_blocks(world, update_phase, BLOCKS_RUNNING, 1);
  ddr_strands_commit(world);
  return DDR_OK;
}

/* Supersteps are observable: all blocks advance together, the global update follows each.  Both
 * ways count in world->n_steps. */
static uint32_t run_lockstep(ddr_world *world, uint32_t max_steps) {
  const ddr_program *program = world->program;
  uint32_t n_steps = 0;
  while (world->n_active > 0 && (max_steps == 0 || n_steps < max_steps)) {
    if (superstep(world) != DDR_OK) break;
    n_steps++;
    world->n_steps++;
    if (program->global_update && !ddr_any_errors(world)) {
      run_global_block(world, program->global_update);
    }
    if (ddr_any_errors(world)) break;
  }
  return n_steps;
}

/* Nobody can tell: each strand runs to its end, or through its budget, in one visit. */
static uint32_t run_free(ddr_world *world, uint32_t max_steps) {
  const uint32_t n_steps = world->device
                               ? ddr_device_run(world, max_steps)
                               : ddr_sched_blocks(world, update_phase, BLOCKS_RUNNING, max_steps);
  world->n_steps += n_steps;
  if (!world->device) ddr_strands_commit(world);
  return n_steps;
}

static uint32_t run_stages(ddr_world *world, uint32_t max_steps) {
  const ddr_program *program = world->program;
  if (world->stage == STAGE_CREATED && program->global_start) {
    run_global_block(world, program->global_start);
  }
  world->stage = STAGE_RUNNING;
  if (ddr_any_errors(world)) return 0;
  const uint32_t n_steps =
      program->is_lockstep ? run_lockstep(world, max_steps) : run_free(world, max_steps);
  if (world->n_active == 0 || ddr_any_errors(world)) world->stage = STAGE_DONE;
  return n_steps;
}

static uint32_t stabilize_phase(ddr_world *world, ddr_block *block, uint32_t max_steps) {
  (void)max_steps;
  world->program->stabilize(world->globals, block);
  return 0;
}

/* Every strand that still runs gets a status; then the store is made good. */
static void end_all(ddr_world *world, ddr_strand_status status) {
  ddr_strands *strands = &world->strands;
  if (world->device) {
    ddr_device_end_all(world, status);
    return;
  }
  for (int64_t slot = 0; slot < strands->n_slots; slot++) {
    if (strands->status[slot] <= DDR_NEW) strands->status[slot] = (uint8_t)status;
  }
  for (int64_t k = 0; k < world->n_blocks; k++) ddr_block_count(world, k);
  ddr_strands_commit(world);
}

void ddr_stabilize_all(ddr_world *world) {
  if (world->n_active == 0) return;
  if (!world->device && world->program->stabilize && ddr_index_prepare(world) == DDR_OK) {
    ddr_sched_blocks(world, stabilize_phase, BLOCKS_RUNNING, 0);
  }
  end_all(world, DDR_STABLE);
}

void ddr_kill_all(ddr_world *world) {
  if (world->n_active > 0) end_all(world, DDR_DEAD);
}

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

uint32_t ddr_world_run(ddr_world *world, uint32_t max_steps) {
  if (world->stage <= STAGE_NEW) {
    ddr_error(world, "attempt to run uninitialized program");
    return 0;
  }
  if (world->stage == STAGE_DONE) return 0;
  const double begin = seconds_of(CLOCK_MONOTONIC);
  const double begin_cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  const uint32_t n_steps = run_stages(world, max_steps);
  world->run_seconds += seconds_of(CLOCK_MONOTONIC) - begin;
  world->run_cpu_seconds += seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin_cpu;
  return n_steps;
}

/* --- what others may know and set ------------------------------------------------------------- */

double ddr_run_seconds(const ddr_world *world) { return world->run_seconds; }
double ddr_run_cpu_seconds(const ddr_world *world) { return world->run_cpu_seconds; }

uint64_t ddr_num_strands(const ddr_world *world) { return world->n_active + world->n_stable; }
uint64_t ddr_num_active(const ddr_world *world) { return world->n_active; }
uint64_t ddr_num_stable(const ddr_world *world) { return world->n_stable; }

ddr_text *ddr_world_text(ddr_world *world) { return &world->text; }
ddr_pool *ddr_world_pool(ddr_world *world) { return &world->pool; }

void ddr_set_printer(ddr_world *world, ddr_printer *printer, void *data) {
  world->printer = printer ? printer : print_to_stdout;
  world->printer_data = data;
}

void ddr_set_verbose(ddr_world *world, bool is_verbose) { world->is_verbose = is_verbose; }

/* --- workers ---------------------------------------------------------------------------------- */

ddr_status ddr_set_num_workers(ddr_world *world, uint32_t n_workers) {
  const uint32_t n_cores = ddr_num_cores();
  if (world->team) return ddr_error(world, "workers must be set before creating strands");
  world->n_workers = n_workers == 0 || n_workers > n_cores ? n_cores : n_workers;
  if (n_workers <= n_cores) return DDR_OK;
  return ddr_error(world, "%u workers asked for on %u cores", (unsigned)n_workers,
                   (unsigned)n_cores);
}

uint32_t ddr_num_workers(const ddr_world *world) {
  if (!world->program->is_parallel) return 1;
  return world->n_workers > 0 ? world->n_workers : ddr_num_cores();
}

ddr_status ddr_world_start_workers(ddr_world *world) {
  if (world->team) return DDR_OK;
  world->n_workers = ddr_num_workers(world);
  world->team = ddr_team_new(world, world->n_workers);
  return world->team ? DDR_OK : DDR_ERROR;
}
