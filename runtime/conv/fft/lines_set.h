/* lines_set.h: transforms of blocks, line by line.
 *
 * Transforms are separable.  Rows, along the last axis with more than one point, are transformed in
 * place; lines along the other axes are gathered, a few neighbours at a time, and scattered again,
 * except for lengths that FFTW handles well in place.  So nearly all lines are packed, for which
 * FFTW is fast even without measuring; most lines of zeros are not transformed, nor are lines whose
 * results are not needed.  See blocks_set.h, which includes this file.
 */
#include "runtime/conv/fft/blocks.h"
#include "runtime/conv/fft/fftw.h"

#if defined(REAL)

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* IN_THE_WAY: bytes, see set_strides. */
enum { LINES = DDR_FFT_LINES_AT_ONCE, IN_THE_WAY = 1024 };

typedef struct Plan {
  const ddr_fft_calls *calls; /* first, in all kinds of plans */
  int rank, row;              /* row: the axis of rows */
  ddr_fft_axis axes[DDR_CONV_MAX_RANK];
  bool is_real;
  int64_t n_blocks, n_points; /* n_points: of one transform, without padding */
  int64_t point_stride[DDR_CONV_MAX_RANK], spectrum_stride[DDR_CONV_MAX_RANK];
  size_t n_room_points, n_spectrum, n_lines; /* sizes of a room's arrays */
  Complex *kernel;                           /* the scaled spectrum of the kernel */
  uint64_t kept;                             /* the number of this kernel, 0: none is kept */
  /* For the lines of each axis. */
  FftwPlan forward[DDR_CONV_MAX_RANK], backward[DDR_CONV_MAX_RANK];
} Plan;

/* The memory of one thread.  In complex tasks the points are in `spectrum`. */
typedef struct Room {
  REAL *points;
  Complex *spectrum, *lines; /* lines: gathered before a transform, and its results */
} Room;

/* Points first to first + n - 1 of each axis; the others are 0 or not needed. */
typedef struct Box {
  int64_t first[DDR_CONV_MAX_RANK], n[DDR_CONV_MAX_RANK];
} Box;

/* FFTW's planner is not thread-safe. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

/* --- FFTW ------------------------------------------------------------------------------------- */

static Fftw fftw;
static bool has_fftw;

static void load_fftw(void) { has_fftw = ddr_fftw_load(FFTW_LIBRARY, fftw_names, &fftw); }

/* Nothing else may be called before it has said so. */
static bool is_there(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_fftw);
  return has_fftw;
}

/* --- rooms ------------------------------------------------------------------------------------ */

static void free_room(Room *room) {
  free(room->points);
  free(room->spectrum);
  free(room->lines);
  *room = (Room){.points = NULL}; /* one that could not be made is freed again, with the others */
}

static bool make_room(const Plan *plan, Room *room) {
  const size_t n_lines = plan->n_lines > 0 ? plan->n_lines : 1;
  room->points =
      plan->is_real ? ddr_storage_malloc(plan->n_room_points * sizeof *room->points) : NULL;
  room->spectrum = ddr_storage_malloc(plan->n_spectrum * sizeof *room->spectrum);
  room->lines = ddr_storage_malloc(n_lines * sizeof *room->lines);
  if (room->spectrum && room->lines && (room->points || !plan->is_real)) return true;
  free_room(room);
  return false;
}

/* --- plans ------------------------------------------------------------------------------------ */

static void free_lines(Plan *plan) {
  pthread_mutex_lock(&planner);
  for (int k = 0; k < plan->rank; k++) {
    if (plan->forward[k]) fftw.destroy_plan(plan->forward[k]);
    if (plan->backward[k]) fftw.destroy_plan(plan->backward[k]);
  }
  pthread_mutex_unlock(&planner);
}

static int64_t fill_up(int64_t n, int64_t unit) { return ddr_divide_up(n, unit) * unit; }

