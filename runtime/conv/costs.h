/* costs.h: what both ways of convolving cost, and so which one mode="auto" takes.
 *
 * A cost is a sum of counts, each times what one of it takes.  Counts depend on shapes alone; the
 * table of times (costs.c) is measured once for all machines, so that all of them choose alike.
 */
#pragma once

#include <stdint.h>

#include "runtime/conv/fft_size.h"

/* What direct sums do.  A term is one product that is added.  Results are computed in vectors of
 * DDR_CONV_VECTOR_ROW, or one by one. */
typedef enum ddr_direct_count {
  DDR_DIRECT_VECTORS,   /* terms of such vectors */
  DDR_DIRECT_ALONE,     /* terms of results in rows too short for one, and of complex results */
  DDR_DIRECT_ROW_TERMS, /* terms of one result of each row */
  DDR_DIRECT_ROWS,
  DDR_DIRECT_SAMPLES, /* that some result needs, those outside of the signal included */
  DDR_DIRECT_CALLS,   /* 1 */
  DDR_DIRECT_COUNTS
} ddr_direct_count;

enum {
  DDR_CONV_VECTOR_ROW = 32, /* results that the widest vectors make at once */
  DDR_CONV_MOST_FILTER_WEIGHTS = 128
};

typedef enum ddr_direct_kind {
  DDR_DIRECT_OF_DOUBLES,
  DDR_DIRECT_OF_FLOATS,
  DDR_DIRECT_FILTER, /* of floats, by at most DDR_CONV_MOST_FILTER_WEIGHTS along one axis */
  DDR_DIRECT_OF_COMPLEXES,
  DDR_DIRECT_KINDS
} ddr_direct_kind;

/* Along which axis rows run: the one that is wanted, if it has results for a vector, else the one
 * with most. */
int ddr_direct_row_axis(int rank, const int64_t *n_results, int wanted);

void ddr_direct_count_all(ddr_direct_kind kind, int rank, const ddr_fft_axis *axes,
                          const int64_t *n_results, double counts[DDR_DIRECT_COUNTS]);
double ddr_direct_cost(ddr_direct_kind kind, int rank, const ddr_fft_axis *axes,
                       const int64_t *n_results);

/* What Fourier transforms and their inverses do, for all blocks. */
typedef enum ddr_fft_count {
  DDR_FFT_STEPS,     /* points times the binary digits of their number */
  DDR_FFT_FAR_STEPS, /* those of transforms that are larger than the caches */
  DDR_FFT_POINTS,
  DDR_FFT_THREES, /* points times the factors 3 of the sizes, */
  DDR_FFT_FIVES,  /* and 5 */
  DDR_FFT_ACROSS, /* points times the axes but the last */
  DDR_FFT_ROWS,
  DDR_FFT_BLOCKS,
  DDR_FFT_CALLS, /* 1 */
  DDR_FFT_COUNTS
} ddr_fft_count;

/* Once they are chosen. */
void ddr_fft_count_all(int rank, const ddr_fft_axis *axes, double counts[DDR_FFT_COUNTS]);
double ddr_fft_cost(ddr_fft_kind kind, int rank, const ddr_fft_axis *axes);
