/* Allocations that fail at the test's wish: the linker sends those of the library here. */
#pragma once

#include <stddef.h>
#include <stdint.h>

static int64_t n_until_failure = INT64_MAX; /* allocations that succeed before one fails */

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t n);

void *__wrap_malloc(size_t n) { return n_until_failure-- == 0 ? NULL : __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t size) {
  return n_until_failure-- == 0 ? NULL : __real_calloc(n, size);
}
void *__wrap_aligned_alloc(size_t alignment, size_t n) {
  return n_until_failure-- == 0 ? NULL : __real_aligned_alloc(alignment, n);
}
