/* Edge cases of scalar.h and of borders, in the precision of the build. */
#include "ddr/scalar.h"
#include "ddr/image.h"
#include "tests/unit/test.h"

static void min_and_max_keep_the_first_nan(void) {
  CHECK(isnan(ddr_max((ddr_real)NAN, 1)) && isnan(ddr_min((ddr_real)NAN, 1)));
  CHECK(ddr_max(1, (ddr_real)NAN) == 1 && ddr_min(1, (ddr_real)NAN) == 1);
  CHECK(!signbit(ddr_max(DDR_R(0.0), DDR_R(-0.0))) && signbit(ddr_min(DDR_R(-0.0), DDR_R(0.0))));
}

static void clamp_takes_lo_hi_x(void) {
  CHECK(ddr_clamp(0, 1, -3) == 0 && ddr_clamp(0, 1, 3) == 1 && ddr_clamp(0, 1, DDR_R(0.5)) > 0);
  CHECK(isnan(ddr_clamp(0, 1, (ddr_real)NAN)));
  CHECK(ddr_clamp(2, 1, 2) == 2 && ddr_clamp(2, 1, 3) == 1);
}

static void integers_wrap_and_never_trap(void) {
  CHECK(ddr_iadd(DDR_INT_MAX, 1) == DDR_INT_MIN);
  CHECK(ddr_isub(DDR_INT_MIN, 1) == DDR_INT_MAX);
  CHECK(ddr_imul(DDR_INT_MAX, 2) == -2);
  CHECK(ddr_ineg(DDR_INT_MIN) == DDR_INT_MIN && ddr_iabs(DDR_INT_MIN) == DDR_INT_MIN);
  CHECK(ddr_idiv(7, 0) == 0 && ddr_imod(7, 0) == 0);
  CHECK(ddr_idiv(DDR_INT_MIN, -1) == DDR_INT_MIN && ddr_imod(DDR_INT_MIN, -1) == 0);
  CHECK(ddr_idiv(-7, 2) == -3 && ddr_imod(-7, 2) == -1);
}

static void powers(void) {
  CHECK(ddr_powi(0, 0) == 1 && ddr_powi(2, 10) == 1024 && ddr_powi(2, -2) == DDR_R(0.25));
  CHECK(ddr_powi(-3, 3) == -27 && isinf(ddr_powi(0, -1)));
}

static void sign_and_conversion(void) {
  CHECK(ddr_sign((ddr_real)NAN) == 0 && ddr_sign(DDR_R(-0.0)) == 0 && ddr_sign(-2) == -1);
  CHECK(ddr_int_from_real((ddr_real)NAN) == 0);
  CHECK(ddr_int_from_real((ddr_real)INFINITY) == DDR_INT_MAX);
  CHECK(ddr_int_from_real((ddr_real)-INFINITY) == DDR_INT_MIN);
  CHECK(ddr_int_from_real(DDR_R(-2.75)) == -2);
}

/* The table of the border rules, and that every rule stays in range for every size. */
static void borders(void) {
  static const int mirrored[] = {3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0};
  for (int k = 0; k < 12; k++) CHECK_EQ(ddr_border_mirror(k - 4, 4), mirrored[k]);
  for (int64_t n = 1; n <= 5; n++) {
    for (int64_t idx = -13; idx <= 13; idx++) {
      const int64_t wrapped = ddr_border_wrap(idx, n);
      CHECK(wrapped >= 0 && wrapped < n && (idx - wrapped) % n == 0);
      CHECK_EQ(ddr_border_clamp(idx, n), idx < 0 ? 0 : idx >= n ? n - 1 : idx);
      const int64_t mirror = ddr_border_mirror(idx, n);
      CHECK(mirror >= 0 && mirror < n);
      CHECK_EQ(mirror, ddr_border_mirror(-1 - idx, n));
      for (int64_t width = 2; width <= 6; width += 2) {
        const int64_t corner = ddr_border_corner(idx, width, n);
        CHECK(corner == 0 || (corner > 0 && corner + width <= n));
      }
    }
  }
}

int main(void) {
  RUN(min_and_max_keep_the_first_nan);
  RUN(clamp_takes_lo_hi_x);
  RUN(integers_wrap_and_never_trap);
  RUN(powers);
  RUN(sign_and_conversion);
  RUN(borders);
  return test_result();
}
