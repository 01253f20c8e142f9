/* Effects: what may be dropped and what may be merged, from the effect column of ops.def. */
#pragma once

#include "ir/core/ir.h"

/* Has no effect but its results: may be removed if these are not used. */
bool effects_can_drop(const Inst *inst);
/* Two equal ones give equal results, the second seeing the first. is_read_only: see below. */
bool effects_can_merge(const Inst *inst, bool is_read_only);
/* Has no WRITE op, so that every READ in it sees the same globals and strands. */
bool effects_is_read_only(const Func *fn);
