/* Map: hash map from pointers (interned names, hash-consed types, nodes) to pointers.
 * Iteration is in insertion order, so nothing the compiler prints depends on addresses.
 *
 *   for (uint32_t i = 0; i < map_len(m); i++) use(map_key(m, i), map_value(m, i));
 */
#pragma once

#include <stdbool.h>

#include "frontend/base/arena.h"

typedef struct Map Map;

Map *map_new(Arena *a);
void *map_get(const Map *m, const void *key); /* NULL when absent */
bool map_has(const Map *m, const void *key);
void map_put(Map *m, const void *key, void *value); /* replaces; keeps the first position */
uint32_t map_len(const Map *m);
const void *map_key(const Map *m, uint32_t i);
void *map_value(const Map *m, uint32_t i);
