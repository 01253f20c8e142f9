/* passes.h: filters along single axes of views, run one after another.  All errors occur when
 * passes are added; running them cannot fail, so nothing is written if there is an error. */
#pragma once

#include "runtime/conv/filters/extend.h"
#include "runtime/layout/ndview.h"

/* A correlation with weights along one axis: along it, for each index k of `to`
 *
 *   to[k] = sum over t = 0 .. n_weights - 1 of  weights[t] * from[first + k * step + t]
 *
 * where samples outside of `from` are 0. */
typedef struct ddr_pass {
  const ddr_ndview *from,
      *to; /* reals: the same shape but along the axis; kept alive by the caller */
  int axis;
  int n_weights;
  const double *weights; /* copied */
  int64_t first, step;   /* step >= 1 */
} ddr_pass;

typedef struct ddr_passes {
  struct ddr_prepared_pass *passes;
  int n, capacity;
  int n_threads;
} ddr_passes;

/* Errors: those of a convolution task's commit. */
ddr_array_status ddr_passes_add(ddr_passes *passes, const ddr_pass *pass);
void ddr_passes_run(const ddr_passes *passes); /* in the order in which they were added */
void ddr_passes_clear(ddr_passes *passes);

/* Checks the arrays of a filter of images: the image must have numbers, elements, and rank 1 to 7;
 * the result floats or doubles, the same rank, distinct elements, and no memory in common with the
 * image. Errors, the first of: ERANK, ERESIDENCY, EDIM, ETYPE, EALIAS, ENOMEM. */
ddr_array_status ddr_check_filtered(const ddr_ndview *image, const ddr_ndview *result);

/* Whether two views share a byte; "yes" if that cannot be decided. */
bool ddr_ndview_overlap(const ddr_ndview *a, const ddr_ndview *b);

/* The view itself if it has reals, else a packed copy of type `real`; release it.  Errors: ENOMEM,
 * EOVERFLOW. */
ddr_array_status ddr_ndview_as_reals(const ddr_ndview *view, ddr_element real, ddr_ndview *reals);
