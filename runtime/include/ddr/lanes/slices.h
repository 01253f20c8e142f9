/* slices.h: rows of samples for all lanes.
 *
 * A row of 4 samples of each lane's strand fills DDR_SLICES4 registers, the slices: slice g holds
 * the whole rows of lanes g, 4+g, 8+g, ... side by side, so that a row is one load and no gather.
 * Rows of 6 have 8 places each; their slices hold lanes g, 8+g, ....  Rows are folded over y and z
 * slice by slice.  Then they are transposed to taps, one vector of all lanes for each place in the
 * row (ddr_taps4, ddr_taps6), which are folded over x.
 *
 * If a register is narrower than a row of 8, a slice is wider than a register.
 */
#pragma once

#include "ddr/lanes/lanes.h"
#include "ddr/row.h"

#if DDR_LANES > 8
#define DDR_SLICE6_SIZE DDR_LANES
#define DDR_SLICES6 8
#else
#define DDR_SLICE6_SIZE 8
#define DDR_SLICES6 DDR_LANES
#endif
#define DDR_SLICES4 4

typedef ddr_vreal ddr_slice4;
typedef ddr_real ddr_slice6 __attribute__((vector_size(DDR_SLICE6_SIZE * sizeof(ddr_real))));

/* A loop over slices. It is not unrolled if shuffles may take the index at run time: compilers need
 * ten times as long for unrolled code. */
#if defined(__AVX2__) || DDR_LANES < 8
#define DDR_EACH_SLICE4(slice) for (int slice = 0; slice < DDR_SLICES4; slice++)
#define DDR_EACH_SLICE6(slice) for (int slice = 0; slice < DDR_SLICES6; slice++)
#else
#define DDR_EACH_SLICE4(slice)                                                                     \
  _Pragma("GCC unroll 4") for (int slice = 0; slice < DDR_SLICES4; slice++)
#define DDR_EACH_SLICE6(slice)                                                                     \
  _Pragma("GCC unroll 8") for (int slice = 0; slice < DDR_SLICES6; slice++)
#endif

/* --- places ----------------------------------------------------------------------------------- */

/* The same shuffle in each quad (octet) of two vectors: places 0 to 3 (7) are those of the first
 * vector, 4 to 7 (8 to 15) those of the second. */
#define DDR_IN_QUAD(i, q) ((i) < 4 ? 4 * (q) + (i) : DDR_LANES + 4 * (q) + (i)-4)
#define DDR_IN_OCTET(i, q) ((i) < 8 ? 8 * (q) + (i) : DDR_LANES + 8 * (q) + (i)-8)
#define DDR_QUAD(q, i, j, k, l)                                                                    \
  DDR_IN_QUAD(i, q), DDR_IN_QUAD(j, q), DDR_IN_QUAD(k, q), DDR_IN_QUAD(l, q)
#define DDR_OCTET(q, i, j, k, l, m, n, o, p)                                                       \
  DDR_IN_OCTET(i, q), DDR_IN_OCTET(j, q), DDR_IN_OCTET(k, q), DDR_IN_OCTET(l, q),                  \
      DDR_IN_OCTET(m, q), DDR_IN_OCTET(n, q), DDR_IN_OCTET(o, q), DDR_IN_OCTET(p, q)

#if DDR_LANES == 16
#define DDR_QUADS(a, b, ...)                                                                       \
  __builtin_shufflevector(a, b, DDR_QUAD(0, __VA_ARGS__), DDR_QUAD(1, __VA_ARGS__),                \
                          DDR_QUAD(2, __VA_ARGS__), DDR_QUAD(3, __VA_ARGS__))
#define DDR_OCTETS(a, b, ...)                                                                      \
  __builtin_shufflevector(a, b, DDR_OCTET(0, __VA_ARGS__), DDR_OCTET(1, __VA_ARGS__))
#define DDR_FIRST_OF_QUAD                                                                          \
  { 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12 }
#define DDR_FIRST_OF_OCTET                                                                         \
  { 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8 }
#elif DDR_LANES == 8
#define DDR_QUADS(a, b, ...)                                                                       \
  __builtin_shufflevector(a, b, DDR_QUAD(0, __VA_ARGS__), DDR_QUAD(1, __VA_ARGS__))
