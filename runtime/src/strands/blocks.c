/* blocks.c: one phase: every block is visited once, by any worker, with results as if in rank
 * order.
 *
 * Why the order is invisible: a visit writes only its own slots and record, births wait in the
 * record, and prints wait until all earlier blocks have ended.
 * Read next: population.c (what follows a phase), workers/threads.c.
 */
#include "ddr/profile.h"
#include "device.h"
#include "phases.h"
#include "runtime/src/trace/trace.h"
#include "shares.h"

typedef struct {
  ddr_phase *phase;
  ddr_block_choice choice;
  uint32_t max_steps;
  int64_t first; /* first block of this job */
} Phase;

/* --- prints in rank order --------------------------------------------------------------------- */

/* Whether blocks print as soon as earlier blocks have ended.  Supersteps are short: with several
 * workers their text waits for the end, because passing the turn would move cache lines between the
 * workers for each block.  That of fleeting strands waits for what later blocks print while their
 * strands are created. */
static bool has_turns(const ddr_world *world) {
  const bool is_alone = world->workers->threads->n_workers == 1;
  if (ddr_is_shared_out(world) || world->store->fleeting_bytes > 0) return false;
  return is_alone || !world->program->is_lockstep;
}

/* Tickets start at 1: block k has k + 1.  With several ranks, no block has its turn before the end
 * of the phase. */
static void begin_records(ddr_world *world) {
  const ddr_store *store = world->store;
  const bool are_shared_out = ddr_is_shared_out(world); /* then some blocks are not visited */
  atomic_store(&world->prints.turn, has_turns(world) ? 1 : 0);
  for (int64_t k = 0; k < store->n_blocks && (has_turns(world) || are_shared_out); k++) {
    atomic_store_explicit(&store->records[k].is_ended, false, memory_order_relaxed);
    store->records[k].n_steps = 0;
  }
}

/* Passes the turn to the first block that has not ended; prints the text of those before it. */
static void move_turn(ddr_world *world) {
  const ddr_store *store = world->store;
  pthread_mutex_lock(&world->prints.lock);
  int64_t turn = atomic_load(&world->prints.turn);
  while (turn <= store->n_blocks && atomic_load(&store->records[turn - 1].is_ended)) {
    ddr_text_release(&store->records[turn - 1].held);
    ddr_text_clear(&store->records[turn - 1].held);
    atomic_store(&world->prints.turn, ++turn);
  }
  pthread_mutex_unlock(&world->prints.lock);
}

/* Prints text that was kept until the end of the phase; with turns everything is printed
 * already. */
static void print_kept(ddr_world *world) {
  ddr_texts_print(world->store);
  ddr_texts_forget(world->store);
  atomic_store(&world->prints.are_kept, false);
}

/* A block has ended.  Either the thread that passes the turn sees this, or the block sees that it
 * has the turn: so only the block with the turn takes the lock. */
static void end_prints(ddr_world *world, ddr_text *text, int64_t number) {
  ddr_record *record = &world->store->records[number];
  if (text->n_held > 0 && ddr_text_has_turn(text)) ddr_text_release(text);
  if (text->n_held > 0) {
    record->held = *text;
    *text = (ddr_text){.world = world, .ticket = text->ticket};
    atomic_store(&world->prints.are_kept, true);
  }
  if (atomic_load(&world->prints.turn) == 0) return;
  atomic_store(&record->is_ended, true);
  if (ddr_text_has_turn(text)) move_turn(world);
}

/* --- visits ----------------------------------------------------------------------------------- */

ddr_block ddr_block_for(ddr_visit *visit, int64_t number) {
  ddr_worker *worker = visit->worker;
  ddr_world *world = worker->threads->world;
  ddr_store *store = world->store;
  return (ddr_block){
      .world = world,
      .text = &worker->text,
      .pool = &worker->pool,
      .effort = &worker->effort,
      .strands = &store->strands,
      .begin = ddr_block_begin(store, number),
      .end = ddr_block_end(store, number),
      .tiles = store->tiles,
      .n_strands = (int64_t)(store->n_active + store->n_stable),
      .n_active = (int64_t)store->n_active,
      .n_stable = (int64_t)store->n_stable,
      .visit = visit,
  };
}

void ddr_visit_end(ddr_visit *visit) {
  ddr_profile_here = 0; /* no line of the program */
  ddr_trace_leave();
  ddr_scratch_reset(&visit->worker->scratch);
  ddr_pool_sweep(&visit->worker->pool);
  ddr_pool_close(&visit->worker->pool);
}

