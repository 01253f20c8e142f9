/* A double rounded to a float. */
#pragma once

/* volatile: of two numbers rounded side by side gcc 12 forgets the rounding. */
static inline double as_float(double x) {
  const volatile float single = (float)x;
  return (double)single;
}
