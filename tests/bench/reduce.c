/* reduce.c: reductions of 10^8 floats beside a plain streaming read of the same memory, on one and
 * two threads: what share of its bandwidth they reach. The least of several rounds, in wall time
 * and in processor time of all threads, which is more reliable if the machine has other work.
 *
 *   cmake --build --preset release --target bench-reduce && build/release/runtime/bench-reduce
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/element/parallel_for.h"
#include "runtime/reduce/reduce.h"

enum { N = 100000000, N_ROUNDS = 12, PART = 1 << 16, WORDS = 16 };

typedef struct {
  const ddr_ndview *x, *y;
  int n_threads;
  uint64_t sums[N / 2 / PART + 1]; /* of the parts read */
} Case;

/* --- what is measured ------------------------------------------------------------------------- */

static void read_part(void *data, int64_t item) {
  Case *work = data;
  const uint64_t *words = (const uint64_t *)work->x->data + item * PART;
  uint64_t sums[WORDS] = {0}, sum = 0;
  for (int64_t k = 0; k + WORDS <= PART; k += WORDS) {
    for (int l = 0; l < WORDS; l++) sums[l] += words[k + l];
  }
  for (int l = 0; l < WORDS; l++) sum += sums[l];
  work->sums[item] = sum;
}

static double read_all(Case *work) {
  ddr_parallel_for(work->n_threads, N / 2 / PART, read_part, work);
  uint64_t sum = 0;
  for (int64_t k = 0; k < N / 2 / PART; k++) sum += work->sums[k];
  return (double)sum;
}

#define MEASURED(name, ...)                                                                        \
  static double name(Case *work) {                                                                 \
    const ddr_reduce_options options = {.n_threads = work->n_threads};                             \
    ddr_number result;                                                                             \
    if (ddr_reduce_##name(__VA_ARGS__, &options, &result) != DDR_ARRAY_OK) exit(1);                \
    return result.re;                                                                              \
  }
MEASURED(sum, work->x)
MEASURED(dot, work->x, work->y)
MEASURED(l2, work->x)
MEASURED(l1, work->x)
MEASURED(max_element, work->x)

static const struct {
  const char *name;
  double (*run)(Case *work);
  int n_arrays;
} measured[] = {{"read", read_all, 1}, {"sum", sum, 1}, {"dot", dot, 2},
                {"l2", l2, 1},         {"l1", l1, 1},   {"max_element", max_element, 1}};

enum { N_MEASURED = sizeof measured / sizeof *measured };

/* --- time ------------------------------------------------------------------------------------- */

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct {
  double wall, processor;
} Times;

static void keep_least(double *least, double time) {
  if (*least == 0 || time < *least) *least = time;
}

static double measure(Case *work, int k, Times *least) {
  const double wall = seconds(CLOCK_MONOTONIC), processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
  const double result = measured[k].run(work);
  keep_least(&least->wall, seconds(CLOCK_MONOTONIC) - wall);
  keep_least(&least->processor, seconds(CLOCK_PROCESS_CPUTIME_ID) - processor);
  return result;
}

static void measure_all(Case *work) {
  Times least[N_MEASURED] = {{0, 0}};
  double results[N_MEASURED];
  for (int round = 0; round < N_ROUNDS; round++) {
    for (int k = 0; k < N_MEASURED; k++) results[k] = measure(work, k, &least[k]);
  }
  printf("%d thread%s: %.1f GB/s read\n", work->n_threads, work->n_threads > 1 ? "s" : "",
         4e-9 * N / least[0].wall);
  for (int k = 1; k < N_MEASURED; k++) {
    const double n = measured[k].n_arrays;
    printf("  %-12s %.2f of that, %.2f by processor time   (%.9g)\n", measured[k].name,
           n * least[0].wall / least[k].wall, n * least[0].processor / least[k].processor,
           results[k]);
  }
}

static ddr_ndview floats(uint32_t random) {
  const int64_t len = N;
  ddr_ndview view;
  if (ddr_ndview_new(DDR_ELEMENT_FLOAT, 1, &len, DDR_HOST, &view) != DDR_ARRAY_OK) exit(1);
  float *x = view.data;
  for (int64_t k = 0; k < N; k++) {
    random = random * 1664525u + 1013904223u;
    x[k] = (float)(random >> 8) / 16777216;
  }
  return view;
}

int main(void) {
  ddr_ndview x = floats(1), y = floats(2);
  static Case work;
  work.x = &x;
  work.y = &y;
  for (work.n_threads = 1; work.n_threads <= 2; work.n_threads++) measure_all(&work);
  ddr_ndview_release(&x);
  ddr_ndview_release(&y);
  return 0;
}
