#include "frontend/base/vec.h"

#include <string.h>

#include "frontend/base/panic.h"

#ifdef DDR_SMALL_SIZES
enum { FIRST_CAP = 1 };
#else
enum { FIRST_CAP = 8 };
#endif

void *vec_grow(Arena *a, const void *data, uint32_t *cap, uint32_t len, size_t elem_size) {
  if (*cap > UINT32_MAX / 2) BUG(NULL, "array of more than %u elements", UINT32_MAX / 2);
  uint32_t new_cap = *cap == 0 ? FIRST_CAP : *cap * 2;
  void *block = arena_alloc_array(a, new_cap, elem_size);
  if (len > 0) memcpy(block, data, len * elem_size);
  *cap = new_cap;
  return block;
}
