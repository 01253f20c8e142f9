/* phases.h: a phase, in which every block is visited once, and what follows it.
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

typedef enum { BLOCKS_ALL, BLOCKS_RUNNING, BLOCKS_UNTIL_STOPPED } ddr_block_choice;

/* Run `phase` on every chosen block, those with running strands if not all, and count it again;
 * after an error no further block begins, nor, of the last kind, when the world is stopped, which
 * ends visits, too. Returns the largest result.  Prints appear in rank order. */
uint32_t ddr_sched_blocks(ddr_world *world, ddr_phase *phase, ddr_block_choice choice,
                          uint32_t max_steps);

/* Likewise of a share on a device: all of its strands that run. */
uint32_t ddr_sched_share(ddr_world *world, ddr_part_work work, uint32_t max_steps);

/* A block for a visit, of the slots of block `number`. */
ddr_block ddr_block_for(ddr_visit *visit, int64_t number);

/* The visit ends: what queries and sequences used meanwhile is given back. */
void ddr_visit_end(ddr_visit *visit);

/* The largest result that the records have. */
uint32_t ddr_most_steps(const ddr_store *store);

/* --- faults.c --------------------------------------------------------------------------------- */

/* After a visit, the fault of its text becomes that of the world if none is earlier; and after a
 * phase that of the world is an error, the same for any number of threads. */
void ddr_fault_take(ddr_world *world, ddr_text *text);
void ddr_fault_report(ddr_world *world);

/* --- together.c ------------------------------------------------------------------------------- */

/* Before a phase: what strands are as all ranks know it, until the end. */
void ddr_phase_begin_together(ddr_world *world);

/* Common.  After a phase, before what follows it: all ranks know its outcome, the first prints. */
void ddr_phase_end_together(ddr_world *world, bool was_first_come);

/* Common with the former, once or more; amid a phase, by worker 0: no query goes on before all rows
 * in this region are here, which strands want that asked so far from their places. */
struct ddr_region;
void ddr_phase_widen(ddr_world *world, const struct ddr_region *wanted, double reach);

/* --- population.c: between phases ------------------------------------------------------------- */

/* Make the outcome of a phase the state of the world: the dead leave, the born join, what is shared
 * is exchanged, counts are taken. */
void ddr_strands_commit(ddr_world *world);

/* How many wait for the end of the phase here. */
int64_t ddr_births_waiting(const ddr_store *store);

/* The sequences in all states, births included, go back to where memory comes from. */
void ddr_strands_free_sequences(ddr_world *world);

/* --- exchange.c ------------------------------------------------------------------------------- */

/* What own blocks will have to say: whether something is to be published, and whether positions
 * have changed. */
ddr_news ddr_exchange_foresee(ddr_world *world);

/* What strands read of each other becomes what `state` is, for all who may read it. */
void ddr_strands_exchange(ddr_world *world);
