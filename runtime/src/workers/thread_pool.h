/* thread_pool.h: the workers and the jobs they do.
 *
 * A job is a number of items, each handled once by any worker.  Items of one job may run at the
 * same time; jobs follow each other.  The caller's thread is worker 0, also when there is no other.
 * Read next: README.md (what a scheduler owes), alone.c, threads.c.
 */
#pragma once

#include "runtime/src/world/world.h"
#include "scratch.h"

typedef struct ddr_thread_pool ddr_thread_pool;

typedef struct ddr_worker {
  ddr_thread_pool *threads;
  pthread_t thread;
  ddr_pool pool; /* dynamic sequences of strands while they run */
  ddr_text text; /* prints of the block at hand */
  ddr_scratch scratch;
  _Atomic int64_t next; /* of its items: to be taken */
  int64_t patience;     /* so many nanoseconds it waits awake (threads.c) */
} ddr_worker;

/* One item of a job. */
typedef void ddr_task(ddr_worker *worker, void *data, int64_t item);

typedef struct ddr_job {
  ddr_task *task;
  void *data;
  int64_t n_items;
  bool is_at_home; /* each worker begins with the items that it had in jobs of as many: what they
                    * touch is in its cache; else items are begun in ascending order */
} ddr_job;

/* What worker 0 is to do for another one, which waits for it. */
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
  uint32_t n_workers; /* those in the array */
  uint32_t n_threads; /* those that were started, without worker 0 */
  bool is_started;    /* or was tried to */
  bool has_cores;     /* one for each worker */
  pthread_mutex_t lock;
  pthread_cond_t job_begins, job_ends, wish_granted;
  ddr_job job;
  uint64_t n_jobs;   /* begun so far */
  uint32_t n_asleep; /* threads, with the lock */
  _Atomic bool is_closing;
  _Atomic uint64_t gate; /* the number of the job, threads that do it now, whether more may */
  ddr_wish *wishes;      /* not yet granted, with the lock */
  _Atomic bool has_wishes;
};

/* The world's part. */
struct ddr_workers {
  ddr_thread_pool *threads; /* NULL until it is started */
  uint32_t n;               /* threads, the caller's among them; 0: not chosen yet */
};

/* Which worker of the pool it is, from 0. */
static inline size_t ddr_worker_number(const ddr_worker *worker) {
  return (size_t)(worker - worker->threads->workers);
}

/* Do the whole job. */
void ddr_sched_run(ddr_thread_pool *threads, const ddr_job *job);

/* Amid an item: worker 0, the thread that runs the world, does this between two of its own; nobody
 * else may talk to other ranks.  Returns when it is done.  At once if the asker is worker 0. */
void ddr_ask_first(ddr_worker *worker, ddr_wish_task *task, void *data);

/* alone.c: items in ascending order by worker 0. */
void ddr_sched_alone(ddr_thread_pool *threads, const ddr_job *job);

/* threads.c: a pool whose threads wait, first awake, until there is a job; NULL when memory is
 * short, or threads, which is recorded. */
ddr_thread_pool *ddr_thread_pool_new(ddr_world *world, uint32_t n_workers);
void ddr_thread_pool_free(ddr_thread_pool *threads);
