/* What the files of mid share. */
#pragma once

#include "frontend/base/panic.h"
#include "ir/analysis/dom.h"
#include "ir/analysis/flow.h"
#include "ir/analysis/region.h"
#include "ir/core/build.h"
#include "ir/ein/ein.h"

/* ---- equal_values.c: equal values that are computed twice ------------------------------------ */

bool same_value(const Value *a, const Value *b);
/* Whether the value is available at the end of blk, or can be computed again there. */
bool same_can_move(const Dom *dom, const Value *value, const Block *blk);
/* The value at the builder's point, at the end of its block. */
Value *same_move(const Dom *dom, Builder *b, Value *value);
