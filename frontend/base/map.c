/* Map: entries in insertion order, and an open-addressed table of entry numbers over them.
 *
 *   slots   [ 0 | 2 | 0 | 1 | ... ]     number of an entry counted from 1, 0 is free
 *   entries [ {key, value} {key, value} ... ]
 *
 * The table is at most half full and its size a power of two, so probing ends.
 */
#include "frontend/base/map.h"

#include "frontend/base/panic.h"
#include "frontend/base/vec.h"

#ifdef DDR_SMALL_SIZES
enum { FIRST_SLOTS = 2 };
#else
enum { FIRST_SLOTS = 16 };
#endif

typedef struct Entry {
  const void *key;
  void *value;
} Entry;

struct Map {
  Arena *arena;
  VEC(Entry) entries;
  uint32_t *slots;
  uint32_t n_slots;
};

Map *map_new(Arena *a) {
  Map *m = NEW(a, Map);
  m->arena = a;
  m->n_slots = FIRST_SLOTS;
  m->slots = NEWN(a, uint32_t, m->n_slots);
  return m;
}

/* Addresses differ in their middle bits; multiplication carries those upwards. */
static uint32_t hash_pointer(const void *key) {
  uint64_t bits = (uint64_t)(uintptr_t)key >> 4;
  return (uint32_t)((bits * UINT64_C(0x9E3779B97F4A7C15)) >> 32);
}

/* The slot that holds key, or the free one where it would go. */
static uint32_t *find_slot(const Map *m, const void *key) {
  uint32_t i = hash_pointer(key) & (m->n_slots - 1);
  while (m->slots[i] != 0 && m->entries.data[m->slots[i] - 1].key != key)
    i = (i + 1) & (m->n_slots - 1);
  return &m->slots[i];
}

static void grow_slots(Map *m) {
  if (m->n_slots > UINT32_MAX / 2) BUG(NULL, "map of more than %u entries", m->entries.len);
  m->n_slots *= 2;
  m->slots = NEWN(m->arena, uint32_t, m->n_slots);
  for (uint32_t i = 0; i < m->entries.len; i++) *find_slot(m, m->entries.data[i].key) = i + 1;
}

void *map_get(const Map *m, const void *key) {
  uint32_t number = *find_slot(m, key);
  return number == 0 ? NULL : m->entries.data[number - 1].value;
}

bool map_has(const Map *m, const void *key) { return *find_slot(m, key) != 0; }

void map_put(Map *m, const void *key, void *value) {
  uint32_t *slot = find_slot(m, key);
  if (*slot != 0) {
    m->entries.data[*slot - 1].value = value;
    return;
  }
  vec_push(m->arena, &m->entries, ((Entry){key, value}));
  *slot = m->entries.len;
  if (m->entries.len > m->n_slots / 2) grow_slots(m);
}

uint32_t map_len(const Map *m) { return m->entries.len; }

static const Entry *entry_at(const Map *m, uint32_t i) {
  if (i >= m->entries.len) BUG(NULL, "entry %u of a map of %u", i, m->entries.len);
  return &m->entries.data[i];
}

const void *map_key(const Map *m, uint32_t i) { return entry_at(m, i)->key; }
void *map_value(const Map *m, uint32_t i) { return entry_at(m, i)->value; }
