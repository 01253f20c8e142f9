/* threads.c: a job divided among threads: each takes the next item when it is free.
 *
 * The threads are started for the first job with several items, and live as long as the world, so
 * small worlds have none.  A job waits only for the threads that have entered it, not for those
 * that are still waking up. Worker 0 grants wishes of other workers between two of its own items,
 * or after the last.
 * Read next: Note [Waiting awake]; strands/blocks.c.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "thread_pool.h"

/* Nanoseconds; polls between readings of the clock. */
enum { LEAST_AWAKE = 3000, MOST_AWAKE = 100000, LOOKS = 64 };

/* The bits of the gate: open or not, then the number of threads inside, then the number of the
 * job. */
enum { OPEN = 1, ENTRANT = 2, JOB_SHIFT = 24 };
static const uint64_t ENTRANTS = ((UINT64_C(1) << JOB_SHIFT) - 1) & ~(uint64_t)OPEN;

/* --- wishes ----------------------------------------------------------------------------------- */

void ddr_ask_first(ddr_worker *worker, ddr_wish_task *task, void *data) {
  ddr_thread_pool *threads = worker->threads;
  ddr_wish wish = {.task = task, .data = data};
  if (ddr_worker_number(worker) == 0) {
    task(data);
    return;
  }
  pthread_mutex_lock(&threads->lock);
  wish.next = threads->wishes;
  threads->wishes = &wish;
  atomic_store(&threads->has_wishes, true);
  pthread_cond_signal(&threads->job_ends); /* worker 0 may wait for that */
  while (!wish.is_granted) pthread_cond_wait(&threads->wish_granted, &threads->lock);
  pthread_mutex_unlock(&threads->lock);
}

/* Called by worker 0, which holds the lock. */
static void grant_wishes(ddr_thread_pool *threads) {
  while (threads->wishes) {
    ddr_wish *wish = threads->wishes;
    threads->wishes = wish->next;
    atomic_store(&threads->has_wishes, threads->wishes != NULL);
    pthread_mutex_unlock(&threads->lock);
    wish->task(wish->data);
    pthread_mutex_lock(&threads->lock);
    wish->is_granted = true;
    pthread_cond_broadcast(&threads->wish_granted);
  }
}

static void look_for_wishes(ddr_thread_pool *threads) {
  if (!atomic_load_explicit(&threads->has_wishes, memory_order_relaxed)) return;
  pthread_mutex_lock(&threads->lock);
  grant_wishes(threads);
  pthread_mutex_unlock(&threads->lock);
}

/* --- items ------------------------------------------------------------------------------------ */

/* The first item of a worker; in order, worker 0 has all items. */
static int64_t first_item(const ddr_thread_pool *threads, const ddr_job *job, int64_t worker) {
  if (!job->is_at_home) return worker == 0 ? 0 : job->n_items;
  return job->n_items * worker / (threads->n_threads + 1);
}

static void share_items(ddr_thread_pool *threads) {
  for (uint32_t k = 0; k <= threads->n_threads; k++) {
    atomic_store_explicit(&threads->workers[k].n_taken, 0, memory_order_relaxed);
    atomic_store_explicit(&threads->workers[k].n_lost, 0, memory_order_relaxed);
  }
}

/* The last item that an owner has left, so that the same worker takes it in the next job, too, and
 * has it in its cache. */
static int64_t last_item(ddr_worker *owner, int64_t end) {
  return end - 1 - atomic_fetch_add_explicit(&owner->n_lost, 1, memory_order_relaxed);
}

/* Takes own items first, then those that others have left; with affinity from the end on. */
static void take_items(ddr_worker *worker, const ddr_job *job) {
  ddr_thread_pool *threads = worker->threads;
  const uint32_t n_workers = threads->n_threads + 1, own = (uint32_t)ddr_worker_number(worker);
  for (uint32_t k = 0; k < n_workers; k++) {
    const uint32_t whose = (own + k) % n_workers;
    const int64_t first = first_item(threads, job, whose);
    const int64_t end = first_item(threads, job, (int64_t)whose + 1);
    ddr_worker *owner = &threads->workers[whose];
    int64_t next = first, n;
    while ((n = atomic_fetch_add_explicit(&owner->n_taken, 1, memory_order_relaxed)) <
           end - first) {
      const bool is_others = job->is_at_home && k > 0;
      const int64_t item = is_others ? last_item(owner, end) : job->is_at_home ? next++ : first + n;
      job->task(worker, job->data, item);
      if (worker == threads->workers) look_for_wishes(threads);
    }
  }
}

