/* sort.h: sorts the slots that a thread has found.
 *
 * The threads of a warp sort lists of their own at the same time, so control flow should depend
 * little on the values: runs are sorted by a network in registers, then merged.
 *
 * For device code, included by near.h; nothing for others.
 */
#pragma once

#include "ddr/device/device.h"

#if defined(DDR_GPU) || defined(DDR_SHIM)

#define DDR_NO_SLOT UINT32_MAX /* behind all others */

#if defined(DDR_SHIM)
enum { DDR_SORT_RUN = 4 }; /* so that tests cover merges */
#else
/* Runs of 16 would need fewer registers, so more warps could run, but took a fifth longer. */
enum { DDR_SORT_RUN = 32 };
#endif

/* The memory for n slots, in slots: whole runs. Merges need as much again. */
DDR_DEVICE_FN int64_t ddr_sort_places(int64_t n) {
  return (n + DDR_SORT_RUN - 1) / DDR_SORT_RUN * DDR_SORT_RUN;
}

/* --- networks --------------------------------------------------------------------------------- */

#if defined(DDR_GPU)
#ifdef __cplusplus
extern "C++" {
#endif
template <int a, int b> DDR_DEVICE_FN void ddr_exchange(uint32_t *slots) {
  const uint32_t less = min(slots[a], slots[b]);
  slots[b] = max(slots[a], slots[b]);
  slots[a] = less;
}

/* Compares neighbours in places first, first + step, ..., in which the even places and the odd
 * ones are sorted: the last step of a merge. */
template <int first, int n, int step, int at = first + step>
DDR_DEVICE_FN void ddr_network_exchange(uint32_t *slots) {
  if constexpr (at + step < first + n) {
    ddr_exchange<at, at + step>(slots);
    ddr_network_exchange<first, n, step, at + 2 * step>(slots);
  }
}

template <int first, int n, int step> DDR_DEVICE_FN void ddr_network_merge(uint32_t *slots) {
  if constexpr (2 * step < n) {
    ddr_network_merge<first, n, 2 * step>(slots);
    ddr_network_merge<first + step, n, 2 * step>(slots);
    ddr_network_exchange<first, n, step>(slots);
  } else {
    ddr_exchange<first, first + step>(slots);
  }
}

/* Batcher's odd-even mergesort of n slots, a power of two. */
template <int first, int n> DDR_DEVICE_FN void ddr_network(uint32_t *slots) {
  if constexpr (n > 1) {
    ddr_network<first, n / 2>(slots);
    ddr_network<first + n / 2, n / 2>(slots);
    ddr_network_merge<first, n, 1>(slots);
  }
}

DDR_DEVICE_FN void ddr_slots_load(const uint32_t *places, uint32_t *slots) {
  DDR_UNROLLED for (int k = 0; k < DDR_SORT_RUN; k += 4) {
    const uint4 four = *(const uint4 *)(const void *)(places + k);
    slots[k] = four.x;
    slots[k + 1] = four.y;
    slots[k + 2] = four.z;
    slots[k + 3] = four.w;
  }
}

DDR_DEVICE_FN void ddr_slots_store(const uint32_t *slots, uint32_t *places) {
  DDR_UNROLLED for (int k = 0; k < DDR_SORT_RUN; k += 4) * (uint4 *)(void *)(places + k) =
      make_uint4(slots[k], slots[k + 1], slots[k + 2], slots[k + 3]);
}

DDR_DEVICE_FN void ddr_sort_run(uint32_t *places, int64_t n) {
  (void)n; /* the places behind the last slot hold DDR_NO_SLOT, which stays there */
  uint32_t slots[DDR_SORT_RUN];
  ddr_slots_load(places, slots);
  ddr_network<0, DDR_SORT_RUN>(slots);
  ddr_slots_store(slots, places);
}
#ifdef __cplusplus
}
#endif
#else
/* By insertion: in the shim threads run one after another. */
DDR_DEVICE_FN void ddr_sort_run(uint32_t *places, int64_t n) {
  for (int64_t at = 1; at < n && at < DDR_SORT_RUN; at++) {
    const uint32_t slot = places[at];
    int64_t place = at;
    for (; place > 0 && places[place - 1] > slot; place--) places[place] = places[place - 1];
    places[place] = slot;
  }
}
#endif

