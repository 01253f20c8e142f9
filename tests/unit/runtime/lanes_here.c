#include "lanes_here.h"

bool lanes_are_here(void) {
#if defined(__AVX512F__)
  return __builtin_cpu_supports("avx512dq");
#elif defined(__AVX2__)
  return __builtin_cpu_supports("avx2");
#else
  return true;
#endif
}
