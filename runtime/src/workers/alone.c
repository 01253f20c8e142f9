/* alone.c: a job done by the caller alone: the scheduler of sequential programs.
 *
 * The contract of every scheduler: each item is done once, the caller sees everything that items
 * wrote when the job has ended, and results do not depend on which worker did what.
 * Read next: threads.c; strands/blocks.c, whose jobs these are.
 */
#include "thread_pool.h"

void ddr_sched_alone(ddr_thread_pool *threads, const ddr_job *job) {
  for (int64_t item = 0; item < job->n_items; item++) job->task(threads->workers, job->data, item);
}
