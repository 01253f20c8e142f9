/* neighbours.h: neighbour lists, as molecular dynamics has them: what queries found in an earlier
 * superstep, for as long as no strand moves, dies or is born.
 *
 * Strands that do not move, such as cells of a dish, have the same query in each superstep.  A list
 * belongs to the strand of the query; only that strand uses it, so workers need no locks.  What a
 * gang found together, as sorted rows, belongs to the list of its first lane that asked.
 * Read next: neighbours.c, query.c.
 */
#pragma once

#include "ddr/host/near.h"
#include "runtime/src/workers/thread_pool.h"

/* What a gang found.  Followed by the slots and the reals of the question, and the rows. */
typedef struct ddr_gang_list {
  ddr_near_found found;
  uint32_t asking;
} ddr_gang_list;

/* The list is followed by the query (centre and radius, in reals of the program) and n slots. */
typedef struct ddr_neighbour_list {
  struct ddr_neighbour_list *next; /* of another query of the same strand */
  ddr_gang_list *gang;             /* of a gang in which the strand asked first, or NULL */
  int64_t last_slot;               /* of the last lane of the last such gang */
  uint32_t n;
  int32_t number; /* lists in the chain from here on */
} ddr_neighbour_list;

/* The memory of a worker. */
typedef struct ddr_neighbour_part {
  ddr_arena arena;
  size_t n_free;         /* bytes that it may still take */
  char apart[DDR_APART]; /* against false sharing with the next worker */
} ddr_neighbour_part;

typedef struct ddr_neighbours {
  bool is_open; /* lists may be made and found */
  size_t real_size, centre_size;
  ddr_neighbour_list **first_of; /* for each slot its latest list, or NULL */
  int64_t n_slots;               /* number of entries that are allocated */
  ddr_neighbour_part *parts;     /* of each worker */
  uint32_t n_parts;
} ddr_neighbours;

/* From now on results of queries are kept, until lists are closed, or opened with another number of
 * workers.  If memory is short, nothing is kept; this is no error.  Returns the lists, which may be
 * new. */
ddr_neighbours *ddr_neighbours_open(ddr_world *world, ddr_neighbours *lists, size_t real_size);
void ddr_neighbours_free(ddr_neighbours *lists);

/* Keeps the slots in a ball, if there is room. */
void ddr_neighbours_keep(ddr_neighbours *lists, const ddr_worker *worker, const ddr_near_ball *ball,
                         const uint32_t *slots, int64_t n);

/* The list of the first lane of a gang that asks, or NULL. */
ddr_neighbour_list *ddr_neighbours_of_gang(const ddr_neighbours *lists, const ddr_near_gang *gang);

/* What the same gang found when it asked the same before; NULL: unknown.  `list` is that of its
 * first lane. */
const ddr_near_found *ddr_gang_find(const ddr_neighbours *lists, const ddr_neighbour_list *list,
                                    const ddr_near_gang *gang);

/* Keeps what a gang found, if it was a gang when its first lane asked before, and there is room:
 * `found` gets memory for rows, which the caller fills before the gang asks again. */
bool ddr_gang_keep(ddr_neighbours *lists, ddr_neighbour_list *list, const ddr_worker *worker,
                   const ddr_near_gang *gang, ddr_near_found *found);

/* Bytes of n_rows rows: whole groups of them, see near.h. */
static inline size_t ddr_size_of_rows(int64_t n_rows, int n_lanes) {
  const size_t n = (size_t)(n_rows + DDR_NEAR_ROWS - 1) / DDR_NEAR_ROWS * DDR_NEAR_ROWS;
  return n * (size_t)n_lanes * sizeof(uint32_t);
}

/* The first aligned address, from there on. */
static inline void *ddr_aligned_rows(char *memory) {
  const size_t over = (size_t)((uintptr_t)memory % DDR_NEAR_ALIGNED);
  return memory + (over == 0 ? 0 : DDR_NEAR_ALIGNED - over);
}

static inline size_t ddr_question_size(const ddr_neighbours *lists) {
  return lists->centre_size + lists->real_size;
}

static inline const char *ddr_question_of(const ddr_neighbour_list *list) {
  return (const char *)(list + 1);
}

static inline const uint32_t *ddr_slots_of(const ddr_neighbours *lists,
                                           const ddr_neighbour_list *list) {
  return (const uint32_t *)(const void *)(ddr_question_of(list) + ddr_question_size(lists));
}

/* Like memcmp, but without wide loads, which would stall on the narrow stores just made; n_bytes is
 * a multiple of four. */
static inline bool ddr_same_words(const void *left, const void *right, size_t n_bytes) {
  uint32_t bits = 0;
  for (size_t at = 0; at < n_bytes; at += sizeof bits) {
    uint32_t a, b;
    memcpy(&a, (const char *)left + at, sizeof a);
    memcpy(&b, (const char *)right + at, sizeof b);
    bits |= a ^ b;
  }
  return bits == 0;
}

/* What the same strand found in the same ball before; NULL: unknown. */
static inline ddr_neighbour_list *ddr_neighbours_find(const ddr_neighbours *lists,
                                                      const ddr_near_ball *ball) {
  if (!lists || !lists->is_open) return NULL;
  ddr_neighbour_list *list = lists->first_of[ball->self];
  for (; list; list = list->next) {
    const char *centre = ddr_question_of(list), *radius = centre + lists->centre_size;
    if (ddr_same_words(centre, ball->centre, lists->centre_size) &&
        ddr_same_words(radius, ball->radius, lists->real_size))
      break;
  }
  return list;
}
