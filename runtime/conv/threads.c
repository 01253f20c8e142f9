/* threads.c: work in consecutive parts, each on a thread of its own. */
#include <pthread.h>

#include "runtime/conv/local.h"

enum { MOST_THREADS = 64 };

typedef struct Part {
  ddr_conv_part *function;
  void *data;
  int64_t begin, end;
} Part;

static void *run_part(void *argument) {
  const Part *part = argument;
  part->function(part->data, part->begin, part->end);
  return NULL;
}

/* The caller does the first part, and those for which there was no thread. */
void ddr_conv_share(int n_threads, int64_t n, ddr_conv_part *part, void *data) {
  Part parts[MOST_THREADS];
  pthread_t threads[MOST_THREADS];
  bool is_started[MOST_THREADS] = {false};
  if (n_threads > MOST_THREADS) n_threads = MOST_THREADS;
  if (n_threads > n) n_threads = (int)n;
  if (n_threads < 1) n_threads = 1;
  for (int k = 0; k < n_threads; k++) {
    parts[k] = (Part){part, data, n / n_threads * k + n % n_threads * k / n_threads,
                      n / n_threads * (k + 1) + n % n_threads * (k + 1) / n_threads};
  }
  for (int k = 1; k < n_threads; k++) {
    is_started[k] = pthread_create(&threads[k], NULL, run_part, &parts[k]) == 0;
  }
  for (int k = 0; k < n_threads; k++) {
    if (!is_started[k]) run_part(&parts[k]);
  }
  for (int k = 1; k < n_threads; k++) {
    if (is_started[k]) pthread_join(threads[k], NULL);
  }
}
