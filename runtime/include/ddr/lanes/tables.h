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
 * is extended in place, and one that begins where that begins, if there is room before it. Any
 * other, and one that replaces another in some lanes, goes behind the used part. When that is full,
 * all lists are copied to another table, with room for as many elements again. So a lane copies its
 * own elements only, whatever other lanes have.
 *
 * Where most of the rows would be empty, because few lists are long, a table has one column after
 * the other instead, each of its own length: a b c . e f. For a lane it is the same: its column
 * begins at `base`, and so many scalars on is the next. Elements of inactive lanes do not matter.
 * Next: columns.h.
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
  ddr_int floor[DDR_LANES], low[DDR_LANES]; /* rows before low are free from floor on */
  ddr_int used[DDR_LANES], n_rows[DDR_LANES];
  int64_t base[DDR_LANES]; /* the first scalar of each column */
  int shift;               /* 1 << shift scalars further is the next: in the next row, or beside */
  const void *owner;       /* the list whose columns ddr_vcolumns_put may replace */
} ddr_column_table;

/* rows that a list gets besides at least, if it grows; and of a table in which most may be empty */
#if defined(DDR_SMALL_SIZES)
enum { DDR_ROWS_MORE = 1, DDR_ROWS_FEW = 4 };
#else
enum { DDR_ROWS_MORE = 8, DDR_ROWS_FEW = 8192 };
#endif
enum { DDR_ROW_ALIGNMENT = 128, DDR_ROW_SHIFT = DDR_LANES == 16 ? 4 : DDR_LANES == 8 ? 3 : 2 };

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

/* Where there will be room for as many elements again. */
typedef enum ddr_growth { DDR_GROWS_NOWHERE, DDR_GROWS_BEHIND, DDR_GROWS_BEFORE } ddr_growth;

/* Sets the sizes of all columns, for so many elements of n scalars each, and returns their sum:
 * packed, one column follows the other, and behind the last is room for one element, which loads
 * may read where a column has none; else all are as long as the longest needs. */
DDR_VFN int64_t ddr_column_sizes(ddr_column_table *table, const int64_t *wanted, int64_t most,
                                 bool is_packed, ddr_growth growth, size_t n) {
  int64_t sum = 0;
  table->shift = is_packed ? 0 : DDR_ROW_SHIFT;
  for (int lane = 0; lane < DDR_LANES; lane++) {
    const int64_t own = is_packed ? wanted[lane] : most;
    const int64_t again = own + (is_packed ? most / DDR_LANES : 0) + DDR_ROWS_MORE;
    const int64_t limit = (DDR_INT_MAX - own) / 2, more = again < limit ? again : limit;
    table->base[lane] = is_packed ? sum * (int64_t)n : lane;
    table->low[lane] = table->used[lane] = growth == DDR_GROWS_BEFORE ? (ddr_int)more : 0;
    table->n_rows[lane] = (ddr_int)(own + growth * more);
    sum += table->n_rows[lane];
  }
  return sum + is_packed;
}

/* Makes a table with room for so many elements of each lane, of n scalars of `size` bytes each;
 * false: memory is short. The list is empty. */
