/* Reduction: see reduction.h. Next: reductions.def. */
#include "ir/core/reduction.h"

#include <string.h>

enum { BOOL = 1, INT = 2, TENSOR = 4 };

static const struct {
  const char *text;
  uint32_t of;
} rows[REDUCE_COUNT] = {
#define REDUCTION(id, text, of, meaning) [REDUCE_##id] = {text, of},
#include "ir/core/reductions.def"
};

const char *reduction_text(Reduction reduction) { return rows[reduction].text; }

Reduction reduction_find(const char *text) {
  uint32_t i = 0;
  while (i < REDUCE_COUNT && strcmp(rows[i].text, text) != 0) i++;
  return (Reduction)i;
}

bool reduction_takes(Reduction reduction, const Type *ty) {
  uint32_t of = rows[reduction].of;
  if (type_is(ty, TY_BOOL)) return of & BOOL;
  if (type_is(ty, TY_INT)) return of & INT;
  return type_is(ty, TY_TENSOR) && (of & TENSOR);
}

const char *reduce_over_text(ReduceOver over) {
  static const char *const texts[] = {
      [OVER_RANGE] = "", [OVER_ALL] = "all", [OVER_ACTIVE] = "active", [OVER_STABLE] = "stable"};
  return texts[over];
}
