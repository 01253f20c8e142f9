/* array.h: arrays of numbers: views, pitches, transforms, reductions, convolutions.
 *
 * Axes run from the slowest to the fastest; indices and axes are numbered from 0.  Offsets and
 * strides count elements, pitches bytes.
 *
 *   int64_t len[] = {3, 4};
 *   ddr_ndview x, flipped;
 *   ddr_number sum;
 *   ddr_ndview_new(DDR_ELEMENT_FLOAT, 2, len, DDR_HOST, &x);
 *   ddr_transform_fill(ddr_number_real(0.5), &x, 1);
 *   ddr_ndview_flip(&x, 1, &flipped);              the same memory, axis 1 backwards
 *   ddr_reduce_sum(&flipped, NULL, &sum);          sum.re is 6
 *   ddr_ndview_release(&flipped);
 *   ddr_ndview_release(&x);
 *
 * Errors: functions return a status.  Where it is not DDR_ARRAY_OK, nothing was written; but after
 * EDEVICE the contents of the results are undefined.  Any function may return ENULL (an argument
 * that it needs is NULL), and ERANK, EDIM, ETYPE, ERESIDENCY or EOVERFLOW for a view or a layout
 * that is not valid, because the caller filled it in.  Functions that return no status take NULL
 * for an array without elements.
 *
 * Ownership: a view or a storage that a function makes belongs to the caller, who releases it.
 * Arguments are borrowed for the call; only ddr_ndview_wrap takes over a reference.
 *
 * Threads: with n_threads 0 or 1 the calling thread does all the work.  Results have the same bits
 * for any number.  The library keeps no state but the device in use, so functions may be called
 * from several threads at once, for the same array, too, as long as nobody writes it.
 *
 * C11 and C++11.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- statuses --------------------------------------------------------------------------------- */

typedef enum ddr_array_status {
#define STATUS(id, text) DDR_ARRAY_##id,
#include "runtime/array/statuses.def"
  DDR_ARRAY_STATUS_COUNT
} ddr_array_status;

/* --- elements --------------------------------------------------------------------------------- */

/* The same in C, C++ and CUDA, with the layout of each one's own complex type. */
typedef struct ddr_complex_float {
  float re, im;
} ddr_complex_float;
typedef struct ddr_complex_double {
  double re, im;
} ddr_complex_double;

/* From narrow to wide. */
typedef enum ddr_element {
#define ELEMENT(id, c_type, kind, name) DDR_ELEMENT_##id,
#include "runtime/array/elements.def"
  DDR_ELEMENT_COUNT
} ddr_element;

typedef enum ddr_element_kind {
  DDR_KIND_BOOL,
  DDR_KIND_INT,
  DDR_KIND_UINT,
  DDR_KIND_REAL,
  DDR_KIND_COMPLEX
} ddr_element_kind;

/* One element outside of an array: an operand, a bound, a result.  It holds a value of its type
 * exactly. */
typedef struct ddr_number {
  ddr_element type;
  int64_t integer; /* bools, ints; those of uint64 by their bits */
  double re, im;   /* reals have re; complex numbers both */
} ddr_number;

/* --- layouts ---------------------------------------------------------------------------------- */

enum { DDR_MAX_RANK = 16 };

/* Where the elements of an array are.  A stride may be 0 (the same element again) or negative;
 * where an extent is 0 there are no elements. */
typedef struct ddr_layout {
  int rank;                     /* 0: a single element */
  int64_t offset;               /* of index 0 on every axis */
  int64_t len[DDR_MAX_RANK];    /* extents */
  int64_t stride[DDR_MAX_RANK]; /* elements from one index to the next */
} ddr_layout;

/* Named orders of axes.  N images, C components, D slices, H rows, W columns. */
typedef enum ddr_named_layout {
  DDR_NAMED_NONE, /* a plain array */
  DDR_NAMED_NCHW, /* planar: N C (D) H W */
  DDR_NAMED_NHWC, /* interleaved: N (D) H W C */
  DDR_NAMED_420SP /* a plane of full resolution, then one of pairs at half of it */
} ddr_named_layout;

/* --- memory ----------------------------------------------------------------------------------- */

