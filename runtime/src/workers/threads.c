/* threads.c: a job shared out between threads: each takes the next item when it is free.
 *
 * The threads live as long as the world.  Between jobs they sleep on a condition, so an idle team
 * costs nothing; a job of one item wakes nobody.
 * Read next: strands/blocks.c.
 */
#include <stdlib.h>
#include <string.h>

#include "team.h"

static void take_items(ddr_worker *worker, const ddr_job *job) {
  ddr_team *team = worker->team;
  for (;;) {
    const int64_t item = atomic_fetch_add_explicit(&team->next, 1, memory_order_relaxed);
    if (item >= job->n_items) return;
    job->task(worker, job->data, item);
  }
}

static void *work(void *data) {
  ddr_worker *worker = data;
  ddr_team *team = worker->team;
  uint64_t n_seen = 0;
  pthread_mutex_lock(&team->lock);
  for (;;) {
    while (!team->is_closing && team->n_jobs == n_seen) {
      pthread_cond_wait(&team->has_job, &team->lock);
    }
    if (team->is_closing) break;
    n_seen = team->n_jobs;
    const ddr_job job = team->job;
    pthread_mutex_unlock(&team->lock);
    take_items(worker, &job);
    pthread_mutex_lock(&team->lock);
    if (--team->n_busy == 0) pthread_cond_signal(&team->has_ended);
  }
  pthread_mutex_unlock(&team->lock);
  return NULL;
}

void ddr_sched_run(ddr_team *team, const ddr_job *job) {
  if (team->n_threads == 0 || job->n_items < 2) {
    ddr_sched_alone(team, job);
    return;
  }
  pthread_mutex_lock(&team->lock);
  team->job = *job;
  team->n_jobs++;
  team->n_busy = team->n_threads;
  atomic_store_explicit(&team->next, 0, memory_order_relaxed);
  pthread_cond_broadcast(&team->has_job);
  pthread_mutex_unlock(&team->lock);
  take_items(team->workers, job);
  pthread_mutex_lock(&team->lock);
  while (team->n_busy > 0) pthread_cond_wait(&team->has_ended, &team->lock);
  pthread_mutex_unlock(&team->lock);
}

/* --- life of a team --------------------------------------------------------------------------- */

static bool start_threads(ddr_team *team) {
  for (uint32_t k = 1; k < team->n_workers; k++) {
    ddr_worker *worker = &team->workers[k];
    const int failure = pthread_create(&worker->thread, NULL, work, worker);
    if (failure != 0) {
      ddr_error(team->world, "cannot start thread %u of %u: %s", (unsigned)k + 1,
                (unsigned)team->n_workers, strerror(failure));
      return false;
    }
    team->n_threads = k;
  }
  return true;
}

static ddr_team *team_allocate(ddr_world *world, uint32_t n_workers) {
  ddr_team *team = calloc(1, sizeof *team);
  ddr_worker *workers = calloc(n_workers, sizeof *workers);
  if (!team || !workers) {
    free(team);
    free(workers);
    return NULL;
  }
  team->world = world;
  team->workers = workers;
  team->n_workers = n_workers;
  for (uint32_t k = 0; k < n_workers; k++) {
    workers[k] = (ddr_worker){.team = team, .pool.world = world, .text.world = world};
  }
  return team;
}

/* Locks and conditions need memory on some systems. */
static bool init_locks(ddr_team *team) {
  if (pthread_mutex_init(&team->lock, NULL) != 0) return false;
  if (pthread_cond_init(&team->has_job, NULL) == 0) {
    if (pthread_cond_init(&team->has_ended, NULL) == 0) return true;
    pthread_cond_destroy(&team->has_job);
  }
  pthread_mutex_destroy(&team->lock);
  return false;
}

ddr_team *ddr_team_new(ddr_world *world, uint32_t n_workers) {
  ddr_team *team = team_allocate(world, n_workers);
  if (!team || !init_locks(team)) {
    if (team) free(team->workers);
    free(team);
    ddr_error(world, "out of memory for %u threads", (unsigned)n_workers);
    return NULL;
  }
  if (start_threads(team)) return team;
  ddr_team_free(team);
  return NULL;
}

static void stop_threads(ddr_team *team) {
  pthread_mutex_lock(&team->lock);
  team->is_closing = true;
  pthread_cond_broadcast(&team->has_job);
  pthread_mutex_unlock(&team->lock);
  for (uint32_t k = 1; k <= team->n_threads; k++) pthread_join(team->workers[k].thread, NULL);
}

void ddr_team_free(ddr_team *team) {
  if (!team) return;
  stop_threads(team);
  for (uint32_t k = 0; k < team->n_workers; k++) {
    ddr_pool_sweep(&team->workers[k].pool);
    ddr_text_clear(&team->workers[k].text);
    ddr_scratch_free(&team->workers[k].scratch);
  }
  pthread_cond_destroy(&team->has_job);
  pthread_cond_destroy(&team->has_ended);
  pthread_mutex_destroy(&team->lock);
  free(team->workers);
  free(team);
}
