/* costs.c: see costs.h. */
#include "runtime/conv/costs.h"

#include <math.h>

#include "runtime/array/array.h"

/* Transforms of at most this many points stay in the caches. */
#define NEAR_POINTS 262144.0

/* --- the table -------------------------------------------------------------------------------- */

/* Nanoseconds of one thread, as tests/bench/convolution_costs.py prints them, for a processor with
 * AVX-512 in halves; only their ratios matter.  Terms of real results that are alone, which random
 * shapes do not have, were measured while short rows were computed so. */
static const double direct_costs[DDR_DIRECT_KINDS][DDR_DIRECT_COUNTS] = {
    [DDR_DIRECT_OF_DOUBLES] = {0.454, 0.531, 0.436, 0.112, 34.3, 0.0335, 1.1e+03},
    [DDR_DIRECT_OF_FLOATS] = {0.263, 0.885, 0.581, 0.267, 23.7, 0.175, 1.3e+03},
    [DDR_DIRECT_FILTER] = {0.974, 0, 0.621, 0.446, 12.9, 0.0945, 957},
    [DDR_DIRECT_OF_COMPLEXES] = {0, 0, 0.243, 0.161, 66.6, 0.663, 1.04e+03},
};

static const double fft_costs[DDR_FFT_KINDS][DDR_FFT_COUNTS] = {
    [DDR_FFT_DOUBLES] = {0.243, 0, 0, 0.474, 0.0927, 1.12, 16.6, 285, 888},
    [DDR_FFT_FLOATS] = {0.105, 0.16, 1.45, 0.629, 0.0283, 0.437, 14.1, 99.5, 975},
    [DDR_FFT_COMPLEX_DOUBLES] = {0.33, 0.728, 2.08, 1.55, 0.761, 0, 5.74, 201, 854},
    [DDR_FFT_COMPLEX_FLOATS] = {0.152, 0, 1.64, 1.27, 0.551, 0.176, 7.25, 308, 789},
};

static double sum_of(int n, const double *counts, const double *costs) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += counts[k] * costs[k];
  return sum;
}

/* --- direct sums ------------------------------------------------------------------------------ */

static int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }

int ddr_direct_row_axis(int rank, const int64_t *n_results, int wanted) {
  int longest = wanted;
  for (int k = 0; k < rank; k++) {
    if (n_results[k] > n_results[longest]) longest = k;
  }
  return n_results[wanted] >= DDR_CONV_HALF_ROW ? wanted : longest;
}

/* Axes as direct sums see them: axes without weights are merged with their neighbour (see
 * direct.c), if every sample of the inner one has a result. */
typedef struct {
  int rank;
  ddr_fft_axis axes[DDR_CONV_MAX_RANK];
  int64_t n_results[DDR_CONV_MAX_RANK];
} Merged;

static Merged merge_axes(int rank, const ddr_fft_axis *axes, const int64_t *n_results) {
  Merged merged = {.rank = 0};
  for (int k = 0; k < rank; k++) {
    const int before = merged.rank - 1;
    const bool is_whole = axes[k].kernel == 1 && n_results[k] == axes[k].signal;
    if (before >= 0 && is_whole && merged.axes[before].kernel == 1) {
      merged.axes[before].signal *= axes[k].signal;
      merged.axes[before].n_positions *= axes[k].n_positions;
      merged.n_results[before] *= n_results[k];
    } else {
      merged.axes[merged.rank] = axes[k];
      merged.n_results[merged.rank++] = n_results[k];
    }
  }
  return merged;
}

/* Of two rows of results along the axis with the most weights, the samples that are read, relative
 * to those of both. */
static double share_read(int rank, const ddr_fft_axis *axes, const int64_t *n_results, int row) {
  int64_t n_taps = 1;
  for (int k = 0; k < rank; k++) {
    const bool is_better = k != row && n_results[k] > 1 && axes[k].kernel > n_taps;
    if (is_better) n_taps = axes[k].kernel;
  }
  return n_taps == 1 ? 1 : (double)(n_taps + 1) / (2 * (double)n_taps);
}

