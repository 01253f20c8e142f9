/* filter.c: weights along one axis of an array of floats.
 *
 * Floats are read once, and kept in the cache as doubles for all results that need them:
 *
 *   weights along rows      a row of samples, with zeros where a row of results extends beyond it
 *   weights across rows     a ring of as many rows as there are weights; results go across,
 *                           too, and each needs one new row of samples
 *
 * Adding a zero does not change a sum that began with +0, as long as weights are finite.  On an
 * axis with a single weight every result has its sample: the commit has checked that.
 * Read next: rows.h (the loops).
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "runtime/conv/costs/costs.h"
#include "runtime/conv/direct/direct.h"
#include "runtime/element/parallel_for.h"

enum {
  ROOM = 8192,  /* doubles that stay in the L1 cache */
  ACROSS = 512, /* most results of a row that are computed together */
  ALONG = 2048,
  LEAST_ACROSS = 64, /* fewer do not pay */
  MOST_WEIGHTS = DDR_CONV_MOST_FILTER_WEIGHTS,
  AHEAD = 2, /* rows */
  ITEMS_PER_THREAD = 8,
};

typedef struct Filter {
  const Direct *direct;
  int walked;      /* the axis from one row to the next, -1 for none */
  DirectAxis walk; /* an axis with one result if there is none */
  bool is_across;  /* the weights are along `walk` */
  int n_weights;
  double weights[MOST_WEIGHTS];
  const ddr_conv_float_rows *rows;
  int64_t tile;                     /* results of a row that are computed together */
  int64_t n_tiles, n_runs, n_outer; /* counts along a row, along `walk`, along all other axes */
} Filter;

/* A tile of the rows of a run. */
typedef struct Item {
  const Filter *filter;
  int64_t from, to;       /* offsets of sample 0 of the row and of `walk`, and of result 0 */
  int64_t begin, n;       /* results of a row */
  int64_t held, held_end; /* samples along `walk` whose rows are in the ring */
  ddr_conv_tap taps[MOST_WEIGHTS];
  _Alignas(64) double room[ROOM];
} Item;

static const DirectAxis *row_of(const Filter *filter) {
  return &filter->direct->axes[filter->direct->row_axis];
}

static const float *samples_of(const Item *item, int64_t sample) {
  const Filter *filter = item->filter;
  const float *signal = filter->direct->signal.data;
  return signal + (item->from + sample * filter->walk.signal_stride);
}

static float *results_of(const Item *item, int64_t result) {
  const Filter *filter = item->filter;
  float *z = filter->direct->z.data;
  return z + (item->to + result * filter->walk.result_stride + item->begin);
}

/* --- along rows ------------------------------------------------------------------------------- */

/* The lowest sample that a result uses. */
static int64_t first_sample(const DirectAxis *axis, int64_t result) {
  return axis->first + axis->per_result * result + (axis->per_tap < 0 ? 1 - axis->n_taps : 0);
}

static void list_along(Item *item) {
  const Filter *filter = item->filter;
  const int last = filter->n_weights - 1;
  for (int k = 0; k <= last; k++) {
    const int64_t offset = row_of(filter)->per_tap > 0 ? k : last - k;
    item->taps[k] = (ddr_conv_tap){filter->weights[k], 0, offset};
  }
}

/* Widens the samples of a row from `begin` on for all results of the item, with zeros beyond its
 * ends. */
static void widen_row(Item *item, const float *samples, int64_t begin) {
  const Filter *filter = item->filter;
  const int64_t n = item->n + filter->n_weights - 1, len = row_of(filter)->signal_len;
  int64_t lo = begin < 0 ? -begin : 0, hi = len - begin;
  if (lo > n) lo = n;
  if (hi > n) hi = n;
  if (hi < lo) hi = lo;
  memset(item->room, 0, (size_t)lo * sizeof *item->room);
  filter->direct->rows->widen(samples + (begin + lo), hi - lo, item->room + lo);
  memset(item->room + hi, 0, (size_t)(n - hi) * sizeof *item->room);
}

static void filter_along(Item *item, int64_t result, int64_t end) {
  const Filter *filter = item->filter;
  const DirectAxis *walk = &filter->walk;
  const int64_t begin = first_sample(row_of(filter), item->begin);
  const int64_t inner = begin > 0 ? begin : 0;
  list_along(item);
  for (; result < end; result++) {
    const int64_t later = result + AHEAD < end ? result + AHEAD : end - 1;
    const ddr_conv_ahead ahead = {samples_of(item, walk->first + walk->per_result * later) + inner,
                                  results_of(item, later)};
    widen_row(item, samples_of(item, walk->first + walk->per_result * result), begin);
    filter->rows->round_widened(item->taps, filter->n_weights, item->room, item->n,
                                results_of(item, result), ahead);
  }
}

