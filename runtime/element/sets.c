/* sets.c: which sets of instructions the machine has. */
#include "runtime/element/sets.h"

#if defined(DDR_AVX512)
#include <cpuid.h>
#include <stdatomic.h>
#endif

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

#if defined(DDR_AVX512)
/* AMD's "performance optimization identifiers", which other processors do not have: the width of
 * what computes vectors. */
#define IDENTIFIERS 0x8000001au
enum { WIDTH_256 = 1 << 2, WIDTH_512 = 1 << 3 };

static bool says_halves(void) {
  unsigned found = 0, others[3];
  const bool has_any = __get_cpuid(IDENTIFIERS, &found, &others[0], &others[1], &others[2]);
  return has_any && (found & WIDTH_256) != 0 && (found & WIDTH_512) == 0;
}

/* Asked once: virtual machines take microseconds to answer. */
bool ddr_has_half_vectors(void) {
  enum { UNKNOWN, FULL, HALVES };
  static atomic_int answer = UNKNOWN;
  int known = atomic_load_explicit(&answer, memory_order_relaxed);
  if (known == UNKNOWN) {
    known = says_halves() ? HALVES : FULL;
    atomic_store_explicit(&answer, known, memory_order_relaxed);
  }
  return known == HALVES;
}
#else
bool ddr_has_half_vectors(void) { return false; }
#endif
