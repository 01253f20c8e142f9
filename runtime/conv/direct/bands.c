/* bands.c: results by bands of an array whose signal is copied (pack.c), if that pays.
 *
 * A band is a box of results.  The samples that it needs are copied to memory that stays in the
 * cache and is used again by the next band: the samples of a whole signal would go to memory, and
 * come back, and new pages cost as much again.  Neighbouring bands both copy what both need.
 *
 * The bits of results are the same with and without the copy, so it is skipped if memory is short.
 * Read next: pack.c.
 */
#include <math.h>
#include <stdlib.h>

#include "runtime/conv/costs/costs.h"
#include "runtime/conv/direct/direct.h"
#include "runtime/element/parallel_for.h"
#include "runtime/layout/storage.h"

enum {
  LEAST_ROW = DDR_CONV_VECTOR_ROW,
  NEAR_BYTES = 1 << 19,    /* of a band that stays in the L2 cache */
  FAR_BYTES = 1 << 22,     /* and in the last one */
  LEAST_PART_OF_ROW = 512, /* results; fewer leave too much of vectors unused */
  BANDS_PER_THREAD = 4
};

/* How much more bands may copy than is needed, to stay in the L2 cache and for threads. */
#define MOST_GROWTH 1.1
#define MOST_GROWTH_FOR_THREADS 1.25
#define OF_SHORTER_PIECES 1.1

/* Costs, relative to a term of dense rows.  Ends of rows use the list of taps if no axis inside
 * that of rows has taps (tiles.c); scattered results evict each other from the cache if
 * their distance is a multiple of WAY bytes. */
enum {
  COPIED = 12,
  APART = 10,
  AT_AN_END = 15,
  AT_UNLISTED_END = 35,
  LISTED = 64,
  SCATTERED = 20,
  SCATTERED_IN_A_WAY = 60,
  WAY = 2048,
  L1_WAY = 4096, /* bytes */
  L1_WAYS = 8
};
#define EVICTED .4

typedef struct Bands {
  const Direct *direct;
  int64_t n_results[DDR_CONV_MAX_RANK]; /* of a band; at the ends of axes it may have fewer */
  double growth;                        /* of the cost of copies, over that of a single band's */
  int64_t n_bands, n_items;
  int n_threads; /* of each item, if there are fewer items than threads */
} Bands;

/* --- is it worth it? -------------------------------------------------------------------------- */

static bool are_finite(const Direct *direct) {
  int64_t tap[DDR_CONV_MAX_RANK] = {0};
  for (;;) {
    int64_t at = 0;
    for (int k = 0; k < direct->rank; k++) at += tap[k] * direct->axes[k].tap_stride;
    const double *weight = (const double *)direct->taps.data + (direct->is_complex ? 2 * at : at);
    if (!isfinite(weight[0]) || (direct->is_complex && !isfinite(weight[1]))) return false;
    int k = direct->rank - 1;
    while (k >= 0 && ++tap[k] == direct->axes[k].n_taps) tap[k--] = 0;
    if (k < 0) return true;
  }
}

/* The fraction of an axis' results that have all of their samples. */
static double inner_share(const DirectAxis *axis) {
  int64_t n_inner = 0;
  const int64_t some = axis->n_taps < axis->n_results ? axis->n_taps : axis->n_results;
  int64_t lo, hi;
  for (int64_t k = 0; k < some; k++) { /* ends are not longer than the weights */
    direct_clip(axis, k, &lo, &hi);
    n_inner += hi - lo + 1 == axis->n_taps;
    direct_clip(axis, axis->n_results - 1 - k, &lo, &hi);
    n_inner += hi - lo + 1 == axis->n_taps;
  }
  const double share_of_ends = 1 - (double)n_inner / (2 * (double)some);
  return 1 - share_of_ends * 2 * (double)some / (double)(2 * some + axis->n_results);
}

static double cost_of_an_end(const Direct *direct) {
  bool is_listed = !direct->is_complex;
  for (int k = direct->row_axis + 1; k < direct->rank; k++)
    is_listed = is_listed && direct->axes[k].n_taps == 1;
  return is_listed ? AT_AN_END : AT_UNLISTED_END;
}

