/* Square roots, exponentials, logarithms, moduli and quotients of random numbers against the same
 * functions in long double. */
#include <complex.h>
#include <float.h>

#include "runtime/transform/transform.h"
#include "tests/unit/random_view.h"

enum { N = 4000 };

/* Numbers of both signs and all magnitudes from 10^-exponent to 10^exponent. */
static double of_any_size(double exponent) {
  const double size = pow(10, exponent * chance_real());
  return chance_below(2) ? size : -size;
}

static ddr_ndview any_numbers(ddr_element type, double exponent) {
  const int64_t len = N;
  ddr_ndview x = {.data = NULL};
  CHECK_EQ(ddr_ndview_new(type, 1, &len, DDR_HOST, &x), DDR_ARRAY_OK);
  for (int64_t k = 0; k < N; k++) {
    const ddr_number number = {type, 0, of_any_size(exponent), of_any_size(exponent)};
    ddr_number_store(number, element_at(&x, k));
  }
  return x;
}

static long double ulp(ddr_element type, long double x) {
  const double near = fabs((double)x);
  if (type == DDR_ELEMENT_DOUBLE || type == DDR_ELEMENT_CDOUBLE)
    return (long double)(nextafter(near, (double)INFINITY) - near);
  return (long double)(nextafterf((float)near, INFINITY) - (float)near);
}

/* --- reals ------------------------------------------------------------------------------------ */

typedef long double Exact(long double x);

static void check_real(ddr_transform transform, Exact *exact, ddr_element type, double exponent,
                       long double n_ulp) {
  ddr_ndview x = any_numbers(type, exponent), made;
  const ddr_operand operand = ddr_operand_view(&x);
  CHECK_EQ(ddr_transform_make(transform, 1, &operand, 2, &made), DDR_ARRAY_OK);
  for (int64_t k = 0; k < N; k++) {
    const double at = number_at(&x, k).re, found = number_at(&made, k).re;
    const long double want = exact((long double)at);
    if (want != want) CHECK(found != found);
    else CHECK(fabsl((long double)found - want) <= n_ulp * ulp(type, want));
  }
  ddr_ndview_release(&x);
  ddr_ndview_release(&made);
}

static void reals(void) {
  const ddr_element types[] = {DDR_ELEMENT_FLOAT, DDR_ELEMENT_DOUBLE};
  for (int k = 0; k < 2; k++) {
    check_real(DDR_TRANSFORM_EXP, expl, types[k], k == 0 ? 1.9 : 2.8, 2);
    check_real(DDR_TRANSFORM_EXP, expl, types[k], 0, 2);
    check_real(DDR_TRANSFORM_LOG, logl, types[k], k == 0 ? 37 : 300, 2);
    check_real(DDR_TRANSFORM_LOG, logl, types[k], 0.01, 2);
    check_real(DDR_TRANSFORM_SQRT, sqrtl, types[k], k == 0 ? 37 : 300, 0.5L + 1e-3L);
  }
}

/* --- complex numbers: errors relative to the modulus ------------------------------------------ */

static void check_complex(ddr_number found, long double complex want, long double n_ulp) {
  const long double error =
      hypotl((long double)found.re - creall(want), (long double)found.im - cimagl(want));
  const long double size = hypotl(creall(want), cimagl(want));
  if (!CHECK(error <= n_ulp * ulp(found.type, size)))
    fprintf(stderr, "  %a %a\n", found.re, found.im);
}

static long double complex number_of(ddr_number z) {
  return (long double)z.re + (long double)z.im * I;
}

typedef long double complex ExactComplex(long double complex z);

static void check_function(ddr_transform transform, ExactComplex *exact, ddr_element type,
                           double exponent, long double n_ulp) {
  ddr_ndview x = any_numbers(type, exponent), made;
  const ddr_operand operand = ddr_operand_view(&x);
  CHECK_EQ(ddr_transform_make(transform, 1, &operand, 1, &made), DDR_ARRAY_OK);
  for (int64_t k = 0; k < N; k++)
    check_complex(number_at(&made, k), exact(number_of(number_at(&x, k))), n_ulp);
  ddr_ndview_release(&x);
  ddr_ndview_release(&made);
}

static void check_modulus(ddr_element type, double exponent) {
  ddr_ndview x = any_numbers(type, exponent), made;
  const ddr_operand operand = ddr_operand_view(&x);
  CHECK_EQ(ddr_transform_make(DDR_TRANSFORM_CWISE_ABS, 1, &operand, 1, &made), DDR_ARRAY_OK);
  for (int64_t k = 0; k < N; k++) {
    const ddr_number z = number_at(&x, k);
    const long double want = hypotl((long double)z.re, (long double)z.im);
    CHECK(fabsl((long double)number_at(&made, k).re - want) < ulp(made.type, want));
  }
  ddr_ndview_release(&x);
  ddr_ndview_release(&made);
}

/* A quotient whose parts differ much in size, which Smith's method gets wrong, is no problem: the
 * error is relative to the modulus. */
static void check_quotients(ddr_element type, double exponent) {
  ddr_ndview x = any_numbers(type, exponent), y = any_numbers(type, exponent), made;
  const ddr_operand operands[2] = {ddr_operand_view(&x), ddr_operand_view(&y)};
  CHECK_EQ(ddr_transform_make(DDR_TRANSFORM_DIV, 2, operands, 1, &made), DDR_ARRAY_OK);
  for (int64_t k = 0; k < N; k++)
    check_complex(number_at(&made, k), number_of(number_at(&x, k)) / number_of(number_at(&y, k)),
                  8);
  ddr_ndview_release(&x);
  ddr_ndview_release(&y);
  ddr_ndview_release(&made);
}

static void complex_numbers(void) {
  const ddr_element types[] = {DDR_ELEMENT_CFLOAT, DDR_ELEMENT_CDOUBLE};
  for (int k = 0; k < 2; k++) {
    const double large = k == 0 ? 37 : 300;
    check_function(DDR_TRANSFORM_SQRT, csqrtl, types[k], large, 2);
    check_function(DDR_TRANSFORM_SQRT, csqrtl, types[k], 1, 2);
    check_function(DDR_TRANSFORM_EXP, cexpl, types[k], 1.5, 4);
    check_function(DDR_TRANSFORM_LOG, clogl, types[k], large, 4);
    check_modulus(types[k], large);
    check_modulus(types[k], 1);
    check_quotients(types[k], k == 0 ? 9 : 70);
    check_quotients(types[k], 1);
  }
}

int main(void) {
  if (LDBL_MANT_DIG < 64) return 77; /* without more digits than a double, there is no oracle */
  RUN(reals);
  RUN(complex_numbers);
  return test_result();
}
