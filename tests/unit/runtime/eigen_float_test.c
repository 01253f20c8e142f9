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

/* Vectors point where those of the host do, which are computed in double. */
static void check_signs(const float m[6]) {
  const struct nine e = DDR_EVECS3(struct nine, m[0], m[1], m[2], m[3], m[4], m[5]);
  const ddr_eigen3d host = ddr_eigen3((ddr_sym3d){(double)m[0], (double)m[1], (double)m[2],
                                                  (double)m[3], (double)m[4], (double)m[5]});
  const ddr_vec3d vectors[3] = {host.vectors.first, host.vectors.second, host.vectors.third};
  for (size_t n = 0; n < 3; n++) {
    const float *v = &e.v[3 * n];
    const ddr_vec3d w = vectors[n];
    CHECK_NEAR((double)v[0] * w.x + (double)v[1] * w.y + (double)v[2] * w.z, 1, 1e-4);
  }
}

/* A matrix with eigenvalues 3, 1 and -2 or -4 whose vectors are not near a plane of the axes. */
static void signs_are_those_of_the_host(void) {
  random_state = 11;
  for (int n = 0; n < 3000; n++) {
    const double x[3] = {uniform(), uniform(), uniform()};
    double y[3] = {uniform(), uniform(), uniform()};
    const double xx = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    const double xy = (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]) / xx;
    for (int k = 0; k < 3; k++) y[k] -= xy * x[k];
    const double yy = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
    if (xx < 0.01 || yy < 0.01 || y[2] * y[2] < 1e-4 * yy) continue;
    const double last = n % 2 ? -2 : -4; /* 3 x x + last y y, and 1 for the third vector */
    float m[6];
    for (int i = 0, at = 0; i < 3; i++)
      for (int k = i; k < 3; k++, at++)
        m[at] = (float)((i == k) + (n % 4 < 2 ? 2 : last - 1) * x[i] * x[k] / xx +
                        (n % 4 < 2 ? last - 1 : 2) * y[i] * y[k] / yy);
    check_signs(m);
  }
}

/* Where one vector is an axis, components are exactly 0. */
static void signs_at_axes(void) {
  const float values[6][3] = {{3, 1, -4}, {3, -4, 1}, {1, 3, -4},
                              {1, -4, 3}, {-4, 3, 1}, {-4, 1, 3}};
  for (int n = 0; n < 18; n++) {
    const float *v = values[n % 6], off = 0.5f * (float)(n / 6 - 1);
    check_signs((const float[6]){v[0], off, 0, v[1], 0, v[2]});
    check_signs((const float[6]){v[0], 0, off, v[1], 0, v[2]});
    check_signs((const float[6]){v[0], 0, 0, v[1], off, v[2]});
  }
}

/* The middle vector is off the plane of x and y by only a few times what rounding moves it. */
static void signs_near_a_plane(void) {
  random_state = 12;
  for (int n = 0; n < 4000; n++) {
    const double z = (n % 2 ? 1 : -1) * 1e-7 * (5 + n % 15), in_plane = sqrt(1 - z * z);
    const double t = 3 * uniform(), turn = 3 * uniform(), c = cos(turn), s = sin(turn);
    const double side[3] = {-sin(t), cos(t), 0};
    const double up[3] = {-z * cos(t), -z * sin(t), in_plane};
    double first[3], last[3];
    for (int k = 0; k < 3; k++) {
      first[k] = c * side[k] + s * up[k];
      last[k] = c * up[k] - s * side[k];
    }
    float m[6];
    for (int i = 0, at = 0; i < 3; i++)
      for (int k = i; k < 3; k++, at++)
        m[at] = (float)((n % 4 < 2 ? 3 : 2) * first[i] * first[k] + (i == k) -
                        (n % 4 < 2 ? 2 : 3) * last[i] * last[k]);
    check_signs(m);
  }
}

/* The middle vector is in the plane, but rounding may raise it, the more, the nearer the eigenvalue
 * of the axis is. */
static void signs_in_a_plane(void) {
  random_state = 13;
  for (int n = 0; n < 4000; n++) {
    const double gap = pow(10, -(2 + n % 13) / 4.0), size = n % 2 ? 1 : -1, t = 3 * uniform();
    const double c = cos(t), s = sin(t), middle = size * (gap - 0.5);
    check_signs((const float[6]){
        (float)(size * c * c + middle * s * s), (float)((size - middle) * c * s), 0,
        (float)(size * s * s + middle * c * c), 0, (float)(size * (-0.5 - gap))});
  }
}

int main(void) {
  run_suite();
  RUN(signs_near_a_plane);
  RUN(signs_in_a_plane);
  RUN(signs_are_those_of_the_host);
  RUN(signs_at_axes);
  RUN(planes);
  RUN(planes_without_axes);
  RUN(nan_gives_nan_in_a_plane);
  return test_result();
}
