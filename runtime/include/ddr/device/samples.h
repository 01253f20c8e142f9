/* samples.h: samples of images on devices: each is stored together with the next one, so that
 * one instruction loads two taps, wherever a row begins.
 *
 * Memory is twice that of the samples. Offsets count samples, as on the host. Pairs are made by
 * runtime/cuda/images.cu.
 *
 * In the common subset of C17 and CUDA C++ (ddr/device/device.h).
 */
#pragma once

#include <string.h>

#include "ddr/image.h"
#include "ddr/row.h"

#define ROW(id, upper, c_type)                                                                     \
  typedef struct ddr_pair_##id {                                                                   \
    c_type sample[2];                                                                              \
  } __attribute__((aligned(2 * sizeof(c_type)))) ddr_pair_##id;                                    \
  DDR_FN const ddr_pair_##id *ddr_image_pairs_##id(const ddr_image *image) {                       \
    return (const ddr_pair_##id *)image->samples;                                                  \
  }
DDR_SAMPLE_TYPES(ROW)
#undef ROW

typedef struct ddr_pair {
  ddr_real sample[2];
} __attribute__((aligned(2 * sizeof(ddr_real)))) ddr_pair;

DDR_FN const ddr_pair *ddr_image_pairs(const ddr_image *image) {
  return (const ddr_pair *)image->samples;
}

#if defined(DDR_GPU)

/* --- pairs through the read-only path: nobody writes samples while kernels run -----------------
 */

#if defined(__CUDA_ARCH__)
/* What is loaded at once: for a pair of samples of type and size such. */
template <typename Sample, int size> struct ddr_read_only;

#define DDR_READ_ONLY(head, sample, size, type, n, text, ...)                                      \
  head struct ddr_read_only<sample, size> {                                                        \
    type word[n];                                                                                  \
    template <int offset> static __device__ ddr_read_only from(const void *place) {                \
      ddr_read_only read;                                                                          \
      asm("ld.global.nc." text:__VA_ARGS__ : "l"(place), "n"(offset));                             \
      return read;                                                                                 \
    }                                                                                              \
  };
#define DDR_TWO_WORDS(letter) letter(read.word[0]), letter(read.word[1])
DDR_READ_ONLY(template <typename Sample>, Sample, 1, uint16_t, 1, "u16 %0, [%1+%2];",
              "=h"(read.word[0]))
DDR_READ_ONLY(template <typename Sample>, Sample, 2, uint32_t, 1, "u32 %0, [%1+%2];",
              "=r"(read.word[0]))
DDR_READ_ONLY(template <typename Sample>, Sample, 4, uint32_t, 2, "v2.u32 {%0, %1}, [%2+%3];",
              DDR_TWO_WORDS("=r"))
DDR_READ_ONLY(template <>, float, 4, float, 2, "v2.f32 {%0, %1}, [%2+%3];", DDR_TWO_WORDS("=f"))
DDR_READ_ONLY(template <>, double, 8, double, 2, "v2.f64 {%0, %1}, [%2+%3];", DDR_TWO_WORDS("=d"))
#undef DDR_TWO_WORDS
#undef DDR_READ_ONLY
#endif

/* The pair k places on. */
template <int k, typename Pair> __host__ __device__ inline Pair ddr_pair_at(const Pair *src) {
#if defined(__CUDA_ARCH__)
  typedef decltype(src->sample[0] + 0) Promoted; /* a real stays one */
  typedef ddr_read_only<Promoted, (int)sizeof src->sample[0]> Words;
  const Words words = Words::template from<k *(int)sizeof(Pair)>(src);
  Pair pair;
  memcpy(&pair, &words, sizeof pair);
  return pair;
#else
  return src[k];
#endif
}

/* A row of taps that begins at a pair: each is loaded once. */
template <int k, int n, typename Pair>
__host__ __device__ inline void ddr_row_fill(const Pair *src, ddr_row<n> *row) {
  const Pair pair = ddr_pair_at<k>(src);
  row->lane[k] = (ddr_real)pair.sample[0];
  row->lane[k + 1] = (ddr_real)pair.sample[1];
  if constexpr (k + 2 < n) ddr_row_fill<k + 2>(src, row);
}
template <int n, typename Pair>
__host__ __device__ inline ddr_row<n> ddr_row_of_pairs(const Pair *src) {
  ddr_row<n> row;
  ddr_row_fill<0>(src, &row);
  return row;
}

#define DDR_FIRST_OF_PAIR(src) (ddr_pair_at<0>(src).sample[0])
#define DDR_ROW2_OF_PAIRS(src) ddr_row_of_pairs<2>(src)
#define DDR_ROW4_OF_PAIRS(src) ddr_row_of_pairs<4>(src)
#define DDR_ROW6_OF_PAIRS(src) ddr_row_of_pairs<6>(src)

#else

#define DDR_FIRST_OF_PAIR(src) ((src)->sample[0])
#define DDR_OF_PAIR(src, k) ((ddr_real)(src)[(k) / 2 * 2].sample[(k) % 2])
#define DDR_ROW2_OF_PAIRS(src) DDR_ROW2(DDR_OF_PAIR(src, 0), DDR_OF_PAIR(src, 1))
#define DDR_ROW4_OF_PAIRS(src)                                                                     \
  DDR_ROW4(DDR_OF_PAIR(src, 0), DDR_OF_PAIR(src, 1), DDR_OF_PAIR(src, 2), DDR_OF_PAIR(src, 3))
#define DDR_ROW6_OF_PAIRS(src)                                                                     \
  DDR_ROW6(DDR_OF_PAIR(src, 0), DDR_OF_PAIR(src, 1), DDR_OF_PAIR(src, 2), DDR_OF_PAIR(src, 3),     \
           DDR_OF_PAIR(src, 4), DDR_OF_PAIR(src, 5))
#endif
