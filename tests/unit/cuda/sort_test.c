/* Sorting by some of the bits of keys: against the definition of a stable sort. */
#include "runtime/cuda/check.h"
#include "tests/unit/test.h"

static uint64_t random_state = 1;

static uint64_t chance(void) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return random_state ^ random_state >> 32;
}

/* Where key number k belongs: behind those with less in the bits, and those with as much that came
 * before. */
static int64_t place_of(const uint64_t *keys, int64_t n, int begin_bit, uint64_t mask, int64_t k) {
  const uint64_t own = keys[k] >> begin_bit & mask;
  int64_t place = 0;
  for (int64_t other = 0; other < n; other++) {
    const uint64_t digits = keys[other] >> begin_bit & mask;
    place += digits < own || (digits == own && other < k);
  }
  return place;
}

static void check_sort(ddr_device *device, int64_t n, int begin_bit, int end_bit) {
  uint64_t *keys = malloc(((size_t)n + 1) * sizeof *keys);
  uint64_t *sorted = malloc(((size_t)n + 1) * sizeof *sorted);
  const uint64_t mask = ~UINT64_C(0) >> (64 - (end_bit - begin_bit));
  for (int64_t k = 0; k < n; k++) keys[k] = chance();
  CHECK(ddr_device_sort(device, keys, n, begin_bit, end_bit, sorted) == NULL);
  for (int64_t k = 0; k < n; k++) CHECK(sorted[place_of(keys, n, begin_bit, mask, k)] == keys[k]);
  free(keys);
  free(sorted);
}

static void equal_keys_keep_their_order(void) {
  static const int64_t sizes[] = {0, 1, 2, 31, 33, 500};
  static const int bits[][2] = {{0, 1}, {0, 8}, {3, 5}, {32, 41}, {7, 24}, {56, 64}, {0, 64}};
  static const ddr_program program = {.real_size = sizeof(float)};
  ddr_device *device = NULL;
  CHECK(ddr_cuda.open(&program, NULL, 0, false, 0, &device) == NULL);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    for (size_t b = 0; b < sizeof bits / sizeof *bits; b++)
      check_sort(device, sizes[s], bits[b][0], bits[b][1]);
  }
  ddr_cuda.close(device);
}

int main(void) {
  RUN(equal_keys_keep_their_order);
  return test_result();
}
