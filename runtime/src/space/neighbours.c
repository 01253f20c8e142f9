/* neighbours.c: see neighbours.h. */
#include "neighbours.h"

#include <stdlib.h>

#include "local.h"

#if defined(DDR_SMALL_SIZES)
enum { BYTES_PER_STRAND = 160, MOST_BYTES = 1 << 16, MOST_LISTS = 2 };
#else
enum { BYTES_PER_STRAND = 512, MOST_BYTES = 1 << 28, MOST_LISTS = 4 };
#endif
/* Bytes, so that little is lost at the end of an arena's chunks. */
enum { LONGEST_LIST = 4096, LONGEST_GANG = 8192 };

/* --- memory ----------------------------------------------------------------------------------- */

static void free_parts(ddr_neighbours *lists) {
  for (uint32_t k = 0; k < lists->n_parts; k++) ddr_arena_free(&lists->parts[k].arena);
  free(lists->parts);
  lists->parts = NULL;
  lists->n_parts = 0;
}

static bool reserve_parts(ddr_neighbours *lists, uint32_t n_parts) {
  if (lists->n_parts == n_parts) return true;
  free_parts(lists);
  lists->parts = calloc(n_parts, sizeof *lists->parts);
  if (lists->parts) lists->n_parts = n_parts;
  return lists->parts != NULL;
}

static bool reserve_slots(ddr_neighbours *lists, int64_t n_slots) {
  if (n_slots > lists->n_slots) {
    free(lists->first_of);
    lists->first_of = malloc((size_t)n_slots * sizeof *lists->first_of);
    lists->n_slots = lists->first_of ? n_slots : 0;
  }
  return lists->first_of != NULL;
}

/* Bytes that all lists may take; 0: the strands need the memory. */
static size_t most_bytes(ddr_world *world, int64_t n_slots) {
  const size_t wanted = (size_t)n_slots * BYTES_PER_STRAND;
  const size_t most = wanted < MOST_BYTES ? wanted : MOST_BYTES;
  const size_t n_bytes = (size_t)n_slots * sizeof(ddr_neighbour_list *) + most;
  return ddr_memory_fits(&world->memory, world->memory.n_store_bytes + n_bytes) ? most : 0;
}

ddr_neighbours *ddr_neighbours_open(ddr_world *world, ddr_neighbours *lists, size_t real_size) {
  const int64_t n_slots = world->store->strands.n_slots;
  const uint32_t n_workers = world->workers->threads->n_workers;
  if (lists && lists->is_open && lists->n_parts == n_workers) return lists;
  if (lists) lists->is_open = false;
  const size_t most = most_bytes(world, n_slots);
  if (most == 0) return lists;
  if (!lists) lists = calloc(1, sizeof *lists);
  if (!lists || !reserve_slots(lists, n_slots) || !reserve_parts(lists, n_workers)) return lists;
  memset(lists->first_of, 0, (size_t)n_slots * sizeof *lists->first_of);
  for (uint32_t k = 0; k < n_workers; k++) {
    ddr_arena_free(&lists->parts[k].arena); /* old chunks may be too short for new lists */
    lists->parts[k].n_free = most / n_workers;
  }
  lists->real_size = real_size;
  lists->centre_size = world->program->pos_dim * real_size;
  lists->is_open = true;
  return lists;
}

void ddr_neighbours_free(ddr_neighbours *lists) {
  if (!lists) return;
  free_parts(lists);
  free(lists->first_of);
  free(lists);
}

/* --- lists ------------------------------------------------------------------------------------ */

void ddr_neighbours_keep(ddr_neighbours *lists, const ddr_worker *worker, const ddr_near_ball *ball,
                         const uint32_t *slots, int64_t n) {
  if (!lists || !lists->is_open) return;
  ddr_neighbour_list **first = &lists->first_of[ball->self];
  ddr_neighbour_part *part = &lists->parts[worker - worker->threads->workers];
  const int32_t number = *first ? (*first)->number + 1 : 1;
  const size_t slots_size = (size_t)n * sizeof *slots;
  const size_t n_bytes = (sizeof **first + ddr_question_size(lists) + slots_size + 7) / 8 * 8;
  if (number > MOST_LISTS || n_bytes > LONGEST_LIST || n_bytes > part->n_free) return;
  ddr_neighbour_list *list = ddr_arena_allocate(&part->arena, n_bytes);
  if (!list) return;
  part->n_free -= n_bytes;
  *list = (ddr_neighbour_list){.next = *first, .n = (uint32_t)n, .number = number, .last_slot = -1};
  char *bytes = (char *)(list + 1);
  memcpy(bytes, ball->centre, lists->centre_size);
  memcpy(bytes + lists->centre_size, ball->radius, lists->real_size);
  memcpy(bytes + ddr_question_size(lists), slots, slots_size);
  *first = list;
}

