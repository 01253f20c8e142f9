/* Name: one open-addressed table of all names, at most half full, keyed by the text itself. */
#include "frontend/base/name.h"

#include <string.h>

#include "frontend/base/panic.h"

#ifdef DDR_SMALL_SIZES
enum { FIRST_SLOTS = 2 };
#else
enum { FIRST_SLOTS = 256 };
#endif

struct NameTable {
  Arena *arena;
  const Name **slots; /* NULL is free */
  uint32_t n_slots, n_names;
};

NameTable *name_table_new(Arena *a) {
  NameTable *t = NEW(a, NameTable);
  t->arena = a;
  t->n_slots = FIRST_SLOTS;
  t->slots = NEWN(a, const Name *, t->n_slots);
  return t;
}

/* FNV-1a. */
static uint32_t hash_text(const char *text, size_t len) {
  uint32_t hash = UINT32_C(2166136261);
  for (size_t i = 0; i < len; i++) hash = (hash ^ (unsigned char)text[i]) * UINT32_C(16777619);
  return hash;
}

static uint32_t find_slot(const NameTable *t, const char *text, uint32_t len, uint32_t hash) {
  uint32_t i = hash & (t->n_slots - 1);
  for (; t->slots[i]; i = (i + 1) & (t->n_slots - 1)) {
    const Name *name = t->slots[i];
    if (name->hash == hash && name->len == len && memcmp(name->text, text, len) == 0) break;
  }
  return i;
}

static void grow_slots(NameTable *t) {
  const Name **old = t->slots;
  uint32_t n_old = t->n_slots;
  t->n_slots *= 2;
  t->slots = NEWN(t->arena, const Name *, t->n_slots);
  for (uint32_t i = 0; i < n_old; i++)
    if (old[i]) t->slots[find_slot(t, old[i]->text, old[i]->len, old[i]->hash)] = old[i];
}

const Name *name_intern(NameTable *t, const char *text, size_t len) {
  if (len > UINT32_MAX) BUG(NULL, "name of %zu bytes", len);
  uint32_t hash = hash_text(text, len);
  uint32_t slot = find_slot(t, text, (uint32_t)len, hash);
  if (t->slots[slot]) return t->slots[slot];

  Name *name = NEW(t->arena, Name);
  *name = (Name){(uint32_t)len, hash, arena_strdup(t->arena, text, len)};
  t->slots[slot] = name;
  if (++t->n_names > t->n_slots / 2) grow_slots(t);
  return name;
}

const Name *name_from(NameTable *t, const char *text) { return name_intern(t, text, strlen(text)); }
