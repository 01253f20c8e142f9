/* math.h: the functions of math.h in every lane.
 *
 * glibc has them for whole registers, in libmvec: right within 4 units in the last place, most
 * within 2, and special values like those of math.h. They are called by the names of the x86-64
 * vector ABI, _ZGV, then instruction set, lanes, parameters; compilers would only do so under
 * -ffast-math. Where they are missing, the scalar function is called for each lane.
 */
#pragma once

#include "ddr/lanes/lanes.h"

#if defined(__x86_64__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 35)
#define DDR_HAS_LIBMVEC
#endif
#endif

#if defined(DDR_HAS_LIBMVEC) && !defined(DDR_DOUBLE)
#define DDR_MVEC_PASTE(prefix, name) prefix##name##f
#if DDR_LANES == 16
#define DDR_MVEC1(name) DDR_MVEC_PASTE(_ZGVeN16v_, name)
#define DDR_MVEC2(name) DDR_MVEC_PASTE(_ZGVeN16vv_, name)
#elif defined(__AVX2__)
#define DDR_MVEC1(name) DDR_MVEC_PASTE(_ZGVdN8v_, name)
#define DDR_MVEC2(name) DDR_MVEC_PASTE(_ZGVdN8vv_, name)
#elif defined(__AVX__)
#define DDR_MVEC1(name) DDR_MVEC_PASTE(_ZGVcN8v_, name)
#define DDR_MVEC2(name) DDR_MVEC_PASTE(_ZGVcN8vv_, name)
#else
#define DDR_MVEC1(name) DDR_MVEC_PASTE(_ZGVbN4v_, name)
#define DDR_MVEC2(name) DDR_MVEC_PASTE(_ZGVbN4vv_, name)
#endif
#elif defined(DDR_HAS_LIBMVEC) && defined(__AVX__)
#define DDR_MVEC_PASTE(prefix, name) prefix##name
#if DDR_LANES == 8
#define DDR_MVEC1(name) DDR_MVEC_PASTE(_ZGVeN8v_, name)
#define DDR_MVEC2(name) DDR_MVEC_PASTE(_ZGVeN8vv_, name)
#elif defined(__AVX2__)
#define DDR_MVEC1(name) DDR_MVEC_PASTE(_ZGVdN4v_, name)
#define DDR_MVEC2(name) DDR_MVEC_PASTE(_ZGVdN4vv_, name)
#else
#define DDR_MVEC1(name) DDR_MVEC_PASTE(_ZGVcN4v_, name)
#define DDR_MVEC2(name) DDR_MVEC_PASTE(_ZGVcN4vv_, name)
#endif
#endif

#if defined(DDR_MVEC1)
#define DDR_VMATH1(name)                                                                           \
  extern ddr_vreal DDR_MVEC1(name)(ddr_vreal);                                                     \
  DDR_VFN ddr_vreal ddr_v##name(ddr_vreal a) { return DDR_MVEC1(name)(a); }
#define DDR_VMATH2(name)                                                                           \
  extern ddr_vreal DDR_MVEC2(name)(ddr_vreal, ddr_vreal);                                          \
  DDR_VFN ddr_vreal ddr_v##name(ddr_vreal a, ddr_vreal b) { return DDR_MVEC2(name)(a, b); }
#else
#define DDR_VMATH1(name)                                                                           \
  DDR_VFN ddr_vreal ddr_v##name(ddr_vreal a) {                                                     \
    ddr_vreal r = {0};                                                                             \
    for (int lane = 0; lane < DDR_LANES; lane++) r[lane] = ddr_##name(a[lane]);                    \
    return r;                                                                                      \
  }
#define DDR_VMATH2(name)                                                                           \
  DDR_VFN ddr_vreal ddr_v##name(ddr_vreal a, ddr_vreal b) {                                        \
    ddr_vreal r = {0};                                                                             \
    for (int lane = 0; lane < DDR_LANES; lane++) r[lane] = ddr_##name(a[lane], b[lane]);           \
    return r;                                                                                      \
  }
#endif
/* clang-format off */
DDR_VMATH1(exp)   DDR_VMATH1(log)   DDR_VMATH1(log2)  DDR_VMATH1(log10)
DDR_VMATH1(sin)   DDR_VMATH1(cos)   DDR_VMATH1(tan)
DDR_VMATH1(asin)  DDR_VMATH1(acos)  DDR_VMATH1(atan)  DDR_VMATH2(atan2)
DDR_VMATH2(pow)   DDR_VMATH1(erf)   DDR_VMATH1(erfc)
/* clang-format on */
#undef DDR_VMATH1
#undef DDR_VMATH2