#define DDR_OCTETS(a, b, ...) __builtin_shufflevector(a, b, DDR_OCTET(0, __VA_ARGS__))
#define DDR_FIRST_OF_QUAD                                                                          \
  { 0, 0, 0, 0, 4, 4, 4, 4 }
#define DDR_FIRST_OF_OCTET                                                                         \
  { 0, 0, 0, 0, 0, 0, 0, 0 }
#else
#define DDR_QUADS(a, b, ...) __builtin_shufflevector(a, b, DDR_QUAD(0, __VA_ARGS__))
#endif

/* --- spreading: a value of each lane at all places of its row --------------------------------- */

#if DDR_LANES < 8
DDR_VFN ddr_slice4 ddr_spread4(ddr_vreal v, int slice) { return v[slice] - (ddr_slice4){0}; }
DDR_VFN ddr_slice6 ddr_spread6(ddr_vreal v, int slice) { return v[slice] - (ddr_slice6){0}; }

#elif defined(__AVX2__)
/* Lane i is lane from[i] of v. */
DDR_VFN ddr_vreal ddr_shuffle(ddr_vreal v, ddr_vmask from) {
#if !defined(__clang__)
  return __builtin_shuffle(v, from);
#elif DDR_LANES == 16
  return __builtin_ia32_permvarsf512(v, from);
#elif defined(DDR_DOUBLE)
  return __builtin_ia32_permvardf512(v, from);
#else
  return __builtin_ia32_permvarsf256(v, from);
#endif
}

/* Some processors shuffle faster within four floats than within the whole register. */
DDR_VFN ddr_slice4 ddr_spread4(ddr_vreal v, int slice) {
#if defined(DDR_DOUBLE)
  const ddr_vmask first = DDR_FIRST_OF_QUAD;
  return ddr_shuffle(v, first + slice);
#elif DDR_LANES == 8
  return __builtin_ia32_vpermilvarps256(v, slice - (ddr_vmask){0});
#elif defined(__clang__)
  return __builtin_ia32_vpermilvarps512(v, slice - (ddr_vmask){0});
#else
  return __builtin_ia32_vpermilvarps512_mask(v, slice - (ddr_vmask){0}, v, UINT16_MAX);
#endif
}

DDR_VFN ddr_slice6 ddr_spread6(ddr_vreal v, int slice) {
  const ddr_vmask first = DDR_FIRST_OF_OCTET;
  return ddr_shuffle(v, first + slice);
}

#else
DDR_VFN ddr_slice4 ddr_spread4(ddr_vreal v, int slice) {
  switch (slice) {
  case 0: return DDR_QUADS(v, v, 0, 0, 0, 0);
  case 1: return DDR_QUADS(v, v, 1, 1, 1, 1);
  case 2: return DDR_QUADS(v, v, 2, 2, 2, 2);
  default: return DDR_QUADS(v, v, 3, 3, 3, 3);
  }
}

DDR_VFN ddr_slice6 ddr_spread6(ddr_vreal v, int slice) {
  switch (slice) {
  case 0: return DDR_OCTETS(v, v, 0, 0, 0, 0, 0, 0, 0, 0);
  case 1: return DDR_OCTETS(v, v, 1, 1, 1, 1, 1, 1, 1, 1);
  case 2: return DDR_OCTETS(v, v, 2, 2, 2, 2, 2, 2, 2, 2);
  case 3: return DDR_OCTETS(v, v, 3, 3, 3, 3, 3, 3, 3, 3);
  case 4: return DDR_OCTETS(v, v, 4, 4, 4, 4, 4, 4, 4, 4);
  case 5: return DDR_OCTETS(v, v, 5, 5, 5, 5, 5, 5, 5, 5);
  case 6: return DDR_OCTETS(v, v, 6, 6, 6, 6, 6, 6, 6, 6);
  default: return DDR_OCTETS(v, v, 7, 7, 7, 7, 7, 7, 7, 7);
  }
}
#endif

