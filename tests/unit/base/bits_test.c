/* Bits against an array of bools, for sizes around the word boundaries. */
#include "frontend/base/bits.h"

#include "tests/unit/test.h"

static const uint32_t sizes[] = {1, 63, 64, 65, 128, 200};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

static Bits multiples_of(Arena *a, uint32_t n_bits, uint32_t step) {
  Bits b = bits_new(a, n_bits);
  for (uint32_t i = 0; i < n_bits; i += step) bits_set(&b, i);
  return b;
}

static uint32_t count(const Bits *b) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < b->n_bits; i++) n += bits_has(b, i);
  return n;
}

static uint32_t multiple_count(uint32_t n_bits, uint32_t step) { return (n_bits - 1) / step + 1; }

static void sets_and_clears_single_bits(void) {
  Arena *a = arena_new();
  for (int s = 0; s < N_SIZES; s++) {
    Bits b = bits_new(a, sizes[s]);
    CHECK_EQ(count(&b), 0);
    for (uint32_t i = 0; i < sizes[s]; i++) {
      bits_set(&b, i);
      CHECK_EQ(count(&b), 1);
      CHECK(bits_has(&b, i));
      bits_clear(&b, i);
      CHECK(!bits_has(&b, i));
    }
  }
  arena_free(a);
}

static void union_and_intersection_say_whether_they_changed(void) {
  Arena *a = arena_new();
  for (int s = 0; s < N_SIZES; s++) {
    const uint32_t n = sizes[s];
    Bits twos = multiples_of(a, n, 2), threes = multiples_of(a, n, 3), both = bits_new(a, n);
    bits_copy(&both, &twos);
    CHECK_EQ(bits_intersect(&both, &threes), multiple_count(n, 2) != multiple_count(n, 6));
    CHECK_EQ(count(&both), multiple_count(n, 6));
    CHECK(!bits_intersect(&both, &threes));
    CHECK(!bits_union(&twos, &both));
    bool has_odd_three = multiple_count(n, 3) != multiple_count(n, 6);
    CHECK_EQ(bits_union(&twos, &threes), has_odd_three);
    CHECK_EQ(count(&twos), multiple_count(n, 2) + multiple_count(n, 3) - multiple_count(n, 6));
  }
  arena_free(a);
}

int main(void) {
  RUN(sets_and_clears_single_bits);
  RUN(union_and_intersection_say_whether_they_changed);
  return test_result();
}