/* Where memory can be accessed: on the host, on a CUDA device, or on both (unified).  The last two
 * need libddr-array-cuda and a device that it has put to use (ddr/array-cuda.h). */
typedef enum ddr_residency { DDR_HOST, DDR_CUDA, DDR_UNIFIED } ddr_residency;
typedef struct ddr_array_device ddr_array_device;

/* A reference count that all views of a block of memory share.  Its function runs once, when the
 * last of them is released, on the thread that released it.  Counts are atomic. */
typedef struct ddr_cleanup ddr_cleanup;
typedef void ddr_cleanup_function(void *argument);

/* A contiguous block, uninitialised. */
typedef struct ddr_storage {
  void *data;
  size_t n_bytes;
  ddr_residency residency;
  ddr_cleanup *cleanup; /* frees it; one reference is the caller's */
} ddr_storage;

/* --- views ------------------------------------------------------------------------------------ */

/* A layout over typed memory.  ddr_ndview_retain makes one more owner of the memory and
 * ddr_ndview_release gives one up; parts keep the memory alive after the whole view was released.
 * A struct of zeros is the empty view. */
typedef struct ddr_ndview {
  ddr_element type;
  void *data; /* offsets of the layout count from here */
  ddr_layout layout;
  ddr_residency residency;
  ddr_cleanup *cleanup; /* one reference is this view's; NULL: the memory is borrowed */
} ddr_ndview;

/* Elements one after another: the first at `data`, the others behind it in memory (flat), or as
 * the layout says, whose offsets count from `data`. */
typedef struct ddr_range {
  void *data;
  int64_t n;
  bool is_flat;
  ddr_layout layout; /* collapsed; of a flat range one axis of stride 1 and offset 0 */
} ddr_range;

/* n elements of a range, `stride` elements apart. */
typedef void ddr_row_function(void *context, void *data, int64_t stride, int64_t n);

/* --- transforms: arrays from arrays element by element ----------------------------------------
 *
 * Shapes: all arrays have that of the output (ESHAPE); there is no broadcasting, but
 * ddr_ndview_repeat.  Types: operands meet in the smallest type that holds both; the output has the
 * type of the result (ETYPE), but that of `cast` and `fill` any.  Strides: any.  Memory: the output
 * is exactly one of the operands, or shares no element with any of them; it has no element twice,
 * by a stride of 0 (EALIAS).  The host can reach all arrays, or else the device can, which then
 * does the work (ERESIDENCY); only `assign` copies from one to the other.  Each step is one IEEE
 * operation, rounded to nearest; exp and log are within 2 units in the last place.  Ints wrap;
 * division of ints by 0 is EDIV0. */

typedef enum ddr_transform {
#define TRANSFORM(id, n_operands, kinds, result) DDR_TRANSFORM_##id,
#include "runtime/array/transforms.def"
  DDR_TRANSFORM_COUNT
} ddr_transform;

enum { DDR_MAX_OPERANDS = 4 };

/* An array, or a number for every element. */
typedef struct ddr_operand {
  const ddr_ndview *view; /* NULL: the number */
  ddr_number number;
} ddr_operand;

/* Operands of a form, in order: arrays (V) and numbers (S), then the output, unless it is the first
 * array (IN).  TOP is one number; the lower bound is 0. */
typedef enum ddr_operands {
  DDR_OPERANDS_V,
  DDR_OPERANDS_S,
  DDR_OPERANDS_V_V,
  DDR_OPERANDS_V_S,
  DDR_OPERANDS_S_V,
  DDR_OPERANDS_V_S_S,
  DDR_OPERANDS_V_TOP,
  DDR_OPERANDS_S_V_S_V,
  DDR_OPERANDS_IN_V_V,
  DDR_OPERANDS_IN_V_S
} ddr_operands;

/* A transform by its name, such as "scalar_sub". */
typedef struct ddr_transform_form {
  const char *name;
  ddr_transform transform;
  ddr_operands operands;
  const char *meaning;
} ddr_transform_form;

