/* costs.h: the cost of both ways to convolve, and so the choice of mode="auto".
 *
 * A cost is a sum of counts, each times the duration of one.  Counts depend on shapes alone; the
 * table of durations (costs.c) is the same on all machines, so that all of them choose alike.
 */
#pragma once

#include <stdint.h>

#include "runtime/conv/costs/fft_size.h"

/* Work of direct sums.  A term is one product that is added.  Results are computed in vectors, of
 * which DDR_CONV_HALF_ROW is the least, also if a row has fewer results, or one by one. */
typedef enum ddr_direct_count {
  DDR_DIRECT_VECTORS,   /* terms of DDR_CONV_HALF_ROW results */
  DDR_DIRECT_READS,     /* vectors of samples read for them: pairs of rows share some */
  DDR_DIRECT_ALONE,     /* terms of results of rows below DDR_CONV_SHORT_ROW, and complex ones */
  DDR_DIRECT_ROW_TERMS, /* terms of one result in each row */
  DDR_DIRECT_ROWS,
  DDR_DIRECT_SAMPLES, /* samples that some result needs, including those outside of the signal */
  DDR_DIRECT_FAR_SAMPLES, /* likewise, if they are more than the caches hold */
  DDR_DIRECT_CALLS,       /* 1 */
  DDR_DIRECT_COUNTS
} ddr_direct_count;

enum {
  DDR_CONV_VECTOR_ROW = 32, /* results that the widest vectors compute at once */
  DDR_CONV_HALF_ROW = 16,   /* and for what is left of a row */
  DDR_CONV_SHORT_ROW = 4,   /* shorter rows are computed one by one */
  DDR_CONV_MOST_FILTER_WEIGHTS = 128
};

typedef enum ddr_direct_kind {
  DDR_DIRECT_OF_DOUBLES,
  DDR_DIRECT_OF_FLOATS,
  DDR_DIRECT_FILTER, /* of floats, by at most DDR_CONV_MOST_FILTER_WEIGHTS along one axis */
  DDR_DIRECT_OF_COMPLEXES,
  DDR_DIRECT_OF_COMPLEX_FLOATS, /* which are converted to doubles first */
  DDR_DIRECT_KINDS
} ddr_direct_kind;

/* The axis along which rows run: the wanted one if its results fill half a vector, otherwise the
 * one with the most results. */
int ddr_direct_row_axis(int rank, const int64_t *n_results, int wanted);

void ddr_direct_count_all(ddr_direct_kind kind, int rank, const ddr_fft_axis *axes,
                          const int64_t *n_results, double counts[DDR_DIRECT_COUNTS]);
double ddr_direct_cost(ddr_direct_kind kind, int rank, const ddr_fft_axis *axes,
                       const int64_t *n_results);

/* Work of Fourier transforms and their inverses, for all blocks. */
typedef enum ddr_fft_count {
  DDR_FFT_LINES,     /* the times of single lines (fft_lines.def) */
  DDR_FFT_FAR_LINES, /* likewise, for transforms that are larger than the caches */
  DDR_FFT_POINTS,
  DDR_FFT_FAR_POINTS,     /* likewise, if they are more than the caches hold */
  DDR_FFT_HUGE_POINTS,    /* likewise, if those of one transform are more */
  DDR_FFT_STRIDED_POINTS, /* of rows along an axis that is not the last */
  DDR_FFT_ROWS,
  DDR_FFT_BLOCKS,
  DDR_FFT_CALLS, /* 1 */
  DDR_FFT_COUNTS
} ddr_fft_count;

/* Counts for axes whose sizes are chosen. */
void ddr_fft_count_all(ddr_fft_kind kind, int rank, const ddr_fft_axis *axes,
                       double counts[DDR_FFT_COUNTS]);
double ddr_fft_cost(ddr_fft_kind kind, int rank, const ddr_fft_axis *axes);
