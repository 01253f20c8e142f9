/* structs.h: words of the structs of all lanes, a few of each at once.
 *
 * A strand's state is a struct in memory and an element of several vectors in lanes. Most members
 * have 32 bits, a word; a truth value with nothing beside it counts as one, too. Four words that
 * lie side by side are loaded from each struct as they are, and transposed: that takes a third of
 * the instructions that the words would take one by one. The same the other way round.
 *
 * Structs are consecutive (row), or those of the numbers at[lane]; hits are numbers of 32 bits.
 * Only where reals are floats and ints have 32 bits.
 */
#pragma once

#include "ddr/lanes/slices.h"

#if !defined(DDR_DOUBLE) && !defined(DDR_LONG_INT)

/* --- values and their bits -------------------------------------------------------------------- */

DDR_VFN ddr_vreal ddr_vreal_of_word(ddr_vint word) { return (ddr_vreal)word; }
DDR_VFN ddr_vint ddr_vword_of_real(ddr_vreal x) { return (ddr_vint)x; }

/* A truth value is the first byte of its word; the others are padding. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { DDR_BYTE_OF_BOOL = 0 };
#else
enum { DDR_BYTE_OF_BOOL = 24 };
#endif
DDR_VFN ddr_vmask ddr_vbool_of_word(ddr_vint word) {
  return (word & (ddr_int)(0xffu << DDR_BYTE_OF_BOOL)) != 0;
}
DDR_VFN ddr_vint ddr_vword_of_bool(ddr_vmask m) { return m & (ddr_int)(1u << DDR_BYTE_OF_BOOL); }

/* --- addresses -------------------------------------------------------------------------------- */

#define DDR_OF_STRUCT(i) (const ddr_real *)(const void *)((const char *)first + (size_t)(i)*size)
#define DDR_OF_AT(i) DDR_OF_STRUCT(at[i])
#if DDR_LANES == 16
#define DDR_OF_ALL(of)                                                                             \
  of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7), of(8), of(9), of(10), of(11), of(12),    \
      of(13), of(14), of(15)
#elif DDR_LANES == 8
#define DDR_OF_ALL(of) of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7)
#else
#define DDR_OF_ALL(of) of(0), of(1), of(2), of(3)
#endif

/* --- four words ------------------------------------------------------------------------------- */

DDR_VFN void ddr_vwords4_load(const ddr_real *const at[DDR_LANES], int number, ddr_vint word[4]) {
  const ddr_slice4 rows[] = {
      ddr_slice4_load(at, number, 0),
      ddr_slice4_load(at, number, 1),
      ddr_slice4_load(at, number, 2),
      ddr_slice4_load(at, number, 3),
  };
  ddr_vreal tap[4];
  ddr_taps4(rows, tap);
  for (int i = 0; i < 4; i++) word[i] = (ddr_vint)tap[i];
}

/* The rows of slice number g to the structs of lanes g, 4+g, 8+g, .... */
DDR_VFN void ddr_slice4_store(const ddr_real *const at[DDR_LANES], int number, int g,
                              ddr_slice4 rows) {
#define DDR_STORE_ROW(lane, ...)                                                                   \
  *(ddr_row4_at *)((uintptr_t)at[lane] + 4 * (size_t)number) =                                     \
      __builtin_shufflevector(rows, rows, __VA_ARGS__)
  DDR_STORE_ROW(g, 0, 1, 2, 3);
#if DDR_LANES >= 8
  DDR_STORE_ROW(4 + g, 4, 5, 6, 7);
#endif
#if DDR_LANES == 16
  DDR_STORE_ROW(8 + g, 8, 9, 10, 11);
  DDR_STORE_ROW(12 + g, 12, 13, 14, 15);
#endif
#undef DDR_STORE_ROW
}

DDR_VFN void ddr_vwords4_store(const ddr_real *const at[DDR_LANES], int number,
                               const ddr_vint word[4]) {
  const ddr_vreal tap[] = {(ddr_vreal)word[0], (ddr_vreal)word[1], (ddr_vreal)word[2],
                           (ddr_vreal)word[3]};
  ddr_slice4 rows[DDR_SLICES4];
  ddr_taps4(tap, rows); /* within four lanes, this is its own inverse */
  ddr_slice4_store(at, number, 0, rows[0]);
  ddr_slice4_store(at, number, 1, rows[1]);
  ddr_slice4_store(at, number, 2, rows[2]);
  ddr_slice4_store(at, number, 3, rows[3]);
}

/* --- two words -------------------------------------------------------------------------------- */

DDR_VFN void ddr_vwords2_load(const ddr_real *const at[DDR_LANES], int number, ddr_vint word[2]) {
  ddr_vreal tap[2];
  ddr_taps2_load(at, number, tap);
  word[0] = (ddr_vint)tap[0];
  word[1] = (ddr_vint)tap[1];
}

