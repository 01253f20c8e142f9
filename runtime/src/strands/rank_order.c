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

ddr_status ddr_parts_collect(ddr_world *world, ddr_part_kind kind, ddr_parts *all) {
  const ddr_store *store = world->store;
  *all = (ddr_parts){0};
  int64_t n = 0;
  for (int64_t k = 0; k < store->n_blocks; k++) n += parts_of(&store->records[k], kind)->n;
  if (n == 0) return DDR_OK;
  all->part = malloc((size_t)n * sizeof *all->part);
  if (!all->part) return ddr_error(world, "out of memory for new strands and prints");
  all->capacity = n;
  bool are_sorted = true;
  for (int64_t k = 0; k < store->n_blocks; k++) {
    const ddr_parts *parts = parts_of(&store->records[k], kind);
    for (int64_t at = 0; at < parts->n; at++) {
      ddr_part *part = &all->part[all->n++];
      *part = parts->part[at];
      part->record = k;
      are_sorted = are_sorted && (part == all->part || compare_slots(part - 1, part) < 0);
    }
  }
  if (!are_sorted) qsort(all->part, (size_t)all->n, sizeof *all->part, compare_slots);
  return DDR_OK;
}
