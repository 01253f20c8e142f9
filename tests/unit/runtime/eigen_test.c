/* Eigensystems: residual, orthonormality, order and handedness on many matrices, including
 * degenerate ones and extreme scales; and published values. */
#include "tests/unit/runtime/symmetric.h"
#include "tests/unit/test.h"

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Properties for every finite matrix: M e = lambda e, frames, order.  The bound is in roundings. */
static void check3(const double m[6]) {
  double lambda[3], e[3][3], size = 0;
  system_of_3(m, lambda, e);
  for (int k = 0; k < 6; k++) size = fmax(size, fabs(m[k]));
  const double tolerance = 32 * 2.220446049250313e-16;
  for (int n = 0; n < 3; n++) {
    for (int i = 0; i < 3; i++) {
      double sum = 0;
      for (int k = 0; k < 3; k++) sum += size > 0 ? m[symmetric_at[i][k]] / size * e[n][k] : 0;
      CHECK_NEAR(sum, size > 0 ? lambda[n] / size * e[n][i] : 0, tolerance);
    }
    for (int k = n; k < 3; k++) CHECK_NEAR(dot(e[n], e[k]), n == k, tolerance);
  }
  const double cross[3] = {e[0][1] * e[1][2] - e[0][2] * e[1][1],
                           e[0][2] * e[1][0] - e[0][0] * e[1][2],
                           e[0][0] * e[1][1] - e[0][1] * e[1][0]};
  CHECK_NEAR(dot(cross, e[2]), 1, tolerance);
  CHECK(lambda[0] >= lambda[1] && lambda[1] >= lambda[2]);
}

static void check2(const double m[3]) {
  double lambda[2], e[4], size = 0;
  system_of_2(m, lambda, e);
  for (int k = 0; k < 3; k++) size = fmax(size, fabs(m[k]));
  const double tolerance = 16 * 2.220446049250313e-16;
  for (size_t n = 0; n < 2 && size > 0; n++) {
    const double x = e[2 * n], y = e[2 * n + 1], at = lambda[n] / size;
    CHECK_NEAR(m[0] / size * x + m[1] / size * y, at * x, tolerance);
    CHECK_NEAR(m[1] / size * x + m[2] / size * y, at * y, tolerance);
    CHECK_NEAR(x * x + y * y, 1, tolerance);
  }
  CHECK_NEAR(e[0] * e[3] - e[1] * e[2], 1, tolerance);
  CHECK_NEAR(e[0] * e[2] + e[1] * e[3], 0, tolerance);
  CHECK(lambda[0] >= lambda[1]);
}

static void random_matrices_at_all_scales(void) {
  random_state = 7;
  for (int n = 0; n < 3000; n++) {
    const double scale = pow(10, (n % 9 - 4) * 5);
    double m[6];
    for (int k = 0; k < 6; k++) m[k] = scale * uniform();
    check3(m);
    check2(m);
  }
  const double least[6] = {3e-300, 0, 1e-300, -1e-300, 0, 0};
  const double most[6] = {5e307, -5e307, 5e307, 5e307, 0, 1};
  check3(least);
  check3(most);
  check2(least);
  check2(most);
}

/* Two or three eigenvalues at any distance from 0 to 1, in any frame. */
static void nearly_equal_eigenvalues(void) {
  random_state = 8;
  for (int n = 0; n < 3000; n++) {
    const double gap = n % 18 == 0 ? 0 : pow(10, -(n % 18));
    double m[6];
    nearly_equal(n, gap, m);
    check3(m);
    const double plane[3] = {1, gap, 1 - gap / 3};
    check2(plane);
  }
}

static void small_integers(void) {
  for (int code = 0; code < 729; code++) {
    double m[6];
    for (int k = 0, rest = code; k < 6; k++, rest /= 3) m[k] = rest % 3 - 1;
    check3(m);
    check2(m);
  }
}

/* The signs are as published, although programs must not rely on them. */
static void reference_values(void) {
  static const struct {
    double m[6], lambda[3], e[9];
  } rows[] = {
      {{4, 1, 0, 3, 1, 2},
       {4.732050808, 3, 1.267949192},
       {0.788675, 0.57735, 0.211325, 0.57735, -0.57735, -0.57735, -0.211325, 0.57735, -0.788675}},
      {{2, 0, 0, 2, 0, 5}, {5, 2, 2}, {0, 0, 1, 0.707107, -0.707107, 0, 0.707107, 0.707107, 0}},
      {{3, 0, 0, 2, 0, 1}, {3, 2, 1}, {-1, 0, 0, 0, -1, 0, 0, 0, 1}},
  };
  double lambda[3], e[3][3], flat[4];
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
    system_of_3(rows[row].m, lambda, e);
    for (int k = 0; k < 3; k++) CHECK_NEAR(lambda[k], rows[row].lambda[k], 1e-9);
    for (int k = 0; k < 9; k++) CHECK_NEAR(e[k / 3][k % 3], rows[row].e[k], 1e-6);
  }
  system_of_2((const double[3]){2, 1, 3}, lambda, flat);
  const double want[4] = {0.525731112, 0.850650808, -0.850650808, 0.525731112};
  CHECK_NEAR(lambda[0], 3.618033989, 1e-9);
  CHECK_NEAR(lambda[1], 1.381966011, 1e-9);
  for (int k = 0; k < 4; k++) CHECK_NEAR(flat[k], want[k], 1e-9);
  system_of_2((const double[3]){1, 0, 3}, lambda, flat);
  CHECK(flat[0] == 0 && flat[1] == 1 && flat[2] == -1 && flat[3] == 0);
  /* An absolute test would see no gap. */
  system_of_2((const double[3]){2e-3, 0, 1e-3}, lambda, flat);
  CHECK_NEAR(lambda[0], 2e-3, 1e-18);
}

static void nan_gives_nan(void) {
  for (int at = 0; at < 6; at++) {
    double m[6] = {1, 2, 3, 4, 5, 6}, lambda[3], e[3][3], flat[4];
    m[at] = at % 2 ? (double)NAN : (double)INFINITY;
    system_of_3(m, lambda, e);
    for (int k = 0; k < 9; k++) CHECK(isnan(lambda[k % 3]) && isnan(e[k / 3][k % 3]));
    if (at >= 3) continue;
    system_of_2(m, lambda, flat);
    for (int k = 0; k < 4; k++) CHECK(isnan(lambda[k % 2]) && isnan(flat[k]));
  }
}

static void results_as_structs(void) {
  struct three {
    ddr_real v[3];
  };
  struct nine {
    ddr_real v[9];
  };
  const struct three lambda = DDR_EVALS3(struct three, 3, 0, 0, 2, 0, 1);
  const struct nine e = DDR_EVECS3(struct nine, 3, 0, 0, 2, 0, 1);
  for (int k = 0; k < 3; k++) CHECK_NEAR((double)lambda.v[k], 3 - k, 1e-15);
  for (int k = 0; k < 9; k++) {
    CHECK_NEAR((double)e.v[k], k % 4 != 0 ? 0 : k == 8 ? 1 : -1, 1e-15);
  }
}

int main(void) {
  RUN(random_matrices_at_all_scales);
  RUN(nearly_equal_eigenvalues);
  RUN(small_integers);
  RUN(reference_values);
  RUN(nan_gives_nan);
  RUN(results_as_structs);
  return test_result();
}
