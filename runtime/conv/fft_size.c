/* fft_size.c: see fft_size.h. */
#include "runtime/conv/fft_size.h"

#include <math.h>

#include "runtime/conv/conv.h"

/* Terms of direct sums in the time that a transform takes for each point and binary digit of their
 * number, there and back; and for each point for reading, multiplying and writing.  As measured by
 * tests/bench/convolution_peers.py --modes. */
#define TERMS_PER_STEP 6.0
#define TERMS_PER_POINT 30.0

/* Points that stay near the processor; transforms of more take longer by this. */
#define NEAR_POINTS 262144.0
#define FAR_FACTOR 1.6

int64_t ddr_fft_size(int64_t n) {
  for (;; n++) {
    int64_t rest = n;
    while (rest % 2 == 0) rest /= 2;
    while (rest % 3 == 0) rest /= 3;
    while (rest % 5 == 0) rest /= 5;
    if (rest == 1) return n;
  }
}

static int64_t least_of(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t greatest_of(int64_t a, int64_t b) { return a > b ? a : b; }

ddr_fft_span ddr_fft_span_of(const ddr_fft_axis *axis, int64_t block) {
  const int64_t end = axis->first + axis->n_positions;
  ddr_fft_span span = {.first = axis->first + block * axis->block};
  span.n_positions = least_of(axis->block, end - span.first);
  span.first_sample = greatest_of(0, span.first - (axis->kernel - 1));
  const int64_t last = least_of(axis->signal - 1, span.first + span.n_positions - 1);
  span.n_samples = greatest_of(0, last - span.first_sample + 1);
  span.point = span.first - span.first_sample;
  return span;
}

/* --- choosing --------------------------------------------------------------------------------- */

/* One transform for all, with room for the kernel: what comes back from the other side must not
 * meet what is wanted. */
static void take_whole(ddr_fft_axis *axis) {
  axis->block = axis->n_positions;
  axis->n_blocks = 1;
  const ddr_fft_span span = ddr_fft_span_of(axis, 0);
  const int64_t before = span.n_samples + axis->kernel - 1 - span.point;
  const int64_t wanted = greatest_of(before, span.point + span.n_positions);
  axis->n_points = ddr_fft_size(greatest_of(wanted, axis->kernel));
}

static void take_blocks(ddr_fft_axis *axis, int64_t n_points) {
  axis->n_points = n_points;
  axis->block = n_points - (axis->kernel - 1);
  axis->n_blocks = (axis->n_positions - 1) / axis->block + 1;
}

double ddr_conv_fft_cost(int rank, const ddr_fft_axis *axes) {
  double n_points = 1, n_blocks = 1;
  for (int k = 0; k < rank; k++) {
    n_points *= (double)axes[k].n_points;
    n_blocks *= (double)axes[k].n_blocks;
  }
  const double step = TERMS_PER_STEP * (n_points > NEAR_POINTS ? FAR_FACTOR : 1);
  return n_blocks * n_points * (step * log2(n_points) + TERMS_PER_POINT);
}

double ddr_conv_direct_cost(int rank, const ddr_fft_axis *axes, const int64_t *n_results) {
  double n_terms = 1;
  for (int k = 0; k < rank; k++)
    n_terms *= (double)n_results[k] * (double)least_of(axes[k].kernel, axes[k].signal);
  return n_terms;
}

/* Blocks of twice the kernel and more, as long as they are fewer points than the whole. */
static void improve(int rank, ddr_fft_axis *axes, int which) {
  ddr_fft_axis *axis = &axes[which], best;
  take_whole(axis);
  const int64_t whole = axis->n_points;
  double least = ddr_conv_fft_cost(rank, axes);
  best = *axis;
  for (int64_t n = 2; n <= whole; n *= 2) {
    for (int64_t part = 2; part <= 3; part++) { /* 2^k and 3 2^(k-1) */
      const int64_t n_points = n / 2 * part;
      if (n_points < 2 * axis->kernel || n_points >= whole) continue;
      take_blocks(axis, n_points);
      const double cost = ddr_conv_fft_cost(rank, axes);
      if (cost >= least) continue;
      least = cost;
      best = *axis;
    }
  }
  *axis = best;
}

/* Axis by axis, twice: what is best for one depends on the others. */
void ddr_fft_choose(int rank, ddr_fft_axis *axes) {
  for (int k = 0; k < rank; k++) take_whole(&axes[k]);
  for (int round = 0; round < 2; round++) {
    for (int k = 0; k < rank; k++) improve(rank, axes, k);
  }
}