DDR_VFN void ddr_vwords2_store(const ddr_real *const at[DDR_LANES], int number,
                               const ddr_vint word[2]) {
  const ddr_vreal tap[] = {(ddr_vreal)word[0], (ddr_vreal)word[1]};
  const ddr_vpairs even = (ddr_vpairs)DDR_QUADS(tap[0], tap[1], 0, 4, 1, 5);
  const ddr_vpairs odd = (ddr_vpairs)DDR_QUADS(tap[0], tap[1], 2, 6, 3, 7);
#define DDR_PAIR_OF(lane) *(ddr_pair_at *)((uintptr_t)at[lane] + 4 * (size_t)number)
#define DDR_STORE_PAIRS(q)                                                                         \
  (DDR_PAIR_OF(4 * (q)) = even[2 * (q)], DDR_PAIR_OF(4 * (q) + 1) = even[2 * (q) + 1],             \
   DDR_PAIR_OF(4 * (q) + 2) = odd[2 * (q)], DDR_PAIR_OF(4 * (q) + 3) = odd[2 * (q) + 1])
  DDR_STORE_PAIRS(0);
#if DDR_LANES >= 8
  DDR_STORE_PAIRS(1);
#endif
#if DDR_LANES == 16
  DDR_STORE_PAIRS(2);
  DDR_STORE_PAIRS(3);
#endif
#undef DDR_STORE_PAIRS
#undef DDR_PAIR_OF
}

/* --- of all structs --------------------------------------------------------------------------- */

/* Words `number` to number + n - 1 of each struct. */
#define DDR_DEFINE_WORDS(n)                                                                        \
  DDR_VFN void ddr_vwords##n##_row(const void *first, size_t size, int number, ddr_vint word[n]) { \
    const ddr_real *const all[] = {DDR_OF_ALL(DDR_OF_STRUCT)};                                     \
    ddr_vwords##n##_load(all, number, word);                                                       \
  }                                                                                                \
  DDR_VFN void ddr_vwords##n##_of(const void *first, size_t size, int number, const int64_t *at,   \
                                  ddr_vint word[n]) {                                              \
    const ddr_real *const all[] = {DDR_OF_ALL(DDR_OF_AT)};                                         \
    ddr_vwords##n##_load(all, number, word);                                                       \
  }                                                                                                \
  DDR_VFN void ddr_vwords##n##_of_hits(const void *first, size_t size, int number,                 \
                                       const uint32_t *at, ddr_vint word[n]) {                     \
    const ddr_real *const all[] = {DDR_OF_ALL(DDR_OF_AT)};                                         \
    ddr_vwords##n##_load(all, number, word);                                                       \
  }                                                                                                \
  DDR_VFN void ddr_vwords##n##_to_row(void *first, size_t size, int number,                        \
                                      const ddr_vint word[n]) {                                    \
    const ddr_real *const all[] = {DDR_OF_ALL(DDR_OF_STRUCT)};                                     \
    ddr_vwords##n##_store(all, number, word);                                                      \
  }                                                                                                \
  DDR_VFN void ddr_vwords##n##_to(void *first, size_t size, int number, const int64_t *at,         \
                                  const ddr_vint word[n]) {                                        \
    const ddr_real *const all[] = {DDR_OF_ALL(DDR_OF_AT)};                                         \
    ddr_vwords##n##_store(all, number, word);                                                      \
  }
DDR_DEFINE_WORDS(2)
DDR_DEFINE_WORDS(4)
#undef DDR_DEFINE_WORDS

/* The same of n consecutive structs, a multiple of DDR_LANES, to columns with room for them; NULL:
 * to none. */
DDR_VFN void ddr_vword_to_column(int64_t k, ddr_vint word, void *column) {
  if (column) memcpy((char *)column + (size_t)k * sizeof(ddr_int), &word, sizeof word);
}
DDR_VFN void ddr_vwords2_to_columns(const void *first, size_t size, int number, int64_t n, void *a,
                                    void *b) {
  for (int64_t k = 0; k < n; k += DDR_LANES) {
    ddr_vint word[2];
    ddr_vwords2_row((const char *)first + (size_t)k * size, size, number, word);
    ddr_vword_to_column(k, word[0], a);
    ddr_vword_to_column(k, word[1], b);
  }
}
DDR_VFN void ddr_vwords4_to_columns(const void *first, size_t size, int number, int64_t n, void *a,
                                    void *b, void *c, void *d) {
  for (int64_t k = 0; k < n; k += DDR_LANES) {
    ddr_vint word[4];
    ddr_vwords4_row((const char *)first + (size_t)k * size, size, number, word);
    ddr_vword_to_column(k, word[0], a);
    ddr_vword_to_column(k, word[1], b);
    ddr_vword_to_column(k, word[2], c);
    ddr_vword_to_column(k, word[3], d);
  }
}

#undef DDR_OF_STRUCT
#undef DDR_OF_AT
#undef DDR_OF_ALL
#endif