/* Distance between the beginnings of gathered lines. */
static int64_t line_distance(const Plan *plan, int axis) {
  return fill_up(plan->axes[axis].n_points, 2);
}

/* The last axis with more than one point before that of rows; -1: there is none. */
static int axis_of_rows(const Plan *plan) {
  int axis = plan->row - 1;
  while (axis >= 0 && plan->axes[axis].n_points == 1) axis--;
  return axis;
}

/* Distance between the beginnings of rows. */
static int64_t row_pitch(const Plan *plan, bool is_spectrum) {
  const int axis = axis_of_rows(plan);
  if (is_spectrum) return axis >= 0 ? plan->spectrum_stride[axis] : (int64_t)plan->n_spectrum;
  return axis >= 0 ? plan->point_stride[axis] : (int64_t)plan->n_room_points;
}

static int64_t rows_together(const Plan *plan) {
  const int axis = axis_of_rows(plan);
  const int64_t n_points = plan->axes[plan->row].n_points;
  const bool are_short = axis >= 0 && ddr_fft_is_short_row(n_points, plan->is_real);
  return are_short ? plan->axes[axis].n_points : 1;
}

/* Lengths for which FFTW transforms all lines of an axis in place, in one call. */
static bool is_short(const Plan *plan, int axis) {
  const int64_t n = plan->axes[axis].n_points;
  return axis != plan->row && (n <= 16 || n == 20 || n == 25 || n == 32 || n == 64 || n == 128) &&
         plan->spectrum_stride[axis] <= INT32_MAX;
}

static void make_lines_of(Plan *plan, int axis, const Room *room) {
  const unsigned flags = FFTW_ESTIMATE;
  const int n = (int)plan->axes[axis].n_points, apart = (int)line_distance(plan, axis);
  FftwPlan *const forward = &plan->forward[axis], *const backward = &plan->backward[axis];
  Complex *const before = room->lines, *const after = before + (ptrdiff_t)LINES * apart;
  const int n_rows = (int)rows_together(plan), spectrum = (int)row_pitch(plan, true);
  const int points = (int)row_pitch(plan, false);
  if (is_short(plan, axis)) {
    const int apart_in_line = (int)plan->spectrum_stride[axis];
    Complex *const all = room->spectrum;
    *forward = fftw.plan_many_dft(1, &n, apart_in_line, all, NULL, apart_in_line, 1, all, NULL,
                                  apart_in_line, 1, FFTW_FORWARD, flags);
    *backward = fftw.plan_many_dft(1, &n, apart_in_line, all, NULL, apart_in_line, 1, all, NULL,
                                   apart_in_line, 1, FFTW_BACKWARD, flags);
  } else if (axis != plan->row) {
    *forward = fftw.plan_many_dft(1, &n, LINES, before, NULL, 1, apart, after, NULL, 1, apart,
                                  FFTW_FORWARD, flags);
    *backward = fftw.plan_many_dft(1, &n, LINES, before, NULL, 1, apart, after, NULL, 1, apart,
                                   FFTW_BACKWARD, flags);
  } else if (plan->is_real) {
    *forward = fftw.plan_many_dft_r2c(1, &n, n_rows, room->points, NULL, 1, points, room->spectrum,
                                      NULL, 1, spectrum, flags);
    *backward = fftw.plan_many_dft_c2r(1, &n, n_rows, room->spectrum, NULL, 1, spectrum,
                                       room->points, NULL, 1, points, flags);
  } else {
    *forward = fftw.plan_many_dft(1, &n, n_rows, room->spectrum, NULL, 1, spectrum, room->spectrum,
                                  NULL, 1, spectrum, FFTW_FORWARD, flags);
    *backward = fftw.plan_many_dft(1, &n, n_rows, room->spectrum, NULL, 1, spectrum, room->spectrum,
                                   NULL, 1, spectrum, FFTW_BACKWARD, flags);
  }
}

