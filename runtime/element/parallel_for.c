/* parallel_for.c: each thread takes the next item when it is free; the caller's is one of them. */
#include "runtime/element/parallel_for.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MAX_HELPERS = 255 };

typedef struct {
  ddr_parallel_task *task;
  void *data;
  int64_t n_items;
  _Atomic int64_t next;
} Job;

static void *work(void *data) {
  Job *job = data;
  for (;;) {
    const int64_t item = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
    if (item >= job->n_items) return NULL;
    job->task(job->data, item);
  }
}

void ddr_parallel_for(int n_threads, int64_t n_items, ddr_parallel_task *task, void *data) {
  Job job = {.task = task, .data = data, .n_items = n_items};
  pthread_t helpers[MAX_HELPERS];
  int n_started = 0;
  while (n_started < MAX_HELPERS && n_started + 1 < n_threads && n_started + 1 < n_items) {
    if (pthread_create(&helpers[n_started], NULL, work, &job) != 0) break;
    n_started++;
  }
  work(&job);
  for (int k = 0; k < n_started; k++) pthread_join(helpers[k], NULL);
}
