/* lists.h: even lists: dynamic sequences that have the same length in all lanes. Such a list is one
 * sequence (ddr/seq.h), whose elements are n vectors each: scalar k of each lane's element.
 *
 * Elements of inactive lanes are made, too, and do not matter.
 */
#pragma once

#include "ddr/lanes/lanes.h"

/* ddr_vlist_WORD: scalar k of element idx; ddr_vlist_at_WORD: of each lane's element. Indices are
 * clamped. ddr_list_of_lane_WORD: the list of one lane, for code that has one for each. It is built
 * in a buffer that first gets as many bytes of the even list. */
#define DDR_VLIST(type, word, in_lane, scalar, from_lane)                                          \
  DDR_VFN type ddr_vlist_##word(ddr_seq list, ddr_int idx, size_t n, size_t k) {                   \
    type element = {0};                                                                            \
    if (list.length == 0) return element;                                                          \
    const size_t at = (size_t)ddr_seq_nearest(idx, list.length) * n + k;                           \
    memcpy(&element, ddr_seq_elements(list.buffer) + at * sizeof element, sizeof element);         \
    return element;                                                                                \
  }                                                                                                \
  DDR_VFN type ddr_vlist_at_##word(ddr_seq list, ddr_vint idx, size_t n, size_t k) {               \
    type element = {0};                                                                            \
    if (list.length == 0) return element;                                                          \
    const in_lane *first = (const in_lane *)(const void *)ddr_seq_elements(list.buffer);           \
    const ddr_vint last = ddr_vint_all((ddr_int)(list.length - 1));                                \
    const ddr_vint near = ddr_vimin(ddr_vimax(idx, (ddr_vint){0}), last);                          \
    DDR_EVERY_LANE(lane)                                                                           \
    element[lane] = first[((size_t)near[lane] * n + k) * DDR_LANES + (size_t)lane];                \
    return element;                                                                                \
  }                                                                                                \
  DDR_VFN ddr_seq ddr_list_of_lane_##word(ddr_pool *pool, ddr_seq list, int lane, size_t n) {      \
    if (list.length == 0) return ddr_seq_empty();                                                  \
    const in_lane *from = (const in_lane *)(const void *)ddr_seq_elements(list.buffer) + lane;     \
    const ddr_seq own = ddr_seq_from(pool, n * sizeof(scalar), list.length, from - lane);          \
    scalar *to = own.length == 0 ? NULL : (scalar *)(void *)(own.buffer + 1);                      \
    for (size_t i = 0; i < (size_t)own.length * n; i++) to[i] = from_lane(from[i * DDR_LANES]);    \
    return own;                                                                                    \
  }
#define DDR_AS_IT_IS(x) (x)
#define DDR_IS_ON(x) ((x) != 0)
DDR_VLIST(ddr_vreal, real, ddr_real, ddr_real, DDR_AS_IT_IS)
DDR_VLIST(ddr_vint, int, ddr_int, ddr_int, DDR_AS_IT_IS)
DDR_VLIST(ddr_vmask, bool, ddr_mask_lane, bool, DDR_IS_ON)
#undef DDR_VLIST
#undef DDR_AS_IT_IS
#undef DDR_IS_ON
