/* life.c: the life of a world: new, create, free.
 *
 * A call in the wrong stage records an error and changes nothing.  All state lives in the world, so
 * that several can exist at once.
 * Read next: superstep.c (run); world/world.h.
 */
#include <stdlib.h>
#include <string.h>

#include "local.h"
#include "run.h"
#include "runtime/src/checkpoint/checkpoint.h"
#include "runtime/src/inputs/inputs.h"
#include "runtime/src/ranks/ranks.h"
#include "runtime/src/sampling/sampling.h"
#include "runtime/src/space/space.h"
#include "runtime/src/strands/device.h"
#include "runtime/src/strands/phases.h"
#include "runtime/src/trace/trace.h"
#include "runtime/src/world/variant.h"

/* Strands that queries find need a state of their own each. */
static bool is_runnable(const ddr_program *program) {
  return program->abi == DDR_PROGRAM_ABI && program->rank <= DDR_MAX_ITERATORS &&
         program->pos_dim <= 3 && (program->state_width == 1 || program->pos_dim == 0) &&
         program->strand_size <= DDR_STRAND_SIZE;
}

static bool init_locks(ddr_world *world) {
  if (pthread_mutex_init(&world->messages.lock, NULL) != 0) return false;
  if (pthread_mutex_init(&world->prints.lock, NULL) == 0) return true;
  pthread_mutex_destroy(&world->messages.lock);
  return false;
}

/* A world and its parts, in one piece of memory. */
typedef struct Whole {
  ddr_world world;
  ddr_ranks ranks;
  ddr_workers workers;
  ddr_store store;
  ddr_gpu gpu;
  ddr_samplings samplings;
  ddr_images images;
  ddr_checkpoints checkpoints;
  ddr_run_time run_time;
} Whole;

static ddr_world *whole_new(void) {
  Whole *whole = calloc(1, sizeof *whole);
  if (!whole) return NULL;
  whole->world.ranks = &whole->ranks;
  whole->world.workers = &whole->workers;
  whole->world.store = &whole->store;
  whole->store.strands.step = 1;
  whole->world.gpu = &whole->gpu;
  whole->world.samplings = &whole->samplings;
  whole->world.images = &whole->images;
  whole->world.checkpoints = &whole->checkpoints;
  whole->world.run_time = &whole->run_time;
  return &whole->world;
}

ddr_world *ddr_world_new(const ddr_program *program) {
  if (!is_runnable(program)) return NULL;
  const ddr_cpu cpu = ddr_cpu_here();
  const ddr_program *variant = ddr_variant_choose(program, &cpu);
  ddr_world *world = whole_new();
  if (!world || !init_locks(world)) {
    free(world);
    return NULL;
  }
  world->is_unfit = !variant;
  world->program = variant ? variant : program;
  world->stage = STAGE_NEW;
  world->text.world = world;
  world->pool.world = world;
  ddr_set_printer(world, NULL, NULL);
  world->globals = calloc(1, program->globals_size + 1);
  world->inputs = calloc(program->n_inputs + 1u, sizeof *world->inputs);
  if (!world->globals || !world->inputs) {
    ddr_world_free(world);
    return NULL;
  }
  if (variant) variant->defaults(world->globals);
  return world;
}

ddr_status ddr_world_refuse(ddr_world *world) {
  const ddr_cpu cpu = ddr_cpu_here();
  char *why = ddr_variant_refusal(world->program, &cpu, world->library ? "library" : "program");
  ddr_error(world, "%s", why ? why : "out of memory");
  free(why);
  return DDR_ERROR;
}

/* Frees all sequences: lends them to pools, which keep none. */
static void free_sequences(ddr_world *world) {
  if (world->is_unfit) return;
  if (world->program->lend_globals && world->globals) {
    world->program->lend_globals(&world->pool, world->globals);
  }
  ddr_strands_free_sequences(world);
}

void ddr_world_free(ddr_world *world) {
  if (!world) return;
  free_sequences(world);
  ddr_thread_pool_free(world->workers->threads);
  ddr_device_free(world);
  for (uint32_t k = 0; world->inputs && k < world->program->n_inputs; k++) {
    free(world->inputs[k].string);
  }
  free(world->inputs);
  free(world->globals);
  ddr_images_free(world->images);
  ddr_checkpoints_free(world->checkpoints);
  ddr_samples_free(world);
  ddr_strands_free(world->store);
  ddr_index_free(world->index);
  ddr_trace_free(world->trace);
  ddr_text_clear(&world->text);
  ddr_text_clear(&world->messages.notes);
  ddr_ranks_leave(world);
  free(ddr_take_errors(world));
  pthread_mutex_destroy(&world->messages.lock);
  pthread_mutex_destroy(&world->prints.lock);
  free(world);
}

/* Zeroes states that were not zeroed when the store was allocated. */
static void clear_states(const ddr_world *world, const ddr_block *block) {
  const ddr_program *program = world->program;
  const int64_t width = program->state_width, begin = block->begin / width;
  const int64_t end = (block->end + width - 1) / width;
  memset((char *)block->strands->state + (size_t)begin * program->state_size, 0,
         (size_t)(end - begin) * program->state_size);
}

uint32_t ddr_create_phase(ddr_world *world, ddr_block *block, uint32_t max_steps) {
  ddr_effort *const updating = block->effort;
  (void)max_steps;
  block->effort = &block->visit->worker->creating;
  if (ddr_is_shared_out(world) || world->store->are_unclear) clear_states(world, block);
  const ddr_status status = world->program->create(world->globals, block);
  block->effort = updating;
  if (status != DDR_OK && !ddr_any_errors(world)) {
    ddr_error(world, "cannot initialise the strands");
  }
  return 0;
}