/* --- reductions: arrays to one number, or along one axis ---------------------------------------
 *
 * Element k is the one at position k in canonical order, whatever the strides.  Sums and products
 * of reals are formed in double on a tree that depends on their number alone, and rounded once;
 * ints are summed in int64 and wrap, absolute values in uint64; mean and variance of ints are exact
 * until they are rounded.  A NaN among the elements gives NaN.  Of no elements the result is 0, but
 * `all` is true, mean and variance are NaN.  Errors: ETYPE; ESHAPE (two arrays of different sizes,
 * a mask of another shape); ERANGE (a tolerance below 0 or NaN); ERESIDENCY; ENOMEM; EDEVICE. */

typedef enum ddr_reduce_op {
#define REDUCTION(id, name, n_arrays, kinds, result, meaning) DDR_REDUCE_##id,
#include "runtime/array/reductions.def"
  DDR_N_REDUCTIONS
} ddr_reduce_op;

/* A struct of zeros, or NULL: one thread, all elements, plain sums, tolerance 0. */
typedef struct ddr_reduce_options {
  int n_threads;
  const ddr_ndview *mask; /* of bools: only elements where it is true take part */
  bool is_compensated;    /* sums carry their rounding errors along */
  /* L0: counts elements whose distance from 0 is at least this; 0: elements other than 0. */
  double tolerance;
} ddr_reduce_options;

typedef struct ddr_reduce_info {
  const char *name;
  int n_arrays; /* 1 or 2 */
  const char *meaning;
} ddr_reduce_info;

/* --- convolutions ------------------------------------------------------------------------------
 *
 *                  convolution                     correlation
 *   result at r    sum over t of x(t) y(r - t)     sum over t of x(t) y(r + t)
 *   full range     P + Q .. P + Q + X + Y - 2      Q - P - X + 1 .. Q - P + Y - 1
 *
 * with X and Y the shapes and P and Q the origins of x and y (0 unless set), along every axis; both
 * operands are 0 outside.  Result k, k = 0 .. Z-1, is the one at r = start + k * decimation; start
 * is the least r and decimation 1 unless set.
 *
 *   full       Z = X + Y - 1
 *   as y       convolution with a centred x of odd extent: start = (X-1)/2, Z = Y
 *   valid      correlation: start = 0, Z = Y - X + 1
 *
 * A task is made and edited, which only stores values; a commit checks them and prepares; then it
 * runs on any number of arrays.  The first error stays: all later calls return it. */

enum { DDR_CONV_MAX_RANK = 7 };

typedef enum ddr_conv_op { DDR_CONVOLUTION, DDR_CORRELATION } ddr_conv_op;
typedef struct ddr_conv_task ddr_conv_task;
typedef struct ddr_conv_mode ddr_conv_mode;

/* `length` elements from `data` on, the lowest that is used.  Element i is at the sum over axes of
 * stride * i, or stride * (i - (n-1)) where a stride is negative. */
typedef struct ddr_conv_array {
  void *data;
  int64_t length;
  int64_t stride[DDR_CONV_MAX_RANK];
} ddr_conv_array;

/* --- filters of images ------------------------------------------------------------------------ */

/* What an image is beyond its ends: n = 4 along an axis, index
 *
 *            -4 -3 -2 -1 |  0  1  2  3 |  4  5  6  7
 *   clamp     0  0  0  0 |  0  1  2  3 |  3  3  3  3
 *   mirror    3  2  1  0 |  0  1  2  3 |  3  2  1  0
 *   wrap      0  1  2  3 |  0  1  2  3 |  0  1  2  3
 *   constant  the value wherever some index is outside
 */
typedef enum ddr_extension {
  DDR_EXTEND_NONE, /* nothing is there: see each function */
  DDR_EXTEND_CLAMP,
  DDR_EXTEND_MIRROR,
  DDR_EXTEND_WRAP,
  DDR_EXTEND_CONSTANT
} ddr_extension;

typedef struct ddr_outside {
  ddr_extension extension;
  double value; /* of DDR_EXTEND_CONSTANT */
} ddr_outside;

/* result[k] = sum over t = -h .. h of weights[t + h] * image[start + k * factor + t], along every
 * axis, with h = (n_weights - 1) / 2; samples outside the image are those of the border. */
