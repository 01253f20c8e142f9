/* tiles.c: results by tiles of rows, for any taps and any numbers.
 *
 * A row has an interior, where all taps along it are inside the signal, and ends, whose results are
 * computed one by one.  Two rows that are neighbours along an axis with taps share samples: their
 * interiors are computed as a pair.
 * Read next: rows.h (the loops).
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/conv/costs/costs.h"
#include "runtime/conv/direct/direct.h"
#include "runtime/element/parallel_for.h"

enum { MOST_TAPS = 4096, TILE = 4096, ITEMS_PER_THREAD = 8 };

typedef struct Tiles {
  const Direct *direct;
  int paired; /* the axis along which rows are computed in pairs, -1 for none */
  int n_walked, walked[DDR_CONV_MAX_RANK]; /* all axes but that of rows, the nearest first */
  int64_t n_rows, per_row;                 /* tiles; a pair counts as one row */
  int64_t n_items;                         /* each has about the same number of tiles */
  int64_t inner, inner_end;                /* results of a row for which all taps are inside */
} Tiles;

/* Taps lo to hi of every axis. */
typedef struct Box {
  int64_t lo[DDR_CONV_MAX_RANK], hi[DDR_CONV_MAX_RANK];
} Box;

/* Results begin to end - 1 of a row; all taps along it are inside for inner to inner_end - 1. */
typedef struct Part {
  int64_t begin, end, inner, inner_end;
} Part;

/* The state of one thread. */
typedef struct Work {
  const Direct *direct;
  int64_t result[DDR_CONV_MAX_RANK]; /* on all axes but that of the row */
  int64_t from,
      to; /* the sample that result 0 of the row counts from, and where that result goes */
  Box box;
  bool has_taps;   /* `taps` lists all taps of `box` */
  bool are_floats; /* the weights in `taps` are floats */
  int n_taps;
  ddr_conv_tap taps[MOST_TAPS];
  union {
    double sums[2 * TILE];
    double doubles[2][TILE]; /* rows of results that go to places that are not adjacent */
    float floats[2][TILE];
  };
} Work;

/* --- taps ------------------------------------------------------------------------------------- */

/* Lists the next MOST_TAPS taps of the box from `tap` on; false if none are left. */
static bool list_taps(Work *work, int64_t tap[]) {
  const Direct *direct = work->direct;
  const int last = direct->rank - 1;
  work->n_taps = 0;
  work->are_floats = true;
  for (;;) {
    int64_t from = 0, offset = 0;
    for (int k = 0; k <= last; k++) {
      from += tap[k] * direct->axes[k].tap_stride;
      if (k < last) offset += direct_tap_offset(&direct->axes[k], tap[k]);
    }
    const DirectAxis *axis = &direct->axes[last];
    for (; tap[last] <= work->box.hi[last] && work->n_taps < MOST_TAPS; tap[last]++) {
      ddr_conv_tap *next = &work->taps[work->n_taps++];
      const int64_t to = offset + direct_tap_offset(axis, tap[last]);
      if (direct->is_complex) {
        const ddr_complex_double *weight = (const ddr_complex_double *)direct->taps.data + from;
        *next = (ddr_conv_tap){weight->re, weight->im, to};
      } else {
        const double weight = ((const double *)direct->taps.data)[from];
        *next = (ddr_conv_tap){weight, 0, to};
        work->are_floats = work->are_floats && direct_is_float(weight);
      }
      from += axis->tap_stride;
    }
    if (tap[last] <= work->box.hi[last]) return true;
    int k = last;
    do {
      tap[k] = work->box.lo[k];
      k--;
    } while (k >= 0 && tap[k] >= work->box.hi[k]);
    if (k < 0) return false;
    tap[k]++;
    if (work->n_taps == MOST_TAPS) return true;
  }
}

/* --- sums ------------------------------------------------------------------------------------- */

static const ddr_conv_float_rows *float_rows(const Work *work) {
  const ddr_conv_rows *rows = work->direct->rows;
  return work->are_floats && rows->fused ? rows->fused : &rows->floats;
}