/* --- merges ----------------------------------------------------------------------------------- */

/* Merges the sorted runs [0, middle) and [middle, end). */
DDR_DEVICE_FN void ddr_merge_two(const uint32_t *from, int64_t middle, int64_t end, uint32_t *to) {
  int64_t a = 0, b = middle;
  uint32_t of_a = from[a], of_b = b < end ? from[b] : DDR_NO_SLOT;
  for (int64_t k = 0; k < end; k++) {
    const bool is_a = of_a < of_b;
    to[k] = is_a ? of_a : of_b;
    if (is_a) of_a = ++a < middle ? from[a] : DDR_NO_SLOT;
    else of_b = ++b < end ? from[b] : DDR_NO_SLOT;
  }
}

/* Merges the sorted runs of `slots`.  The result is in `slots` or `others`, and is returned. */
DDR_DEVICE_FN uint32_t *ddr_merge_runs(uint32_t *slots, uint32_t *others, int64_t n) {
  for (int64_t run = DDR_SORT_RUN; run < n; run *= 2) {
    for (int64_t at = 0; at < n; at += 2 * run) {
      const int64_t left = n - at, end = left < 2 * run ? left : 2 * run;
      ddr_merge_two(slots + at, run < end ? run : end, end, others + at);
    }
    uint32_t *merged = others;
    others = slots;
    slots = merged;
  }
  return slots;
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Sorts n > 0 slots.  `slots` has room for 2 * places, where places is ddr_sort_places(m) for some
 * m >= n.  Returns the sorted slots, in the first or the second half. */
DDR_DEVICE_FN uint32_t *ddr_sort_slots(uint32_t *slots, int64_t n, int64_t places) {
  const int64_t padded = ddr_sort_places(n);
  for (int64_t k = n; k < padded; k++) slots[k] = DDR_NO_SLOT;
  for (int64_t run = 0; run < n; run += DDR_SORT_RUN) ddr_sort_run(slots + run, n - run);
  return ddr_merge_runs(slots, slots + places, n);
}

/* Widens n slots to 64 bits, at the beginning of their memory.  If they are there, it goes from the
 * last to the first; if they are behind that memory, from the first to the last. */
DDR_DEVICE_FN void ddr_slots_widen(void *memory, const uint32_t *slots, int64_t n) {
  int64_t *wide = (int64_t *)memory;
  if (slots == (const uint32_t *)memory)
    for (int64_t k = n; k-- > 0;) wide[k] = slots[k];
  else
    for (int64_t k = 0; k < n; k++) wide[k] = slots[k];
}

/* --- stripes: a few slots of each thread, in the shared memory of its block ----------------------
 *
 * The stripes of 32 neighbours are interleaved, so that threads do not access the same bank.  A
 * launch has stripes if the shared memory of a block suffices (DDR_LAUNCH_STRIPES).
 */

/* Slots that a stripe holds, and places with those behind it, which are written to if more are
 * found. */
enum {
  DDR_STRIPE_ROOM = 2 * DDR_SORT_RUN,
  DDR_STRIPE_PLACES = DDR_STRIPE_ROOM + 1 + DDR_POINTS_AT_ONCE
};

#if defined(DDR_GPU)
static_assert(DDR_STRIPE_BYTES == DDR_STRIPE_PLACES * sizeof(uint32_t), "a stripe has its bytes");

enum { DDR_STRIPE_STEP = 32 };

DDR_DEVICE_FN bool ddr_has_stripes(void) { return ddr_stripes_bytes((int32_t)blockDim.x) > 0; }

DDR_DEVICE_FN uint32_t *ddr_own_stripe(void) {
  extern __shared__ uint32_t ddr_team_words[];
  const uint32_t lane = threadIdx.x % DDR_STRIPE_STEP, first = threadIdx.x - lane;
  return ddr_team_words + first * DDR_STRIPE_PLACES + lane;
}

#ifdef __cplusplus
extern "C++" {
#endif
/* Sorts n places, a power of two, that first rise and then fall: a bitonic network. */
template <int first, int n, int at = 0> DDR_DEVICE_FN void ddr_network_halve(uint32_t *slots) {
  if constexpr (at < n / 2) {
    ddr_exchange<first + at, first + at + n / 2>(slots);
    ddr_network_halve<first, n, at + 1>(slots);
  }
}
template <int first, int n> DDR_DEVICE_FN void ddr_network_order(uint32_t *slots) {
  if constexpr (n > 1) {
    ddr_network_halve<first, n>(slots);
    ddr_network_order<first, n / 2>(slots);
    ddr_network_order<first + n / 2, n / 2>(slots);
  }
}
#ifdef __cplusplus
}
#endif

/* Loads a run into registers; it has n slots, and the other places, and `self`, get DDR_NO_SLOT. */
DDR_DEVICE_FN void ddr_stripe_load(const uint32_t *run, int n, uint32_t self, uint32_t *slots) {
  DDR_UNROLLED for (int k = 0; k < DDR_SORT_RUN; k++) {
    const uint32_t slot = run[k * DDR_STRIPE_STEP];
    slots[k] = ((k < n) & (slot != self)) ? slot : DDR_NO_SLOT;
  }
}

DDR_DEVICE_FN void ddr_stripe_store(const uint32_t *slots, uint32_t *run) {
  DDR_UNROLLED for (int k = 0; k < DDR_SORT_RUN; k++) run[k * DDR_STRIPE_STEP] = slots[k];
}

/* Of two sorted runs, moves the lesser half of all slots to the first run, the others to the
 * second.  Then each run is bitonic: compares the first run with the second one reversed. */
DDR_DEVICE_FN void ddr_stripe_part(uint32_t *stripe) {
  _Pragma("unroll 4") for (int k = 0; k < DDR_SORT_RUN; k++) {
    uint32_t *const low = stripe + k * DDR_STRIPE_STEP;
    uint32_t *const high = stripe + (DDR_STRIPE_ROOM - 1 - k) * DDR_STRIPE_STEP;
    const uint32_t a = *low, b = *high;
    *low = min(a, b);
    *high = max(a, b);
  }
}

/* Sorts a stripe; `self`, which may be in it, becomes DDR_NO_SLOT.  Loops over its runs are not
 * unrolled: they would need registers for both. */
DDR_DEVICE_FN void ddr_stripe_order(uint32_t *stripe, uint32_t n, uint32_t self) {
  uint32_t slots[DDR_SORT_RUN];
  _Pragma("unroll 1") for (uint32_t at = 0; at < n; at += DDR_SORT_RUN) {
    uint32_t *const run = stripe + at * DDR_STRIPE_STEP;
    ddr_stripe_load(run, (int)(n - at), self, slots);
    ddr_network<0, DDR_SORT_RUN>(slots);
    ddr_stripe_store(slots, run);
  }
  if (n <= DDR_SORT_RUN) return;
  ddr_stripe_part(stripe);
  _Pragma("unroll 1") for (int at = 0; at < DDR_STRIPE_ROOM; at += DDR_SORT_RUN) {
    uint32_t *const run = stripe + at * DDR_STRIPE_STEP;
    ddr_stripe_load(run, DDR_SORT_RUN, DDR_NO_SLOT, slots);
    ddr_network_order<0, DDR_SORT_RUN>(slots);
    ddr_stripe_store(slots, run);
  }
}
#else
enum { DDR_STRIPE_STEP = 2 };

DDR_DEVICE_FN bool ddr_has_stripes(void) { return shim_thread % 4 > 0; } /* as in some launches */

DDR_DEVICE_FN uint32_t *ddr_own_stripe(void) {
  static _Thread_local uint32_t words[DDR_STRIPE_PLACES * DDR_STRIPE_STEP];
  return words;
}

DDR_DEVICE_FN void ddr_stripe_order(uint32_t *stripe, uint32_t n, uint32_t self) {
  for (uint32_t at = 0; at < n; at++) {
    const uint32_t found = stripe[at * DDR_STRIPE_STEP], slot = found == self ? DDR_NO_SLOT : found;
    uint32_t place = at;
    for (; place > 0 && stripe[(place - 1) * DDR_STRIPE_STEP] > slot; place--)
      stripe[place * DDR_STRIPE_STEP] = stripe[(place - 1) * DDR_STRIPE_STEP];
    stripe[place * DDR_STRIPE_STEP] = slot;
  }
}
#endif

/* Sorts the n slots of a stripe without `self`, which may be among them, and returns how many these
 * are. So the loop that finds them need not compare each with it. */
DDR_DEVICE_FN uint32_t ddr_stripe_sort(uint32_t *stripe, uint32_t n, uint32_t self) {
  if (n == 0) return 0;
  ddr_stripe_order(stripe, n, self);
  return stripe[(n - 1) * DDR_STRIPE_STEP] == DDR_NO_SLOT ? n - 1 : n;
}

/* --- filling a stripe ------------------------------------------------------------------------- */

/* `at` is the place of the next slot.  One that does not count (is_one false) is overwritten by the
 * next.  Before others than the DDR_POINTS_AT_ONCE first are put there, ddr_stripe_clamp makes sure
 * that they are put into the stripe, or behind it. */
#if defined(__CUDA_ARCH__)
DDR_DEVICE_FN uint32_t ddr_stripe_begin(uint32_t *stripe) {
  return (uint32_t)__cvta_generic_to_shared(stripe);
}
DDR_DEVICE_FN int64_t ddr_stripe_count(uint32_t *stripe, uint32_t at) {
  return (at - ddr_stripe_begin(stripe)) / (DDR_STRIPE_STEP * sizeof(uint32_t));
}
DDR_DEVICE_FN uint32_t ddr_stripe_put(uint32_t *stripe, uint32_t at, uint32_t slot, bool is_one) {
  const uint32_t step = DDR_STRIPE_STEP * sizeof(uint32_t);
  (void)stripe;
  asm volatile("st.shared.u32 [%0], %1;" : : "r"(at), "r"(slot) : "memory");
  return at + (is_one ? step : 0);
}
DDR_DEVICE_FN uint32_t ddr_stripe_clamp(uint32_t *stripe, uint32_t at) {
  const uint32_t behind = (DDR_STRIPE_ROOM + 1) * DDR_STRIPE_STEP * sizeof(uint32_t);
  return min(at, ddr_stripe_begin(stripe) + behind);
}
#else
DDR_DEVICE_FN uint32_t ddr_stripe_begin(uint32_t *stripe) {
  (void)stripe;
  return 0;
}
DDR_DEVICE_FN int64_t ddr_stripe_count(uint32_t *stripe, uint32_t at) {
  (void)stripe;
  return at;
}
DDR_DEVICE_FN uint32_t ddr_stripe_put(uint32_t *stripe, uint32_t at, uint32_t slot, bool is_one) {
  stripe[at * DDR_STRIPE_STEP] = slot;
  return at + is_one;
}
DDR_DEVICE_FN uint32_t ddr_stripe_clamp(uint32_t *stripe, uint32_t at) {
  (void)stripe;
  return at < DDR_STRIPE_ROOM + 1 ? at : DDR_STRIPE_ROOM + 1;
}
#endif

#endif
