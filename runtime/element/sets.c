/* sets.c: which sets of instructions the machine has. */
#include "runtime/element/sets.h"

bool ddr_has_set(ddr_set set) {
  switch (set) {
#if defined(DDR_AVX512)
  case DDR_SET_AVX512:
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           ddr_has_set(DDR_SET_AVX2);
#endif
#if defined(DDR_AVX2)
  case DDR_SET_AVX2: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
  case DDR_SET_BASE: return true;
  default: break;
  }
  return false;
}

ddr_set ddr_best_set(void) {
  ddr_set best = DDR_SET_COUNT - 1;
  while (!ddr_has_set(best)) best--;
  return best;
}
