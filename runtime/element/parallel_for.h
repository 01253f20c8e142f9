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

/* Shares of n things, as equal as possible: share k of n_shares is [ddr_share_begin(n, k,
 * n_shares), ddr_share_begin(n, k + 1, n_shares)). */
static inline int64_t ddr_share_begin(int64_t n, int64_t k, int64_t n_shares) {
  return n / n_shares * k + n % n_shares * k / n_shares;
}

#ifdef __cplusplus
}
#endif
