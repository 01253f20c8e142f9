/* samples.h: samples of images on devices are stored in pairs: each together with the next one.  So
 * one instruction loads two taps, wherever a row begins.
 *
 *   samples                0 1 2 3 4 5 ...     offset   0   1   2   3
 *   pairs                                               01  12  23  34 ...
 *   with two components                                 01  23  23  45 ...
 *
 * Rows of images with two components begin at even samples.  There a pair is a voxel, each stored
 * together with the next voxel, and one instruction loads two voxels.
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
#include "ddr/tap.h"

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

/* Whether 32 bits suffice for the places of samples, and for the distance of neighbours in bytes,
 * and reals count the samples of each axis (ddr_first_tap_of_cell). */
DDR_FN bool ddr_places_fit(const ddr_image *image, size_t pair_size) {
  const int64_t most = sizeof(ddr_real) > 4 ? INT32_MAX : 1 << 24;
  bool fit = true;
  for (int axis = 0; axis < image->dim; axis++) {
    const int64_t step = image->stride[axis] * (int64_t)pair_size;
    fit = fit && image->size[axis] <= most && -INT32_MAX <= step && step <= INT32_MAX;
  }
  return fit;
}

/* n times so many bytes further on, by one instruction (ddr_places_fit). */
DDR_FN const void *ddr_further(const void *from, ddr_int n, int64_t n_bytes) {
#if defined(__CUDA_ARCH__)
  const void *place;
  asm("mad.wide.s32 %0, %1, %2, %3;"
      : "=l"(place)
      : "r"((int32_t)n), "r"((int32_t)n_bytes), "l"(from));
  return place;
#else
  return (const char *)from + (int64_t)(int32_t)n * (int32_t)n_bytes;
#endif
}

/* So many bytes further on; nvcc would compute the addresses of most rows twice. */
DDR_FN const void *ddr_next_row(const void *row, int64_t n_bytes) {
#if defined(__CUDA_ARCH__)
  const void *next;
  asm("add.s64 %0, %1, %2;" : "=l"(next) : "l"(row), "l"(n_bytes));
  return next;
#else
  return (const char *)row + n_bytes;
#endif
}

/* The pair at a place: number x of its row, where neighbours are n samples apart, row y and layer
 * z. In two dimensions, the rows under a kernel from there on; in three, stacks of them: y[2].z[1]
 * is 2 rows and 1 layer further on. */
#define DDR_DEFINE_PLACES(pair, rows, stacks, pairs, pairs_at, rows_at, stacks_at)                 \
  typedef struct rows {                                                                            \
    const pair *y[DDR_MAX_TAPS];                                                                   \
  } rows;                                                                                          \
  typedef struct stacks {                                                                          \
    struct {                                                                                       \
      const pair *z[DDR_MAX_TAPS];                                                                 \
    } y[DDR_MAX_TAPS];                                                                             \
  } stacks;                                                                                        \
  DDR_FN const pair *pairs_at(const ddr_image *image, int n, ddr_int x) {                          \
    return pairs(image) + (int64_t)x * n;                                                          \
  }                                                                                                \
  DDR_FN rows rows_at(const ddr_image *image, int n, ddr_int x, ddr_int y) {                       \
    const int64_t one = (int64_t)sizeof(pair), step = image->stride[DDR_Y] * one;                  \
    const char *const row = (const char *)ddr_further(pairs(image), y, step);                      \
    rows under;                                                                                    \
    under.y[0] = (const pair *)(const void *)(row + (int64_t)x * (n * one));                       \
    DDR_EACH_TAP(k, 1, DDR_MAX_TAPS)                                                               \
    under.y[k] = (const pair *)ddr_next_row(under.y[k - 1], step);                                 \
    return under;                                                                                  \
  }                                                                                                \
  DDR_FN stacks stacks_at(const ddr_image *image, int n, ddr_int x, ddr_int y, ddr_int z) {        \
    const int64_t one = (int64_t)sizeof(pair), step = image->stride[DDR_Y] * one;                  \
    const int64_t deep = image->stride[DDR_Z] * one;                                               \
    const char *const layer = (const char *)ddr_further(pairs(image), z, deep);                    \
    const void *const row = layer + (int64_t)x * (n * one);                                        \
    stacks under;                                                                                  \
    DDR_EACH_TAP(k, 0, DDR_MAX_TAPS) {                                                             \
      under.y[k].z[0] = k == 0 ? (const pair *)ddr_further(row, y, step)                           \
                               : (const pair *)ddr_next_row(under.y[k - 1].z[0], step);            \
      DDR_EACH_TAP(i, 1, DDR_MAX_TAPS)                                                             \
      under.y[k].z[i] = (const pair *)ddr_next_row(under.y[k].z[i - 1], deep);                     \
    }                                                                                              \
    return under;                                                                                  \
  }
