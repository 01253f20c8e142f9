/* store.h: the store of strands, as the runtime knows it beside what programs know (ddr_strands).
 *
 * Strands are in the order of their ranks.  The store is cut into blocks of consecutive slots, the
 * unit of scheduling.  A phase may write the slots of its block and its block's record, nothing
 * else; what changes the store itself happens between phases, in ddr_strands_commit.
 * Read next: README.md (who owns what), store.c, population.c, blocks.c.
 */
#pragma once

#include "runtime/src/workers/thread_pool.h"

/* --- what a block has besides its slots ------------------------------------------------------- */

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

typedef struct ddr_record {
  uint32_t n_running; /* strands that are active or new */
  uint32_t n_dead;
  uint32_t n_steps; /* result of the last phase */
  bool is_stale;    /* `before` is not yet what `state` is */
  bool has_moved;   /* some position changed */
  bool is_ended;    /* in this phase: nothing is printed any more */
  ddr_births births;
  ddr_text held;        /* what it printed before its turn came */
  size_t n_created;     /* bytes of it from when its strands were created, in the same phase */
  ddr_parts born, said; /* whose births and text are whose; see rank_order.c */
} ddr_record;

/* --- the store -------------------------------------------------------------------------------- */

/* Consecutive strands by rank. */
typedef struct ddr_strand_run {
  int64_t first, count;
} ddr_strand_run;

/* Who takes the results of strands as soon as these have run, so that they need not stay. */
typedef struct ddr_outlet {
  ddr_status (*open)(ddr_world *world, void *data); /* the grid is known, and nothing has run */
  ddr_status (*take)(ddr_world *world, void *data, int64_t begin, int64_t end); /* in any thread */
  void *data;
  size_t strand_bytes; /* of results, if they are made when all have run */
} ddr_outlet;
/* Of each of several ranks: runs[begin[r]] to runs[begin[r + 1] - 1] of whole blocks (shares.h). */
typedef struct ddr_shares {
  ddr_strand_run *runs;
  int64_t *begin;
  int n_ranks;
  bool are_claimed; /* not at most one run each, in the order of ranks */
} ddr_shares;

/* Where states are besides at the rank that has them. */
typedef enum { STATES_OWN, STATES_AT_FIRST, STATES_EVERYWHERE } ddr_states_place;

/* What others may read has changed, and positions among it. */
typedef struct ddr_news {
  bool is_stale, has_moved;
} ddr_news;

typedef struct ddr_halo ddr_halo; /* halo.h */

/* The world's part. */
struct ddr_store {
  ddr_strands strands; /* as programs see it */
  void *before;        /* the second column of a dual program */
  int64_t capacity;    /* slots that there is room for */
  int64_t block_len;   /* strands per scheduling block, a multiple of state_width */
  ddr_tiles tiles;     /* of blocks */
  int64_t n_blocks, n_records;
  ddr_record *records; /* one per block, and some to spare */
  uint64_t n_active, n_stable;
  uint32_t n_steps;           /* supersteps so far */
  _Atomic int64_t n_running;  /* strands that run, also while a phase goes on */
  uint64_t version_of_places; /* from 1 on: another when some position changed, or whose it is */
  ddr_fault fault;            /* of the phase, with the lock of messages */
  ddr_outlet outlet;          /* of executables, if it has functions */
  size_t fleeting_bytes;      /* of addresses for strands that do not stay; 0: all stay */
  bool is_late;               /* strands are created when they first run */
  bool are_unified;           /* no output of a state has another NaN since they ran last */
  bool are_unclear;           /* states are zeroed by who creates or fetches them, not before */
  uint32_t thinning;          /* only every so manieth along each axis of the grid; 0 and 1: all */
  bool counts_births;         /* somebody asks, before there are strands: */
  int64_t *births;            /* of each slot its number among all that were ever born, from 0 */
  int64_t n_born;             /* ever */

  /* With several ranks. */
  ddr_shares shares;
  ddr_states_place states_place;
  ddr_news news;         /* of all of them, since the last exchange */
  int64_t n_shown;       /* the states of so many are everywhere, because others read them */
  int64_t n_all_workers; /* of all ranks */
  int64_t *n_born_at;    /* each in the last phase */
  uint8_t *told;         /* the statuses of own strands, when the phase began */
  ddr_halo *halo;        /* NULL until there is something to be exchanged */
};

/* Bytes of an element of `before`, and where its position is. */
static inline size_t ddr_before_size(const ddr_program *program) {
  return program->share ? program->shared_size : program->state_size;
}
static inline size_t ddr_before_pos(const ddr_program *program) {
  return program->share ? program->shared_pos_offset : program->pos_offset;
}

/* store.c: evaluate the bounds, allocate the store, mark every strand new. */
ddr_status ddr_strands_allocate(ddr_world *world);
void ddr_strands_free(ddr_store *store);

/* store.c: bytes for the states of so many slots; 0: no machine has that many. */
size_t ddr_state_bytes(const ddr_program *program, int64_t n_slots);

/* Room for n_slots; what there is keeps its place. */
ddr_status ddr_strands_reserve(ddr_world *world, int64_t n_slots);

/* These slots have got new strands, in the order of their births. */
void ddr_births_follow(ddr_store *store, int64_t begin, int64_t end);

/* Cut the strands into blocks again, count each, call all of them stale. */
ddr_status ddr_strands_partition(ddr_world *world);

/* fleeting.c: strands of a grid that nobody looks at again, when there are more of them than memory
 * and there is an outlet: those of a block are made, run and given to the outlet in one visit, and
 * have memory as long.  True when that is to be; instead of ddr_strands_reserve. */
#if defined(DDR_SMALL_SIZES)
enum { DDR_FLEETING_BLOCK = 256 }; /* strands */
#else
enum { DDR_FLEETING_BLOCK = 1 << 14 }; /* whole pages, even of bytes */
#endif
bool ddr_strands_are_fleeting(ddr_world *world, int64_t n_slots);
ddr_status ddr_fleeting_reserve(ddr_world *world, int64_t n_slots);
void ddr_fleeting_begin(ddr_store *store, int64_t number); /* the block is new */
void ddr_fleeting_forget(ddr_world *world, int64_t number);
void ddr_fleeting_free(ddr_store *store);

/* First slot of a block and the one after its last. */
int64_t ddr_block_begin(const ddr_store *store, int64_t number);
int64_t ddr_block_end(const ddr_store *store, int64_t number);

/* Read the status bytes of one block again. */
void ddr_block_count(ddr_store *store, int64_t number);

/* How many of n strands have a status between those two. */
int64_t ddr_count_status(const uint8_t status[], int64_t n, uint8_t least, uint8_t most);

/* --- rank_order.c: what strands made that did not run by rank --------------------------------- */

/* One more, unless nothing is in it; false when memory is short. */
bool ddr_parts_add(ddr_parts *parts, const ddr_part *part);

/* The parts of all records by slot; clear them.  No parts at all: births are in order already. */
typedef enum { PARTS_BORN, PARTS_SAID } ddr_part_kind;
ddr_status ddr_parts_collect(ddr_world *world, ddr_part_kind kind, ddr_parts *all);
void ddr_parts_clear(ddr_parts *parts);