/* --- gangs ------------------------------------------------------------------------------------ */

ddr_neighbour_list *ddr_neighbours_of_gang(const ddr_neighbours *lists, const ddr_near_gang *gang) {
  _Alignas(double) char centre[MOST_DIM * sizeof(double)];
  if (!lists || !lists->is_open || gang->asking == 0) return NULL;
  const int lane = __builtin_ctz(gang->asking);
  const size_t size = lists->real_size, row = (size_t)gang->n_lanes * size;
  const char *radius = (const char *)gang->reals + (size_t)lane * size;
  for (size_t at = 0; at < lists->centre_size; at += size)
    memcpy(centre + at, radius + (at / size + 1) * row, size);
  const ddr_near_ball ball = {centre, radius, gang->self[lane]};
  return ddr_neighbours_find(lists, &ball);
}

static size_t size_of_slots(const ddr_near_gang *gang) {
  return (size_t)gang->n_lanes * sizeof *gang->self;
}

static size_t size_of_reals(const ddr_neighbours *lists, const ddr_near_gang *gang) {
  return (size_t)gang->n_lanes * ddr_question_size(lists);
}

/* Not memcmp, for the reason of ddr_same_words. */
static bool has_slots(const char *kept, const ddr_near_gang *gang) {
  int64_t bits = 0, slot;
  for (int lane = 0; lane < gang->n_lanes; lane++, kept += sizeof slot) {
    memcpy(&slot, kept, sizeof slot);
    bits |= slot ^ gang->self[lane];
  }
  return bits == 0;
}

const ddr_near_found *ddr_gang_find(const ddr_neighbours *lists, const ddr_neighbour_list *list,
                                    const ddr_near_gang *gang) {
  const ddr_gang_list *kept = list ? list->gang : NULL;
  if (!kept || kept->asking != gang->asking) return NULL;
  const char *slots = (const char *)(kept + 1), *reals = slots + size_of_slots(gang);
  if (!has_slots(slots, gang)) return NULL;
  if (memcmp(reals, gang->reals, size_of_reals(lists, gang)) != 0) return NULL;
  return &kept->found;
}

/* Where strands end, others take their lanes, and gangs differ from step to step: a gang is known
 * well enough by its first and its last lane. */
static bool was_gang(ddr_neighbour_list *list, const ddr_near_gang *gang) {
  const int64_t last = gang->self[gang->n_lanes - 1];
  const bool is_same = list->last_slot == last;
  list->last_slot = last;
  return is_same;
}

bool ddr_gang_keep(ddr_neighbours *lists, ddr_neighbour_list *list, const ddr_worker *worker,
                   const ddr_near_gang *gang, ddr_near_found *found) {
  if (!list || !was_gang(list, gang)) return false;
  ddr_neighbour_part *part = &lists->parts[worker - worker->threads->workers];
  const size_t asked_size = size_of_slots(gang) + size_of_reals(lists, gang);
  const size_t n_bytes = sizeof *list->gang + asked_size + DDR_NEAR_ALIGNED +
                         ddr_size_of_rows(found->n_rows, gang->n_lanes);
  if (n_bytes > LONGEST_GANG || n_bytes > part->n_free) return false;
  ddr_gang_list *kept = ddr_arena_allocate(&part->arena, n_bytes);
  if (!kept) return false;
  part->n_free -= n_bytes;
  char *slots = (char *)(kept + 1);
  memcpy(slots, gang->self, size_of_slots(gang));
  memcpy(slots + size_of_slots(gang), gang->reals, size_of_reals(lists, gang));
  found->rows = ddr_aligned_rows(slots + asked_size);
  *kept = (ddr_gang_list){*found, gang->asking};
  kept->found.is_filled = true;
  list->gang = kept;
  return true;
}
