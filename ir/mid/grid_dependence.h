/* Spread: how a value varies over the strands of a grid. Next: sample_grids.c. */
#pragma once

#include "ir/core/ir.h"

typedef struct Spread {
  bool is_sum;      /* of terms that depend on at most one index of the strand each */
  uint64_t indices; /* bit i: on index i, slowest first, perhaps */
} Spread;

typedef struct Spreads Spreads; /* of one module; lives in cx->scratch */

Spreads *spreads_new(Cx *cx, const Module *m);
Spread spread_of(Spreads *spreads, const Value *value);
/* What a parameter of FN_CREATE, or of a method while its strand runs, was before: a value of
 * FN_ARGS or FN_CREATE; NULL when that is not one value. */
const Value *spread_source(const Module *m, const Value *param);
