/* Power series: algebra, functions by their identities, derivatives of polynomials, and error
 * bounds.
 */
#include "tests/oracle/taylor.h"

#include "tests/unit/test.h"

static const double unit = 0x1p-53;

/* 0.3 + x - 2 y z + x^2 ..: every term occurs. */
static Taylor sample(const TaylorSpace *sp, double at) {
  Taylor u = taylor_const(at, 0);
  for (uint32_t i = 1; i < sp->n_terms; i++) u.c[i] = ((double)(i * 7 % 5) - 2.25) / 4;
  return u;
}

static void check_same(const TaylorSpace *sp, const Taylor *found, const Taylor *want) {
  for (uint32_t i = 0; i < sp->n_terms; i++) {
    CHECK_NEAR(found->c[i], want->c[i], 8 * (found->error[i] + want->error[i]) + unit);
    CHECK(found->error[i] < 1e-9);
  }
}

static void terms_are_counted_by_degree(void) {
  static const uint32_t counts[4][5] = {
      {1, 1, 1, 1, 1}, {1, 2, 3, 4, 5}, {1, 3, 6, 10, 15}, {1, 4, 10, 20, 35}};
  for (uint32_t n = 0; n <= 3; n++)
    for (uint32_t order = 0; order <= 4; order++) {
      const TaylorSpace sp = taylor_space(n, order, unit);
      CHECK_EQ(sp.n_terms, counts[n][order]);
      for (uint32_t i = 1; i < sp.n_terms; i++) CHECK(sp.degree[i] >= sp.degree[i - 1]);
    }
  CHECK_EQ(taylor_space(3, TAYLOR_ORDER, unit).n_terms, TAYLOR_TERMS);
}

static void division_undoes_multiplication(void) {
  for (uint32_t n = 0; n <= 3; n++) {
    const TaylorSpace sp = taylor_space(n, 5, unit);
    const Taylor a = sample(&sp, -0.7), b = sample(&sp, 1.9), product = taylor_mul(&sp, &a, &b);
    const Taylor back = taylor_div(&sp, &product, &b);
    check_same(&sp, &back, &a);
  }
}

static void functions_obey_their_identities(void) {
  for (uint32_t n = 0; n <= 3; n++) {
    const TaylorSpace sp = taylor_space(n, 5, unit);
    const Taylor u = sample(&sp, 0.4), one = taylor_const(1, 0), minus = taylor_neg(&sp, &u);
    const Taylor sine = taylor_sin(&sp, &u), cosine = taylor_cos(&sp, &u);
    const Taylor tangent = taylor_tan(&sp, &u), quotient = taylor_div(&sp, &sine, &cosine);
    check_same(&sp, &tangent, &quotient);
    Taylor back = taylor_asin(&sp, &sine);
    check_same(&sp, &back, &u);
    back = taylor_acos(&sp, &cosine);
    check_same(&sp, &back, &u);
    back = taylor_atan(&sp, &tangent);
    check_same(&sp, &back, &u);
    const Taylor root = taylor_sqrt(&sp, &u);
    back = taylor_mul(&sp, &root, &root);
    check_same(&sp, &back, &u);
    const Taylor grown = taylor_exp(&sp, &u), shrunk = taylor_exp(&sp, &minus);
    back = taylor_mul(&sp, &grown, &shrunk);
    check_same(&sp, &back, &one);
    const Taylor sum = taylor_add(&sp, &u, &u), double_sine = taylor_sin(&sp, &sum);
    const Taylor half = taylor_mul(&sp, &sine, &cosine), twice = taylor_add(&sp, &half, &half);
    check_same(&sp, &double_sine, &twice);
    const Taylor fifth = taylor_pow(&sp, &u, 5), inverse = taylor_pow(&sp, &u, -5);
    back = taylor_mul(&sp, &fifth, &inverse);
    check_same(&sp, &back, &one);
  }
}

