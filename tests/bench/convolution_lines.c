/* convolution_lines.c: measures lines of transforms, and prints runtime/conv/costs/fft_lines.def.
 *
 * FFTW only estimates which of its plans is fast, and the speed of these differs by factors between
 * neighbouring sizes; so costs need a table of sizes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "convolution_lines_set.h"
#include "runtime/conv/costs/fft_size.h"

/* All sizes that are chosen up to SMALL, beyond that those of blocks up to LARGE; single rows up to
 * SHORT, since longer ones are transformed one by one anyway. */
enum { SMALL = 2048, LARGE = 65536, SHORT = 128 };

double bench_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static const char head[] =
    "/* fft_lines.def: what lines of transforms cost, measured by "
    "tests/bench/convolution_lines.c.\n"
    " *\n"
    " *   LINE( points, rows of reals, rows of complex numbers, complex lines of another axis,\n"
    " *         and the same for floats )\n"
    " *   LONE_LINE( likewise, of a row without others beside it )\n"
    " *\n"
    " * Picoseconds there and back, divided by points * log2(points).  Sizes ascend. */\n"
    "/* clang-format off */\n"
    "#ifndef LINE\n#define LINE(...)\n#endif\n"
    "#ifndef LONE_LINE\n#define LONE_LINE(...)\n#endif\n";

static double time_of(const LineCase *line, bool is_float) {
  const double time = is_float ? bench_line_of_floats(line) : bench_line_of_doubles(line);
  if (time >= 0) return time;
  fputs("bench-conv-lines: FFTW is not there, or memory is short\n", stderr);
  exit(1);
}

static void print_size(const char *row, bool is_lone, int64_t n) {
  const double n_steps = (double)n * log2((double)n);
  printf("%s( %lld", row, (long long)n);
  for (int k = 0; k < 6; k++) {
    const LineCase line = {
        .is_row = k % 3 < 2, .is_real = k % 3 != 1, .is_lone = is_lone, .n_points = n};
    const bool is_needed = line.is_row || !is_lone;
    printf(", %.0f", is_needed ? 1000 * time_of(&line, k >= 3) / n_steps : 0);
  }
  puts(" )");
  fflush(stdout);
}

int main(void) {
  fputs(head, stdout);
  for (int64_t n = 2; n <= SMALL; n = ddr_fft_size(n + 1)) print_size("LINE", false, n);
  for (int64_t n = SMALL; n < LARGE; n *= 2) {
    print_size("LINE", false, n / 2 * 3);
    print_size("LINE", false, 2 * n);
  }
  for (int64_t n = 2; n <= SHORT; n = ddr_fft_size(n + 1)) print_size("LONE_LINE", true, n);
  puts("#undef LINE\n#undef LONE_LINE\n/* clang-format on */");
  return 0;
}
