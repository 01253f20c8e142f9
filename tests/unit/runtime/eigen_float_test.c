/* The float eigensystems of devices, in single precision throughout: the checks of
 * eigen_single_test.c for the host, and matrices of two rows. */
#define DDR_SHIM
#include "tests/unit/runtime/eigen_single_test.c"

struct two {
  float v[2];
};
struct four {
  float v[4];
};

static void check_plane(float m00, float m01, float m11) {
  const struct two lambda = DDR_EVALS2(struct two, m00, m01, m11);
  const struct four e = DDR_EVECS2(struct four, m00, m01, m11);
  const double m[3] = {(double)m00, (double)m01, (double)m11};
  double exact[2], vectors[4];
  system_of_2(m, exact, vectors);
  const double size = fmax(fabs(m[0]), fmax(fabs(m[1]), fabs(m[2])));
  for (size_t n = 0; n < 2; n++) {
    const double x = (double)e.v[2 * n], y = (double)e.v[2 * n + 1];
    const double value = (double)lambda.v[n] / size;
    CHECK_NEAR(value, exact[n] / size, tolerance);
    CHECK_NEAR(m[0] / size * x + m[1] / size * y, value * x, tolerance);
    CHECK_NEAR(m[1] / size * x + m[2] / size * y, value * y, tolerance);
    CHECK_NEAR(x * x + y * y, 1, tolerance);
  }
  CHECK(e.v[0] == e.v[3] && e.v[1] == -e.v[2]); /* orthogonal, and right-handed */
  CHECK(lambda.v[0] >= lambda.v[1]);
}

static void planes(void) {
  random_state = 9;
  for (int n = 0; n < 3000; n++) {
    const double scale = pow(10, (n % 9 - 4) * 8), gap = pow(10, -(n % 36) / 4.0);
    check_plane((float)(scale * uniform()), (float)(scale * uniform()), (float)(scale * uniform()));
    check_plane(1, (float)(gap * uniform()), (float)(1 + gap * uniform()));
  }
  for (int n = 1; n < 27; n++)
    check_plane((float)(n % 3 - 1), (float)(n / 3 % 3 - 1), (float)(n / 9 - 1));
  check_plane(1e38f, -1e38f, 1e38f);
}

static void planes_without_axes(void) {
  const float rows[3][3] = {{2, 0, 2}, {0, 0, 0}, {-1e-40f, 0, -1e-40f}};
  for (int n = 0; n < 3; n++) {
    const struct two lambda = DDR_EVALS2(struct two, rows[n][0], rows[n][1], rows[n][2]);
    const struct four e = DDR_EVECS2(struct four, rows[n][0], rows[n][1], rows[n][2]);
    for (int k = 0; k < 2; k++) CHECK(lambda.v[k] == rows[n][0]);
    for (int k = 0; k < 4; k++) CHECK(e.v[k] == (k % 3 == 0));
  }
}

static void nan_gives_nan_in_a_plane(void) {
  for (int code = 0; code < 6; code++) {
    float m[3] = {1, 2, 3};
    m[code % 3] = code < 3 ? NAN : INFINITY;
    const struct two lambda = DDR_EVALS2(struct two, m[0], m[1], m[2]);
    const struct four e = DDR_EVECS2(struct four, m[0], m[1], m[2]);
    for (int k = 0; k < 4; k++) CHECK(isnan(lambda.v[k % 2]) && isnan(e.v[k]));
  }
}

int main(void) {
  run_suite();
  RUN(planes);
  RUN(planes_without_axes);
  RUN(nan_gives_nan_in_a_plane);
  return test_result();
}
