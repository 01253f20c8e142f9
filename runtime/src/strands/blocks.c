/* blocks.c: one phase: every block visited once, by any worker, as if in rank order.
 *
 * What makes the order invisible: a visit writes its own slots and record only, births wait in the
 * record, and prints wait until all earlier blocks have ended.
 * Read next: population.c (what follows a phase), sched_threads.c.
 */
#include <errno.h>
#include <string.h>

#include "strands.h"

typedef struct {
  ddr_phase *phase;
  ddr_block_choice choice;
  uint32_t max_steps;
} Phase;

/* --- prints in rank order --------------------------------------------------------------------- */

bool ddr_text_has_turn(const ddr_text *text) {
  return text->ticket == 0 || text->ticket == atomic_load(&text->world->turn);
}

/* A printer that has failed once gets nothing more. */
bool ddr_text_print(const ddr_text *text, size_t begin, size_t end) {
  ddr_world *world = text->world;
  for (size_t at = begin; at < end; at += strlen(text->chars + at) + 1) {
    if (world->is_printer_lost) return false;
    errno = 0;
    if (!world->printer(world->printer_data, text->chars + at)) continue;
    ddr_error(world, "cannot write printed text%s%s", errno ? ": " : "",
              errno ? strerror(errno) : "");
    world->is_printer_lost = true;
    return false;
  }
  return true;
}

void ddr_text_release(ddr_text *text) {
  ddr_text_print(text, 0, text->n_held);
  text->len = text->n_held = 0;
}

/* Tickets start at 1: that of block k is k + 1. */
static void begin_prints(ddr_world *world) {
  for (int64_t k = 0; k < world->n_blocks; k++) world->records[k].is_ended = false;
  atomic_store(&world->turn, 1);
}

/* The block has ended; with it perhaps others behind it, whose prints waited for this. */
static void end_prints(ddr_world *world, ddr_text *text, int64_t number) {
  pthread_mutex_lock(&world->print_lock);
  ddr_record *record = &world->records[number];
  record->is_ended = true;
  if (ddr_text_has_turn(text)) {
    ddr_text_release(text);
  } else if (text->n_held > 0) {
    record->held = *text;
    *text = (ddr_text){.world = world};
  }
  int64_t turn = atomic_load(&world->turn);
  while (turn <= world->n_blocks && world->records[turn - 1].is_ended) {
    ddr_text_release(&world->records[turn - 1].held);
    ddr_text_clear(&world->records[turn - 1].held);
    atomic_store(&world->turn, ++turn);
  }
  pthread_mutex_unlock(&world->print_lock);
}

/* --- visits ----------------------------------------------------------------------------------- */

ddr_block ddr_block_for(ddr_visit *visit, int64_t number) {
  ddr_worker *worker = visit->worker;
  ddr_world *world = worker->team->world;
  return (ddr_block){
      .world = world,
      .text = &worker->text,
      .pool = &worker->pool,
      .strands = &world->strands,
      .begin = ddr_block_begin(world, number),
      .end = ddr_block_end(world, number),
      .n_strands = (int64_t)(world->n_active + world->n_stable),
      .n_active = (int64_t)world->n_active,
      .n_stable = (int64_t)world->n_stable,
      .visit = visit,
  };
}

void ddr_visit_end(ddr_visit *visit) {
  ddr_scratch_reset(&visit->worker->scratch);
  ddr_pool_sweep(&visit->worker->pool);
  ddr_pool_close(&visit->worker->pool);
}

static void visit(ddr_worker *worker, const Phase *phase, int64_t number) {
  ddr_world *world = worker->team->world;
  ddr_record *record = &world->records[number];
  ddr_visit own = {.worker = worker, .record = record};
  ddr_block block = ddr_block_for(&own, number);
  const int64_t n_running = record->n_running;
  record->n_steps = phase->phase(world, &block, phase->max_steps);
  ddr_fault_take(world, block.text);
  record->is_stale = true;
  ddr_block_count(world, number);
  atomic_fetch_add_explicit(&world->n_running, record->n_running - n_running, memory_order_relaxed);
  ddr_visit_end(&own);
}

static void visit_if_chosen(ddr_worker *worker, void *data, int64_t number) {
  const Phase *phase = data;
  ddr_world *world = worker->team->world;
  ddr_record *record = &world->records[number];
  record->n_steps = 0;
  worker->text.ticket = number + 1;
  const bool is_chosen = phase->choice == BLOCKS_ALL || record->n_running > 0;
  if (is_chosen && !ddr_any_errors(world)) visit(worker, phase, number);
  end_prints(world, &worker->text, number);
  if (world->follower && worker == worker->team->workers) world->follower(world->follower_data);
}

uint32_t ddr_sched_blocks(ddr_world *world, ddr_phase *phase, ddr_block_choice choice,
                          uint32_t max_steps) {
  Phase data = {.phase = phase, .choice = choice, .max_steps = max_steps};
  const ddr_job job = {.task = visit_if_chosen, .data = &data, .n_items = world->n_blocks};
  begin_prints(world);
  ddr_sched_run(world->team, &job);
  ddr_fault_report(world);
  uint32_t most = 0;
  for (int64_t k = 0; k < world->n_blocks; k++) {
    if (world->records[k].n_steps > most) most = world->records[k].n_steps;
  }
  return most;
}
