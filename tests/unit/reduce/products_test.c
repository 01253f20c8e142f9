/* Products of complex numbers are rounded before they are added or subtracted: in functions that
 * are optimised, not sanitized, and may have fused operations. */
#include "runtime/element/complex.h"
#include "runtime/element/sets.h"
#include "runtime/reduce/kernels.h"
#include "tests/unit/test.h"

enum { ROUNDS = 4000, N = 3 };

static uint32_t random_state = 7;
static double random_part(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return ((double)random_state / 0x1p31 - 1) / 3;
}

/* volatile: stored, so rounded. */
static ddr_complex_double product(ddr_complex_double a, ddr_complex_double b) {
  const volatile double re_re = a.re * b.re, im_im = a.im * b.im;
  const volatile double re_im = a.re * b.im, im_re = a.im * b.re;
  return ddr_complex_double_of(re_re - im_im, re_im + im_re);
}

static void check(ddr_partial found, ddr_complex_double want) {
  CHECK(memcmp(&found.re, &want.re, sizeof want.re) == 0);
  CHECK(memcmp(&found.im, &want.im, sizeof want.im) == 0);
}

/* Of elements, and of results of blocks. */
static void products_are_rounded(void) {
  for (int round = 0; round < ROUNDS; round++) {
    ddr_complex_double x[N];
    for (int k = 0; k < N; k++) x[k] = ddr_complex_double_of(random_part(), random_part());
    const ddr_partial a = ddr_partial_of(x[0].re, x[0].im), b = ddr_partial_of(x[1].re, x[1].im);
    check(ddr_multiply_products(a, b), product(x[0], x[1]));
    check(ddr_product_of_CDOUBLE(x, x, 0, N), product(product(x[0], x[2]), x[1]));
  }
}

int main(void) {
  if (!ddr_has_set(DDR_SET_AVX2)) return 77; /* with FMA it could not run */
  RUN(products_are_rounded);
  return test_result();
}
