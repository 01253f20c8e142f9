/* A double rounded to a float. */
#pragma once

/* volatile: gcc 12 loses the rounding when it rounds two numbers side by side. */
static inline double as_float(double x) {
  const volatile float single = (float)x;
  return (double)single;
}
