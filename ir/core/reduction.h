/* Reduction: lookups over reductions.def, and what a reduction runs over. */
#pragma once

#include "frontend/lang/type.h"

typedef enum {
#define REDUCTION(id, ...) REDUCE_##id,
#include "ir/core/reductions.def"
  REDUCE_COUNT
} Reduction;

typedef enum { OVER_RANGE, OVER_ALL, OVER_ACTIVE, OVER_STABLE } ReduceOver; /* ints, or strands */

const char *reduction_text(Reduction reduction);           /* "sum" */
Reduction reduction_find(const char *text);                /* REDUCE_COUNT when unknown */
bool reduction_takes(Reduction reduction, const Type *ty); /* values of that type */
const char *reduce_over_text(ReduceOver over);             /* "active"; "" for a range */
#define N_REDUCE_OVERS (OVER_STABLE + 1)
