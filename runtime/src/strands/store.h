/* store.h: the store of strands: what generated code sees of it (ddr_strands), and the rest.
 *
 * Strands are in the order of their ranks, in slots.  The store is divided into blocks of
 * consecutive slots, the unit of scheduling.  During a phase a visit to a block writes only the
 * slots and the record of that block.  The store itself changes between phases, in
 * ddr_strands_commit.
 * Read next: README.md (who owns what), store.c, population.c, blocks.c.
 */
#pragma once

#include "runtime/src/workers/thread_pool.h"

/* --- records of blocks ------------------------------------------------------------------------ */

/* States made by `new`; they join the store at the end of the phase. */
typedef struct ddr_births {
  char *states;
  int64_t n, capacity;
  bool is_short; /* memory ran out; the error is recorded */
} ddr_births;

/* What one strand has made: births [begin, end) or bytes [begin, end) of text in a record. Needed
 * where strands do not run in the order of their ranks. */
typedef struct ddr_part {
  int64_t slot;
  int64_t record; /* its number; set by ddr_parts_collect */
  size_t begin, end;
} ddr_part;

typedef struct ddr_parts {
  ddr_part *part;
  int64_t n, capacity;
} ddr_parts;

typedef struct ddr_record {
  uint32_t n_running; /* strands that are active or new */
  uint32_t n_dead;
  uint32_t n_steps;      /* result of the last phase */
  bool is_stale;         /* `state` has changed, and must be copied to `before` */
  bool is_behind;        /* `next` does not have yet what `before` has */
  bool has_moved;        /* some position has changed */
  _Atomic bool is_ended; /* its visit in this phase has ended: its text is complete */
  ddr_births births;
  ddr_text held;        /* text that waits until earlier blocks have printed theirs */
  size_t n_created;     /* bytes of it that were printed while its strands were created */
  ddr_parts born, said; /* which strand made which births and text; see rank_order.c */
} ddr_record;

/* --- the store -------------------------------------------------------------------------------- */

/* Strands with consecutive ranks. */
typedef struct ddr_strand_run {
  int64_t first, count;
} ddr_strand_run;

/* Receives the results of strands as soon as these have run, so that the strands need no memory
 * afterwards. */
typedef struct ddr_outlet {
  ddr_status (*open)(ddr_world *world, void *data); /* when the grid is known, before strands run */
  ddr_status (*take)(ddr_world *world, void *data, int64_t begin, int64_t end); /* in any thread */
  void *data;
  size_t strand_bytes; /* per strand: bytes that gathering the results at the end would take */
} ddr_outlet;

/* The strands of each rank: rank r has runs[begin[r]] to runs[begin[r + 1] - 1], made of whole
 * blocks (shares.h). */
typedef struct ddr_shares {
  ddr_strand_run *runs;
  int64_t *begin;
  int n_ranks;
  bool are_claimed; /* a rank may have several runs, in any order */
} ddr_shares;

/* Which ranks have valid states: the owner of each alone, the first rank as well, or all. */
typedef enum { STATES_OWN, STATES_AT_FIRST, STATES_EVERYWHERE } ddr_states_place;

/* Whether anything that strands read of each other has changed, and whether some position has. */
typedef struct ddr_news {
  bool is_stale, has_moved;
} ddr_news;

typedef struct ddr_halo ddr_halo; /* halo.h */

/* The strands of a world. */
struct ddr_store {
  ddr_strands strands; /* what generated code sees */
  void *before;        /* dual programs: what strands read of each other, double-buffered */
  void *next;          /* the column for the next superstep; NULL: it is copied to `before` */
  bool is_next_whole;  /* visits of this superstep have published all changes there */
  int64_t capacity;    /* slots that memory is allocated for */
  int64_t block_len;   /* strands per scheduling block, a multiple of state_width */
  ddr_tiles tiles;     /* how strands of a block form tiles of the grid */
  int64_t n_blocks, n_records;
  ddr_record *records;                 /* one per block; n_records are allocated */
  _Atomic uint64_t n_active, n_stable; /* clients of libraries may read them at any time */
  uint32_t n_steps;                    /* supersteps so far */
  _Atomic int64_t n_running;           /* active and new strands; up to date during a phase, too */
  /* Starts at 1; changes when a position or the slot of a strand changes. */
  uint64_t version_of_places;
  ddr_fault fault;       /* of the phase; guarded by the lock of messages */
  ddr_outlet outlet;     /* set by executables; its functions may be NULL */
  size_t fleeting_bytes; /* address space reserved for fleeting strands; 0: none are */
  size_t mapped_bytes;   /* likewise for states of which this rank has a share; 0: allocated */
  bool is_late;          /* strands are created when they first run */
  bool are_unified;      /* since strands last ran, NaNs of outputs in states are unified */
  /* States are not zeroed yet; creating or fetching strands will zero them. */
  bool are_unclear;
  bool counts_births; /* `births` is needed; set before there are strands */
  int64_t *births;    /* for each slot the number of its strand in the order of births */
  int64_t n_born;     /* strands born so far */

