/* direct.h: a task in the form that the direct mode computes: taps, a signal, and rows of results.
 *
 * The operand with fewer elements, or a bound x, becomes taps: weights, with the offset of their
 * samples from that of a result.  Along every axis, result k uses for tap i = 0, 1, ... the sample
 *
 *   first + per_result * k + per_tap * i      if it is inside the other operand, the signal
 *
 * so that t ascends whichever operand became taps: products commute, sums keep their order.
 * Results along one axis, whose samples are adjacent, form rows.
 * Read next: direct.c (how), tiles.c.
 */
#pragma once

#include <float.h>
#include <math.h>

#include "runtime/conv/direct/rows.h"
#include "runtime/conv/task.h"

typedef struct DirectAxis {
  int64_t n_taps, tap_stride, signal_len, signal_stride, n_results, result_stride;
  int64_t first, per_result, per_tap;
  bool has_all; /* every result has all of its samples */
  /* For packed signals: tap i uses sample phase_first + per_tap * i of n_phases rows. */
  int64_t n_phases, phase_len, phase_first;
} DirectAxis;

typedef struct Direct {
  int rank, row_axis; /* the axis along which rows run */
  DirectAxis axes[DDR_CONV_MAX_RANK];
  ddr_conv_operand taps, signal, z;
  bool is_complex;
  bool has_slack; /* vectors may read beyond the end of a row of the signal */
  const ddr_conv_rows *rows;
} Direct;

/* The taps of an axis whose sample is inside the signal: *lo to *hi. */
static inline void direct_clip(const DirectAxis *axis, int64_t result, int64_t *lo, int64_t *hi) {
  const int64_t at = axis->first + axis->per_result * result, last = axis->signal_len - 1;
  *lo = axis->per_tap > 0 ? -at : at - last;
  *hi = axis->per_tap > 0 ? last - at : at;
  if (*lo < 0 || axis->has_all) *lo = 0;
  if (*hi > axis->n_taps - 1 || axis->has_all) *hi = axis->n_taps - 1;
}

/* False for NaN, which is the safe answer. */
static inline bool direct_is_float(double weight) {
  return fabs(weight) <= FLT_MAX && (double)(float)weight == weight;
}

/* The offset of a tap's sample from that of a result. */
static inline int64_t direct_tap_offset(const DirectAxis *axis, int64_t tap) {
  const int64_t sample = axis->per_tap * tap;
  if (axis->n_phases == 0) return sample * axis->signal_stride;
  const int64_t in_row = axis->phase_first + sample;
  return in_row % axis->n_phases * axis->phase_len + in_row / axis->n_phases;
}

/* direct.c: makes samples and results ascend along rows. */
void ddr_direct_turn_row(Direct *direct);

/* pack.c: replaces the signal by a packed copy of the samples that results need, in memory
 * of the caller of at least as many bytes as the first function says; 0: too many. */
size_t ddr_direct_pack_bytes(const Direct *direct);
void ddr_direct_pack(Direct *direct, void *copy);

/* bands.c: computes all results from packed copies, if that pays; false: it does not. */
bool ddr_direct_bands(const Direct *direct, int n_threads);

/* tiles.c: computes all results, for any taps. */
void ddr_direct_tiles(const Direct *direct, int n_threads);

/* filter.c: the same, but faster, for floats with weights along one axis; false: not
 * applicable. */
bool ddr_direct_filter(const Direct *direct, int n_threads);
