/* The functions of all forms by name, on a few numbers, against the same expressions in C. */
#include "runtime/transform/transform.h"
#include "tests/unit/test.h"

enum { N = 4 };

static const double xs[N] = {9, -4, 2, 0.5}, ys[N] = {2, 3, 2, -8};
static const double a = 2, b = 3;
static double x_data[N], y_data[N], real_data[N];
static bool p_data[N], q_data[N], truth_data[N];
static ddr_ndview x_view, y_view, p_view, q_view, reals, truths;

static ddr_ndview view_of(ddr_element type, void *data) {
  return (ddr_ndview){type, data, {1, 0, {N}, {1}}, DDR_HOST, NULL};
}

static void reset(void) {
  for (int k = 0; k < N; k++) {
    x_data[k] = xs[k], y_data[k] = ys[k], real_data[k] = -77;
    p_data[k] = k % 2, q_data[k] = k / 2, truth_data[k] = false;
  }
}

/* After the call, `result` has the values of the expression in x and y, or p and q. */
#define CHECK_FORM(call, result, expression)                                                       \
  do {                                                                                             \
    reset();                                                                                       \
    CHECK_EQ(call, DDR_ARRAY_OK);                                                                  \
    for (int k = 0; k < N; k++) {                                                                  \
      const double x = xs[k], y = ys[k];                                                           \
      const bool p = k % 2, q = k / 2;                                                             \
      (void)x, (void)y, (void)p, (void)q;                                                          \
      CHECK_NEAR((double)(result)[k], (double)(expression), 1e-12);                                \
    }                                                                                              \
  } while (0)

#define REAL_V(name, expression)                                                                   \
  CHECK_FORM(ddr_transform_##name(&x_view, &reals, 1), real_data, expression)
#define REAL_V_V(name, expression)                                                                 \
  CHECK_FORM(ddr_transform_##name(&x_view, &y_view, &reals, 1), real_data, expression)
#define REAL_V_S(name, expression)                                                                 \
  CHECK_FORM(ddr_transform_##name(&x_view, number, &reals, 1), real_data, expression)
#define REAL_S_V(name, expression)                                                                 \
  CHECK_FORM(ddr_transform_##name(number, &x_view, &reals, 1), real_data, expression)
#define IN_V_V(name, expression)                                                                   \
  CHECK_FORM(ddr_transform_##name(&x_view, &y_view, 1), x_data, expression)
#define IN_V_S(name, expression)                                                                   \
  CHECK_FORM(ddr_transform_##name(&x_view, number, 1), x_data, expression)
#define TRUTH_V_V(name, expression)                                                                \
  CHECK_FORM(ddr_transform_##name(&x_view, &y_view, &truths, 1), truth_data, expression)
#define TRUTH_V_S(name, expression)                                                                \
  CHECK_FORM(ddr_transform_##name(&x_view, number, &truths, 1), truth_data, expression)

static void sums_and_products(void) {
  const ddr_number number = ddr_number_real(a);
  REAL_V_V(add, x + y);
  REAL_V_V(sub, x - y);
  REAL_V_V(mul, x * y);
  REAL_V_V(div, x / y);
  REAL_V_S(add_scalar, x + a);
  REAL_V_S(sub_scalar, x - a);
  REAL_V_S(mul_scalar, x * a);
  REAL_V_S(div_scalar, x / a);
  REAL_S_V(scalar_add, a + x);
  REAL_S_V(scalar_sub, a - x);
  REAL_S_V(scalar_mul, a * x);
  REAL_S_V(scalar_div, a / x);
  CHECK_FORM(ddr_transform_lincomb(number, &x_view, ddr_number_real(b), &y_view, &reals, 1),
             real_data, a * x + b * y);
}

static void in_place(void) {
  const ddr_number number = ddr_number_real(a);
  IN_V_V(inplace_add, x + y);
  IN_V_V(inplace_sub, x - y);
  IN_V_V(inplace_mul, x * y);
  IN_V_V(inplace_div, x / y);
  IN_V_S(inplace_add_scalar, x + a);
  IN_V_S(inplace_sub_scalar, x - a);
  IN_V_S(inplace_mul_scalar, x * a);
  IN_V_S(inplace_div_scalar, x / a);
}

static void functions(void) {
  const ddr_number number = ddr_number_real(a);
  REAL_V_V(cwise_max, fmax(x, y));
  REAL_V_V(cwise_min, fmin(x, y));
  REAL_V_S(maximum, fmax(x, a));
  REAL_V_S(minimum, fmin(x, a));
  REAL_V_S(clip_above, fmin(fmax(x, 0), a));
  CHECK_FORM(ddr_transform_clip(&x_view, number, ddr_number_real(b), &reals, 1), real_data,
             fmin(fmax(x, a), b));
  REAL_V(cwise_abs, fabs(x));
  REAL_V(sign, (x > 0) - (x < 0));
  REAL_V(square, x * x);
  REAL_V(sqrt, sqrt(x));
  REAL_V(exp, exp(x));
  REAL_V(log, log(x));
  REAL_V(neg, -x);
  REAL_V(cast, x);
  REAL_V(assign, x);
  CHECK_FORM(ddr_transform_fill(number, &reals, 1), real_data, a);
}

static void comparisons(void) {
  const ddr_number number = ddr_number_real(a);
  TRUTH_V_V(eq, x == y);
  TRUTH_V_V(ne, x != y);
  TRUTH_V_V(lt, x < y);
  TRUTH_V_V(le, x <= y);
  TRUTH_V_V(gt, x > y);
  TRUTH_V_V(ge, x >= y);
  TRUTH_V_S(eq_scalar, x == a);
  TRUTH_V_S(ne_scalar, x != a);
  TRUTH_V_S(lt_scalar, x < a);
  TRUTH_V_S(le_scalar, x <= a);
  TRUTH_V_S(gt_scalar, x > a);
  TRUTH_V_S(ge_scalar, x >= a);
  CHECK_FORM(ddr_transform_and(&p_view, &q_view, &truths, 1), truth_data, p && q);
  CHECK_FORM(ddr_transform_or(&p_view, &q_view, &truths, 1), truth_data, p || q);
  CHECK_FORM(ddr_transform_not(&p_view, &truths, 1), truth_data, !p);
}

int main(void) {
  x_view = view_of(DDR_ELEMENT_DOUBLE, x_data), y_view = view_of(DDR_ELEMENT_DOUBLE, y_data);
  p_view = view_of(DDR_ELEMENT_BOOL, p_data), q_view = view_of(DDR_ELEMENT_BOOL, q_data);
  reals = view_of(DDR_ELEMENT_DOUBLE, real_data), truths = view_of(DDR_ELEMENT_BOOL, truth_data);
  RUN(sums_and_products);
  RUN(in_place);
  RUN(functions);
  RUN(comparisons);
  return test_result();
}
