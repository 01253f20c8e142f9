/* lines_set.h: sums of reals along adjacent lines, one line in each lane of a vector; for one
 * instruction set (kernels_set.h, which includes this file).
 *
 * Memory latency determines the order in which rows are read: if each of the 32 lanes of tree.h has
 * one row, all rows at once, otherwise the rows of one or two lanes after another.
 */
#pragma once

#include "runtime/reduce/kernels.h"

#include <string.h>
#if defined(__FMA__)
#include <immintrin.h>
#endif

#include "runtime/element/sets.h"

typedef double Lane[DDR_MOST_LINES];

/* Lanes are folded like those of a block; with few elements the other lanes would only add 0, which
 * changes no bit. */
static int n_lanes_of(const ddr_lines *lines) {
  int n = 1;
  while (n < DDR_TREE_LANES && n < lines->n) n *= 2;
  return n;
}

static void add_lane(double *restrict sums, const double *restrict others, int n_lines) {
  for (int k = 0; k < n_lines; k++) sums[k] += others[k];
}

/* Folding adds lane l + half to lane l, for ever smaller halves: in this order the sums of
 * neighbouring lanes are combined early, so that few must be kept. */
enum { LANES_KEPT = 6 };

static int lane_at(int number, int n_lanes) {
  int lane = 0;
  for (int bit = 1, half = n_lanes / 2; half > 0; bit *= 2, half /= 2)
    if (number & bit) lane += half;
  return lane;
}

/* The rows of a lane are not adjacent, and hardware prefetchers follow only adjacent lines: if rows
 * are short, all of them are read once in order, so that they come from the cache afterwards. */
enum { CACHE_LINE = 64, ROWS_AHEAD = 2 };

static void bring_near(const char *first, int64_t step, int64_t n_rows, int64_t n_bytes) {
  for (int64_t row = 0; row < n_rows; row++) {
    const char *const here = first + row * step;
    const char *const later = row + ROWS_AHEAD < n_rows ? here + ROWS_AHEAD * step : here;
    for (int64_t k = 0; k < n_bytes; k += CACHE_LINE) {
      __builtin_prefetch(later + k);
      (void)*(const volatile char *)(here + k);
    }
  }
}

static bool are_close(const ddr_lines *lines) {
  const int64_t apart = lines->x_step < 0 ? -lines->x_step : lines->x_step;
  return apart < 2 * (int64_t)lines->n_lines;
}

static int n_rows_of(const ddr_lines *lines, int lane) {
  return (int)((lines->n - lane + DDR_TREE_LANES - 1) / DDR_TREE_LANES);
}

/* Rows that are not close are prefetched long before they are added: those of the lines that
 * follow, which need not exist. */
static void ask_for(const void *row, int64_t n_bytes_ahead, int64_t step, int64_t n_rows,
                    int64_t n_bytes) {
  uintptr_t first = (uintptr_t)row + (uintptr_t)n_bytes_ahead;
  for (; n_rows > 0; n_rows--, first += DDR_TREE_LANES * (uintptr_t)step)
    for (uintptr_t k = 0; k < (uintptr_t)n_bytes; k += CACHE_LINE)
      __builtin_prefetch((const void *)(first + k), 0, 2);
}

/* Rows that are added at once, while the sums stay in registers. */
enum { ROWS_AT_ONCE = 4 };

#define ADD_ROW(type, number, value)                                                               \
  {                                                                                                \
    const int64_t at = row + (int64_t)(number)*DDR_TREE_LANES;                                     \
    const type *x = first + at * x_step, *y = others + at * y_step;                                \
    (void)y;                                                                                       \
    sum = sum + (value);                                                                           \
  }
#define ADD_4_ROWS(type, number, value)                                                            \
  ADD_ROW(type, number, value)                                                                     \
  ADD_ROW(type, number + 1, value) ADD_ROW(type, number + 2, value) ADD_ROW(type, number + 3, value)