/* --- waiting ---------------------------------------------------------------------------------- */

typedef bool Condition(ddr_thread_pool *threads, uint64_t n_seen);

static bool has_job(ddr_thread_pool *threads, uint64_t n_seen) {
  const uint64_t gate = atomic_load(&threads->gate);
  return atomic_load(&threads->is_closing) || ((gate & OPEN) && gate >> JOB_SHIFT != n_seen);
}

static bool is_empty(ddr_thread_pool *threads) {
  return (atomic_load(&threads->gate) & ENTRANTS) == 0;
}

static bool is_wanted(ddr_thread_pool *threads, uint64_t n_seen) {
  (void)n_seen;
  return is_empty(threads) || atomic_load(&threads->has_wishes);
}

static int64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/* Polls for as long as the worker is patient; returns whether the condition became true. */
static bool wait_awake(const ddr_worker *worker, Condition *is_true, uint64_t n_seen) {
  ddr_thread_pool *threads = worker->threads;
  if (!threads->has_cores) return is_true(threads, n_seen);
  const int64_t end = nanoseconds() + worker->patience;
  do {
    for (int k = 0; k < LOOKS; k++) {
      if (is_true(threads, n_seen)) return true;
      pause_briefly();
    }
  } while (nanoseconds() < end);
  return false;
}

/* A long wait, waking included, halves the worker's patience; a short one doubles it. */
static void learn_from(ddr_worker *worker, int64_t begin) {
  const bool was_short = (nanoseconds() - begin) / 2 < MOST_AWAKE;
  const int64_t next = was_short ? 2 * worker->patience : worker->patience / 2;
  worker->patience = next < LEAST_AWAKE ? LEAST_AWAKE : next > MOST_AWAKE ? MOST_AWAKE : next;
}

static void sleep_until_job(ddr_thread_pool *threads, uint64_t n_seen) {
  pthread_mutex_lock(&threads->lock);
  atomic_fetch_add(&threads->n_asleep, 1);
  while (!has_job(threads, n_seen)) pthread_cond_wait(&threads->job_begins, &threads->lock);
  atomic_fetch_sub(&threads->n_asleep, 1);
  pthread_mutex_unlock(&threads->lock);
}

static void wait_for_job(ddr_worker *worker, uint64_t n_seen) {
  const int64_t begin = nanoseconds();
  if (!wait_awake(worker, has_job, n_seen)) sleep_until_job(worker->threads, n_seen);
  learn_from(worker, begin);
}

/* Worker 0 waits until no thread is inside the job, or one of them has a wish. */
static void wait_for_others(ddr_thread_pool *threads) {
  const int64_t begin = nanoseconds();
  if (!wait_awake(threads->workers, is_wanted, 0)) {
    pthread_mutex_lock(&threads->lock);
    atomic_store(&threads->is_first_asleep, true);
    while (!is_wanted(threads, 0)) pthread_cond_wait(&threads->job_ends, &threads->lock);
    atomic_store(&threads->is_first_asleep, false);
    pthread_mutex_unlock(&threads->lock);
  }
  learn_from(threads->workers, begin);
}

/* --- the gate of a job ------------------------------------------------------------------------ */

/* While a worker is inside, the job does not change. */
static bool enter(ddr_thread_pool *threads, uint64_t *n_seen) {
  uint64_t gate = atomic_load(&threads->gate);
  while ((gate & OPEN) && gate >> JOB_SHIFT != *n_seen) {
    if (!atomic_compare_exchange_weak(&threads->gate, &gate, gate + ENTRANT)) continue;
    *n_seen = gate >> JOB_SHIFT;
    return true;
  }
  return false;
}

/* The last worker to leave wakes worker 0, if that sleeps. */
static void leave(ddr_thread_pool *threads) {
  const uint64_t gate = atomic_fetch_sub(&threads->gate, ENTRANT) - ENTRANT;
  if ((gate & OPEN) || (gate & ENTRANTS) || !atomic_load(&threads->is_first_asleep)) return;
  pthread_mutex_lock(&threads->lock);
  pthread_cond_signal(&threads->job_ends);
  pthread_mutex_unlock(&threads->lock);
}

