/* alone.c: a job done by the caller alone: the scheduler of sequential programs.
 *
 * Any scheduler keeps this contract: each item once, everything an item wrote is seen by the caller
 * when the job has ended, results do not depend on who did what.
 * Read next: threads.c; strands/blocks.c, whose jobs these are.
 */
#include "thread_pool.h"

void ddr_sched_alone(ddr_thread_pool *threads, const ddr_job *job) {
  for (int64_t item = 0; item < job->n_items; item++) job->task(threads->workers, job->data, item);
}
