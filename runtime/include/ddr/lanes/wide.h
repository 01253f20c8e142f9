/* wide.h: doubles for all lanes. If one register cannot hold them, they are in two halves, the
 * lower and the upper lanes, because compilers split larger vectors lane by lane. Otherwise each
 * half has all lanes. Included by math.h.
 */
#pragma once

#include "ddr/lanes/lanes.h"

enum { DDR_HALF_LANES = DDR_REGISTER_SIZE / 8 };
typedef ddr_real ddr_vhalf __attribute__((vector_size(DDR_HALF_LANES * sizeof(ddr_real))));
typedef double ddr_vwide __attribute__((vector_size(DDR_HALF_LANES * sizeof(double))));
typedef uint64_t ddr_vwide_bits __attribute__((vector_size(DDR_HALF_LANES * sizeof(double))));
typedef int64_t ddr_vwide_mask __attribute__((vector_size(DDR_HALF_LANES * sizeof(double))));

DDR_VFN ddr_vwide_bits ddr_vbits_of_wide(ddr_vwide x) { return (ddr_vwide_bits)x; }
DDR_VFN ddr_vwide ddr_vwide_of_bits(ddr_vwide_bits bits) { return (ddr_vwide)bits; }
DDR_VFN ddr_vwide ddr_vall_wide(double x) { return x - (ddr_vwide){0}; }

DDR_VFN ddr_vwide ddr_vmagnitude_wide(ddr_vwide x) {
  return (ddr_vwide)((ddr_vwide_mask)x & INT64_MAX);
}

/* Square roots in double, by one instruction if possible. */
DDR_VFN ddr_vwide ddr_vsqrt_wide(ddr_vwide x) {
#if defined(DDR_NAMED_SQRT_WIDE)
  return DDR_NAMED_SQRT_WIDE(x);
#else
  ddr_vwide root = {0};
  for (int lane = 0; lane < DDR_HALF_LANES; lane++) root[lane] = sqrt(x[lane]);
  return root;
#endif
}

DDR_VFN bool ddr_vany_wide(ddr_vwide_mask m) {
#if DDR_REGISTER_SIZE == 64
  return __builtin_ia32_cvtq2mask512((long long __attribute__((vector_size(64))))m) != 0;
#elif DDR_REGISTER_SIZE == 32
  return __builtin_ia32_movmskpd256((double __attribute__((vector_size(32))))m) != 0;
#elif defined(__SSE2__)
  return __builtin_ia32_movmskpd((double __attribute__((vector_size(16))))m) != 0;
#else
  int64_t any = 0;
  for (int lane = 0; lane < DDR_HALF_LANES; lane++) any |= m[lane];
  return any != 0;
#endif
}

DDR_VFN ddr_vwide ddr_vselect_wide(ddr_vwide_mask m, ddr_vwide a, ddr_vwide b) {
  return (ddr_vwide)DDR_BLEND(m, (ddr_vwide_mask)a, (ddr_vwide_mask)b);
}

#if defined(DDR_DOUBLE) && DDR_REGISTER_SIZE > 16
DDR_VFN ddr_vwide ddr_vlower(ddr_vreal x) { return x; }
DDR_VFN ddr_vwide ddr_vupper(ddr_vreal x) { return x; }
DDR_VFN ddr_vreal ddr_vjoined(ddr_vwide lower, ddr_vwide upper) { return (void)upper, lower; }
DDR_VFN ddr_vwide ddr_vrounded_wide(ddr_vwide x) { return x; }
#else
#if DDR_LANES == 16
#define DDR_LOWER_LANES 0, 1, 2, 3, 4, 5, 6, 7
#define DDR_UPPER_LANES 8, 9, 10, 11, 12, 13, 14, 15
#elif DDR_LANES == 8
#define DDR_LOWER_LANES 0, 1, 2, 3
#define DDR_UPPER_LANES 4, 5, 6, 7
#else
#define DDR_LOWER_LANES 0, 1
#define DDR_UPPER_LANES 2, 3
#endif

/* For registers of 64 bytes gcc needs builtins: otherwise it converts by two instructions and joins
 * halves by three. For those of 32 bytes it schedules code without builtins better. */
typedef int32_t ddr_vhalf_ints __attribute__((vector_size(DDR_HALF_LANES * sizeof(int32_t))));
#if DDR_REGISTER_SIZE == 64 && !defined(__clang__)
DDR_VFN ddr_vwide ddr_vwidened(ddr_vhalf x) {
  return __builtin_ia32_cvtps2pd512_mask(x, (ddr_vwide){0}, -1, 4);
}
DDR_VFN ddr_vwide ddr_vwide_of_ints(ddr_vhalf_ints n) {
  return __builtin_ia32_cvtdq2pd512_mask(n, (ddr_vwide){0}, UINT8_MAX);
}
DDR_VFN ddr_vreal ddr_vof_halves(ddr_vhalf lower, ddr_vhalf upper) {
  const ddr_vreal all = __builtin_ia32_ps512_256ps(lower);
  return __builtin_ia32_insertf32x8_mask(all, upper, 1, all, UINT16_MAX);
}
#else
DDR_VFN ddr_vwide ddr_vwidened(ddr_vhalf x) { return __builtin_convertvector(x, ddr_vwide); }
DDR_VFN ddr_vwide ddr_vwide_of_ints(ddr_vhalf_ints n) {
  return __builtin_convertvector(n, ddr_vwide);
}
DDR_VFN ddr_vreal ddr_vof_halves(ddr_vhalf lower, ddr_vhalf upper) {
  return __builtin_shufflevector(lower, upper, DDR_LOWER_LANES, DDR_UPPER_LANES);
}
#endif

DDR_VFN ddr_vwide ddr_vlower(ddr_vreal x) {
  return ddr_vwidened(__builtin_shufflevector(x, x, DDR_LOWER_LANES));
}
DDR_VFN ddr_vwide ddr_vupper(ddr_vreal x) {
  return ddr_vwidened(__builtin_shufflevector(x, x, DDR_UPPER_LANES));
}
DDR_VFN ddr_vreal ddr_vjoined(ddr_vwide lower, ddr_vwide upper) {
  return ddr_vof_halves(__builtin_convertvector(lower, ddr_vhalf),
                        __builtin_convertvector(upper, ddr_vhalf));
}
DDR_VFN ddr_vwide ddr_vrounded_wide(ddr_vwide x) {
  return ddr_vwidened(__builtin_convertvector(x, ddr_vhalf));
}
#endif