typedef struct ddr_decimation_axis {
  int64_t factor; /* >= 1 */
  int64_t start;  /* first sample that is kept: inside the image */
  int n_weights;  /* odd; 0: the tent (factor - |t|) / factor^2, 1 2 1 / 4 for 2 */
  const double *weights;
} ddr_decimation_axis;

typedef struct ddr_decimation {
  int n_axes; /* the last ones of the image, 1 to 7; those before are of components */
  ddr_decimation_axis axes[7];
  ddr_outside border; /* none: zeros outside */
  int n_threads;
} ddr_decimation;

typedef enum ddr_prefilter_method {
  DDR_PREFILTER_TAPS,     /* those that are at least 2^-24 for floats, 2^-53 for doubles */
  DDR_PREFILTER_RECURSION /* to all digits of double; one line of samples at a time */
} ddr_prefilter_method;

/* What the border rule extends.  If the field is probed with the same rule, it passes through the
 * first and last samples only with the second; with mirror and wrap both are the same. */
typedef enum ddr_prefilter_ends {
  DDR_ENDS_OF_VALUES,      /* the samples, before the filter */
  DDR_ENDS_OF_COEFFICIENTS /* the result, as probes do */
} ddr_prefilter_ends;

typedef struct ddr_prefilter {
  int n_axes;         /* the last ones of the image, 1 to 7; those before are of components */
  int degree;         /* of the kernel: 3, 5, 7; 0 and 1 need no filter and are copied */
  ddr_outside border; /* none: zeros outside */
  ddr_prefilter_method method;
  ddr_prefilter_ends ends;
  int n_threads;
} ddr_prefilter;

/* A kernel h that is 0 outside (-support, support) and a polynomial between whole numbers.  The
 * weight of tap j at fraction f, 0 <= f < 1, is
 *   h(f - j) = sum over i of  coeff[(j - (1 - support)) * (degree + 1) + i] * f^i. */
typedef struct ddr_kernel {
  int support; /* >= 1: taps 1-support .. support */
  int degree;  /* >= 0 */
  const double *coeff;
} ddr_kernel;

enum { DDR_SAMPLE_MAX_AXES = 3 };

/* Positions start + k * step_num / step_den along one index axis, k = 0 .. n-1, in samples. */
typedef struct ddr_sample_axis {
  ddr_kernel kernel;
  double start;               /* finite */
  int64_t step_num, step_den; /* den >= 1; num any sign, and 0 only where n is 1 */
  int64_t n;                  /* >= 1 */
} ddr_sample_axis;

/* One field of the image on that grid: a derivative in index space. */
typedef struct ddr_sample_result {
  int derivative[DDR_SAMPLE_MAX_AXES]; /* order along each axis, >= 0 */
  const ddr_ndview *view;              /* component axes of the image, then n along each axis */
} ddr_sample_result;

typedef struct ddr_sample_grid {
  const ddr_ndview *image; /* component axes, any number, then n_axes index axes, slowest first */
  int n_axes;              /* 1, 2 or 3 */
  ddr_sample_axis axes[DDR_SAMPLE_MAX_AXES]; /* slowest first */
  ddr_outside border; /* none: positions that need samples outside are refused (ERANGE) */
  int n_threads;
} ddr_sample_grid;

/* --- functions -------------------------------------------------------------------------------- */

#if defined(__GNUC__)
#pragma GCC visibility push(default) /* in the shared library */
#endif

/* How sums of convolutions are found.  Transforms are those of FFTW, which is loaded when it is
 * first needed: the library is not linked with it.  Where it is not installed (ddr_conv_has_fft),
 * fft is refused (EMODE), and auto is direct. */
extern const ddr_conv_mode ddr_conv_direct; /* products and sums in double, in the order of the
                                             * definition, rounded once */
extern const ddr_conv_mode ddr_conv_fft;    /* by Fourier transforms in double; not for integers;
                                             * |error| <= 4 * 2^-53 * log2(M) * norm(x) * norm(y),
                                             * M the padded size, plus one rounding */
extern const ddr_conv_mode ddr_conv_auto;   /* the cheaper one for these shapes and types */

#define SECTION(title, text)
#define FUNCTION(result, name, arguments, meaning, statuses) result name arguments;
#include "runtime/array/functions.def"

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif
