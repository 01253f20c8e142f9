/* warp.h: operations of 32 neighbouring threads, and loops over more items than threads.
 *
 * The 32 threads are a warp of CUDA, or a part of a wider one: sums are folded over 32 lanes
 * (ddr/reduce.h) on any machine, so that the bits are the same.
 *
 * Devices fold by shuffles.  The shim runs one thread after another; there, the first thread of a
 * warp does the work of all: it calls the function of a lane for each lane.
 */
#pragma once

#include "runtime/cuda/base/toolkit.h"

enum { DDR_WARP = DDR_TREE_LANES };

/* A good number of threads for n items. */
static inline int64_t ddr_threads_for(int64_t n) {
#if defined(DDR_GPU)
  const int64_t most = (int64_t)1 << 22;
#else
  const int64_t most = 1 << 11; /* small, so that threads must take several items */
#endif
  return n < most ? n : most;
}

#if defined(DDR_GPU)

#define DDR_N_THREADS ((int64_t)gridDim.x * blockDim.x)
#define DDR_LANE ((int)(threadIdx.x % DDR_WARP))
#define DDR_PRAGMA(text) _Pragma(#text)
#define DDR_UNROLL(n) DDR_PRAGMA(unroll n)

/* The value of the lane `distance` higher; the last lanes get an arbitrary one. */
template <typename Value> static __device__ inline Value ddr_from_lane(Value value, int distance) {
  static_assert(sizeof(Value) % sizeof(unsigned) == 0, "lanes exchange words");
  unsigned words[sizeof(Value) / sizeof(unsigned)];
  memcpy(words, &value, sizeof value);
#pragma unroll
  for (unsigned &word : words) word = ddr_word_from(word, (unsigned)distance, DDR_WARP);
  memcpy(&value, words, sizeof value);
  return value;
}

/* Declares `root`, which is valid in lane 0: lanes l and l+16 combined, then l+8, l+4, l+2, l+1.
 * The values are functions of `lane`. */
#define DDR_WARP_FOLD(type, root, combine, value_of_lane)                                          \
  const int lane = DDR_LANE;                                                                       \
  type root = value_of_lane;                                                                       \
  for (int half = DDR_WARP / 2; half > 0; half /= 2)                                               \
    root = combine(root, ddr_from_lane(root, half));

/* Likewise in pairs: lanes l and l+1, then l+2, l+4, ...; with an odd n_lanes, the last lane stays.
 */
#define DDR_WARP_PAIRS(type, root, n_lanes, combine, value_of_lane)                                \
  const int lane = DDR_LANE;                                                                       \
  type root = value_of_lane;                                                                       \
  for (int step = 1; step < DDR_WARP; step *= 2) {                                                 \
    const type next = ddr_from_lane(root, step);                                                   \
    if (lane % (2 * step) == 0 && lane + step < (n_lanes)) root = combine(root, next);             \
  }

#else

#define DDR_N_THREADS shim_n_threads
#define DDR_LANE ((int)(DDR_THREAD % DDR_WARP))
#define DDR_UNROLL(n)

#define DDR_WARP_FOLD(type, root, combine, value_of_lane)                                          \
  if (DDR_LANE != 0) continue;                                                                     \
  type lanes[DDR_WARP];                                                                            \
  for (int lane = 0; lane < DDR_WARP; lane++) lanes[lane] = value_of_lane;                         \
  for (int half = DDR_WARP / 2; half > 0; half /= 2) {                                             \
    for (int l = 0; l < half; l++) lanes[l] = combine(lanes[l], lanes[l + half]);                  \
  }                                                                                                \
  const type root = lanes[0];

#define DDR_WARP_PAIRS(type, root, n_lanes, combine, value_of_lane)                                \
  if (DDR_LANE != 0) continue;                                                                     \
  type lanes[DDR_WARP];                                                                            \
  for (int lane = 0; lane < DDR_WARP; lane++) lanes[lane] = value_of_lane;                         \
  for (int step = 1; step < DDR_WARP; step *= 2) {                                                 \
    for (int l = 0; l + step < (n_lanes); l += 2 * step)                                           \
      lanes[l] = combine(lanes[l], lanes[l + step]);                                               \
  }                                                                                                \
  const type root = lanes[0];

#endif

/* Each item once, for any number of threads; the second loop gives all lanes of a warp the same
 * item. */
#define DDR_FOR_ITEMS(item, n)                                                                     \
  for (int64_t item = DDR_THREAD, n_items = (n); item < n_items; item += DDR_N_THREADS)
#define DDR_FOR_WARPS(item, n)                                                                     \
  for (int64_t item = DDR_THREAD / DDR_WARP, n_items = (n); item < n_items;                        \
       item += DDR_N_THREADS / DDR_WARP)
