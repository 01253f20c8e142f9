/* The edge rules of scalar.h and tensor.h, at the precision the build chooses. */
#include "ddr/image.h"
#include "ddr/tensor.h"
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
  CHECK(ddr_iclamp(2, 1, 2) == 2 && ddr_iclamp(0, 9, 12) == 9);
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
  CHECK(ddr_ipow(3, 4) == 81 && ddr_ipow(-1, -3) == -1 && ddr_ipow(2, -1) == 0);
  CHECK(ddr_ipow(0, -1) == 0 && ddr_ipow(5, 0) == 1);
}

static void sign_lerp_and_conversion(void) {
  CHECK(ddr_sign((ddr_real)NAN) == 0 && ddr_sign(DDR_R(-0.0)) == 0 && ddr_sign(-2) == -1);
  CHECK(ddr_clerp(1, 0, DDR_R(0.5)) == DDR_R(0.5)); /* decreasing end points */
  CHECK(ddr_clerp(1, 0, 7) == 0 && ddr_lerp(1, 0, 2) == -1);
  CHECK(ddr_int_from_real((ddr_real)NAN) == 0);
  CHECK(ddr_int_from_real((ddr_real)INFINITY) == DDR_INT_MAX);
  CHECK(ddr_int_from_real((ddr_real)-INFINITY) == DDR_INT_MIN);
  CHECK(ddr_int_from_real(DDR_R(-2.75)) == -2);
}

static void inverse_times_matrix_is_identity(void) {
  const ddr_real m2[4] = {2, 1, -1, 3}, m3[9] = {2, 1, 0, -1, 3, 1, DDR_R(0.5), 0, 4};
  ddr_real inverse2[4], inverse3[9];
  ddr_inv2(m2, inverse2);
  ddr_inv3(m3, inverse3);
  for (int row = 0; row < 3; row++) {
    for (int col = 0; col < 3; col++) {
      double sum2 = 0, sum3 = 0;
      for (int k = 0; k < 2; k++) {
        sum2 += (double)(inverse2[(2 * row + k) % 4] * m2[(2 * k + col) % 4]);
      }
      for (int k = 0; k < 3; k++) sum3 += (double)(inverse3[3 * row + k] * m3[3 * k + col]);
      if (row < 2 && col < 2) CHECK_NEAR(sum2, row == col, 1e-6);
      CHECK_NEAR(sum3, row == col, 1e-6);
    }
  }
  CHECK_NEAR((double)ddr_det3(m3), 28.5, 1e-5); /* by hand: 2*12 - 1*(-4 - 0.5) */
}

static void norms(void) {
  const ddr_real v[3] = {2, -3, 6}, zero[3] = {0, 0, 0};
  ddr_real unit[3];
  CHECK(ddr_norm(3, v) == 7);
  ddr_normalize(3, v, unit);
  CHECK_NEAR((double)unit[2], 6.0 / 7, 1e-6);
  ddr_normalize(3, zero, unit);
  CHECK(isnan(unit[0]) && isnan(unit[1]) && isnan(unit[2]));
}

/* The table of the border rules, and every rule in range for every size. */
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
  RUN(sign_lerp_and_conversion);
  RUN(inverse_times_matrix_is_identity);
  RUN(norms);
  RUN(borders);
  return test_result();
}