/* --- across rows ------------------------------------------------------------------------------ */

/* The offset in the ring of a sample's row. */
static int64_t place_of(const Filter *filter, int64_t sample) {
  return sample % filter->n_weights * filter->tile;
}

/* Makes the ring hold the rows of samples `begin` to `end - 1`. */
static void hold(Item *item, int64_t begin, int64_t end) {
  const Filter *filter = item->filter;
  const int64_t at = row_of(filter)->first + item->begin;
  for (int64_t sample = begin; sample < end; sample++) {
    if (item->held <= sample && sample < item->held_end) continue;
    filter->direct->rows->widen(samples_of(item, sample) + at, item->n,
                                item->room + place_of(filter, sample));
  }
  item->held = begin;
  item->held_end = end;
}

/* The samples of a row that will soon be read, for prefetching; any row near the ends. */
static const float *samples_ahead(const Item *item) {
  const DirectAxis *walk = &item->filter->walk;
  int64_t sample = walk->per_result > 0 ? item->held_end - 1 : item->held;
  sample += AHEAD * walk->per_result;
  if (sample >= walk->signal_len) sample = walk->signal_len - 1;
  if (sample < 0) sample = 0;
  return samples_of(item, sample) + (row_of(item->filter)->first + item->begin);
}

/* Lists weights lo to hi as taps; the first of them uses `sample`. */
static void list_across(Item *item, int64_t sample, int64_t lo, int64_t hi) {
  const Filter *filter = item->filter;
  const int64_t step = filter->walk.per_tap * filter->tile, end = filter->n_weights * filter->tile;
  int64_t place = place_of(filter, sample);
  for (int64_t k = lo; k <= hi; k++) {
    item->taps[k - lo] = (ddr_conv_tap){filter->weights[k], 0, place};
    place += step;
    if (place >= end) place -= end;
    if (place < 0) place += end;
  }
}

static void filter_across(Item *item, int64_t result, int64_t end) {
  const Filter *filter = item->filter;
  const DirectAxis *walk = &filter->walk;
  for (; result < end; result++) {
    int64_t lo, hi;
    direct_clip(walk, result, &lo, &hi);
    if (lo <= hi) {
      const int64_t first = walk->first + walk->per_result * result + walk->per_tap * lo;
      const int64_t last = first + walk->per_tap * (hi - lo);
      list_across(item, first, lo, hi);
      hold(item, first < last ? first : last, (first < last ? last : first) + 1);
    }
    const int64_t later = result + AHEAD < end ? result + AHEAD : end - 1;
    const ddr_conv_ahead ahead = {samples_ahead(item), results_of(item, later)};
    filter->rows->round_widened(item->taps, lo <= hi ? (int)(hi - lo + 1) : 0, item->room, item->n,
                                results_of(item, result), ahead);
  }
}

/* --- items ------------------------------------------------------------------------------------ */

/* Finds the position on the axes other than those of rows and runs, from its number. */
static void find_outer(Item *item, int64_t outer) {
  const Direct *direct = item->filter->direct;
  for (int k = direct->rank - 1; k >= 0; k--) {
    const DirectAxis *axis = &direct->axes[k];
    if (k == direct->row_axis || k == item->filter->walked) continue;
    const int64_t result = outer % axis->n_results;
    outer /= axis->n_results;
    item->from += (axis->first + axis->per_result * result) * axis->signal_stride;
    item->to += result * axis->result_stride;
  }
}

/* Runs vary fastest, then tiles, then the other axes: rows of a run are processed one after
 * another. */
static void do_item(void *data, int64_t number) {
  const Filter *filter = data;
  const int64_t n_walk = filter->walk.n_results, n_runs = filter->n_runs;
  const int64_t run = number % n_runs, tile = number / n_runs % filter->n_tiles;
  const int64_t first = ddr_share_begin(n_walk, run, n_runs);
  const int64_t end = ddr_share_begin(n_walk, run + 1, n_runs);
  Item item;
  memset(&item, 0, offsetof(Item, taps));
  item.filter = filter;
  item.begin = tile * filter->tile;
  item.n = row_of(filter)->n_results - item.begin;
  if (item.n > filter->tile) item.n = filter->tile;
  find_outer(&item, number / n_runs / filter->n_tiles);
  if (filter->is_across) filter_across(&item, first, end);
  else filter_along(&item, first, end);
}

