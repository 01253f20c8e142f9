/* complex_functions.c: converts our pairs to the C library's complex numbers and back. */
#include "runtime/transform/complex_functions.h"

#include <complex.h>

/* The representation in memory is the same; an expression re + im * I would lose the sign of a
 * zero. */
static double complex library_number(double re, double im) {
  const union {
    double parts[2];
    double complex number;
  } both = {.parts = {re, im}};
  return both.number;
}

#define FUNCTIONS(name, function)                                                                  \
  ddr_complex_double ddr_complex_##name##_double(ddr_complex_double z) {                           \
    const double complex result = function(library_number(z.re, z.im));                            \
    return (ddr_complex_double){creal(result), cimag(result)};                                     \
  }                                                                                                \
  ddr_complex_float ddr_complex_##name##_float(ddr_complex_float z) {                              \
    const double complex result = function(library_number((double)z.re, (double)z.im));            \
    return (ddr_complex_float){(float)creal(result), (float)cimag(result)};                        \
  }
FUNCTIONS(sqrt, csqrt)
FUNCTIONS(exp, cexp)
FUNCTIONS(log, clog)
