/* ir_same.h: do two evaluations mean the same? Read next: ir_eval.h. */
#pragma once

#include "tests/oracle/ir_eval.h"

/* Reals may differ by as much as rounding explains: the bound of the reference, times a factor for
 * what another order of the same arithmetic may cost. The rest is equal bit for bit. */
enum { IR_ROUNDING_FACTOR = 64 };

typedef struct IrComparison {
  uint32_t n_compared; /* scalars that had to agree */
  uint32_t n_free;     /* reference NaN, or without a useful bound: anything goes */
  double worst;        /* largest difference of reals over what was allowed */
  uint32_t n_wrong;
  uint32_t first_wrong; /* its position; when n_wrong > 0 */
} IrComparison;

/* Adds what comparing n scalars gives. */
void ir_compare(IrComparison *result, const IrScalar *want, const IrScalar *found, uint32_t n);
