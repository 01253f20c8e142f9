/* Ints in lanes. Quotients and remainders with one divisor and with several, against C in twice the
 * width: every divisor up to a thousand, around every power of two and at the ends of the range,
 * with dividends around its multiples and at the ends; constant and variable divisors. Comparisons.
 * Built for several instruction sets and widths; skipped if this machine lacks one. */
#include "ddr/lanes/math.h"
#include "tests/unit/runtime/lanes_here.h"
#include "tests/unit/test.h"

__extension__ typedef __int128 Wide;

static uint64_t state = 1;

static ddr_int drawn(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (ddr_int)(state >> (state >> 58)); /* of any size */
}

/* C's quotient, except that division by 0 is avoided and the one overflow wraps. */
static ddr_int quotient(ddr_int a, ddr_int d) {
  return d == 0 ? 0 : (ddr_int)(ddr_uint)((Wide)a / (Wide)d);
}
static ddr_int remainder_of(ddr_int a, ddr_int d) { return d == 0 ? 0 : (ddr_int)((Wide)a % d); }

static ddr_vint dividends(ddr_int d, uint32_t round) {
  static const ddr_int ends[] = {
      DDR_INT_MIN, DDR_INT_MAX, DDR_INT_MIN + 1, DDR_INT_MAX - 1, 0, 1, -1, 2};
  ddr_vint v = {0};
  for (uint32_t lane = 0; lane < DDR_LANES; lane++) {
    const uint32_t k = round * DDR_LANES + lane;
    const ddr_int multiple = d == 0 ? 0 : (drawn() / d) * d; /* d is never -1 with the least int */
    v[lane] = k < 8 ? ends[k] : ddr_iadd(multiple, (ddr_int)(k % 3) - 1);
  }
  return v;
}

static bool is_right(ddr_vint a, ddr_int d, ddr_vint q, ddr_vint r) {
  bool is_right = true;
  for (int lane = 0; lane < DDR_LANES; lane++)
    is_right &= q[lane] == quotient(a[lane], d) && r[lane] == remainder_of(a[lane], d);
  return is_right;
}

/* Divisors that differ between lanes. */
static bool is_right_by_each(ddr_vint a, ddr_int d) {
  bool is_right = true;
  ddr_vint by = {0};
  for (int lane = 0; lane < DDR_LANES; lane++) by[lane] = ddr_isub(d, lane);
  const ddr_vint q = ddr_vidiv(a, by), r = ddr_vimod(a, by);
  for (int lane = 0; lane < DDR_LANES; lane++)
    is_right &=
        q[lane] == quotient(a[lane], by[lane]) && r[lane] == remainder_of(a[lane], by[lane]);
  return is_right;
}

enum { N_ROUNDS = 8 };

static void divide(ddr_int d) {
  volatile ddr_int unknown = d;
  for (uint32_t round = 0; round < N_ROUNDS; round++) {
    const ddr_vint a = dividends(d, round);
    if (!CHECK(is_right(a, d, ddr_vidiv_by(a, unknown), ddr_vimod_by(a, unknown))))
      fprintf(stderr, "  by %lld\n", (long long)d);
    CHECK(is_right_by_each(a, d));
  }
}

static void by_small_numbers(void) {
  for (ddr_int d = -1000; d <= 1000; d++) divide(d);
}

static void by_numbers_near_powers_of_two(void) {
  for (int log = 10; log < (int)sizeof(ddr_int) * 8; log++)
    for (ddr_int by = -2; by <= 2; by++) {
      const ddr_int d = ddr_iadd((ddr_int)((ddr_uint)1 << log), by);
      divide(d);
      divide(ddr_ineg(d));
    }
}

/* Dividends up to a limit, just below multiples of divisors, where a quotient that is rounded up is
 * wrong: up to 2^24 floats are exact. */
static void dividends_of_few_digits(void) {
  for (int log = 20; log <= 26; log++)
    for (ddr_int d = 1; d < 5000; d++) {
      const ddr_int limit = (ddr_int)(1 << log) + 1;
      ddr_vint a = {0};
      for (ddr_int lane = 0; lane < DDR_LANES; lane++) {
        const ddr_int by = d > lane ? d - lane : lane - d + 1;
        a[lane] = limit / by * by - (d + lane) % 2;
        if (d % 3 == 0) a[lane] = -a[lane];
      }
      if (!CHECK(is_right_by_each(a, d))) return;
    }
}

static void by_any_numbers(void) {
  for (int i = 0; i < 3000; i++) divide(drawn());
}

/* Constant divisors have code of their own, shifts for powers of two. */
#define DIVIDE(d)                                                                                  \
  for (uint32_t round = 0; round < N_ROUNDS; round++) {                                            \
    const ddr_vint a = dividends((d), round);                                                      \
    CHECK(is_right(a, (d), ddr_vidiv_by(a, (d)), ddr_vimod_by(a, (d))));                           \
  }
#define DIVIDE_BOTH(d)                                                                             \
  DIVIDE(d)                                                                                        \
  DIVIDE(-(d))

static void by_literals(void) {
  DIVIDE(0)
  DIVIDE_BOTH(1)
  DIVIDE_BOTH(2)
  DIVIDE_BOTH(3)
  DIVIDE_BOTH(4)
  DIVIDE_BOTH(7)
  DIVIDE_BOTH(10)
  DIVIDE_BOTH(64)
  DIVIDE_BOTH(641)
  DIVIDE_BOTH(65536)
  DIVIDE_BOTH(1000003)
  DIVIDE_BOTH(1 << 30)
  DIVIDE_BOTH(DDR_INT_MAX)
  DIVIDE(DDR_INT_MIN)
}

#define COMPARE(name, op)                                                                          \
  do {                                                                                             \
    const ddr_vmask m = name(a, b);                                                                \
    for (int lane = 0; lane < DDR_LANES; lane++) CHECK_EQ(m[lane], -(a[lane] op b[lane]));         \
  } while (0)

static void comparisons(void) {
  for (uint32_t round = 0; round < 4 * N_ROUNDS; round++) {
    const ddr_vint a = dividends(3, round % N_ROUNDS), b = round % 3 ? dividends(3, 0) : a;
    COMPARE(ddr_vilt, <);
    COMPARE(ddr_vile, <=);
    COMPARE(ddr_vieq, ==);
    COMPARE(ddr_vine, !=);
    COMPARE(ddr_vige, >=);
    COMPARE(ddr_vigt, >);
  }
}

int main(void) {
  if (!lanes_are_here()) return 77;
  RUN(by_small_numbers);
  RUN(by_numbers_near_powers_of_two);
  RUN(dividends_of_few_digits);
  RUN(by_any_numbers);
  RUN(by_literals);
  RUN(comparisons);
  return test_result();
}
