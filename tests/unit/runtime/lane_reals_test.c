/* Reductions in lanes (ddr/lanes/reals.h) at the width and precision that this test is compiled
 * for: each lane gets the bits that one strand would get (ddr/reduce.h), however many values other
 * lanes have. */
#include "ddr/lanes/reals.h"

#include "lanes_here.h"
#include "tests/unit/test.h"

enum { MOST_VALUES = 4000 };

static ddr_real values[DDR_LANES][MOST_VALUES];
static int n_values[DDR_LANES];
static uint64_t state = 1;

static uint32_t any_below(uint32_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((state >> 33) % n);
}

/* Many magnitudes, both signs, zeros of both signs; NaN and infinities if `is_odd`. */
static ddr_real any_value(bool is_odd) {
  static const double odd[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e-40, -1e-40};
  if (any_below(16) == 0) return (ddr_real)odd[any_below(is_odd ? 7 : 2)];
  const double size = ldexp(1.0 + any_below(1u << 24) / (double)(1u << 24), (int)any_below(5) - 3);
  return (ddr_real)(any_below(2) ? size : -size);
}

static void fill(int most) {
  for (int lane = 0; lane < DDR_LANES; lane++) {
    const bool is_odd = any_below(4) == 0, is_full = lane == 1;
    n_values[lane] = is_full ? most : (int)any_below((uint32_t)most + 1);
    for (int k = 0; k < most; k++) values[lane][k] = any_value(is_odd);
  }
}

static bool are_same(ddr_real a, ddr_real b) { return memcmp(&a, &b, sizeof a) == 0; }

static ddr_real of_one_strand(ddr_reduction reduction, int lane) {
  static ddr_reals reals;
  ddr_reals_begin(&reals, reduction);
  for (int round = 0; round < (reduction == DDR_VARIANCE ? 2 : 1); round++) {
    if (round == 1) ddr_reals_again(&reals);
    for (int k = 0; k < n_values[lane]; k++) ddr_reals_add(&reals, values[lane][k]);
  }
  return ddr_reals_end(&reals);
}

/* Values in inactive lanes must not matter. */
static ddr_vreal in_round(int k, ddr_vmask *mask) {
  ddr_vreal x = {0};
  for (int lane = 0; lane < DDR_LANES; lane++) {
    (*mask)[lane] = k < n_values[lane] ? -1 : 0;
    x[lane] = values[lane][k];
  }
  return x;
}

static ddr_vreal in_lanes(ddr_reduction reduction, int most) {
  static ddr_vreals reals;
  memset(&reals, -1, sizeof reals);
  ddr_vreals_begin(&reals);
  for (int k = 0; k < most; k++) {
    ddr_vmask mask = {0};
    const ddr_vreal x = in_round(k, &mask);
    ddr_vreals_add(&reals, reduction, mask, x);
  }
  return ddr_vreals_end(&reals, reduction);
}

static ddr_vreal variance_in_lanes(int most) {
  static ddr_vvariance variance;
  memset(&variance, -1, sizeof variance);
  ddr_vvariance_begin(&variance);
  for (int round = 0; round < 2; round++) {
    if (round == 1) ddr_vvariance_again(&variance);
    for (int k = 0; k < most; k++) {
      ddr_vmask mask = {0};
      const ddr_vreal x = in_round(k, &mask);
      if (round == 0) ddr_vvariance_add(&variance, mask, x);
      else ddr_vvariance_add_distance(&variance, mask, x);
    }
  }
  return ddr_vvariance_end(&variance);
}

static void results_are_those_of_one_strand(void) {
  static const int counts[] = {0, 1, 2, 7, 8, 9, 31, 32, 33, 100, 1023, 1024, 1025, 2048, 3100};
  for (size_t i = 0; i < 4 * sizeof counts / sizeof *counts; i++) {
    const int most = counts[i / 4];
    fill(most);
    for (int reduction = DDR_SUM; reduction <= DDR_VARIANCE; reduction++) {
      const ddr_vreal found = reduction == DDR_VARIANCE ? variance_in_lanes(most)
                                                        : in_lanes((ddr_reduction)reduction, most);
      for (int lane = 0; lane < DDR_LANES; lane++)
        CHECK(are_same(found[lane], of_one_strand((ddr_reduction)reduction, lane)));
    }
  }
}

static void extremes_are_those_of_one_strand(void) {
  static const double some[] = {0.0, -0.0, 1.5, -1.5, INFINITY, -INFINITY, NAN, 1e-40};
  enum { N = sizeof some / sizeof *some };
  for (int pair = 0; pair < N * N; pair++) {
    const ddr_real a = (ddr_real)some[pair / N], b = (ddr_real)some[pair % N];
    const ddr_vreal x = ddr_vreal_all(0) + a, y = ddr_vreal_all(0) + b;
    ddr_vreal left = x, right = y;
    left[1] = a; /* 0 + -0 is 0 */
    right[1] = b;
    CHECK(are_same(ddr_vleast(left, right)[1], ddr_least(a, b)));
    CHECK(are_same(ddr_vmost(left, right)[1], ddr_most(a, b)));
    CHECK(are_same(ddr_vleast(left, right)[0], ddr_least(x[0], y[0])));
    CHECK(are_same(ddr_vmost(left, right)[0], ddr_most(x[0], y[0])));
  }
}

int main(void) {
  if (!lanes_are_here()) return 77;
  RUN(results_are_those_of_one_strand);
  RUN(extremes_are_those_of_one_strand);
  return test_result();
}
