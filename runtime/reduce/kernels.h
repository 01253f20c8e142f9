/* kernels.h: functions that reduce a block of an array to a partial result, by term and element
 * type. */
#pragma once

#include "runtime/layout/element.h"
#include "runtime/reduce/partial.h"

/* The terms that are summed, compared, ...: see terms.def. */
typedef enum ddr_term {
  DDR_TERM_SUM,
  DDR_TERM_DOT,
  DDR_TERM_L0,
  DDR_TERM_L1,
  DDR_TERM_SQUARES,
  DDR_TERM_SCALED_SQUARES,
  DDR_TERM_LINF,
  DDR_TERM_MIN,
  DDR_TERM_MAX,
  DDR_TERM_PRODUCT,
  DDR_TERM_EXACT_SUM,
  DDR_TERM_MOMENTS,
  DDR_TERM_DISTANCES,
  DDR_TERM_ALL,
  DDR_TERM_ANY,
  DDR_TERM_COUNT
} ddr_term;

/* n packed elements, 1 to DDR_TREE_BLOCK; y is x if there is one array. */
typedef ddr_partial ddr_kernel_function(const void *x, const void *y, double a, int64_t n);

/* The real part of the result of such a function, for terms that have no other part. */
typedef double ddr_sum_function(const void *x, const void *y, double a, int64_t n);

/* Adjacent lines: elements of a line are `step` elements apart, those of neighbouring lines are
 * adjacent. Otherwise like ddr_kernel_function, with a number `a` for each line; y may be x. */
typedef struct ddr_lines {
  const void *x, *y;
  int64_t x_step, y_step;
  const double *a;
  int64_t n;
  int n_lines;  /* at most DDR_MOST_LINES */
  int64_t next; /* elements of x from these lines to those that are read afterwards; 0: none are */
} ddr_lines;

enum { DDR_MOST_LINES = 512 };

/* The real part of what `block` returns, for each line. */
typedef void ddr_lines_function(const ddr_lines *lines, double *sums);

/* Adds row k to the sums of lane (lane + k) % DDR_TREE_LANES, each line to its own; the sums of
 * lanes are DDR_COLUMNS apart, and there are at most so many lines.  What is `next` elements from
 * each row is prefetched, and need not exist.  Up to DDR_SLACK sums after those of the last line
 * are written, too, and stay as they are. */
typedef void ddr_lanes_function(const ddr_lines *lines, int lane, double *sums);

enum { DDR_COLUMNS = 64, DDR_SLACK = 3 };

/* Combines each of n adjacent elements with those of n_rows rows, which are `step` bytes apart. */
typedef void ddr_rows_function(const void *rows, int64_t step, int64_t n_rows, void *elements,
                               int64_t n);

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ddr_reduce_kernel {
  ddr_kernel_function *block; /* NULL: the term does not take such elements */
  ddr_combine_function *combine;
  bool is_order_free;
  ddr_lines_function *lines; /* for sums of reals; NULL: there is none */
  ddr_sum_function *sum;     /* likewise */
  ddr_rows_function *rows;   /* for extremes of reals; NULL: there is none */
  ddr_lanes_function *lanes; /* for sums of reals; NULL: there is none */
} ddr_reduce_kernel;

typedef struct ddr_reduce_kernels {
  ddr_reduce_kernel plain, compensated;
} ddr_reduce_kernels;

/* One for each instruction set: see runtime/element/sets.h. */
extern const ddr_reduce_kernels ddr_reduce_kernels_base[DDR_TERM_COUNT][DDR_ELEMENT_COUNT];
extern const ddr_reduce_kernels ddr_reduce_kernels_avx2[DDR_TERM_COUNT][DDR_ELEMENT_COUNT];
extern const ddr_reduce_kernels ddr_reduce_kernels_avx512[DDR_TERM_COUNT][DDR_ELEMENT_COUNT];

/* complex_products.c: of every set. */
ddr_partial ddr_product_of_CFLOAT(const void *elements, const void *others, double a, int64_t n);
ddr_partial ddr_product_of_CDOUBLE(const void *elements, const void *others, double a, int64_t n);
ddr_partial ddr_multiply_products(ddr_partial a, ddr_partial b);

/* The compensated kernel is chosen only if there are rounding errors to compensate. */
ddr_reduce_kernel ddr_kernel_of(ddr_term term, ddr_element type, bool is_compensated);

#ifdef __cplusplus
}
#endif
