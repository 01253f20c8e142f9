/* Arena: bump allocation with marks. Nothing is freed singly; a whole arena or everything after a
 * mark goes at once. Memory is zeroed, aligned for any type and never NULL: when the system has
 * none left, the compiler ends with a panic. Unused memory is poisoned under AddressSanitizer.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct Arena Arena;
typedef struct ArenaMark {
  void *page;
  size_t used;
} ArenaMark;

Arena *arena_new(void);
void arena_free(Arena *a); /* NULL is legal */

void *arena_alloc(Arena *a, size_t n_bytes);
/* n objects of size bytes each; an overflowing product is a panic, never a short block. */
void *arena_alloc_array(Arena *a, size_t n, size_t size);
char *arena_strdup(Arena *a, const char *text, size_t len); /* NUL-terminated copy */

ArenaMark arena_mark(const Arena *a);
void arena_reset(Arena *a, ArenaMark mark);

#define NEW(a, T) ((T *)arena_alloc((a), sizeof(T)))
#define NEWN(a, T, n) ((T *)arena_alloc_array((a), (n), sizeof(T)))
