/* rank_order.c: births and prints of strands that ran in another order than that of their ranks, or
 * together: recorded with their slots, and sorted by them.
 *
 * Read next: space/by_place.c, which runs strands in spatial order.
 */
#include <stdlib.h>

#include "store.h"

#if defined(DDR_SMALL_SIZES)
enum { FIRST_PARTS = 1 };
#else
enum { FIRST_PARTS = 16 };
#endif

bool ddr_parts_add(ddr_parts *parts, const ddr_part *part) {
  if (part->begin == part->end) return true;
  if (parts->n == parts->capacity) {
    const int64_t capacity = parts->capacity > 0 ? 2 * parts->capacity : FIRST_PARTS;
    ddr_part *grown = realloc(parts->part, (size_t)capacity * sizeof *grown);
    if (!grown) return false;
    parts->part = grown;
    parts->capacity = capacity;
  }
  parts->part[parts->n++] = *part;
  return true;
}

void ddr_parts_clear(ddr_parts *parts) {
  free(parts->part);
  *parts = (ddr_parts){0};
}

static int compare_slots(const void *left, const void *right) {
  const ddr_part *a = left, *b = right;
  if (a->slot == b->slot) return (a->begin > b->begin) - (a->begin < b->begin);
  return a->slot < b->slot ? -1 : 1;
}

static const ddr_parts *parts_of(const ddr_record *record, ddr_part_kind kind) {
  return kind == PARTS_BORN ? &record->born : &record->said;
}

/* Are the parts in order already?  *end: one more than the largest slot; some may be gone. */
static bool are_in_order(const ddr_store *store, ddr_part_kind kind, int64_t *end) {
  const ddr_part *before = NULL;
  bool in_order = true;
  *end = 0;
  for (int64_t k = 0; k < store->n_blocks; k++) {
    const ddr_parts *parts = parts_of(&store->records[k], kind);
    for (int64_t at = 0; at < parts->n; at++) {
      const ddr_part *part = &parts->part[at];
      if (part->slot >= *end) *end = part->slot + 1;
      in_order = in_order && (!before || compare_slots(before, part) < 0);
      before = part;
    }
  }
  return in_order;
}

/* Where the first part of each slot below `end` belongs among all parts.  NULL: out of memory. */
static int64_t *count_places(const ddr_store *store, ddr_part_kind kind, int64_t end) {
  int64_t *place = calloc((size_t)end + 1, sizeof *place);
  if (!place) return NULL;
  for (int64_t k = 0; k < store->n_blocks; k++) {
    const ddr_parts *parts = parts_of(&store->records[k], kind);
    for (int64_t at = 0; at < parts->n; at++) place[parts->part[at].slot + 1]++;
  }
  for (int64_t slot = 1; slot < end; slot++) place[slot] += place[slot - 1];
  return place;
}

/* Many parts are sorted by counting: where gangs give birth by several statements, comparing takes
 * most of a superstep.  Parts of one slot are recorded in the order of `begin`, and stay so. */
ddr_status ddr_parts_collect(ddr_world *world, ddr_part_kind kind, ddr_parts *all) {
  const ddr_store *store = world->store;
  *all = (ddr_parts){0};
  int64_t n = 0, end;
  for (int64_t k = 0; k < store->n_blocks; k++) n += parts_of(&store->records[k], kind)->n;
  if (n == 0) return DDR_OK;
  all->part = malloc((size_t)n * sizeof *all->part);
  if (!all->part) return ddr_error(world, "out of memory for new strands and prints");
  const bool in_order = are_in_order(store, kind, &end);
  int64_t *place = in_order || end / 4 > n ? NULL : count_places(store, kind, end);
  for (int64_t k = 0; k < store->n_blocks; k++) {
    const ddr_parts *parts = parts_of(&store->records[k], kind);
    for (int64_t at = 0; at < parts->n; at++, all->n++) {
      ddr_part *part = &all->part[place ? place[parts->part[at].slot]++ : all->n];
      *part = parts->part[at];
      part->record = k;
    }
  }
  all->capacity = n;
  if (!in_order && !place) qsort(all->part, (size_t)n, sizeof *all->part, compare_slots);
  free(place);
  return DDR_OK;
}
