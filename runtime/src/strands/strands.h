/* strands.h: the store of strands and the phases that work on it.
 *
 * The store is cut into blocks of consecutive slots, the unit of scheduling.  A phase may write the
 * slots of its block and its block's record, nothing else; what changes the store itself happens
 * between phases, in ddr_strands_commit.
 * Read next: strands.c, population.c, blocks.c.
 */
#pragma once

#include "runtime/src/workers/team.h"

/* States made by `new` that wait for the end of the phase. */
typedef struct ddr_births {
  char *states;
  int64_t n, capacity;
  bool is_short; /* memory ran out, which is recorded */
} ddr_births;

/* What one strand made, where strands do not run by rank: births or bytes of text of a record. */
typedef struct ddr_part {
  int64_t slot;
  int64_t record; /* its number; only in a collection */
  size_t begin, end;
} ddr_part;

typedef struct ddr_parts {
  ddr_part *part;
  int64_t n, capacity;
} ddr_parts;

/* What is known of one block besides its slots. */
struct ddr_record {
  uint32_t n_running; /* strands that are active or new */
  uint32_t n_dead;
  uint32_t n_steps; /* result of the last phase */
  bool is_stale;    /* `before` is not yet what `state` is */
  bool has_moved;   /* some position changed */
  bool is_ended;    /* in this phase: nothing is printed any more */
  ddr_births births;
  ddr_text held;        /* what it printed before its turn came */
  ddr_parts born, said; /* whose births and text are whose; see places.c */
};

/* One visit of a worker to a block. */
struct ddr_visit {
  ddr_worker *worker;
  ddr_record *record;
};

/* Bytes of an element of `before`, and where its position is. */
static inline size_t ddr_before_size(const ddr_program *program) {
  return program->share ? program->shared_size : program->state_size;
}
static inline size_t ddr_before_pos(const ddr_program *program) {
  return program->share ? program->shared_pos_offset : program->pos_offset;
}

/* --- strands.c: memory and blocks ------------------------------------------------------------- */

/* Evaluate the bounds, allocate the store, mark every strand new. */
ddr_status ddr_strands_allocate(ddr_world *world);
void ddr_strands_free(ddr_world *world);

/* Room for n_slots; what there is keeps its place. */
ddr_status ddr_strands_reserve(ddr_world *world, int64_t n_slots);

/* Cut the n_slots into blocks again, count each, call all of them stale. */
ddr_status ddr_strands_partition(ddr_world *world);

/* First slot of a block and the one after its last. */
int64_t ddr_block_begin(const ddr_world *world, int64_t number);
int64_t ddr_block_end(const ddr_world *world, int64_t number);

/* Read the status bytes of one block again. */
void ddr_block_count(ddr_world *world, int64_t number);

/* --- population.c: between phases ------------------------------------------------------------- */

/* Make the outcome of a phase the state of the world: the dead leave, the born join, `before`
 * becomes what `state` is, counts are taken. */
void ddr_strands_commit(ddr_world *world);

/* The sequences in all states, births included, go back to where memory comes from. */
void ddr_strands_free_sequences(ddr_world *world);

/* --- blocks.c: one phase ---------------------------------------------------------------------- */

/* A phase handles one block and returns its number of updates. */
typedef uint32_t ddr_phase(ddr_world *world, ddr_block *block, uint32_t max_steps);

typedef enum { BLOCKS_ALL, BLOCKS_RUNNING } ddr_block_choice;

/* Run `phase` on every chosen block and count it again; after an error no further block begins.
 * Returns the largest result.  Prints appear in rank order. */
uint32_t ddr_sched_blocks(ddr_world *world, ddr_phase *phase, ddr_block_choice choice,
                          uint32_t max_steps);

/* A block for a visit, of the slots of block `number`. */
ddr_block ddr_block_for(ddr_visit *visit, int64_t number);

/* The visit ends: what queries and sequences used meanwhile is given back. */
void ddr_visit_end(ddr_visit *visit);

/* --- places.c: the same in the order of places ------------------------------------------------ */

/* Whether there are so many strands, and an index of them, that this order is worth its while. */
bool ddr_places_known(const ddr_world *world);

/* One superstep.  Births and prints are in rank order all the same. */
uint32_t ddr_sched_places(ddr_world *world, ddr_phase *phase);

/* The parts of all records by slot; clear them.  No parts at all: births are in order already. */
typedef enum { PARTS_BORN, PARTS_SAID } ddr_part_kind;
ddr_status ddr_parts_collect(ddr_world *world, ddr_part_kind kind, ddr_parts *all);
void ddr_parts_clear(ddr_parts *parts);

/* --- spatial.c: where the strands are --------------------------------------------------------- */

/* Before a phase that may query: sort the positions in `before` unless nothing changed. */
ddr_status ddr_index_prepare(ddr_world *world);
void ddr_index_outdate(ddr_world *world);
void ddr_index_free(ddr_index *index);
