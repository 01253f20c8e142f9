/* kernels.h: functions that transform packed elements, for every type. */
#pragma once

#include "runtime/transform/transform.h"

/* n elements; operands and result are packed; the result may be one of the operands. */
typedef void ddr_transform_kernel(const void *const *operands, void *result, int64_t n);

typedef struct ddr_transform_kernels {
  ddr_transform_kernel *plain; /* NULL: only a copy, or such elements are not supported */
  ddr_transform_kernel
      *of_numbers;  /* some operands are a single element each; NULL: there is none */
  unsigned numbers; /* which operands these are: bit k is operand k */
} ddr_transform_kernels;

/* One for each instruction set: see runtime/element/sets.h. */
#define DDR_TRANSFORMS_OF(set)                                                                     \
  extern const ddr_transform_kernels ddr_transform_kernels_##set[DDR_TRANSFORM_COUNT]              \
                                                                [DDR_ELEMENT_COUNT];               \
  ddr_transform_kernel ddr_transform_exp_float_##set, ddr_transform_exp_double_##set;              \
  ddr_transform_kernel ddr_transform_log_float_##set, ddr_transform_log_double_##set;
DDR_TRANSFORMS_OF(base)
DDR_TRANSFORMS_OF(avx2)
DDR_TRANSFORMS_OF(avx512)

ddr_transform_kernels ddr_transform_kernels_of(ddr_transform transform, ddr_element type);
