/* threads.c: a job shared out between threads: each takes the next item when it is free.
 *
 * The threads live as long as the world, from the first job of several items on: small worlds have
 * none.  Between jobs they sleep on a condition, so an idle pool costs nothing; a job of one item
 * wakes nobody.
 * Read next: strands/blocks.c.
 */
#include <stdlib.h>
#include <string.h>

#include "thread_pool.h"

static void take_items(ddr_worker *worker, const ddr_job *job) {
  ddr_thread_pool *threads = worker->threads;
  for (;;) {
    const int64_t item = atomic_fetch_add_explicit(&threads->next, 1, memory_order_relaxed);
    if (item >= job->n_items) return;
    job->task(worker, job->data, item);
  }
}

static void *work(void *data) {
  ddr_worker *worker = data;
  ddr_thread_pool *threads = worker->threads;
  uint64_t n_seen = 0;
  pthread_mutex_lock(&threads->lock);
  for (;;) {
    while (!threads->is_closing && threads->n_jobs == n_seen) {
      pthread_cond_wait(&threads->has_job, &threads->lock);
    }
    if (threads->is_closing) break;
    n_seen = threads->n_jobs;
    const ddr_job job = threads->job;
    pthread_mutex_unlock(&threads->lock);
    take_items(worker, &job);
    pthread_mutex_lock(&threads->lock);
    if (--threads->n_busy == 0) pthread_cond_signal(&threads->has_ended);
  }
  pthread_mutex_unlock(&threads->lock);
  return NULL;
}

/* What fails is recorded, and the job done by those that there are. */
static void start_threads(ddr_thread_pool *threads) {
  threads->is_started = true;
  for (uint32_t k = 1; k < threads->n_workers; k++) {
    ddr_worker *worker = &threads->workers[k];
    const int failure = pthread_create(&worker->thread, NULL, work, worker);
    if (failure != 0) {
      ddr_error(threads->world, "cannot start thread %u of %u: %s", (unsigned)k + 1,
                (unsigned)threads->n_workers, strerror(failure));
      return;
    }
    threads->n_threads = k;
  }
}

void ddr_sched_run(ddr_thread_pool *threads, const ddr_job *job) {
  if (!threads->is_started && job->n_items > 1) start_threads(threads);
  if (threads->n_threads == 0 || job->n_items < 2) {
    ddr_sched_alone(threads, job);
    return;
  }
  pthread_mutex_lock(&threads->lock);
  threads->job = *job;
  threads->n_jobs++;
  threads->n_busy = threads->n_threads;
  atomic_store_explicit(&threads->next, 0, memory_order_relaxed);
  pthread_cond_broadcast(&threads->has_job);
  pthread_mutex_unlock(&threads->lock);
  take_items(threads->workers, job);
  pthread_mutex_lock(&threads->lock);
  while (threads->n_busy > 0) pthread_cond_wait(&threads->has_ended, &threads->lock);
  pthread_mutex_unlock(&threads->lock);
}

/* --- life of a pool --------------------------------------------------------------------------- */

static ddr_thread_pool *allocate_pool(ddr_world *world, uint32_t n_workers) {
  ddr_thread_pool *threads = calloc(1, sizeof *threads);
  ddr_worker *workers = calloc(n_workers, sizeof *workers);
  if (!threads || !workers) {
    free(threads);
    free(workers);
    return NULL;
  }
  threads->world = world;
  threads->workers = workers;
  threads->n_workers = n_workers;
  for (uint32_t k = 0; k < n_workers; k++) {
    workers[k] = (ddr_worker){.threads = threads, .pool.world = world, .text.world = world};
  }
  return threads;
}

/* Locks and conditions need memory on some systems. */
static bool init_locks(ddr_thread_pool *threads) {
  if (pthread_mutex_init(&threads->lock, NULL) != 0) return false;
  if (pthread_cond_init(&threads->has_job, NULL) == 0) {
    if (pthread_cond_init(&threads->has_ended, NULL) == 0) return true;
    pthread_cond_destroy(&threads->has_job);
  }
  pthread_mutex_destroy(&threads->lock);
  return false;
}

ddr_thread_pool *ddr_thread_pool_new(ddr_world *world, uint32_t n_workers) {
  ddr_thread_pool *threads = allocate_pool(world, n_workers);
  if (!threads || !init_locks(threads)) {
    if (threads) free(threads->workers);
    free(threads);
    ddr_error(world, "out of memory for %u threads", (unsigned)n_workers);
    return NULL;
  }
  return threads;
}

static void stop_threads(ddr_thread_pool *threads) {
  pthread_mutex_lock(&threads->lock);
  threads->is_closing = true;
  pthread_cond_broadcast(&threads->has_job);
  pthread_mutex_unlock(&threads->lock);
  for (uint32_t k = 1; k <= threads->n_threads; k++) pthread_join(threads->workers[k].thread, NULL);
}

void ddr_thread_pool_free(ddr_thread_pool *threads) {
  if (!threads) return;
  stop_threads(threads);
  for (uint32_t k = 0; k < threads->n_workers; k++) {
    ddr_pool_sweep(&threads->workers[k].pool);
    ddr_text_clear(&threads->workers[k].text);
    ddr_scratch_free(&threads->workers[k].scratch);
  }
  pthread_cond_destroy(&threads->has_job);
  pthread_cond_destroy(&threads->has_ended);
  pthread_mutex_destroy(&threads->lock);
  free(threads->workers);
  free(threads);
}