static double cost_of_scattering(const Direct *direct) {
  const int64_t size = (int64_t)ddr_element_size(direct->z.type);
  const int64_t apart = direct->axes[direct->row_axis].result_stride * size;
  return apart % WAY == 0 ? SCATTERED_IN_A_WAY : SCATTERED;
}

/* Taps inside the axis of rows use a sample of each row they reach before the next one of any.  If
 * these rows are a multiple of a way apart, and more than there are ways, each time all are read
 * from the L2 cache. */
static double cost_of_eviction(const Direct *direct) {
  const int64_t size = (int64_t)ddr_element_size(direct->signal.type);
  double n_rows = 1;
  for (int k = direct->row_axis + 1; k < direct->rank; k++)
    if (direct->axes[k].signal_stride * size % L1_WAY == 0)
      n_rows *= (double)direct->axes[k].n_taps;
  return n_rows > L1_WAYS ? EVICTED : 0;
}

static bool is_worth_it(const Direct *direct, int row, double n_copied) {
  const DirectAxis *axis = &direct->axes[direct->row_axis];
  double n_terms = 1, n_results = 1, others = 1;
  for (int k = 0; k < direct->rank; k++) {
    n_results *= (double)direct->axes[k].n_results;
    n_terms *= (double)direct->axes[k].n_results * (double)direct->axes[k].n_taps;
    if (k != direct->row_axis) others *= inner_share(&direct->axes[k]);
  }
  const double row_len = (double)axis->n_results;
  double saved = n_terms * cost_of_an_end(direct) * (1 - inner_share(axis));
  saved += n_terms * cost_of_eviction(direct);
  saved += n_terms * (1 - others) * LISTED / row_len;
  const bool is_short = axis->n_results < LEAST_ROW;
  const bool is_dense = axis->per_result * axis->signal_stride == 1;
  const bool is_alone = !is_dense || row_len * inner_share(axis) < LEAST_ROW;
  if (is_alone && direct->axes[row].n_results >= DDR_CONV_SHORT_ROW) saved += n_terms * APART;
  if (row != direct->row_axis && !is_short) saved += n_results * cost_of_scattering(direct);
  return saved > n_copied * COPIED;
}

/* The axis along which results are adjacent in memory, too, unless it has few results. */
static int best_row(const Direct *direct) {
  int64_t n_results[DDR_CONV_MAX_RANK];
  for (int k = 0; k < direct->rank; k++) {
    const DirectAxis *axis = &direct->axes[k];
    if (llabs(axis->result_stride) == 1 && axis->n_results >= DDR_CONV_HALF_ROW) return k;
    n_results[k] = axis->n_results;
  }
  return ddr_direct_row_axis(direct->rank, n_results, direct->row_axis);
}

/* --- which bands ------------------------------------------------------------------------------ */

/* Samples that n results of an axis need. */
static double n_needed(const DirectAxis *axis, int64_t n) {
  return (double)llabs(axis->per_result) * (double)(n - 1) + (double)axis->n_taps;
}

static double n_copied(const Bands *bands) {
  double n = 1;
  for (int k = 0; k < bands->direct->rank; k++)
    n *= n_needed(&bands->direct->axes[k], bands->n_results[k]);
  return n;
}

/* About half, and even: rows are computed in pairs. */
static int64_t half_of(int64_t n) {
  const int64_t half = ddr_divide_up(n, 2);
  return half > 2 ? half + half % 2 : half;
}

/* The axis along which samples are nearest in memory. */
static int nearest_axis(const Direct *direct) {
  int nearest = 0;
  for (int k = 1; k < direct->rank; k++) {
    const int64_t apart = llabs(direct->axes[k].signal_stride);
    if (direct->axes[k].signal_len > 1 && apart <= llabs(direct->axes[nearest].signal_stride))
      nearest = k;
  }
  return nearest;
}

/* The growth of copies if bands are halved along an axis; where it is the nearest axis, shorter
 * pieces of memory are read. */
static double growth_of(const Bands *bands, int k, int nearest) {
  const DirectAxis *axis = &bands->direct->axes[k];
  const int64_t n = bands->n_results[k], half = half_of(n);
  if (n < 2 || (k == bands->direct->row_axis && half < LEAST_PART_OF_ROW)) return INFINITY;
  return 2 * n_needed(axis, half) / n_needed(axis, n) * (k == nearest ? OF_SHORTER_PIECES : 1);
}

