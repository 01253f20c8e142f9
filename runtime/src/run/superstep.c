/* superstep.c: runs a world: supersteps, global code, and the end of all strands.
 *
 * A superstep is a phase of updates, then changes of the store, then the exchange of what strands
 * read of each other, and then the global update.
 * Read next: strands/blocks.c (a phase), strands/population.c and exchange.c (what follows).
 */
#include <time.h>

#include "local.h"
#include "run.h"
#include "runtime/src/ranks/ranks.h"
#include "runtime/src/space/space.h"
#include "runtime/src/strands/device.h"
#include "runtime/src/strands/phases.h"
#include "runtime/src/trace/trace.h"

/* --- global code ------------------------------------------------------------------------------ */

void ddr_globals_open(ddr_world *world) {
  if (world->program->lend_globals) world->program->lend_globals(&world->pool, world->globals);
}

void ddr_globals_close(ddr_world *world) {
  if (world->program->keep_globals) world->program->keep_globals(&world->pool, world->globals);
  ddr_pool_sweep(&world->pool);
  ddr_pool_close(&world->pool);
}

/* --- supersteps ------------------------------------------------------------------------------- */

typedef void GlobalBlock(ddr_world *world, void *globals, ddr_strands *strands);

static void run_global_block(ddr_world *world, GlobalBlock *block, ddr_trace_method method) {
  ddr_globals_open(world);
  ddr_trace_global(world, method);
  block(world, world->globals, &world->store->strands);
  ddr_trace_leave();
  ddr_globals_close(world);
  ddr_device_upload(world);
}

/* Text printed while creating is counted: it comes before all text that strands print later. */
static void create_late(ddr_world *world, ddr_block *block) {
  ddr_create_phase(world, block, 0);
  block->visit->record->n_created = block->text->n_held;
}

static uint32_t update_phase(ddr_world *world, ddr_block *block, uint32_t max_steps) {
  if (world->store->is_late) create_late(world, block);
  return world->program->update(world->globals, block, max_steps);
}

static ddr_status superstep(ddr_world *world) {
  if (ddr_device_has_all(world)) {
    ddr_device_run(world, 1);
    return world->gpu->is_lost ? DDR_ERROR : DDR_OK;
  }
  if (ddr_device_has_share(world)) {
    ddr_sched_share(world, DDR_WORK_UPDATE, 1);
    ddr_strands_commit(world);
    return DDR_OK;
  }
  ddr_trace_superstep(world, world->store->n_steps + 1);
  ddr_index_prepare(world);
  if (!ddr_is_shared_out(world) && ddr_any_errors(world)) return DDR_ERROR;
  const bool has_order = world->trace != NULL; /* a trace needs the order of slots */
  if (ddr_places_known(world) && !has_order) ddr_sched_places(world, update_phase);
  else ddr_sched_blocks(world, update_phase, BLOCKS_OF_SUPERSTEP, 1);
  ddr_strands_commit(world);
  return DDR_OK;
}

/* All ranks stop after the same superstep. */
static bool is_stopped(const ddr_world *world) {
  return ddr_is_shared_out(world) ? world->ranks->is_stopped : ddr_is_stopped(&world->is_stopped);
}

/* Supersteps are observable: all blocks advance together, and the global update follows each
 * superstep.  Like run_free, this counts in world->store->n_steps. */
static uint32_t run_lockstep(ddr_world *world, uint32_t max_steps) {
  const ddr_program *program = world->program;
  uint32_t n_steps = 0;
  while (world->store->n_active > 0 && (max_steps == 0 || n_steps < max_steps)) {
    if (superstep(world) != DDR_OK) break;
    n_steps++;
    world->store->n_steps++;
    if (program->global_update && !ddr_any_errors(world)) {
      run_global_block(world, program->global_update, DDR_TRACE_GLOBAL_UPDATE);
    }
    const bool is_common = program->global_update && ddr_is_shared_out(world);
    if (is_common ? ddr_ranks_agree(world) : ddr_any_errors(world)) break;
    if (is_stopped(world)) break;
  }
  return n_steps;
}

/* Creates the strands of a block, runs them to their end, and writes their outputs. */
static uint32_t whole_phase(ddr_world *world, ddr_block *block, uint32_t max_steps) {
  const ddr_outlet *outlet = &world->store->outlet;
  ddr_fleeting_begin(world->store, block->begin / world->store->block_len);
  create_late(world, block);
  uint32_t n_steps = 0;
  if (!ddr_any_errors(world)) n_steps = world->program->update(world->globals, block, max_steps);
  if (!ddr_any_errors(world)) outlet->take(world, outlet->data, block->begin, block->end);
  return n_steps;
}

