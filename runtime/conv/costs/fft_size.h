/* fft_size.h: the sizes and numbers of transforms.
 *
 * The operand with fewer elements is the kernel.  Along an axis either a single transform has room
 * for all results that are wanted, or the signal is divided into blocks that overlap by the kernel
 * (overlap-save), whichever costs less (costs.h).  The choice depends on shapes and kinds alone.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The least integer >= n, for n >= 1, without prime factors above 5. */
int64_t ddr_fft_size(int64_t n);

/* Lines are gathered this many at a time, and rows padded to a multiple. */
enum { DDR_FFT_LINES_AT_ONCE = 4 };

/* Whether rows are transformed together, even if some are zeros. */
bool ddr_fft_is_short_row(int64_t n_points, bool is_real);

/* The points of a row of a spectrum, with padding. */
int64_t ddr_fft_row_width(int64_t n_points, bool is_real);

/* Results first to first + n_positions - 1 of the full range are wanted. */
typedef struct ddr_fft_axis {
  int64_t kernel, signal, first, n_positions; /* given */
  /* Chosen: points of a transform; results per block; number of blocks. */
  int64_t n_points, block, n_blocks;
} ddr_fft_axis;

/* The extent of a block.  Samples first_sample to first_sample + n_samples - 1 (n_samples may be 0)
 * are the first points of its transform; results first to first + n_positions - 1 are at point
 * `point` and the following ones. */
typedef struct ddr_fft_span {
  int64_t first, n_positions, first_sample, n_samples, point;
} ddr_fft_span;

/* The type of the points of a transform. */
typedef enum ddr_fft_kind {
  DDR_FFT_DOUBLES,
  DDR_FFT_FLOATS,
  DDR_FFT_COMPLEX_DOUBLES,
  DDR_FFT_COMPLEX_FLOATS,
  DDR_FFT_KINDS
} ddr_fft_kind;

/* Chooses n_points, block and n_blocks of each axis. */
void ddr_fft_choose(ddr_fft_kind kind, int rank, ddr_fft_axis *axes);

ddr_fft_span ddr_fft_span_of(const ddr_fft_axis *axis, int64_t block);
