/* What the files of the index functions share. Private to ir/index. */
#pragma once

#include "ir/index/ixfun.h"

/* The function with its first descriptor replaced. */
const Ixfun *ixfun_with_first(Arena *a, const Ixfun *f, Lmad first);
/* One more descriptor in front: its values are positions in the shape of f. */
const Ixfun *ixfun_in_front(Arena *a, Lmad front, const Ixfun *f);
/* The slice without a look at bounds. */
const Ixfun *ixfun_slice_unchecked(Arena *a, const Ixfun *f, const IxSlice *spec);
bool ixfun_list_is_contiguous(Arena *a, const Lmad *lmads, uint32_t n_lmads);
/* l with other extents for the same row-major order, by splitting and merging unrotated axes and by
 * adding and dropping axes of length 1; false where that does not do. */
bool lmad_regroup(Arena *a, const Lmad *l, Extents shape, Lmad *regrouped);
bool ix_is_permutation(Arena *a, const uint32_t *perm, uint32_t rank);
/* Provably not equal. */
bool ix_differ(Arena *a, Poly x, Poly y);
/* Provably x < 0. */
bool ix_is_negative(Arena *a, Poly x);
