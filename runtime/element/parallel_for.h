/* parallel_for.h: a job of independent items, shared out between threads that live as long as the
 * job.
 *
 * For operations on whole arrays; strands have threads of their own
 * (runtime/src/workers/thread_pool.h).
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void ddr_parallel_task(void *data, int64_t item);

/* Calls the task once for each item from 0 to n_items-1, in any order, on up to n_threads threads
 * (0 and 1: the caller's alone).  Where a thread cannot be started the others do its work. */
void ddr_parallel_for(int n_threads, int64_t n_items, ddr_parallel_task *task, void *data);

#ifdef __cplusplus
}
#endif
