/* numbers.h: the constants and polynomials of the functions of math.h, at the precision of the
 * program.
 *
 * Polynomials are minimax approximations of their degree with coefficients of that precision; the
 * error of each, relative to the result or to 1, stands beside it for floats and doubles.  A
 * constant in two parts has trailing zeros in the first, so that products with whole numbers are
 * exact.  Read next: base.h.
 */
#include "ddr/base/real.h"
#if !defined(DDR_NUMBERS)
#define DDR_NUMBERS

#if defined(DDR_DOUBLE)
typedef uint64_t ddr_bits;
#define DDR_BY_PRECISION(single, twice) twice
#define DDR_MANTISSA_BITS 52
#define DDR_EXPONENT_BIAS 1023
#define DDR_SIGN_SHIFT 62                          /* of bit 1 to the sign */
#define DDR_HEAD_BITS UINT64_C(0xfffffffff8000000) /* the upper half of the digits */
#define DDR_MANTISSA_MASK UINT64_C(0x000fffffffffffff)
#define DDR_SQRT_HALF_BITS UINT64_C(0x3fe6a09e667f3bcd)
#else
typedef uint32_t ddr_bits;
#define DDR_BY_PRECISION(single, twice) single##f
#define DDR_MANTISSA_BITS 23
#define DDR_EXPONENT_BIAS 127
#define DDR_SIGN_SHIFT 30
#define DDR_HEAD_BITS UINT32_C(0xfffff000)
#define DDR_MANTISSA_MASK UINT32_C(0x007fffff)
#define DDR_SQRT_HALF_BITS UINT32_C(0x3f3504f3)
#endif

#define DDR_SIGN_BIT ((ddr_bits)2 << DDR_SIGN_SHIFT)
#define DDR_ONE_BITS ((ddr_bits)DDR_EXPONENT_BIAS << DDR_MANTISSA_BITS)
/* From here on all numbers are integers. */
#define DDR_DIGIT_LIMIT DDR_BY_PRECISION(0x1p23, 0x1p52)
#define DDR_DIGIT_LIMIT_BITS                                                                       \
  ((ddr_bits)(DDR_EXPONENT_BIAS + DDR_MANTISSA_BITS) << DDR_MANTISSA_BITS)
#define DDR_SMALLEST_NORMAL DDR_BY_PRECISION(0x1p-126, 0x1p-1022)
/* Adding and subtracting it rounds to an integer, which the sum has in its last bits. */
#define DDR_ROUNDER DDR_BY_PRECISION(0x1.8p23, 0x1.8p52)
#define DDR_ROUNDER_BITS (DDR_DIGIT_LIMIT_BITS | (ddr_bits)1 << (DDR_MANTISSA_BITS - 1))

/* --- constants -------------------------------------------------------------------------------- */

#define DDR_LOG2_E DDR_BY_PRECISION(0x1.715476p0, 0x1.71547652b82fep0)
#define DDR_LN_2_HIGH DDR_BY_PRECISION(0x1.62e4p-1, 0x1.62e42fefa38p-1)
#define DDR_LN_2_LOW DDR_BY_PRECISION(0x1.7f7d1cp-20, 0x1.ef35793c7673p-45)
#define DDR_LOG10_2_HIGH DDR_BY_PRECISION(0x1.3442p-2, 0x1.34413509f78p-2)
#define DDR_LOG10_2_LOW DDR_BY_PRECISION(-0x1.95ec1p-19, 0x1.fef311f12b358p-46)
/* In two parts; the first has half of the digits, like a head. */
#define DDR_LOG2_E_HEAD DDR_BY_PRECISION(0x1.716p0, 0x1.7154768p0)
#define DDR_LOG2_E_REST DDR_BY_PRECISION(-0x1.7135a8p-13, -0x1.6a3e80f444178p-27)
#define DDR_LOG10_E_HEAD DDR_BY_PRECISION(0x1.bccp-2, 0x1.bcb7b18p-2)
#define DDR_LOG10_E_REST DDR_BY_PRECISION(-0x1.09d5b2p-15, -0x1.6c8d78e6acaa4p-29)
#define DDR_TWO_THIRDS_HEAD DDR_BY_PRECISION(0x1.556p-1, 0x1.5555558p-1)
#define DDR_TWO_THIRDS_REST DDR_BY_PRECISION(-0x1.555556p-14, -0x1.5555555555555p-28)

#define DDR_QUARTER_PI DDR_BY_PRECISION(0x1.921fb6p-1, 0x1.921fb54442d18p-1)
#define DDR_QUARTER_PI_LOW DDR_BY_PRECISION(-0x1.777a5cp-26, 0x1.1a62633145c07p-55)
#define DDR_HALF_PI DDR_BY_PRECISION(0x1.921fb6p0, 0x1.921fb54442d18p0)
#define DDR_HALF_PI_LOW DDR_BY_PRECISION(-0x1.777a5cp-25, 0x1.1a62633145c07p-54)
#define DDR_THREE_QUARTERS_PI DDR_BY_PRECISION(0x1.2d97c8p1, 0x1.2d97c7f3321d2p1)
#define DDR_THREE_QUARTERS_PI_LOW DDR_BY_PRECISION(-0x1.99bc5cp-28, 0x1.a79394c9e8a0ap-54)
#define DDR_PI DDR_BY_PRECISION(0x1.921fb6p1, 0x1.921fb54442d18p1)
#define DDR_PI_LOW DDR_BY_PRECISION(-0x1.777a5cp-24, 0x1.1a62633145c07p-53)

/* --- polynomials, lowest coefficient first ---------------------------------------------------- */

