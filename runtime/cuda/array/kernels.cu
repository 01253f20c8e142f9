/* kernels.cu: the rows of runtime/transform/kernels.def, one kernel for each type of element
 * of their kinds.
 */
#include "runtime/cuda/array/complex_device.h"
#include "runtime/cuda/array/elements.h"
#include "runtime/cuda/base/warp.h"
#include "runtime/element/each_element.h"
#include "runtime/element/truth.h"
#include "runtime/transform/bessel.h"
#include "runtime/transform/elementary.h"

/* --- kernels: results are the first array, operands the others ------------------------------- */

#define NUMBER(name, k)                                                                            \
  element number_##name;                                                                           \
  memcpy(&number_##name, &elements.arrays[k].number, sizeof number_##name);
#define LOAD(name, k)                                                                              \
  const element *const from_##name = (const element *)(const void *)elements.arrays[k].data;       \
  const element name = from_##name ? DDR_VALUE(from_##name[at.of[k]]) : number_##name;

#define NUMBER_1 NUMBER(x, 1)
#define NUMBER_2 NUMBER_1 NUMBER(y, 2)
#define NUMBER_3 NUMBER_2 NUMBER(z, 3)
#define NUMBER_4 NUMBER_3 NUMBER(w, 4)
#define LOAD_1 LOAD(x, 1)
#define LOAD_2 LOAD_1 LOAD(y, 2)
#define LOAD_3 LOAD_2 LOAD(z, 3)
#define LOAD_4 LOAD_3 LOAD(w, 4)

#define KERNEL_FN(id, type, part_type, transform, result_type, n_operands, ...)                    \
  DDR_KERNEL void transform##_##id(ddr_elements elements) {                                        \
    typedef type element;                                                                          \
    typedef part_type part;                                                                        \
    result_type *const results = (result_type *)(void *)elements.arrays[0].data;                   \
    (void)sizeof(part);                                                                            \
    NUMBER_##n_operands;                                                                           \
    DDR_FOR_ITEMS(item, elements.n) {                                                              \
      const ddr_offsets at = ddr_offsets_at(&elements, item);                                      \
      LOAD_##n_operands;                                                                           \
      (void)x;                                                                                     \
      results[at.of[0]] = __VA_ARGS__;                                                             \
    }                                                                                              \
  }

#define UNARY(transform, kinds, result, ...)                                                       \
  DDR_EACH_##kinds(KERNEL_FN, transform, result, 1, __VA_ARGS__)
#define MODULI(transform, kinds) DDR_EACH_##kinds(KERNEL_FN, transform, part, 1, ddr_modulus(x))
/* Results of floats have the bits of the host. */
#define REALS(transform, function)                                                                 \
  DDR_EACH_REAL(KERNEL_FN, transform, element, 1,                                                  \
                (element)(sizeof(element) == sizeof(float) ? (double)ddr_##function((float)x)      \
                                                           : function((double)x)))
#define BINARY(transform, kinds, result, ...)                                                      \
  DDR_EACH_##kinds(KERNEL_FN, transform, result, 2, __VA_ARGS__)
#define TERNARY(transform, kinds, result, ...)                                                     \
  DDR_EACH_##kinds(KERNEL_FN, transform, result, 3, __VA_ARGS__)
#define QUATERNARY(transform, kinds, result, ...)                                                  \
  DDR_EACH_##kinds(KERNEL_FN, transform, result, 4, __VA_ARGS__)
#include "runtime/transform/kernels.def"

/* --- table ------------------------------------------------------------------------------------ */

#define CASE(id, type, part, transform)                                                            \
  case (int)DDR_TRANSFORM_##transform *(int)DDR_ELEMENT_COUNT + (int)DDR_ELEMENT_##id:             \
    return transform##_##id;
#define UNARY(transform, kinds, ...) DDR_EACH_##kinds(CASE, transform)
#define MODULI(transform, kinds) DDR_EACH_##kinds(CASE, transform)
#define REALS(transform, function) DDR_EACH_REAL(CASE, transform)
#define BINARY(transform, kinds, ...) DDR_EACH_##kinds(CASE, transform)
#define TERNARY(transform, kinds, ...) DDR_EACH_##kinds(CASE, transform)
#define QUATERNARY(transform, kinds, ...) DDR_EACH_##kinds(CASE, transform)

ddr_elements_kernel *ddr_elements_kernel_of(ddr_transform transform, ddr_element type) {
  switch ((int)transform * (int)DDR_ELEMENT_COUNT + (int)type) {
#include "runtime/transform/kernels.def"
  default: break;
  }
  return NULL;
}