/* Halves bands along the axis where copies grow least; false if they would grow too much. */
static bool halve(Bands *bands, double most_growth) {
  const int nearest = nearest_axis(bands->direct);
  double least = most_growth / bands->growth;
  int best = -1;
  for (int k = 0; k < bands->direct->rank; k++) {
    const double growth = growth_of(bands, k, nearest);
    if (growth < least) least = growth, best = k;
  }
  if (best < 0) return false;
  bands->n_results[best] = half_of(bands->n_results[best]);
  bands->growth *= least;
  return true;
}

static void count(Bands *bands) {
  bands->n_bands = 1;
  for (int k = 0; k < bands->direct->rank; k++)
    bands->n_bands *= ddr_divide_up(bands->direct->axes[k].n_results, bands->n_results[k]);
}

/* Chooses bands whose copies stay in the cache, and enough for all threads. */
static void choose_bands(Bands *bands, int n_threads) {
  const double size = (double)ddr_element_size(bands->direct->signal.type);
  const int64_t wanted = n_threads > 1 ? BANDS_PER_THREAD * (int64_t)n_threads : 1;
  bands->growth = 1;
  for (int k = 0; k < bands->direct->rank; k++)
    bands->n_results[k] = bands->direct->axes[k].n_results;
  while (n_copied(bands) * size > FAR_BYTES && halve(bands, INFINITY)) continue;
  while (n_copied(bands) * size > NEAR_BYTES && halve(bands, MOST_GROWTH)) continue;
  for (count(bands); bands->n_bands < wanted && halve(bands, MOST_GROWTH_FOR_THREADS);)
    count(bands);
  bands->n_items = bands->n_bands < wanted ? bands->n_bands : wanted;
  bands->n_threads = n_threads > bands->n_items ? n_threads / (int)bands->n_items : 1;
}

/* --- one band --------------------------------------------------------------------------------- */

static Direct band_of(const Bands *bands, int64_t number) {
  Direct band = *bands->direct;
  int64_t to = 0;
  for (int k = band.rank - 1; k >= 0; k--) {
    DirectAxis *axis = &band.axes[k];
    const int64_t n = bands->n_results[k], n_on_axis = ddr_divide_up(axis->n_results, n);
    const int64_t begin = number % n_on_axis * n;
    number /= n_on_axis;
    axis->first += axis->per_result * begin;
    axis->n_results -= begin;
    if (axis->n_results > n) axis->n_results = n;
    to += begin * axis->result_stride;
  }
  band.z.data = (char *)band.z.data + to * (int64_t)ddr_element_size(band.z.type);
  return band;
}

static void do_item(void *data, int64_t item) {
  const Bands *bands = data;
  const int64_t end = ddr_share_begin(bands->n_bands, item + 1, bands->n_items);
  int64_t number = ddr_share_begin(bands->n_bands, item, bands->n_items);
  const Direct first = band_of(bands, 0); /* none is larger */
  const size_t n_bytes = ddr_direct_pack_bytes(&first);
  void *copy = n_bytes > 0 ? ddr_storage_malloc(n_bytes) : NULL;
  for (; number < end; number++) {
    Direct band = band_of(bands, number);
    if (copy) ddr_direct_pack(&band, copy);
    ddr_direct_tiles(&band, bands->n_threads);
  }
  free(copy);
}

bool ddr_direct_bands(const Direct *direct, int n_threads) {
  Direct turned = *direct;
  Bands bands = {.direct = &turned};
  turned.row_axis = best_row(direct);
  ddr_direct_turn_row(&turned);
  choose_bands(&bands, n_threads);
  double n_in_all = bands.growth;
  for (int k = 0; k < turned.rank; k++)
    n_in_all *= n_needed(&turned.axes[k], turned.axes[k].n_results);
  if (!is_worth_it(direct, turned.row_axis, n_in_all) || !are_finite(direct)) return false;
  ddr_parallel_for(n_threads, bands.n_items, do_item, &bands);
  return true;
}
