/* kernels_set.h: the rows of kernels.def as loops, one for each type of element of their kinds; for
 * one set of instructions (sets.h). */
#include "runtime/transform/kernels.h"

#include "runtime/element/each_element.h"
#include "runtime/element/sets.h"
#include "runtime/transform/bessel.h"
#include "runtime/transform/complex_functions.h"
#include "runtime/transform/elementary.h"
#if defined(DDR_SET)

/* --- loops ------------------------------------------------------------------------------------ */

/* The result of an element is stored where its operand was, if anywhere among the operands; never
 * where the addresses of operands are, which a byte could be. */
#if defined(__clang__) || !defined(__GNUC__)
#define ELEMENTWISE
#else
#define ELEMENTWISE _Pragma("GCC ivdep")
#endif

#define OPERAND(name, number) const element name = ((const element *)its[number])[k];

#define KERNEL_FN(id, type, part_type, transform, result_type, loads, ...)                         \
  static void transform##_##id(const void *const *operands, void *result, int64_t n) {             \
    typedef type element;                                                                          \
    typedef part_type part;                                                                        \
    result_type *results = result;                                                                 \
    const void *const its[DDR_MAX_OPERANDS] = {operands[0], operands[1], operands[2],              \
                                               operands[3]};                                       \
    (void)sizeof(part);                                                                            \
    ELEMENTWISE                                                                                    \
    for (int64_t k = 0; k < n; k++) {                                                              \
      loads(void) x;                                                                               \
      results[k] = __VA_ARGS__;                                                                    \
    }                                                                                              \
  }
#define LOAD_1 OPERAND(x, 0)
#define LOAD_2 LOAD_1 OPERAND(y, 1)
#define LOAD_3 LOAD_2 OPERAND(z, 2)
#define LOAD_4 LOAD_3 OPERAND(w, 3)

#define UNARY(transform, kinds, result, ...)                                                       \
  DDR_EACH_##kinds(KERNEL_FN, transform, result, LOAD_1, __VA_ARGS__)
#define REALS(transform, function)
#define BINARY(transform, kinds, result, ...)                                                      \
  DDR_EACH_##kinds(KERNEL_FN, transform, result, LOAD_2, __VA_ARGS__)
#define TERNARY(transform, kinds, result, ...)                                                     \
  DDR_EACH_##kinds(KERNEL_FN, transform, result, LOAD_3, __VA_ARGS__)
#define QUATERNARY(transform, kinds, result, ...)                                                  \
  DDR_EACH_##kinds(KERNEL_FN, transform, result, LOAD_4, __VA_ARGS__)
#include "runtime/transform/kernels.def"

/* --- table ------------------------------------------------------------------------------------ */

#define ROW(id, type, part_type, transform)                                                        \
  [DDR_TRANSFORM_##transform][DDR_ELEMENT_##id] = transform##_##id,
#define UNARY(transform, kinds, ...) DDR_EACH_##kinds(ROW, transform)
#define REALS(transform, function)                                                                 \
  [DDR_TRANSFORM_##transform][DDR_ELEMENT_FLOAT] = DDR_OF_SET(ddr_transform_##function##_float),   \
  [DDR_TRANSFORM_##transform][DDR_ELEMENT_DOUBLE] = DDR_OF_SET(ddr_transform_##function##_double),
#define BINARY(transform, kinds, ...) DDR_EACH_##kinds(ROW, transform)
#define TERNARY(transform, kinds, ...) DDR_EACH_##kinds(ROW, transform)
#define QUATERNARY(transform, kinds, ...) DDR_EACH_##kinds(ROW, transform)

ddr_transform_kernel *const
    DDR_OF_SET(ddr_transform_kernels)[DDR_TRANSFORM_COUNT][DDR_ELEMENT_COUNT] = {
#include "runtime/transform/kernels.def"
};
#endif
