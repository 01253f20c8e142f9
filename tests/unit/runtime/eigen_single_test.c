/* Eigensystems of floats: within a few float roundings of the accurate ones of eigen.h, for
 * matrices of every scale and with eigenvalues at every distance.  eigen_float_test.c checks the
 * same for devices. */
#include "tests/unit/runtime/symmetric.h"
#include "tests/unit/test.h"

struct three {
  float v[3];
};
struct nine {
  float v[9];
};

static const double tolerance = 4 * 1.1920928955078125e-7;

static double dot(const float *a, const float *b) {
  double sum = 0;
  for (int k = 0; k < 3; k++) sum += (double)a[k] * (double)b[k];
  return sum;
}

/* M e = lambda e, in units of the largest entry. */
static void check_residual(const float m[6], double size, double lambda, const float *e) {
  for (int i = 0; i < 3; i++) {
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += (double)m[symmetric_at[i][k]] / size * (double)e[k];
    CHECK_NEAR(sum, lambda / size * (double)e[i], tolerance);
  }
}

static void check_system(const float m[6]) {
  const struct three lambda = DDR_EVALS3(struct three, m[0], m[1], m[2], m[3], m[4], m[5]);
  const struct nine e = DDR_EVECS3(struct nine, m[0], m[1], m[2], m[3], m[4], m[5]);
  double exact[3], vectors[3][3], whole[6], size = 0;
  for (int k = 0; k < 6; k++) {
    whole[k] = (double)m[k];
    size = fmax(size, fabs(whole[k]));
  }
  system_of_3(whole, exact, vectors);
  for (size_t n = 0; n < 3; n++) {
    CHECK_NEAR((double)lambda.v[n] / size, exact[n] / size, tolerance);
    check_residual(m, size, (double)lambda.v[n], &e.v[3 * n]);
    for (size_t k = n; k < 3; k++) CHECK_NEAR(dot(&e.v[3 * n], &e.v[3 * k]), n == k, tolerance);
  }
  CHECK(lambda.v[0] >= lambda.v[1] && lambda.v[1] >= lambda.v[2]);
  const double across = (double)e.v[3] * (double)e.v[7] - (double)e.v[4] * (double)e.v[6];
  CHECK_NEAR((double)e.v[2], across, 2 * tolerance); /* right-handed */
}

static void random_matrices_at_all_scales(void) {
  random_state = 7;
  for (int n = 0; n < 3000; n++) {
    const double scale = pow(10, (n % 9 - 4) * 8);
    float m[6];
    for (int k = 0; k < 6; k++) m[k] = (float)(scale * uniform());
    check_system(m);
  }
  const float most[6] = {1e38f, -1e38f, 1e38f, 1e38f, 0, 1};
  check_system(most);
}

/* Two or three eigenvalues at any distance from 0 to 1, in any frame. */
static void nearly_equal_eigenvalues(void) {
  random_state = 8;
  for (int n = 0; n < 4000; n++) {
    const double gap = n % 36 < 2 ? 0 : pow(10, -(n % 36) / 4.0);
    double exact[6];
    float m[6];
    nearly_equal(n, gap, exact);
    for (int k = 0; k < 6; k++) m[k] = (float)exact[k];
    check_system(m);
  }
}

static void small_integers(void) {
  for (int code = 1; code < 729; code++) {
    float m[6];
    for (int k = 0, rest = code; k < 6; k++, rest /= 3) m[k] = (float)(rest % 3 - 1);
    check_system(m);
  }
}

/* If all three eigenvalues are equal, there is no vector to normalise. */
static void multiples_of_the_identity(void) {
  for (int n = -40; n <= 40; n++) {
    const float x = n == 0 ? 0 : 1 + 1.0f / (float)n;
    const struct three lambda = DDR_EVALS3(struct three, x, 0, 0, x, 0, x);
    const struct nine e = DDR_EVECS3(struct nine, x, 0, 0, x, 0, x);
    for (int k = 0; k < 3; k++) CHECK(lambda.v[k] == x);
    for (int k = 0; k < 9; k++) CHECK(e.v[k] == (k % 4 == 0));
  }
}

static void nan_gives_nan(void) {
  for (int at = 0; at < 6; at++) {
    float m[6] = {1, 2, 3, 4, 5, 6};
    m[at] = at % 2 ? NAN : INFINITY;
    const struct three lambda = DDR_EVALS3(struct three, m[0], m[1], m[2], m[3], m[4], m[5]);
    const struct nine e = DDR_EVECS3(struct nine, m[0], m[1], m[2], m[3], m[4], m[5]);
    for (int k = 0; k < 9; k++) CHECK(isnan(lambda.v[k % 3]) && isnan(e.v[k]));
  }
  const struct three lambda = DDR_EVALS3(struct three, 1, 2, INFINITY, 4, 5, 6);
  for (int k = 0; k < 3; k++) CHECK(isnan(lambda.v[k]));
}

/* A single entry that is not finite must not turn results into zeros. */
static void infinities_alone(void) {
  for (int code = 0; code < 12; code++) {
    float m[6] = {0};
    m[code % 6] = code < 6 ? INFINITY : NAN;
    const struct three lambda = DDR_EVALS3(struct three, m[0], m[1], m[2], m[3], m[4], m[5]);
    const struct nine e = DDR_EVECS3(struct nine, m[0], m[1], m[2], m[3], m[4], m[5]);
    for (int k = 0; k < 9; k++) CHECK(isnan(lambda.v[k % 3]) && isnan(e.v[k]));
  }
}

static void run_suite(void) {
  RUN(random_matrices_at_all_scales);
  RUN(nearly_equal_eigenvalues);
  RUN(small_integers);
  RUN(multiples_of_the_identity);
  RUN(nan_gives_nan);
  RUN(infinities_alone);
}

#if !defined(DDR_SHIM)
int main(void) {
  run_suite();
  return test_result();
}
#endif
