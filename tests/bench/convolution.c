/* convolution.c: processor time of a filter with seven weights along each axis of a volume of 256^3
 * floats, in copies of that volume: what an axis costs should be at most two copies.
 *
 *   cmake --build --preset release --target bench-conv && build/release/runtime/bench-conv
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/conv/task.h"
#include "runtime/element/parallel_for.h"

enum { SIZE = 256, N_WEIGHTS = 7, N_ROUNDS = 7, N_VOXELS = SIZE * SIZE * SIZE };

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct Volumes {
  float *from, *to;
} Volumes;

static void copy_half(void *data, int64_t half) {
  const Volumes *volumes = data;
  const int64_t n = N_VOXELS / 2, begin = half * n;
  memcpy(volumes->to + begin, volumes->from + begin, (size_t)n * sizeof(float));
}

static double copy_seconds(Volumes *volumes, int n_threads) {
  const double begin = cpu_seconds();
  ddr_parallel_for(n_threads, 2, copy_half, volumes);
  return cpu_seconds() - begin;
}

static ddr_conv_task *make_filter(int axis, int n_threads) {
  const int64_t cube[] = {SIZE, SIZE, SIZE};
  int64_t len[] = {1, 1, 1}, start[] = {0, 0, 0};
  double weights[N_WEIGHTS] = {1. / 64, 6. / 64, 15. / 64, 20. / 64, 15. / 64, 6. / 64, 1. / 64};
  len[axis] = N_WEIGHTS;
  start[axis] = N_WEIGHTS / 2;
  const ddr_conv_array x = {weights, N_WEIGHTS, {1, 1, 1}};
  ddr_conv_task *task = ddr_conv_task_new(DDR_CONVOLUTION, 3, len, cube, cube, DDR_ELEMENT_FLOAT);
  ddr_conv_task_set_types(task, DDR_ELEMENT_DOUBLE, DDR_ELEMENT_FLOAT, DDR_ELEMENT_FLOAT);
  ddr_conv_task_set_start(task, start);
  ddr_conv_task_set_threads(task, n_threads);
  ddr_conv_task_bind_x(task, &x);
  return task;
}

static double filter_seconds(ddr_conv_task *task, const Volumes *volumes) {
  const ddr_conv_array y = {volumes->from, N_VOXELS, {SIZE * SIZE, SIZE, 1}};
  const ddr_conv_array z = {volumes->to, N_VOXELS, {SIZE * SIZE, SIZE, 1}};
  const double begin = cpu_seconds();
  const ddr_array_status status = ddr_conv_task_exec(task, NULL, &y, &z);
  const double seconds = cpu_seconds() - begin;
  if (status != DDR_ARRAY_OK) fprintf(stderr, "%s\n", ddr_array_status_text(status));
  return seconds;
}

static void measure(Volumes *volumes, int n_threads) {
  double copy = 1e9, filter[3] = {1e9, 1e9, 1e9};
  ddr_conv_task *tasks[3];
  for (int axis = 0; axis < 3; axis++) tasks[axis] = make_filter(axis, n_threads);
  for (int round = 0; round < N_ROUNDS; round++) {
    const double seconds = copy_seconds(volumes, n_threads);
    if (seconds < copy) copy = seconds;
    for (int axis = 0; axis < 3; axis++) {
      const double axis_seconds = filter_seconds(tasks[axis], volumes);
      if (axis_seconds < filter[axis]) filter[axis] = axis_seconds;
    }
  }
  for (int axis = 0; axis < 3; axis++) ddr_conv_task_delete(tasks[axis]);
  printf("%d thread%s: copy %.1f ms; copies per axis, slowest first: %.2f %.2f %.2f, mean %.2f\n",
         n_threads, n_threads > 1 ? "s" : "", 1e3 * copy, filter[0] / copy, filter[1] / copy,
         filter[2] / copy, (filter[0] + filter[1] + filter[2]) / (3 * copy));
}

int main(void) {
  Volumes volumes = {malloc(N_VOXELS * sizeof(float)), malloc(N_VOXELS * sizeof(float))};
  const bool has_both = volumes.from && volumes.to;
  for (int k = 0; k < N_VOXELS && has_both; k++) {
    volumes.from[k] = (float)(k % 1009);
    volumes.to[k] = 0;
  }
  for (int n_threads = 1; n_threads <= 2 && has_both; n_threads++) measure(&volumes, n_threads);
  free(volumes.from);
  free(volumes.to);
  return !has_both;
}