/* An axis with one point needs no transform, unless it is that of rows. */
static bool has_lines(const Plan *plan, int axis) {
  return axis == plan->row || plan->axes[axis].n_points > 1;
}

static bool make_lines(Plan *plan, const Room *room) {
  bool is_good = true;
  pthread_mutex_lock(&planner);
  for (int k = 0; k < plan->rank && is_good; k++) {
    if (!has_lines(plan, k)) continue;
    make_lines_of(plan, k, room);
    is_good = plan->forward[k] && plan->backward[k];
  }
  pthread_mutex_unlock(&planner);
  return is_good;
}

/* Sets the strides of points or of the spectrum; returns the size, 0 if memory cannot hold it.
 * Strides are padded where lines would begin at the same offset of a page and evict each other from
 * the cache. */
static size_t set_strides(const Plan *plan, bool is_spectrum, int64_t *stride) {
  size_t n = 1;
  for (int k = plan->rank - 1; k >= 0; k--) {
    const bool is_halved = is_spectrum && plan->is_real;
    const int64_t n_here = plan->axes[k].n_points;
    const int64_t len = k == plan->row ? ddr_fft_row_width(n_here, is_halved) : n_here;
    stride[k] = (int64_t)n;
    if (n > PTRDIFF_MAX / sizeof(Complex) / (size_t)len - LINES) return 0;
    n *= (size_t)len;
    if (k > 0 && n * sizeof(Complex) % IN_THE_WAY == 0) n += LINES;
  }
  return n;
}

/* False: too large for FFTW or memory. */
static bool set_sizes(Plan *plan) {
  plan->row = plan->rank - 1;
  while (plan->row > 0 && plan->axes[plan->row].n_points == 1) plan->row--;
  plan->n_blocks = plan->n_points = 1;
  for (int k = 0; k < plan->rank; k++) {
    if (plan->axes[k].n_points > INT32_MAX / 2) return false;
  }
  plan->n_spectrum = set_strides(plan, true, plan->spectrum_stride);
  plan->n_room_points = set_strides(plan, !plan->is_real, plan->point_stride);
  if (plan->n_spectrum == 0 || plan->n_room_points == 0) return false;
  for (int k = 0; k < plan->rank; k++) {
    const size_t n_lines = (size_t)(2 * (int64_t)LINES * line_distance(plan, k));
    if (k != plan->row && n_lines > plan->n_lines) plan->n_lines = n_lines;
    plan->n_points *= plan->axes[k].n_points;
    plan->n_blocks *= plan->axes[k].n_blocks;
  }
  return true;
}

/* --- transforms ------------------------------------------------------------------------------- */

/* Advances to the next index within a box, the last axis before `rank` fastest; false at the
 * end. */
static bool advance_in(int rank, const Box *box, int64_t *idx) {
  for (int k = rank - 1; k >= 0; k--) {
    if (++idx[k] < box->first[k] + box->n[k]) return true;
    idx[k] = box->first[k];
  }
  return false;
}

static int64_t offset_of(int rank, const int64_t *idx, const int64_t *stride) {
  int64_t offset = 0;
  for (int k = 0; k < rank; k++) offset += idx[k] * stride[k];
  return offset;
}

static void begin(int rank, const Box *box, int64_t *idx) {
  for (int k = 0; k < rank; k++) idx[k] = box->first[k];
}

/* Zeroes the padding of the rows of a spectrum. */
static void fill_ends(const Plan *plan, Complex *rows) {
  const int64_t pitch = row_pitch(plan, true), n = plan->axes[plan->row].n_points / 2 + 1;
  for (int64_t row = 0; row < rows_together(plan); row++, rows += pitch)
    memset(rows + n, 0, (size_t)(pitch - n) * sizeof *rows);
}