/* The same value at all places. */
#define ddr_slice4_all(x) ((x) - (ddr_slice4){0})
#define ddr_slice6_all(x) ((x) - (ddr_slice6){0})

/* --- folding ---------------------------------------------------------------------------------- */

#define ddr_slice4_fma(a, b, c) ddr_vfma(a, b, c)
#if DDR_LANES >= 8
#define ddr_slice6_fma(a, b, c) ddr_vfma(a, b, c)
#elif defined(DDR_DOUBLE)
#define ddr_slice6_fma(a, b, c) ((ddr_slice6)DDR_FMA64(a, b, c))
#else
#define ddr_slice6_fma(a, b, c) ((ddr_slice6)DDR_FMA32(a, b, c))
#endif

/* --- loading: rows at the addresses of the lanes plus `step` samples -------------------------- */

/* A slice of the rows of its lanes. */
DDR_VFN ddr_slice4 ddr_slice4_of_rows(const ddr_row4 row[DDR_LANES / 4]) {
#if DDR_LANES == 16
  const ddr_row6 ab = __builtin_shufflevector(row[0], row[1], 0, 1, 2, 3, 4, 5, 6, 7);
  const ddr_row6 cd = __builtin_shufflevector(row[2], row[3], 0, 1, 2, 3, 4, 5, 6, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#elif DDR_LANES == 8
  return __builtin_shufflevector(row[0], row[1], 0, 1, 2, 3, 4, 5, 6, 7);
#else
  return row[0];
#endif
}

DDR_VFN ddr_slice6 ddr_slice6_of_rows(const ddr_row6 row[DDR_SLICE6_SIZE / 8]) {
#if DDR_LANES == 16
  return __builtin_shufflevector(row[0], row[1], 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
                                 15);
#else
  return row[0];
#endif
}

/* `load` is a macro of row.h or row_load.h. A row of 6 reads 8 samples. */
#define DDR_SLICE4_LOAD(load, at, step, slice)                                                     \
  __extension__({                                                                                  \
    ddr_row4 ddr_rows[DDR_LANES / 4];                                                              \
    for (int ddr_q = 0; ddr_q < DDR_LANES / 4; ddr_q++)                                            \
      ddr_rows[ddr_q] = load((at)[4 * ddr_q + (slice)] + (step));                                  \
    ddr_slice4_of_rows(ddr_rows);                                                                  \
  })
#define DDR_SLICE6_LOAD(load, at, step, slice)                                                     \
  __extension__({                                                                                  \
    ddr_row6 ddr_rows[DDR_SLICE6_SIZE / 8];                                                        \
    for (int ddr_q = 0; ddr_q < DDR_SLICE6_SIZE / 8; ddr_q++)                                      \
      ddr_rows[ddr_q] = load((at)[8 * ddr_q + (slice)] + (step));                                  \
    ddr_slice6_of_rows(ddr_rows);                                                                  \
  })

/* A barrier: the slice is loaded before the next one. clang would load all rows of a sum before it
 * adds the first, more than registers hold. */
DDR_VFN ddr_slice4 ddr_in_turn(ddr_slice4 rows) {
#if defined(__clang__) && DDR_REGISTER_SIZE == 64
  __asm__ volatile("" : "+v"(rows));
#endif
  return rows;
}

/* Where the samples of all lanes are: offset[lane] is a sum of products of corners and strides, and
 * places[lane] is the sample there. gcc makes vectors of loops over lanes; clang, which unrolls
 * them, does not. */
#if defined(__clang__) && UINTPTR_MAX == UINT64_MAX
typedef int64_t ddr_voffsets __attribute__((vector_size(DDR_LANES * sizeof(int64_t))));
#define DDR_PRODUCTS(corner, stride) __builtin_convertvector(corner, ddr_voffsets) * (stride)
DDR_VFN void ddr_voffset3(ddr_vint a, int64_t by_a, ddr_vint b, int64_t by_b, ddr_vint c,
                          int64_t by_c, int64_t *offset) {
  const ddr_voffsets sums = DDR_PRODUCTS(a, by_a) + DDR_PRODUCTS(b, by_b) + DDR_PRODUCTS(c, by_c);
  memcpy(offset, &sums, sizeof sums);
}
DDR_VFN void ddr_voffset_places(const void *samples, int64_t size, const int64_t *offset,
                                void *places) {
  ddr_voffsets at;
  memcpy(&at, offset, sizeof at);
  at = at * size + (int64_t)(uintptr_t)samples;
  memcpy(places, &at, sizeof at);
}
#define DDR_PLACES(samples, offset, places)                                                        \
  ddr_voffset_places(samples, (int64_t)sizeof *(samples), offset, places)
#undef DDR_PRODUCTS
#else
DDR_VFN void ddr_voffset3(ddr_vint a, int64_t by_a, ddr_vint b, int64_t by_b, ddr_vint c,
                          int64_t by_c, int64_t *offset) {
  DDR_EACH_LANE(lane) offset[lane] = a[lane] * by_a + b[lane] * by_b + c[lane] * by_c;
}
#define DDR_PLACES(samples, offset, places)                                                        \
  do {                                                                                             \
    DDR_EACH_LANE(lane)(places)[lane] = (samples) + (offset)[lane];                                \
  } while (0)
#endif
DDR_VFN void ddr_voffset2(ddr_vint a, int64_t by_a, ddr_vint b, int64_t by_b, int64_t *offset) {
  ddr_voffset3(a, by_a, b, by_b, (ddr_vint){0}, 0, offset);
}
DDR_VFN void ddr_voffset1(ddr_vint a, int64_t by_a, int64_t *offset) {
  ddr_voffset2(a, by_a, (ddr_vint){0}, 0, offset);
}

/* Where the rows of one slice begin. */
typedef struct ddr_starts4 {
  const ddr_real *a;
#if DDR_LANES >= 8
  const ddr_real *b;
#endif
#if DDR_LANES == 16
  const ddr_real *c, *d;
#endif
} ddr_starts4;

DDR_VFN ddr_starts4 ddr_starts4_at(const ddr_real *const at[DDR_LANES], int slice) {
#if DDR_LANES == 16
  return (ddr_starts4){at[slice], at[4 + slice], at[8 + slice], at[12 + slice]};
#elif DDR_LANES == 8
  return (ddr_starts4){at[slice], at[4 + slice]};
#else
  return (ddr_starts4){at[slice]};
#endif
}

/* The same plus so many bytes, as a start for several rows. It is hidden from compilers that this
 * is a sum: they would add it to the step of each row, and need more registers than there are. */
#define DDR_ADD_BYTES(start, n_bytes)                                                              \
  ((start) = (const ddr_real *)(const void *)((const char *)(start) + (n_bytes)));                 \
  __asm__("" : "+r"(start))
DDR_VFN ddr_starts4 ddr_starts4_bytes(const ddr_real *const at[DDR_LANES], int64_t n_bytes,
                                      int slice) {
  ddr_starts4 starts = ddr_starts4_at(at, slice);
  DDR_ADD_BYTES(starts.a, n_bytes);
#if DDR_LANES >= 8
  DDR_ADD_BYTES(starts.b, n_bytes);
#endif
#if DDR_LANES == 16
  DDR_ADD_BYTES(starts.c, n_bytes);
  DDR_ADD_BYTES(starts.d, n_bytes);
#endif
  return starts;
}
#undef DDR_ADD_BYTES

/* Plus `step` samples. */
DDR_VFN ddr_starts4 ddr_starts4_of(const ddr_real *const at[DDR_LANES], int64_t step, int slice) {
  return ddr_starts4_bytes(at, step * (int64_t)sizeof(ddr_real), slice);
}

#if DDR_LANES >= 8
/* Two rows side by side. For shuffles, gcc would load both to registers first; its builtins insert
 * the second one from memory. */
DDR_VFN ddr_row6 ddr_two_rows(const ddr_real *a, const ddr_real *b) {
#if defined(__clang__) || !defined(__AVX__)
  return __builtin_shufflevector(DDR_ROW4_LOAD(a), DDR_ROW4_LOAD(b), 0, 1, 2, 3, 4, 5, 6, 7);
#elif defined(DDR_DOUBLE)
  const ddr_row6 first = __builtin_ia32_pd512_256pd(DDR_ROW4_LOAD(a));
  return __builtin_ia32_insertf64x4_mask(first, DDR_ROW4_LOAD(b), 1, first, UINT8_MAX);
#else
  const ddr_row6 first = __builtin_ia32_ps256_ps(DDR_ROW4_LOAD(a));
  return __builtin_ia32_vinsertf128_ps256(first, DDR_ROW4_LOAD(b), 1);
#endif
}
#endif

/* Four rows are two pairs: a processor that executes 512 bits in halves inserts a row into 256 bits
 * in half the time. */
DDR_VFN ddr_slice4 ddr_slice4_from(ddr_starts4 starts, int64_t step) {
#if DDR_LANES == 16
  const ddr_row6 ab = ddr_two_rows(starts.a + step, starts.b + step);
  const ddr_row6 cd = ddr_two_rows(starts.c + step, starts.d + step);
#if defined(__clang__)
  return ddr_in_turn(
      __builtin_shufflevector(ab, cd, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
#else
  const ddr_slice4 rows = __builtin_ia32_ps512_256ps(ab);
  return __builtin_ia32_insertf32x8_mask(rows, cd, 1, rows, UINT16_MAX);
#endif
#elif DDR_LANES == 8
  return ddr_two_rows(starts.a + step, starts.b + step);
#else
  return DDR_ROW4_LOAD(starts.a + step);
#endif
}

DDR_VFN ddr_slice4 ddr_slice4_load(const ddr_real *const at[DDR_LANES], int64_t step, int slice) {
  return ddr_slice4_from(ddr_starts4_at(at, slice), step);
}

DDR_VFN ddr_slice6 ddr_slice6_load(const ddr_real *const at[DDR_LANES], int64_t step, int slice) {
  return DDR_SLICE6_LOAD(DDR_ROW6_LOAD, at, step, slice);
}

/* Rows of two samples of any type, sample by sample. */
#define DDR_TAP2(type, at, step, lane) (ddr_real) * (const type *)((at)[lane] + (step))
#define DDR_4_TAPS2(type, at, step, lane)                                                          \
  DDR_TAP2(type, at, step, lane), DDR_TAP2(type, at, step, lane + 1),                              \
      DDR_TAP2(type, at, step, lane + 2), DDR_TAP2(type, at, step, lane + 3)
#if DDR_LANES == 16
#define DDR_ALL_TAPS2(type, at, step)                                                              \
  DDR_4_TAPS2(type, at, step, 0), DDR_4_TAPS2(type, at, step, 4), DDR_4_TAPS2(type, at, step, 8),  \
      DDR_4_TAPS2(type, at, step, 12)
#elif DDR_LANES == 8
#define DDR_ALL_TAPS2(type, at, step) DDR_4_TAPS2(type, at, step, 0), DDR_4_TAPS2(type, at, step, 4)
#else
#define DDR_ALL_TAPS2(type, at, step) DDR_4_TAPS2(type, at, step, 0)
#endif
#define DDR_TAPS2_LOAD(type, at, step, tap)                                                        \
  ((tap)[0] = (ddr_vreal){DDR_ALL_TAPS2(type, at, step)},                                          \
   (tap)[1] = (ddr_vreal){DDR_ALL_TAPS2(type, at, (step) + 1)})

/* Two floats are one load, in an order in which shuffles stay within quads. Gather instructions
 * take several times as long. */
#if defined(DDR_DOUBLE)
DDR_VFN void ddr_taps2_load(const ddr_real *const at[DDR_LANES], int64_t step, ddr_vreal tap[2]) {
  DDR_TAPS2_LOAD(ddr_f64_at, at, step, tap);
}
#else
typedef int64_t ddr_pair_at __attribute__((aligned(1), may_alias));
typedef int64_t ddr_vpairs __attribute__((vector_size(sizeof(ddr_vreal))));
#define DDR_PAIRS(l) *(const ddr_pair_at *)(at[l] + step), *(const ddr_pair_at *)(at[l + 1] + step)
DDR_VFN void ddr_taps2_load(const ddr_real *const at[DDR_LANES], int64_t step, ddr_vreal tap[2]) {
#if DDR_LANES == 16
  const ddr_vpairs even = {DDR_PAIRS(0), DDR_PAIRS(4), DDR_PAIRS(8), DDR_PAIRS(12)};
  const ddr_vpairs odd = {DDR_PAIRS(2), DDR_PAIRS(6), DDR_PAIRS(10), DDR_PAIRS(14)};
#elif DDR_LANES == 8
  const ddr_vpairs even = {DDR_PAIRS(0), DDR_PAIRS(4)}, odd = {DDR_PAIRS(2), DDR_PAIRS(6)};
#else
  const ddr_vpairs even = {DDR_PAIRS(0)}, odd = {DDR_PAIRS(2)};
#endif
  tap[0] = DDR_QUADS((ddr_vreal)even, (ddr_vreal)odd, 0, 2, 4, 6);
  tap[1] = DDR_QUADS((ddr_vreal)even, (ddr_vreal)odd, 1, 3, 5, 7);
}
#undef DDR_PAIRS
#endif

/* --- taps ------------------------------------------------------------------------------------- */

DDR_VFN void ddr_taps4(const ddr_slice4 row[DDR_SLICES4], ddr_vreal tap[4]) {
  const ddr_vreal p01 = DDR_QUADS(row[0], row[1], 0, 4, 1, 5); /* places 0 and 1 of lanes 0 and 1 */
  const ddr_vreal p23 = DDR_QUADS(row[0], row[1], 2, 6, 3, 7);
  const ddr_vreal q01 = DDR_QUADS(row[2], row[3], 0, 4, 1, 5);
  const ddr_vreal q23 = DDR_QUADS(row[2], row[3], 2, 6, 3, 7);
  tap[0] = DDR_QUADS(p01, q01, 0, 1, 4, 5);
  tap[1] = DDR_QUADS(p01, q01, 2, 3, 6, 7);
  tap[2] = DDR_QUADS(p23, q23, 0, 1, 4, 5);
  tap[3] = DDR_QUADS(p23, q23, 2, 3, 6, 7);
}

#if DDR_LANES < 8
DDR_VFN void ddr_taps6(const ddr_slice6 row[DDR_SLICES6], ddr_vreal tap[6]) {
  for (int place = 0; place < 6; place++) {
    ddr_vreal all = {row[0][place]}; /* gcc 14 forgets a {0} here, and warns of no value */
    DDR_EACH_LANE(lane) all[lane] = row[lane][place];
    tap[place] = all;
  }
}
#else
/* With four lanes: places 0 and 1, 2 and 3, 4 and 5 side by side. */
DDR_VFN void ddr_pairs_of_4(const ddr_vreal row[4], ddr_vreal pair[3]) {
  const ddr_vreal low[2] = {DDR_OCTETS(row[0], row[1], 0, 8, 1, 9, 2, 10, 3, 11),
                            DDR_OCTETS(row[2], row[3], 0, 8, 1, 9, 2, 10, 3, 11)};
  const ddr_vreal high[2] = {DDR_OCTETS(row[0], row[1], 4, 12, 5, 13, 6, 14, 7, 15),
                             DDR_OCTETS(row[2], row[3], 4, 12, 5, 13, 6, 14, 7, 15)};
  pair[0] = DDR_OCTETS(low[0], low[1], 0, 1, 8, 9, 2, 3, 10, 11);
  pair[1] = DDR_OCTETS(low[0], low[1], 4, 5, 12, 13, 6, 7, 14, 15);
  pair[2] = DDR_OCTETS(high[0], high[1], 0, 1, 8, 9, 2, 3, 10, 11);
}

DDR_VFN void ddr_taps6(const ddr_slice6 row[DDR_SLICES6], ddr_vreal tap[6]) {
  ddr_vreal first[3], second[3];
  ddr_pairs_of_4(row, first);
  ddr_pairs_of_4(row + 4, second);
  for (int i = 0; i < 3; i++) {
    tap[2 * i] = DDR_OCTETS(first[i], second[i], 0, 1, 2, 3, 8, 9, 10, 11);
    tap[2 * i + 1] = DDR_OCTETS(first[i], second[i], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}
#endif