static ddr_status init_globals(ddr_world *world) {
  ddr_globals_open(world);
  ddr_trace_global(world, DDR_TRACE_GLOBALS);
  const ddr_status status = world->program->init_globals(world, world->globals);
  ddr_trace_leave();
  ddr_globals_close(world);
  if (status == DDR_OK && !ddr_any_errors(world)) return DDR_OK;
  return ddr_any_errors(world) ? DDR_ERROR : ddr_error(world, "cannot initialise the globals");
}

/* --- the beginning of a run ------------------------------------------------------------------- */

/* Creates strands now, or lets each be created when it first runs. */
static void create_strands(ddr_world *world) {
  ddr_store *store = world->store;
  store->is_late = ddr_is_shared_out(world) && ddr_runs_in_pieces(world);
  if (store->fleeting_bytes > 0) {
    store->outlet.open(world, store->outlet.data);
    return;
  }
  if (ddr_device_has_all(world) || store->is_late) return;
  if (ddr_device_has_share(world)) ddr_sched_share(world, DDR_WORK_CREATE, 0);
  else ddr_sched_blocks(world, ddr_create_phase, BLOCKS_ALL, 0);
}

/* Collective.  Restores strands from a checkpoint instead of creating them. */
static ddr_status restore(ddr_world *world) {
  if (ddr_checkpoint_compare(world) != DDR_OK) return DDR_ERROR;
  ddr_globals_open(world);
  ddr_checkpoint_take_globals(world);
  ddr_globals_close(world);
  if (ddr_ranks_agree(world)) return DDR_ERROR;
  ddr_checkpoint_take_strands(world);
  return ddr_ranks_agree(world) ? DDR_ERROR : DDR_OK;
}

/* Initialises globals.  A resumed run discards what they print: the first run has printed it. */
static ddr_status begin(ddr_world *world) {
  const bool goes_on = world->checkpoints->from != NULL;
  if (goes_on && ddr_checkpoint_open(world) != DDR_OK) return DDR_ERROR;
  if (ddr_checkpoint_digest_inputs(world) != DDR_OK) return DDR_ERROR;
  if (ddr_world_start_workers(world) != DDR_OK) return DDR_ERROR;
  world->prints.is_mute = goes_on;
  const ddr_status status = init_globals(world);
  world->prints.is_mute = false;
  return status;
}

static void note_beginning(ddr_world *world) {
  const char *arch = world->program->variant.arch;
  if (!world->is_verbose) return;
  if (arch) ddr_note(world, "using the code for %s", arch);
  if (ddr_n_ranks(world) > 1 && world->ranks->is_replicated)
    ddr_note(world, "every rank does all the work: %s", ddr_ranks_obstacle(world));
}

/* Whether the world cannot go on.  All ranks read a checkpoint together, even if each does all the
 * work. */
static bool has_failed(ddr_world *world) {
  return world->checkpoints->from ? ddr_ranks_agree(world) : ddr_has_failed(world);
}

static ddr_status create_all(ddr_world *world) {
  const bool goes_on = world->checkpoints->from != NULL;
  begin(world);
  if (has_failed(world)) return DDR_ERROR;
  if (ddr_strands_allocate(world) == DDR_OK &&
      ddr_trace_find(world, &world->store->strands) == DDR_OK &&
      ddr_device_create(world) == DDR_OK && !world->gpu->device &&
      ddr_images_bring(world) == DDR_OK) {
    ddr_samples_make(world);
  }
  if (goes_on && ddr_device_has_all(world)) ddr_checkpoint_refuse_device(world);
  if (has_failed(world)) return DDR_ERROR;
  ddr_device_meet(world);
  if (goes_on && restore(world) != DDR_OK) return DDR_ERROR;
  if (goes_on) ddr_device_states_came(world);
  else create_strands(world);
  if (ddr_any_errors(world)) return DDR_ERROR;
  if (!ddr_device_has_all(world)) ddr_strands_commit(world);
  if (ddr_any_errors(world)) return DDR_ERROR;
  world->stage = goes_on ? ddr_checkpoint_stage(world) : STAGE_CREATED;
  return DDR_OK;
}

ddr_status ddr_world_create(ddr_world *world) {
  if (world->is_unfit) return ddr_world_refuse(world);
  if (world->stage != STAGE_NEW) return ddr_error(world, "multiple calls to create strands");
  world->stage = STAGE_DONE; /* stays so if anything fails */
  note_beginning(world);
  const ddr_status status = create_all(world);
  ddr_checkpoint_close(world);
  return status;
}

bool ddr_can_thin(const ddr_world *world) {
  const ddr_program *program = world->program;
  return !program->is_collection && !program->is_lockstep && program->rank > 0;
}

ddr_status ddr_set_thinning(ddr_world *world, uint32_t n) {
  if (world->stage != STAGE_NEW)
    return ddr_error(world, "strands cannot be thinned before they are created");
  if (n > 1 && !ddr_can_thin(world))
    return ddr_error(world, "strands that can observe each other cannot be thinned");
  world->store->strands.step = n > 1 ? n : 1;
  return DDR_OK;
}

void ddr_set_verbose(ddr_world *world, bool is_verbose) { world->is_verbose = is_verbose; }