void ddr_direct_count_all(ddr_direct_kind kind, int given_rank, const ddr_fft_axis *given_axes,
                          const int64_t *given_results, double counts[DDR_DIRECT_COUNTS]) {
  const Merged merged = merge_axes(given_rank, given_axes, given_results);
  const int rank = merged.rank;
  const ddr_fft_axis *const axes = merged.axes;
  const int64_t *const n_results = merged.n_results;
  const int row = ddr_direct_row_axis(rank, n_results, rank - 1);
  const int64_t width = DDR_CONV_HALF_ROW, n_in_row = n_results[row];
  const bool is_alone = n_in_row < DDR_CONV_SHORT_ROW || kind == DDR_DIRECT_OF_COMPLEXES;
  double n_rows = 1, n_terms = 1, n_samples = 1;
  for (int k = 0; k < rank; k++) {
    const int64_t n_taps = least_of(axes[k].kernel, axes[k].signal);
    if (k != row) n_rows *= (double)n_results[k];
    n_terms *= (double)n_taps;
    n_samples *= (double)(axes[k].n_positions + n_taps - 1);
  }
  const int64_t n_vectors = (n_in_row - 1) / width + 1;
  counts[DDR_DIRECT_VECTORS] = is_alone ? 0 : n_rows * n_terms * (double)n_vectors;
  counts[DDR_DIRECT_READS] = counts[DDR_DIRECT_VECTORS] * share_read(rank, axes, n_results, row);
  counts[DDR_DIRECT_ALONE] = is_alone ? n_rows * n_terms * (double)n_in_row : 0;
  counts[DDR_DIRECT_ROW_TERMS] = n_rows * n_terms;
  counts[DDR_DIRECT_ROWS] = n_rows;
  counts[DDR_DIRECT_SAMPLES] = n_samples;
  counts[DDR_DIRECT_CALLS] = 1;
}

double ddr_direct_cost(ddr_direct_kind kind, int rank, const ddr_fft_axis *axes,
                       const int64_t *n_results) {
  double counts[DDR_DIRECT_COUNTS];
  ddr_direct_count_all(kind, rank, axes, n_results, counts);
  return sum_of(DDR_DIRECT_COUNTS, counts, direct_costs[kind]);
}

/* --- transforms ------------------------------------------------------------------------------- */

static int count_factors(int64_t n, int64_t factor) {
  int count = 0;
  for (; n % factor == 0; n /= factor) count++;
  return count;
}

void ddr_fft_count_all(int rank, const ddr_fft_axis *axes, double counts[DDR_FFT_COUNTS]) {
  double n_points = 1, n_blocks = 1, n_threes = 0, n_fives = 0;
  for (int k = 0; k < rank; k++) {
    n_points *= (double)axes[k].n_points;
    n_blocks *= (double)axes[k].n_blocks;
    n_threes += count_factors(axes[k].n_points, 3);
    n_fives += count_factors(axes[k].n_points, 5);
  }
  const double n_all = n_blocks * n_points, n_steps = n_all * log2(n_points);
  counts[DDR_FFT_STEPS] = n_steps;
  counts[DDR_FFT_FAR_STEPS] = n_points > NEAR_POINTS ? n_steps : 0;
  counts[DDR_FFT_POINTS] = n_all;
  counts[DDR_FFT_THREES] = n_all * n_threes;
  counts[DDR_FFT_FIVES] = n_all * n_fives;
  counts[DDR_FFT_ACROSS] = n_all * (rank - 1);
  counts[DDR_FFT_ROWS] = n_all / (double)axes[rank - 1].n_points;
  counts[DDR_FFT_BLOCKS] = n_blocks;
  counts[DDR_FFT_CALLS] = 1;
}

double ddr_fft_cost(ddr_fft_kind kind, int rank, const ddr_fft_axis *axes) {
  double counts[DDR_FFT_COUNTS];
  ddr_fft_count_all(rank, axes, counts);
  return sum_of(DDR_FFT_COUNTS, counts, fft_costs[kind]);
}
