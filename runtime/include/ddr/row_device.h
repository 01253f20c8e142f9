/* row_device.h: rows on a device, which has no vectors of its own: as many scalars in registers.
 *
 * The names are those of row.h and row_load.h, and so is the order of every sum.  Lanes are always
 * counted by constants, so that no row is an array in memory.
 *
 * For CUDA C++, included by row.h; nothing for others.
 */
#pragma once

#include "ddr/base/gpu.h"

#if defined(DDR_GPU)

#include "ddr/sample.h"
#include "ddr/scalar.h"

template <int n> struct ddr_row {
  ddr_real lane[n];

  __host__ __device__ ddr_real operator[](int k) const { return lane[k]; }
};

typedef ddr_row<2> ddr_row2;
typedef ddr_row<4> ddr_row4;
typedef ddr_row<6> ddr_row6;

#define DDR_ROW_OF_DEVICE(result)                                                                  \
  ddr_row<n> row;                                                                                  \
  _Pragma("unroll") for (int k = 0; k < n; k++) row.lane[k] = (result);                            \
  return row

template <int n> __host__ __device__ inline ddr_row<n> operator+(ddr_row<n> a, ddr_row<n> b) {
  DDR_ROW_OF_DEVICE(a.lane[k] + b.lane[k]);
}

template <int n> __host__ __device__ inline ddr_row<n> operator*(ddr_row<n> a, ddr_row<n> b) {
  DDR_ROW_OF_DEVICE(a.lane[k] * b.lane[k]);
}

template <int n> __host__ __device__ inline ddr_row<n> operator*(ddr_row<n> a, ddr_real b) {
  DDR_ROW_OF_DEVICE(a.lane[k] * b);
}

template <int n> __host__ __device__ inline ddr_row<n> operator*(ddr_real a, ddr_row<n> b) {
  DDR_ROW_OF_DEVICE(a * b.lane[k]);
}

template <int n> __host__ __device__ inline ddr_row<n> &operator+=(ddr_row<n> &a, ddr_row<n> b) {
  return a = a + b;
}

template <int n> __host__ __device__ inline ddr_row<n> &operator*=(ddr_row<n> &a, ddr_real b) {
  return a = a * b;
}

template <int n> __host__ __device__ inline ddr_row<n> &operator*=(ddr_row<n> &a, ddr_row<n> b) {
  return a = a * b;
}

template <int n>
__host__ __device__ inline ddr_row<n> ddr_row_fma(ddr_row<n> a, ddr_real x, ddr_row<n> c) {
  DDR_ROW_OF_DEVICE(ddr_fma(a.lane[k], x, c.lane[k]));
}

template <int n> __host__ __device__ inline ddr_row<n> ddr_row_splat(ddr_real x) {
  DDR_ROW_OF_DEVICE(x);
}

/* Loads samples of any type by the read-only path: they do not change while kernels run. */
template <int n, typename Sample>
__host__ __device__ inline ddr_row<n> ddr_row_load(const Sample *__restrict__ src) {
#if defined(DDR_GPU_CODE)
  DDR_ROW_OF_DEVICE((ddr_real)__ldg(src + k));
#else
  DDR_ROW_OF_DEVICE((ddr_real)src[k]);
#endif
}
#undef DDR_ROW_OF_DEVICE

/* The part of a dot product over every second lane, one fma after another. */
template <int n>
__host__ __device__ inline ddr_real ddr_row_half_dot(ddr_row<n> a, ddr_row<n> b, int first) {
  ddr_real sum = a.lane[first] * b.lane[first];
  _Pragma("unroll") for (int k = 2; k < n; k += 2) sum =
      ddr_fma(a.lane[first + k], b.lane[first + k], sum);
  return sum;
}

template <int n> __host__ __device__ inline ddr_real ddr_row_dot(ddr_row<n> a, ddr_row<n> b) {
  return ddr_row_half_dot(a, b, 0) + ddr_row_half_dot(a, b, 1);
}

#define DDR_ROW2(a, b) (ddr_row2{{(a), (b)}})
#define DDR_ROW4(a, b, c, d) (ddr_row4{{(a), (b), (c), (d)}})
#define DDR_ROW6(a, b, c, d, e, f) (ddr_row6{{(a), (b), (c), (d), (e), (f)}})
#define DDR_ROW2_SPLAT(x) ddr_row_splat<2>(x)
#define DDR_ROW4_SPLAT(x) ddr_row_splat<4>(x)
#define DDR_ROW6_SPLAT(x) ddr_row_splat<6>(x)
#define DDR_ROW2_FMA(a, x, c) ddr_row_fma(a, x, c)
#define DDR_ROW4_FMA(a, x, c) ddr_row_fma(a, x, c)
#define DDR_ROW6_FMA(a, x, c) ddr_row_fma(a, x, c)
#define DDR_ROW2_DOT(a, b) ddr_row_dot(a, b)
#define DDR_ROW4_DOT(a, b) ddr_row_dot(a, b)
#define DDR_ROW6_DOT(a, b) ddr_row_dot(a, b)
#define DDR_ROW2_LOAD(src) ddr_row_load<2>(src)
#define DDR_ROW4_LOAD(src) ddr_row_load<4>(src)
#define DDR_ROW6_LOAD(src) ddr_row_load<6>(src)

/* The function is a template over the type of the samples. */
#define DDR_ROW2_LOAD_I8 DDR_ROW2_LOAD
#define DDR_ROW4_LOAD_I8 DDR_ROW4_LOAD
#define DDR_ROW6_LOAD_I8 DDR_ROW6_LOAD
#define DDR_ROW2_LOAD_U8 DDR_ROW2_LOAD
#define DDR_ROW4_LOAD_U8 DDR_ROW4_LOAD
#define DDR_ROW6_LOAD_U8 DDR_ROW6_LOAD
#define DDR_ROW2_LOAD_I16 DDR_ROW2_LOAD
#define DDR_ROW4_LOAD_I16 DDR_ROW4_LOAD
#define DDR_ROW6_LOAD_I16 DDR_ROW6_LOAD
#define DDR_ROW2_LOAD_U16 DDR_ROW2_LOAD
#define DDR_ROW4_LOAD_U16 DDR_ROW4_LOAD
#define DDR_ROW6_LOAD_U16 DDR_ROW6_LOAD
#define DDR_ROW2_LOAD_I32 DDR_ROW2_LOAD
#define DDR_ROW4_LOAD_I32 DDR_ROW4_LOAD
#define DDR_ROW6_LOAD_I32 DDR_ROW6_LOAD
#define DDR_ROW2_LOAD_U32 DDR_ROW2_LOAD
#define DDR_ROW4_LOAD_U32 DDR_ROW4_LOAD
#define DDR_ROW6_LOAD_U32 DDR_ROW6_LOAD
#define DDR_ROW2_LOAD_F32 DDR_ROW2_LOAD
#define DDR_ROW4_LOAD_F32 DDR_ROW4_LOAD
#define DDR_ROW6_LOAD_F32 DDR_ROW6_LOAD
#endif
