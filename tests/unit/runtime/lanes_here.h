/* Whether this processor runs the vectors that a test has been compiled for; else it is skipped. */
#pragma once

#include <stdbool.h>

static inline bool lanes_are_here(void) {
#if defined(__AVX512F__)
  return __builtin_cpu_supports("avx512dq");
#elif defined(__AVX2__)
  return __builtin_cpu_supports("avx2");
#else
  return true;
#endif
}
