/* costs.c: see costs.h. */
#include "runtime/conv/costs/costs.h"

#include <math.h>

#include "runtime/array/array.h"

/* What stays in the caches: points of a transform, bytes of points of all, samples. */
#define NEAR_POINTS 65536.0
#define NEAR_BYTES 4194304.0
#define NEAR_SAMPLES 1048576.0

/* --- the table -------------------------------------------------------------------------------- */

/* Nanoseconds of one thread, as tests/bench/convolution_costs.py prints them, for a processor with
 * AVX-512 in halves; only their ratios matter.  Terms of real results that are alone, which random
 * shapes do not have, were measured while short rows were computed so. */
static const double direct_costs[DDR_DIRECT_KINDS][DDR_DIRECT_COUNTS] = {
    [DDR_DIRECT_OF_DOUBLES] = {0.481, 0.494, 0.436, 0.1, 37.4, 0.0131, 0.344, 1.12e+03},
    [DDR_DIRECT_OF_FLOATS] = {0.317, 0.452, 0.581, 0.137, 33, 0.0882, 0.375, 1.63e+03},
    [DDR_DIRECT_FILTER] = {0.822, 0.156, 0.621, 0, 15.8, 0.0681, 0.349, 983},
    [DDR_DIRECT_OF_COMPLEXES] = {0, 0, 0.223, 1.07, 36.9, 0.822, 1.49, 1.1e+03},
    [DDR_DIRECT_OF_COMPLEX_FLOATS] = {0, 0, 0.223, 0.922, 41.4, 1.44, 3.18, 1.2e+03},
};

