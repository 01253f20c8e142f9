/* conv.h: convolution and correlation of strided arrays in up to seven dimensions.
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
 * runs on any number of arrays.  The first error stays: all later calls return it.
 *
 * Arithmetic: products and sums in double, t ascending with the slowest axis outermost, no fused
 * multiply-add, rounded once to the result's type: the same bits for any number of threads.
 * Integers are first converted to the real type of the result; float and double stay what they are.
 * With complex results both operands are complex: (a + bi)(c + di) is (ac - bd) + (ad + bc)i.
 *
 * Read next: direct.c, fft.c (what a mode does), bspline.h, decimate.h, sample_grid.h (uses).
 */
#pragma once

#include <stdbool.h>

#include "runtime/layout/ndview.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { DDR_CONV_MAX_RANK = 7 };

typedef enum ddr_conv_op { DDR_CONVOLUTION, DDR_CORRELATION } ddr_conv_op;
typedef struct ddr_conv_task ddr_conv_task;

/* How sums are found.  Who names fft or auto needs the FFTW library to link with. */
typedef struct ddr_conv_mode ddr_conv_mode;
extern const ddr_conv_mode ddr_conv_direct; /* by their definition: the bits above */
extern const ddr_conv_mode ddr_conv_fft;    /* by Fourier transforms; |error| is at most
                                             * 4 * 2^-53 * log2(M) * norm(x) * norm(y), M the padded
                                             * size, plus one rounding; not for integers */
extern const ddr_conv_mode ddr_conv_auto;   /* the cheaper one for these shapes and types:
                                             * direct when 2 Z T <= 15 M log2(M) */
extern const bool ddr_conv_has_fft; /* else fft takes nothing, and auto is direct: no FFTW */

/* The direct mode, everything of one type.  Shapes are slowest axis first.  NULL: memory is short.
 */
ddr_conv_task *ddr_conv_task_new(ddr_conv_op op, int rank, const int64_t *x_len,
                                 const int64_t *y_len, const int64_t *z_len, ddr_element type);
void ddr_conv_task_delete(ddr_conv_task *task);

/* Edits, before the commit; each returns the task's status. */
ddr_array_status ddr_conv_task_set_mode(ddr_conv_task *task, const ddr_conv_mode *mode);
ddr_array_status ddr_conv_task_set_types(ddr_conv_task *task, ddr_element x, ddr_element y,
                                         ddr_element z);
ddr_array_status ddr_conv_task_set_start(ddr_conv_task *task, const int64_t *start);
ddr_array_status ddr_conv_task_set_decimation(ddr_conv_task *task, const int64_t *decimation);
ddr_array_status ddr_conv_task_set_origin(ddr_conv_task *task, const int64_t *x_origin,
                                          const int64_t *y_origin); /* NULL: 0 */
ddr_array_status ddr_conv_task_set_conj_x(ddr_conv_task *task, bool is_conjugate);
/* What sums are carried in: double, and nothing else (EMODE). */
ddr_array_status ddr_conv_task_set_precision(ddr_conv_task *task, ddr_element precision);
ddr_array_status ddr_conv_task_set_threads(ddr_conv_task *task, int n_threads); /* default 1 */

/* An array: `length` elements from `data` on, the lowest that is used.  Element i is at the sum
 * over axes of stride * i, or stride * (i - (n-1)) where a stride is negative. */
typedef struct ddr_conv_array {
  void *data;
  int64_t length;
  int64_t stride[DDR_CONV_MAX_RANK];
} ddr_conv_array;

/* Errors, the first of: ERANK, ESHAPE (an extent below 1), EOVERFLOW, ESTART, EDECIMATION, ERANGE
 * (the last result is beyond the full range), ETYPE (bool; complex operands of real results;
 * integer results), EMODE, ENOMEM. */
ddr_array_status ddr_conv_task_commit(ddr_conv_task *task);

/* Keeps a converted copy of x for all executions that follow; commits.  Errors: those of commit and
 * ESTRIDE, ELENGTH, ENOMEM. */
ddr_array_status ddr_conv_task_bind_x(ddr_conv_task *task, const ddr_conv_array *x);

/* x is NULL when one is bound.  Commits.  Errors, with nothing written: those of commit, then the
 * first of ESHAPE (x and none bound), ESTRIDE, ELENGTH (of x, y, z), EOVERFLOW, EALIAS (two results
 * at one address; z overlaps x or y), ENOMEM. */
ddr_array_status ddr_conv_task_exec(ddr_conv_task *task, const ddr_conv_array *x,
                                    const ddr_conv_array *y, const ddr_conv_array *z);

/* Of a task: its status, and what the mode chose (EMODE etc. stay); NULL before the commit. */
ddr_array_status ddr_conv_task_status(const ddr_conv_task *task);
const char *ddr_conv_task_mode_name(const ddr_conv_task *task); /* "direct", "fft" */

/* A view as an operand.  Errors: ERANK (0, or more than 7), ERESIDENCY. */
ddr_array_status ddr_conv_array_of_view(const ddr_ndview *view, ddr_conv_array *array);

#ifdef __cplusplus
}
#endif
