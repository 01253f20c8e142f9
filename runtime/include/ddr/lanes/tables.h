/* tables.h: dynamic sequences in lanes, each as long as it is: one list for each lane, in a column
 * of one table.
 *
 *   begin    0 0 2 0
 *   length   3 1 1 0
 *   row 0    a e . .      A row has n vectors: scalar k of an element of each lane.
 *   row 1    b . . .
 *   row 2    c . f .
 *
 * As for other sequences (ddr/seq.h), rows that belong to a list never change, so that copying a
 * list copies an address and two vectors. A list that ends where the used part of its column ends
 * is extended in place. Any other, and one that replaces another in some lanes, goes behind the
 * used part. When that is full, all lists are copied to another table, with room for as many rows
 * again; if elements are put before the first one, there is room before the lists, too. So a lane
 * copies its own elements only, whatever other lanes have. Memory is another matter: a table has as
 * many rows as its longest list, for each lane of the gang. Elements of inactive lanes do not
 * matter. Next: columns.h.
 */
#pragma once

#include "ddr/lanes/lists.h"

/* Without padding: compilers would copy that, too, with what was stored just before beside it, and
 * a load of both has to wait. */
typedef ddr_vint ddr_vlengths __attribute__((aligned(8)));
typedef struct ddr_vcolumns {
  ddr_vlengths length, begin; /* of the list of each lane: elements, and its first row */
  ddr_seq_buffer *buffer;     /* NULL: all are empty */
} ddr_vcolumns;

/* What the buffer begins with; then the rows, aligned. */
typedef struct ddr_column_table {
  ddr_int low[DDR_LANES], used[DDR_LANES]; /* the used part of each column: from low on */
  int64_t n_rows;
  const void *owner; /* the list whose columns ddr_vcolumns_put may replace */
} ddr_column_table;

enum { DDR_ROW_ALIGNMENT = 128, DDR_ROWS_MORE = 8 };

DDR_VFN ddr_vcolumns ddr_vcolumns_empty(void) { return (ddr_vcolumns){0}; }

DDR_VFN ddr_column_table *ddr_vcolumns_table(const ddr_seq_buffer *buffer) {
  return (ddr_column_table *)((uintptr_t)buffer + sizeof *buffer);
}

DDR_VFN void *ddr_vcolumns_rows(const ddr_seq_buffer *buffer) {
  const uintptr_t end = (uintptr_t)buffer + sizeof *buffer + sizeof(ddr_column_table);
  return (void *)((end + DDR_ROW_ALIGNMENT - 1) / DDR_ROW_ALIGNMENT * DDR_ROW_ALIGNMENT);
}

/* --- tables ----------------------------------------------------------------------------------- */

/* Of the lists of some lanes. */
DDR_VFN ddr_int ddr_vcolumns_longest(const ddr_vcolumns *list, ddr_lane_set lanes) {
  ddr_int most = 0;
  for (int lane = 0; lane < DDR_LANES; lane++)
    most = lanes >> lane & 1 && list->length[lane] > most ? list->length[lane] : most;
  return most;
}

/* Makes a table of n rows of `size` bytes each, and as many as `front` before them; false: memory
 * is short. The list is empty. */
DDR_FN_SELDOM bool ddr_vcolumns_make(ddr_pool *pool, ddr_vcolumns *list, int64_t n, ddr_int front,
                                     size_t size) {
  const size_t more = sizeof(ddr_column_table) + DDR_ROW_ALIGNMENT;
  *list = (ddr_vcolumns){.buffer = ddr_seq_room(pool, n + front, size, more)};
  if (!list->buffer) return false;
  ddr_column_table *table = ddr_vcolumns_table(list->buffer);
  *table = (ddr_column_table){.n_rows = n + front};
  for (int lane = 0; lane < DDR_LANES; lane++)
    table->low[lane] = table->used[lane] = list->begin[lane] = front;
  return true;
}

/* After the rows of a new table have been filled. */
DDR_VFN void ddr_vcolumns_fill(ddr_vcolumns *list, ddr_vint length) {
  const ddr_vint used = ddr_viadd(list->begin, length);
  list->length = length;
  memcpy(ddr_vcolumns_table(list->buffer)->used, &used, sizeof used);
}

/* The number of elements in the lists of some lanes. */
DDR_VFN int64_t ddr_vcolumns_sum(const ddr_vcolumns *list, ddr_lane_set lanes) {
  int64_t n = 0;
  for (int lane = 0; lane < DDR_LANES; lane++) n += lanes >> lane & 1 ? list->length[lane] : 0;
  return n;
}

/* The row where all lists of the lanes begin; -1: they begin at several. */
DDR_VFN int64_t ddr_vcolumns_first(const ddr_vcolumns *list) {
  int64_t first = -1;
  for (int lane = 0; lane < DDR_LANES; lane++) {
    if (list->length[lane] == 0) continue;
    if (first >= 0 && list->begin[lane] != first) return -1;
    first = list->begin[lane];
  }
  return first < 0 ? 0 : first;
}

/* Whether the table is that of the list, and has n rows. */
DDR_VFN bool ddr_vcolumns_owns(const ddr_vcolumns *list, int64_t n) {
  if (!list->buffer) return false;
  const ddr_column_table *table = ddr_vcolumns_table(list->buffer);
  return table->owner == list && n <= table->n_rows;
}

/* Whether each lane of the mask can get an element in place. */
DDR_VFN bool ddr_vcolumns_have_room(ddr_vcolumns list, ddr_vmask mask) {
  ddr_vint used;
  if (!list.buffer) return false;
  const ddr_column_table *table = ddr_vcolumns_table(list.buffer);
  memcpy(&used, table->used, sizeof used);
  const ddr_vint end = ddr_viadd(list.begin, list.length);
  const ddr_vmask is_full = ddr_vige(end, ddr_vint_all((ddr_int)table->n_rows));
  return !ddr_vany(mask & (is_full | ddr_vine(end, used)));
}

/* Whether it can get one before its first. */
DDR_VFN bool ddr_vcolumns_have_front(ddr_vcolumns list, ddr_vmask mask) {
  ddr_vint low;
  if (!list.buffer) return false;
  memcpy(&low, ddr_vcolumns_table(list.buffer)->low, sizeof low);
  const ddr_vmask is_full = ddr_vile(list.begin, (ddr_vint){0});
  return !ddr_vany(mask & (is_full | ddr_vine(list.begin, low)));
}

/* Lists with as many elements in all lanes, given row by row. */
DDR_VFN ddr_vcolumns ddr_vcolumns_of_rows(ddr_pool *pool, int64_t n, size_t size,
                                          const void *rows) {
  ddr_vcolumns list = {0};
  if (n == 0 || !ddr_vcolumns_make(pool, &list, n, 0, size)) return list;
  memcpy(ddr_vcolumns_rows(list.buffer), rows, (size_t)n * size);
  ddr_vcolumns_fill(&list, ddr_vint_all((ddr_int)n));
  return list;
}

/* An even list as columns. */
DDR_VFN ddr_vcolumns ddr_vcolumns_of_even(ddr_pool *pool, ddr_seq list, size_t size) {
  if (list.length == 0) return ddr_vcolumns_empty();
  return ddr_vcolumns_of_rows(pool, list.length, size, ddr_seq_elements(list.buffer));
}

/* After a step: the table is still in use. */
DDR_VFN void ddr_vcolumns_keep(const ddr_vcolumns *list) {
  if (list->buffer) list->buffer->is_kept = true;
}

/* In each lane of the set lo, lo+1, ..., hi; there the list is empty if lo > hi. */
DDR_FN_SELDOM void ddr_vcolumns_count(ddr_pool *pool, ddr_vcolumns *list, const ddr_vint *lo,
                                      const ddr_vint *hi, ddr_lane_set lanes) {
  int64_t n[DDR_LANES] = {0}, most = 0;
  ddr_vint length = {0};
  for (ddr_lane_set on = lanes; on != 0;) {
    const int lane = ddr_next_lane(&on);
    const uint64_t last = (uint64_t)(*hi)[lane] - (uint64_t)(*lo)[lane];
    if ((*lo)[lane] > (*hi)[lane]) continue;
    n[lane] = last < INT64_MAX ? (int64_t)last + 1 : INT64_MAX; /* which is refused below */
    most = n[lane] > most ? n[lane] : most;
  }
  *list = ddr_vcolumns_empty();
  if (most == 0 || !ddr_vcolumns_make(pool, list, most, 0, sizeof *lo)) return;
  ddr_vint *row = ddr_vcolumns_rows(list->buffer);
  for (int64_t k = 0; k < most; k++) row[k] = ddr_viadd(*lo, ddr_vint_all((ddr_int)k));
  for (int lane = 0; lane < DDR_LANES; lane++) length[lane] = (ddr_int)n[lane];
  ddr_vcolumns_fill(list, length);
}

DDR_VFN ddr_vcolumns ddr_vcolumns_range(ddr_pool *pool, ddr_vmask mask, ddr_vint lo, ddr_vint hi) {
  ddr_vcolumns list;
  ddr_vcolumns_count(pool, &list, &lo, &hi, ddr_vlanes(mask));
  return list;
}

/* --- room ------------------------------------------------------------------------------------- */

/* What is to be added to the lists of some lanes: rows before and behind each. */
typedef struct ddr_rows_wanted {
  ddr_lane_set lanes;
  int64_t before, behind;
} ddr_rows_wanted;

DDR_VFN bool ddr_vcolumns_moves(const ddr_vcolumns *list, int lane, const ddr_rows_wanted *wanted) {
  const ddr_int end = (ddr_int)(list->begin[lane] + list->length[lane]);
  return wanted->before > 0 || end != ddr_vcolumns_table(list->buffer)->used[lane];
}

/* Whether a list of the lanes begins at the first row of the table, so that nothing can be put
 * before it. */
DDR_VFN bool ddr_vcolumns_is_first(const ddr_vcolumns *list, ddr_lane_set lanes) {
  if (!list->buffer) return true;
  const ddr_column_table *table = ddr_vcolumns_table(list->buffer);
  for (int lane = 0; lane < DDR_LANES; lane++)
    if (lanes >> lane & 1 && list->begin[lane] == 0 && table->low[lane] == 0) return true;
  return false;
}

/* Whether all of that fits into the table. */
DDR_VFN bool ddr_vcolumns_fit(const ddr_vcolumns *list, const ddr_rows_wanted *wanted) {
  if (!list->buffer) return false;
  const ddr_column_table *table = ddr_vcolumns_table(list->buffer);
  for (ddr_lane_set on = wanted->lanes; on != 0;) {
    const int lane = ddr_next_lane(&on);
    const bool moves = ddr_vcolumns_moves(list, lane, wanted);
    const int64_t n = wanted->before + wanted->behind + (moves ? list->length[lane] : 0);
    if (table->used[lane] + n > table->n_rows) return false;
  }
  return true;
}

/* For each word of real, int and bool:
 *
 * ddr_vcolumns_at      scalar k of an element of each lane; indices are clamped
 * ddr_vcolumns_lay     copies lists of some lanes behind the used parts of other columns
 * ddr_vcolumns_extend  copies all lists to another table, with more rows and as many again
 * ddr_vcolumns_prepare makes room; lists that move are copied
 * ddr_vcolumns_open    makes room for one element before the first
 * ddr_vcolumns_write   stores an element of n vectors in the lanes of a mask, in their rows */
#define DDR_VCOLUMNS_ROOM(type, word, in_lane)                                                     \
  DDR_VFN type ddr_vcolumns_at_##word(ddr_vcolumns list, ddr_vint idx, size_t n, size_t k) {       \
    type element = {0};                                                                            \
    if (!list.buffer) return element;                                                              \
    const in_lane *first = (const in_lane *)ddr_vcolumns_rows(list.buffer);                        \
    const ddr_vint last = ddr_visub(list.length, ddr_vint_all(1));                                 \
    const ddr_vint near = ddr_vimax(ddr_vimin(idx, last), (ddr_vint){0});                          \
    const ddr_vmask is_there = ddr_vigt(list.length, (ddr_vint){0});                               \
    const ddr_vint row = ddr_vselect_int(is_there, ddr_viadd(list.begin, near), (ddr_vint){0});    \
    DDR_EVERY_LANE(lane)                                                                           \
    element[lane] = first[((size_t)row[lane] * n + k) * DDR_LANES + (size_t)lane];                 \
    return ddr_vselect_##word(is_there, element, (type){0});                                       \
  }                                                                                                \
  DDR_VFN void ddr_vcolumns_copy_##word(in_lane *to, const in_lane *from, size_t n) {              \
    for (size_t i = 0; i < n; i++) to[i * DDR_LANES] = from[i * DDR_LANES];                        \
  }                                                                                                \
  DDR_FN_SELDOM void ddr_vcolumns_lay_##word(ddr_vcolumns *list, const ddr_vcolumns *from,         \
                                             ddr_lane_set lanes, size_t n) {                       \
    ddr_column_table *table = ddr_vcolumns_table(list->buffer);                                    \
    type *rows = (type *)ddr_vcolumns_rows(list->buffer);                                          \
    for (ddr_lane_set on = lanes; on != 0;) {                                                      \
      const int lane = ddr_next_lane(&on);                                                         \
      const size_t length = (size_t)from->length[lane], begin = (size_t)from->begin[lane];         \
      list->begin[lane] = table->used[lane];                                                       \
      list->length[lane] = (ddr_int)length;                                                        \
      if (length == 0) continue;                                                                   \
      const type *old = (const type *)ddr_vcolumns_rows(from->buffer);                             \
      ddr_vcolumns_copy_##word((in_lane *)(rows + (size_t)table->used[lane] * n) + lane,           \
                               (const in_lane *)(old + begin * n) + lane, length * n);             \
      table->used[lane] = (ddr_int)(table->used[lane] + (ddr_int)length);                          \
    }                                                                                              \
  }                                                                                                \
  DDR_FN_SELDOM bool ddr_vcolumns_extend_##word(ddr_pool *pool, ddr_vcolumns *list, int64_t more,  \
                                                ddr_int front, size_t n) {                         \
    const ddr_vcolumns old = *list;                                                                \
    const int64_t n_there = ddr_vcolumns_longest(list, DDR_ALL_LANES),                             \
                  first = ddr_vcolumns_first(list);                                                \
    const int64_t n_spare = n_there < INT32_MAX / 2 ? n_there : 0;                                 \
    if (!ddr_vcolumns_make(pool, list, n_there + more + n_spare, front, n * sizeof(type)))         \
      return false;                                                                                \
    if (n_there == 0) return true;                                                                 \
    type *rows = (type *)ddr_vcolumns_rows(list->buffer) + (size_t)front * n;                      \
    if (first >= 0) {                                                                              \
      const type *from = (const type *)ddr_vcolumns_rows(old.buffer);                              \
      memcpy(rows, from + (size_t)first * n, (size_t)n_there * n * sizeof *rows);                  \
      ddr_vcolumns_fill(list, old.length);                                                         \
    } else if (4 * ddr_vcolumns_sum(&old, DDR_ALL_LANES) < n_there * DDR_LANES) {                  \
      ddr_vcolumns_lay_##word(list, &old, DDR_ALL_LANES, n);                                       \
    } else {                                                                                       \
      for (size_t i = 0; i < (size_t)n_there * n; i++)                                             \
        rows[i] = ddr_vcolumns_at_##word(old, ddr_vint_all((ddr_int)(i / n)), n, i % n);           \
      ddr_vcolumns_fill(list, old.length);                                                         \
    }                                                                                              \
    return true;                                                                                   \
  }                                                                                                \
  DDR_FN_SELDOM bool ddr_vcolumns_prepare_##word(ddr_pool *pool, ddr_vcolumns *list,               \
                                                 const ddr_rows_wanted *wanted, size_t n) {        \
    const int64_t more = wanted->before + wanted->behind + DDR_ROWS_MORE;                          \
    if (!ddr_vcolumns_fit(list, wanted)) {                                                         \
      const int64_t moved = wanted->before > 0 ? ddr_vcolumns_longest(list, DDR_ALL_LANES) : 0;    \
      if (!ddr_vcolumns_extend_##word(pool, list, more + moved, 0, n)) return false;               \
    }                                                                                              \
    ddr_column_table *table = ddr_vcolumns_table(list->buffer);                                    \
    const ddr_vcolumns old = *list;                                                                \
    for (ddr_lane_set on = wanted->lanes; on != 0;) {                                              \
      const int lane = ddr_next_lane(&on);                                                         \
      if (!ddr_vcolumns_moves(&old, lane, wanted)) continue;                                       \
      const ddr_int begin = table->used[lane];                                                     \
      table->used[lane] = (ddr_int)(begin + (ddr_int)wanted->before);                              \
      ddr_vcolumns_lay_##word(list, &old, (ddr_lane_set)1 << lane, n);                             \
      list->begin[lane] = begin;                                                                   \
    }                                                                                              \
    return true;                                                                                   \
  }                                                                                                \
  DDR_FN_SELDOM bool ddr_vcolumns_open_##word(ddr_pool *pool, ddr_vcolumns *list,                  \
                                              ddr_lane_set lanes, size_t n) {                      \
    const ddr_rows_wanted wanted = {lanes, 1, 0};                                                  \
    const int64_t n_own = ddr_vcolumns_sum(list, lanes) + 1;                                       \
    if (ddr_vcolumns_is_first(list, lanes) ||                                                      \
        DDR_LANES * n_own >= ddr_vcolumns_longest(list, DDR_ALL_LANES)) {                          \
      const ddr_int front = (ddr_int)(ddr_vcolumns_longest(list, DDR_ALL_LANES) + DDR_ROWS_MORE);  \
      return ddr_vcolumns_extend_##word(pool, list, DDR_ROWS_MORE, front, n);                      \
    }                                                                                              \
    if (!ddr_vcolumns_prepare_##word(pool, list, &wanted, n)) return false;                        \
    for (int lane = 0; lane < DDR_LANES; lane++)                                                   \
      list->begin[lane] = (ddr_int)(list->begin[lane] + (ddr_int)(lanes >> lane & 1));             \
    return true;                                                                                   \
  }                                                                                                \
  DDR_VFN void ddr_vcolumns_write_##word(type *rows, ddr_vint at, ddr_vmask mask, size_t n,        \
                                         const type *element) {                                    \
    const ddr_int first = at[0]; /* most often it is the same row in all lanes */                  \
    const ddr_lane_set lanes = ddr_vlanes(mask);                                                   \
    if (!ddr_vany(mask & ddr_vine(at, ddr_vint_all(first)))) {                                     \
      type *row = rows + (size_t)first * n;                                                        \
      for (size_t k = 0; lanes != 0 && k < n; k++)                                                 \
        row[k] = ddr_vselect_##word(mask, element[k], row[k]);                                     \
      return;                                                                                      \
    }                                                                                              \
    for (ddr_lane_set on = lanes; on != 0;) {                                                      \
      const int lane = ddr_next_lane(&on);                                                         \
      in_lane *to = (in_lane *)(rows + (size_t)at[lane] * n) + lane;                               \
      for (size_t k = 0; k < n; k++) to[k * DDR_LANES] = element[k][lane];                         \
    }                                                                                              \
  }
DDR_VCOLUMNS_ROOM(ddr_vreal, real, ddr_real)
DDR_VCOLUMNS_ROOM(ddr_vint, int, ddr_int)
DDR_VCOLUMNS_ROOM(ddr_vmask, bool, ddr_mask_lane)
#undef DDR_VCOLUMNS_ROOM
