/* row.h: rows, the short vectors of reals that probes fold along the x axis.
 *
 * Widths 2, 4 and 6, the supports of the kernels.  A row of 6 lives in 8 lanes; its two idle lanes
 * hold anything, and nothing here lets them reach a result.  Sums and products are the operators
 * + and * of C, lane by lane; a real times a row scales every lane.
 *
 * GNU C vectors: one SSE, AVX or NEON instruction, or plain scalar code where there is none.
 * Devices have none, and row_device.h instead. Macros instead of functions, because how a vector is
 * passed depends on the instruction set and compilers say so (-Wpsabi).  Read next: tap.h.
 */
#pragma once

#include "ddr/fma.h"

#if defined(DDR_GPU)
#include "ddr/row_device.h"
#else

typedef ddr_real ddr_row2 __attribute__((vector_size(2 * sizeof(ddr_real))));
typedef ddr_real ddr_row4 __attribute__((vector_size(4 * sizeof(ddr_real))));
typedef ddr_real ddr_row6 __attribute__((vector_size(8 * sizeof(ddr_real))));

/* Rows at any address (sample.h). */
typedef ddr_row2 ddr_row2_at __attribute__((aligned(1), may_alias));
typedef ddr_row4 ddr_row4_at __attribute__((aligned(1), may_alias));
typedef ddr_row6 ddr_row6_at __attribute__((aligned(1), may_alias));

/* One scalar per lane, x first; the same scalar in every lane. */
#define DDR_ROW2(a, b) ((ddr_row2){(a), (b)})
#define DDR_ROW4(a, b, c, d) ((ddr_row4){(a), (b), (c), (d)})
#define DDR_ROW6(a, b, c, d, e, f) ((ddr_row6){(a), (b), (c), (d), (e), (f)})
#define DDR_ROW2_SPLAT(x) ((x) * (ddr_row2){1, 1})
#define DDR_ROW4_SPLAT(x) ((x) * (ddr_row4){1, 1, 1, 1})
#define DDR_ROW6_SPLAT(x) ((x) * (ddr_row6){1, 1, 1, 1, 1, 1})

/* Consecutive reals at any address.  A row of 6 reads 8: images end in DDR_ROW_SLACK reals. */
#define DDR_ROW2_LOAD(src) (*(const ddr_row2_at *)(src))
#define DDR_ROW4_LOAD(src) (*(const ddr_row4_at *)(src))
#define DDR_ROW6_LOAD(src) (*(const ddr_row6_at *)(src))

/* a row times a real, plus a row, each lane rounded once. */
#if defined(DDR_DOUBLE)
#define DDR_ROW2_FMA(a, x, c) ((ddr_row2)DDR_FMA16(a, DDR_ROW2_SPLAT(x), c))
#define DDR_ROW4_FMA(a, x, c) ((ddr_row4)DDR_FMA32(a, DDR_ROW4_SPLAT(x), c))
#define DDR_ROW6_FMA(a, x, c) ((ddr_row6)DDR_FMA64(a, DDR_ROW6_SPLAT(x), c))
#else
#define DDR_ROW2_FMA(a, x, c) DDR_FMA_EACH(ddr_row2, a, DDR_ROW2_SPLAT(x), c)
#define DDR_ROW4_FMA(a, x, c) ((ddr_row4)DDR_FMA16(a, DDR_ROW4_SPLAT(x), c))
#define DDR_ROW6_FMA(a, x, c) ((ddr_row6)DDR_FMA32(a, DDR_ROW6_SPLAT(x), c))
#endif

/* Dot product: lanes 0, 2, 4 by one fma after another, lanes 1, 3, 5 likewise; then the sum of the
 * two. */
#define DDR_ROW2_DOT(a, b)                                                                         \
  __extension__({                                                                                  \
    const ddr_row2 ddr_p = (a) * (b);                                                              \
    ddr_p[0] + ddr_p[1];                                                                           \
  })
#define DDR_ROW4_DOT(a, b)                                                                         \
  __extension__({                                                                                  \
    const ddr_row4 ddr_p = (a), ddr_q = (b);                                                       \
    ddr_fma(ddr_p[2], ddr_q[2], ddr_p[0] * ddr_q[0]) +                                             \
        ddr_fma(ddr_p[3], ddr_q[3], ddr_p[1] * ddr_q[1]);                                          \
  })
#define DDR_ROW6_DOT(a, b)                                                                         \
  __extension__({                                                                                  \
    const ddr_row6 ddr_p = (a), ddr_q = (b);                                                       \
    ddr_fma(ddr_p[4], ddr_q[4], ddr_fma(ddr_p[2], ddr_q[2], ddr_p[0] * ddr_q[0])) +                \
        ddr_fma(ddr_p[5], ddr_q[5], ddr_fma(ddr_p[3], ddr_q[3], ddr_p[1] * ddr_q[1]));             \
  })
#endif
