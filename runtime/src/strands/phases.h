/* phases.h: phases, parallel loops in which every block is visited once, and what follows them.
 *
 * Read next: blocks.c, population.c, exchange.c.
 */
#pragma once

#include "ddr/device/device.h"
#include "store.h"

/* One visit of a worker to a block. */
struct ddr_visit {
  ddr_worker *worker;
  ddr_record *record;
};

/* --- blocks.c: one phase ---------------------------------------------------------------------- */

/* A phase handles one block and returns its number of updates. */
typedef uint32_t ddr_phase(ddr_world *world, ddr_block *block, uint32_t max_steps);

typedef enum {
  BLOCKS_ALL,
  BLOCKS_RUNNING,
  BLOCKS_OF_SUPERSTEP,
  BLOCKS_UNTIL_STOPPED
} ddr_block_choice;

/* Runs `phase` on each block, or on each that has running strands, and counts its strands again.
 * Returns the largest result.  Prints appear in the order of ranks.  After an error no further
 * block begins.  BLOCKS_UNTIL_STOPPED: nor after the world was stopped, which also ends visits.
 * BLOCKS_OF_SUPERSTEP: those that run; visits may publish what others read of them. */
uint32_t ddr_sched_blocks(ddr_world *world, ddr_phase *phase, ddr_block_choice choice,
                          uint32_t max_steps);

/* The same for this rank's share on a device: all of its strands that run. */
uint32_t ddr_sched_share(ddr_world *world, ddr_part_work work, uint32_t max_steps);

/* What generated code sees of block `number` during a visit. */
ddr_block ddr_block_for(ddr_visit *visit, int64_t number);

/* Ends a visit: frees the memory that queries and sequences used in it. */
void ddr_visit_end(ddr_visit *visit);

/* The largest number of steps in the records. */
uint32_t ddr_most_steps(const ddr_store *store);

/* --- faults.c --------------------------------------------------------------------------------- */

/* After a visit: keeps the fault in its text if it is the earliest of the phase.  After a phase:
 * makes the fault that was kept an error, the same for any number of threads. */
void ddr_fault_take(ddr_world *world, ddr_text *text);
void ddr_fault_report(ddr_world *world);

/* --- phase_reports.c -------------------------------------------------------------------------- */

/* Print, or discard, the text of the records. */
void ddr_texts_print(const ddr_store *store);
void ddr_texts_forget(const ddr_store *store);

/* Before a phase: notes the statuses of own strands, which all ranks know. */
void ddr_phase_begin_together(ddr_world *world);

/* Collective.  After a phase: tells all ranks its outcome, and lets the first one print. */
void ddr_phase_end_together(ddr_world *world, bool was_first_come);

/* Called during a phase by worker 0, any number of times; the other ranks take part in that from
 * here or from ddr_phase_end_together.  Returns when this rank has all rows in the region that
 * strands need which ask up to `reach` from their positions. */
struct ddr_region;
void ddr_phase_widen(ddr_world *world, const struct ddr_region *wanted, double reach);

/* --- population.c: between phases ------------------------------------------------------------- */

/* Makes the outcome of a phase the state of the world: removes dead strands, adds new ones,
 * exchanges what strands read of each other, and counts. */
void ddr_strands_commit(ddr_world *world);

/* How many strands were made on this rank and wait for the end of the phase. */
int64_t ddr_births_waiting(const ddr_store *store);

/* Frees the sequences in all states, those of births included. */
void ddr_strands_free_sequences(ddr_world *world);

/* --- exchange.c ------------------------------------------------------------------------------- */

/* What the next exchange will do for own blocks. */
ddr_news ddr_exchange_foresee(ddr_world *world);

/* In a superstep, by any worker: publishes a block for the next superstep, if there is a column for
 * that.  Called after the visit to the block, or without a visit if there was none. */
void ddr_block_publish_next(const ddr_world *world, int64_t number);

/* When all visits of a superstep have ended, by any worker: publishes a block if it is stale. */
void ddr_block_publish(const ddr_world *world, int64_t number);

/* Updates `before` from `state`, on all ranks that may read it. */
void ddr_strands_exchange(ddr_world *world);