/* --- is it one? ------------------------------------------------------------------------------- */

/* The axis of the weights; the row axis if there is one weight; -1 if several axes have weights. */
static int filtered_axis(const Direct *direct) {
  int filtered = -1;
  for (int k = 0; k < direct->rank; k++) {
    if (direct->axes[k].n_taps == 1) continue;
    if (filtered >= 0) return -1;
    filtered = k;
  }
  return filtered < 0 ? direct->row_axis : filtered;
}

/* Short rows are faster where they are packed. */
static bool has_rows_of_floats(const Direct *direct) {
  const DirectAxis *row = &direct->axes[direct->row_axis];
  return direct->signal.type == DDR_ELEMENT_FLOAT && direct->z.type == DDR_ELEMENT_FLOAT &&
         !direct->is_complex && row->per_result == 1 && row->signal_stride == 1 &&
         row->result_stride == 1 && row->n_results >= DDR_CONV_VECTOR_ROW;
}

/* False if a weight is not finite and samples would have to be padded with zeros. */
static bool list_weights(Filter *filter, const DirectAxis *axis) {
  const ddr_conv_rows *rows = filter->direct->rows;
  const double *weights = filter->direct->taps.data;
  bool are_floats = true, are_finite = true;
  filter->n_weights = (int)axis->n_taps;
  for (int k = 0; k < filter->n_weights; k++) {
    filter->weights[k] = weights[k * axis->tap_stride];
    are_floats = are_floats && direct_is_float(filter->weights[k]);
    are_finite = are_finite && isfinite(filter->weights[k]);
  }
  filter->rows = are_floats && rows->fused ? rows->fused : &rows->floats;
  return are_finite || filter->is_across;
}

static void choose_walk(Filter *filter, int filtered) {
  const Direct *direct = filter->direct;
  filter->walked = filter->is_across ? filtered : -1;
  for (int k = direct->rank - 1; k >= 0 && filter->walked < 0; k--) {
    if (k != direct->row_axis && direct->axes[k].n_results > 1) filter->walked = k;
  }
  if (filter->walked >= 0) filter->walk = direct->axes[filter->walked];
  else filter->walk = (DirectAxis){.n_taps = 1, .signal_len = 1, .n_results = 1};
}

/* Chooses tiles of about equal size, a multiple of the unit of the loops. */
static bool choose_tile(Filter *filter) {
  const int64_t n = row_of(filter)->n_results, unit = LEAST_ACROSS;
  int64_t most = filter->is_across ? ROOM / filter->n_weights / unit * unit : ALONG;
  if (filter->is_across && most > ACROSS) most = ACROSS;
  if (most == 0) return false;
  filter->n_tiles = (n - 1) / most + 1;
  filter->tile = ((n - 1) / filter->n_tiles / unit + 1) * unit;
  return true;
}

/* Chooses enough items for all threads; a run first reads rows that the run before it has read,
 * too. */
static void choose_runs(Filter *filter, int n_threads) {
  const Direct *direct = filter->direct;
  filter->n_outer = 1;
  for (int k = 0; k < direct->rank; k++) {
    if (k != direct->row_axis && k != filter->walked) filter->n_outer *= direct->axes[k].n_results;
  }
  const int64_t n_items = n_threads > 1 ? ITEMS_PER_THREAD * (int64_t)n_threads : 1;
  const int64_t least = filter->is_across ? 4 * (int64_t)filter->n_weights : 1;
  const int64_t most = (filter->walk.n_results - 1) / least + 1;
  filter->n_runs = (n_items - 1) / (filter->n_outer * filter->n_tiles) + 1;
  if (filter->n_runs > most) filter->n_runs = most;
}

bool ddr_direct_filter(const Direct *direct, int n_threads) {
  const int filtered = filtered_axis(direct);
  if (filtered < 0 || direct->axes[filtered].n_taps > MOST_WEIGHTS || !has_rows_of_floats(direct)) {
    return false;
  }
  Filter filter = {.direct = direct, .is_across = filtered != direct->row_axis};
  if (!list_weights(&filter, &direct->axes[filtered])) return false;
  choose_walk(&filter, filtered);
  if (!choose_tile(&filter)) return false;
  choose_runs(&filter, n_threads);
  ddr_parallel_for(n_threads, filter.n_outer * filter.n_tiles * filter.n_runs, do_item, &filter);
  return true;
}
