/* convolution_costs.c: measures both modes for random shapes; from the times convolution_costs.py
 * makes the table in runtime/conv/costs/costs.c.
 *
 *   bench-conv-costs [shapes [seed]]
 *
 * Prints a line for each shape: kind, counts and nanoseconds of direct sums, the same for
 * transforms, and the shapes.  Times are processor times of one thread, the least of some runs in
 * turn.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/conv/costs/costs.h"
#include "runtime/conv/task.h"

enum { MOST_RANK = 3, MOST_ROUNDS = 40, LEAST_ROUNDS = 4, GROUPS = 14, SMALLS = 3 };
#define SECONDS 0.25
#define MOST_RESULTS 12e6 /* of a shape */
#define UNLIKE 6.0        /* costs that differ by more choose well anyway */

/* In what an operand and transforms are. */
typedef struct Kind {
  ddr_element type, precision;
  ddr_direct_kind direct;
  ddr_fft_kind fft;
} Kind;

static const Kind kinds[] = {
    {DDR_ELEMENT_DOUBLE, DDR_ELEMENT_DOUBLE, DDR_DIRECT_OF_DOUBLES, DDR_FFT_DOUBLES},
    {DDR_ELEMENT_FLOAT, DDR_ELEMENT_DOUBLE, DDR_DIRECT_OF_FLOATS, DDR_FFT_DOUBLES},
    {DDR_ELEMENT_FLOAT, DDR_ELEMENT_FLOAT, DDR_DIRECT_OF_FLOATS, DDR_FFT_FLOATS},
    {DDR_ELEMENT_CDOUBLE, DDR_ELEMENT_DOUBLE, DDR_DIRECT_OF_COMPLEXES, DDR_FFT_COMPLEX_DOUBLES},
    {DDR_ELEMENT_CFLOAT, DDR_ELEMENT_DOUBLE, DDR_DIRECT_OF_COMPLEX_FLOATS, DDR_FFT_COMPLEX_DOUBLES},
    {DDR_ELEMENT_CFLOAT, DDR_ELEMENT_FLOAT, DDR_DIRECT_OF_COMPLEX_FLOATS, DDR_FFT_COMPLEX_FLOATS},
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

/* Full range; result is the third. */
typedef struct Shape {
  int rank;
  int64_t len[DDR_CONV_OPERANDS][MOST_RANK];
  Kind kind;
  ddr_fft_axis axes[DDR_CONV_MAX_RANK];
} Shape;

static uint64_t state;

static double uniform(double from, double to) {
  state = state * 6364136223846793005U + 1442695040888963407U;
  return from + (to - from) * (double)(state >> 11) / 9007199254740992.0;
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- shapes ----------------------------------------------------------------------------------- */

typedef enum Size { SMALL, USUAL, LARGE, SIZES } Size;

static void draw_shape(int rank, Size size, Shape *shape) {
  static const double most[SIZES][MOST_RANK] = {
      {2000, 60, 20}, {200000, 700, 80}, {4e6, 2500, 200}};
  static const double least_power[SIZES] = {0.1, 0.6, 0.9}, few[] = {5000, 60, 14};
  int64_t n_weights = 1;
  int n_filtered = 0;
  shape->rank = rank;
  shape->kind = kinds[(int)uniform(0, N_KINDS)];
  for (int k = 0; k < rank; k++) {
    const int64_t signal = (int64_t)pow(most[size][rank - 1], uniform(least_power[size], 1));
    int64_t kernel = (int64_t)pow(few[rank - 1], uniform(size == SMALL ? 0.1 : 0.3, 1));
    if (kernel > signal) kernel = signal;
    if (uniform(0, 8) < 1) kernel = 1;
    shape->len[DDR_CONV_X][k] = kernel;
    shape->len[DDR_CONV_Y][k] = signal;
    shape->len[DDR_CONV_Z][k] = kernel + signal - 1;
    shape->axes[k] =
        (ddr_fft_axis){.kernel = kernel, .signal = signal, .n_positions = kernel + signal - 1};
    n_weights *= kernel;
    n_filtered += kernel > 1;
  }
  const bool is_filter = n_filtered <= 1 && n_weights <= DDR_CONV_MOST_FILTER_WEIGHTS;
  if (shape->kind.direct == DDR_DIRECT_OF_FLOATS && is_filter)
    shape->kind.direct = DDR_DIRECT_FILTER;
  ddr_fft_choose(shape->kind.fft, rank, shape->axes);
}

static bool is_close_call(const Shape *shape) {
  const double direct =
      ddr_direct_cost(shape->kind.direct, shape->rank, shape->axes, shape->len[DDR_CONV_Z]);
  const double fft = ddr_fft_cost(shape->kind.fft, shape->rank, shape->axes);
  return (double)ddr_conv_count(shape->rank, shape->len[DDR_CONV_Z]) < MOST_RESULTS &&
         direct < UNLIKE * fft && fft < UNLIKE * direct;
}

/* --- times ------------------------------------------------------------------------------------ */

static ddr_conv_array array_of(const Shape *shape, int which) {
  ddr_conv_array array = {.length = ddr_conv_count(shape->rank, shape->len[which])};
  int64_t stride = 1;
  for (int k = shape->rank - 1; k >= 0; k--) {
    array.stride[k] = stride;
    stride *= shape->len[which][k];
  }
  array.data = calloc((size_t)array.length, ddr_element_size(shape->kind.type));
  if (array.data) return array;
  fputs("bench-conv-costs: out of memory\n", stderr);
  exit(1);
}

static ddr_conv_task *task_of(const Shape *shape, const ddr_conv_mode *mode,
                              const ddr_conv_array *kernel) {
  ddr_conv_task *task =
      ddr_conv_task_new(DDR_CONVOLUTION, shape->rank, shape->len[DDR_CONV_X],
                        shape->len[DDR_CONV_Y], shape->len[DDR_CONV_Z], shape->kind.type);
  ddr_conv_task_set_mode(task, mode);
  ddr_conv_task_set_precision(task, shape->kind.precision);
  const ddr_array_status status = ddr_conv_task_bind_x(task, kernel);
  if (status == DDR_ARRAY_OK) return task;
  fprintf(stderr, "bench-conv-costs: %s\n", ddr_array_status_text(status));
  exit(1);
}

/* Nanoseconds of both. */
static void measure(const Shape *shape, double least[2]) {
  ddr_conv_array arrays[DDR_CONV_OPERANDS];
  for (int which = 0; which < DDR_CONV_OPERANDS; which++) arrays[which] = array_of(shape, which);
  ddr_conv_task *tasks[] = {task_of(shape, &ddr_conv_direct, &arrays[DDR_CONV_X]),
                            task_of(shape, &ddr_conv_fft, &arrays[DDR_CONV_X])};
  const double begin = cpu_seconds();
  for (int round = 0; round < MOST_ROUNDS; round++) {
    for (int mode = 0; mode < 2; mode++) {
      const double before = cpu_seconds();
      ddr_conv_task_exec(tasks[mode], NULL, &arrays[DDR_CONV_Y], &arrays[DDR_CONV_Z]);
      const double time = 1e9 * (cpu_seconds() - before);
      if (round == 0 || time < least[mode]) least[mode] = time;
    }
    if (round + 1 >= LEAST_ROUNDS && cpu_seconds() - begin > SECONDS) break;
  }
  for (int mode = 0; mode < 2; mode++) ddr_conv_task_delete(tasks[mode]);
  for (int which = 0; which < DDR_CONV_OPERANDS; which++) free(arrays[which].data);
}

static void print_line(const Shape *shape, const double times[2]) {
  static const char *const names[] = {"in", "points", ""};
  double direct[DDR_DIRECT_COUNTS], fft[DDR_FFT_COUNTS];
  ddr_direct_count_all(shape->kind.direct, shape->rank, shape->axes, shape->len[DDR_CONV_Z],
                       direct);
  ddr_fft_count_all(shape->kind.fft, shape->rank, shape->axes, fft);
  printf("%d", (int)shape->kind.direct);
  for (int k = 0; k < DDR_DIRECT_COUNTS; k++) printf(" %.10g", direct[k]);
  printf(" %.6g %d", times[0], (int)shape->kind.fft);
  for (int k = 0; k < DDR_FFT_COUNTS; k++) printf(" %.10g", fft[k]);
  printf(" %.6g", times[1]);
  for (int which = 0; which < DDR_CONV_OPERANDS; which++) {
    for (int k = 0; k < shape->rank; k++) {
      const int64_t n = which < DDR_CONV_Z ? shape->len[which][k] : shape->axes[k].n_points;
      printf(" %lld", (long long)n);
    }
    printf(" %s", names[which]);
  }
  putchar('\n');
  fflush(stdout);
}

int main(int argc, char **argv) {
  const long n_shapes = argc > 1 ? strtol(argv[1], NULL, 10) : 600;
  state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  for (int k = 0; k < 16; k++) uniform(0, 1);
  for (long n = 0; n < n_shapes;) {
    Shape shape = {0};
    double times[2] = {0};
    const long group = n / MOST_RANK % GROUPS;
    draw_shape(1 + (int)(n % MOST_RANK),
               group == 0        ? LARGE
               : group <= SMALLS ? SMALL
                                 : USUAL,
               &shape);
    if (!is_close_call(&shape)) continue;
    measure(&shape, times);
    print_line(&shape, times);
    n++;
  }
  return 0;
}
