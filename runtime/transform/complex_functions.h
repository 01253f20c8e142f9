/* complex_functions.h: square root, exponential and logarithm of complex numbers: the principal
 * branches, cut along the negative axis, where the sign of a zero imaginary part chooses the side.
 *
 * These are the C library's, so results may differ in the last bits.  Floats are computed in
 * double.
 */
#pragma once

#include "runtime/element/complex.h"

ddr_complex_double ddr_complex_sqrt_double(ddr_complex_double z);
ddr_complex_double ddr_complex_exp_double(ddr_complex_double z);
ddr_complex_double ddr_complex_log_double(ddr_complex_double z);
ddr_complex_float ddr_complex_sqrt_float(ddr_complex_float z);
ddr_complex_float ddr_complex_exp_float(ddr_complex_float z);
ddr_complex_float ddr_complex_log_float(ddr_complex_float z);

/* For float and double, like the macros of complex.h. */
#define ddr_complex_sqrt(x) DDR_OF_COMPLEX(ddr_complex_sqrt, x)(x)
#define ddr_complex_exp(x) DDR_OF_COMPLEX(ddr_complex_exp, x)(x)
#define ddr_complex_log(x) DDR_OF_COMPLEX(ddr_complex_log, x)(x)
