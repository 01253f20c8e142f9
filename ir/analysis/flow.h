/* Flow: questions about what follows a block, and how functions end and assign. */
#pragma once

#include "ir/core/ir.h"

/* Whether every path from the start of blk ends the strand's life (stabilize, die). */
bool flow_ends_life(const Block *blk);
/* The one place where a function ends; NULL when there are several. */
Inst *flow_only_leave(const Func *fn);
/* For each global, in cx->scratch: whether functions other than FN_GLOBALS assign it. */
bool *flow_assigned_globals(Cx *cx, const Module *m);
