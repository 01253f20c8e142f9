/* fft_size.c: see fft_size.h. */
#include "runtime/conv/costs/fft_size.h"

#include <string.h>

#include "runtime/array/array.h"
#include "runtime/conv/costs/costs.h"

/* Sizes of single transforms are at most 1/LARGER above the least size; blocks of SMALL points are
 * tried first. */
enum { LARGER = 8, SMALL = 8 };

int64_t ddr_fft_size(int64_t n) {
  for (;; n++) {
    int64_t rest = n;
    while (rest % 2 == 0) rest /= 2;
    while (rest % 3 == 0) rest /= 3;
    while (rest % 5 == 0) rest /= 5;
    if (rest == 1) return n;
  }
}

/* Rows of at most so many points: FFTW's plans for one long row are faster, of reals twice. */
enum { SHORT_ROW = 128, SHORT_ROW_OF_REALS = 64 };

bool ddr_fft_is_short_row(int64_t n_points, bool is_real) {
  return n_points <= (is_real ? SHORT_ROW_OF_REALS : SHORT_ROW);
}

int64_t ddr_fft_row_width(int64_t n_points, bool is_real) {
  const int64_t n = is_real ? n_points / 2 + 1 : n_points, unit = DDR_FFT_LINES_AT_ONCE;
  return (n - 1) / unit * unit + unit;
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

/* The least number of points for a single transform with room for the kernel: wrapped-around points
 * must not overlap results that are needed. */
static int64_t take_whole(ddr_fft_axis *axis) {
  axis->block = axis->n_positions;
  axis->n_blocks = 1;
  const ddr_fft_span span = ddr_fft_span_of(axis, 0);
  const int64_t before = span.n_samples + axis->kernel - 1 - span.point;
  return greatest_of(greatest_of(before, span.point + span.n_positions), axis->kernel);
}

static void take_blocks(ddr_fft_axis *axis, int64_t n_points) {
  axis->n_points = n_points;
  axis->block = n_points - (axis->kernel - 1);
  axis->n_blocks = (axis->n_positions - 1) / axis->block + 1;
}

typedef struct Choice {
  ddr_fft_kind kind;
  int rank;
  ddr_fft_axis *axes, *axis; /* all axes; the one that is being chosen */
  ddr_fft_axis best;         /* the best choice so far for that axis */
  double cost;
} Choice;

static void compare(Choice *choice) {
  const double cost = ddr_fft_cost(choice->kind, choice->rank, choice->axes);
  if (choice->cost >= 0 && cost >= choice->cost) return;
  choice->cost = cost;
  choice->best = *choice->axis;
}

/* Compares some sizes from the least on: other prime factors may be faster.  Rows of reals have an
 * even number of points, since they are transformed as half as many complex numbers. */
static int64_t compare_wholes(Choice *choice) {
  const int64_t least = take_whole(choice->axis);
  const bool is_row = choice->axis == &choice->axes[choice->rank - 1] && least > 1;
  const int64_t unit = is_row ? 2 : 1;
  const int64_t first = unit * ddr_fft_size((least - 1) / unit + 1);
  for (int64_t n = first; n <= first + first / LARGER; n = unit * ddr_fft_size(n / unit + 1)) {
    choice->axis->n_points = n;
    compare(choice);
  }
  return first;
}

/* Compares blocks of at least twice the kernel that are smaller than a single transform; along an
 * axis without weights also blocks of one point, which need no transform. */
static void compare_blocks(Choice *choice, int64_t whole) {
  if (choice->axis->kernel == 1 && whole > 1) {
    take_blocks(choice->axis, 1);
    compare(choice);
  }
  for (int64_t n = 2; n <= whole; n *= 2) {
    for (int64_t part = 2; part <= 3; part++) { /* 2^k and 3 2^(k-1) */
      const int64_t n_points = n / 2 * part;
      if (n_points < 2 * choice->axis->kernel || n_points >= whole) continue;
      take_blocks(choice->axis, n_points);
      compare(choice);
    }
  }
}

/* Chooses one axis at a time, from the first or from the last on, at most twice, because the best
 * choice for one depends on the others; returns the cost. */
static double descend(ddr_fft_kind kind, int rank, ddr_fft_axis *axes, bool is_first_first) {
  double cost = 0;
  int n_settled = 0; /* axes whose choice would be the same again */
  for (int turn = 0; turn < 2 * rank && n_settled < rank; turn++) {
    const int k = is_first_first ? turn % rank : rank - 1 - turn % rank;
    const ddr_fft_axis before = axes[k];
    Choice choice = {.kind = kind, .rank = rank, .axes = axes, .axis = &axes[k], .cost = -1};
    compare_blocks(&choice, compare_wholes(&choice));
    axes[k] = choice.best;
    cost = choice.cost;
    const bool is_same = before.n_points == axes[k].n_points && before.block == axes[k].block;
    n_settled = is_same ? n_settled + 1 : 1;
  }
  return cost;
}

/* Begins with single transforms, then with small blocks: each finds what the other may not, if
 * there are several axes. */
void ddr_fft_choose(ddr_fft_kind kind, int rank, ddr_fft_axis *axes) {
  ddr_fft_axis blocks[DDR_CONV_MAX_RANK];
  for (int k = 0; k < rank; k++) {
    axes[k].n_points = ddr_fft_size(take_whole(&axes[k]));
    blocks[k] = axes[k];
    int64_t n_points = SMALL;
    while (n_points < 2 * axes[k].kernel) n_points *= 2;
    if (n_points < axes[k].n_points) take_blocks(&blocks[k], n_points);
  }
  const double cost = descend(kind, rank, axes, true);
  if (rank > 1 && descend(kind, rank, blocks, false) < cost)
    memcpy(axes, blocks, (size_t)rank * sizeof *axes);
}