/* Transforms all rows that have samples; the others are 0. */
static void transform_rows(const Plan *plan, const Box *samples, const Room *room) {
  FftwPlan lines = plan->forward[plan->row];
  const int n_outer = rows_together(plan) > 1 ? axis_of_rows(plan) : plan->row;
  const int64_t n_done = rows_together(plan) * row_pitch(plan, true);
  int64_t idx[DDR_CONV_MAX_RANK], n_set = 0;
  begin(n_outer, samples, idx);
  do {
    const int64_t at = offset_of(n_outer, idx, plan->spectrum_stride);
    Complex *const rows = room->spectrum + at;
    if (plan->is_real) {
      memset(room->spectrum + n_set, 0, (size_t)(at - n_set) * sizeof *rows);
      fill_ends(plan, rows);
      fftw.execute_dft_r2c(lines, room->points + offset_of(n_outer, idx, plan->point_stride), rows);
      n_set = at + n_done;
    } else {
      fftw.execute_dft(lines, rows, rows);
    }
  } while (advance_in(n_outer, samples, idx));
  if (plan->is_real)
    memset(room->spectrum + n_set, 0, (plan->n_spectrum - (size_t)n_set) * sizeof *room->spectrum);
}

static void transform_rows_back(const Plan *plan, const Box *results, const Room *room) {
  FftwPlan lines = plan->backward[plan->row];
  const int n_outer = rows_together(plan) > 1 ? axis_of_rows(plan) : plan->row;
  int64_t idx[DDR_CONV_MAX_RANK];
  begin(n_outer, results, idx);
  do {
    Complex *const rows = room->spectrum + offset_of(n_outer, idx, plan->spectrum_stride);
    if (plan->is_real) {
      fftw.execute_dft_c2r(lines, rows, room->points + offset_of(n_outer, idx, plan->point_stride));
    } else {
      fftw.execute_dft(lines, rows, rows);
    }
  } while (advance_in(n_outer, results, idx));
}

/* Copies points first to first + n - 1 of a group of lines, `stride` apart, to packed lines. */
static void gather(Complex *from, int64_t stride, int64_t first, int64_t n, int64_t apart,
                   Complex *lines) {
  for (int64_t k = first; k < first + n; k++) {
    for (int line = 0; line < LINES; line++)
      memcpy(lines[line * apart + k], from[k * stride + line], sizeof *lines);
  }
}

static void scatter(Complex *lines, int64_t apart, int64_t first, int64_t n, Complex *to,
                    int64_t stride) {
  for (int64_t k = first; k < first + n; k++) {
    for (int line = 0; line < LINES; line++)
      memcpy(to[k * stride + line], lines[line * apart + k], sizeof *lines);
  }
}

/* Transforms lines along an axis, those within the box along the axes before it. */
static void transform_across(const Plan *plan, int axis, const Box *box, bool is_back,
                             const Room *room) {
  const int64_t n = plan->axes[axis].n_points, apart = line_distance(plan, axis);
  const int64_t stride = plan->spectrum_stride[axis];
  FftwPlan lines = is_back ? plan->backward[axis] : plan->forward[axis];
  Complex *const before = room->lines, *const after = before + LINES * apart;
  int64_t idx[DDR_CONV_MAX_RANK];
  const bool is_here = is_short(plan, axis);
  if (!is_back) memset(before, 0, (size_t)(LINES * apart) * sizeof *before);
  begin(axis, box, idx);
  do {
    Complex *const first = room->spectrum + offset_of(axis, idx, plan->spectrum_stride);
    if (is_here) fftw.execute_dft(lines, first, first);
    for (int64_t at = is_here ? stride : 0; at < stride; at += LINES) {
      gather(first + at, stride, 0, is_back ? n : box->n[axis], apart, before);
      fftw.execute_dft(lines, before, after);
      scatter(after, apart, is_back ? box->first[axis] : 0, is_back ? box->n[axis] : n, first + at,
              stride);
    }
  } while (advance_in(axis, box, idx));
}

#endif
