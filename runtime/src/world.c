/* world.c: the life of a world: new, inputs, create, run, free.
 *
 * A call in the wrong stage records an error and changes nothing.  All state lives in the world, so
 * that several can exist at once.
 * Read next: inputs.c, strands.c, sched_seq.c, outputs.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "local.h"

static bool print_to_stdout(void *data, const char *text)
{
  (void)data;
  return fputs(text, stdout) == EOF || fflush(stdout) == EOF;
}

ddr_world *ddr_world_new(const ddr_program *program)
{
  if (program->abi != DDR_PROGRAM_ABI || program->rank > DDR_MAX_RANK) return NULL;
  ddr_world *world = calloc(1, sizeof *world);
  if (!world) return NULL;
  if (pthread_mutex_init(&world->message_lock, NULL) != 0) {
    free(world);
    return NULL;
  }
  world->program = program;
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

static void free_images(ddr_image_list *images)
{
  for (ddr_image_list *next; images; images = next) {
    next = images->next;
    ddr_image_clear(&images->image);
    free(images);
  }
}

/* What everybody lends and nobody keeps. */
static void free_sequences(ddr_world *world)
{
  const ddr_program *program = world->program;
  if (program->lend_globals && world->globals) program->lend_globals(&world->pool, world->globals);
  if (program->lend_strands && world->strands.state) {
    program->lend_strands(&world->pool, &world->strands);
  }
  ddr_pool_sweep(&world->pool);
}

void ddr_world_free(ddr_world *world)
{
  if (!world) return;
  free_sequences(world);
  for (uint32_t k = 0; world->inputs && k < world->program->n_inputs; k++) {
    free(world->inputs[k].string);
  }
  free(world->inputs);
  free(world->globals);
  free_images(world->images);
  ddr_strands_free(world);
  ddr_text_clear(&world->text);
  ddr_text_clear(&world->notes);
  free(ddr_take_errors(world));
  pthread_mutex_destroy(&world->message_lock);
  free(world);
}

static uint32_t create_phase(ddr_world *world, ddr_block *block, uint32_t max_steps)
{
  (void)max_steps;
  if (world->program->create(world->globals, block) != DDR_OK && !ddr_any_errors(world)) {
    ddr_error(world, "cannot initialise the strands");
  }
  return 0;
}

/* Around global code: it extends the sequences of the globals in place. */
static void open_globals(ddr_world *world)
{
  if (world->program->lend_globals) world->program->lend_globals(&world->pool, world->globals);
}

static void close_globals(ddr_world *world)
{
  if (world->program->keep_globals) world->program->keep_globals(&world->pool, world->globals);
  ddr_pool_sweep(&world->pool);
  ddr_pool_close(&world->pool);
}

static ddr_status init_globals(ddr_world *world)
{
  open_globals(world);
  const ddr_status status = world->program->init_globals(world, world->globals);
  close_globals(world);
  if (status == DDR_OK && !ddr_any_errors(world)) return DDR_OK;
  return ddr_any_errors(world) ? DDR_ERROR : ddr_error(world, "cannot initialise the globals");
}

ddr_status ddr_world_create(ddr_world *world)
{
  const ddr_program *program = world->program;
  if (world->stage != STAGE_NEW) return ddr_error(world, "multiple calls to create strands");
  if (program->is_collection) return ddr_error(world, "this runtime cannot run collections");
  world->stage = STAGE_DONE; /* until all went well, there is nothing to run */
  if (init_globals(world) != DDR_OK) return DDR_ERROR;
  if (ddr_strands_allocate(world) != DDR_OK) return DDR_ERROR;
  ddr_sched_blocks(world, create_phase, BLOCKS_ALL, 0);
  if (ddr_any_errors(world)) return DDR_ERROR;
  ddr_strands_count(world);
  world->stage = STAGE_CREATED;
  return DDR_OK;
}

typedef void GlobalBlock(ddr_world *world, void *globals, ddr_strands *strands);

static void run_global_block(ddr_world *world, GlobalBlock *block)
{
  open_globals(world);
  block(world, world->globals, &world->strands);
  close_globals(world);
  ddr_strands_recount(world);
}

static uint32_t update_phase(ddr_world *world, ddr_block *block, uint32_t max_steps)
{
  return world->program->update(world->globals, block, max_steps);
}

/* Supersteps are observable: all blocks advance together, the global update follows each. */
static uint32_t run_lockstep(ddr_world *world, uint32_t max_steps)
{
  const ddr_program *program = world->program;
  uint32_t n_steps = 0;
  while (world->n_active > 0 && (max_steps == 0 || n_steps < max_steps)) {
    ddr_sched_blocks(world, update_phase, BLOCKS_RUNNING, 1);
    n_steps++;
    ddr_strands_count(world);
    if (program->global_update && !ddr_any_errors(world)) {
      run_global_block(world, program->global_update);
    }
    if (ddr_any_errors(world)) break;
  }
  return n_steps;
}

/* Nobody can tell: each strand runs to its end, or through its budget, in one visit. */
static uint32_t run_free(ddr_world *world, uint32_t max_steps)
{
  const uint32_t n_steps = ddr_sched_blocks(world, update_phase, BLOCKS_RUNNING, max_steps);
  ddr_strands_count(world);
  return n_steps;
}

static uint32_t run_stages(ddr_world *world, uint32_t max_steps)
{
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

static double seconds_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

uint32_t ddr_world_run(ddr_world *world, uint32_t max_steps)
{
  if (world->stage == STAGE_NEW) {
    ddr_error(world, "attempt to run uninitialized program");
    return 0;
  }
  if (world->stage == STAGE_DONE) return 0;
  const double begin = seconds_now();
  const uint32_t n_steps = run_stages(world, max_steps);
  world->run_seconds += seconds_now() - begin;
  return n_steps;
}

double ddr_run_seconds(const ddr_world *world) { return world->run_seconds; }

uint64_t ddr_num_strands(const ddr_world *world) { return world->n_active + world->n_stable; }
uint64_t ddr_num_active(const ddr_world *world) { return world->n_active; }
uint64_t ddr_num_stable(const ddr_world *world) { return world->n_stable; }

ddr_text *ddr_world_text(ddr_world *world) { return &world->text; }
ddr_pool *ddr_world_pool(ddr_world *world) { return &world->pool; }

void ddr_set_printer(ddr_world *world, ddr_printer *printer, void *data)
{
  world->printer = printer;
  world->printer_data = data;
}

void ddr_set_verbose(ddr_world *world, bool is_verbose) { world->is_verbose = is_verbose; }