#define ROWS_FN(name, type, n_rows, ...)                                                           \
  static void name(const ddr_lines *lines, int64_t row, int64_t ahead, double *restrict sums) {    \
    const type *const first = lines->x, *const others = lines->y;                                  \
    const int64_t x_step = lines->x_step, y_step = lines->y_step;                                  \
    const double *const its_a = lines->a;                                                          \
    const int n_lines = lines->n_lines;                                                            \
    const int64_t size = (int64_t)sizeof(type);                                                    \
    if (!are_close(lines))                                                                         \
      ask_for(first + row * x_step, ahead * size, x_step * size, n_rows, n_lines * size);          \
    for (int k = 0; k < n_lines; k++) {                                                            \
      const double a = its_a[k];                                                                   \
      double sum = sums[k];                                                                        \
      (void)a;                                                                                     \
      __VA_ARGS__                                                                                  \
      sums[k] = sum;                                                                               \
    }                                                                                              \
    (void)y_step;                                                                                  \
    (void)others;                                                                                  \
  }

/* Many lines: all rows of two lanes that are added to each other, or up to 11 rows of one lane. The
 * loops are unrolled, and each row is prefetched separately: each has a load of its own, by which
 * the hardware prefetcher recognises a stream, 16 lines at once.  Their sums stay in registers from
 * the first row to the last. */
enum { MOST_ROWS = 11, SUMS_AT_ONCE = 16, QUARTER = 4 };

/* Adds rows of a lane from `row` on, and as many or one fewer of another, to the sums `before`, and
 * stores the results in `added`; each may be NULL.  Prefetches n_bytes_ahead of each row. */
typedef struct {
  int64_t row, other_row, n_bytes_ahead;
  int n, n_others;
  const double *before, *added;
} Rows;

/* Vectors, not arrays, which compilers would keep in memory.  In builds that are not timed, one
 * copy of each function suffices: compiling hundreds of them takes a minute. */
#ifdef DDR_FEW_COPIES
#define INLINED static __attribute__((noinline))
#else
#define INLINED static inline __attribute__((always_inline))
#endif
typedef double Quarter __attribute__((vector_size(QUARTER * sizeof(double))));

typedef struct {
  Quarter a, b, c, d;
} Sums;

#define EACH_QUARTER(DO, ...)                                                                      \
  DO(a, 0, __VA_ARGS__) DO(b, 4, __VA_ARGS__) DO(c, 8, __VA_ARGS__) DO(d, 12, __VA_ARGS__)

/* Four doubles at a time, as products by 1, which are exact, where that is one instruction: Zen
 * processors convert four floats from memory in half the time of eight, and products are added by
 * other units than those that convert and add. */
INLINED void add_quarter(Quarter *sums, const double *numbers) {
  Quarter quarter;
  memcpy(&quarter, numbers, sizeof quarter);
#if defined(__FMA__)
  const Quarter ones = {1, 1, 1, 1};
  *sums = _mm256_fmadd_pd(quarter, ones, *sums);
#else
  *sums += quarter;
#endif
}

#define ADD_QUARTER(part, at, numbers) add_quarter(&sums->part, (numbers) + (at));
INLINED void add_numbers(Sums *sums, const double *numbers) { EACH_QUARTER(ADD_QUARTER, numbers); }

/* Part by part: what is copied as a whole would not stay in registers. */
#define ADD_PART(part, at, others) sums->part += (others)->part;
INLINED void add_sums(Sums *sums, const Sums *others) { EACH_QUARTER(ADD_PART, others); }

#define SET_PART(part, at, zero) sums->part = (Quarter){zero, zero, zero, zero};
INLINED void set_sums(Sums *sums, double zero) { EACH_QUARTER(SET_PART, zero); }

#define ADD_ZERO(part, at, zero) sums->part += (Quarter){zero, zero, zero, zero};
INLINED void add_zero(Sums *sums) { EACH_QUARTER(ADD_ZERO, 0); }

#define STORE_PART(part, at, to) memcpy((to) + (at), &sums->part, sizeof sums->part);
INLINED void keep_sums(const Sums *sums, double *to) { EACH_QUARTER(STORE_PART, to); }

