/* exponentials_set.h: exp and log of reals of one precision, that of ddr/scalar.h, for one set of
 * instructions (sets.h): the functions of ddr/functions, which are vectors and have the same bits
 * everywhere.
 */
#include "ddr/scalar.h"
#include "runtime/element/sets.h"
#include "runtime/transform/kernels.h"
#if defined(DDR_SET)

#define OF_EACH(name)                                                                              \
  void DDR_OF_SET(ddr_transform_##name)(const void *const *operands, void *result, int64_t n) {    \
    const ddr_real *x = operands[0];                                                               \
    ddr_real *results = result; /* may be x */                                                     \
    for (int64_t k = 0; k < n; k++) results[k] = ddr_##name(x[k]);                                 \
  }
OF_EACH(exp)
OF_EACH(log)
#endif