static void add_taps(Work *work, const ddr_conv_tap *taps, int n_taps, int64_t at, int64_t n) {
  const Direct *direct = work->direct;
  const DirectAxis *axis = &direct->axes[direct->row_axis];
  const int64_t step = axis->per_result * axis->signal_stride;
  const void *signal = direct->signal.data;
  const bool are_adjacent = step == 1 && n > 1;
  if (direct->is_complex) {
    const ddr_complex_double *complexes = signal;
    if (are_adjacent) direct->rows->add_complexes(taps, n_taps, complexes + at, n, work->sums);
    else ddr_conv_complex_sums(taps, n_taps, complexes, at, step, n, work->sums);
  } else if (direct->signal.type == DDR_ELEMENT_FLOAT) {
    if (are_adjacent) float_rows(work)->add(taps, n_taps, signal, at, n, work->sums);
    else ddr_conv_strided_floats(taps, n_taps, signal, at, step, n, work->sums);
  } else {
    if (are_adjacent) direct->rows->add_doubles(taps, n_taps, signal, at, n, work->sums);
    else ddr_conv_strided_doubles(taps, n_taps, signal, at, step, n, work->sums);
  }
}

static void round_sums(const Direct *direct, const double *sums, int64_t at, int64_t n) {
  const int64_t stride = direct->axes[direct->row_axis].result_stride;
  float *floats = (float *)direct->z.data + at;
  double *doubles = (double *)direct->z.data + at;
  ddr_complex_float *complex_floats = (ddr_complex_float *)direct->z.data + at;
  ddr_complex_double *complex_doubles = (ddr_complex_double *)direct->z.data + at;
  switch (direct->z.type) {
  case DDR_ELEMENT_FLOAT:
    if (stride == 1) {
      for (int64_t k = 0; k < n; k++) floats[k] = (float)sums[k];
    } else {
      for (int64_t k = 0; k < n; k++) floats[k * stride] = (float)sums[k];
    }
    break;
  case DDR_ELEMENT_DOUBLE:
    for (int64_t k = 0; k < n; k++) doubles[k * stride] = sums[k];
    break;
  case DDR_ELEMENT_CFLOAT:
    for (int64_t k = 0; k < n; k++) {
      complex_floats[k * stride] = (ddr_complex_float){(float)sums[2 * k], (float)sums[2 * k + 1]};
    }
    break;
  default: /* the commit has refused all other types */
    for (int64_t k = 0; k < n; k++) {
      complex_doubles[k * stride] = (ddr_complex_double){sums[2 * k], sums[2 * k + 1]};
    }
  }
}

/* Whether samples of n results are adjacent, and results of their type. */
static bool is_dense(const Direct *direct, int64_t n) {
  const DirectAxis *axis = &direct->axes[direct->row_axis];
  return axis->per_result * axis->signal_stride == 1 && n > 1 && !direct->is_complex &&
         direct->signal.type == direct->z.type;
}

/* Sums all taps of n dense results of a row, or of a pair of rows, in one pass.  Those of short
 * rows are computed with others, for which there is slack. */
#define ROUND_AT_ONCE(name, number, single, pair_of)                                               \
  static void name(Work *work, const ddr_conv_pair *pair, int64_t at, const int64_t to[2],         \
                   int64_t n) {                                                                    \
    const Direct *direct = work->direct;                                                           \
    const int64_t stride = direct->axes[direct->row_axis].result_stride;                           \
    const bool is_short = direct->has_slack && n < direct->rows->n_least;                          \
    const bool is_aside = is_short || stride != 1;                                                 \
    const int64_t n_computed = is_short ? direct->rows->n_least : n;                               \
    const int n_rows = pair ? 2 : 1;                                                               \
    number *z = direct->z.data, *rows[2];                                                          \
    for (int row = 0; row < 2; row++) rows[row] = is_aside ? work->number##s[row] : z + to[row];   \
    if (pair) pair_of(pair, direct->signal.data, at, n_computed, rows);                            \
    else single(work->taps, work->n_taps, direct->signal.data, at, n_computed, rows[0]);           \
    for (int row = 0; is_aside && row < n_rows; row++) {                                           \
      for (int64_t k = 0; k < n; k++) z[to[row] + k * stride] = rows[row][k];                      \
    }                                                                                              \
  }
ROUND_AT_ONCE(round_floats, float, float_rows(work)->round, float_rows(work)->round_pair)
ROUND_AT_ONCE(round_doubles, double, direct->rows->doubles, direct->rows->pair_of_doubles)
#undef ROUND_AT_ONCE

static void round_at_once(Work *work, const ddr_conv_pair *pair, int64_t at, const int64_t to[2],
                          int64_t n) {
  if (work->direct->z.type == DDR_ELEMENT_FLOAT) round_floats(work, pair, at, to, n);
  else round_doubles(work, pair, at, to, n);
}

/* --- results ---------------------------------------------------------------------------------- */

