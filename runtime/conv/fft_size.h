/* fft_size.h: how large transforms are, and when they pay. */
#pragma once

#include <stdint.h>

/* The least number >= n, n >= 1, without prime factors above 5. */
int64_t ddr_fft_size(int64_t n);

/* Operations on the two ways, from the shapes alone: 2 Z T with T the product of the lesser
 * extents, and 15 M log2(M) for transforms of M points in all. */
typedef struct ddr_conv_costs {
  double direct, n_padded, fft;
} ddr_conv_costs;

ddr_conv_costs ddr_conv_estimate(int rank, const int64_t *x_len, const int64_t *y_len,
                                 const int64_t *z_len);
