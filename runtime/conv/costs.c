/* costs.c: see costs.h. */
#include "runtime/conv/costs.h"

#include <math.h>

#include "runtime/array/array.h"

/* Points that stay near the processor. */
#define NEAR_POINTS 262144.0

/* --- the table -------------------------------------------------------------------------------- */

/* Nanoseconds of one thread, as tests/bench/convolution_costs.py prints them: of a processor with
 * AVX-512, but only their ratios matter. */
static const double direct_costs[DDR_DIRECT_KINDS][DDR_DIRECT_COUNTS] = {
    [DDR_DIRECT_OF_DOUBLES] = {1.21, 0.263, 0, 31.8, 0.0178, 794},
    [DDR_DIRECT_OF_FLOATS] = {0.905, 0.418, 0, 19.1, 0.145, 1.02e+03},
    [DDR_DIRECT_FILTER] = {1.15, 0.335, 0.46, 3.47, 0.0571, 730},
    [DDR_DIRECT_OF_COMPLEXES] = {0, 0.654, 0.64, 15.8, 0.841, 875},
};

static const double fft_costs[DDR_FFT_KINDS][DDR_FFT_COUNTS] = {
    [DDR_FFT_DOUBLES] = {0.116, 0.0315, 0.814, 0.45, 0.345, 0.505, 6.84, 255, 574},
    [DDR_FFT_FLOATS] = {0.133, 0, 0, 0.332, 0.0484, 0.42, 10.3, 38, 857},
    [DDR_FFT_COMPLEX_DOUBLES] = {0.386, 0, 0.225, 0.938, 0.49, 0, 2.77, 283, 500},
    [DDR_FFT_COMPLEX_FLOATS] = {0.201, 0.0886, 0.0149, 1.12, 0.458, 0.0143, 4.62, 330, 524},
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
  return n_results[wanted] >= DDR_CONV_VECTOR_ROW ? wanted : longest;
}

/* Axes as sums have them: neighbours without weights are one (see direct.c), where all samples of
 * the inner one have results. */
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

void ddr_direct_count_all(ddr_direct_kind kind, int given_rank, const ddr_fft_axis *given_axes,
                          const int64_t *given_results, double counts[DDR_DIRECT_COUNTS]) {
  const Merged merged = merge_axes(given_rank, given_axes, given_results);
  const int rank = merged.rank;
  const ddr_fft_axis *const axes = merged.axes;
  const int64_t *const n_results = merged.n_results;
  const int row = ddr_direct_row_axis(rank, n_results, rank - 1);
  const int64_t width = DDR_CONV_VECTOR_ROW, n_in_row = n_results[row];
  const bool is_alone = n_in_row < width || kind == DDR_DIRECT_OF_COMPLEXES;
  double n_rows = 1, n_terms = 1, n_samples = 1;
  for (int k = 0; k < rank; k++) {
    const int64_t n_taps = least_of(axes[k].kernel, axes[k].signal);
    if (k != row) n_rows *= (double)n_results[k];
    n_terms *= (double)n_taps;
    n_samples *= (double)(axes[k].n_positions + n_taps - 1);
  }
  const int64_t n_vectors = (n_in_row - 1) / width + 1;
  counts[DDR_DIRECT_VECTORS] = is_alone ? 0 : n_rows * n_terms * (double)n_vectors;
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