/* Computes results `begin` to `begin + n - 1` of a row, at most TILE, with the taps of the box. */
static void do_results(Work *work, int64_t begin, int64_t n) {
  const Direct *direct = work->direct;
  const DirectAxis *axis = &direct->axes[direct->row_axis];
  const int64_t from = work->from + begin * axis->per_result * axis->signal_stride;
  const int64_t to = work->to + begin * axis->result_stride;
  int64_t tap[DDR_CONV_MAX_RANK];
  memcpy(tap, work->box.lo, sizeof tap);
  bool is_more = !work->has_taps && list_taps(work, tap);
  work->has_taps = !is_more;
  if (work->has_taps && is_dense(direct, n)) {
    round_at_once(work, NULL, from, (int64_t[]){to, to}, n);
    return;
  }
  memset(work->sums, 0, (size_t)n * (direct->is_complex ? 2 : 1) * sizeof *work->sums);
  add_taps(work, work->taps, work->n_taps, from, n);
  while (is_more) {
    is_more = list_taps(work, tap);
    add_taps(work, work->taps, work->n_taps, from, n);
  }
  round_sums(direct, work->sums, to, n);
}

/* Whether all of a result's samples along an axis exist. */
static bool has_all_taps(const DirectAxis *axis, int64_t result) {
  int64_t lo, hi;
  direct_clip(axis, result, &lo, &hi);
  return lo == 0 && hi == axis->n_taps - 1;
}

/* Describes the taps of the row at hand and the next one, which has the later samples or the
 * earlier ones; false if they are not a pair. */
static bool describe_pair(Work *work, int paired, ddr_conv_pair *pair) {
  const Direct *direct = work->direct;
  const DirectAxis *axis = &direct->axes[paired];
  const int64_t result = work->result[paired];
  int64_t tap[DDR_CONV_MAX_RANK];
  if (result + 1 == axis->n_results || !has_all_taps(axis, result) ||
      !has_all_taps(axis, result + 1)) {
    return false;
  }
  memcpy(tap, work->box.lo, sizeof tap);
  if (!work->has_taps && list_taps(work, tap)) return false;
  work->has_taps = true;
  const int lag = (int)llabs(axis->per_result);
  int n_inner = 1;
  for (int k = paired + 1; k < direct->rank; k++)
    n_inner *= (int)(work->box.hi[k] - work->box.lo[k] + 1);
  *pair = (ddr_conv_pair){.taps = work->taps,
                          .n_taps = (int)axis->n_taps * n_inner,
                          .lag = lag * n_inner,
                          .apart = axis->per_tap * lag * axis->signal_stride};
  pair->n_groups = work->n_taps / pair->n_taps;
  return true;
}

/* Computes results `begin` to `begin + n - 1` of the row at hand and of the next one; false if they
 * are not a pair. */
static bool do_pair(Work *work, int paired, int64_t begin, int64_t n) {
  const Direct *direct = work->direct;
  const DirectAxis *row = &direct->axes[direct->row_axis], *axis = &direct->axes[paired];
  const int64_t least = direct->has_slack ? DDR_CONV_SHORT_ROW : direct->rows->n_least;
  ddr_conv_pair pair;
  if (n < least || !describe_pair(work, paired, &pair)) return false;
  int64_t from = work->from + begin * row->per_result * row->signal_stride;
  int64_t to[2] = {work->to + begin * row->result_stride};
  to[1] = to[0] + axis->result_stride;
  if ((axis->per_result < 0) != (axis->per_tap < 0)) { /* the next row has the earlier samples */
    from += axis->per_result * axis->signal_stride;
    to[0] = to[1];
    to[1] -= axis->result_stride;
  }
  round_at_once(work, &pair, from, to, n);
  return true;
}

/* Computes a result near an end of its row, with taps lo to hi along it. */
static void do_end(Work *work, int64_t result, int64_t lo, int64_t hi) {
  const int r = work->direct->row_axis;
  work->box.lo[r] = lo;
  work->box.hi[r] = hi;
  work->has_taps = false;
  do_results(work, result, 1);
  work->box.lo[r] = 0;
  work->box.hi[r] = work->direct->axes[r].n_taps - 1;
  work->has_taps = false;
}

/* Whether the taps of results at the ends are consecutive in the list of all taps. */
static bool has_listed_ends(const Work *work) {
  bool is_listed = work->has_taps && !work->direct->is_complex;
  for (int k = work->direct->row_axis + 1; k < work->direct->rank; k++) {
    is_listed = is_listed && work->box.lo[k] == work->box.hi[k];
  }
  return is_listed;
}

