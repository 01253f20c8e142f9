/* Name: interned strings. Two names are the same text exactly when they are the same pointer. */
#pragma once

#include "frontend/base/arena.h"

typedef struct Name {
  uint32_t len, hash;
  const char *text; /* NUL-terminated UTF-8 */
} Name;
typedef struct NameTable NameTable;

NameTable *name_table_new(Arena *a);
const Name *name_intern(NameTable *t, const char *text, size_t len);
const Name *name_from(NameTable *t, const char *text); /* of a NUL-terminated string */
