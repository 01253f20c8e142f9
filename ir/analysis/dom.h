/* Dom: which values are visible where. The tree of blocks by nesting: the parent of an arm, of a
 * merge, of a loop body and of the block after a loop is the block that branches or loops. A block
 * sees its own values and those of its ancestors, as in nested braces (ir.h). This is dominance,
 * except that a merge never sees into the one arm that reaches it.
 */
#pragma once

#include "ir/core/ir.h"

typedef struct Dom {
  BlockVec order;  /* parents first, arms before their merge: definitions before uses */
  Block **parent;  /* by block number; NULL for the entry */
  uint32_t *first; /* by block number: its position in order ... */
  uint32_t *last;  /* ... and that of its last heir */
} Dom;

Dom *dom_new(Arena *a, const Func *fn);
/* The blocks of one are nested like those of the other, made later for the same function. Arms of a
 * branch may have been exchanged. */
bool dom_is_like(const Dom *dom, const Dom *later);
Block *dom_parent(const Dom *dom, const Block *blk);
/* An ancestor, or the block itself. */
bool dom_is_ancestor(const Dom *dom, const Block *above, const Block *blk);
/* Could inst use the value? Linear in the block when the value is defined in the same one. */
bool dom_is_visible(const Dom *dom, const Value *value, const Inst *inst);
/* The jump or loop whose arguments a block gets; for a merge, each jump to it in turn. */
typedef VEC(Inst *) InstVec;
InstVec dom_jumps_to(const Dom *dom, Arena *a, const Block *merge);
