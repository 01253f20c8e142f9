/* Builder: an insertion point in a function, and helpers that make instructions there.
 * Result types come from the op's signature where it determines them.
 */
#pragma once

#include "frontend/base/map.h"
#include "ir/core/ir.h"

typedef struct Builder {
  Cx *cx;
  Func *fn;
  Block *block;      /* instructions go to its end ... */
  Inst *before;      /* ... or before this one when not NULL */
  Span span;         /* given to every instruction made; there is no instruction without one */
  bool is_unchecked; /* the instructions are those of an arm that may not be chosen */
} Builder;

Builder build_at_end(Cx *cx, Block *block, Span span);
Builder build_before(Cx *cx, Inst *where); /* takes its span */

/* One-result op whose type follows from its arguments. */
Value *build_op(Builder *b, OpId op, Attr attr, Value *const *args, uint32_t n_args);
Value *build_op1(Builder *b, OpId op, Value *a);
Value *build_op2(Builder *b, OpId op, Value *a, Value *c);
/* One-result op of a given type (constants, loads, row_load, coord, ...). */
Value *build_typed(Builder *b, OpId op, Attr attr, const Type *ty, Value *const *args,
                   uint32_t n_args);
/* Any op; results are added by the caller (inst_add_result). */
Inst *build_inst(Builder *b, OpId op, Attr attr, Value *const *args, uint32_t n_args);
/* Computes the value again here, by copies of the instructions that it depends on, whose results
 * are then in `copies` (Value to Value). None of their operands may be a block parameter. */
Value *build_copy(Builder *b, const Value *value, Map *copies);
/* No result. */
void build_effect(Builder *b, OpId op, Attr attr, Value *const *args, uint32_t n_args);

Value *build_bool(Builder *b, bool value);
Value *build_int(Builder *b, int64_t value);
Value *build_real(Builder *b, double value);
/* EIN over the arguments: tensor when all are tensors, else a field of the same domain with the
 * least continuity. */
Value *build_ein(Builder *b, const Ein *ein, Value *const *args, uint32_t n_args);

void build_jump(Builder *b, Block *to, Value *const *args, uint32_t n_args);
void build_branch(Builder *b, Value *cond, Block *then_block, Block *else_block, Block *merge);
void build_leave(Builder *b, ExitKind kind, Value *const *args, uint32_t n_args);
/* Body gets (index, carried...), after gets (carried...). */
void build_foreach(Builder *b, Value *lo, Value *hi, Block *body, Block *after,
                   Value *const *carried, uint32_t n_carried);
/* Over a range; lo and hi are NULL over a set of strands. */
void build_reduce(Builder *b, Reduce reduce, Value *lo, Value *hi, Block *body, Block *after);
void build_next(Builder *b, Value *const *carried, uint32_t n_carried);