  /* With several ranks. */
  ddr_shares shares;
  ddr_states_place states_place;
  ddr_news news;         /* of all ranks, since the last exchange */
  int64_t n_shown;       /* every rank has the states of the first n_shown strands, to read them */
  int64_t n_all_workers; /* of all ranks */
  int64_t *n_born_at;    /* births in the last phase on each rank */
  /* Statuses of own strands when the phase began, as other ranks know them. */
  uint8_t *told;
  ddr_halo *halo; /* NULL until the first exchange */
};

/* Bytes of an element of `before`, and the offset of the position in it. */
static inline size_t ddr_before_size(const ddr_program *program) {
  return program->share ? program->shared_size : program->state_size;
}
static inline size_t ddr_before_pos(const ddr_program *program) {
  return program->share ? program->shared_pos_offset : program->pos_offset;
}

/* A strand of a group, in a struct of its own. */
typedef union ddr_strand_alone {
  double alignment;
  char bytes[DDR_STRAND_SIZE];
} ddr_strand_alone;

/* store.c.  Collective if ranks share the work.  Evaluates the bounds, allocates the store, marks
 * every strand as new. */
ddr_status ddr_strands_allocate(ddr_world *world);
void ddr_strands_free(ddr_store *store);

/* store.c: bytes for the states of n_slots; 0: more than a size_t holds. */
size_t ddr_state_bytes(const ddr_program *program, int64_t n_slots);

/* Allocates memory for n_slots; slots that exist keep their contents. */
ddr_status ddr_strands_reserve(ddr_world *world, int64_t n_slots);

/* Numbers the strands in new slots [begin, end) in the order of their births. */
void ddr_births_follow(ddr_store *store, int64_t begin, int64_t end);

/* Divides the strands into blocks again, counts those of each, and marks all blocks stale. */
ddr_status ddr_strands_partition(ddr_world *world);

/* fleeting.c.  Collective.  Whether the strands of a grid are fleeting: too many for the memory,
 * with an outlet for their results.  Then the strands of a block are created, run and passed to the
 * outlet in one visit, and have memory only during this visit; ddr_fleeting_reserve replaces
 * ddr_strands_reserve. */
#if defined(DDR_SMALL_SIZES)
enum { DDR_FLEETING_BLOCK = 256 }; /* strands */
#else
enum { DDR_FLEETING_BLOCK = 1 << 14 }; /* whole pages, even of single bytes */
#endif
bool ddr_strands_are_fleeting(ddr_world *world, int64_t n_slots);
ddr_status ddr_fleeting_reserve(ddr_world *world, int64_t n_slots);
void ddr_fleeting_begin(ddr_store *store, int64_t number); /* marks all its strands as new */
void ddr_fleeting_forget(ddr_world *world, int64_t number);
void ddr_fleeting_free(ddr_store *store);

/* First slot of a block and the one after its last. */
int64_t ddr_block_begin(const ddr_store *store, int64_t number);
int64_t ddr_block_end(const ddr_store *store, int64_t number);

/* Counts the strands of a block by their statuses again, in its record. */
void ddr_block_count(ddr_store *store, int64_t number);

/* How many of n statuses are from `least` to `most`. */
int64_t ddr_count_status(const uint8_t status[], int64_t n, uint8_t least, uint8_t most);

/* --- rank_order.c: births and text, where strands did not run in the order of their ranks ----- */

/* Adds a part, unless it is empty; false when memory is short. */
bool ddr_parts_add(ddr_parts *parts, const ddr_part *part);

/* The parts of all records, sorted by slot; the caller clears them.  If there are none, births and
 * text are in order already. */
typedef enum { PARTS_BORN, PARTS_SAID } ddr_part_kind;
ddr_status ddr_parts_collect(ddr_world *world, ddr_part_kind kind, ddr_parts *all);
void ddr_parts_clear(ddr_parts *parts);
