/* complex_products.c: products of complex numbers, for all sets of instructions.
 *
 * In a file of its own: where gcc 12 joins statements it makes one fused operation of a difference
 * and a sum of products side by side, in spite of -ffp-contract=off.  So here it must not
 * (runtime/CMakeLists.txt); other reductions become vectors by it.
 */
#include "runtime/element/complex.h"
#include "runtime/reduce/kernels.h"

#define PRODUCT_FN(id, type)                                                                       \
  ddr_partial ddr_product_of_##id(const void *elements, const void *others, double a, int64_t n) { \
    const type *x = elements;                                                                      \
    ddr_complex_double lanes[DDR_TREE_LANES];                                                      \
    (void)others;                                                                                  \
    (void)a;                                                                                       \
    for (int l = 0; l < DDR_TREE_LANES; l++) lanes[l] = ddr_complex_double_of(1, 0);               \
    for (int64_t k = 0; k < n; k++) {                                                              \
      ddr_complex_double *lane = &lanes[k % DDR_TREE_LANES];                                       \
      *lane = ddr_mul_double(*lane, ddr_complex_double_of((double)x[k].re, (double)x[k].im));      \
    }                                                                                              \
    for (int half = DDR_TREE_LANES / 2; half > 0; half /= 2) {                                     \
      for (int l = 0; l < half; l++) lanes[l] = ddr_mul_double(lanes[l], lanes[l + half]);         \
    }                                                                                              \
    return ddr_partial_of(lanes[0].re, lanes[0].im);                                               \
  }
PRODUCT_FN(CFLOAT, ddr_complex_float)
PRODUCT_FN(CDOUBLE, ddr_complex_double)

ddr_partial ddr_multiply_products(ddr_partial a, ddr_partial b) {
  return ddr_partial_multiply_complex(a, b);
}