/* Computes such a result from the list. */
static void do_listed_end(Work *work, int64_t result, int64_t lo, int64_t hi) {
  const Direct *direct = work->direct;
  const DirectAxis *axis = &direct->axes[direct->row_axis];
  const int64_t at = work->from + result * axis->per_result * axis->signal_stride;
  const int64_t to = work->to + result * axis->result_stride;
  const float *floats = direct->signal.data;
  const double *doubles = direct->signal.data;
  double sum = 0;
  for (int64_t first = 0; first < work->n_taps; first += axis->n_taps) {
    const ddr_conv_tap *tap = work->taps + first + lo, *last = work->taps + first + hi;
    if (direct->signal.type == DDR_ELEMENT_FLOAT) {
      for (; tap <= last; tap++) sum += tap->re * (double)floats[at + tap->offset];
    } else {
      for (; tap <= last; tap++) sum += tap->re * doubles[at + tap->offset];
    }
  }
  if (direct->z.type == DDR_ELEMENT_FLOAT) ((float *)direct->z.data)[to] = (float)sum;
  else ((double *)direct->z.data)[to] = sum;
}

static void do_ends(Work *work, int64_t begin, int64_t end) {
  const DirectAxis *axis = &work->direct->axes[work->direct->row_axis];
  const bool is_listed = has_listed_ends(work);
  for (int64_t k = begin; k < end; k++) {
    int64_t lo, hi;
    direct_clip(axis, k, &lo, &hi);
    if (is_listed) do_listed_end(work, k, lo, hi);
    else do_end(work, k, lo, hi);
  }
}

/* --- rows ------------------------------------------------------------------------------------- */

static void move_on(Work *work, int axis, int64_t result) {
  const DirectAxis *moved = &work->direct->axes[axis];
  const int64_t n_steps = result - work->result[axis];
  int64_t lo, hi;
  work->result[axis] = result;
  work->from += n_steps * moved->per_result * moved->signal_stride;
  work->to += n_steps * moved->result_stride;
  direct_clip(moved, result, &lo, &hi);
  if (lo == work->box.lo[axis] && hi == work->box.hi[axis]) return;
  work->box.lo[axis] = lo;
  work->box.hi[axis] = hi;
  work->has_taps = false;
}

static int64_t rows_at_once(const Tiles *tiles, int axis) { return axis == tiles->paired ? 2 : 1; }

/* Goes on to the next row, or pair. */
static void next_row(Work *work, const Tiles *tiles) {
  for (int walked = 0; walked < tiles->n_walked; walked++) {
    const int k = tiles->walked[walked];
    const int64_t next = work->result[k] + rows_at_once(tiles, k);
    const bool is_end = next >= work->direct->axes[k].n_results;
    move_on(work, k, is_end ? 0 : next);
    if (!is_end) return;
  }
}

static void find_row(Work *work, const Tiles *tiles, int64_t row) {
  const Direct *direct = work->direct;
  for (int k = 0; k < direct->rank; k++) {
    work->from += direct->axes[k].first * direct->axes[k].signal_stride;
    work->box.hi[k] = -1; /* no taps so far */
  }
  work->box.hi[direct->row_axis] = direct->axes[direct->row_axis].n_taps - 1;
  for (int walked = 0; walked < tiles->n_walked; walked++) {
    const int k = tiles->walked[walked];
    const int64_t at_once = rows_at_once(tiles, k);
    const int64_t n = ddr_divide_up(direct->axes[k].n_results, at_once);
    move_on(work, k, row % n * at_once);
    row /= n;
  }
}

/* Computes a tile of a row; its interior may be done. */
static void do_tile(Work *work, const Part *part, bool is_inner_done) {
  if (!is_inner_done && part->inner < part->inner_end)
    do_results(work, part->inner, part->inner_end - part->inner);
  do_ends(work, part->begin, part->inner);
  do_ends(work, part->inner_end, part->end);
}

/* --- items ------------------------------------------------------------------------------------ */

static Part part_of(const Tiles *tiles, int64_t tile) {
  const Direct *direct = tiles->direct;
  const int64_t n_results = direct->axes[direct->row_axis].n_results, begin = tile * TILE;
  Part part = {.begin = begin, .end = begin + TILE < n_results ? begin + TILE : n_results};
  part.inner = tiles->inner > begin ? tiles->inner : begin;
  part.inner_end = tiles->inner_end < part.end ? tiles->inner_end : part.end;
  if (part.inner >= part.inner_end) part.inner = part.inner_end = part.begin;
  return part;
}