/* When gcc 12 vectorises these statements, it loses the rounding of a modulus to float, unless the
 * floats have been stored in memory. */
enum {
  ROUNDS_SUM = 0,
  ROUNDS_DOT = 0,
  ROUNDS_L1 = 1,
  ROUNDS_SQUARES = 0,
  ROUNDS_SCALED_SQUARES = 0
};
#define IS_ROUNDED(type, term)                                                                     \
  (ROUNDS_##term && __builtin_types_compatible_p(type, ddr_complex_float))

INLINED void round_quarter(double *values) {
  float rounded[QUARTER];
  for (int k = 0; k < QUARTER; k++) rounded[k] = (float)values[k];
  __asm__("" : "+m"(rounded));
  for (int k = 0; k < QUARTER; k++) values[k] = (double)rounded[k];
}

#define ADD_VALUES_FN(name, type, value, is_rounded)                                               \
  INLINED void name(const type *x, const type *y, const double *its_a, Quarter *sums) {            \
    double values[QUARTER];                                                                        \
    (void)y;                                                                                       \
    for (int k = 0; k < QUARTER; k++) {                                                            \
      const double a = its_a[k];                                                                   \
      (void)a;                                                                                     \
      values[k] = value;                                                                           \
    }                                                                                              \
    if (is_rounded) round_quarter(values);                                                         \
    add_quarter(sums, values);                                                                     \
  }
#define ADD_VALUES(part, at, function, x, y)                                                       \
  function((x) + (at), (y) + (at), its_a + (at), &sums->part);
#define ADD_SUMS_ROW(function, number)                                                             \
  {                                                                                                \
    ask_for(x + (number)*x_step, n_bytes_ahead, 0, 1, SUMS_AT_ONCE * (int64_t)sizeof *x);          \
    EACH_QUARTER(ADD_VALUES, function, x + (number)*x_step, y + (number)*y_step)                   \
  }
#define ADD_IF_THERE(function, number)                                                             \
  if (n > (number)) ADD_SUMS_ROW(function, number)
#define ADD_4_IF_THERE(function, number)                                                           \
  ADD_IF_THERE(function, number)                                                                   \
  ADD_IF_THERE(function, number + 1)                                                               \
  ADD_IF_THERE(function, number + 2) ADD_IF_THERE(function, number + 3)
#define SUMS_ROWS_FN(name, type, function)                                                         \
  INLINED void name(const ddr_lines *lines, int64_t row, int n, int at, int64_t n_bytes_ahead,     \
                    Sums *sums) {                                                                  \
    const int64_t x_step = lines->x_step * DDR_TREE_LANES;                                         \
    const int64_t y_step = lines->y_step * DDR_TREE_LANES;                                         \
    const type *const x = (const type *)lines->x + row * lines->x_step + at;                       \
    const type *const y = (const type *)lines->y + row * lines->y_step + at;                       \
    const double *const its_a = lines->a + at;                                                     \
    ADD_SUMS_ROW(function, 0)                                                                      \
    ADD_IF_THERE(function, 1)                                                                      \
    ADD_IF_THERE(function, 2)                                                                      \
    ADD_4_IF_THERE(function, 3)                                                                    \
    ADD_4_IF_THERE(function, 7)                                                                    \
  }

/* The number of sums up to the next cache line; reading aligned lines is faster.  With few lines
 * that would not outweigh the lines that are added twice. */
static int n_sums_to_line(const ddr_lines *lines, const void *row, int64_t size) {
  const int64_t n = (int64_t)(-(uintptr_t)row % CACHE_LINE) / size;
  const bool pays = lines->n_lines >= 8 * SUMS_AT_ONCE;
  return pays && n > 0 && n < SUMS_AT_ONCE ? (int)n : SUMS_AT_ONCE;
}

/* Some lines are added twice, with the same sums: the first ones, up to a cache line, and the last
 * ones, if fewer than 16 are left. */
#define SOME_ROWS_FN(name, type, function)                                                         \
  static void name(const ddr_lines *lines, const Rows *rows, double *restrict sums) {              \
    const type *const first = (const type *)lines->x + rows->row * lines->x_step;                  \
    const double *const before = rows->before, *const added = rows->added;                         \
    const int n_lines = lines->n_lines, last = n_lines - SUMS_AT_ONCE;                             \
    const int64_t ahead = rows->n_bytes_ahead;                                                     \
    int n_next = n_sums_to_line(lines, first, sizeof(type));                                       \
    for (int begin = 0; begin < n_lines; begin += n_next, n_next = SUMS_AT_ONCE) {                 \
      const int at = begin < last ? begin : last;                                                  \
      Sums its, others;                                                                            \
      set_sums(&its, 0), set_sums(&others, 0);                                                     \
      if (before) add_numbers(&its, before + at);                                                  \
      function(lines, rows->row, rows->n, at, ahead, &its);                                        \
      if (rows->n_others > 0) {                                                                    \
        function(lines, rows->other_row, rows->n_others, at, ahead, &others);                      \
        add_sums(&its, &others);                                                                   \
      }                                                                                            \
      if (added) add_numbers(&its, added + at);                                                    \
      keep_sums(&its, sums + at);                                                                  \
    }                                                                                              \
  }

typedef void SomeRows(const ddr_lines *lines, const Rows *rows, double *restrict sums);

/* Adds all rows of a lane, in steps of nearly equal size. */
static void add_in_steps(const ddr_lines *lines, SomeRows *add_some, Rows rows, double *sums) {
  Lane halfway[2];
  const double *const added = rows.added;
  int rest = rows.n, n_steps = (rest + MOST_ROWS - 1) / MOST_ROWS;
  for (rows.added = NULL; n_steps > 0; n_steps--) {
    double *const its = n_steps > 1 ? halfway[n_steps % 2] : sums;
    rows.n = (rest + n_steps - 1) / n_steps;
    if (n_steps == 1) rows.added = added;
    add_some(lines, &rows, its);
    rows.before = its;
    rest -= rows.n;
    rows.row += (int64_t)rows.n * DDR_TREE_LANES;
  }
}

/* Adds all lanes: of two that are added to each other, the first has rows. */
static void add_many(const ddr_lines *lines, SomeRows *add_some, int64_t size, double *sums) {
  Lane lanes[LANES_KEPT + 1];
  double *kept[LANES_KEPT + 1];
  const int n_lanes = n_lanes_of(lines);
  const int n_rows = n_rows_of(lines, 0);
  const int n_at_once =
      n_rows <= 2 || (n_rows >= 7 && n_rows <= MOST_ROWS) ? 2 : 1; /* as measured */
  int n_kept = 0;
  for (int k = 0; k <= LANES_KEPT; k++) kept[k] = lanes[k];
  for (int number = 0; number < n_lanes; number += n_at_once) {
    const int lane = lane_at(number, n_lanes), other = lane + n_lanes / 2;
    const bool is_second = number / n_at_once % 2 == 1;
    const Rows rows = {.row = lane,
                       .other_row = other,
                       .n_bytes_ahead = lines->next * size,
                       .n = n_rows_of(lines, lane),
                       .n_others = n_at_once > 1 ? n_rows_of(lines, other) : 0,
                       .added = is_second ? kept[n_kept - 1] : NULL};
    add_in_steps(lines, add_some, rows, kept[n_kept++]);
    if (!is_second) continue;
    double *const spare = kept[--n_kept - 1];
    kept[n_kept - 1] = kept[n_kept];
    kept[n_kept] = spare;
    for (int pairs = number / n_at_once / 2; pairs % 2 == 1; pairs /= 2, n_kept--)
      add_lane(kept[n_kept - 2], kept[n_kept - 1], lines->n_lines);
  }
  memcpy(sums, kept[0], (size_t)lines->n_lines * sizeof *sums);
}

/* Few rows, or rows close to each other: for 16 lines at a time all rows are read and folded in
 * registers, and those of the next slab are asked for. */
enum { FEW_ROWS = 3 * DDR_TREE_LANES, CLOSE_ROWS = 4 * DDR_TREE_LANES };

static bool are_few(const ddr_lines *lines) {
  const int64_t most = are_close(lines) ? CLOSE_ROWS : FEW_ROWS;
  return lines->n_lines >= SUMS_AT_ONCE && lines->n <= most;
}

/* -0, to which a number is added without a change; +0 is added once in the end. */
#define LANE_FN(name, type, function)                                                              \
  INLINED void name(const ddr_lines *lines, int lane, int at, Sums *sums) {                        \
    const type *x = (const type *)lines->x + lane * lines->x_step + at;                            \
    const type *y = (const type *)lines->y + lane * lines->y_step + at;                            \
    const double *const its_a = lines->a + at;                                                     \
    const int64_t size = (int64_t)sizeof(type), ahead = lines->next * size;                        \
    set_sums(sums, -0.0);                                                                          \
    for (int64_t row = lane; row < lines->n; row += DDR_TREE_LANES) {                              \
      ask_for(x, ahead, 0, 1, SUMS_AT_ONCE *size);                                                 \
      EACH_QUARTER(ADD_VALUES, function, x, y)                                                     \
      x += lines->x_step * DDR_TREE_LANES, y += lines->y_step * DDR_TREE_LANES;                    \
    }                                                                                              \
  }
/* Lane l, to which later lanes were added, plus lane l + half, if that has a row. */
#define FOLDED_FN(name, lanes, half)                                                               \
  INLINED void name(const ddr_lines *lines, int lane, int at, Sums *sums) {                        \
    Sums others;                                                                                   \
    lanes(lines, lane, at, sums);                                                                  \
    if (lane + (half) >= lines->n) return;                                                         \
    lanes(lines, lane + (half), at, &others);                                                      \
    add_sums(sums, &others);                                                                       \
  }
#define FEW_ROWS_FN(name, type, function)                                                          \
  LANE_FN(name##_lane, type, function)                                                             \
  FOLDED_FN(name##_16, name##_lane, 16)                                                            \
  FOLDED_FN(name##_8, name##_16, 8)                                                                \
  FOLDED_FN(name##_4, name##_8, 4)                                                                 \
  FOLDED_FN(name##_2, name##_4, 2)                                                                 \
  FOLDED_FN(name##_1, name##_2, 1)                                                                 \
  static void name(const ddr_lines *lines, double *restrict sums) {                                \
    const int n_lines = lines->n_lines, last = n_lines - SUMS_AT_ONCE;                             \
    int n_next = n_sums_to_line(lines, lines->x, sizeof(type));                                    \
    for (int begin = 0; begin < n_lines; begin += n_next, n_next = SUMS_AT_ONCE) {                 \
      const int at = begin < last ? begin : last;                                                  \
      Sums its;                                                                                    \
      name##_1(lines, 0, at, &its);                                                                \
      add_zero(&its);                                                                              \
      keep_sums(&its, sums + at);                                                                  \
    }                                                                                              \
  }

/* Rows, each of which is added to the next lane.  Up to four elements, followed by zeros: these add
 * nothing to the sums after the last line. */
#define SOME_OF(type, some, from, n)                                                               \
  type some[QUARTER];                                                                              \
  memset(some, 0, sizeof some);                                                                    \
  memcpy(some, from, (size_t)(n) * sizeof *some);

#define LANES_FN(name, type, function)                                                             \
  INLINED void name##_at(const type *x, const type *y, const double *its_a, double *sums) {        \
    Quarter its;                                                                                   \
    memcpy(&its, sums, sizeof its);                                                                \
    function(x, y, its_a, &its);                                                                   \
    memcpy(sums, &its, sizeof its);                                                                \
  }                                                                                                \
  static void name(const ddr_lines *lines, int lane, double *sums) {                               \
    const type *x = lines->x, *y = lines->y;                                                       \
    const int n_lines = lines->n_lines, rest = n_lines % QUARTER, n = n_lines - rest;              \
    const int64_t size = (int64_t)sizeof(type);                                                    \
    for (int64_t row = 0; row < lines->n; row++, lane++) {                                         \
      double *const its = sums + lane % DDR_TREE_LANES * DDR_COLUMNS;                              \
      ask_for(x, lines->next *size, 0, 1, n_lines *size);                                          \
      for (int k = 0; k < n; k += QUARTER) name##_at(x + k, y + k, lines->a + k, its + k);         \
      if (rest > 0) {                                                                              \
        SOME_OF(type, last, x + n, rest)                                                           \
        SOME_OF(type, others, y + n, rest)                                                         \
        name##_at(last, others, lines->a + n, its + n);                                            \
      }                                                                                            \
      x += lines->x_step, y += lines->y_step;                                                      \
    }                                                                                              \
  }

/* Whether a term is limited by memory: scaled squares are limited by the scaling. */
enum { WAITS_SUM = 1, WAITS_DOT = 1, WAITS_L1 = 1, WAITS_SQUARES = 1, WAITS_SCALED_SQUARES = 0 };

static bool are_many(const ddr_lines *lines) {
  return lines->n_lines >= SUMS_AT_ONCE && lines->n > 1;
}

#define LINES_FN(id, type, term, value)                                                            \
  ROWS_FN(row_##term##_##id, type, 1, ADD_ROW(type, 0, value))                                     \
  ROWS_FN(rows_##term##_##id, type, ROWS_AT_ONCE, ADD_4_ROWS(type, 0, value))                      \
  ADD_VALUES_FN(add_##term##_##id, type, value, IS_ROUNDED(type, term))                            \
  SUMS_ROWS_FN(add_rows_##term##_##id, type, add_##term##_##id)                                    \
  SOME_ROWS_FN(some_rows_##term##_##id, type, add_rows_##term##_##id)                              \
  FEW_ROWS_FN(few_rows_##term##_##id, type, add_##term##_##id)                                     \
  LANES_FN(lanes_##term##_##id, type, add_##term##_##id)                                           \
  static void lane_##term##_##id(const ddr_lines *lines, int number, int n_lanes, double *sums) {  \
    const int64_t step = DDR_TREE_LANES, most = ROWS_AT_ONCE;                                      \
    const int64_t ahead = lines->next;                                                             \
    int64_t row = lane_at(number, n_lanes);                                                        \
    memset(sums, 0, (size_t)lines->n_lines * sizeof *sums);                                        \
    for (; row + (most - 1) * step < lines->n; row += most * step)                                 \
      rows_##term##_##id(lines, row, ahead, sums);                                                 \
    for (; row < lines->n; row += step) row_##term##_##id(lines, row, ahead, sums);                \
  }                                                                                                \
  static void lines_##term##_##id(const ddr_lines *lines, double *sums) {                          \
    Lane lanes[LANES_KEPT];                                                                        \
    const int n_lanes = n_lanes_of(lines), n_lines = lines->n_lines;                               \
    const int64_t size = (int64_t)sizeof(type), n_bytes = n_lines * size;                          \
    int n_kept = 0;                                                                                \
    if (WAITS_##term && are_few(lines)) {                                                          \
      few_rows_##term##_##id(lines, sums);                                                         \
      return;                                                                                      \
    }                                                                                              \
    if (WAITS_##term && are_many(lines)) {                                                         \
      add_many(lines, some_rows_##term##_##id, size, sums);                                        \
      return;                                                                                      \
    }                                                                                              \
    const bool goes_before = are_close(lines);                                                     \
    if (goes_before) bring_near(lines->x, lines->x_step *size, lines->n, n_bytes);                 \
    if (goes_before && lines->y != lines->x)                                                       \
      bring_near(lines->y, lines->y_step *size, lines->n, n_bytes);                                \
    for (int number = 0; number < n_lanes; number++) {                                             \
      lane_##term##_##id(lines, number, n_lanes, lanes[n_kept++]);                                 \
      for (int pairs = number; pairs % 2 == 1; pairs /= 2, n_kept--)                               \
        add_lane(lanes[n_kept - 2], lanes[n_kept - 1], n_lines);                                   \
    }                                                                                              \
    memcpy(sums, lanes[0], (size_t)n_lines * sizeof *sums);                                        \
  }