#define ROW(id, upper, c_type)                                                                     \
  DDR_DEFINE_PLACES(ddr_pair_##id, ddr_rows_##id, ddr_stacks_##id, ddr_image_pairs_##id,           \
                    ddr_pairs_at_##id, ddr_rows_at_##id, ddr_stacks_at_##id)
DDR_SAMPLE_TYPES(ROW)
#undef ROW
DDR_DEFINE_PLACES(ddr_pair, ddr_rows, ddr_stacks, ddr_image_pairs, ddr_pairs_at, ddr_rows_at,
                  ddr_stacks_at)
#undef DDR_DEFINE_PLACES

/* 1 if the sample at an offset is the second of a pair, which is at the offset before; else 0. */
DDR_FN int64_t ddr_second_of_pair(const ddr_image *image, int64_t offset) {
  return image->n_components == 2 ? offset & 1 : 0;
}

#if defined(DDR_GPU)

/* --- pairs by the read-only path: samples do not change while kernels run --------------------- */

#if defined(__CUDA_ARCH__)
/* `count` samples of a type and size, loaded by one instruction. */
template <typename Sample, int size, int count> struct ddr_read_only;

#define DDR_READ_ONLY(head, sample, size, count, type, n, text, ...)                               \
  head struct ddr_read_only<sample, size, count> {                                                 \
    type word[n];                                                                                  \
    template <int offset> static __device__ ddr_read_only from(const void *place) {                \
      ddr_read_only read;                                                                          \
      asm("ld.global.nc." text:__VA_ARGS__ : "l"(place), "n"(offset));                             \
      return read;                                                                                 \
    }                                                                                              \
  };
#define DDR_TWO_WORDS(letter) letter(read.word[0]), letter(read.word[1])
#define DDR_FOUR_WORDS(letter)                                                                     \
  letter(read.word[0]), letter(read.word[1]), letter(read.word[2]), letter(read.word[3])
#define DDR_ANY template <typename Sample>
DDR_READ_ONLY(DDR_ANY, Sample, 1, 2, uint16_t, 1, "u16 %0, [%1+%2];", "=h"(read.word[0]))
DDR_READ_ONLY(DDR_ANY, Sample, 1, 4, uint32_t, 1, "u32 %0, [%1+%2];", "=r"(read.word[0]))
DDR_READ_ONLY(DDR_ANY, Sample, 2, 2, uint32_t, 1, "u32 %0, [%1+%2];", "=r"(read.word[0]))
DDR_READ_ONLY(DDR_ANY, Sample, 2, 4, uint32_t, 2, "v2.u32 {%0, %1}, [%2+%3];", DDR_TWO_WORDS("=r"))
DDR_READ_ONLY(DDR_ANY, Sample, 4, 2, uint32_t, 2, "v2.u32 {%0, %1}, [%2+%3];", DDR_TWO_WORDS("=r"))
DDR_READ_ONLY(DDR_ANY, Sample, 4, 4, uint32_t, 4, "v4.u32 {%0, %1, %2, %3}, [%4+%5];",
              DDR_FOUR_WORDS("=r"))
DDR_READ_ONLY(template <>, float, 4, 2, float, 2, "v2.f32 {%0, %1}, [%2+%3];", DDR_TWO_WORDS("=f"))
DDR_READ_ONLY(template <>, float, 4, 4, float, 4, "v4.f32 {%0, %1, %2, %3}, [%4+%5];",
              DDR_FOUR_WORDS("=f"))
DDR_READ_ONLY(template <>, double, 8, 2, double, 2, "v2.f64 {%0, %1}, [%2+%3];",
              DDR_TWO_WORDS("=d"))
#undef DDR_ANY
#undef DDR_FOUR_WORDS
#undef DDR_TWO_WORDS
#undef DDR_READ_ONLY
#endif

/* Loads as many samples as Many has, from the pair k places further on. */
template <int k, typename Many, typename Pair>
__host__ __device__ inline Many ddr_samples_at(const Pair *src) {
  Many many;
#if defined(__CUDA_ARCH__)
  enum { size = (int)sizeof src->sample[0], count = (int)(sizeof many / sizeof src->sample[0]) };
  typedef decltype(src->sample[0] + 0) Promoted; /* a real stays one */
  typedef ddr_read_only<Promoted, size, count> Words;
  const Words words = Words::template from<k *(int)sizeof(Pair)>(src);
  memcpy(&many, &words, sizeof many);
#else
  memcpy(&many, src + k, sizeof many);
#endif
  return many;
}

/* The pair k places further on. */
template <int k, typename Pair> __host__ __device__ inline Pair ddr_pair_at(const Pair *src) {
  return ddr_samples_at<k, Pair>(src);
}

/* A row of taps that begins `at` pairs further on, from its tap k: every second pair is loaded, so
 * that each tap is loaded once. */
template <int at, int k, int n, typename Pair>
__host__ __device__ inline void ddr_row_fill(const Pair *src, ddr_row<n> *row) {
  const Pair pair = ddr_pair_at<at + k>(src);
  row->lane[k] = (ddr_real)pair.sample[0];
  row->lane[k + 1] = (ddr_real)pair.sample[1];
  if constexpr (k + 2 < n) ddr_row_fill<at, k + 2>(src, row);
}
template <int n, int at, typename Pair>
__host__ __device__ inline ddr_row<n> ddr_row_of_pairs(const Pair *src) {
  ddr_row<n> row;
  ddr_row_fill<at, 0>(src, &row);
  return row;
}

/* Two voxels of two samples. Doubles need two instructions. */
template <typename Pair> struct ddr_two_pairs { Pair pair[2]; };
template <int k, typename Pair>
__host__ __device__ inline ddr_two_pairs<Pair> ddr_voxels_at(const Pair *src) {
  if constexpr (sizeof(Pair) == 2 * sizeof(double))
    return {{ddr_pair_at<k>(src), ddr_pair_at<k + 1>(src)}};
  else return ddr_samples_at<k, ddr_two_pairs<Pair>>(src);
}

/* Likewise; the row begins with a voxel of two components. */
template <int at, int k, int n, typename Pair>
__host__ __device__ inline void ddr_row_fill_voxels(const Pair *src, ddr_row<n> *row) {
  if constexpr (k + 2 >= n) ddr_row_fill<at, k>(src, row);
  else {
    const ddr_two_pairs<Pair> voxels = ddr_voxels_at<at + k>(src);
    row->lane[k] = (ddr_real)voxels.pair[0].sample[0];
    row->lane[k + 1] = (ddr_real)voxels.pair[0].sample[1];
    row->lane[k + 2] = (ddr_real)voxels.pair[1].sample[0];
    row->lane[k + 3] = (ddr_real)voxels.pair[1].sample[1];
    if constexpr (k + 4 < n) ddr_row_fill_voxels<at, k + 4>(src, row);
  }
}
template <int n, int at, typename Pair>
__host__ __device__ inline ddr_row<n> ddr_row_of_voxels(const Pair *src) {
  ddr_row<n> row;
  ddr_row_fill_voxels<at, 0>(src, &row);
  return row;
}

template <typename Pair>
__host__ __device__ inline auto ddr_of_pair(const Pair *src, bool is_second) {
  const Pair pair = ddr_pair_at<0>(src);
  return is_second ? pair.sample[1] : pair.sample[0];
}

#define DDR_ONE_OF_PAIR(src, is_second) ddr_of_pair(src, is_second)
#define DDR_ROW2_OF_VOXELS(src, at) ddr_row_of_voxels<2, at>(src)
#define DDR_ROW4_OF_VOXELS(src, at) ddr_row_of_voxels<4, at>(src)
#define DDR_ROW6_OF_VOXELS(src, at) ddr_row_of_voxels<6, at>(src)
#define DDR_ROW2_OF_PAIRS(src, at) ddr_row_of_pairs<2, at>(src)
#define DDR_ROW4_OF_PAIRS(src, at) ddr_row_of_pairs<4, at>(src)
#define DDR_ROW6_OF_PAIRS(src, at) ddr_row_of_pairs<6, at>(src)

#else

#define DDR_ONE_OF_PAIR(src, is_second) ((src)->sample[is_second])
#define DDR_ROW2_OF(one, src) DDR_ROW2(one(src, 0), one(src, 1))
#define DDR_ROW4_OF(one, src) DDR_ROW4(one(src, 0), one(src, 1), one(src, 2), one(src, 3))
#define DDR_ROW6_OF(one, src)                                                                      \
  DDR_ROW6(one(src, 0), one(src, 1), one(src, 2), one(src, 3), one(src, 4), one(src, 5))
#define DDR_OF_PAIR(src, k) ((ddr_real)(src)[(k) / 2 * 2].sample[(k) % 2])
#define DDR_ROW2_OF_PAIRS(src, at) DDR_ROW2_OF(DDR_OF_PAIR, (src) + (at))
#define DDR_ROW4_OF_PAIRS(src, at) DDR_ROW4_OF(DDR_OF_PAIR, (src) + (at))
#define DDR_ROW6_OF_PAIRS(src, at) DDR_ROW6_OF(DDR_OF_PAIR, (src) + (at))
#define DDR_OF_VOXELS(src, k) ((ddr_real)(src)[(k) / 4 * 4 + (k) % 4 / 2].sample[(k) % 2])
#define DDR_ROW2_OF_VOXELS(src, at) DDR_ROW2_OF(DDR_OF_VOXELS, (src) + (at))
#define DDR_ROW4_OF_VOXELS(src, at) DDR_ROW4_OF(DDR_OF_VOXELS, (src) + (at))
#define DDR_ROW6_OF_VOXELS(src, at) DDR_ROW6_OF(DDR_OF_VOXELS, (src) + (at))
#endif
