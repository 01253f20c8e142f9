/* What the files of mid share. */
#pragma once

#include "frontend/base/panic.h"
#include "ir/analysis/dom.h"
#include "ir/analysis/region.h"
#include "ir/core/build.h"
#include "ir/ein/ein.h"

/* ---- flow.c: questions about control ------------------------------------------------------------
 */

/* Does every way from the start of blk end the strand's life (stabilize, die)? */
bool flow_ends_life(const Block *blk);
/* The one place where a function ends; NULL when there are several. */
Inst *flow_only_leave(const Func *fn);
/* By global, in cx->scratch: do other functions than FN_GLOBALS assign it? */
bool *flow_assigned_globals(Cx *cx, const Module *m);

/* ---- equal_values.c: values that are the same though computed twice -----------------------------
 */

bool same_value(const Value *a, const Value *b);
/* Can the value be had at the end of blk, there already or computed anew? */
bool same_can_move(const Dom *dom, const Value *value, const Block *blk);
/* The value at the builder's point, at the end of its block. */
Value *same_move(const Dom *dom, Builder *b, Value *value);
