/* sets.h: functions that are compiled for several sets of instructions; at run time the best set of
 * the machine is chosen.
 *
 * Their source is a header X_set.h, which X_base.c, X_avx2.c and X_avx512.c include after defining
 * DDR_SET; runtime/CMakeLists.txt has the compiler options.  Only the width of vectors differs, so
 * results have the same bits. */
#pragma once

#include <stdbool.h>

/* The name of something in the set that is compiled. */
#define DDR_OF_SET(name) DDR_OF_SET_(name, DDR_SET)
#define DDR_OF_SET_(name, set) DDR_OF_SET__(name, set)
#define DDR_OF_SET__(name, set) name##_##set

typedef enum ddr_set { DDR_SET_BASE, DDR_SET_AVX2, DDR_SET_AVX512, DDR_SET_COUNT } ddr_set;

#ifdef __cplusplus
extern "C" {
#endif

/* The best set that both the machine and this build have. */
ddr_set ddr_best_set(void);
bool ddr_has_set(ddr_set set);

/* Whether the machine says that it computes vectors of 64 bytes in halves. */
bool ddr_has_half_vectors(void);

#ifdef __cplusplus
}
#endif

/* One pointer for each set that is built, in order. */
#if defined(DDR_AVX512)
#define DDR_EACH_SET(pointer)                                                                      \
  { pointer##_base, pointer##_avx2, pointer##_avx512 }
#elif defined(DDR_AVX2)
#define DDR_EACH_SET(pointer)                                                                      \
  { pointer##_base, pointer##_avx2, pointer##_base }
#else
#define DDR_EACH_SET(pointer)                                                                      \
  { pointer##_base, pointer##_base, pointer##_base }
#endif