/* Wakes no more workers than there are items. */
static void open_gate(ddr_thread_pool *threads, const ddr_job *job) {
  threads->job = *job;
  share_items(threads);
  threads->n_jobs++;
  atomic_store(&threads->gate, threads->n_jobs << JOB_SHIFT | OPEN);
  if (atomic_load(&threads->n_asleep) == 0) return;
  pthread_mutex_lock(&threads->lock);
  const uint32_t n_asleep = atomic_load(&threads->n_asleep);
  for (uint32_t k = 0; k < n_asleep && k + 1 < job->n_items; k++)
    pthread_cond_signal(&threads->job_begins);
  pthread_mutex_unlock(&threads->lock);
}

static void close_gate(ddr_thread_pool *threads) {
  atomic_fetch_and(&threads->gate, ~(uint64_t)OPEN);
  do {
    wait_for_others(threads);
    look_for_wishes(threads);
  } while (!is_empty(threads));
}

static void *work(void *data) {
  ddr_worker *worker = data;
  ddr_thread_pool *threads = worker->threads;
  uint64_t n_seen = 0;
  while (!atomic_load(&threads->is_closing)) {
    if (enter(threads, &n_seen)) {
      take_items(worker, &threads->job);
      leave(threads);
    }
    wait_for_job(worker, n_seen);
  }
  return NULL;
}

/* Errors are recorded, and the threads that were started do the job. */
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
  open_gate(threads, job);
  take_items(threads->workers, job);
  close_gate(threads);
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
  threads->has_cores = n_workers <= ddr_num_cores();
  for (uint32_t k = 0; k < n_workers; k++) {
    workers[k] = (ddr_worker){.threads = threads,
                              .patience = MOST_AWAKE,
                              .pool = {.world = world, .keeps_spare = DDR_USES_SPARE},
                              .text.world = world};
  }
  return threads;
}

/* Creating locks and conditions may fail: on some systems it allocates memory. */
static bool init_locks(ddr_thread_pool *threads) {
  pthread_cond_t *conditions[] = {&threads->job_begins, &threads->job_ends, &threads->wish_granted};
  const int n_wanted = sizeof conditions / sizeof *conditions;
  int n = 0;
  if (pthread_mutex_init(&threads->lock, NULL) != 0) return false;
  while (n < n_wanted && pthread_cond_init(conditions[n], NULL) == 0) n++;
  if (n == n_wanted) return true;
  while (n-- > 0) pthread_cond_destroy(conditions[n]);
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
  atomic_store(&threads->is_closing, true);
  pthread_cond_broadcast(&threads->job_begins);
  pthread_mutex_unlock(&threads->lock);
  for (uint32_t k = 1; k <= threads->n_threads; k++) pthread_join(threads->workers[k].thread, NULL);
}

void ddr_thread_pool_free(ddr_thread_pool *threads) {
  if (!threads) return;
  stop_threads(threads);
  for (uint32_t k = 0; k < threads->n_workers; k++) {
    ddr_pool_sweep(&threads->workers[k].pool);
    ddr_pool_free_spare(&threads->workers[k].pool);
    ddr_text_clear(&threads->workers[k].text);
    ddr_scratch_free(&threads->workers[k].scratch);
  }
  pthread_cond_destroy(&threads->job_begins);
  pthread_cond_destroy(&threads->job_ends);
  pthread_cond_destroy(&threads->wish_granted);
  pthread_mutex_destroy(&threads->lock);
  free(threads->workers);
  free(threads);
}

/* Note [Waiting awake].  A superstep consists of a few jobs with little between them, which often
 * take less time than going to sleep and waking up: 30 to 90 us for each job, measured in a virtual
 * machine.  So a waiting thread polls for about that long, and only then sleeps: waiting costs at
 * most twice what the better choice would.  If a wait, sleep included, was longer than that,
 * because the cores have other work or there is much between jobs, the thread polls half as long
 * next time, down to very little; otherwise twice as long.  With more threads than cores no thread
 * polls, because it would take a core from the thread for which it waits. */