/* Computes a tile of the row at hand, or of a pair of rows. */
static void do_tiles(Work *work, const Tiles *tiles, int64_t tile) {
  const Part part = part_of(tiles, tile);
  const int paired = tiles->paired;
  const bool is_pair =
      paired >= 0 && do_pair(work, paired, part.inner, part.inner_end - part.inner);
  do_tile(work, &part, is_pair);
  if (paired < 0) return;
  const int64_t result = work->result[paired];
  if (result + 1 == work->direct->axes[paired].n_results) return;
  move_on(work, paired, result + 1);
  do_tile(work, &part, is_pair);
  move_on(work, paired, result);
}

/* Tiles are numbered along columns: the same tile of all rows, one after another, so that samples
 * they share are still in the cache. */
static void do_item(void *data, int64_t item) {
  const Tiles *tiles = data;
  const int64_t n_tiles = tiles->n_rows * tiles->per_row;
  const int64_t end = ddr_share_begin(n_tiles, item + 1, tiles->n_items);
  int64_t tile = ddr_share_begin(n_tiles, item, tiles->n_items);
  Work work;
  memset(&work, 0, offsetof(Work, taps));
  work.direct = tiles->direct;
  find_row(&work, tiles, tile % tiles->n_rows);
  for (; tile < end; tile++) {
    do_tiles(&work, tiles, tile / tiles->n_rows);
    next_row(&work, tiles);
  }
}

/* Finds the results whose taps are all inside: *begin to *end - 1; for the axis of rows. */
static void find_interior(const DirectAxis *axis, int64_t *begin, int64_t *end) {
  const int64_t least = axis->per_tap > 0 ? 0 : axis->n_taps - 1;
  const int64_t most = axis->signal_len - 1 - (axis->per_tap > 0 ? axis->n_taps - 1 : 0);
  *begin = least <= axis->first ? 0 : ddr_divide_up(least - axis->first, axis->per_result);
  *end = most < axis->first ? 0 : (most - axis->first) / axis->per_result + 1;
  if (axis->has_all) *begin = 0, *end = axis->n_results;
  if (*end > axis->n_results) *end = axis->n_results;
  if (*begin >= *end) *begin = *end = 0;
}

/* The axis with the most weights, if neighbours along it have samples in common; -1 if rows cannot
 * be computed in pairs. */
static int choose_paired(const Direct *direct) {
  int paired = -1;
  if (!is_dense(direct, direct->axes[direct->row_axis].n_results)) return -1;
  for (int k = 0; k < direct->rank; k++) {
    const DirectAxis *axis = &direct->axes[k];
    const bool share = axis->n_results > 1 && axis->n_taps > llabs(axis->per_result);
    if (k == direct->row_axis || !share) continue;
    if (paired < 0 || axis->n_taps > direct->axes[paired].n_taps) paired = k;
  }
  return paired;
}

static int64_t distance(const DirectAxis *axis) {
  if (axis->n_results == 1) return 0;
  return llabs(axis->per_result * axis->signal_stride) + llabs(axis->result_stride);
}

/* Lists the axes from row to row, first those along which rows are near in memory. */
static void list_walked(Tiles *tiles) {
  const Direct *direct = tiles->direct;
  for (int k = direct->rank - 1; k >= 0; k--) {
    if (k == direct->row_axis) continue;
    int at = tiles->n_walked++;
    for (; at > 0; at--) {
      const int before = tiles->walked[at - 1];
      if (distance(&direct->axes[before]) <= distance(&direct->axes[k])) break;
      tiles->walked[at] = before;
    }
    tiles->walked[at] = k;
  }
}

void ddr_direct_tiles(const Direct *direct, int n_threads) {
  const DirectAxis *row = &direct->axes[direct->row_axis];
  Tiles tiles = {.direct = direct,
                 .paired = choose_paired(direct),
                 .n_rows = 1,
                 .per_row = ddr_divide_up(row->n_results, TILE)};
  list_walked(&tiles);
  for (int walked = 0; walked < tiles.n_walked; walked++) {
    const int k = tiles.walked[walked];
    tiles.n_rows *= ddr_divide_up(direct->axes[k].n_results, rows_at_once(&tiles, k));
  }
  const int64_t n_tiles = tiles.n_rows * tiles.per_row;
  const int64_t most_items = n_threads > 1 ? ITEMS_PER_THREAD * (int64_t)n_threads : 1;
  tiles.n_items = n_tiles < most_items ? n_tiles : most_items;
  find_interior(row, &tiles.inner, &tiles.inner_end);
  ddr_parallel_for(n_threads, tiles.n_items, do_item, &tiles);
}
