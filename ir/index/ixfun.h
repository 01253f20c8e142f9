/* Ixfun: index functions, from the logical index of an array to an element offset in the block of
 * memory that holds it.
 *
 * An access a[i, j] of an N by M array is, for the machine, the offset M*i + j. Transposing the
 * array swaps the factors of i and j, taking every second column doubles that of j, a flip makes it
 * negative and moves the start, and broadcasting makes it 0: no element moves. So an array is kept
 * as a block of memory and such a function, operations on arrays rewrite the function while the
 * program is compiled, and code is made once, for the access that is left (addr.h):
 *
 *   iota [N, M]                     M*i + j
 *   permute [1, 0]                  M*j + i               axis k is axis order[k] of before
 *   slice [0 : M/2 : 2, 0 : N : 1]  M*j + 2*i             begin : count : step
 *   fix axis 0 at 3                 M*j + 6
 *
 * One such sum, a start and for each axis an extent and a stride, is a descriptor (lmad.h). Where
 * one cannot say it, as after a reshape of what has gaps, a function is a list of them: the first
 * takes the logical index and gives a row-major position in the shape of the second, and so on; the
 * last gives the offset. Extents and strides are polynomials over sizes that are known only when
 * the program runs (poly.h).
 *
 * Axes run from the slowest to the fastest, indices start at 0, offsets count elements. Values are
 * immutable and live in an arena. Every operation gives NULL when its precondition is provably
 * violated, or when it is given NULL; so a chain of operations needs one test. A precondition on
 * unknowns that can neither be proved nor refuted is taken as the caller's promise.
 *
 * The algebra is whole, and is tested as a whole, but the compiler does not need all of it. Library
 * only, called by tests (lint.ixfun compares):
 *
 *   rotate, address    borders that wrap read sample by sample, so no code has a rotated window
 *   offset_index, stride_index, stride_index_n
 *                      threads and devices take ranges of strands, which are two numbers
 *   expand             states of gangs are arrays with an axis for the lanes, permuted
 *   substitute, rename a size that is known is a number when a function is made
 *   is_contiguous, monotonicity, rearrange_with_offset, is_linear, is_direct, span
 *                      questions to ask before moving an array; that is done while the program
 *                      runs, by layouts (runtime/layout/layout.h), which answer them, too
 *
 * Sources: descriptors are those of Paek, Hoeflinger and Padua, "Efficient and Precise Array Access
 * Analysis", TOPLAS 2002; lists of them as the type of memory those of Munksgaard, Henriksen,
 * Sadayappan and Oancea, "Memory Optimizations in an Array Language", SC 2022.
 */
#pragma once

#include "ir/index/lmad.h"
#include "runtime/layout/layout.h"

typedef struct Ixfun {
  uint32_t n_lmads; /* >= 1 */
  const Lmad *lmads;
  Extents base; /* shape of the array that the function was born from */
  /* True implies that the offsets form an interval; order and repetition do not count. */
  bool is_contiguous;
} Ixfun;

/* ---- making ---------------------------------------------------------------------------------- */

/* A packed row-major array. */
const Ixfun *ixfun_iota(Arena *a, Extents shape);
const Ixfun *ixfun_iota_const(Arena *a, const int64_t *len, uint32_t rank);
/* From its parts; is_contiguous is computed. */
const Ixfun *ixfun_new(Arena *a, const Lmad *lmads, uint32_t n_lmads, Extents base);

/* Axis k of the result is axis order[k]. Pre: order is a permutation of the axes. */
const Ixfun *ixfun_permute(Arena *a, const Ixfun *f, const uint32_t *order, uint32_t rank);

/* Index i of the result is index (i + by[k]) mod len of axis k; any integers. Pre: rank. */
const Ixfun *ixfun_rotate(Arena *a, const Ixfun *f, const Poly *by, uint32_t rank);

typedef struct IxSlice {
  bool is_fixed;    /* one index: the axis goes, count and step are not read */
  Poly begin;       /* the index */
  Poly count, step; /* begin, begin + step, ...: count of them; the step may be negative or 0 */
} IxSlice;

IxSlice ix_fix(Poly at);
IxSlice ix_range(Poly begin, Poly count, Poly step);
IxSlice ix_whole(Poly len);

/* Pre: one entry per axis; counts >= 0; first and last index inside the axis. */
const Ixfun *ixfun_slice(Arena *a, const Ixfun *f, const IxSlice *spec, uint32_t rank);
/* Without the first `first` entries of the slowest axis. Pre: rank >= 1, 0 <= first <= length. */
const Ixfun *ixfun_offset_index(Arena *a, const Ixfun *f, Poly first);
/* Every step-th entry of the slowest axis, ceil(length / |step|) of them, from the first one or,
 * for a negative step, from the last one; step 0 repeats entry 0 `length` times. Pre: rank >= 1,
 * the sign of the step is provable. */
const Ixfun *ixfun_stride_index(Arena *a, const Ixfun *f, Poly step);
/* The same with the count given; the caller answers for the bounds. */
const Ixfun *ixfun_stride_index_n(Arena *a, const Ixfun *f, Poly step, Poly count);

typedef struct IxAxis {
  bool is_coerced; /* the extent of the source under a new name */
  Poly len;
} IxAxis;

IxAxis ix_new(Poly len);
IxAxis ix_coerce(Poly len);

/* Other extents for the same row-major order. Pre: the number of elements is the same; an axis that
 * is coerced, with only coerced axes before it or only such axes after it, keeps its extent. The
 * result has one descriptor if that can express it and is found, otherwise one more. */