static const double fft_costs[DDR_FFT_KINDS][DDR_FFT_COUNTS] = {
    [DDR_FFT_DOUBLES] = {0.976, 0.127, 0.79, 0.852, 1.32, 5.55, 10.6, 113, 1.03e+03},
    [DDR_FFT_FLOATS] = {0.975, 0.0326, 0.45, 0.713, 0, 8.95, 10.8, 75, 1.06e+03},
    [DDR_FFT_COMPLEX_DOUBLES] = {0.973, 0.198, 1.59, 1.89, 0, 8.32, 11.4, 47.6, 993},
    [DDR_FFT_COMPLEX_FLOATS] = {0.969, 0.162, 1.02, 1.02, 0, 8.52, 10.2, 101, 1.01e+03},
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

static bool is_of_complexes(ddr_direct_kind kind) {
  return kind == DDR_DIRECT_OF_COMPLEXES || kind == DDR_DIRECT_OF_COMPLEX_FLOATS;
}

void ddr_direct_count_all(ddr_direct_kind kind, int given_rank, const ddr_fft_axis *given_axes,
                          const int64_t *given_results, double counts[DDR_DIRECT_COUNTS]) {
  const Merged merged = merge_axes(given_rank, given_axes, given_results);
  const int rank = merged.rank;
  const ddr_fft_axis *const axes = merged.axes;
  const int64_t *const n_results = merged.n_results;
  const int row = ddr_direct_row_axis(rank, n_results, rank - 1);
  const int64_t width = DDR_CONV_HALF_ROW, n_in_row = n_results[row];
  const bool is_alone = n_in_row < DDR_CONV_SHORT_ROW || is_of_complexes(kind);
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
  counts[DDR_DIRECT_FAR_SAMPLES] = n_samples > NEAR_SAMPLES ? n_samples : 0;
  counts[DDR_DIRECT_CALLS] = 1;
}

double ddr_direct_cost(ddr_direct_kind kind, int rank, const ddr_fft_axis *axes,
                       const int64_t *n_results) {
  double counts[DDR_DIRECT_COUNTS];
  ddr_direct_count_all(kind, rank, axes, n_results, counts);
  return sum_of(DDR_DIRECT_COUNTS, counts, direct_costs[kind]);
}

/* --- transforms ------------------------------------------------------------------------------- */

/* What is done with the lines of an axis. */
typedef enum Line {
  ROW_OF_DOUBLES,
  ROW,
  ACROSS,
  ROW_OF_FLOATS,
  FLOAT_ROW,
  FLOAT_ACROSS,
  LINES
} Line;

typedef struct LineTime {
  int64_t n_points;
  double per_step[LINES]; /* picoseconds there and back, divided by n_points * log2(n_points) */
} LineTime;

static const LineTime line_times[] = {
#define LINE(n_points, ...) {n_points, {__VA_ARGS__}},
#include "runtime/conv/costs/fft_lines.def"
};

/* Of rows that are transformed one by one; longer ones always are. */
static const LineTime lone_times[] = {
#define LONE_LINE(n_points, ...) {n_points, {__VA_ARGS__}},
#include "runtime/conv/costs/fft_lines.def"
};

/* Sizes up to DENSE_SIZES have an index each, and above only multiples of SPARSE_SIZES. */
enum { DENSE_SIZES = 2048, SPARSE_SIZES = 1024, LARGEST_SIZE = 65536 };
#define INDEX_OF_SIZE(n) ((n) <= DENSE_SIZES ? (n) : DENSE_SIZES + (n) / SPARSE_SIZES)
enum { N_INDICES = INDEX_OF_SIZE(LARGEST_SIZE) + 1 };

enum {
#define LINE(n_points, ...) POSITION_##n_points,
#include "runtime/conv/costs/fft_lines.def"
  N_LONE_TIMES = sizeof lone_times / sizeof *lone_times
};

/* Where sizes are in line_times.  Lone rows have the same sizes, as far as there are any. */
static const uint8_t positions[N_INDICES] = {
#define LINE(n_points, ...) [INDEX_OF_SIZE(n_points)] = POSITION_##n_points,
#include "runtime/conv/costs/fft_lines.def"
};

/* The times of lines of n points, or of the longest part of them that was measured. */
static const LineTime *find_line(bool is_lone, int64_t n) {
  for (;;) {
    const int position = n <= LARGEST_SIZE ? positions[INDEX_OF_SIZE(n)] : 0;
    if (is_lone && position < N_LONE_TIMES && lone_times[position].n_points == n)
      return &lone_times[position];
    if (line_times[position].n_points == n) return &line_times[position];
    n /= n % 2 == 0 ? 2 : n % 3 == 0 ? 3 : 5;
  }
}

/* Nanoseconds of a line. */
static double line_time(Line line, bool is_lone, int64_t n) {
  if (n == 1) return 0;
  return 1e-3 * (double)n * log2((double)n) * find_line(is_lone, n)->per_step[line];
}

static Line line_of(ddr_fft_kind kind, bool is_row) {
  const bool is_float = kind == DDR_FFT_FLOATS || kind == DDR_FFT_COMPLEX_FLOATS;
  const bool is_real = kind == DDR_FFT_DOUBLES || kind == DDR_FFT_FLOATS;
  const Line line = !is_row ? ACROSS : is_real ? ROW_OF_DOUBLES : ROW;
  return line + (is_float ? ROW_OF_FLOATS : 0);
}

static double lesser_of(double a, double b) { return a < b ? a : b; }

/* Results and samples of a block along an axis, on the average. */
static void measure_block(const ddr_fft_axis *axis, double *n_results, double *n_samples) {
  const double n_blocks = (double)axis->n_blocks, overlap = (double)axis->kernel - 1;
  const double of_results = (double)axis->n_positions + n_blocks * overlap;
  const double of_signal = (double)axis->signal + (n_blocks - 1) * overlap;
  *n_results = (double)axis->n_positions / n_blocks;
  *n_samples = lesser_of((double)axis->n_points, lesser_of(of_results, of_signal) / n_blocks);
}

/* The time of all lines of a transform and its inverse (fft/lines_set.h). */
static double time_lines(ddr_fft_kind kind, const ddr_fft_axis *axes, int row) {
  const bool is_real = kind == DDR_FFT_DOUBLES || kind == DDR_FFT_FLOATS;
  const int64_t n_row = axes[row].n_points;
  double n_after = (double)ddr_fft_row_width(n_row, is_real), time = 0;
  double n_results = 1, n_samples = 1; /* of all axes before */
  int of_rows = row - 1;               /* the axis along which rows are beside each other */
  while (of_rows >= 0 && axes[of_rows].n_points == 1) of_rows--;
  for (int k = 0; k < row; k++) n_after *= (double)axes[k].n_points;
  for (int k = 0; k <= row; k++) {
    const Line line = line_of(kind, k == row);
    const bool is_together = k == of_rows && ddr_fft_is_short_row(n_row, is_real);
    double results, samples;
    n_after = k == row ? 1 : n_after / (double)axes[k].n_points;
    time += (n_samples + n_results) / 2 * n_after *
            line_time(line, k == row && of_rows < 0, axes[k].n_points);
    measure_block(&axes[k], &results, &samples);
    n_results *= is_together ? (double)axes[k].n_points : results;
    n_samples *= is_together ? (double)axes[k].n_points : samples;
  }
  return time;
}

static double size_of_point(ddr_fft_kind kind) {
  static const double sizes[DDR_FFT_KINDS] = {8, 4, 16, 8};
  return sizes[kind];
}

void ddr_fft_count_all(ddr_fft_kind kind, int rank, const ddr_fft_axis *axes,
                       double counts[DDR_FFT_COUNTS]) {
  double n_points = 1, n_blocks = 1;
  int row = rank - 1;
  while (row > 0 && axes[row].n_points == 1) row--;
  for (int k = 0; k < rank; k++) {
    n_points *= (double)axes[k].n_points;
    n_blocks *= (double)axes[k].n_blocks;
  }
  const double n_all = n_blocks * n_points, time = n_blocks * time_lines(kind, axes, row);
  const bool is_far = n_points > NEAR_POINTS;
  counts[DDR_FFT_LINES] = time;
  counts[DDR_FFT_FAR_LINES] = is_far ? time : 0;
  counts[DDR_FFT_POINTS] = n_all;
  counts[DDR_FFT_FAR_POINTS] = n_all * size_of_point(kind) > NEAR_BYTES ? n_all : 0;
  counts[DDR_FFT_HUGE_POINTS] = n_points * size_of_point(kind) > NEAR_BYTES ? n_all : 0;
  counts[DDR_FFT_STRIDED_POINTS] = row < rank - 1 ? n_all : 0;
  counts[DDR_FFT_ROWS] = n_all / (double)axes[row].n_points;
  counts[DDR_FFT_BLOCKS] = n_blocks;
  counts[DDR_FFT_CALLS] = 1;
}

double ddr_fft_cost(ddr_fft_kind kind, int rank, const ddr_fft_axis *axes) {
  double counts[DDR_FFT_COUNTS];
  ddr_fft_count_all(kind, rank, axes, counts);
  return sum_of(DDR_FFT_COUNTS, counts, fft_costs[kind]);
}
