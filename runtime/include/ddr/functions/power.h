/* power.h: pow, with zeros, infinities and NaN as in C99 Annex F; included by all.h. */
#include "ddr/base/real.h"
#if defined(DDR_X)
#include "ddr/functions/power_double.h"
#include "ddr/functions/power_float.h"

/* x >= 0, rounded to an integer: equal to x if x is an integer below DDR_DIGIT_LIMIT. */
DDR_XFN DDR_XREAL DDR_X(whole_size)(DDR_XREAL x) { return (x + DDR_DIGIT_LIMIT) - DDR_DIGIT_LIMIT; }

/* 0 or infinity to the power of y. */
DDR_XFN DDR_XREAL DDR_X(pow_of_end)(DDR_XMASK is_zero, DDR_XREAL y) {
  const DDR_XREAL infinite = DDR_X(all)((ddr_real)INFINITY);
  return DDR_X(select_real)(is_zero ^ (y < 0), DDR_X(all)(0), infinite);
}

/* x^y by the rules of C99 Annex F. */
DDR_XFN DDR_XREAL DDR_X(pow_any)(DDR_XREAL x, DDR_XREAL y) {
  const DDR_XREAL size = DDR_X(magnitude)(x), y_size = DDR_X(magnitude)(y);
  const DDR_XREAL y_half = y_size * DDR_R(0.5), infinite = DDR_X(all)((ddr_real)INFINITY);
  const DDR_XMASK has_digits = y_size < DDR_DIGIT_LIMIT;
  const DDR_XMASK is_whole = DDR_X(inverted)(has_digits) | (DDR_X(whole_size)(y_size) == y_size);
  const DDR_XMASK is_odd =
      is_whole & (y_size < 2 * DDR_DIGIT_LIMIT) & (DDR_X(whole_size)(y_half) != y_half);
  DDR_XREAL power = DDR_X(pow_positive)(size, y);
  power =
      DDR_X(select_real)((size == 0) | (size == infinite), DDR_X(pow_of_end)(size == 0, y), power);
  power = DDR_X(select_real)(is_odd, DDR_X(signed_as)(power, x), power);
  power = DDR_X(select_real)((x < 0) & (size < infinite) & DDR_X(inverted)(is_whole),
                             DDR_X(all)((ddr_real)NAN), power);
  const DDR_XMASK has_nan = (x != x) | (y != y); /* NOLINT(misc-redundant-expression): NaN is */
  power = DDR_X(select_real)(has_nan, x + y, power);
  const DDR_XMASK is_one = (x == 1) | (y == 0) | ((x == -1) & (y_size == infinite));
  return DDR_X(select_real)(is_one, DDR_X(all)(1), power);
}

/* x^(1/2). Unlike sqrt, it gives 0 for -0 and infinity for -infinity. */
DDR_XFN DDR_XREAL DDR_X(pow_half)(DDR_XREAL x) {
  const DDR_XREAL infinite = DDR_X(all)((ddr_real)INFINITY);
  return DDR_X(sqrt)(DDR_X(select_real)(x == -infinite, infinite, x)) + 0;
}

/* Whether x^y is computed by multiplications. A square is rounded once, so that the compiler may
 * replace pow(x, 2) by it. */
DDR_XFN DDR_XMASK DDR_X(is_few)(DDR_XREAL y) {
#if defined(DDR_DOUBLE)
  return y == 2;
#else
  const DDR_XREAL y_size = DDR_X(magnitude)(y);
  return (y_size <= 64) & (DDR_X(whole_size)(y_size) == y_size);
#endif
}

/* The case depends on y alone; in lanes, more than one is computed only if lanes differ. */
DDR_XFN DDR_XREAL DDR_X(pow)(DDR_XREAL x, DDR_XREAL y) {
  const DDR_XMASK is_few = DDR_X(is_few)(y), is_half = y == DDR_R(0.5);
  DDR_XREAL power = x;
  if (DDR_X(any)(DDR_X(inverted)(is_few | is_half))) power = DDR_X(pow_any)(x, y);
  if (DDR_X(any)(is_few)) power = DDR_X(select_real)(is_few, DDR_X(pow_few)(x, y), power);
  if (DDR_X(any)(is_half)) power = DDR_X(select_real)(is_half, DDR_X(pow_half)(x), power);
  return power;
}
#endif