const Ixfun *ixfun_reshape(Arena *a, const Ixfun *f, const IxAxis *axes, uint32_t rank);

/* New axes along which every element is repeated: outer[k] before axis k, inner last. Pre: one
 * outer list per axis; lengths >= 0. */
const Ixfun *ixfun_repeat(Arena *a, const Ixfun *f, const Extents *outer, uint32_t n_outer,
                          Extents inner);

/* f built upon onto instead of its base. Pre: base(f) = shape(onto). */
const Ixfun *ixfun_rebase(Arena *a, const Ixfun *onto, const Ixfun *f);

/* Copy `offset` of `n_copies` interleaved ones: offset + n_copies * f. */
const Ixfun *ixfun_expand(Arena *a, const Ixfun *f, Poly offset, Poly n_copies);

/* ---- coefficients ---------------------------------------------------------------------------- */

/* Always in the order offset, then stride, rotation, length of each stored dim, descriptor by
 * descriptor, then the base. */

typedef Poly IxMap(void *context, Arena *a, Poly coefficient);
typedef void IxFold(void *context, Poly coefficient);
const Ixfun *ixfun_map(Arena *a, const Ixfun *f, IxMap *map, void *context);
void ixfun_fold(const Ixfun *f, IxFold *fold, void *context);
const Ixfun *ixfun_substitute(Arena *a, const Ixfun *f, const PolySubst *map, uint32_t n_map);
/* from[k] becomes to[k], all at once; ranges stay. */
const Ixfun *ixfun_rename(Arena *a, const Ixfun *f, const Name *const *from, const Name *const *to,
                          uint32_t n);

typedef struct IxUnknowns {
  uint32_t n;
  const PolyAtom *const *atoms; /* each once, in the order of their first occurrence */
} IxUnknowns;
IxUnknowns ixfun_free_vars(Arena *a, const Ixfun *f);

/* Merges neighbouring descriptors where possible. */
const Ixfun *ixfun_simplify(Arena *a, const Ixfun *f);

/* ---- asking ---------------------------------------------------------------------------------- */

Extents ixfun_shape(Arena *a, const Ixfun *f);
uint32_t ixfun_rank(const Ixfun *f);
bool ixfun_is_contiguous(const Ixfun *f);
/* Derived from the signs of strides, not from the order of visits; unknown with a rotation. */
Monotonicity ixfun_monotonicity(const Ixfun *f);

/* The offset of a logical index times elem_size. False: wrong number of indices, or one provably
 * outside. */
bool ixfun_index(Arena *a, const Ixfun *f, const Poly *idx, uint32_t rank, int64_t elem_size,
                 Poly *offset);

/* The same as code for an access inside the shape (addr.h: addr_from_poly, or addr_at_level to
 * hoist what is invariant out of inner loops). Rotations are conditional subtractions; positions in
 * further descriptors are divided by the lengths; quotients and remainders of indices that are
 * known to be nonnegative are C's. */
bool ixfun_address(Arena *a, const Ixfun *f, const Poly *idx, uint32_t rank, Poly *offset);

/* Offsets are o, o+1, o+2, ... in row-major order of the index: *offset = o * elem_size. */
bool ixfun_linear_with_offset(Arena *a, const Ixfun *f, int64_t elem_size, Poly *offset);

typedef struct IxPlace {
  uint32_t dim; /* place in memory order */
  Poly len;
} IxPlace;
/* The same for any order of the axes: memory is row-major over the stored dims; place[k], of the
 * rank, says which one axis k is. Try ixfun_linear_with_offset first. */
bool ixfun_rearrange_with_offset(Arena *a, const Ixfun *f, int64_t elem_size, Poly *offset,
                                 const IxPlace **place);
bool ixfun_is_linear(Arena *a, const Ixfun *f); /* with offset 0 */
bool ixfun_is_direct(Arena *a, const Ixfun *f); /* linear and all of its block */

/* Least and greatest offset; for a list, of its last descriptor, which are bounds. False: no
 * elements, or a sign that cannot be proved. */
bool ixfun_span(Arena *a, const Ixfun *f, Poly *least, Poly *greatest);

/* Alike after simplification. Different ones may still have the same offsets. */
bool ixfun_eq(Arena *a, const Ixfun *x, const Ixfun *y);

/* Error text, or NULL: permutations, repeats, rotations and signs are as lmad.h says, neighbours of
 * the list fit, is_contiguous is what the rule gives, no name has two ranges. */
const char *ixfun_check(Arena *a, const Ixfun *f);

/* ---- layouts of the runtime ------------------------------------------------------------------ */

/* Errors: ETYPE (an unknown, a rotation or more than one descriptor), ERANK (more than 16 axes). */
ddr_array_status ixfun_to_layout(const Ixfun *f, ddr_layout *layout);

/* ---- text ------------------------------------------------------------------------------------ */

/*   <1 <= N1, 0 <= i0 < N1 | 2*i0 [4 : 2*N1, 2 : 1 @ 1] perm 1 0 of [N1, 2]>
 *
 * Ranges of the unknowns that have one; the offset; for each stored dim length : stride, and @ with
 * the rotation; perm unless it is the identity; `then` and the next descriptor; the base. */
const char *ixfun_print(Arena *a, const Ixfun *f);
/* Advances *text past the closing bracket. NULL and *error on bad syntax or when ixfun_check finds
 * an error. */
const Ixfun *ixfun_parse(Cx *cx, const char **text, const char **error);
