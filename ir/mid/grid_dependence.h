/* Spread: how a value depends on the indices of a strand in a grid. Next: sample_grids.c. */
#pragma once

#include "ir/core/ir.h"

typedef struct Spread {
  bool is_sum;      /* a sum of terms, each of which depends on at most one index */
  uint64_t indices; /* bit i: it may depend on index i, slowest first */
} Spread;

typedef struct Spreads Spreads; /* of one module; lives in cx->scratch */

Spreads *spreads_new(Cx *cx, const Module *m);
Spread spread_of(Spreads *spreads, const Value *value);
/* The value in FN_ARGS or FN_CREATE that a parameter of FN_CREATE or of a method always has; NULL
 * if there is no such single value. */
const Value *spread_source(const Module *m, const Value *param);
