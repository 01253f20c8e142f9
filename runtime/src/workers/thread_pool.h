/* thread_pool.h: workers (threads), and jobs (parallel loops) for them.
 *
 * A job has a number of items; each is done once, by any worker.  Items of a job may be done at the
 * same time; jobs are done one after another.  The calling thread is worker 0, which may be the
 * only one.
 * Read next: README.md (what a scheduler owes), alone.c, threads.c.
 */
#pragma once

#include "runtime/src/world/world.h"
#include "scratch.h"

typedef struct ddr_thread_pool ddr_thread_pool;

enum { DDR_APART = 128 }; /* bytes: two cache lines, which some processors fetch together */

typedef struct ddr_worker {
  ddr_thread_pool *threads;
  pthread_t thread;
  ddr_pool pool; /* dynamic sequences of the strands that it runs */
  ddr_text text; /* text printed by the block that it visits */
  ddr_scratch scratch;
  ddr_effort effort, creating; /* of updates; of the creation of strands */
  int64_t patience;            /* nanoseconds that it spins before it sleeps (threads.c) */
  char apart[DDR_APART]; /* against false sharing, with what others write and the next worker */
  _Atomic int64_t n_taken, n_lost; /* of its items: taken by any worker, and by others */
  char apart_too[DDR_APART];
} ddr_worker;

/* One item of a job. */
typedef void ddr_task(ddr_worker *worker, void *data, int64_t item);

typedef struct ddr_job {
  ddr_task *task;
  void *data;
  int64_t n_items;
  /* Affinity: each worker begins with the items that it did in earlier jobs with as many items,
   * whose data is in its cache; otherwise items begin in ascending order. */
  bool is_at_home;
} ddr_job;

/* A task that worker 0 does for another worker, which waits for it. */
typedef void ddr_wish_task(void *data);
typedef struct ddr_wish {
  ddr_wish_task *task;
  void *data;
  bool is_granted;
  struct ddr_wish *next;
} ddr_wish;

struct ddr_thread_pool {
  ddr_world *world;
  ddr_worker *workers;
  uint32_t n_workers; /* length of the array of workers */
  uint32_t n_threads; /* threads that were started; worker 0 is not one of them */
  bool is_started;    /* starting threads was tried, with or without success */
  bool has_cores;     /* there is a core for each worker */
  pthread_mutex_t lock;
  pthread_cond_t job_begins, job_ends, wish_granted;
  ddr_job job;
  uint64_t n_jobs;              /* jobs begun so far */
  _Atomic uint32_t n_asleep;    /* threads that sleep until the next job, having stopped spinning */
  _Atomic bool is_first_asleep; /* worker 0 sleeps until the end of a job, or until a wish */
  _Atomic bool is_closing;
  _Atomic uint64_t gate; /* number of the job, threads inside, and whether more may enter */
  ddr_wish *wishes;      /* not yet granted; guarded by the lock */
  _Atomic bool has_wishes;
};

/* The workers of a world. */
struct ddr_workers {
  ddr_thread_pool *threads; /* NULL until it is started */
  uint32_t n;               /* threads, including the caller's; 0: not chosen yet */
};

/* The number of a worker in its pool, from 0. */
static inline size_t ddr_worker_number(const ddr_worker *worker) {
  return (size_t)(worker - worker->threads->workers);
}

/* Does a job; returns when all its items are done. */
void ddr_sched_run(ddr_thread_pool *threads, const ddr_job *job);

/* Called during an item: lets worker 0 do the task between two of its items, and returns when it is
 * done; worker 0 itself does it at once.  For calls of MPI: only the thread that runs the world may
 * communicate with other ranks. */
void ddr_ask_first(ddr_worker *worker, ddr_wish_task *task, void *data);

/* alone.c: items in ascending order by worker 0. */
void ddr_sched_alone(ddr_thread_pool *threads, const ddr_job *job);

/* threads.c: a pool; between jobs its threads first spin, then sleep.  NULL if memory is short or
 * threads cannot be started; the error is recorded. */
ddr_thread_pool *ddr_thread_pool_new(ddr_world *world, uint32_t n_workers);
void ddr_thread_pool_free(ddr_thread_pool *threads);
