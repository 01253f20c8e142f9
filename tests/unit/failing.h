/* Allocations that fail on request: the linker redirects those of the code under test
 * (ddr_fails_at_will in cmake/Component.cmake). */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static _Atomic int64_t n_allocated, first_failure = INT64_MAX, last_failure = INT64_MAX;

/* From now on allocation `first`, counted from 0, fails, and the next n - 1. */
static inline void fail_from(int64_t first, int64_t n) {
  atomic_store(&n_allocated, 0);
  atomic_store(&first_failure, first);
  atomic_store(&last_failure, first + n - 1);
}

static inline void fail_at(int64_t number) { fail_from(number, 1); }

/* Ends the failures; returns whether any allocation has failed. */
static inline bool fail_no_more(void) {
  const bool has_failed = atomic_load(&n_allocated) > atomic_load(&first_failure);
  atomic_store(&first_failure, INT64_MAX);
  return has_failed;
}

static bool fails_now(void) {
  const int64_t n = atomic_fetch_add(&n_allocated, 1);
  return n >= atomic_load(&first_failure) && n <= atomic_load(&last_failure);
}

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t n);
void *__real_aligned_alloc(size_t alignment, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t n);
void *__wrap_aligned_alloc(size_t alignment, size_t n);

void *__wrap_malloc(size_t n) { return fails_now() ? NULL : __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t size) { return fails_now() ? NULL : __real_calloc(n, size); }
void *__wrap_realloc(void *old, size_t n) { return fails_now() ? NULL : __real_realloc(old, n); }
void *__wrap_aligned_alloc(size_t alignment, size_t n) {
  return fails_now() ? NULL : __real_aligned_alloc(alignment, n);
}
