/* eigen.h: eigenvalues and eigenvectors of symmetric 2x2 and 3x3 matrices.
 *
 * Values descend; vectors are unit, in the order of the values, and right-handed.  A matrix is its
 * upper triangle, row by row.  Everything is computed in double, so that neither tiny nor huge
 * matrices lose digits: residuals are a few roundings of |m|.  Equal eigenvalues get some
 * orthonormal basis of their space.  A NaN or an infinity makes everything NaN.  The same in lanes:
 * lanes/eigen.h.  On devices programs in single precision do without doubles, see eigen_float.h.
 *
 * The signs of vectors follow from Teem's construction of null spaces (ell) and mean nothing.  The
 * division into one closed form and a plane is that of [Eberly 2014, A robust eigensolver for 3x3
 * symmetric matrices].  Compiles as C17, C++17 and CUDA.  Read next: functions/eigen.h.
 */
#pragma once

#include "ddr/scalar.h"

/* In a matrix of norm 1, differences below this are rounding errors. */
#define DDR_EIGEN_EPSILON (4 * 2.220446049250313e-16)

#include "ddr/functions/one.h"

#include "ddr/functions/eigen.h"

#include "ddr/functions/done.h"

/* --- for generated code: dst gets n values, or n vectors of n components, one after another --- */

#if defined(DDR_DEVICE_FLOAT)
#include "ddr/eigen_float.h"
#else
#if !defined(DDR_DOUBLE)
DDR_FN_RARE void ddr_eigen_careful(const ddr_sym3d *m, const int *is_known, ddr_frame3d *vectors) {
  if (!*is_known) *vectors = ddr_eigen3(*m).vectors;
}
#endif

DDR_FN void ddr_store3d(ddr_vec3d a, ddr_real *dst) {
  dst[0] = (ddr_real)a.x;
  dst[1] = (ddr_real)a.y;
  dst[2] = (ddr_real)a.z;
}

DDR_FN void ddr_evals2(ddr_real *dst, ddr_real m00, ddr_real m01, ddr_real m11) {
  const ddr_eigen2d both = ddr_eigen_of_2((ddr_sym2d){(double)m00, (double)m01, (double)m11});
  dst[0] = (ddr_real)both.first;
  dst[1] = (ddr_real)both.second;
}

DDR_FN void ddr_evecs2(ddr_real *dst, ddr_real m00, ddr_real m01, ddr_real m11) {
  const ddr_eigen2d both = ddr_eigen_of_2((ddr_sym2d){(double)m00, (double)m01, (double)m11});
  dst[0] = (ddr_real)both.y;
  dst[1] = (ddr_real)(0 - both.x);
  dst[2] = (ddr_real)both.x;
  dst[3] = (ddr_real)both.y;
}

#define DDR_SYM3D(m00, m01, m02, m11, m12, m22)                                                    \
  ((ddr_sym3d){(double)m00, (double)m01, (double)m02, (double)m11, (double)m12, (double)m22})

DDR_FN DDR_INLINED void ddr_evals3(ddr_real *dst, ddr_real m00, ddr_real m01, ddr_real m02,
                                   ddr_real m11, ddr_real m12, ddr_real m22) {
  ddr_store3d(ddr_eigen_values(DDR_SYM3D(m00, m01, m02, m11, m12, m22)), dst);
}

DDR_FN DDR_INLINED void ddr_evecs3(ddr_real *dst, ddr_real m00, ddr_real m01, ddr_real m02,
                                   ddr_real m11, ddr_real m12, ddr_real m22) {
  const ddr_frame3d frame = ddr_eigen_vectors(DDR_SYM3D(m00, m01, m02, m11, m12, m22));
  ddr_store3d(frame.first, dst);
  ddr_store3d(frame.second, dst + 3);
  ddr_store3d(frame.third, dst + 6);
}
#undef DDR_SYM3D
#endif

/* The same, as structs of one array of reals. nvcc does not accept an element of the array in a
 * struct that a statement expression returns. */
#if defined(DDR_GPU)
#define DDR_EIGEN(type, fn, ...)                                                                   \
  ([&] {                                                                                           \
    type ddr_result = {{0}};                                                                       \
    fn(ddr_result.v, __VA_ARGS__);                                                                 \
    return ddr_result;                                                                             \
  }())
#else
#define DDR_EIGEN(type, fn, ...)                                                                   \
  __extension__({                                                                                  \
    type ddr_result = {{0}};                                                                       \
    fn(ddr_result.v, __VA_ARGS__);                                                                 \
    ddr_result;                                                                                    \
  })
#endif
#define DDR_EVALS2(type, ...) DDR_EIGEN(type, ddr_evals2, __VA_ARGS__)
#define DDR_EVALS3(type, ...) DDR_EIGEN(type, ddr_evals3, __VA_ARGS__)
#define DDR_EVECS2(type, ...) DDR_EIGEN(type, ddr_evecs2, __VA_ARGS__)
#define DDR_EVECS3(type, ...) DDR_EIGEN(type, ddr_evecs3, __VA_ARGS__)
