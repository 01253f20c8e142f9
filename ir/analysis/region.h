/* Region: an arm of a branch or the body of a loop, as the blocks that control visits from its
 * first one on, until it jumps to the merge around it, goes round or leaves. Regions inside belong
 * to it.
 */
#pragma once

#include "ir/core/ir.h"

/* Its blocks: a branch, its arms, then what follows; definitions before uses. */
BlockVec region_blocks(Arena *a, Block *first);
/* How its outermost blocks end: a jump, a next, a leave, or a branch neither of whose arms meets
 * the other. */
Inst *region_end(const Block *first);
/* Can control leave the function there? */
bool region_leaves(const Block *first);
bool region_arms_leave(const Inst *branch); /* one of them at least */
/* The block that every path from the end of blk meets next; NULL at the end of its region. */
Block *region_meets_next(const Block *blk);
