/* kernels_set.h: the rows of kernels.def as loops, one for each element type of their kinds; for
 * one instruction set (sets.h). */
#include "runtime/transform/kernels.h"

#include "runtime/element/each_element.h"
#include "runtime/element/moduli.h"
#include "runtime/element/sets.h"
#include "runtime/element/truth.h"
#include "runtime/transform/bessel.h"
#include "runtime/transform/complex_functions.h"
#include "runtime/transform/elementary.h"
#if defined(DDR_SET)

/* --- loops ------------------------------------------------------------------------------------ */

/* Results may alias operands, but never the array of pointers to operands, though bytes may alias
 * anything. */
#if defined(__clang__) || !defined(__GNUC__)
#define ELEMENTWISE
#else
#define ELEMENTWISE _Pragma("GCC ivdep")
#endif

#define OPERAND(name, number) const element name = DDR_VALUE(((const element *)its[number])[k]);
#define NUMBER(name, number) const element name = DDR_VALUE(*(const element *)its[number]);

#define KERNEL_FN(id, type, part_type, transform, result_type, numbers, loads, ...)                \
  static void transform##_##id(const void *const *operands, void *result, int64_t n) {             \
    typedef type element;                                                                          \
    typedef part_type part;                                                                        \
    result_type *results = result;                                                                 \
    const void *const its[DDR_MAX_OPERANDS] = {operands[0], operands[1], operands[2],              \
                                               operands[3]};                                       \
    (void)sizeof(part);                                                                            \
    numbers ELEMENTWISE for (int64_t k = 0; k < n; k++) {                                          \
      loads(void) x;                                                                               \
      results[k] = __VA_ARGS__;                                                                    \
    }                                                                                              \
  }
#define LOAD_1 OPERAND(x, 0)
#define LOAD_2 LOAD_1 OPERAND(y, 1)
#define LOAD_3 LOAD_2 OPERAND(z, 2)
#define LOAD_4 LOAD_3 OPERAND(w, 3)

#define MODULI_FN(id, type, part, transform)                                                       \
  static void transform##_##id(const void *const *operands, void *result, int64_t n) {             \
    ddr_moduli_of_##id(operands[0], result, n);                                                    \
  }

/* Operands that kernels take as numbers: bits as in ddr_transform_kernels. */
#define NUMBERS_2 NUMBER(y, 1)
#define NUMBERS_3 NUMBER(y, 1) NUMBER(z, 2)
#define NUMBERS_4 NUMBER(x, 0) NUMBER(z, 2)
#define LOAD_BESIDE_4 OPERAND(y, 1) OPERAND(w, 3)
enum { MASK_2 = 1 << 1, MASK_3 = 1 << 1 | 1 << 2, MASK_4 = 1 << 0 | 1 << 2 };

#define UNARY(transform, kinds, result, ...)                                                       \
  DDR_EACH_##kinds(KERNEL_FN, transform, result, , LOAD_1, __VA_ARGS__)
#define REALS(transform, function)
#define MODULI(transform, kinds) DDR_EACH_##kinds(MODULI_FN, transform)
#define BINARY(transform, kinds, result, ...)                                                      \
  DDR_EACH_##kinds(KERNEL_FN, transform, result, , LOAD_2, __VA_ARGS__)                            \
      DDR_EACH_##kinds(KERNEL_FN, NUMBER_##transform, result, NUMBERS_2, LOAD_1, __VA_ARGS__)
#define TERNARY(transform, kinds, result, ...)                                                     \
  DDR_EACH_##kinds(KERNEL_FN, transform, result, , LOAD_3, __VA_ARGS__)                            \
      DDR_EACH_##kinds(KERNEL_FN, NUMBER_##transform, result, NUMBERS_3, LOAD_1, __VA_ARGS__)
#define QUATERNARY(transform, kinds, result, ...)                                                  \
  DDR_EACH_##kinds(KERNEL_FN, transform, result, , LOAD_4, __VA_ARGS__) DDR_EACH_##kinds(          \
      KERNEL_FN, NUMBER_##transform, result, NUMBERS_4, LOAD_BESIDE_4, __VA_ARGS__)
#include "runtime/transform/kernels.def"

/* --- table ------------------------------------------------------------------------------------ */

#define ROW(id, type, part_type, transform)                                                        \
  [DDR_TRANSFORM_##transform][DDR_ELEMENT_##id] = {transform##_##id, NULL, 0},
#define NUMBER_ROW(id, type, part_type, transform, mask)                                           \
  [DDR_TRANSFORM_##                                                                                \
      transform][DDR_ELEMENT_##id] = {transform##_##id, NUMBER_##transform##_##id, mask},
#define UNARY(transform, kinds, ...) DDR_EACH_##kinds(ROW, transform)
#define MODULI(transform, kinds) DDR_EACH_##kinds(ROW, transform)
#define REALS_ROW(transform, id, function)                                                         \
  [DDR_TRANSFORM_##transform][DDR_ELEMENT_##id] = {DDR_OF_SET(function), NULL, 0},
#define REALS(transform, function)                                                                 \
  REALS_ROW(transform, FLOAT, ddr_transform_##function##_float)                                    \
  REALS_ROW(transform, DOUBLE, ddr_transform_##function##_double)
#define BINARY(transform, kinds, ...) DDR_EACH_##kinds(NUMBER_ROW, transform, MASK_2)
#define TERNARY(transform, kinds, ...) DDR_EACH_##kinds(NUMBER_ROW, transform, MASK_3)
#define QUATERNARY(transform, kinds, ...) DDR_EACH_##kinds(NUMBER_ROW, transform, MASK_4)

const ddr_transform_kernels
    DDR_OF_SET(ddr_transform_kernels)[DDR_TRANSFORM_COUNT][DDR_ELEMENT_COUNT] = {
#include "runtime/transform/kernels.def"
};
#endif
