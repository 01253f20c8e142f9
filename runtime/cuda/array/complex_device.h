/* complex_device.h: square root, exponential and logarithm of complex numbers on devices. In C they
 * are the functions of the host (runtime/transform/complex_functions.h).
 */
#pragma once

#include "runtime/transform/complex_functions.h"

#if defined(DDR_GPU)
#undef ddr_complex_sqrt
#undef ddr_complex_exp
#undef ddr_complex_log
#include <thrust/complex.h>

#define DDR_COMPLEX_FUNCTION(name, function)                                                       \
  static __device__ inline ddr_complex_double name(ddr_complex_double z) {                         \
    const thrust::complex<double> result = function(thrust::complex<double>(z.re, z.im));          \
    return ddr_complex_double_of(result.real(), result.imag());                                    \
  }                                                                                                \
  static __device__ inline ddr_complex_float name(ddr_complex_float z) {                           \
    const ddr_complex_double result = name(ddr_complex_double_of((double)z.re, (double)z.im));     \
    return ddr_complex_float_of((float)result.re, (float)result.im);                               \
  }
DDR_COMPLEX_FUNCTION(ddr_complex_sqrt, thrust::sqrt)
DDR_COMPLEX_FUNCTION(ddr_complex_exp, thrust::exp)
DDR_COMPLEX_FUNCTION(ddr_complex_log, thrust::log)
#undef DDR_COMPLEX_FUNCTION
#endif