static uint32_t update_all(ddr_world *world, uint32_t max_steps) {
  ddr_phase *phase = world->store->fleeting_bytes > 0 ? whole_phase : update_phase;
  const ddr_part_work work = world->store->is_late ? DDR_WORK_WHOLE : DDR_WORK_UPDATE;
  if (ddr_device_has_all(world)) return ddr_device_run(world, max_steps);
  if (ddr_device_has_share(world)) return ddr_sched_share(world, work, max_steps);
  return ddr_sched_blocks(world, phase, BLOCKS_UNTIL_STOPPED, max_steps);
}

/* Notes a choice that does not affect results, so that users can see it. */
static void note_lanes_left(ddr_world *world) {
  ddr_worker *workers = world->workers->threads->workers;
  uint32_t n = 0;
  for (uint32_t k = 0; k < world->workers->threads->n_workers; k++) {
    n += workers[k].effort.n_left;
    workers[k].effort.n_left = 0; /* counts one run */
  }
  if (world->is_verbose && n > 0)
    ddr_note(world, "lanes would be wasted: strands went on one at a time in %s",
             n > 1 ? "several blocks" : "a block");
}

/* Supersteps are not observable: each strand runs to its end, or for its budget of steps, in one
 * visit. */
static uint32_t run_free(ddr_world *world, uint32_t max_steps) {
  const uint32_t n_steps = update_all(world, max_steps);
  world->store->n_steps += n_steps;
  world->store->is_late = false;
  note_lanes_left(world);
  if (!ddr_device_has_all(world)) ddr_strands_commit(world);
  return n_steps;
}

static uint32_t run_stages(ddr_world *world, uint32_t max_steps) {
  const ddr_program *program = world->program;
  if (world->stage == STAGE_CREATED && program->global_start) {
    run_global_block(world, program->global_start, DDR_TRACE_GLOBAL_START);
  }
  world->stage = STAGE_RUNNING;
  world->store->are_unified = false;
  if (ddr_has_failed(world)) return 0;
  const uint32_t n_steps =
      program->is_lockstep ? run_lockstep(world, max_steps) : run_free(world, max_steps);
  if (world->store->n_active == 0 || ddr_any_errors(world)) world->stage = STAGE_DONE;
  return n_steps;
}

static uint32_t stabilize_phase(ddr_world *world, ddr_block *block, uint32_t max_steps) {
  (void)max_steps;
  world->program->stabilize(world->globals, block);
  return 0;
}

/* Gives every strand that still runs a status, then updates the store. */
static void end_all(ddr_world *world, ddr_strand_status status) {
  ddr_strands *strands = &world->store->strands;
  if (ddr_device_has_all(world)) {
    ddr_device_end_all(world, status);
    return;
  }
  for (int64_t slot = 0; slot < strands->n_slots; slot++) {
    if (strands->status[slot] <= DDR_NEW) strands->status[slot] = (uint8_t)status;
  }
  for (int64_t k = 0; k < world->store->n_blocks; k++) ddr_block_count(world->store, k);
  ddr_strands_commit(world);
}

/* Runs strands in the middle of global code, which continues afterwards. */
static void stabilize_amid(ddr_world *world) {
  const bool has_begun = world->stage == STAGE_RUNNING;
  ddr_trace_leave();
  if (ddr_device_has_share(world)) ddr_sched_share(world, DDR_WORK_STABILIZE, 0);
  else ddr_sched_blocks(world, stabilize_phase, BLOCKS_RUNNING, 0);
  ddr_trace_global(world, has_begun ? DDR_TRACE_GLOBAL_UPDATE : DDR_TRACE_GLOBAL_START);
}

void ddr_stabilize_all(ddr_world *world) {
  if (world->store->n_active == 0) return;
  if (!ddr_device_has_all(world) && world->program->stabilize) {
    ddr_index_prepare(world);
    if (!ddr_has_failed(world)) stabilize_amid(world);
  }
  end_all(world, DDR_STABLE);
}

void ddr_kill_all(ddr_world *world) {
  if (world->store->n_active > 0) end_all(world, DDR_DEAD);
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
  world->run_time->seconds += seconds_of(CLOCK_MONOTONIC) - begin;
  world->run_time->cpu_seconds += seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin_cpu;
  return n_steps;
}

double ddr_run_seconds(const ddr_world *world) { return world->run_time->seconds; }
double ddr_run_cpu_seconds(const ddr_world *world) { return world->run_time->cpu_seconds; }
