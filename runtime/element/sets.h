/* sets.h: functions that are compiled for several sets of instructions; the machine that runs takes
 * the best that it has.
 *
 * Their text is in a header X_set.h, which X_base.c, X_avx2.c and X_avx512.c include behind a
 * DDR_SET of their own; runtime/CMakeLists.txt knows the options.  Nothing but the width of vectors
 * differs, so the bits of results do not.
 */
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

/* What machine and build have both. */
ddr_set ddr_best_set(void);
bool ddr_has_set(ddr_set set);

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