#define DDR_POLY3(x, a, b, c) ((a) + (x) * ((b) + (x) * (c)))
#define DDR_POLY4(x, a, ...) ((a) + (x)*DDR_POLY3(x, __VA_ARGS__))
#define DDR_POLY5(x, a, ...) ((a) + (x)*DDR_POLY4(x, __VA_ARGS__))
#define DDR_POLY6(x, a, ...) ((a) + (x)*DDR_POLY5(x, __VA_ARGS__))
#define DDR_POLY7(x, a, ...) ((a) + (x)*DDR_POLY6(x, __VA_ARGS__))
#define DDR_POLY8(x, a, ...) ((a) + (x)*DDR_POLY7(x, __VA_ARGS__))
#define DDR_POLY9(x, a, ...) ((a) + (x)*DDR_POLY8(x, __VA_ARGS__))
#define DDR_POLY10(x, a, ...) ((a) + (x)*DDR_POLY9(x, __VA_ARGS__))
#define DDR_POLY11(x, a, ...) ((a) + (x)*DDR_POLY10(x, __VA_ARGS__))
#define DDR_POLY12(x, a, ...) ((a) + (x)*DDR_POLY11(x, __VA_ARGS__))
#define DDR_POLY13(x, a, ...) ((a) + (x)*DDR_POLY12(x, __VA_ARGS__))

/* clang-format off */
#if defined(DDR_DOUBLE)
/* (exp r - 1 - r) / r^2, to 2^-57 of exp r */
#define DDR_EXP_POLY(r) DDR_POLY10(r, \
  0.5000000000000013, 0.166666666666667, 0.04166666666651031, 0.00833333333330715, \
  0.0013888888948422786, 0.0001984126991760958, 2.4801488418367232e-05, 2.75572160257764e-06, \
  2.763184654169568e-07, 2.511796699418132e-08)
/* (log((1+s) / (1-s)) - 2s) / s^3, of s^2; to 2^-57 of s */
#define DDR_LOG_POLY(z) DDR_POLY7(z, \
  0.6666666666666812, 0.3999999999900413, 0.28571428820554035, 0.2222219144503163, \
  0.18183901411708375, 0.15306074941545791, 0.14870623088762933)
/* (3/2 log((1+s) / (1-s)) - 3s - s^3) / s^5, of s^2; to 2^-72 of s */
#define DDR_LOG_FINE_POLY(z) DDR_POLY8(z, \
  0.5999999999999994, 0.4285714285718024, 0.3333333332371958, 0.2727272858060993, \
  0.23076818714246766, 0.20005048662875355, 0.17501682831785964, 0.18063953629595975)
/* (sin r - r) / r^3, of r^2; to 2^-62 of r */
#define DDR_SIN_POLY(z) DDR_POLY7(z, \
  -0.16666666666666666, 0.00833333333333313, -0.00019841269841100158, 2.7557319152732062e-06, \
  -2.5052092023069685e-08, 1.6056996102473272e-10, -7.520464725987945e-13)
/* (cos r - 1 + r^2/2) / r^4, of r^2; to 2^-64 */
#define DDR_COS_POLY(z) DDR_POLY6(z, \
  0.041666666666666595, -0.001388888888887341, 2.4801587289062103e-05, -2.755731423606074e-07, \
  2.0875707947948348e-09, -1.1358871905809244e-11)
/* (atan t - t) / t^3, of t^2, for t up to tan(pi/8); to 2^-62 of t */
#define DDR_ATAN_POLY(z) DDR_POLY12(z, \
  -0.33333333333333315, 0.19999999999994403, -0.1428571428506965, 0.11111111071934278, \
  -0.09090907647933245, 0.07692273009241031, -0.06666099452950221, 0.05875903755689271, \
  -0.05211875893079385, 0.04479244149733795, -0.032952336982453305, 0.014702634669216981)
/* (asin x - x) / x^3, of x^2, for x up to 1/2; to 2^-57 of x */
#define DDR_ASIN_POLY(z) DDR_POLY13(z, \
  0.16666666666666996, 0.07499999999921848, 0.04464285721311084, 0.030381941116196562, \
  0.02237225472871973, 0.017350966956339607, 0.013987908277690121, 0.011345173721745259, \
  0.01106180056449576, 0.0027052456055785936, 0.024014211000004764, -0.024105805007246517, \
  0.03448548245496839)
#else /* the same to 2^-28, 2^-28, 2^-36, 2^-32, 2^-33, 2^-29 and 2^-30 */
#define DDR_EXP_POLY(r) DDR_POLY5(r, \
  0.49999997f, 0.16666517f, 0.041667145f, 0.008369147f, 0.0013898399f)
#define DDR_LOG_POLY(z) DDR_POLY3(z, 0.6666682f, 0.39973497f, 0.29963964f)
#define DDR_LOG_FINE_POLY(z) DDR_POLY3(z, 0.6000027f, 0.42817008f, 0.35205603f)
#define DDR_SIN_POLY(z) DDR_POLY4(z, -0.16666667f, 0.008333368f, -0.00019848377f, 2.7852461e-06f)
#define DDR_COS_POLY(z) DDR_POLY3(z, 0.041666646f, -0.0013887312f, 2.4432713e-05f)
#define DDR_ATAN_POLY(z) DDR_POLY5(z, \
  -0.33333302f, 0.19997832f, -0.14233553f, 0.10530107f, -0.05934878f)
#define DDR_ASIN_POLY(z) DDR_POLY6(z, \
  0.16666654f, 0.075007945f, 0.04447001f, 0.032151505f, 0.013269369f, 0.039018493f)
#endif
/* clang-format on */
#endif
