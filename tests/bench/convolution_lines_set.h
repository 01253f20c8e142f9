/* convolution_lines_set.h: nanoseconds of a line of a transform, there and back
 * (convolution_lines.c).
 *
 * With REAL, FFTW(name), FFTW_LIBRARY and BENCH_LINE it defines the function of that name for that
 * type.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct LineCase {
  bool is_row, is_real; /* else along the first axis of complex numbers */
  bool is_lone;         /* a single row */
  int64_t n_points;
} LineCase;

double bench_line_of_doubles(const LineCase *line);
double bench_line_of_floats(const LineCase *line);

/* Processor time. */
double bench_nanoseconds(void);

#if defined(REAL)

#include "runtime/conv/fft/lines_set.h"

/* Lines beside each other; rounds, and the steps and nanoseconds of the shortest. */
enum { SHORT_ROWS = 24, LONG_ROWS = 8, COLUMNS = 46, LEAST_ROUNDS = 8, MOST_ROUNDS = 400 };
enum { STEPS = 30000, ENOUGH = 36000000 };

static void there_and_back(const Plan *plan, bool is_row, const Box *box, const Room *room) {
  if (is_row) {
    transform_rows(plan, box, room);
    transform_rows_back(plan, box, room);
  } else {
    transform_across(plan, 0, box, false, room);
    transform_across(plan, 0, box, true, room);
  }
}

/* The least time of some rounds. */
static double measure(const Plan *plan, bool is_row, const Room *room) {
  const int64_t n_rows = plan->axes[0].n_points, n_in_row = plan->axes[1].n_points;
  const Box box = {.n = {n_rows, n_in_row}};
  const int64_t n_turns = STEPS / (n_rows * n_in_row) + 1;
  double least = 0, all = 0;
  for (int round = 0; round < LEAST_ROUNDS || (round < MOST_ROUNDS && all < ENOUGH); round++) {
    const double begin = bench_nanoseconds();
    for (int64_t turn = 0; turn < n_turns; turn++) there_and_back(plan, is_row, &box, room);
    const double time = bench_nanoseconds() - begin;
    if (round == 0 || time < least) least = time;
    all += time;
  }
  const double n_lines = (double)(is_row ? n_rows : plan->spectrum_stride[0]);
  return least / ((double)n_turns * n_lines);
}

double BENCH_LINE(const LineCase *line) {
  const bool is_short = ddr_fft_is_short_row(line->n_points, line->is_real);
  const int64_t n_rows = line->is_lone ? 1 : is_short ? SHORT_ROWS : LONG_ROWS;
  const int64_t beside = line->is_row ? n_rows : COLUMNS;
  Plan plan = {.rank = 2, .is_real = line->is_real};
  Room room = {.points = NULL};
  double time = -1;
  if (!is_there()) return time;
  plan.axes[0] = (ddr_fft_axis){.n_points = line->is_row ? beside : line->n_points, .n_blocks = 1};
  plan.axes[1] = (ddr_fft_axis){.n_points = line->is_row ? line->n_points : beside, .n_blocks = 1};
  if (!set_sizes(&plan) || !make_room(&plan, &room)) return time;
  if (make_lines(&plan, &room)) {
    if (room.points) memset(room.points, 0, plan.n_room_points * sizeof *room.points);
    memset(room.spectrum, 0, plan.n_spectrum * sizeof *room.spectrum);
    time = measure(&plan, line->is_row, &room);
  }
  free_lines(&plan);
  free_room(&room);
  return time;
}

#endif