static void visit(ddr_worker *worker, const Phase *phase, int64_t number) {
  ddr_world *world = worker->threads->world;
  ddr_record *record = &world->store->records[number];
  ddr_visit own = {.worker = worker, .record = record};
  ddr_block block = ddr_block_for(&own, number);
  const bool has_end = phase->choice == BLOCKS_UNTIL_STOPPED && world->store->fleeting_bytes == 0;
  if (has_end) block.is_stopped = &world->is_stopped;
  const int64_t n_running = record->n_running;
  record->n_steps = phase->phase(world, &block, phase->max_steps);
  ddr_fault_take(world, block.text);
  record->is_stale |= !world->program->shares_fixed;
  ddr_block_count(world->store, number);
  const int64_t n_ended = n_running - record->n_running;
  if (n_ended != 0)
    atomic_fetch_sub_explicit(&world->store->n_running, n_ended, memory_order_relaxed);
  if (world->store->fleeting_bytes > 0) ddr_fleeting_forget(world, number);
  ddr_visit_end(&own);
}

/* Called now and then by the thread that runs the world. */
static void attend_to_others(const ddr_world *world) {
  if (world->follower.call) world->follower.call(world->follower.data);
  if (world->ranks->engine) world->ranks->engine->attend(world->ranks->engine->link);
}

static void visit_if_chosen(ddr_worker *worker, void *data, int64_t item) {
  const Phase *phase = data;
  const int64_t number = phase->first + item;
  ddr_world *world = worker->threads->world;
  ddr_record *record = &world->store->records[number];
  worker->text.ticket = number + 1;
  const bool is_chosen = phase->choice == BLOCKS_ALL || record->n_running > 0;
  const bool is_over = phase->choice == BLOCKS_UNTIL_STOPPED && ddr_is_stopped(&world->is_stopped);
  record->n_steps = 0;
  if (is_chosen && !is_over && !ddr_any_errors(world)) visit(worker, phase, number);
  if (phase->choice == BLOCKS_OF_SUPERSTEP) ddr_block_publish_next(world, number);
  end_prints(world, &worker->text, number);
  if (ddr_worker_number(worker) == 0) attend_to_others(world);
}

uint32_t ddr_most_steps(const ddr_store *store) {
  uint32_t most = 0;
  for (int64_t k = 0; k < store->n_blocks; k++) {
    if (store->records[k].n_steps > most) most = store->records[k].n_steps;
  }
  return most;
}

uint32_t ddr_sched_blocks(ddr_world *world, ddr_phase *phase, ddr_block_choice choice,
                          uint32_t max_steps) {
  Phase data = {.phase = phase, .choice = choice, .max_steps = max_steps};
  const bool is_first_come = world->store->is_late;
  ddr_phase_begin_together(world);
  begin_records(world);
  ddr_claim claim;
  ddr_claim_begin(world, &claim, is_first_come);
  while (ddr_claim_next(world, &claim)) {
    const ddr_job job = {.task = visit_if_chosen,
                         .data = &data,
                         .n_items = claim.count,
                         .is_at_home = world->program->is_lockstep};
    data.first = claim.first;
    ddr_sched_run(world->workers->threads, &job);
  }
  world->store->is_next_whole = choice == BLOCKS_OF_SUPERSTEP && world->store->next;
  ddr_phase_end_together(world, is_first_come);
  if (!ddr_is_shared_out(world) && atomic_load(&world->prints.are_kept)) print_kept(world);
  ddr_fault_report(world);
  return ddr_most_steps(world->store);
}

/* Visits the blocks of a claim on the device. */
static void visit_on_device(ddr_world *world, const ddr_claim *claim, ddr_part_work work,
                            uint32_t max_steps) {
  ddr_store *store = world->store;
  const int64_t end = claim->first + claim->count, begin = ddr_block_begin(store, claim->first);
  const ddr_strand_run run = {begin, ddr_block_end(store, end - 1) - begin};
  const uint32_t n_steps = ddr_device_run_share(world, run, work, max_steps);
  for (int64_t k = claim->first; k < end; k++) {
    store->records[k].is_stale |= store->records[k].n_running > 0;
    store->records[k].n_steps = n_steps;
    ddr_block_count(store, k);
  }
  attend_to_others(world);
}

uint32_t ddr_sched_share(ddr_world *world, ddr_part_work work, uint32_t max_steps) {
  const bool is_first_come = world->store->is_late;
  ddr_phase_begin_together(world);
  begin_records(world);
  ddr_claim claim;
  ddr_claim_begin(world, &claim, is_first_come);
  while (ddr_claim_next(world, &claim)) visit_on_device(world, &claim, work, max_steps);
  ddr_phase_end_together(world, is_first_come);
  ddr_fault_report(world);
  return ddr_most_steps(world->store);
}
