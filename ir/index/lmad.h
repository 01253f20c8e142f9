/* Lmad: a linear-memory access descriptor, one step of an index function.
 *
 *   offset + sum over axes k of ((i_k + rotate_k) mod len_k) * stride_k
 *
 * Stored dims have an order of their own, which no operation changes: for a contiguous descriptor
 * it is that of memory, slowest first.  Logical axis k reads stored dim perm[k].  The term of a
 * repeated dim, one of stride 0, is 0.  Strides and offsets count elements.
 *
 * Values are immutable and live in an arena.  Next: ixfun.h.
 */
#pragma once

#include "ir/index/poly.h"

typedef enum {
  MONO_INC,     /* the stride is positive */
  MONO_DEC,     /* negative */
  MONO_UNKNOWN, /* 0, or of a sign that cannot be proved */
} Monotonicity;

typedef struct LmadDim {
  Poly stride, rotate, len;
  Monotonicity mono;
} LmadDim;

typedef struct Lmad {
  Poly offset;
  uint32_t rank;
  const LmadDim *dims;  /* in stored order */
  const uint32_t *perm; /* a permutation of 0..rank-1 */
} Lmad;

typedef struct Extents {
  uint32_t rank;
  const Poly *len; /* slowest first */
} Extents;

/* ---- making ---------------------------------------------------------------------------------- */

/* Normalises the dims: rotations are taken modulo the length, and are 0 if the length is 1 or the
 * stride 0; monotonicity follows from the stride.  Copies its arguments. */
Lmad lmad_new(Arena *a, Poly offset, const LmadDim *dims, const uint32_t *perm, uint32_t rank);
/* Row-major over the extents, offset 0. */
Lmad lmad_iota(Arena *a, Extents shape);

/* ---- asking ---------------------------------------------------------------------------------- */

Extents lmad_shape(Arena *a, const Lmad *l); /* logical */
/* The offset of a logical index inside the shape. */
Poly lmad_at(Arena *a, const Lmad *l, const Poly *idx);
/* The same with rotations as poly_wrap instead of poly_mod. */
Poly lmad_address(Arena *a, const Lmad *l, const Poly *idx);
bool lmad_is_repeated(const LmadDim *dim);
bool lmad_is_rotated(const LmadDim *dim); /* or might be */
bool lmad_is_identity(const Lmad *l);     /* perm is 0, 1, 2, ... */
bool lmad_is_iota(Arena *a, const Lmad *l);
bool lmad_has_repeats(const Lmad *l);
bool lmad_has_rotations(const Lmad *l);
bool lmad_is_empty(const Lmad *l); /* provably */
/* Whether the offsets are consecutive, in any order and without repeats: from the last stored dim
 * to the first, each |stride| is the product of the lengths passed. */
bool lmad_is_contiguous(Arena *a, const Lmad *l);
/* The monotonicity of the strides of all dims that are not repeated; Inc if there are none.
 * Rotations do not count here. */
Monotonicity lmad_stride_signs(const Lmad *l);
bool lmad_eq(const Lmad *x, const Lmad *y);

/* ---- extents --------------------------------------------------------------------------------- */

Poly extents_size(Arena *a, Extents e); /* the product; 1 for none */
bool extents_eq(Extents x, Extents y);
/* suffix[k] = len[k+1] * len[k+2] * ... */
const Poly *extents_suffix(Arena *a, Extents e);
/* The index at a row-major position. */
const Poly *extents_unflat(Arena *a, Extents e, Poly flat);