DDR_FN_SELDOM bool ddr_vcolumns_make(ddr_pool *pool, ddr_vcolumns *list, const int64_t *wanted,
                                     ddr_growth growth, size_t n, size_t size) {
  const size_t head = sizeof(ddr_column_table) + DDR_ROW_ALIGNMENT;
  int64_t most = 0, sum = 0, others = 0;
  ddr_column_table table = {.owner = NULL};
  *list = (ddr_vcolumns){.buffer = NULL};
  for (int lane = 0; lane < DDR_LANES; lane++) most = wanted[lane] > most ? wanted[lane] : most;
  if (most <= DDR_INT_MAX && most < INT64_MAX / 8 / DDR_LANES / (int64_t)(n * size)) {
    for (int lane = 0; lane < DDR_LANES; lane++) sum += wanted[lane];
    const bool is_packed = most > DDR_ROWS_FEW && DDR_LANES * most > 3 * sum;
    others = ddr_column_sizes(&table, wanted, most, is_packed, growth, n) - most;
  } /* else it is refused */
  list->buffer = ddr_seq_room(pool, most, n * size, (size_t)others * n * size + head);
  if (!list->buffer) return false;
  *ddr_vcolumns_table(list->buffer) = table;
  memcpy(&list->begin, table.used, sizeof table.used);
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

/* Whether the table is that of the list, and its column has n rows in a lane. */
DDR_VFN bool ddr_vcolumns_owns(const ddr_vcolumns *list, int lane, int64_t n) {
  if (!list->buffer) return false;
  const ddr_column_table *table = ddr_vcolumns_table(list->buffer);
  return table->owner == list && n <= table->n_rows[lane];
}

/* Whether each lane of the mask can get an element in place. */
DDR_VFN bool ddr_vcolumns_have_room(ddr_vcolumns list, ddr_vmask mask) {
  ddr_vint used, n_rows;
  if (!list.buffer) return false;
  const ddr_column_table *table = ddr_vcolumns_table(list.buffer);
  memcpy(&used, table->used, sizeof used);
  memcpy(&n_rows, table->n_rows, sizeof n_rows);
  const ddr_vint end = ddr_viadd(list.begin, list.length);
  return !ddr_vany(mask & (ddr_vige(end, n_rows) | ddr_vine(end, used)));
}

/* Whether it can get one before its first. */
DDR_VFN bool ddr_vcolumns_have_front(ddr_vcolumns list, ddr_vmask mask) {
  ddr_vint low, floor;
  if (!list.buffer) return false;
  memcpy(&low, ddr_vcolumns_table(list.buffer)->low, sizeof low);
  memcpy(&floor, ddr_vcolumns_table(list.buffer)->floor, sizeof floor);
  return !ddr_vany(mask & (ddr_vile(list.begin, floor) | ddr_vine(list.begin, low)));
}

/* Lists with as many elements in all lanes, given row by row. */
DDR_VFN ddr_vcolumns ddr_vcolumns_of_rows(ddr_pool *pool, int64_t n, size_t size,
                                          const void *rows) {
  ddr_vcolumns list = {0};
  int64_t wanted[DDR_LANES];
  for (int lane = 0; lane < DDR_LANES; lane++) wanted[lane] = n;
  if (n == 0 || !ddr_vcolumns_make(pool, &list, wanted, DDR_GROWS_NOWHERE, 1, size / DDR_LANES))
    return list;
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
  if (most == 0 || !ddr_vcolumns_make(pool, list, n, DDR_GROWS_NOWHERE, 1, sizeof(ddr_int))) return;
  const ddr_column_table *table = ddr_vcolumns_table(list->buffer);
  ddr_vint *rows = ddr_vcolumns_rows(list->buffer);
  for (int64_t k = 0; table->shift > 0 && k < most; k++)
    rows[k] = ddr_viadd(*lo, ddr_vint_all((ddr_int)k));
  for (int lane = 0; lane < DDR_LANES; lane++) {
    ddr_int *column = (ddr_int *)rows + table->base[lane];
    for (int64_t k = 0; table->shift == 0 && k < n[lane]; k++)
      column[k] = (ddr_int)((*lo)[lane] + (ddr_int)k);
    length[lane] = (ddr_int)n[lane];
  }
  ddr_vcolumns_fill(list, length);
}

DDR_VFN ddr_vcolumns ddr_vcolumns_range(ddr_pool *pool, ddr_vmask mask, ddr_vint lo, ddr_vint hi) {
  ddr_vcolumns list;
  ddr_vcolumns_count(pool, &list, &lo, &hi, ddr_vlanes(mask));
  return list;
}

/* --- room ------------------------------------------------------------------------------------- */

/* Elements that are added to the lists of some lanes. */
typedef struct ddr_rows_wanted {
  ddr_lane_set lanes;
  ddr_vint more;
} ddr_rows_wanted;

DDR_VFN bool ddr_vcolumns_ends_inside(const ddr_vcolumns *list, int lane) {
  const ddr_int end = (ddr_int)(list->begin[lane] + list->length[lane]);
  return end != ddr_vcolumns_table(list->buffer)->used[lane];
}

/* Whether the table has room for them behind the lists, which move if others lie there, or all. */
DDR_VFN bool ddr_vcolumns_fit(const ddr_vcolumns *list, const ddr_rows_wanted *wanted, bool all) {
  if (!list->buffer) return false;
  const ddr_column_table *table = ddr_vcolumns_table(list->buffer);
  for (ddr_lane_set on = wanted->lanes; on != 0;) {
    const int lane = ddr_next_lane(&on);
    const bool moves = all || ddr_vcolumns_ends_inside(list, lane);
    const int64_t n = (int64_t)wanted->more[lane] + (moves ? list->length[lane] : 0);
    if (n > table->n_rows[lane] - table->used[lane]) return false;
  }
  return true;
}

/* Whether so many elements can be put before the lists, in place. */
DDR_VFN bool ddr_vcolumns_fit_before(const ddr_vcolumns *list, const ddr_rows_wanted *wanted) {
  if (!list->buffer) return false;
  const ddr_column_table *table = ddr_vcolumns_table(list->buffer);
  for (ddr_lane_set on = wanted->lanes; on != 0;) {
    const int lane = ddr_next_lane(&on);
    if (list->begin[lane] != table->low[lane]) return false;
    if (wanted->more[lane] > table->low[lane] - table->floor[lane]) return false;
  }
  return true;
}

/* In a new table: the room before lists that are nearly as long as possible is too small for what
 * is wanted there, but behind them is as much. */
DDR_VFN bool ddr_vcolumns_move_down(ddr_vcolumns *list, const ddr_rows_wanted *wanted) {
  ddr_column_table *table = ddr_vcolumns_table(list->buffer);
  bool is_any = false;
  for (ddr_lane_set on = wanted->lanes; on != 0;) {
    const int lane = ddr_next_lane(&on);
    if (list->begin[lane] >= wanted->more[lane]) continue;
    list->begin[lane] = (ddr_int)(list->begin[lane] + wanted->more[lane]);
    table->low[lane] = table->used[lane] = list->begin[lane];
    is_any = true;
  }
  return is_any;
}

/* For each word of real, int and bool:
 *
 * ddr_vcolumns_at      scalar k of an element of each lane; indices are clamped
 * ddr_vcolumns_one     that of one lane, in all
 * ddr_vcolumns_column  where an element of a lane is
 * ddr_vcolumns_copy    copies n scalars that are 1 << shift apart
 * ddr_vcolumns_lay     copies lists of some lanes behind the used parts of other columns
 * ddr_vcolumns_extend  copies all lists to another table, with more rows and as many again
 * ddr_vcolumns_prepare makes room; lists that move are copied
 * ddr_vcolumns_open    makes room for elements before the first
 * ddr_vcolumns_write   stores an element of n vectors in the lanes of a mask, in their rows */
#define DDR_VCOLUMNS_ROOM(type, word, in_lane)                                                     \
  DDR_VFN in_lane *ddr_vcolumns_column_##word(const ddr_vcolumns *list, int lane, ddr_int row,     \
                                              size_t n) {                                          \
    const ddr_column_table *table = ddr_vcolumns_table(list->buffer);                              \
    return (in_lane *)ddr_vcolumns_rows(list->buffer) + table->base[lane] +                        \
           ((int64_t)((size_t)row * n) << table->shift);                                           \
  }                                                                                                \
  DDR_VFN type ddr_vcolumns_at_##word(ddr_vcolumns list, ddr_vint idx, size_t n, size_t k) {       \
    type element = {0};                                                                            \
    if (!list.buffer) return element;                                                              \
    const ddr_column_table *table = ddr_vcolumns_table(list.buffer);                               \
    const in_lane *first = (const in_lane *)ddr_vcolumns_rows(list.buffer);                        \
    const ddr_vint last = ddr_visub(list.length, ddr_vint_all(1));                                 \
    const ddr_vint near = ddr_vimax(ddr_vimin(idx, last), (ddr_vint){0});                          \
    const ddr_vmask is_there = ddr_vigt(list.length, (ddr_vint){0});                               \
    const ddr_vint row = ddr_vselect_int(is_there, ddr_viadd(list.begin, near), (ddr_vint){0});    \
    DDR_EVERY_LANE(lane)                                                                           \
    element[lane] =                                                                                \
        first[table->base[lane] + ((int64_t)((size_t)row[lane] * n + k) << table->shift)];         \
    return ddr_vselect_##word(is_there, element, (type){0});                                       \
  }                                                                                                \
  DDR_VFN type ddr_vcolumns_one_##word(const ddr_vcolumns *list, int lane, ddr_int idx, size_t n,  \
                                       size_t k) {                                                 \
    const ddr_int length = list->length[lane];                                                     \
    if (length == 0) return (type){0};                                                             \
    const ddr_int row = (ddr_int)(list->begin[lane] + (ddr_int)ddr_seq_nearest(idx, length));      \
    const in_lane *element = ddr_vcolumns_column_##word(list, lane, row, n);                       \
    return element[k << ddr_vcolumns_table(list->buffer)->shift] - (type){0};                      \
  }                                                                                                \
  DDR_VFN void ddr_vcolumns_copy_##word(in_lane *to, int shift, const in_lane *from,               \
                                        int its_shift, size_t n) {                                 \
    if (shift == 0 && its_shift == 0) memcpy(to, from, n * sizeof *to);                            \
    else                                                                                           \
      for (size_t i = 0; i < n; i++) to[i << shift] = from[i << its_shift];                        \
  }                                                                                                \
  DDR_FN_SELDOM void ddr_vcolumns_lay_##word(ddr_vcolumns *list, const ddr_vcolumns *from,         \
                                             ddr_lane_set lanes, size_t n) {                       \
    ddr_column_table *table = ddr_vcolumns_table(list->buffer);                                    \
    for (ddr_lane_set on = lanes; on != 0;) {                                                      \
      const int lane = ddr_next_lane(&on);                                                         \
      const ddr_int length = from->length[lane], begin = table->used[lane];                        \
      list->begin[lane] = begin;                                                                   \
      list->length[lane] = length;                                                                 \
      if (length == 0) continue;                                                                   \
      ddr_vcolumns_copy_##word(ddr_vcolumns_column_##word(list, lane, begin, n), table->shift,     \
                               ddr_vcolumns_column_##word(from, lane, from->begin[lane], n),       \
                               ddr_vcolumns_table(from->buffer)->shift, (size_t)length *n);        \
      table->used[lane] = (ddr_int)(begin + length);                                               \
    }                                                                                              \
  }                                                                                                \
  DDR_FN_SELDOM bool ddr_vcolumns_extend_##word(ddr_pool *pool, ddr_vcolumns *list,                \
                                                const ddr_rows_wanted *wanted, ddr_growth growth,  \
                                                size_t n) {                                        \
    const ddr_vcolumns old = *list;                                                                \
    const int64_t n_there = ddr_vcolumns_longest(list, DDR_ALL_LANES);                             \
    int64_t n_wanted[DDR_LANES];                                                                   \
    for (int lane = 0; lane < DDR_LANES; lane++)                                                   \
      n_wanted[lane] = (int64_t)list->length[lane] +                                               \
                       (wanted->lanes >> lane & 1 ? (int64_t)wanted->more[lane] : 0);              \
    if (!ddr_vcolumns_make(pool, list, n_wanted, growth, n, sizeof(in_lane))) return false;        \
    const bool moved = growth == DDR_GROWS_BEFORE && ddr_vcolumns_move_down(list, wanted);         \
    if (n_there == 0) return true;                                                                 \
    const int64_t first = ddr_vcolumns_first(&old);                                                \
    const bool are_rows = ddr_vcolumns_table(list->buffer)->shift > 0 &&                           \
                          ddr_vcolumns_table(old.buffer)->shift > 0 && !moved;                     \
    type *rows = (type *)ddr_vcolumns_rows(list->buffer) + (size_t)list->begin[0] * n;             \
    if (are_rows && first >= 0) {                                                                  \
      const type *from = (const type *)ddr_vcolumns_rows(old.buffer);                              \
      memcpy(rows, from + (size_t)first * n, (size_t)n_there * n * sizeof *rows);                  \
    } else if (!are_rows || 4 * ddr_vcolumns_sum(&old, DDR_ALL_LANES) < n_there * DDR_LANES) {     \
      ddr_vcolumns_lay_##word(list, &old, DDR_ALL_LANES, n);                                       \
      return true;                                                                                 \
    } else {                                                                                       \
      for (size_t i = 0; i < (size_t)n_there * n; i++)                                             \
        rows[i] = ddr_vcolumns_at_##word(old, ddr_vint_all((ddr_int)(i / n)), n, i % n);           \
    }                                                                                              \
    ddr_vcolumns_fill(list, old.length);                                                           \
    return true;                                                                                   \
  }                                                                                                \
  DDR_FN_SELDOM bool ddr_vcolumns_prepare_##word(ddr_pool *pool, ddr_vcolumns *list,               \
                                                 const ddr_rows_wanted *wanted, size_t n) {        \
    if (!ddr_vcolumns_fit(list, wanted, false))                                                    \
      return ddr_vcolumns_extend_##word(pool, list, wanted, DDR_GROWS_BEHIND, n);                  \
    const ddr_vcolumns old = *list;                                                                \
    for (ddr_lane_set on = wanted->lanes; on != 0;) {                                              \
      const int lane = ddr_next_lane(&on);                                                         \
      if (ddr_vcolumns_ends_inside(&old, lane))                                                    \
        ddr_vcolumns_lay_##word(list, &old, (ddr_lane_set)1 << lane, n);                           \
    }                                                                                              \
    return true;                                                                                   \
  }                                                                                                \
  DDR_FN_SELDOM bool ddr_vcolumns_open_##word(ddr_pool *pool, ddr_vcolumns *list,                  \
                                              const ddr_rows_wanted *wanted, size_t n) {           \
    const ddr_vint again = ddr_viadd(list->length >> 1, ddr_vint_all(DDR_ROWS_MORE));              \
    const ddr_rows_wanted room = {wanted->lanes, ddr_vimax(again, wanted->more)};                  \
    if (ddr_vcolumns_fit_before(list, wanted)) return true;                                        \
    if (!ddr_vcolumns_fit(list, &room, true))                                                      \
      return ddr_vcolumns_extend_##word(pool, list, wanted, DDR_GROWS_BEFORE, n);                  \
    ddr_column_table *table = ddr_vcolumns_table(list->buffer);                                    \
    const ddr_vcolumns old = *list;                                                                \
    for (ddr_lane_set on = wanted->lanes; on != 0;) {                                              \
      const int lane = ddr_next_lane(&on);                                                         \
      table->floor[lane] = table->used[lane];                                                      \
      table->low[lane] = (ddr_int)(table->used[lane] + room.more[lane]);                           \
      table->used[lane] = table->low[lane];                                                        \
      ddr_vcolumns_lay_##word(list, &old, (ddr_lane_set)1 << lane, n);                             \
    }                                                                                              \
    return true;                                                                                   \
  }                                                                                                \
  DDR_VFN void ddr_vcolumns_write_##word(ddr_vcolumns list, ddr_vint at, ddr_vmask mask, size_t n, \
                                         const type *element) {                                    \
    const ddr_column_table *table = ddr_vcolumns_table(list.buffer);                               \
    type *rows = (type *)ddr_vcolumns_rows(list.buffer);                                           \
    const ddr_int first = at[0]; /* most often it is the same row in all lanes */                  \
    const ddr_lane_set lanes = ddr_vlanes(mask);                                                   \
    if (table->shift > 0 && !ddr_vany(mask & ddr_vine(at, ddr_vint_all(first)))) {                 \
      type *row = rows + (size_t)first * n;                                                        \
      for (size_t k = 0; lanes != 0 && k < n; k++)                                                 \
        row[k] = ddr_vselect_##word(mask, element[k], row[k]);                                     \
      return;                                                                                      \
    }                                                                                              \
    for (ddr_lane_set on = lanes; on != 0;) {                                                      \
      const int lane = ddr_next_lane(&on);                                                         \
      in_lane *to =                                                                                \
          (in_lane *)rows + table->base[lane] + ((int64_t)((size_t)at[lane] * n) << table->shift); \
      for (size_t k = 0; k < n; k++) to[k << table->shift] = element[k][lane];                     \
    }                                                                                              \
  }
DDR_VCOLUMNS_ROOM(ddr_vreal, real, ddr_real)
DDR_VCOLUMNS_ROOM(ddr_vint, int, ddr_int)
DDR_VCOLUMNS_ROOM(ddr_vmask, bool, ddr_mask_lane)
#undef DDR_VCOLUMNS_ROOM
