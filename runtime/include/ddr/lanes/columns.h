/* columns.h: dynamic sequences in lanes, each as long as it is: what generated code does with them.
 * They are columns of tables: see tables.h.
 */
#pragma once

#include "ddr/lanes/tables.h"

/* For each word:
 *
 * ddr_vcolumns_WORD     as ddr_vcolumns_at_WORD, with one index, for the lanes of a mask
 * ddr_vcolumns_append   with one element more in the lanes of the mask, of n vectors; in other
 *                       lanes the same list
 * ddr_vcolumns_prepend
 * ddr_vcolumns_concat   in the lanes of the mask; others do not matter. The shorter lists are
 *                       copied to the longer ones: behind (join) or before them (precede)
 * ddr_vcolumns_of_alike a sequence that all lanes share
 * ddr_vcolumns_merged   `list` in the lanes of the mask, `old` in others; lanes that are not in
 *                       `alive` do not matter
 * ddr_vcolumns_give     the list of one lane, as a sequence; its column becomes empty
 * ddr_vcolumns_lane     the same, without that
 * ddr_vcolumns_put      replaces the list of a lane by that of a strand. Other lists whose lanes
 * are in the same table are no longer needed in this lane */
#define DDR_VCOLUMNS(type, word, in_lane, scalar, from_lane, to_lane)                              \
  DDR_VFN type ddr_vcolumns_##word(ddr_vcolumns list, ddr_vmask mask, ddr_int idx, size_t n,       \
                                   size_t k) {                                                     \
    const ddr_vmask is_apart =                                                                     \
        ddr_vile(list.length, ddr_vint_all(idx)) | ddr_vine(list.begin, (ddr_vint){0});            \
    const bool is_row = idx >= 0 && ddr_vany(mask) && !ddr_vany(mask & is_apart) &&                \
                        ddr_vcolumns_table(list.buffer)->shift > 0;                                \
    const ddr_lane_set lanes = ddr_vlanes(mask);                                                   \
    if (__builtin_expect(is_row, 1))                                                               \
      return ((const type *)ddr_vcolumns_rows(list.buffer))[(size_t)idx * n + k];                  \
    if (lanes == 0 || (lanes & (lanes - 1)) != 0)                                                  \
      return ddr_vcolumns_at_##word(list, ddr_vint_all(idx), n, k);                                \
    return ddr_vcolumns_one_##word(&list, __builtin_ctz(lanes), idx, n, k);                        \
  }                                                                                                \
  DDR_VFN ddr_vcolumns ddr_vcolumns_append_##word(ddr_pool *pool, ddr_vcolumns list,               \
                                                  ddr_vmask mask, size_t n, const type *element) { \
    ddr_vint used;                                                                                 \
    if (__builtin_expect(!ddr_vcolumns_have_room(list, mask), 0)) {                                \
      ddr_vcolumns copy = list;                                                                    \
      const ddr_rows_wanted wanted = {ddr_vlanes(mask), ddr_vint_all(1)};                          \
      if (!ddr_vcolumns_prepare_##word(pool, &copy, &wanted, n)) return ddr_vcolumns_empty();      \
      list.length = copy.length;                                                                   \
      list.begin = copy.begin;                                                                     \
      list.buffer = copy.buffer;                                                                   \
    }                                                                                              \
    ddr_column_table *table = ddr_vcolumns_table(list.buffer);                                     \
    const ddr_vint end = ddr_viadd(list.begin, list.length), one = ddr_vint_all(1);                \
    ddr_vcolumns_write_##word(list, end, mask, n, element);                                        \
    memcpy(&used, table->used, sizeof used);                                                       \
    used = ddr_vselect_int(mask, ddr_viadd(end, one), used);                                       \
    memcpy(table->used, &used, sizeof used);                                                       \
    list.length = ddr_vselect_int(mask, ddr_viadd(list.length, one), list.length);                 \
    return list;                                                                                   \
  }                                                                                                \
  DDR_VFN ddr_vcolumns ddr_vcolumns_prepend_##word(                                                \
      ddr_pool *pool, ddr_vcolumns list, ddr_vmask mask, size_t n, const type *element) {          \
    ddr_vint low;                                                                                  \
    if (__builtin_expect(!ddr_vcolumns_have_front(list, mask), 0)) {                               \
      ddr_vcolumns copy = list;                                                                    \
      const ddr_rows_wanted wanted = {ddr_vlanes(mask), ddr_vint_all(1)};                          \
      if (!ddr_vcolumns_open_##word(pool, &copy, &wanted, n)) return ddr_vcolumns_empty();         \
      list.length = copy.length;                                                                   \
      list.begin = copy.begin;                                                                     \
      list.buffer = copy.buffer;                                                                   \
    }                                                                                              \
    ddr_column_table *table = ddr_vcolumns_table(list.buffer);                                     \
    const ddr_vint one = ddr_vint_all(1), before = ddr_visub(list.begin, one);                     \
    ddr_vcolumns_write_##word(list, before, mask, n, element);                                     \
    memcpy(&low, table->low, sizeof low);                                                          \
    low = ddr_vselect_int(mask, ddr_vimin(low, before), low);                                      \
    memcpy(table->low, &low, sizeof low);                                                          \
    list.begin = ddr_vselect_int(mask, before, list.begin);                                        \
    list.length = ddr_vselect_int(mask, ddr_viadd(list.length, one), list.length);                 \
    return list;                                                                                   \
  }                                                                                                \
  DDR_FN_SELDOM void ddr_vcolumns_join_##word(ddr_pool *pool, ddr_vcolumns *list,                  \
                                              const ddr_vcolumns *tail, ddr_lane_set lanes,        \
                                              size_t n) {                                          \
    const ddr_rows_wanted wanted = {lanes, tail->length};                                          \
    if (ddr_vcolumns_longest(tail, lanes) == 0) return;                                            \
    if (!ddr_vcolumns_prepare_##word(pool, list, &wanted, n)) return;                              \
    const ddr_vcolumns head = *list;                                                               \
    ddr_vcolumns_lay_##word(list, tail, lanes, n);                                                 \
    for (ddr_lane_set on = lanes; on != 0;) {                                                      \
      const int lane = ddr_next_lane(&on);                                                         \
      list->begin[lane] = head.begin[lane];                                                        \
      list->length[lane] = (ddr_int)(head.length[lane] + tail->length[lane]);                      \
    }                                                                                              \
  }                                                                                                \
  DDR_FN_SELDOM void ddr_vcolumns_precede_##word(ddr_pool *pool, ddr_vcolumns *list,               \
                                                 const ddr_vcolumns *head, ddr_lane_set lanes,     \
                                                 size_t n) {                                       \
    const ddr_rows_wanted wanted = {lanes, head->length};                                          \
    if (ddr_vcolumns_longest(head, lanes) == 0) return;                                            \
    if (!ddr_vcolumns_open_##word(pool, list, &wanted, n)) return;                                 \
    ddr_column_table *table = ddr_vcolumns_table(list->buffer);                                    \
    for (ddr_lane_set on = lanes; on != 0;) {                                                      \
      const int lane = ddr_next_lane(&on);                                                         \
      const ddr_int length = head->length[lane];                                                   \
      if (length == 0) continue;                                                                   \
      list->begin[lane] = table->low[lane] = (ddr_int)(list->begin[lane] - length);                \
      list->length[lane] = (ddr_int)(list->length[lane] + length);                                 \
      ddr_vcolumns_copy_##word(ddr_vcolumns_column_##word(list, lane, list->begin[lane], n),       \
                               table->shift,                                                       \
                               ddr_vcolumns_column_##word(head, lane, head->begin[lane], n),       \
                               ddr_vcolumns_table(head->buffer)->shift, (size_t)length *n);        \
    }                                                                                              \
  }                                                                                                \
  DDR_FN_SELDOM void ddr_vcolumns_unite_##word(ddr_pool *pool, ddr_vcolumns *list,                 \
                                               const ddr_vcolumns *tail, ddr_lane_set lanes,       \
                                               size_t n) {                                         \
    const ddr_vcolumns head = *list;                                                               \
    if (ddr_vcolumns_sum(&head, lanes) >= ddr_vcolumns_sum(tail, lanes)) {                         \
      ddr_vcolumns_join_##word(pool, list, tail, lanes, n);                                        \
    } else {                                                                                       \
      *list = *tail;                                                                               \
      ddr_vcolumns_precede_##word(pool, list, &head, lanes, n);                                    \
    }                                                                                              \
  }                                                                                                \
  DDR_VFN ddr_vcolumns ddr_vcolumns_concat_##word(ddr_pool *pool, ddr_vcolumns head,               \
                                                  ddr_vcolumns tail, ddr_vmask mask, size_t n) {   \
    ddr_vcolumns list = head;                                                                      \
    ddr_vcolumns_unite_##word(pool, &list, &tail, ddr_vlanes(mask), n);                            \
    return list;                                                                                   \
  }                                                                                                \
  DDR_FN_SELDOM ddr_vcolumns ddr_vcolumns_of_alike_##word(ddr_pool *pool, ddr_seq list,            \
                                                          size_t n) {                              \
    ddr_vcolumns all = {0};                                                                        \
    int64_t wanted[DDR_LANES] = {list.length}; /* all columns may be the same */                   \
    for (int lane = 0; lane < DDR_LANES && list.length <= DDR_ROWS_FEW; lane++)                    \
      wanted[lane] = list.length;                                                                  \
    if (list.length == 0) return all;                                                              \
    if (!ddr_vcolumns_make(pool, &all, wanted, DDR_GROWS_NOWHERE, n, sizeof(in_lane))) return all; \
    ddr_column_table *table = ddr_vcolumns_table(all.buffer);                                      \
    const scalar *from = (const scalar *)(const void *)ddr_seq_elements(list.buffer);              \
    type *rows = (type *)ddr_vcolumns_rows(all.buffer);                                            \
    in_lane *column = (in_lane *)rows;                                                             \
    for (size_t i = 0; i < (size_t)list.length * n; i++) {                                         \
      if (table->shift > 0) rows[i] = ddr_v##word##_all(from[i]);                                  \
      else column[i] = to_lane(from[i]);                                                           \
    }                                                                                              \
    for (int lane = 0; table->shift == 0 && lane < DDR_LANES; lane++) {                            \
      table->base[lane] = 0;                                                                       \
      table->n_rows[lane] = (ddr_int)list.length;                                                  \
    }                                                                                              \
    ddr_vcolumns_fill(&all, ddr_vint_all((ddr_int)list.length));                                   \
    return all;                                                                                    \
  }                                                                                                \
  DDR_FN_SELDOM void ddr_vcolumns_replace_##word(                                                  \
      ddr_pool *pool, ddr_vcolumns *list, const ddr_vcolumns *by, ddr_lane_set lanes, size_t n) {  \
    const ddr_rows_wanted wanted = {lanes, by->length};                                            \
    const ddr_vmask others = ~ddr_vmask_of(lanes);                                                 \
    list->length = ddr_vselect_int(others, list->length, (ddr_vint){0});                           \
    if (list->buffer) {                                                                            \
      const ddr_column_table *table = ddr_vcolumns_table(list->buffer);                            \
      for (int lane = 0; lane < DDR_LANES; lane++)                                                 \
        if (lanes >> lane & 1) list->begin[lane] = table->used[lane];                              \
    }                                                                                              \
    if (ddr_vcolumns_fit(list, &wanted, false) ||                                                  \
        ddr_vcolumns_extend_##word(pool, list, &wanted, DDR_GROWS_BEHIND, n))                      \
      ddr_vcolumns_lay_##word(list, by, lanes, n);                                                 \
  }                                                                                                \
  DDR_FN_SELDOM void ddr_vcolumns_merge_##word(                                                    \
      ddr_pool *pool, ddr_vcolumns *list, const ddr_vcolumns *old, ddr_lane_set lanes, size_t n) { \
    const ddr_lane_set others = DDR_ALL_LANES & ~lanes;                                            \
    const ddr_vcolumns by = *list;                                                                 \
    if (ddr_vcolumns_sum(old, others) < ddr_vcolumns_sum(list, lanes)) {                           \
      ddr_vcolumns_replace_##word(pool, list, old, others, n);                                     \
      return;                                                                                      \
    }                                                                                              \
    *list = *old;                                                                                  \
    ddr_vcolumns_replace_##word(pool, list, &by, lanes, n);                                        \
  }                                                                                                \
  DDR_VFN ddr_vcolumns ddr_vcolumns_merged_##word(ddr_pool *pool, ddr_vmask mask,                  \
                                                  ddr_vcolumns list, ddr_vcolumns old,             \
                                                  ddr_vmask alive, size_t n) {                     \
    const ddr_vint none = {0};                                                                     \
    if (list.buffer == old.buffer) {                                                               \
      list.length = ddr_vselect_int(mask, list.length, old.length);                                \
      list.begin = ddr_vselect_int(mask, list.begin, old.begin);                                   \
    } else if (!ddr_vany(alive & ~mask & ddr_vigt(old.length, none))) {                            \
      list.length = ddr_vselect_int(mask, list.length, none);                                      \
    } else {                                                                                       \
      ddr_vcolumns both = list, others = old;                                                      \
      both.length = ddr_vselect_int(alive & mask, list.length, none);                              \
      others.length = ddr_vselect_int(alive & ~mask, old.length, none);                            \
      ddr_vcolumns_merge_##word(pool, &both, &others, ddr_vlanes(mask), n);                        \
      list.length = both.length;                                                                   \
      list.begin = both.begin;                                                                     \
      list.buffer = both.buffer;                                                                   \
    }                                                                                              \
    return list;                                                                                   \
  }                                                                                                \
  DDR_FN_SELDOM ddr_seq ddr_vcolumns_lane_##word(ddr_pool *pool, const ddr_vcolumns *list,         \
                                                 int lane, size_t n) {                             \
    const int64_t length = list->length[lane];                                                     \
    ddr_seq_buffer *own = length > 0 ? ddr_seq_room(pool, length, n * sizeof(scalar), 0) : NULL;   \
    if (!own) return ddr_seq_empty();                                                              \
    const int shift = ddr_vcolumns_table(list->buffer)->shift;                                     \
    const in_lane *from = ddr_vcolumns_column_##word(list, lane, list->begin[lane], n);            \
    scalar *to = (scalar *)(void *)(own + 1);                                                      \
    own->used = (size_t)length * n * sizeof *to;                                                   \
    for (size_t i = 0; i < (size_t)length * n; i++) to[i] = from_lane(from[i << shift]);           \
    return (ddr_seq){own, length};                                                                 \
  }                                                                                                \
  DDR_VFN ddr_seq ddr_vcolumns_give_##word(ddr_pool *pool, ddr_vcolumns *list, int lane,           \
                                           size_t n) {                                             \
    const ddr_seq own = ddr_vcolumns_lane_##word(pool, list, lane, n);                             \
    list->length[lane] = 0;                                                                        \
    return own;                                                                                    \
  }                                                                                                \
  DDR_FN_SELDOM void ddr_vcolumns_put_##word(ddr_pool *pool, ddr_vcolumns *list, int lane,         \
                                             ddr_seq from, size_t n) {                             \
    const int64_t length = from.length;                                                            \
    list->length[lane] = 0;                                                                        \
    if (!ddr_vcolumns_owns(list, lane, length)) {                                                  \
      const ddr_rows_wanted wanted = {(ddr_lane_set)1 << lane, ddr_vint_all((ddr_int)length)};     \
      if (!ddr_vcolumns_extend_##word(pool, list, &wanted, DDR_GROWS_BEHIND, n)) return;           \
      ddr_vcolumns_table(list->buffer)->owner = list;                                              \
    }                                                                                              \
    ddr_column_table *table = ddr_vcolumns_table(list->buffer);                                    \
    in_lane *to = ddr_vcolumns_column_##word(list, lane, 0, n);                                    \
    const scalar *elements =                                                                       \
        length > 0 ? (const scalar *)(const void *)ddr_seq_elements(from.buffer) : NULL;           \
    for (size_t i = 0; i < (size_t)length * n; i++) to[i << table->shift] = to_lane(elements[i]);  \
    list->begin[lane] = table->floor[lane] = table->low[lane] = 0;                                 \
    list->length[lane] = table->used[lane] = (ddr_int)length;                                      \
  }
#define DDR_AS_IT_IS(x) (x)
#define DDR_IS_ON(x) ((x) != 0)
#define DDR_ALL_BITS(x) (-(ddr_mask_lane)(x))
DDR_VCOLUMNS(ddr_vreal, real, ddr_real, ddr_real, DDR_AS_IT_IS, DDR_AS_IT_IS)
DDR_VCOLUMNS(ddr_vint, int, ddr_int, ddr_int, DDR_AS_IT_IS, DDR_AS_IT_IS)
DDR_VCOLUMNS(ddr_vmask, bool, ddr_mask_lane, bool, DDR_IS_ON, DDR_ALL_BITS)
#undef DDR_VCOLUMNS
#undef DDR_AS_IT_IS
#undef DDR_IS_ON
#undef DDR_ALL_BITS

/* Spellings for generated code: a list of n elements, and one more element, scalar by scalar. */
#define DDR_VCOLUMNS_OF(pool, n, type, ...)                                                        \
  ddr_vcolumns_of_rows(pool, n, DDR_ELEMENTS_SIZE(type, __VA_ARGS__) / (n),                        \
                       DDR_ELEMENTS(type, __VA_ARGS__))
#define DDR_VCOLUMNS_WITH(with, pool, list, mask, type, ...)                                       \
  with(pool, list, mask, DDR_ELEMENTS_SIZE(type, __VA_ARGS__) / sizeof(type),                      \
       DDR_ELEMENTS(type, __VA_ARGS__))