/* x^2 y + 3 z at (2, 3, 5) */
static void coefficients_are_derivatives(void) {
  const TaylorSpace sp = taylor_space(3, 3, unit);
  const Taylor x = taylor_var(2, 0, 0), y = taylor_var(3, 0, 1), z = taylor_var(5, 0, 2);
  const Taylor square = taylor_pow(&sp, &x, 2), product = taylor_mul(&sp, &square, &y);
  const Taylor three = taylor_const(3, 0), rest = taylor_mul(&sp, &three, &z);
  const Taylor f = taylor_add(&sp, &product, &rest);
  CHECK_EQ(f.c[0], 27);
  CHECK_EQ(f.c[sp.term[1][0][0]], 12);
  CHECK_EQ(f.c[sp.term[0][1][0]], 4);
  CHECK_EQ(f.c[sp.term[0][0][1]], 3);
  CHECK_EQ(f.c[sp.term[2][0][0]], 3);
  CHECK_EQ(f.c[sp.term[1][1][0]], 4);
  CHECK_EQ(f.c[sp.term[2][1][0]], 1);
  const Taylor along_x = taylor_derivative(&sp, &f, 0), mixed = taylor_derivative(&sp, &along_x, 1);
  CHECK_EQ(along_x.c[0], 12);
  CHECK_EQ(mixed.c[0], 4);
  CHECK_EQ(mixed.c[sp.term[1][0][0]], 2);
}

/* sin(u) with u substituted, and sin's series in one variable substituted into that of u. */
static void substitution_is_composition(void) {
  const TaylorSpace sp = taylor_space(2, 5, unit), line = taylor_space(1, 5, unit);
  const Taylor u = sample(&sp, 0.4), t = taylor_var(0.4, 0, 0), wave = taylor_sin(&line, &t);
  const Taylor found = taylor_substitute(&sp, &line, &wave, &u), want = taylor_sin(&sp, &u);
  check_same(&sp, &found, &want);
}

static void corners_take_the_mean(void) {
  const TaylorSpace sp = taylor_space(1, 2, unit);
  const Taylor zero = taylor_var(0, 0, 0), below = taylor_var(-2, 0, 0), near = taylor_var(0, 1, 0);
  CHECK_EQ(taylor_abs(&sp, &zero).c[1], 0);
  CHECK_EQ(taylor_abs(&sp, &below).c[1], -1);
  CHECK_EQ(taylor_abs(&sp, &below).c[0], 2);
  CHECK(isinf(taylor_abs(&sp, &near).error[1]));
  CHECK(!isinf(taylor_abs(&sp, &near).error[0]));
  const Taylor lo = taylor_const(-1, 0), hi = taylor_const(1, 0);
  CHECK_EQ(taylor_clamp(&sp, &lo, &hi, &zero).c[1], 1);
  CHECK_EQ(taylor_clamp(&sp, &lo, &hi, &below).c[0], -1);
  CHECK_EQ(taylor_clamp(&sp, &lo, &hi, &below).c[1], 0);
  CHECK_EQ(taylor_max(&sp, &below, &lo).c[0], -1);
  CHECK_EQ(taylor_min(&sp, &below, &lo).c[1], 1);
}

/* The bound of a cancelling sum accounts for the terms that cancelled. */
static void bounds_remember_cancellation(void) {
  const TaylorSpace sp = taylor_space(0, 0, unit);
  const Taylor big = taylor_const(1e10 / 3, 1e10 * unit), small = taylor_const(1.0 / 3, 0);
  const Taylor sum = taylor_add(&sp, &big, &small), left = taylor_sub(&sp, &sum, &big);
  CHECK(left.error[0] >= fabs(left.c[0] - small.c[0]));
  CHECK(left.error[0] >= 1e10 * unit && left.error[0] < 1e-4);
  const Taylor zero = taylor_const(1e-20, 1e-18);
  CHECK(isinf(taylor_div(&sp, &small, &zero).error[0]));
}

/* |0| has no direction: 0 times the inverse of 0 is NaN. */
static void nothing_over_nothing_is_no_number(void) {
  for (uint32_t order = 0; order <= 2; order++) {
    const TaylorSpace sp = taylor_space(1, order, unit);
    const Taylor zero = taylor_const(0, 0), one = taylor_const(1, 0);
    const Taylor root = taylor_sqrt(&sp, &zero), inverse = taylor_div(&sp, &one, &root);
    CHECK_EQ(root.c[0], 0);
    CHECK(isinf(inverse.c[0]));
    CHECK(isnan(taylor_mul(&sp, &zero, &inverse).c[0]));
  }
}

int main(void) {
  RUN(terms_are_counted_by_degree);
  RUN(division_undoes_multiplication);
  RUN(functions_obey_their_identities);
  RUN(coefficients_are_derivatives);
  RUN(substitution_is_composition);
  RUN(corners_take_the_mean);
  RUN(bounds_remember_cancellation);
  RUN(nothing_over_nothing_is_no_number);
  return test_result();
}
