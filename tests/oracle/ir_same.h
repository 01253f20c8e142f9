/* ir_same.h: compares the results of two evaluations. Read next: ir_eval.h. */
#pragma once

#include "tests/oracle/ir_eval.h"

/* Reals may differ by the bound of the reference on its rounding errors, times a factor for another
 * order of the same operations. All other values must be equal bit for bit. */
enum { IR_ROUNDING_FACTOR = 64 };

typedef struct IrComparison {
  uint32_t n_compared; /* scalars that had to agree */
  uint32_t n_free; /* scalars that may be anything: the reference is NaN or has no useful bound */
  double worst;    /* the largest ratio of a difference of reals to the allowed one */
  uint32_t n_wrong;
  uint32_t first_wrong; /* position of the first wrong scalar, if n_wrong > 0 */
} IrComparison;

/* Compares n scalars and adds the results. */
void ir_compare(IrComparison *result, const IrScalar *want, const IrScalar *found, uint32_t n);
